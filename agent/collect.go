package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// unknownRoom is the room for open documents, in tokens, when nobody knows how much the model can take.
const unknownRoom = 16384

// collect takes the snapshot and decides with which model, in which format and on which files the
// turn works.
func collect(ctx context.Context, t *turn) error {
	t.enter(event.TurnCollecting)
	t.settings = t.s.e.o.Settings(t.s.ws.Root())
	if err := t.chooseModel(); err != nil {
		return err
	}
	t.base = t.p.Snapshot
	if t.base == nil || t.waited {
		t.base = t.s.ws.Snapshot()
	}
	t.base = t.base.Within(ctx) // a disk that does not answer does not hold a cancel up
	t.now = t.base
	t.offered = map[string]bool{}
	t.goOn()
	for _, step := range []func(context.Context) error{t.chooseFiles, t.openDocuments, t.drawMap} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	t.current = history.NewCurrent(t.r.Instruction)
	t.note = t.lastOutcome()
	return nil
}

// chooseModel decides model, format and temperature: the request before the settings before the
// model's own profile.
func (t *turn) chooseModel() error {
	name := firstOf(t.r.Model, t.settings.Model)
	if name == "" {
		return &Problem{Message: "No model is configured.",
			Advice: "Set the setting \"model\" to one of the known names or to an entry of \"models\", and the key in its environment variable."}
	}
	t.profile = t.settings.Profile(t.s.e.o.Catalog(), name, t.r.APIBase)
	t.counter = model.NewCounter(t.profile.Tokenizer)
	if t.r.Temperature == nil {
		t.r.Temperature = t.settings.Temperature
	}
	t.room = inputRoom(t.profile)
	if !t.coder.Edits {
		return nil
	}
	format := firstOf(t.coder.Format, auto(t.r.Format), auto(t.settings.EditFormat), auto(t.profile.EditFormat), "whole")
	f, ok := formats.ByName(format)
	if !ok {
		return unknownFormat(format)
	}
	t.format = &f
	return nil
}

func auto(s string) string {
	if s == "auto" {
		return ""
	}
	return s
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// chooseFiles takes in the files that the user names, each through the door. One that may not be
// sent ends the turn, because the user would expect the model to know it.
func (t *turn) chooseFiles(ctx context.Context) error {
	named := t.r.Files
	if target := t.r.Target; target != nil && target.Path != "" {
		named = append([]string{target.Path}, named...)
	}
	for _, path := range named {
		if err := t.admit(ctx, path, &t.chat); err != nil {
			return err
		}
	}
	for _, path := range t.r.ReadOnly {
		if err := t.admit(ctx, path, &t.readOnly); err != nil {
			return err
		}
	}
	for _, path := range slices.Concat(t.chat, t.readOnly) {
		if err := t.mustFit(path); err != nil {
			return err
		}
	}
	t.s.mu.Lock()
	added := slices.Clone(t.s.added)
	t.s.mu.Unlock()
	for _, path := range added {
		if _, ok := t.fits(path); ok && t.maySend(ctx, path) && t.base.Exists(path) && !t.inChat(path) {
			t.chat = append(t.chat, path)
		}
	}
	t.chooseFocus()
	return nil
}

// admit puts a file that the user named into a list of files to show, or tells why not.
func (t *turn) admit(ctx context.Context, path string, list *[]string) error {
	d := t.s.ws.Door().Check(ctx, path, workspace.OpSend)
	switch d.Verdict {
	case workspace.Allow:
	case workspace.Ask:
		yes, err := t.ask(ctx, event.Question{Text: fmt.Sprintf("%s is protected (%s). Send it to the model?", path, d.Reason),
			Choices: []string{"send", "cancel"}, Titles: []string{"send " + path + " to the model", "cancel, send nothing"}})
		if err != nil {
			return err
		}
		if !yes {
			return &Problem{Message: fmt.Sprintf("%s is not sent to the model: %s.", path, strings.TrimSuffix(d.Reason, ".")), Advice: "Leave it out, or consent to sending it."}
		}
	case workspace.Refuse:
		return &Problem{Message: fmt.Sprintf("%s is not sent to the model: %s.", path, strings.TrimSuffix(d.Reason, ".")), Advice: "Leave it out of the request, or change what hides it."}
	}
	if d.Path != "" {
		path = d.Path
	}
	if slices.Contains(*list, path) {
		return nil
	}
	if _, err := t.now.Read(path); errors.Is(err, fs.ErrNotExist) {
		if !slices.Contains(t.missing, path) {
			t.missing = append(t.missing, path)
		}
		return nil
	} else if err != nil {
		return &Problem{Message: fmt.Sprintf("%s cannot be read: %v.", path, err), Advice: "Leave it out of the request.", Err: err}
	}
	*list = append(*list, path)
	return nil
}

// openDocuments adds the documents that are open in the editor, most recently changed first, while
// all chat files together fit half of the room. The rest are named.
func (t *turn) openDocuments(ctx context.Context) error {
	if t.settings.Context.OpenDocuments == "none" {
		return nil
	}
	budget := t.settings.Context.MaxTokens
	switch {
	case budget > 0:
	case t.profile.ContextWindow > 0:
		budget = t.room / 2
	default:
		budget = unknownRoom
	}
	for _, path := range t.chat {
		if text, err := t.now.Read(path); err == nil {
			budget -= t.counter.Count(text)
		}
	}
	for _, d := range t.sendable(ctx) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		size := budget + 1
		if most := t.settings.Context.MaxFiles; most <= 0 || len(t.chat) < most {
			size = t.counter.Count(d.Text)
		}
		if size > budget {
			t.unshown = append(t.unshown, d.Path)
			continue
		}
		budget -= size
		t.chat = append(t.chat, d.Path)
	}
	if len(t.unshown) > 0 {
		t.tell(event.LevelInfo, "Open, but not shown to the model for lack of room: "+strings.Join(t.unshown, ", "))
	}
	return nil
}

// sendable returns the open documents that are not in the turn yet and may leave the machine.
func (t *turn) sendable(ctx context.Context) []*workspace.Document {
	docs := slices.DeleteFunc(slices.Clone(t.base.Open()), func(d *workspace.Document) bool {
		return t.inChat(d.Path) || slices.Contains(t.readOnly, d.Path)
	})
	var list []*workspace.Document
	for i, d := range t.s.ws.Door().CheckAll(ctx, pathsOf(docs), workspace.OpSend) {
		if d.Verdict == workspace.Allow {
			list = append(list, docs[i])
		}
	}
	return list
}

func pathsOf(docs []*workspace.Document) []string {
	paths := make([]string, len(docs))
	for i, d := range docs {
		paths[i] = d.Path
	}
	return paths
}

// maySend says whether the content of a file may leave the machine without another question.
func (t *turn) maySend(ctx context.Context, path string) bool {
	return t.s.ws.Door().Check(ctx, path, workspace.OpSend).Verdict == workspace.Allow
}

func (t *turn) inChat(path string) bool { return slices.Contains(t.chat, path) }

// chooseFocus turns the target's byte offsets into lines.
func (t *turn) chooseFocus() {
	target := t.r.Target
	if target == nil || target.Path == "" {
		return
	}
	t.focus = &prompt.Focus{Path: target.Path}
	text, err := t.now.Read(target.Path)
	if err != nil || t.waited {
		return // what was selected then may stand elsewhere now
	}
	*t.focus, t.focused = focus(target.Path, text, target.Start, target.End), text
}

// focus describes the selection from start to end in whole lines. An end at the very beginning of a
// line does not take that line in.
func focus(path, text string, start, end int) prompt.Focus {
	f := prompt.Focus{Path: path}
	start, end = min(max(start, 0), len(text)), min(max(end, 0), len(text))
	if start >= end {
		return f
	}
	from := strings.LastIndexByte(text[:start], '\n') + 1
	last := end
	if text[end-1] == '\n' {
		last = end - 1
	}
	to := len(text)
	if i := strings.IndexByte(text[last:], '\n'); i >= 0 {
		to = last + i + 1
	}
	if from == 0 && to == len(text) {
		return f // all of it
	}
	f.First = 1 + strings.Count(text[:from], "\n")
	f.Last = f.First + strings.Count(strings.TrimSuffix(text[from:to], "\n"), "\n")
	f.Text = text[from:to]
	selected := text[start:end]
	if f.First == f.Last && strings.TrimSpace(selected) != strings.TrimSpace(f.Text) {
		f.Partial = selected
	}
	return f
}

// goOn takes over what a followed-up turn worked on: its files, and its proposal while that waits.
func (t *turn) goOn() {
	t.asked = t.r.Instruction
	for _, d := range t.r.Diagnostics {
		t.asked += "\n\n" + d.Message
	}
	if t.before == nil {
		return
	}
	t.asked = t.before.asked + "\n\n" + t.asked
	b := t.before.result
	t.r.Files = append(slices.Clone(t.r.Files), t.before.chat...)
	t.r.ReadOnly = append(slices.Clone(t.r.ReadOnly), t.before.readOnly...)
	if t.r.Target == nil && t.before.r.Target != nil {
		t.r.Target = &Target{Path: t.before.r.Target.Path}
	}
	if b.Proposal == nil || !t.coder.Edits {
		return
	}
	p, ok := t.s.proposals.Get(b.Proposal.ID)
	if !ok || !p.Pending() {
		return
	}
	changes, stale := rebase(p.Files, t.base)
	for _, path := range stale {
		t.tell(event.LevelWarning, path+" was changed where the pending edit changes it too; the model starts from what is there now.")
	}
	if len(changes) == 0 {
		return
	}
	t.now, t.amends = t.base.With(changes), p.ID
	t.r.Files = slices.DeleteFunc(t.r.Files, func(path string) bool { return !t.now.Exists(path) && !t.base.Exists(path) })
	for _, c := range changes {
		switch c.Op {
		case edits.OpDelete:
		case edits.OpRename:
			t.chat = append(t.chat, c.To)
		case edits.OpCreate, edits.OpUpdate:
			t.chat = append(t.chat, c.Path)
		}
	}
}
