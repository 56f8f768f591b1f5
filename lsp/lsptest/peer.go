package lsptest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"
)

// Hung is how long a test waits before it says that something hangs, also on a machine whose disk is busy with other
// work.
const Hung = time.Minute

// Receive takes what is sent on a channel, or that it is closed; what says what it is.
func Receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(Hung):
		t.Fatalf("hung: waited %v for %s", Hung, what)
		panic("not reached")
	}
}

// Peer is the bare other end of a connection, for tests of single messages, broken ones too, that an
// Editor would never send: it writes what it is told and reads frames.
type Peer struct {
	t    testing.TB
	Conn net.Conn
	In   chan string // answers and notifications in the order of their arrival
	mu   sync.Mutex  // held while writing
	// Answer is called for requests of the server; "" leaves them without an answer.
	Answer func(method string, params json.RawMessage) string
	// Unanswered is told of the requests that are left so; nil for nobody.
	Unanswered func(method string, id json.RawMessage)
	// Serve is called for requests of the server instead of Answer, each beside the reading, so that it
	// may wait and ask the server. Its error may be a *ResponseError, or ErrSilent for no answer at all.
	Serve func(method string, params json.RawMessage) (result any, err error)
	// Noted is called for the server's notifications, in their order, instead of putting them into In.
	// It must not wait for the server.
	Noted func(method string, params json.RawMessage)

	asking sync.Mutex
	asked  map[string]chan reply // guarded by asking; by id
	closed chan struct{}         // closed when nothing comes any more
}

// reply is the server's answer to a request.
type reply struct {
	result json.RawMessage
	err    *ResponseError
}

// ErrSilent leaves a request of the server without an answer.
var ErrSilent = errors.New("no answer")

// Ask sends a request and waits for its answer. It may be called from any goroutine but that of Noted.
func (p *Peer) Ask(method string, params any) (result json.RawMessage, err error) {
	p.asking.Lock()
	id := fmt.Sprintf(`"ask-%d"`, len(p.asked)+1)
	answer := make(chan reply, 1)
	p.asked[id] = answer
	p.asking.Unlock()
	raw, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	p.Send(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, raw)
	select {
	case r := <-answer:
		if r.err != nil {
			return nil, r.err
		}
		return r.result, nil
	case <-p.closed:
		return nil, io.EOF
	case <-time.After(Hung):
		return nil, fmt.Errorf("hung: %s was not answered within %v", method, Hung)
	}
}

// NewPeer returns the other end of a connection and reads what comes until the test ends.
func NewPeer(t testing.TB, conn net.Conn) *Peer {
	p := &Peer{t: t, Conn: conn, In: make(chan string, 10000), // no test reads more than that late
		asked: map[string]chan reply{}, closed: make(chan struct{})}
	go p.read()
	t.Cleanup(func() { _ = conn.Close() })
	return p
}

func (p *Peer) read() {
	defer close(p.In)
	defer close(p.closed)
	r := bufio.NewReader(p.Conn)
	for {
		body, err := readFrame(r)
		if err != nil {
			return // who waits for a message is told that the connection ended
		}
		var m struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
			Result json.RawMessage
			Error  *ResponseError
		}
		if err := json.Unmarshal(body, &m); err != nil {
			p.t.Errorf("message %s: %v", body, err)
			return
		}
		if m.Method == "" && p.replied(string(m.ID), reply{m.Result, m.Error}) {
			continue
		}
		if m.Method != "" && m.ID == nil && p.Noted != nil {
			p.Noted(m.Method, m.Params)
			continue
		}
		if m.Method != "" && m.ID != nil && p.Serve != nil {
			go p.serve(m.ID, m.Method, m.Params)
			continue
		}
		if m.Method != "" && m.ID != nil {
			result := "null"
			if p.Answer != nil {
				result = p.Answer(m.Method, m.Params)
			}
			switch {
			case result == "" && p.Unanswered != nil:
				p.Unanswered(m.Method, m.ID)
			case result != "":
				p.Send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
			}
			continue
		}
		p.In <- string(body)
	}
}

// replied hands an answer to whoever asked for it, and returns false where that was not Ask.
func (p *Peer) replied(id string, r reply) bool {
	p.asking.Lock()
	defer p.asking.Unlock()
	answer := p.asked[id]
	if answer == nil {
		return false
	}
	p.asked[id] <- r
	return true
}

// serve answers one request of the server by Serve.
func (p *Peer) serve(id json.RawMessage, method string, params json.RawMessage) {
	result, err := p.Serve(method, params)
	var refused *ResponseError
	switch {
	case errors.Is(err, ErrSilent):
		return
	case err == nil:
	case !errors.As(err, &refused):
		refused = &ResponseError{Code: -32603, Message: err.Error()}
	}
	m := map[string]any{"jsonrpc": "2.0", "id": id, "result": result}
	if refused != nil {
		delete(m, "result")
		m["error"] = refused
	}
	raw, err := json.Marshal(m)
	if err != nil {
		p.t.Errorf("the answer to %s: %v", method, err)
		return
	}
	p.Send("%s", raw)
}

// Send writes a message in a frame.
func (p *Peer) Send(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.Raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text))
}

// Raw writes bytes as they are.
func (p *Peer) Raw(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = io.WriteString(p.Conn, text) // a closed connection shows in what is read
}

// Expect waits for a message that holds every one of the words, and returns it.
func (p *Peer) Expect(words ...string) string {
	p.t.Helper()
	for {
		s := p.Next()
		hit := true
		for _, w := range words {
			hit = hit && strings.Contains(s, w)
		}
		if hit {
			return s
		}
		if strings.Contains(s, `"id":`) {
			p.t.Fatalf("got %s, want %q", s, words)
		}
	}
}

// Next waits for an answer or a notification.
func (p *Peer) Next() string {
	p.t.Helper()
	select {
	case s, ok := <-p.In:
		if !ok {
			p.t.Fatal("the connection ended")
		}
		return s
	case <-time.After(Hung):
		p.t.Fatal("no message")
	}
	return ""
}

// Within runs f and fails when it does not come to an end, or panics: a panic outside the test's own goroutine would end
// the program, and a fuzzer would not say by what.
func Within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan string, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				done <- fmt.Sprintf("%v\n%s", r, debug.Stack())
			}
			close(done)
		}()
		f()
	}()
	select {
	case panicked := <-done:
		if panicked != "" {
			t.Fatalf("%s panicked: %s", what, panicked)
		}
	case <-time.After(Hung):
		t.Fatalf("hung: %s", what)
	}
}
