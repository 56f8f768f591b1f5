package lsptest

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// serve does what the server asks, as this client would. Under the lock; the message passed its schema.
func (e *Editor) serve(m Message) {
	switch m.Method {
	case "window/showMessage":
		n := noteOf(m.Params)
		e.log.Messages = append(e.log.Messages, n)
		e.check.review.show(n.Text)
	case "window/logMessage":
		e.log.Logged = append(e.log.Logged, noteOf(m.Params))
	case "textDocument/publishDiagnostics":
		e.found(m.Params)
	case "$/progress":
		e.check.progressed(m.Params)
	case "window/workDoneProgress/create":
		e.createProgress(m)
	case "window/showMessageRequest":
		e.takesKeyboard("a dialog")
		e.dialog(m)
	case "window/showDocument":
		e.takesKeyboard("a document")
		e.showDocument(m)
	case "workspace/applyEdit":
		e.applyEdit(m)
	case "workspace/configuration":
		e.answer(m.ID, e.configuration(m.Params))
	case "workspace/workspaceFolders":
		e.answer(m.ID, e.folders())
	case "client/registerCapability", "client/unregisterCapability":
		e.answer(m.ID, nil)
	case "workspace/codeLens/refresh", "workspace/inlayHint/refresh", "workspace/textDocumentContent/refresh":
		e.log.Refreshes++
		e.answer(m.ID, nil)
	case "coauthor/inputBox":
		e.takesKeyboard("an input box")
		e.log.Inputs = append(e.log.Inputs, m.Params)
		e.inputs = append(e.inputs, m.ID)
	case "coauthor/lookUp":
		e.answer(m.ID, nil)
	case "coauthor/turn":
		e.log.Turns = append(e.log.Turns, m.Params)
	case "coauthor/question":
		e.log.Questions = append(e.log.Questions, m.Params)
	case "coauthor/stream":
		e.log.Stream = append(e.log.Stream, m.Params)
	case "coauthor/draft":
		e.log.Drafts = append(e.log.Drafts, m.Params)
	case "coauthor/pendingMoved":
		e.log.Moved = append(e.log.Moved, m.Params)
	case "coauthor/review":
		e.log.Reviews = append(e.log.Reviews, m.Params)
	case "coauthor/pending":
		e.log.Pending = append(e.log.Pending, m.Params)
		e.seesAll(m.Params)
	}
}

// seesAll brings every text of a message before the user's eyes, and the files that it names.
func (e *Editor) seesAll(v any) {
	for _, s := range texts(v, nil) {
		e.check.review.show(s)
		if abs, ok := pathOf(s); ok {
			e.check.review.show(e.relative(abs))
		}
	}
}

// createProgress answers a little later, so that a server that begins without waiting is caught.
func (e *Editor) createProgress(m Message) {
	token := e.check.created(m.Params)
	p := e.check.progress[token]
	e.log.Progress = append(e.log.Progress, p)
	e.afterwards(cmp.Or(e.options.AgreesAfter, 2*time.Millisecond), func() {
		p.usable = true
		e.answer(m.ID, nil)
	})
}

// afterwards runs f under the lock after a while, unless the editor has ended.
func (e *Editor) afterwards(wait time.Duration, f func()) {
	e.timers.Add(1)
	time.AfterFunc(wait, func() {
		defer e.timers.Done()
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.hungUp {
			return
		}
		f()
		e.touch()
	})
}

func (e *Editor) dialog(m Message) {
	d := &Dialog{Note: noteOf(m.Params), id: m.ID}
	actions, _ := at(m.Params, "actions").([]any)
	for _, a := range actions {
		title, _ := at(a, "title").(string)
		d.Actions = append(d.Actions, title)
	}
	e.log.Dialogs = append(e.log.Dialogs, d)
	if e.profile.Quirks.DialogBlocks && slices.Contains(d.Actions, "Apply") && slices.Contains(d.Actions, "Discard") {
		e.violation("a dialog asks about a diff that cannot be scrolled under it: %s", d.Text)
	}
	switch {
	case e.profile.Quirks.MethodNotFoundSMR:
		d.Answered = true // nobody saw it
		e.refuse(m.ID, -32601, "Method not found: window/showMessageRequest")
		return
	case e.profile.Quirks.NeverAnswersSMR:
		d.Answered = true
	default:
		e.dialogs = append(e.dialogs, d)
	}
	e.check.review.show(d.Text)
}

func (e *Editor) showDocument(m Message) {
	u, _ := at(m.Params, "uri").(string)
	shown := Shown{URI: u}
	abs, file := pathOf(u)
	switch {
	case truth(m.Params, "external"):
		shown.Success = true
	case !file && e.profile.Quirks.VirtualDocument == "ask":
		e.showVirtual(m.ID, shown)
		return
	case !file:
		shown.Success = e.profile.Quirks.VirtualDocument == "empty"
	default:
		b := e.buffer(abs)
		if b == nil {
			content, _ := e.read(abs)
			b = e.openBuffer(abs, u, content, 0, rootOf(abs, e.roots) == "")
		}
		shown.Success, shown.Text = true, b.text
		if truth(m.Params, "takeFocus") {
			e.focus = b.abs
		}
		e.check.review.show(b.text)
		e.check.review.show(e.relative(abs))
	}
	e.log.Documents = append(e.log.Documents, shown)
	e.answer(m.ID, map[string]any{"success": shown.Success})
}

// showVirtual asks the server for the text of a document that is no file, shows it and only then answers.
func (e *Editor) showVirtual(id json.RawMessage, shown Shown) {
	c, _ := e.start("workspace/textDocumentContent", map[string]any{"uri": shown.URI})
	e.timers.Add(1)
	go func() {
		defer e.timers.Done()
		<-c.done
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.hungUp {
			return
		}
		shown.Text, _ = at(c.result, "text").(string)
		shown.Success = c.err == nil
		e.check.review.show(shown.Text)
		e.log.Documents = append(e.log.Documents, shown)
		e.answer(id, map[string]any{"success": shown.Success})
		e.touch()
	}()
}

func (e *Editor) configuration(params any) []any {
	items, _ := at(params, "items").([]any)
	out := make([]any, 0, len(items))
	for _, item := range items {
		if at(item, "section") == "coauthor" && e.options.Settings != nil {
			out = append(out, e.options.Settings)
		} else {
			out = append(out, nil)
		}
	}
	return out
}

func (e *Editor) folders() []any {
	if len(e.options.Folders) == 0 {
		return nil
	}
	out := []any{}
	for _, f := range e.options.Folders {
		out = append(out, map[string]any{"uri": uriOf(f), "name": filepath.Base(f)})
	}
	return out
}

func noteOf(params any) Note {
	var n Note
	n.Text, _ = at(params, "message").(string)
	if t, ok := at(params, "type").(json.Number); ok {
		i, _ := t.Int64() // the schema made it an integer
		n.Type = int(i)
	}
	return n
}

// consents says whether choosing an action of a dialog is a yes to a change.
func consents(title string) bool {
	for _, yes := range []string{"Apply", "Accept", "Undo", "Redo", "Yes", "Allow", "Create", "Overwrite"} {
		if strings.HasPrefix(title, yes) {
			return true
		}
	}
	return false
}
