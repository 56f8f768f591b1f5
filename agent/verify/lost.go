package verify

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// Lost returns the check for definitions that the old files have and the new ones lack: a model that writes a file out
// again leaves out what it was not asked about. Whether they were to go only the user knows, so it tells the user and not
// the model. What stands in another file of the same change has moved and is not lost. It knows what the grammars know.
func Lost() Check { return Check{Name: "definitions", From: Syntax, Run: lost} }

// definition is a name that a file defines.
type definition struct {
	name  string
	owner string // the names around it, joined by dots; "" at the top
	file  string
	line  string // the line with its name
	text  string // all of it

	from, to int // its bytes in the file
}

func (d definition) full() string {
	if d.owner == "" {
		return d.name
	}
	return d.owner + "." + d.name
}

func lost(ctx context.Context, in Input) ([]Finding, error) {
	gone, err := missingIn(ctx, in)
	if err != nil {
		return nil, err
	}
	var list []Finding
	for _, c := range in.Changes {
		if missing := gone[c.Path]; len(missing) > 0 {
			list = append(list, lostFinding(c.Path, missing))
		}
	}
	return list, nil
}

// missingIn lists the definitions that the changes lost, by the old path of their file.
func missingIn(ctx context.Context, in Input) (map[string][]definition, error) {
	gone := map[string][]definition{}
	fresh := map[string]int{} // names that are defined more often than before, somewhere
	for _, c := range in.Changes {
		if c.Before == c.After {
			continue
		}
		before, err := definitionsOf(ctx, c.Path, c.Before)
		if err != nil {
			return nil, err
		}
		to, text := c.Path, c.After
		switch c.Op {
		case edits.OpRename:
			to = c.To
		case edits.OpDelete:
			text = ""
		case edits.OpCreate, edits.OpUpdate:
		}
		after, err := definitionsOf(ctx, to, text)
		if err != nil {
			return nil, err
		}
		left := map[string]int{}
		for _, d := range after {
			left[d.full()]++
		}
		var missing []definition
		for _, d := range before {
			if left[d.full()]--; left[d.full()] < 0 {
				missing = append(missing, d)
			}
		}
		gone[c.Path] = readable(missing, c.Before, text)
		for _, d := range after {
			if left[d.full()] > 0 {
				left[d.full()]--
				fresh[d.name]++
			}
		}
	}
	for _, c := range in.Changes {
		gone[c.Path] = slices.DeleteFunc(gone[c.Path], func(d definition) bool {
			fresh[d.name]--
			return fresh[d.name] >= 0
		})
	}
	return gone, nil
}

// readable leaves out the definitions whose line stands in the new text as often as in the old one:
// a syntax error before it hides it from the grammar.
func readable(missing []definition, before, after string) []definition {
	if len(missing) == 0 {
		return nil
	}
	count := func(text string) map[string]int {
		n := map[string]int{}
		for line := range strings.Lines(text) {
			n[strings.TrimSpace(line)]++
		}
		return n
	}
	old, new := count(before), count(after)
	return slices.DeleteFunc(missing, func(d definition) bool { return d.line != "" && new[d.line] >= old[d.line] })
}

// definitionsOf lists what a program text defines: what can be called or made, but no variables, which
// come and go with every change.
func definitionsOf(ctx context.Context, file, text string) ([]definition, error) {
	if text == "" || !syntax.Code(file) {
		return nil, nil
	}
	tags, err := syntax.Tagger{}.Tags(ctx, file, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("find the definitions in %s: %w", file, err)
	}
	lines := strings.Split(text, "\n")
	var list []definition
	var around []tag.Tag
	for _, t := range tags {
		for len(around) > 0 && around[len(around)-1].End <= t.Start {
			around = around[:len(around)-1]
		}
		// What is defined in a function is how it works, not what it offers.
		local := slices.ContainsFunc(around, func(o tag.Tag) bool { return o.Kind == tag.Function || o.Kind == tag.Method })
		if counts(t.Kind) && !local {
			d := definition{name: t.Name, file: file, line: strings.TrimSpace(lines[min(t.Line, len(lines)-1)]), text: text[t.Start:min(t.End, len(text))],
				from: t.Start, to: min(t.End, len(text))}
			var names []string
			for _, o := range around {
				names = append(names, o.Name)
			}
			d.owner = strings.Join(names, ".")
			if receiver := goReceiver.FindStringSubmatch(d.text); t.Kind == tag.Method && receiver != nil && d.owner == "" {
				d.owner = receiver[1]
			}
			list = append(list, d)
		}
		if counts(t.Kind) {
			around = append(around, t)
		}
	}
	return list, nil
}

// goReceiver finds the type of which a Go method is one.
var goReceiver = regexp.MustCompile(`^func\s*\(\s*(?:\w+\s+)?\*?(\w+)`)

func counts(k tag.Kind) bool {
	switch k {
	case tag.Function, tag.Method, tag.Class, tag.Interface, tag.Type, tag.Enum, tag.Module, tag.Macro:
		return true
	case tag.Constant, tag.Variable, tag.Field, tag.Heading, tag.Key, tag.Call, tag.Use:
		return false
	}
	return false
}

// mostNamed is how many definitions a finding names.
const mostNamed = 12

func lostFinding(file string, missing []definition) Finding {
	var names []string
	for _, d := range missing {
		if name := d.full(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return Finding{Check: "definitions", Path: file, First: 1, Last: 1, Told: true, Text: file + " no longer has " + listed(names)}
}

func listed(names []string) string {
	if n := len(names) - mostNamed; n > 0 {
		return fmt.Sprintf("%s and %d more definitions", strings.Join(names[:mostNamed], ", "), n)
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}
