package lsptest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Options say how a test wants its editor.
type Options struct {
	// Folders are the workspace folders; none is a client without a folder.
	Folders []string
	// RootlessFolder is below which files lie when there is no folder: the checker takes it for the root.
	RootlessFolder string
	// Settings answer workspace/configuration for the section coauthor, and go with initialize below "settings".
	Settings map[string]any
	// Init are more initializationOptions.
	Init map[string]any
	// Announce is capabilities.experimental.coauthor: what our own module says it can do.
	Announce map[string]any
	// Encodings replace the offered position encodings of the profile.
	Encodings []string
	// Unreviewed switches the checks of consent and preview off, for settings that apply at once.
	Unreviewed bool
	// Seen is what the user has seen in an editor before this one.
	Seen *Editor
	// Report takes violations; without it they fail the test.
	Report func(violation string)
	// Clock is the one that the server has; time.Now without it.
	Clock func() time.Time
	// AgreesAfter is how long the client takes to agree to a progress; 2 ms without it.
	AgreesAfter time.Duration
	// HungAfter is how long a wait may last before the test is taken for hung; Hung without it.
	HungAfter time.Duration
}

// Editor is the fake client. Its methods may be called from one test goroutine; what the server asks is answered beside.
type Editor struct {
	t       testing.TB
	options Options
	caps    any
	conn    io.Closer
	out     *outbox

	mu sync.Mutex // guards everything below
	workspace
	changed chan struct{}
	calls   map[string]*call
	nextID  int
	closed  error // set when the server's stream has ended
	hungUp  bool
	sel     Range
	log     Log
	dialogs []*Dialog
	inputs  []json.RawMessage // ids of open input boxes
	alien   []problem         // what other servers of this client complain about
	between func()            // the user's input that arrives before the next edit is applied; may be nil
	says    bool              // the user says no to the client's own question whether to apply an edit
	preview *preview          // the edit that the user looks at; nil for none
	keys    keys
	after   func() // the user's input right after the next command was sent; may be nil

	readerDone chan struct{}
	timers     sync.WaitGroup
}

// call is a request of the client that waits for its answer.
type call struct {
	method string
	params any
	done   chan struct{}
	keys   int // how many keys there had been when it was sent
	result any
	err    *ResponseError
}

// New starts an editor on one end of a pipe. The test's end closes it.
func New(t testing.TB, pipe io.ReadWriteCloser, p Profile, o Options) *Editor {
	t.Helper()
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.HungAfter == 0 {
		o.HungAfter = Hung
	}
	caps := capabilities(t, p, o)
	e := &Editor{
		t: t, options: o, caps: caps, conn: pipe, out: newOutbox(pipe),
		changed: make(chan struct{}), calls: map[string]*call{}, readerDone: make(chan struct{}),
	}
	e.workspace = workspace{
		profile: p, buffers: map[string]*buffer{}, say: e.violation, later: e.afterwards,
		tells: func(n Notice) { e.notify(n.Method, n.Params()) },
	}
	for _, f := range o.Folders {
		e.roots = append(e.roots, filepath.Clean(f))
	}
	if len(e.roots) == 0 && o.RootlessFolder != "" {
		e.roots = append(e.roots, filepath.Clean(o.RootlessFolder))
	}
	name := ""
	if p.ClientInfo != nil {
		name = p.ClientInfo.Name
	}
	e.check = newChecker(&e.workspace, caps, name, e.violation)
	if o.Seen != nil {
		for _, text := range o.Seen.check.review.seen {
			e.check.review.show(text)
		}
	}
	e.check.review.trusting = o.Unreviewed
	go e.readLoop(bufio.NewReader(pipe))
	t.Cleanup(e.HangUp)
	return e
}

// capabilities puts the profile and what the test asks for together and gives them as a decoded tree.
func capabilities(t testing.TB, p Profile, o Options) any {
	t.Helper()
	raw, err := json.Marshal(p.Capabilities)
	if err != nil {
		t.Fatalf("profile %s: %v", p.Name, err)
	}
	tree, err := parseTree(raw)
	if err != nil {
		t.Fatalf("profile %s: %v", p.Name, err)
	}
	top, ok := tree.(map[string]any)
	if !ok {
		top = map[string]any{}
	}
	if o.Announce != nil {
		top["experimental"] = map[string]any{"coauthor": o.Announce}
	}
	if o.Encodings != nil {
		list := []any{}
		for _, e := range o.Encodings {
			list = append(list, e)
		}
		top["general"] = map[string]any{"positionEncodings": list}
	}
	return top
}

// violation reports a broken rule. It is called under the lock.
func (e *Editor) violation(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	e.log.Violations = append(e.log.Violations, text)
	if e.options.Report != nil {
		e.options.Report(text)
		return
	}
	e.t.Errorf("[%s] %s", e.profile.Name, text)
}

// touch wakes whoever waits for a condition. Under the lock.
func (e *Editor) touch() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// Wait blocks until the condition holds for the log; what says what is waited for. A wait that never ends, or a server
// that goes away, fails the test.
func (e *Editor) Wait(what string, condition func(*Log) bool) {
	e.t.Helper()
	hung := time.NewTimer(e.options.HungAfter)
	defer hung.Stop()
	for {
		e.mu.Lock()
		ok, closed, changed := condition(&e.log), e.closed, e.changed
		e.mu.Unlock()
		if ok {
			return
		}
		if closed != nil {
			e.t.Fatalf("[%s] the server went away (%v) while waiting for %s\n%s", e.profile.Name, closed, what, e.Tail())
		}
		select {
		case <-changed:
		case <-hung.C:
			e.t.Fatalf("[%s] hung: waited %v for %s\n%s", e.profile.Name, e.options.HungAfter, what, e.Tail())
		}
	}
}

func (e *Editor) readLoop(r *bufio.Reader) {
	defer close(e.readerDone)
	for {
		raw, err := readFrame(r)
		if err == nil {
			e.receive(raw)
			continue
		}
		e.mu.Lock()
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrClosedPipe) && !errors.Is(err, os.ErrClosed) && !e.hungUp {
			e.violation("the server's stream: %v", err)
		}
		e.closed = err
		for id, c := range e.calls {
			c.err = &ResponseError{Code: -32099, Message: "the server went away"}
			close(c.done)
			delete(e.calls, id)
		}
		e.touch()
		e.mu.Unlock()
		return
	}
}

// receive handles one message of the server.
func (e *Editor) receive(raw []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.touch()
	m, err := parseMessage(raw)
	if err != nil {
		e.violation("a message of the server: %v: %.200s", err, raw)
		return
	}
	e.log.note("<- ", raw)
	if m.Method == "" {
		e.response(m)
		return
	}
	clean := e.check.received(m)
	if !clean {
		if m.ID != nil && string(m.ID) != "null" {
			e.refuse(m.ID, -32602, "the fake editor does not accept this message")
		}
		return
	}
	e.serve(m)
}

func (e *Editor) response(m Message) {
	c := e.calls[string(m.ID)]
	if c == nil {
		e.violation("a response to the id %s, which is no open request", m.ID)
		return
	}
	delete(e.calls, string(m.ID))
	e.keys.answered(c.keys)
	c.result, c.err = m.Result, m.Error
	e.check.response(c)
	close(c.done)
}

// post sends one message; under the lock.
func (e *Editor) post(v map[string]any) {
	v["jsonrpc"] = "2.0"
	if raw, err := json.Marshal(v); err == nil {
		e.log.note("-> ", raw)
	}
	e.out.post(v)
}

func (e *Editor) notify(method string, params any) {
	m := map[string]any{"method": method}
	if params != nil {
		m["params"] = params
	}
	e.post(m)
}

func (e *Editor) answer(id json.RawMessage, result any) {
	e.check.answered(id)
	e.post(map[string]any{"id": id, "result": result})
}

func (e *Editor) refuse(id json.RawMessage, code int, message string) {
	e.check.answered(id)
	e.post(map[string]any{"id": id, "error": map[string]any{"code": code, "message": message}})
}

// start sends a request and does not wait.
func (e *Editor) start(method string, params any) (*call, string) {
	e.nextID++
	id := fmt.Sprint(e.nextID)
	c := &call{method: method, params: params, done: make(chan struct{}), keys: e.keys.pressed}
	if e.closed != nil {
		c.err = &ResponseError{Code: -32099, Message: "the server went away"}
		close(c.done)
		return c, id
	}
	e.calls[id] = c
	m := map[string]any{"id": e.nextID, "method": method}
	if params != nil {
		m["params"] = params
	}
	e.post(m)
	return c, id
}

// await waits for the answer as long as the client would, then gives up: the server must answer at once.
func (e *Editor) await(c *call) (any, *ResponseError) {
	e.t.Helper()
	limit := min(time.Duration(e.profile.Quirks.RequestTimeout), e.options.HungAfter)
	if limit == 0 {
		limit = e.options.HungAfter
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	select {
	case <-c.done:
		return c.result, c.err
	case <-ctx.Done():
		e.t.Fatalf("[%s] %s was not answered within %v\n%s", e.profile.Name, c.method, limit, e.Tail())
		return nil, nil
	}
}

// Request sends a request after bringing the server up to date, and waits for the answer.
func (e *Editor) Request(method string, params any) (any, *ResponseError) {
	e.t.Helper()
	e.mu.Lock()
	if !e.profile.Quirks.DidChangeNever {
		e.tellAll()
	}
	c, _ := e.start(method, params)
	if after := e.after; after != nil && method == "workspace/executeCommand" {
		e.after = nil
		after()
	}
	e.mu.Unlock()
	return e.await(c)
}

// Tail gives the last messages both ways, for a failing test.
func (e *Editor) Tail() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return "last messages:\n" + strings.Join(e.log.wire, "\n")
}

// Pause waits a moment, or until the server says something, for loops that ask for a state again.
func (e *Editor) Pause() {
	e.mu.Lock()
	changed := e.changed
	e.mu.Unlock()
	select {
	case <-changed:
	case <-time.After(5 * time.Millisecond):
	}
}
