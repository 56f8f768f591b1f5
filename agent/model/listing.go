package model

import (
	"maps"
	"slices"
)

// Row is one row of the embedded table, for documents.
type Row struct {
	Names   []string // exact ones and patterns, of which * stands for anything and ? for one character
	Profile Profile  // at the maker's own endpoint
}

// Rows returns the rows of the embedded table in its order: the first that fits a name describes it.
func (c *Catalog) Rows() []Row {
	var rows []Row
	for _, r := range c.table.Models {
		p := Profile{EditFormat: "whole", Reminder: "user", UseTemperature: true, Streaming: true, UseSystemPrompt: true}
		if r.Provider != "" {
			c.answersAt(&p, r.Provider)
		}
		r.describe(&p)
		rows = append(rows, Row{Names: slices.Clone(r.Match), Profile: p})
	}
	return rows
}

// Providers returns what the embedded table knows of each provider by itself, sorted by name.
func (c *Catalog) Providers() []Profile {
	var list []Profile
	for _, name := range slices.Sorted(maps.Keys(c.table.Providers)) {
		var p Profile
		c.answersAt(&p, name)
		list = append(list, p)
	}
	return list
}

// Aliases returns the aliases of the embedded table.
func (c *Catalog) Aliases() map[string]string { return maps.Clone(c.table.Aliases) }

// OlderAliases returns those that are understood and not offered.
func (c *Catalog) OlderAliases() map[string]string { return maps.Clone(c.table.Older) }

// Defaults returns the models to take when the user names none, in the order in which their keys are looked
// for.
func (c *Catalog) Defaults() []Profile {
	var list []Profile
	for _, d := range c.table.Defaults {
		list = append(list, c.known(d.Model, d.Model))
	}
	return list
}
