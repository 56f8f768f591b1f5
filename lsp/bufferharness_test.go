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
	"coauthor/agent/model"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/clienttest"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/wire"
)

// bufferHarness is a harness whose client has documents: what becomes of each edit, the test says, or the client
// carries it out and tells of it at once.
type bufferHarness struct {
	*harness
	client *lsptest.Workspace
	root   *folder.Folder
	clock  *manualClock

	reading sync.Mutex // held while something is told, or a handler of the goroutine that reads is called

	mu      sync.Mutex
	untold  []lsptest.Notice // what the client is about to tell
	applied []lsptest.ApplyEdit
	told    []string // messages
	shown   []string // documents
	asked   [][]string

	// apply is called instead of the usual way; its result is what the client answers.
	apply func(d *bufferHarness, e lsptest.ApplyEdit) (any, error)
	// pick answers dialogs; nil knows none.
	pick func(text string, choices []string) string
	// slowShow never answers when it is asked to show a document; guarded by mu.
	slowShow bool
	// note is told of notifications; nil for nobody.
	note func(method string, params json.RawMessage)
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
			return agent.NewEngine(agent.Options{Settings: h.Settings, Sink: h.Sink, Catalog: sync.OnceValue(func() *model.Catalog {
				c, err := model.Load(nil)
				if err != nil {
					t.Error(err)
				}
				return c
			})})
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
	d := &bufferHarness{harness: h, clock: clock}
	d.Serve, d.Noted = d.serve, d.noted
	d.sync() // until it is connected
	s.client.Open()
	s.router.Enter(wire.Running)
	*s.client.Caps = client.Capabilities{ApplyEdit: true, DocumentChanges: true, CreateFile: true, RenameFile: true, DeleteFile: true,
		FailureHandling: "abort", ShowDocument: true, CodeActions: true}
	*s.client.Quirks = client.Quirks{NewFileByEdit: true, MakeParents: true}
	if change != nil {
		change(s.client.Caps, s.client.Quirks)
	}
	s.landings.Scale = 0.1
	s.config.once.Do(func() { close(s.config.asked) }) // nobody will tell settings: commands need not wait for them
	s.folders.Change([]string{dir}, nil)
	d.root = s.folders.At(dir)
	d.client = lsptest.NewWorkspace(t, clienttest.Profile(*s.client.Caps, *s.client.Quirks), dir, func(n lsptest.Notice) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.untold = append(d.untold, n)
	})
	t.Cleanup(func() {
		_ = d.Conn.Close()
		err := lsptest.Receive(t, "the end of the server", d.served)
		d.served <- err // for the harness, which waits too
		_ = d.root.Workspace.Close()
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
	d.s.docs.keys.mu.Lock()
	defer d.s.docs.keys.mu.Unlock()
	if keys := d.s.docs.keys.expected; len(keys) > 0 || !d.s.landings.Idle() || !d.s.docs.echoes.Idle() {
		d.t.Errorf("nobody waits for documents: %v; nothing is to be told as opened: %v; expected is %q", d.s.landings.Idle(), d.s.docs.echoes.Idle(), keys)
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
	return document.URIOfPath(filepath.Join(d.root.Dir, path))
}

func (d *bufferHarness) path(uri string) string {
	abs, ok := document.PathOfURI(uri)
	rel, err := filepath.Rel(d.root.Dir, abs)
	if !ok || err != nil {
		d.t.Errorf("URI %q is not a file in the root", uri)
	}
	return filepath.ToSlash(rel)
}

// open opens a file from disk.
func (d *bufferHarness) open(path string) {
	raw, err := os.ReadFile(filepath.Join(d.root.Dir, path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	d.put(path, string(raw), 1)
}

// put gives a document a text and a version; one that is not open is opened.
func (d *bufferHarness) put(path, text string, version int32) {
	d.client.Put(path, text, version)
	d.tell()
}

func (d *bufferHarness) typed(path, text string) { d.client.Type(path, text); d.tell() }
func (d *bufferHarness) close(path string)       { d.client.Close(path); d.tell() }

// tell tells the server what the client has to tell, in order, and returns when it knows.
func (d *bufferHarness) tell() {
	d.reading.Lock()
	defer d.reading.Unlock()
	for _, n := range d.forgotToTell() {
		d.send(n.Method, n.Params())
	}
	d.sync()
}

// forgotToTell takes what the client is about to tell away.
func (d *bufferHarness) forgotToTell() []lsptest.Notice {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := d.untold
	d.untold = nil
	return list
}

// notify tells the server something and returns when it knows.
func (d *bufferHarness) notify(method string, params any) {
	d.reading.Lock()
	defer d.reading.Unlock()
	d.send(method, params)
	d.sync()
}

func (d *bufferHarness) send(method string, params any) {
	raw, err := json.Marshal(params)
	if err != nil {
		d.t.Error(err)
	}
	d.Send(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, raw)
}

func (d *bufferHarness) text(path string) string {
	text, is := d.client.Text(path)
	if !is {
		return "<no file>"
	}
	return text
}

// isOpen reports whether the client has a document of the file.
func (d *bufferHarness) isOpen(path string) bool { return slices.Contains(d.client.Opened(), path) }

// listen has note told of each notification from now on, one at a time.
func (d *bufferHarness) listen(note func(method string, params json.RawMessage)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.note = note
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
		d.client.Play(func(p *lsptest.Profile) { // what it can do may have changed
			p.Capabilities = clienttest.Profile(*d.s.client.Caps, *d.s.client.Quirks).Capabilities
		})
		d.client.Count(string(d.s.docs.encoding))
		e := d.client.Receive(params)
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

type applyResult struct {
	Applied bool   `json:"applied"`
	Reason  string `json:"failureReason,omitempty"`
}

// do carries an edit out and tells of it at once.
func (d *bufferHarness) do(e lsptest.ApplyEdit) (any, error) {
	reason := ""
	if err := d.client.Apply(e.Edit); err != nil {
		reason = err.Error()
	}
	d.tell()
	return applyResult{Applied: reason == "", Reason: reason}, nil
}

func (d *bufferHarness) propose(changes ...edits.Change) *proposal.Proposal {
	d.t.Helper()
	p, err := d.root.Session.Proposals.Add("t-1", "make it better", changes, d.root.Workspace.Snapshot(), proposal.Checked{})
	if err != nil {
		d.t.Fatal(err)
	}
	d.root.Session.Proposals.MarkShown(p.ID, 1)
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
