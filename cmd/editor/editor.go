// Package editor is the smallest honest LSP client: buffers with versions, workspace/applyEdit,
// progress. The demo and the benchmarks drive the real server with it.
//
// It shares no code with the server, on purpose, so that they show what any editor would see; it
// is no test double (lsp/lsptest is, with the quirks of real clients). It counts positions in
// utf-8, so a column is a byte. Only programs in cmd use it. Start at Editor.
package editor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Hooks are what the owner of an Editor wants to see; each may be nil. They run on the goroutine
// that reads, under the editor's lock: they must be quick and must not call the Editor.
type Hooks struct {
	Dialog   func(message string, choices []string) string // the choice to answer with; "" is none
	Show     func(file string)                             // window/showDocument of a file
	Message  func(level int, text string)                  // window/showMessage; level 1 is an error
	Progress func(kind, title, message string)             // begin, report, end
	Prose    func(delta string)                            // the model's answer as it streams
	Reason   func(delta string)                            // the model's reasoning as it streams
	State    func(state, message string)                   // coauthor/turn
}

// Editor holds the open buffers of one session with one server.
type Editor struct {
	conn    *Conn
	hooks   Hooks
	drive   string        // see Elsewhere
	process any           // the number of this process, nil where the server cannot look it up
	news    chan struct{} // one token when something changed since the last look; more are dropped

	mu      sync.Mutex
	buffers map[string]*buffer // by absolute name

	// What the conditions of WaitFor may look at; guarded by mu.
	Applied  int      // edits of the server that were applied
	Progress int      // progress items that were begun and have not ended
	Changed  []string // names of the buffers that differ from what was opened, sorted
}

type buffer struct {
	uri, text, before string
	version           int
}

// New makes an editor that talks to a server over its standard input and output. The goroutine
// that it starts ends when the server hangs up.
func New(in io.Writer, out io.Reader, hooks Hooks) *Editor {
	e := &Editor{hooks: hooks, process: os.Getpid(), news: make(chan struct{}, 1), buffers: map[string]*buffer{}}
	e.conn = NewConn(in, e.handle)
	go e.conn.Read(out)
	return e
}

// Initialize opens the session on a root, with settings of the client.
func (e *Editor) Initialize(ctx context.Context, root, name string, settings map[string]any) error {
	err := e.conn.Call(ctx, "initialize", map[string]any{
		"processId":             e.process,
		"clientInfo":            map[string]any{"name": name},
		"rootUri":               e.URI(root),
		"workspaceFolders":      []any{map[string]any{"uri": e.URI(root), "name": filepath.Base(root)}},
		"initializationOptions": map[string]any{"settings": settings},
		"capabilities": map[string]any{
			"general": map[string]any{"positionEncodings": []string{"utf-8"}},
			"textDocument": map[string]any{"codeAction": map[string]any{
				"codeActionLiteralSupport": map[string]any{"codeActionKind": map[string]any{"valueSet": []string{"", "quickfix", "refactor"}}}}},
			"workspace": map[string]any{
				"applyEdit":        true,
				"workspaceFolders": true,
				"workspaceEdit":    map[string]any{"documentChanges": true},
			},
			"window": map[string]any{
				"workDoneProgress": true,
				"showMessage":      map[string]any{},
				"showDocument":     map[string]any{"support": true},
			},
			"experimental": map[string]any{"coauthor": map[string]any{"stream": true, "turn": true, "progress": true}},
		},
	}, nil)
	if err != nil {
		return err
	}
	return e.conn.Notify("initialized", map[string]any{})
}

// Open opens a buffer with a text.
func (e *Editor) Open(abs, language, text string) error {
	b := &buffer{uri: e.URI(abs), text: text, before: text, version: 1}
	e.mu.Lock()
	e.buffers[abs] = b
	e.mu.Unlock()
	return e.conn.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": b.uri, "languageId": language, "version": b.version, "text": text}})
}

// Command runs one of the server's commands with one object as its argument.
func (e *Editor) Command(ctx context.Context, name string, argument map[string]any) (map[string]any, error) {
	var result map[string]any
	err := e.conn.Call(ctx, "workspace/executeCommand", map[string]any{"command": name, "arguments": []any{argument}}, &result)
	return result, err
}

// CodeActions asks for the code actions on the first lines of a buffer and gives their titles.
func (e *Editor) CodeActions(ctx context.Context, abs string, lines int) ([]string, error) {
	var actions []struct{ Title string }
	err := e.conn.Call(ctx, "textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.URI(abs)},
		"range":        map[string]any{"start": map[string]any{"line": 0, "character": 0}, "end": map[string]any{"line": lines, "character": 0}},
		"context":      map[string]any{"diagnostics": []any{}, "triggerKind": 1},
	}, &actions)
	var titles []string
	for _, a := range actions {
		titles = append(titles, a.Title)
	}
	return titles, err
}

// Sync returns when the server has taken in everything that it was told before.
func (e *Editor) Sync(ctx context.Context) error {
	err := e.conn.Call(ctx, "coauthor/nothing", nil, nil) // refused behind all that came before it
	if err != nil && !strings.Contains(err.Error(), "-32601") {
		return err
	}
	return nil
}

// Shutdown ends the session as the protocol wants it: shutdown, then exit.
func (e *Editor) Shutdown(ctx context.Context) error {
	if err := e.conn.Call(ctx, "shutdown", nil, nil); err != nil {
		return err
	}
	return e.conn.Notify("exit", nil)
}

// WaitFor waits until ok holds. ok runs under the editor's lock, after each message of the server.
func (e *Editor) WaitFor(ctx context.Context, what string, ok func() bool) error {
	for {
		e.mu.Lock()
		held := ok()
		e.mu.Unlock()
		if held {
			return nil
		}
		select {
		case <-e.news:
		case <-e.conn.done:
			return fmt.Errorf("waiting for %s: %w", what, ErrHungUp)
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w", what, ctx.Err())
		}
	}
}

// Text is what a buffer holds now; "" when there is none of that name.
func (e *Editor) Text(abs string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if b := e.buffers[abs]; b != nil {
		return b.text
	}
	return ""
}

// handle is called for each request and notification of the server, one after the other.
func (e *Editor) handle(method string, params json.RawMessage) any {
	defer func() {
		select {
		case e.news <- struct{}{}:
		default:
		}
	}()
	e.mu.Lock()
	defer e.mu.Unlock()
	switch method {
	case "workspace/applyEdit":
		return e.apply(params)
	case "window/showMessageRequest":
		return e.dialog(params)
	case "window/showDocument":
		return e.show(params)
	case "window/showMessage", "$/progress", "coauthor/stream", "coauthor/turn":
		e.told(method, params)
	case "window/workDoneProgress/create", "client/registerCapability", "client/unregisterCapability":
		return nil
	case "workspace/configuration":
		return []any{nil}
	case "window/logMessage", "telemetry/event", "coauthor/pending":
	default:
		return UnknownMethod
	}
	return nil
}

func (e *Editor) dialog(params json.RawMessage) any {
	var p struct {
		Message string
		Actions []map[string]string
	}
	if json.Unmarshal(params, &p) != nil || e.hooks.Dialog == nil {
		return nil
	}
	var titles []string
	for _, a := range p.Actions {
		titles = append(titles, a["title"])
	}
	if i := slices.Index(titles, e.hooks.Dialog(p.Message, titles)); i >= 0 {
		return p.Actions[i]
	}
	return nil
}

func (e *Editor) show(params json.RawMessage) any {
	var p struct{ URI string }
	if json.Unmarshal(params, &p) != nil {
		return map[string]any{"success": false}
	}
	name, err := nameOf(p.URI, e.drive)
	if err != nil {
		return map[string]any{"success": false}
	}
	if e.hooks.Show != nil {
		e.hooks.Show(name)
	}
	return map[string]any{"success": true}
}

// told passes a notification on to the hook that wants it.
func (e *Editor) told(method string, params json.RawMessage) {
	var p struct {
		Type           int
		Message, State string
		Delta, Channel string
		Value          struct{ Kind, Title, Message string }
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	h := e.hooks
	switch {
	case method == "window/showMessage" && h.Message != nil:
		h.Message(p.Type, p.Message)
	case method == "coauthor/turn" && h.State != nil:
		h.State(p.State, p.Message)
	case method == "coauthor/stream" && p.Channel == "answer" && h.Prose != nil:
		h.Prose(p.Delta)
	case method == "coauthor/stream" && p.Channel == "reasoning" && h.Reason != nil:
		h.Reason(p.Delta)
	case method == "$/progress":
		switch p.Value.Kind {
		case "begin":
			e.Progress++
		case "end":
			e.Progress--
		}
		if h.Progress != nil {
			h.Progress(p.Value.Kind, p.Value.Title, strings.TrimSpace(p.Value.Message))
		}
	}
}

// look brings Changed up to date; mu must be held.
func (e *Editor) look() {
	e.Changed = e.Changed[:0]
	for name, b := range e.buffers {
		if b.text != b.before {
			e.Changed = append(e.Changed, name)
		}
	}
	slices.Sort(e.Changed)
}

// ReplaceLine puts another text in the place of one line of an open buffer, without its line end,
// by an incremental change. It is for measuring: the server is told, while the Editor's own copy of
// the text stays behind, so that splicing a large text here is not counted as the server's time.
func (e *Editor) ReplaceLine(abs string, line int, text string) error {
	e.mu.Lock()
	b := e.buffers[abs]
	if b == nil {
		e.mu.Unlock()
		return fmt.Errorf("%s is not open", abs)
	}
	span := map[string]any{
		"start": map[string]any{"line": line, "character": 0},
		"end":   map[string]any{"line": line + 1, "character": 0}}
	b.version++
	version := b.version
	e.mu.Unlock()
	return e.conn.Notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": b.uri, "version": version},
		"contentChanges": []any{map[string]any{"range": span, "text": text + "\n"}}})
}
