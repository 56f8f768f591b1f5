package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// hung is how long a test waits before it says that something hangs.
const hung = 20 * time.Second

// receive takes what somebody sends, or that he closed the channel; what says what it is.
func receive[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(hung):
		t.Fatalf("hung: waited %v for %s", hung, what)
		panic("not reached")
	}
}

// peer is the bare other end of a connection: it writes what it is told and reads frames.
type peer struct {
	t    testing.TB
	conn net.Conn
	in   chan string // answers and notifications in the order of their arrival
	mu   sync.Mutex  // held while writing
	// answer is called for requests of the server; "" leaves them without an answer.
	answer func(method string, params json.RawMessage) string
	// unanswered is told of the requests that are left so; nil for nobody.
	unanswered func(method string, id json.RawMessage)
}

func newPeer(t testing.TB, conn net.Conn) *peer {
	p := &peer{t: t, conn: conn, in: make(chan string, 10000)} // no test reads more than that late
	go p.read()
	t.Cleanup(func() { _ = conn.Close() })
	return p
}

func (p *peer) read() {
	defer close(p.in)
	r := bufio.NewReader(p.conn)
	for {
		h, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(h.Get("Content-Length"))
		if err != nil {
			p.t.Errorf("header %v", h)
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return
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
			if p.answer != nil {
				result = p.answer(m.Method, m.Params)
			}
			switch {
			case result == "" && p.unanswered != nil:
				p.unanswered(m.Method, m.ID)
			case result != "":
				p.send(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
			}
			continue
		}
		p.in <- string(body)
	}
}

func (p *peer) send(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.raw(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text))
}

func (p *peer) raw(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = io.WriteString(p.conn, text) // a closed connection shows in what is read
}

// expect waits for a message that holds every one of the words, and returns it.
func (p *peer) expect(words ...string) string {
	p.t.Helper()
	for {
		s := p.next()
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

func (p *peer) next() string {
	p.t.Helper()
	select {
	case s, ok := <-p.in:
		if !ok {
			p.t.Fatal("the connection ended")
		}
		return s
	case <-time.After(hung):
		p.t.Fatal("no message")
	}
	return ""
}

// router starts a router over a pipe and returns the other end.
func startRouter(t *testing.T, fill func(*router, jsonrpc2.Conn)) (*peer, <-chan struct{}) {
	t.Helper()
	a, b := net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	log := slog.New(slog.DiscardHandler)
	r := newRouter(ctx, log)
	r.phase.Store(int32(running))
	onNote(r, "$/cancelRequest", r.cancel)
	s := newStream(a, log, cancel)
	s.max = 1 << 20
	conn := jsonrpc2.NewConn(s)
	fill(r, conn)
	conn.Go(context.Background(), r.handle)
	return newPeer(t, b), conn.Done()
}

type number struct {
	N int `json:"n"`
}

func TestNotificationsKeepTheirOrder(t *testing.T) {
	var last int
	var bad []int
	p, _ := startRouter(t, func(r *router, _ jsonrpc2.Conn) {
		onNote(r, "count", func(ctx context.Context, p *number) error {
			c, cancel := context.WithTimeout(ctx, time.Second) // deriving must be safe here
			defer cancel()
			_ = c
			if p.N != last+1 {
				bad = append(bad, p.N)
			}
			last = p.N
			return nil
		})
		// What a call sees is fixed when it is read, however late it runs.
		onCall(r, "last", func(*empty) int { return last }, func(_ context.Context, _ *empty, n int) (any, error) { return n, nil })
	})
	const n = 2000
	go func() {
		for i := 1; i <= n; i++ {
			p.send(`{"jsonrpc":"2.0","method":"count","params":{"n":%d}}`, i)
			if i%100 == 0 {
				p.send(`{"jsonrpc":"2.0","id":"s%d","method":"last"}`, i)
			}
		}
	}()
	for range n / 100 {
		s := p.next()
		var id, got int
		if _, err := fmt.Sscanf(s, `{"jsonrpc":"2.0","id":"s%d","result":%d}`, &id, &got); err != nil || id != got {
			t.Fatalf("captured at the wrong place: %s", s)
		}
	}
	if bad != nil {
		t.Errorf("out of order: %v", bad)
	}
}

func TestRouter(t *testing.T) {
	ended := make(chan error, 8) // one for each call of slow
	stop := make(chan struct{}, 1)
	p, done := startRouter(t, func(r *router, conn jsonrpc2.Conn) {
		onCall(r, "slow", none, func(ctx context.Context, _ *number, _ struct{}) (any, error) {
			select {
			case <-ctx.Done():
				ended <- ctx.Err()
				return nil, fmt.Errorf("slow: %w", ctx.Err())
			case <-stop:
				return "stopped", nil
			}
		})
		onNote(r, "stop", func(context.Context, *empty) error { stop <- struct{}{}; return nil })
		onNote(r, "panics", func(context.Context, *empty) error { panic("note") })
		onCall(r, "boom", none, func(context.Context, *empty, struct{}) (any, error) { panic("call") })
		onCall(r, "boomEarly", func(*empty) int { panic("capture") }, func(context.Context, *empty, int) (any, error) { return nil, nil })
		onCall(r, "fail", none, func(context.Context, *empty, struct{}) (any, error) { return nil, io.ErrNoProgress })
		onCall(r, "nothing", none, func(context.Context, *empty, struct{}) (any, error) { return nil, nil })
		onCall(r, "back", none, func(ctx context.Context, _ *empty, _ struct{}) (any, error) {
			var answer bool
			_, err := conn.Call(ctx, "ask", nil, &answer)
			return answer, err
		})
	})
	p.answer = func(string, json.RawMessage) string { return "true" }
	step := func(want string, sends ...string) {
		t.Helper()
		for _, s := range sends {
			p.send("%s", s)
		}
		p.expect(want)
	}
	// Cancelled by number and by string; a later message overtakes the call.
	step(`"code":-32800`, `{"jsonrpc":"2.0","id":1,"method":"slow"}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	step(`"code":-32800`, `{"jsonrpc":"2.0","id":"x","method":"slow"}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"x"}}`)
	step(`"stopped"`, `{"jsonrpc":"2.0","id":2,"method":"slow","params":null}`, `{"jsonrpc":"2.0","method":"stop"}`)
	receive(t, "the end of a call", ended)
	receive(t, "the end of a call", ended)
	// Panics are answered, errors have a code, an unknown method too.
	step(`"code":-32603`, `{"jsonrpc":"2.0","method":"panics"}`, `{"jsonrpc":"2.0","id":3,"method":"boom"}`)
	step(`"code":-32603`, `{"jsonrpc":"2.0","id":4,"method":"boomEarly"}`)
	step(`"code":-32803`, `{"jsonrpc":"2.0","id":5,"method":"fail"}`)
	step(`"code":-32601`, `{"jsonrpc":"2.0","id":6,"method":"nope"}`)
	step(`"code":-32602`, `{"jsonrpc":"2.0","id":7,"method":"slow","params":[1]}`)
	step(`"result":null`, `{"jsonrpc":"2.0","id":8,"method":"nothing"}`)
	// Unknown notifications, cancelling what does not run, and what no client should send.
	for _, bad := range []string{
		`{"jsonrpc":"2.0","method":"$/unknown","params":{"x":1}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`,
		`{"jsonrpc":"2.0","method":"stop","params":"x"}`,
		`{"jsonrpc":"2.0",`,
		`]`,
		`null`,
		``,
		`[{"jsonrpc":"2.0","id":1,"method":"nothing"}]`,
		`{"jsonrpc":"2.0","id":1.0,"method":"nothing"}`,
		`{"jsonrpc":"2.0","id":{},"method":"nothing"}`,
		`{"jsonrpc":"1.0","id":1,"method":"nothing"}`,
		`{"jsonrpc":"2.0","id":null,"result":1}`,
		`{"jsonrpc":"2.0","id":4711,"result":1}`,
		`{"jsonrpc":"2.0","id":"4711","error":{"code":1,"message":""}}`,
		"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\xfe\"}",
		`{"jsonrpc":"2.0","method":"stop","params":"` + strings.Repeat("x", 1<<20) + `"}`, // beyond the limit
	} {
		p.send("%s", bad)
	}
	odd := `{"jsonrpc":"2.0","id":9007199254740991,"method":"nothing"}`
	p.raw(fmt.Sprintf("content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s", len(odd), odd))
	p.expect(`"id":9007199254740991,`)
	// A handler may ask the client and wait.
	step(`"result":true`, `{"jsonrpc":"2.0","id":11,"method":"back"}`)
	// The editor dies: whatever runs for it ends.
	p.send(`{"jsonrpc":"2.0","id":12,"method":"slow"}`)
	p.send(`{"jsonrpc":"2.0","id":13,"method":"nothing"}`)
	p.expect(`"id":13`) // slow is running now
	_ = p.conn.Close()
	if err := receive(t, "the end of a call whose editor is gone", ended); err == nil {
		t.Error("the call was not cancelled")
	}
	receive(t, "the end of the connection", done)
}

// FuzzStream checks that no bytes make the reader panic, hang or hold more than its limit, and that
// a good message behind a whole bad one is still read.
func FuzzStream(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0"`))
	f.Add([]byte("[]"))
	f.Add([]byte{0, 0xff, '{', '}'})
	f.Fuzz(func(t *testing.T, body []byte) {
		good := `{"jsonrpc":"2.0","method":"good"}`
		text := fmt.Sprintf("Content-Length: %d\r\n\r\n%sContent-Length: %d\r\n\r\n%s", len(body), body, len(good), good)
		log := slog.New(slog.DiscardHandler)
		s := newStream(Streams(strings.NewReader(text), io.Discard), log, func() {})
		s.max = 1 << 16
		for {
			msg, _, err := s.Read(t.Context())
			if err != nil {
				t.Fatalf("the good message was not read: %v", err)
			}
			if m, ok := msg.(*jsonrpc2.Notification); ok && m.Method() == "good" {
				break
			}
		}
		s = newStream(Streams(strings.NewReader(string(body)), io.Discard), log, func() {})
		for {
			if _, _, err := s.Read(t.Context()); err != nil {
				break
			}
		}
	})
}

func TestBrokenFrames(t *testing.T) {
	for _, text := range []string{
		"", "\r\n", "Content-Length: 5\r\n\r\n{}", "Content-Length: x\r\n\r\n{}", "Content-Length: -1\r\n\r\n",
		"no header\r\n\r\n", "X: y\r\n\r\n{}", "Content-Length: 99999999999999999999\r\n\r\n", strings.Repeat("x", 1<<17),
		"Content-Length: 1000000\r\n\r\n{}",
	} {
		hungUp := false
		s := newStream(Streams(strings.NewReader(text), io.Discard), slog.New(slog.DiscardHandler), func() { hungUp = true })
		s.max = 1000
		if msg, _, err := s.Read(t.Context()); err == nil || !hungUp {
			t.Errorf("%.40q: message %v, hang-up %v", text, msg, hungUp)
		}
	}
}
