// Package chosen holds what the user chose for a session: coder, models, files and pages.
//
// It decides nothing: what a choice comes to with the settings, Over says. Start at Choice and Store.
package chosen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"coauthor/agent/coder"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/web"
)

// Choice is what the user chose for a session. It stands above the settings and below what a single
// request says; an empty field leaves a thing to the settings.
type Choice struct {
	Coder                         string
	Format                        string // of edits
	Model, WeakModel, EditorModel string
	Effort                        string   // how hard the model thinks, as the setting model.reasoningEffort
	Thinking                      *int     // tokens to think with, as the setting model.thinkingTokens; nil leaves it to the settings
	MapTokens                     *int     // size of the map; 0 sends none, nil leaves it to the settings
	Files                         []string // in the chat beside what each request names, as far as they fit and may be sent
	ReadOnly                      []string // the same, to look at
	Pages                         []string // addresses of pages that the model is shown
}

// InForce is what holds for the next turn of a session. Its models are the names of those that are asked, and
// MapTokens is the size that the map may have beside files of the chat.
type InForce struct {
	Choice
	Trusted bool // what the workspace itself says is taken for the user's word
}

// String says in one line for users what is in force.
func (f InForce) String() string {
	text := fmt.Sprintf("coder %s, edit format %s, model %s", f.Coder, f.Format, cmp.Or(f.Model, "none"))
	if f.WeakModel != f.Model {
		text += ", weak model " + f.WeakModel
	}
	if f.EditorModel != f.Model {
		text += ", editor model " + f.EditorModel
	}
	if f.Effort != "" && f.Effort != model.Auto {
		text += ", reasoning effort " + f.Effort
	}
	if f.Thinking != nil && *f.Thinking > 0 {
		text += fmt.Sprintf(", %d thinking tokens", *f.Thinking)
	}
	if n := *f.MapTokens; n > 0 {
		text += fmt.Sprintf(", repository map of %d tokens", n)
	} else {
		text += ", no repository map"
	}
	if len(f.Files) > 0 {
		text += ", in the chat: " + strings.Join(f.Files, ", ")
	}
	if len(f.ReadOnly) > 0 {
		text += ", read-only: " + strings.Join(f.ReadOnly, ", ")
	}
	if len(f.Pages) > 0 {
		text += ", pages: " + strings.Join(f.Pages, ", ")
	}
	return text
}

// InForceReport is what is in force, for programs: the answer of the commands that change it.
type InForceReport struct {
	Coder           string   `json:"coder"`
	EditFormat      string   `json:"editFormat"`
	Model           string   `json:"model"`
	WeakModel       string   `json:"weakModel"`
	EditorModel     string   `json:"editorModel"`
	MapTokens       int      `json:"mapTokens"`
	Files           []string `json:"files"`
	ReadOnly        []string `json:"readOnly"`
	Pages           []string `json:"pages"`
	ReasoningEffort string   `json:"reasoningEffort"`
	ThinkingTokens  int      `json:"thinkingTokens"`
}

// Report returns what is in force for programs.
func (f InForce) Report() InForceReport {
	return InForceReport{
		Coder: f.Coder, EditFormat: f.Format, Model: f.Model, WeakModel: f.WeakModel, EditorModel: f.EditorModel,
		ReasoningEffort: f.Effort, ThinkingTokens: *f.Thinking, MapTokens: *f.MapTokens,
		Files: append([]string{}, f.Files...), ReadOnly: append([]string{}, f.ReadOnly...),
		Pages: append([]string{}, f.Pages...),
	}
}

// String says in one line for users what was chosen; "" for nothing.
func (c Choice) String() string {
	var list []string
	for _, one := range [][2]string{{"in the chat: ", strings.Join(c.Files, ", ")}, {"read-only: ", strings.Join(c.ReadOnly, ", ")},
		{"pages: ", strings.Join(c.Pages, ", ")}, {"coder ", c.Coder}, {"edit format ", c.Format}, {"model ", c.Model}} {
		if one[1] != "" {
			list = append(list, one[0]+one[1])
		}
	}
	return strings.Join(list, "; ")
}

// Over lays the choice over settings.
func (c Choice) Over(v settings.Settings) settings.Settings {
	v.Coder, v.EditFormat = cmp.Or(c.Coder, v.Coder, coder.Default), cmp.Or(c.Format, v.EditFormat, "auto")
	v.Model, v.WeakModel, v.EditorModel = cmp.Or(c.Model, v.Model), cmp.Or(c.WeakModel, v.WeakModel), cmp.Or(c.EditorModel, v.EditorModel)
	if c.Effort != "" {
		v.ReasoningEffort, v.Said.Effort = c.Effort, true
	}
	if c.Thinking != nil {
		v.ThinkingTokens, v.Said.Thinking = *c.Thinking, true
	}
	if c.MapTokens != nil {
		v.RepoMap.Tokens = *c.MapTokens
	}
	return v
}

// clone is the choice with lists of its own.
func (c Choice) clone() Choice {
	c.Files, c.ReadOnly, c.Pages = slices.Clone(c.Files), slices.Clone(c.ReadOnly), slices.Clone(c.Pages)
	return c
}

// Store holds what was chosen for a session, and the pages that go with it. It is safe for concurrent use.
type Store struct {
	Pages *web.Pages // that were fetched

	mu     sync.Mutex
	choice Choice // guarded by mu
}

// Get returns what was chosen.
func (c *Store) Get() Choice {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.choice.clone()
}

// Set replaces what was chosen.
func (c *Store) Set(choice Choice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.choice = choice.clone()
}

// Add remembers files that came into the chat, for the turns to come.
func (c *Store) Add(files, readOnly []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range []struct {
		list  *[]string
		named []string
	}{{&c.choice.Files, files}, {&c.choice.ReadOnly, readOnly}} {
		for _, path := range one.named {
			if !slices.Contains(*one.list, path) {
				*one.list = append(slices.Clip(*one.list), path)
			}
		}
	}
}

// AddPages remembers pages that the model is shown, for the turns to come. The last ones stay.
func (c *Store) AddPages(urls []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, url := range urls {
		list := slices.DeleteFunc(slices.Clone(c.choice.Pages), func(u string) bool { return web.Address(u) == web.Address(url) })
		c.choice.Pages = append(list, url)
	}
	c.choice.Pages = c.choice.Pages[max(0, len(c.choice.Pages)-web.Most):]
	c.Pages.Keep(c.choice.Pages)
}

// Clear takes all files and pages out of the chat.
func (c *Store) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.choice.Files, c.choice.ReadOnly, c.choice.Pages = nil, nil, nil
}
