package consent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/agent/index"
	"coauthor/agent/sandbox"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
)

// Where the user has set no linters, formatters and tests, those that the repository shows to use are offered once, in their exact
// text, after the first change has landed. What the user takes runs on the changes of the turns that follow; a no is kept
// too.

// Suggestion are commands that a repository shows to use and that the user was not asked about yet.
type Suggestion struct {
	Tools []verify.Tool
	Full  bool // the level in force runs tests too

	wanted []verify.Wanted // of each tool
}

// mostCommands is how many commands are offered at once: who is asked has to read them.
const mostCommands = 8

// Suggest looks for what to offer in this folder: nothing where the user has set commands, or wants none, and only
// once in a session.
func (c *Store) Suggest(ctx context.Context) Suggestion {
	set := c.o.Settings()
	level := verify.Level(set.Verify)
	if c.o.Sandbox == nil || len(set.Checks.Lint)+len(set.Checks.Format)+len(set.Checks.Test) > 0 || level != verify.Lint && level != verify.Full ||
		c.ws.Root() == "" || c.suggested.Swap(true) {
		return Suggestion{}
	}
	found := c.Tools(ctx)
	if len(found) == 0 {
		return Suggestion{} // and the trial of what is possible here is spared
	}
	way, err := c.o.Sandbox.Way(ctx, c.ws.Root())
	if err != nil {
		c.o.Log.Info("could not offer checks", "root", c.ws.Root(), "error", err)
		return Suggestion{}
	}
	o := Suggestion{Full: level == verify.Full}
	now := c.ws.Snapshot().Within(ctx)
	for _, t := range found {
		w := t.Wanted(now, way)
		if text := w.Text(); !c.kept.has(text) && !c.refused.has(text) && len(o.Tools) < mostCommands {
			o.Tools, o.wanted = append(o.Tools, t), append(o.wanted, w)
		}
	}
	return o
}

// Tools are the tools that the folder shows to use, as far as that was seen in this session. What cannot be read says
// nothing.
func (c *Store) Tools(ctx context.Context) []verify.Tool {
	c.mu.Lock()
	known, list := c.looked, c.tools
	c.mu.Unlock()
	if known {
		return list
	}
	list = c.detect(ctx)
	if ctx.Err() == nil {
		c.mu.Lock()
		c.looked, c.tools = true, list
		c.mu.Unlock()
	}
	return list
}

func (c *Store) detect(ctx context.Context) []verify.Tool {
	files, err := index.Files(ctx, c.ws.Root())
	if err != nil {
		c.o.Log.Info("could not detect the folder's check tools", "root", c.ws.Root(), "error", err)
		return nil
	}
	snap := c.ws.Snapshot().Within(ctx)
	return verify.Detect(verify.Repository{Files: files, Read: func(path string) (string, error) {
		if d := c.ws.Door().Check(ctx, path, workspace.OpRead); d.Verdict == workspace.Refuse {
			return "", errors.New(d.Reason)
		}
		return snap.Read(path)
	}})
}

// Question asks whether to use them. Where a sentence would not show each of them whole, they stand below it, a line each.
func (o Suggestion) Question() event.Question {
	q := event.Question{Choices: []string{"check", "no"}, Titles: []string{"check with " + o.names(), "do not use them"}, Default: "no"}
	uses := o.words()
	if len(uses) > 1000 || slices.ContainsFunc(o.wanted, func(w verify.Wanted) bool { return !inSentence(w) }) {
		lint, format, tests := o.commands(func(text string) string { return text })
		uses = "Coauthor found these commands in this folder." + placeholders(slices.Concat(lint, format, tests))
		for i := range format {
			format[i] = "to format: " + format[i]
		}
		for i := range tests {
			tests[i] = "to test" + o.whenTested() + ": " + tests[i]
		}
		q.Body = strings.Join(slices.Concat(lint, format, tests), "\n")
	}
	q.Text = uses + " " + o.asks() + " " + keptAll(o.wanted)
	return q
}

// asks is the question itself.
func (o Suggestion) asks() string {
	formats := func(t verify.Tool) bool { return t.Formats }
	switch {
	case !slices.ContainsFunc(o.Tools, formats):
		return "Check every change with them before showing it to you?"
	case slices.ContainsFunc(o.Tools, func(t verify.Tool) bool { return !t.Formats }):
		return "Format and check every change with them before showing it to you?"
	}
	return "Format every change with them before showing it to you?"
}

// keptAll says what all of these commands see and are kept from.
func keptAll(list []verify.Wanted) string {
	all := verify.Wanted{Way: sandbox.Overlay}
	for _, w := range list {
		if w.Way == sandbox.Copied {
			all.Way = w.Way
		}
		all.Formats = all.Formats || w.Formats
	}
	return kept(all)
}

// Advise says the same where nobody can be asked, and how to set it; "" when that was said before in this folder.
func (c *Store) Advise(o Suggestion) (string, error) {
	fresh := false
	for _, w := range o.wanted {
		text := w.Text()
		if c.advised.has(text) {
			continue
		}
		fresh = true
		if err := c.advised.add(text); err != nil {
			return "", err
		}
	}
	if !fresh {
		return "", nil
	}
	return o.advice(), nil
}

func (o Suggestion) advice() string {
	return o.words() + " To use these commands for every change, add them to verify.lint, verify.format and verify.test in your settings."
}

// words say what was found, each command in its exact text.
func (o Suggestion) words() string {
	lint, format, tests := o.commands(display.Line)
	var parts []string
	if len(lint) > 0 {
		parts = append(parts, strings.Join(lint, ", "))
	}
	if len(format) > 0 {
		parts = append(parts, "to format: "+strings.Join(format, ", "))
	}
	if len(tests) > 0 {
		parts = append(parts, "to test: "+strings.Join(tests, ", ")+o.whenTested())
	}
	return fmt.Sprintf("Detected in this folder: %s.", strings.Join(parts, "; ")) + placeholders(parts)
}

// commands are the linters, the formatters and the tests in their exact text, each with where it runs and what it stands for, which shown
// makes fit to be shown.
func (o Suggestion) commands(shown func(string) string) (lint, format, tests []string) {
	for i, t := range o.Tools {
		text := shown(t.Command().String())
		if t.Dir != "" {
			text += " in " + shown(t.Dir)
		}
		if script := o.wanted[i].Script; script != "" {
			text += fmt.Sprintf(" (runs: %s)", shown(script))
		}
		list := &lint
		switch {
		case t.Tests:
			list = &tests
		case t.Formats:
			list = &format
		}
		*list = append(*list, text)
	}
	return lint, format, tests
}

// whenTested says that tests wait for another level, where they do.
func (o Suggestion) whenTested() string {
	if o.Full {
		return ""
	}
	return " (only if verify.level is full)"
}

// placeholders says what the words in braces of commands stand for.
func placeholders(commands []string) (text string) {
	has := func(word string) bool {
		return slices.ContainsFunc(commands, func(c string) bool { return strings.Contains(c, word) })
	}
	if has(`"{files}"`) {
		text += " {files} stands for the changed files."
	}
	if has(`"{dirs}"`) {
		text += " {dirs} stands for the folders of the changed files."
	}
	if has("{report}") {
		text += " {report} stands for a temporary JUnit XML file."
	}
	return text
}

func (o Suggestion) names() string {
	var list []string
	for _, t := range o.Tools {
		list = append(list, t.Name())
	}
	return strings.Join(list, ", ")
}

// Offer asks the user about commands, and keeps the answer for the folder. No answer is none.
func (c *Store) Offer(ctx context.Context, o Suggestion, ask event.Asker) (taken bool, err error) {
	if len(o.Tools) == 0 {
		return false, nil
	}
	q := o.Question()
	if q.ID, err = id.New(c.o.Random, "q"); err != nil {
		return false, err
	}
	a, err := ask.Ask(ctx, q)
	if err != nil || a.Defaulted {
		return false, err
	}
	taken = a.Choice == q.Choices[0]
	for _, w := range o.wanted {
		text := w.Text()
		if !taken {
			err = c.refused.add(text)
		} else if err = c.kept.add(text); err == nil {
			c.allow(text)
			err = c.taken.add(text)
		}
		if err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// Accepted are the detected tools that the user has taken, where no others are set. One that stands for other words by now
// is asked about again before it runs.
func (c *Store) Accepted(ctx context.Context, set verify.Settings) []verify.Tool {
	taken := &c.taken
	if len(set.Tools) > 0 || !taken.any(func(text string) bool { return text != "" }) {
		return nil
	}
	var list []verify.Tool
	for _, t := range c.Tools(ctx) {
		if taken.any(verify.Wanted{Command: t.Command(), Dir: t.Dir}.Resembles) {
			list = append(list, t)
		}
	}
	return list
}
