package lsptest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Initialize does the handshake and fails the test when the server refuses. Between the initialize response and
// initialized it waits for one more answer, so that a server that speaks too early is caught.
func (e *Editor) Initialize() {
	e.t.Helper()
	e.mu.Lock()
	e.check.phase = phaseAsked
	c, _ := e.start("initialize", e.initializeParams())
	e.mu.Unlock()
	if _, err := e.await(c); err != nil {
		e.t.Fatalf("[%s] initialize: %v", e.profile.Name, err)
	}
	e.mu.Lock()
	// Of the commands it is the one that waits for nothing and changes nothing.
	barrier, _ := e.start("workspace/executeCommand", map[string]any{"command": "coauthor.cancel"})
	e.mu.Unlock()
	_, _ = e.await(barrier) // an answer or -32002, both are right
	e.mu.Lock()
	defer e.mu.Unlock()
	e.check.phase = phaseReady
	e.notify("initialized", map[string]any{})
}

func (e *Editor) initializeParams() map[string]any {
	params := map[string]any{
		"processId":    os.Getpid(),
		"capabilities": e.caps,
		"trace":        "off",
	}
	if e.profile.ClientInfo != nil {
		params["clientInfo"] = e.profile.ClientInfo
	}
	init := map[string]any{}
	for k, v := range e.options.Init {
		init[k] = v
	}
	if e.options.Settings != nil {
		init["settings"] = e.options.Settings
	}
	if len(init) > 0 {
		params["initializationOptions"] = init
	}
	params["rootUri"], params["rootPath"], params["workspaceFolders"] = nil, nil, nil
	if len(e.options.Folders) > 0 {
		params["rootUri"] = uriOf(e.options.Folders[0])
		params["rootPath"] = e.options.Folders[0]
		if truth(e.caps, "workspace", "workspaceFolders") {
			params["workspaceFolders"] = e.folders()
		} else {
			delete(params, "workspaceFolders")
		}
	}
	return params
}

// Command runs a command of the server, as the user would from a menu or by typing it.
func (e *Editor) Command(name string, arguments ...any) (any, *ResponseError) {
	e.t.Helper()
	params := map[string]any{"command": name}
	if len(arguments) > 0 {
		params["arguments"] = arguments
	}
	e.mu.Lock()
	if asksFor(strings.TrimPrefix(name, "coauthor."), arguments) {
		e.keys.askedFor()
	}
	switch strings.TrimPrefix(name, "coauthor.") {
	case "edit", "ask", "runPrompt", "followUp":
		e.check.review.asked()
	case "apply", "undoTurn", "redoTurn", "answer":
		e.check.review.consent()
	case "resolve":
		e.check.review.consent()
		if len(arguments) > 0 && at(arguments[0], "take") == "markers" { // the user knows what those are
			e.check.review.show("<<<<<<< yours\n||||||| before\n=======\n>>>>>>> the model's\n")
		}
	}
	e.mu.Unlock()
	return e.Request("workspace/executeCommand", params)
}

// Action is a code action or command that the user was offered.
type Action struct {
	Title    string
	Kind     string
	Disabled string
	Command  string
	raw      any
}

// CodeActions asks for the actions at the selection of the buffer in front, as a menu does.
func (e *Editor) CodeActions(only ...string) []Action {
	e.t.Helper()
	context := map[string]any{"diagnostics": []any{}, "triggerKind": 1}
	if len(only) > 0 {
		context["only"] = only
	}
	return e.codeActions(context)
}

// AutomaticActions asks as a light bulb does, after the cursor has moved.
func (e *Editor) AutomaticActions() []Action {
	e.t.Helper()
	return e.codeActions(map[string]any{"diagnostics": []any{}, "triggerKind": 2})
}

func (e *Editor) codeActions(context map[string]any) []Action {
	e.t.Helper()
	e.mu.Lock()
	uri := uriOf(e.focus)
	if b := e.buffer(e.focus); b != nil {
		uri = b.uri
		if e.profile.Quirks.TellsWithActions {
			e.tell(b)
		}
	}
	context["diagnostics"] = e.problemsHere(uri)
	params := map[string]any{"textDocument": map[string]any{"uri": uri}, "range": e.sel, "context": context}
	e.mu.Unlock()
	result, err := e.Request("textDocument/codeAction", params)
	if err != nil {
		e.t.Fatalf("[%s] code actions: %v", e.profile.Name, err)
	}
	list, _ := result.([]any)
	out := make([]Action, 0, len(list))
	for _, raw := range list {
		a := Action{raw: raw}
		a.Title, _ = at(raw, "title").(string)
		a.Kind, _ = at(raw, "kind").(string)
		a.Disabled, _ = at(raw, "disabled", "reason").(string)
		if bare, ok := at(raw, "command").(string); ok { // a command in place of a literal
			a.Command = bare
		} else {
			a.Command, _ = at(raw, "command", "command").(string)
		}
		out = append(out, a)
	}
	return out
}

// Pick runs the first action whose title holds the text. It asks again until there is one, since an action comes when
// the server has made sure of what happened; the test fails when there never is.
func (e *Editor) Pick(title string) (any, *ResponseError) {
	e.t.Helper()
	var titles []string
	for end := time.Now().Add(e.options.HungAfter); time.Now().Before(end); e.Pause() {
		titles = nil
		for _, a := range e.CodeActions() {
			titles = append(titles, a.Title)
			if a.Disabled != "" || !strings.Contains(a.Title, title) {
				continue
			}
			holder := a.raw
			if _, literal := at(a.raw, "command").(map[string]any); literal {
				holder = at(a.raw, "command")
			}
			arguments, _ := at(holder, "arguments").([]any)
			return e.Command(a.Command, arguments...)
		}
	}
	e.t.Fatalf("[%s] hung: waited for the action %q; there are:\n%s", e.profile.Name, title, strings.Join(titles, "\n"))
	return nil, nil
}

// Answer answers the oldest open dialog with one of its actions; "" dismisses it.
func (e *Editor) Answer(title string) {
	e.t.Helper()
	e.Wait("a dialog", func(*Log) bool { return len(e.dialogs) > 0 })
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.dialogs[0]
	e.dialogs = e.dialogs[1:]
	d.Answered = true
	e.keys.askedFor()
	if title == "" {
		e.answer(d.id, nil)
		return
	}
	for i, a := range d.Actions {
		if strings.HasPrefix(a, title) {
			if i > 0 && e.profile.Quirks.FirstChoiceOnly {
				e.answer(d.id, nil)
				return
			}
			if consents(a) {
				e.check.review.consent()
			}
			e.answer(d.id, map[string]any{"title": a})
			return
		}
	}
	e.t.Fatalf("[%s] the dialog %q has no action %q, only %v", e.profile.Name, d.Text, title, d.Actions)
}

// Asked gives the actions of the oldest open dialog; nil when none is open.
func (e *Editor) Asked() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.dialogs) == 0 {
		return nil
	}
	return e.dialogs[0].Actions
}

// Input answers the oldest open input box; nil is what a user does who presses Escape.
func (e *Editor) Input(value *string) {
	e.t.Helper()
	e.Wait("an input box", func(*Log) bool { return len(e.inputs) > 0 })
	e.mu.Lock()
	defer e.mu.Unlock()
	id := e.inputs[0]
	e.inputs = e.inputs[1:]
	if value == nil {
		e.answer(id, nil)
		return
	}
	e.answer(id, map[string]any{"value": *value})
}

// CancelProgress presses the stop button of a running progress, which few clients have.
func (e *Editor) CancelProgress() {
	e.t.Helper()
	e.Wait("a running progress", func(l *Log) bool { return slices.ContainsFunc(l.Progress, (*Progress).runs) })
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, p := range e.log.Progress {
		if p.runs() {
			e.notify("window/workDoneProgress/cancel", map[string]any{"token": unquoted(p.Token)})
			return
		}
	}
}

// LookUp opens documents below .coauthor that a message named, as a user does whose client cannot be told to.
func (e *Editor) LookUp() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, root := range e.roots {
		found, err := filepath.Glob(filepath.Join(root, ".coauthor", "*"))
		if err != nil {
			continue
		}
		for _, abs := range found {
			if !e.check.review.named(".coauthor/"+filepath.Base(abs)) && !e.check.review.named(filepath.Base(abs)) {
				continue
			}
			if content, exists := e.read(abs); exists && e.buffer(abs) == nil {
				e.openBuffer(abs, uriOf(abs), content, 0, false)
				e.check.review.show(content)
			}
		}
	}
}

// Shutdown ends the session in order and checks that nothing is left hanging.
func (e *Editor) Shutdown() {
	e.t.Helper()
	if result, err := e.Request("shutdown", nil); err != nil || result != nil {
		e.t.Errorf("[%s] shutdown was answered with %v, %v", e.profile.Name, result, err)
	}
	e.mu.Lock()
	e.check.phase = phaseShutdown
	e.check.closing()
	e.notify("exit", nil)
	e.mu.Unlock()
}

// HangUp drops the connection as a crashed editor does. It may be called twice.
func (e *Editor) HangUp() {
	e.mu.Lock()
	e.hungUp = true
	e.mu.Unlock()
	e.out.end()
	_ = e.conn.Close() // nothing is left to lose
	<-e.readerDone
	<-e.out.done
	e.timers.Wait()
}
