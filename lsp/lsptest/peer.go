package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// Hung is how long a test waits before it says that something hangs.
const Hung = 20 * time.Second

// Receive takes what somebody sends, or that he closed the channel; what says what it is.
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
}

// NewPeer returns the other end of a connection and reads what comes until the test ends.
func NewPeer(t testing.TB, conn net.Conn) *Peer {
	p := &Peer{t: t, Conn: conn, In: make(chan string, 10000)} // no test reads more than that late
	go p.read()
	t.Cleanup(func() { _ = conn.Close() })
	return p
}

func (p *Peer) read() {
	defer close(p.In)
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
		}
		if err := json.Unmarshal(body, &m); err != nil {
			p.t.Errorf("message %s: %v", body, err)
			return
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

// Within runs f and fails when it does not come to an end.
func Within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(Hung):
		t.Fatalf("hung: %s", what)
	}
}
