package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/wire"
)

// bufferHarness is a harness whose client has buffers: it applies edits to them and tells of that. Switches make
// it behave as real ones do.
type bufferHarness struct {
	*harness
	root  *rootState
	clock *manualClock

	reading sync.Mutex // held while something is told, or a handler of the goroutine that reads is called

	mu      sync.Mutex
	buffers map[string]*buffer // by path
	applied []wireEdit
	told    []string // messages
	shown   []string // documents
	asked   [][]string

	// apply is called instead of the usual way; its result is what the client answers.
	apply func(d *bufferHarness, e wireEdit) (any, error)
	// pick answers dialogs; nil knows none.
	pick func(text string, choices []string) string
	// noFiles refuses a text edit of a file that does not exist.
	noFiles bool
	// slowShow never answers when it is asked to show a document; guarded by mu.
	slowShow bool
	// note is told of notifications; nil for nobody.
	note func(method string, params json.RawMessage)
	// anyVersion applies an edit whatever version it names.
	anyVersion bool
}

// manualClock moves only when somebody sleeps by it.
type manualClock struct {
	mu     sync.Mutex
	now    time.Time       // guarded by mu
	slept  []time.Duration // guarded by mu
	during func()          // what happens when the next sleep ends; guarded by mu
}

func (c *manualClock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *manualClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *manualClock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	during := c.during
	c.during = nil
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	c.mu.Unlock()
	if during != nil {
		during()
	}
	return ctx.Err()
}

type buffer struct {
	text    string
	version int32
}

// wireEdit is an applyEdit as it stands on the wire.
type wireEdit struct {
	Label string `json:"label"`
	Edit  struct {
		Changes map[string][]wireTextEdit `json:"changes"`
		Doc     []struct {
			Kind   string `json:"kind"`
			URI    string `json:"uri"`
			OldURI string `json:"oldUri"`
			NewURI string `json:"newUri"`
			Opts   *struct {
				Overwrite      *bool `json:"overwrite"`
				IgnoreIfExists *bool `json:"ignoreIfExists"`
			} `json:"options"`
			Text struct {
				URI     string `json:"uri"`
				Version *int32 `json:"version"`
			} `json:"textDocument"`
			Edits      []wireTextEdit `json:"edits"`
			Annotation string         `json:"annotationId"`
		} `json:"documentChanges"`
		Annotations map[string]struct {
			Needs bool `json:"needsConfirmation"`
		} `json:"changeAnnotations"`
	} `json:"edit"`
}

type wireTextEdit struct {
	Range      document.Range `json:"range"`
	NewText    string         `json:"newText"`
	Annotation string         `json:"annotationId"`
}

// newBufferHarness opens files in an editor with the capabilities that the change makes of the usual ones.
func newBufferHarness(t *testing.T, files map[string]string, change func(*client.Capabilities, *client.Quirks)) *bufferHarness {
	t.Helper()
	return newBufferHarnessUnder(t, workspace.Policy{}, files, change)
}

// newBufferHarnessUnder is newBufferHarness for a folder in which a policy is in force.
func newBufferHarnessUnder(t *testing.T, policy workspace.Policy, files map[string]string, change func(*client.Capabilities, *client.Quirks)) *bufferHarness {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		abs := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(abs, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	clock := &manualClock{now: time.Unix(1_800_000_000, 0)}
	h := newHarness(t, Options{
		Clock: clock.read, Sleep: clock.sleep,
		Engine: func(h Hooks) *agent.Engine {
			return agent.NewEngine(agent.Options{Settings: h.Settings, Sink: h.Sink})
		},
		Settings: func(string, settings.Editor) (settings.Settings, []settings.Warning) {
			return settings.Defaults(), nil
		},
		Workspace: func(root string, _ func() settings.Settings) (*workspace.Workspace, error) {
			return workspace.Open(root, workspace.Options{Policy: func() workspace.Policy { return policy }})
		},
		Log: logOf(t, slog.LevelDebug),
	})
	s := h.s
	d := &bufferHarness{harness: h, clock: clock, buffers: map[string]*buffer{}}
	d.Serve, d.Noted = d.serve, d.noted
	d.sync() // until it is connected
	s.client.Open()
	s.router.Enter(wire.Running)
	s.caps = client.Capabilities{ApplyEdit: true, DocumentChanges: true, CreateFile: true, RenameFile: true, DeleteFile: true,
		FailureHandling: "abort", ShowDocument: true, CodeActions: true}
	s.quirks = client.Quirks{NewFileByEdit: true, MakeParents: true}
	if change != nil {
		change(&s.caps, &s.quirks)
	}
	s.landings.Scale = 0.1
	s.roots.setFolders([]string{dir}, nil)
	d.root = s.roots.at(dir)
	t.Cleanup(func() {
		_ = d.Conn.Close()
		err := lsptest.Receive(t, "the end of the server", d.served)
		d.served <- err // for the harness, which waits too
		_ = d.root.ws.Close()
		d.forgotten()
	})
	return d
}

// sync returns when the server has handled all that it was told, and all that it said before has come.
func (d *bufferHarness) sync() { _, _ = d.Ask("coauthor/sync", nil) } // any answer will do, also that it is over

// said returns the messages that the user was shown so far.
func (d *bufferHarness) said() []string {
	d.sync()
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.told)
}

// forgotten wants nothing to be left of the edits that were sent: nobody waits for documents or keys of theirs.
func (d *bufferHarness) forgotten() {
	d.s.keys.mu.Lock()
	defer d.s.keys.mu.Unlock()
	if keys := d.s.keys.expected; len(keys) > 0 || !d.s.landings.Idle() || !d.s.echoes.Idle() {
		d.t.Errorf("nobody waits for documents: %v; nothing is to be told as opened: %v; expected is %q", d.s.landings.Idle(), d.s.echoes.Idle(), keys)
	}
}

// documents are those that were shown so far.
func (d *bufferHarness) documents() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.shown)
}

// dialogs returns the choices of the dialogs that were shown so far.
func (d *bufferHarness) dialogs() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []string
	for _, choices := range d.asked {
		list = append(list, strings.Join(choices, " "))
	}
	return list
}

func (d *bufferHarness) uri(path string) string {
	return document.URIOfPath(filepath.Join(d.root.dir, path))
}

func (d *bufferHarness) path(uri string) string {
	abs, ok := document.PathOfURI(uri)
	rel, err := filepath.Rel(d.root.dir, abs)
	if !ok || err != nil {
		d.t.Errorf("URI %q is no file below the root", uri)
	}
	return filepath.ToSlash(rel)
}

// open opens a file from disk.
func (d *bufferHarness) open(path string) {
	raw, err := os.ReadFile(filepath.Join(d.root.dir, path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	d.mu.Lock()
	d.buffers[path] = &buffer{text: string(raw), version: 1}
	d.mu.Unlock()
	d.tellOpen(path)
}

func (d *bufferHarness) tellOpen(path string) {
	d.mu.Lock()
	b := *d.buffers[path]
	d.mu.Unlock()
	d.notify(protocol.MethodTextDocumentDidOpen, map[string]any{"textDocument": map[string]any{
		"uri": d.uri(path), "languageId": "text", "version": b.version, "text": b.text,
	}})
}

// notify tells the server something and returns when it knows.
func (d *bufferHarness) notify(method string, params any) {
	raw, err := json.Marshal(params)
	if err != nil {
		d.t.Error(err)
	}
	d.reading.Lock()
	defer d.reading.Unlock()
	d.Send(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, raw)
	d.sync()
}

// set changes a buffer without a word to the server; tell reports it.
func (d *bufferHarness) set(path, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.buffers[path].text = text
	d.buffers[path].version++
}

func (d *bufferHarness) tell(path string) {
	d.mu.Lock()
	b := *d.buffers[path]
	d.mu.Unlock()
	d.notify(protocol.MethodTextDocumentDidChange, map[string]any{
		"textDocument": map[string]any{"uri": d.uri(path), "version": b.version}, "contentChanges": []any{map[string]any{"text": b.text}},
	})
}

func (d *bufferHarness) typed(path, text string) { d.set(path, text); d.tell(path) }

func (d *bufferHarness) close(path string) {
	d.mu.Lock()
	delete(d.buffers, path)
	d.mu.Unlock()
	d.notify(protocol.MethodTextDocumentDidClose, map[string]any{"textDocument": map[string]any{"uri": d.uri(path)}})
}

func (d *bufferHarness) text(path string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b := d.buffers[path]; b != nil {
		return b.text
	}
	raw, err := os.ReadFile(filepath.Join(d.root.dir, path))
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return string(raw)
}

// noted takes the server's notifications.
func (d *bufferHarness) noted(method string, params json.RawMessage) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.note != nil {
		d.note(method, params)
	}
	if method == protocol.MethodWindowShowMessage {
		var p struct{ Message string }
		_ = json.Unmarshal(params, &p) // a message that is none is an empty one
		d.told = append(d.told, p.Message)
	}
}

// noAnswer is what apply and pick return for a request that is never answered.
const noAnswer = "hang"

// serve answers the server's requests.
func (d *bufferHarness) serve(method string, params json.RawMessage) (answer any, err error) {
	take := func(into any) {
		if err := json.Unmarshal(params, into); err != nil {
			d.t.Error(err)
		}
	}
	switch method {
	case protocol.MethodWorkspaceApplyEdit:
		var e wireEdit
		take(&e)
		d.check(e)
		d.mu.Lock()
		d.applied = append(d.applied, e)
		apply := d.apply
		d.mu.Unlock()
		if apply == nil {
			apply = (*bufferHarness).do
		}
		answer, err = apply(d, e)
	case protocol.MethodWindowShowMessageRequest:
		var p struct {
			Message string
			Actions []struct{ Title string }
		}
		take(&p)
		var titles []string
		for _, a := range p.Actions {
			titles = append(titles, a.Title)
		}
		d.mu.Lock()
		d.asked = append(d.asked, titles)
		pick := d.pick
		d.mu.Unlock()
		if pick == nil {
			return nil, notOffered(method)
		}
		switch title := pick(p.Message, titles); title {
		case noAnswer:
			answer = noAnswer
		case "":
		default:
			answer = map[string]string{"title": title}
		}
	case protocol.MethodWindowShowDocument:
		var p struct{ URI string }
		take(&p)
		d.mu.Lock()
		d.shown = append(d.shown, p.URI)
		slow := d.slowShow
		d.mu.Unlock()
		answer = map[string]bool{"success": true}
		if slow {
			answer = noAnswer
		}
	default:
		return nil, notOffered(method)
	}
	if answer == noAnswer {
		return nil, lsptest.ErrSilent
	}
	return answer, err
}

// notOffered is how a client refuses what it does not know.
func notOffered(method string) error {
	return &lsptest.ResponseError{Code: -32601, Message: "unknown: " + method}
}

// check is what every edit must keep to, whichever client it is for.
func (d *bufferHarness) check(e wireEdit) {
	d.t.Helper()
	caps := &d.s.caps
	if !caps.DocumentChanges && e.Edit.Doc != nil || caps.DocumentChanges && e.Edit.Changes != nil {
		d.t.Errorf("the wrong form of edit: %+v", e)
	}
	inOrder := func(list []wireTextEdit) {
		for i, one := range list {
			if one.NewText == "" && one.Range.Start == one.Range.End && one.Annotation == "" {
				d.t.Errorf("an edit that does nothing: %+v", one)
			}
			if i > 0 && one.Annotation == "" && !before(list[i-1].Range.End, one.Range.Start) {
				d.t.Errorf("edits touch or are out of order: %+v %+v", list[i-1], one)
			}
		}
	}
	for _, list := range e.Edit.Changes {
		inOrder(list)
	}
	for _, c := range e.Edit.Doc {
		inOrder(c.Edits)
		for _, one := range c.Edits {
			if _, known := e.Edit.Annotations[one.Annotation]; one.Annotation != "" && !known {
				d.t.Errorf("annotation %q is not explained", one.Annotation)
			}
		}
		if c.Kind == "create" && (c.Opts == nil || c.Opts.Overwrite == nil || *c.Opts.Overwrite || *c.Opts.IgnoreIfExists) {
			d.t.Errorf("a create that may overwrite: %+v", c)
		}
		if c.Kind == "" {
			d.mu.Lock()
			b := d.buffers[d.path(c.Text.URI)]
			d.mu.Unlock()
			if (b == nil) != (c.Text.Version == nil) {
				d.t.Errorf("%s: version %v for a document that is open: %v", c.Text.URI, c.Text.Version, b != nil)
			}
		}
	}
	if !strings.HasPrefix(e.Label, "Coauthor: ") {
		d.t.Errorf("label %q", e.Label)
	}
}

func before(a, b document.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

type applyResult struct {
	Applied bool   `json:"applied"`
	Reason  string `json:"failureReason,omitempty"`
}

// do applies an edit as Helix does: exact versions, stop at the first failure, tell at once.
func (d *bufferHarness) do(e wireEdit) (any, error) {
	for uri, list := range e.Edit.Changes {
		if reason := d.edit(d.path(uri), nil, list); reason != "" {
			return applyResult{Reason: reason}, nil
		}
	}
	for _, c := range e.Edit.Doc {
		reason := ""
		switch c.Kind {
		case "create":
			abs := filepath.Join(d.root.dir, d.path(c.URI))
			if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
				d.t.Error(err)
			}
			if err := os.WriteFile(abs, nil, 0o600); err != nil {
				d.t.Error(err)
			}
		case "rename":
			from, to := d.path(c.OldURI), d.path(c.NewURI)
			if err := os.Rename(filepath.Join(d.root.dir, from), filepath.Join(d.root.dir, to)); err != nil {
				reason = err.Error()
				break
			}
			d.mu.Lock()
			b := d.buffers[from]
			d.buffers[to] = b
			d.mu.Unlock()
			if b == nil {
				d.mu.Lock()
				delete(d.buffers, to)
				d.mu.Unlock()
				break
			}
			d.close(from)
			d.tellOpen(to)
		case "delete":
			path := d.path(c.URI)
			if err := os.Remove(filepath.Join(d.root.dir, path)); err != nil {
				reason = err.Error()
				break
			}
			d.mu.Lock()
			b := d.buffers[path]
			d.mu.Unlock()
			if b != nil {
				d.close(path)
			}
		default:
			reason = d.edit(d.path(c.Text.URI), c.Text.Version, c.Edits)
		}
		if reason != "" {
			return applyResult{Reason: reason}, nil
		}
	}
	return applyResult{Applied: true}, nil
}

// edit changes one buffer, which it makes when there is none.
func (d *bufferHarness) edit(path string, version *int32, list []wireTextEdit) (reason string) {
	d.mu.Lock()
	b := d.buffers[path]
	made := b == nil
	if made {
		raw, err := os.ReadFile(filepath.Join(d.root.dir, path))
		if err != nil && d.noFiles {
			d.mu.Unlock()
			return "no such file"
		}
		b = &buffer{text: string(raw), version: 0}
		d.buffers[path] = b
	}
	if version != nil && *version != b.version && !d.anyVersion {
		d.mu.Unlock()
		return "document has changed"
	}
	at := document.NewLines(b.text)
	text, end := "", 0
	for _, one := range list {
		from, to := at.Span(one.Range.Protocol(), d.s.encoding)
		text += b.text[end:from] + one.NewText
		end = to
	}
	b.text = text + b.text[end:]
	b.version++
	d.mu.Unlock()
	if made && d.s.quirks.EditsFilesOnDisk {
		if err := os.WriteFile(filepath.Join(d.root.dir, path), []byte(b.text), 0o600); err != nil {
			return err.Error()
		}
		d.tellOpen(path)
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.buffers, path) // which nothing has opened
		return ""
	}
	if made {
		d.tellOpen(path)
	} else {
		d.tell(path)
	}
	return ""
}

func (d *bufferHarness) propose(changes ...edits.Change) *proposal.Proposal {
	d.t.Helper()
	p, err := d.root.session.Proposals().Add("t-1", "make it better", changes, d.root.ws.Snapshot())
	if err != nil {
		d.t.Fatal(err)
	}
	d.root.session.Proposals().MarkShown(p.ID, 1)
	return p
}

func (d *bufferHarness) want(status proposal.Status) func(proposal.Outcome, error) proposal.Outcome {
	return func(out proposal.Outcome, err error) proposal.Outcome {
		d.t.Helper()
		if err != nil || out.Status != status {
			d.t.Fatalf("outcome %+v, error %v, want %s", out, err, status)
		}
		return out
	}
}

func lineText(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func updated(path, before, after string) edits.Change {
	return edits.Change{Path: path, Op: edits.OpUpdate, Before: before, After: after}
}

var encodings = []document.Encoding{document.UTF8, document.UTF16, document.UTF32}
