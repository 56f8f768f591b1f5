package main

import (
	"cmp"

	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// listing is the lists for people: a table for each, with the day from which its figures are.
func (l modelLists) listing() command.Listing {
	var out command.Listing
	for _, one := range []struct {
		title string
		list  []listedModel
	}{{"In use", l.InForce}, {"Yours (settings)", l.Yours}, {"Built in", l.Known}} {
		out.Sections = append(out.Sections, section(one.title, one.list)...)
	}
	if l.Endpoint != "" && l.Error == "" {
		title := "Offered by " + display.Message(l.Endpoint)
		if len(l.Offered) == 0 {
			out.Sections = append(out.Sections, command.Section{Text: title + ": no match"})
		}
		out.Sections = append(out.Sections, section(title, l.Offered)...)
	}
	out.Sections = append(out.Sections, command.Section{Text: model.Legend + "\nUse the models setting to correct these values."})
	return out
}

// section is one list; none when it is empty.
func section(title string, list []listedModel) []command.Section {
	if len(list) == 0 {
		return nil
	}
	t := command.Table{Head: []string{title, "window", "price", "edits", "as of"}, Right: []int{1}}
	for _, m := range list {
		price := model.Price{}
		if m.Price != nil {
			price = *m.Price
		}
		t.Rows = append(t.Rows, []string{nameOf(m), cmp.Or(model.Short(m.Window), "-"), cmp.Or(price.Text(), "-"), m.Format, cmp.Or(m.Checked, "-")})
	}
	return []command.Section{{Table: t}}
}

// nameOf is a model's name with what it stands for. Names come from files and from servers.
func nameOf(m listedModel) string {
	text := ""
	if m.Role != "" {
		text += m.Role + ": "
	}
	text += display.Message(m.Name)
	if m.ID != "" {
		text += " = " + display.Message(m.ID)
	}
	if m.Endpoint != "" {
		text += " at " + display.Message(remote.TrimCall(m.Endpoint))
	}
	return text
}
