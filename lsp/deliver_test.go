package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// desk is an editor in memory behind a fake connection: it applies edits to its buffers and reports
// them through the same handlers that the wire calls. Switches make it behave as real ones do.
type desk struct {
	jsonrpc2.Conn
	t    *testing.T
	s    *server
	root *rootState

	reading sync.Mutex // stands for the one goroutine that reads

	mu      sync.Mutex
	buffers map[string]*buffer // by path
	applied []wireEdit
	told    []string // messages
	shown   []string // documents
	asked   [][]string

	// apply is called instead of the usual way; its result is what the client answers.
	apply func(d *desk, e wireEdit) (any, error)
	// pick answers dialogs; nil knows none.
	pick func(text string, choices []string) string
	// noFiles refuses a text edit of a file that does not exist.
	noFiles bool
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
	Range      wireRange `json:"range"`
	NewText    string    `json:"newText"`
	Annotation string    `json:"annotationId"`
}

// newDesk opens files in an editor with the capabilities that the change makes of the usual ones.
func newDesk(t *testing.T, files map[string]string, change func(*clientCaps, *quirks)) *desk {
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
	s := newServer(context.Background(), Options{
		Engine: func(h Hooks) *agent.Engine {
			return agent.NewEngine(agent.Options{Settings: h.Settings, Changed: h.Changed})
		},
		Settings: func(string, json.RawMessage) (settings.Settings, []settings.Warning) {
			return settings.Defaults(), nil
		},
		Workspace: func(root string, _ settings.Settings) (*workspace.Workspace, error) {
			return workspace.Open(root, workspace.Options{})
		},
	})
	d := &desk{t: t, s: s, buffers: map[string]*buffer{}}
	s.client.conn = d
	s.client.open.Store(true)
	s.caps = clientCaps{ApplyEdit: true, DocumentChanges: true, CreateFile: true, RenameFile: true, DeleteFile: true,
		FailureHandling: "abort", ShowDocument: true}
	s.quirks = quirks{NewFileByEdit: true, MakeParents: true}
	if change != nil {
		change(&s.caps, &s.quirks)
	}
	s.landings.factor = 0.1
	s.roots.setFolders([]string{dir}, nil)
	d.root = s.roots.at(dir)
	t.Cleanup(func() {
		s.cancel()
		s.engine.Close()
		s.tasks.Wait()
		_ = d.root.ws.Close()
	})
	return d
}

func (d *desk) uri(path string) string { return uriOfPath(filepath.Join(d.root.dir, path)) }

func (d *desk) path(uri string) string {
	abs, ok := pathOfURI(uri)
	rel, err := filepath.Rel(d.root.dir, abs)
	if !ok || err != nil {
		d.t.Errorf("URI %q is no file below the root", uri)
	}
	return filepath.ToSlash(rel)
}

// open opens a file from disk.
func (d *desk) open(path string) {
	raw, err := os.ReadFile(filepath.Join(d.root.dir, path))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		d.t.Fatal(err)
	}
	d.mu.Lock()
	d.buffers[path] = &buffer{text: string(raw), version: 1}
	d.mu.Unlock()
	d.tellOpen(path)
}

func (d *desk) tellOpen(path string) {
	d.reading.Lock()
	defer d.reading.Unlock()
	var p didOpenParams
	d.mu.Lock()
	b := d.buffers[path]
	p.Document.URI, p.Document.Text, p.Document.Version = d.uri(path), b.text, float64(b.version)
	d.mu.Unlock()
	if err := d.s.didOpen(context.Background(), &p); err != nil {
		d.t.Error(err)
	}
}

// set changes a buffer without a word to the server; tell reports it.
func (d *desk) set(path, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.buffers[path].text = text
	d.buffers[path].version++
}

func (d *desk) tell(path string) {
	d.reading.Lock()
	defer d.reading.Unlock()
	d.mu.Lock()
	b := d.buffers[path]
	v := float64(b.version)
	raw, err := json.Marshal([]map[string]string{{"text": b.text}})
	d.mu.Unlock()
	if err != nil {
		d.t.Error(err)
	}
	if err := d.s.didChange(context.Background(), &didChangeParams{Document: documentID{URI: d.uri(path), Version: &v}, Changes: raw}); err != nil {
		d.t.Error(err)
	}
}

func (d *desk) typed(path, text string) { d.set(path, text); d.tell(path) }

func (d *desk) close(path string) {
	d.reading.Lock()
	defer d.reading.Unlock()
	d.mu.Lock()
	delete(d.buffers, path)
	d.mu.Unlock()
	if err := d.s.didClose(context.Background(), &documentParams{Document: documentID{URI: d.uri(path)}}); err != nil {
		d.t.Error(err)
	}
}

func (d *desk) text(path string) string {
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

func (d *desk) Notify(_ context.Context, method string, params any) error {
	raw, _ := params.(jsonrpc2.RawMessage)
	if method == protocol.MethodWindowShowMessage {
		var p struct{ Message string }
		_ = json.Unmarshal(raw, &p) // a message that is none is an empty one
		d.mu.Lock()
		d.told = append(d.told, p.Message)
		d.mu.Unlock()
	}
	return nil
}

func (d *desk) Call(ctx context.Context, method string, params, result any) (jsonrpc2.ID, error) {
	raw, _ := params.(jsonrpc2.RawMessage)
	var answer any
	var err error
	switch method {
	case protocol.MethodWorkspaceApplyEdit:
		var e wireEdit
		if err := json.Unmarshal(raw, &e); err != nil {
			d.t.Error(err)
		}
		d.check(e)
		d.mu.Lock()
		d.applied = append(d.applied, e)
		d.mu.Unlock()
		if d.apply != nil {
			answer, err = d.apply(d, e)
		} else {
			answer, err = d.do(e)
		}
		if answer == "hang" {
			<-ctx.Done()
			err = ctx.Err()
		}
	case protocol.MethodWindowShowMessageRequest:
		var p struct {
			Message string
			Actions []struct{ Title string }
		}
		if err := json.Unmarshal(raw, &p); err != nil {
			d.t.Error(err)
		}
		var titles []string
		for _, a := range p.Actions {
			titles = append(titles, a.Title)
		}
		d.mu.Lock()
		d.asked = append(d.asked, titles)
		pick := d.pick
		d.mu.Unlock()
		if pick == nil {
			return jsonrpc2.ID{}, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "unknown")
		}
		switch title := pick(p.Message, titles); title {
		case "hang":
			<-ctx.Done()
			err = ctx.Err()
		case "":
		default:
			answer = map[string]string{"title": title}
		}
	case protocol.MethodWindowShowDocument:
		var p struct{ URI string }
		if err := json.Unmarshal(raw, &p); err != nil {
			d.t.Error(err)
		}
		d.mu.Lock()
		d.shown = append(d.shown, p.URI)
		d.mu.Unlock()
		answer = map[string]bool{"success": true}
	default:
		return jsonrpc2.ID{}, jsonrpc2.NewError(jsonrpc2.MethodNotFound, method)
	}
	if err != nil {
		return jsonrpc2.ID{}, err
	}
	text, err := json.Marshal(answer)
	if into, ok := result.(*jsonrpc2.RawMessage); ok && err == nil {
		*into = text
	}
	return jsonrpc2.ID{}, err
}

// check is what every edit must keep to, whichever client it is for.
func (d *desk) check(e wireEdit) {
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
			b := d.buffers[d.path(c.Text.URI)]
			if (b == nil) != (c.Text.Version == nil) {
				d.t.Errorf("%s: version %v for a document that is open: %v", c.Text.URI, c.Text.Version, b != nil)
			}
		}
	}
	if !strings.HasPrefix(e.Label, "Coauthor: ") {
		d.t.Errorf("label %q", e.Label)
	}
}

func before(a, b wirePosition) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

type applyResult struct {
	Applied bool   `json:"applied"`
	Reason  string `json:"failureReason,omitempty"`
}

// do applies an edit as Helix does: exact versions, stop at the first failure, tell at once.
func (d *desk) do(e wireEdit) (any, error) {
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
				delete(d.buffers, to)
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
			if d.buffers[path] != nil {
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
func (d *desk) edit(path string, version *int32, list []wireTextEdit) (reason string) {
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
	if version != nil && *version != b.version {
		d.mu.Unlock()
		return "document has changed"
	}
	at := newLines(b.text)
	text, end := "", 0
	for _, one := range list {
		from, to := at.span(one.Range.protocol(), d.s.encoding)
		text += b.text[end:from] + one.NewText
		end = to
	}
	b.text = text + b.text[end:]
	b.version++
	d.mu.Unlock()
	if made {
		d.tellOpen(path)
	} else {
		d.tell(path)
	}
	return ""
}

func (d *desk) propose(changes ...edits.Change) *proposal.Proposal {
	d.t.Helper()
	p, err := d.root.session.Proposals().Add("t-1", "make it better", changes, d.root.ws.Snapshot())
	if err != nil {
		d.t.Fatal(err)
	}
	d.root.session.Proposals().MarkShown(p.ID, 1)
	return p
}

func (d *desk) want(status proposal.Status) func(proposal.Outcome, error) proposal.Outcome {
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

// TestDeliverEverywhere runs one plan of all operations through clients of every kind.
func TestDeliverEverywhere(t *testing.T) {
	for _, name := range quirkNames() {
		t.Run(name, func(t *testing.T) { deliverTo(t, name) })
	}
}

func deliverTo(t *testing.T, name string) {
	q, err := quirksOf(name)
	if err != nil {
		t.Fatal(err)
	}
	base := lineText(30)
	files := map[string]string{"open.go": base, "closed.go": base, "gone.go": "x\n", "from.go": "y\n"}
	d := newDesk(t, files, func(c *clientCaps, use *quirks) {
		*use = q
		if q.NoResourceOperations {
			c.CreateFile, c.RenameFile, c.DeleteFile = false, false, false
		}
		if name == "vscode" {
			c.FailureHandling = "textOnlyTransactional"
		}
	})
	d.noFiles = name == "vscode"
	d.pick = func(_ string, choices []string) string { return choices[len(choices)-1] }
	d.open("open.go")
	goal := strings.NewReplacer("line 3\n", "three\n", "line 20\n", "", "line 30\n", "thirty").Replace(base)
	d.propose(
		updated("open.go", base, goal), updated("closed.go", base, goal),
		edits.Change{Path: "deep/down/new.go", Op: edits.OpCreate, After: "new\n"},
		edits.Change{Path: "gone.go", Op: edits.OpDelete, Before: "x\n"},
		edits.Change{Path: "from.go", To: "to.go", Op: edits.OpRename, Before: "y\n", After: "y\nz\n"},
	)
	ctx := context.Background()
	d.want(proposal.StatusApplied)(d.s.applyPending(ctx, d.root, proposal.Selector{}))
	same := func(path, want string) {
		t.Helper()
		if got := d.text(path); strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
			t.Errorf("%s reads %q", path, got)
		}
	}
	same("open.go", goal)
	same("closed.go", goal)
	same("deep/down/new.go", "new\n")
	same("to.go", "y\nz\n")
	if d.root.ws.Door().OnDisk("gone.go") || d.root.ws.Door().OnDisk("from.go") {
		t.Error("a file is still there")
	}
	if !d.root.ws.Door().OnDisk("deep/down") {
		t.Error("a new file could not be saved: its directory is missing")
	}
	d.typed("open.go", "typed\n"+d.text("open.go"))
	d.want(proposal.StatusUndone)(d.s.undoTurn(ctx, d.root, ""))
	same("open.go", "typed\n"+base)
	same("closed.go", base)
	same("gone.go", "x\n")
	same("from.go", "y\n")
	if got := d.text("deep/down/new.go"); strings.TrimSpace(got) != "" && !strings.HasPrefix(got, "<") {
		t.Errorf("the new file is still there: %q", got)
	}
	d.want(proposal.StatusApplied)(d.s.redoTurn(ctx, d.root, ""))
	same("open.go", "typed\n"+goal)
	same("to.go", "y\nz\n")
}

// TestAppliedIsNotBelieved: the clients of spec/lsp.md 3.2 that say other than they do.
func TestAppliedIsNotBelieved(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	yes := applyResult{Applied: true}
	for _, test := range []struct {
		name  string
		caps  func(*clientCaps, *quirks)
		apply func(d *desk, e wireEdit) (any, error)
		want  proposal.Status
		text  string
		says  string
	}{
		{"yes, and the change is told later", nil, func(d *desk, e wireEdit) (any, error) {
			d.set("a", goal)
			d.s.background(func(context.Context) { d.tell("a") })
			return yes, nil
		}, proposal.StatusApplied, goal, ""},
		{"the change comes first", nil, func(d *desk, _ wireEdit) (any, error) {
			d.typed("a", goal)
			return yes, nil
		}, proposal.StatusApplied, goal, ""},
		{"yes, and nothing comes", nil, func(*desk, wireEdit) (any, error) { return yes, nil },
			proposal.StatusUnverified, base, "nothing was seen"},
		{"no, but it was done", nil, func(d *desk, _ wireEdit) (any, error) {
			d.typed("a", goal)
			return applyResult{}, nil
		}, proposal.StatusApplied, goal, ""},
		{"no", nil, func(*desk, wireEdit) (any, error) { return applyResult{Reason: "not today"}, nil },
			proposal.StatusPending, base, "not today"},
		{"null", nil, func(*desk, wireEdit) (any, error) { return nil, nil },
			proposal.StatusUnverified, base, "not decided yet"},
		{"an error", nil, func(*desk, wireEdit) (any, error) { return nil, jsonrpc2.NewError(32603, "oops") },
			proposal.StatusPending, base, "oops"},
		{"an error, and it was done", nil, func(d *desk, _ wireEdit) (any, error) {
			d.typed("a", goal)
			return nil, jsonrpc2.NewError(32603, "oops")
		}, proposal.StatusApplied, goal, ""},
		{"an error of a client that tells late", func(_ *clientCaps, q *quirks) { q.ChangesLate = true },
			func(*desk, wireEdit) (any, error) { return nil, jsonrpc2.NewError(32603, "oops") },
			proposal.StatusUnverified, base, "next key"},
		{"not there", nil, func(*desk, wireEdit) (any, error) { return nil, jsonrpc2.NewError(jsonrpc2.MethodNotFound, "x") },
			proposal.StatusPending, base, "does not let servers"},
		{"no answer, but it was done", nil, func(d *desk, _ wireEdit) (any, error) {
			d.typed("a", goal)
			return "hang", nil
		}, proposal.StatusApplied, goal, ""},
		{"something else was done", nil, func(d *desk, _ wireEdit) (any, error) {
			d.typed("a", strings.Replace(base, "line 5\n", "half of it\n", 1))
			return yes, nil
		}, proposal.StatusUnverified, strings.Replace(base, "line 5\n", "half of it\n", 1), ""},
		{"no capability", func(c *clientCaps, _ *quirks) { c.ApplyEdit = false }, nil,
			proposal.StatusPending, base, "workspace/applyEdit"},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newDesk(t, map[string]string{"a": base}, test.caps)
			d.apply = test.apply
			d.open("a")
			d.propose(updated("a", base, goal))
			out := d.want(test.want)(d.s.applyPending(context.Background(), d.root, proposal.Selector{}))
			if got := d.text("a"); got != test.text {
				t.Errorf("text %q", got)
			}
			if !strings.Contains(out.Reason, test.says) {
				t.Errorf("reason %q", out.Reason)
			}
			if test.want != proposal.StatusApplied && len(d.told) != 1 {
				t.Errorf("told %q", d.told)
			}
		})
	}
}

func TestNoAnswerAtAll(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	d := newDesk(t, map[string]string{"a": base}, nil)
	d.s.landings.factor = 0.001
	d.apply = func(*desk, wireEdit) (any, error) { return "hang", nil }
	d.open("a")
	p := d.propose(updated("a", base, goal))
	d.want(proposal.StatusUnverified)(d.s.applyPending(context.Background(), d.root, proposal.Selector{}))
	// It comes with the user's next key.
	d.typed("a", goal+"x")
	if now, _ := d.root.session.Proposals().Get(p.ID); string(now.State) != "applied" {
		t.Fatalf("state %s", now.State)
	}
}

// TestTypedWhileItIsSent: the client drops the stale edit and says yes, or refuses it; the server
// tries again on what is there now.
func TestTypedWhileItIsSent(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	for _, answer := range []applyResult{{Applied: true}, {Reason: "document has changed"}} {
		d := newDesk(t, map[string]string{"a": base}, nil)
		d.open("a")
		first := true
		d.apply = func(d *desk, e wireEdit) (any, error) {
			if first {
				first = false
				d.typed("a", "typed\n"+base)
				return answer, nil
			}
			return d.do(e)
		}
		d.propose(updated("a", base, goal))
		d.want(proposal.StatusApplied)(d.s.applyPending(context.Background(), d.root, proposal.Selector{}))
		if got := d.text("a"); got != "typed\n"+goal {
			t.Errorf("text %q", got)
		}
	}
}

func TestAbortStopsWhatFollows(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "a\n", "gone": "g\n"}, nil)
	d.open("a")
	d.apply = func(d *desk, e wireEdit) (any, error) {
		if len(e.Edit.Doc[0].Edits) > 0 {
			return applyResult{Reason: "no"}, nil
		}
		return d.do(e)
	}
	d.propose(updated("a", "a\n", "A\n"), edits.Change{Path: "gone", Op: edits.OpDelete, Before: "g\n"})
	out := d.want(proposal.StatusPending)(d.s.applyPending(context.Background(), d.root, proposal.Selector{}))
	if len(d.applied) != 1 || !d.root.ws.Door().OnDisk("gone") {
		t.Errorf("%d edits were sent; %+v", len(d.applied), out)
	}
}

func TestConsentIsAsked(t *testing.T) {
	for _, yes := range []bool{false, true} {
		d := newDesk(t, map[string]string{"a": "a\n", ".github/workflows/ci.yml": "on: push\n", "gone": "g\n"}, func(c *clientCaps, _ *quirks) {
			c.CreateFile, c.RenameFile, c.DeleteFile = false, false, false
		})
		var questions []string
		d.pick = func(text string, choices []string) string {
			questions = append(questions, text)
			if yes {
				return choices[1]
			}
			return choices[0]
		}
		d.open("a")
		d.propose(updated("a", "a\n", "A\n"), updated(".github/workflows/ci.yml", "on: push\n", "on: pull_request\n"),
			edits.Change{Path: "gone", Op: edits.OpDelete, Before: "g\n"})
		out, err := d.s.applyPending(context.Background(), d.root, proposal.Selector{})
		if err != nil || len(questions) != 2 || !strings.Contains(strings.Join(questions, " "), "ci.yml") {
			t.Fatalf("%+v, %v, asked %q", out, err, questions)
		}
		if d.text("a") != "A\n" || (d.text(".github/workflows/ci.yml") == "on: pull_request\n") != yes || d.root.ws.Door().OnDisk("gone") == yes {
			t.Errorf("yes %v: %+v", yes, out)
		}
	}
}

func TestNeverDeleteUnsavedWork(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "a\n"}, func(c *clientCaps, _ *quirks) { c.DeleteFile = false })
	d.pick = func(_ string, choices []string) string { return choices[1] }
	d.open("a")
	d.typed("a", "unsaved\n")
	d.propose(edits.Change{Path: "a", Op: edits.OpDelete, Before: "unsaved\n"})
	out := d.want(proposal.StatusPending)(d.s.applyPending(context.Background(), d.root, proposal.Selector{}))
	if !strings.Contains(out.Reason, "unsaved changes") || !d.root.ws.Door().OnDisk("a") {
		t.Errorf("%+v", out)
	}
}

// TestNativePreview is the trick that makes VS Code open its preview with the changes ticked.
func TestNativePreview(t *testing.T) {
	base := lineText(10)
	goal := strings.Replace(base, "line 5\n", "five\n", 1)
	native := func(c *clientCaps, q *quirks) {
		c.Annotations, c.HonorsAnnotations, c.FailureHandling = true, true, "textOnlyTransactional"
		*q, _ = quirksOf("vscode")
	}
	for _, press := range []bool{true, false} {
		d := newDesk(t, map[string]string{"a": base}, native)
		d.apply = func(d *desk, e wireEdit) (any, error) {
			if press {
				return d.do(e)
			}
			return applyResult{}, nil
		}
		d.open("a")
		p := d.propose(updated("a", base, goal), edits.Change{Path: "new", Op: edits.OpCreate, After: "x\n"})
		d.s.preview(context.Background(), d.root, *p, "auto")
		if len(d.applied) != 1 {
			t.Fatalf("%d edits", len(d.applied))
		}
		e := d.applied[0].Edit
		var confirm, plain int
		for _, c := range e.Doc {
			if c.Kind != "" && c.Annotation == "" {
				t.Errorf("%s without annotation", c.Kind)
			}
			for _, one := range c.Edits {
				if e.Annotations[one.Annotation].Needs {
					confirm++
					if one.NewText != "" || one.Range != (wireRange{}) {
						t.Errorf("the trigger changes something: %+v", one)
					}
				} else {
					plain++
				}
			}
		}
		if confirm != 1 || plain != 2 {
			t.Errorf("%d to confirm, %d not", confirm, plain)
		}
		now, _ := d.root.session.Proposals().Get(p.ID)
		if press && (string(now.State) != "applied" || d.text("a") != goal) || !press && (string(now.State) != "pending" || d.text("a") != base) {
			t.Errorf("pressed %v: state %s", press, now.State)
		}
	}
}

func TestPositionsOnTheWire(t *testing.T) {
	for _, e := range []encoding{utf8Units, utf16Units, utf32Units} {
		for _, text := range []string{
			"a\r\nb\r\nc\r\n", "no end", "äö😀\nx\n😀 end", "\ufeffbom\nx\n", "lone\rreturn\nx\n", "",
		} {
			for _, after := range []string{text + "more\n", strings.Replace(text, "x", "y😀", 1), "", "first\n" + text, "all new"} {
				if after == text {
					continue
				}
				d := newDesk(t, map[string]string{"a": text}, nil)
				d.s.encoding = e
				d.open("a")
				d.propose(updated("a", text, after))
				d.want(proposal.StatusApplied)(d.s.applyPending(context.Background(), d.root, proposal.Selector{}))
				if got := d.text("a"); got != after {
					t.Errorf("%s: %q became %q, want %q", e, text, got, after)
				}
			}
		}
	}
}

func TestTheClientsSpelling(t *testing.T) {
	d := newDesk(t, map[string]string{"a b.go": "a\n"}, nil)
	spelled := strings.Replace(d.uri("a b.go"), "a%20b.go", "%61%20b.go", 1)
	d.buffers["a b.go"] = &buffer{text: "a\n", version: 3}
	var p didOpenParams
	p.Document.URI, p.Document.Text, p.Document.Version = spelled, "a\n", 3
	if err := d.s.didOpen(context.Background(), &p); err != nil {
		t.Fatal(err)
	}
	d.propose(updated("a b.go", "a\n", "A\n"))
	d.apply = func(d *desk, e wireEdit) (any, error) { return applyResult{}, nil }
	d.want(proposal.StatusPending)(d.s.applyPending(context.Background(), d.root, proposal.Selector{}))
	if got := d.applied[0].Edit.Doc[0].Text.URI; got != spelled {
		t.Errorf("URI %q, the client said %q", got, spelled)
	}
}

func TestOneFileAtATime(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "a\n", "b": "b\n"}, func(_ *clientCaps, q *quirks) { *q, _ = quirksOf("neovim") })
	d.open("a")
	d.propose(updated("a", "a\n", "A\n"), updated("b", "b\n", "B\n"), edits.Change{Path: "n", Op: edits.OpCreate, After: "x\n"})
	d.want(proposal.StatusApplied)(d.s.applyPending(context.Background(), d.root, proposal.Selector{}))
	var sizes []int
	for _, e := range d.applied {
		sizes = append(sizes, len(e.Edit.Doc))
	}
	if !slices.Equal(sizes, []int{1, 1, 1}) {
		t.Errorf("documents in each edit: %v", sizes)
	}
	if got := d.applied[0].Edit.Doc[0].Edits[0].NewText; got != "x" {
		t.Errorf("a new file of this client must leave out the last line break: %q", got)
	}
	if !maps.Equal(map[string]string{"a": d.text("a"), "b": d.text("b")}, map[string]string{"a": "A\n", "b": "B\n"}) {
		t.Error("the texts are not as meant")
	}
}
