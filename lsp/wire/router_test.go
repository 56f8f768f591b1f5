package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"

	"coauthor/lsp/lsptest"
)

// router starts a router over a pipe and returns the other end.
func startRouter(t *testing.T, fill func(*Router, jsonrpc2.Conn)) (*lsptest.Peer, <-chan struct{}) {
	t.Helper()
	a, b := net.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	log := slog.New(slog.DiscardHandler)
	r := NewRouter(ctx, log)
	r.Enter(Running)
	OnNote(r, "$/cancelRequest", r.Cancel)
	s := NewStream(a, log, cancel)
	s.max = 1 << 20
	conn := jsonrpc2.NewConn(s)
	fill(r, conn)
	conn.Go(context.Background(), r.Handle)
	return lsptest.NewPeer(t, b), conn.Done()
}

type number struct {
	N int `json:"n"`
}

func TestNotificationsKeepTheirOrder(t *testing.T) {
	var last int
	var bad []int
	p, _ := startRouter(t, func(r *Router, _ jsonrpc2.Conn) {
		OnNote(r, "count", func(ctx context.Context, p *number) error {
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
		OnCall(r, "last", func(*Empty) int { return last }, func(_ context.Context, _ *Empty, n int) (any, error) { return n, nil })
	})
	const n = 2000
	go func() {
		for i := 1; i <= n; i++ {
			p.Send(`{"jsonrpc":"2.0","method":"count","params":{"n":%d}}`, i)
			if i%100 == 0 {
				p.Send(`{"jsonrpc":"2.0","id":"s%d","method":"last"}`, i)
			}
		}
	}()
	for range n / 100 {
		s := p.Next()
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
	p, done := startRouter(t, func(r *Router, conn jsonrpc2.Conn) {
		OnCall(r, "slow", None, func(ctx context.Context, _ *number, _ struct{}) (any, error) {
			select {
			case <-ctx.Done():
				ended <- ctx.Err()
				return nil, fmt.Errorf("slow: %w", ctx.Err())
			case <-stop:
				return "stopped", nil
			}
		})
		OnNote(r, "stop", func(context.Context, *Empty) error { stop <- struct{}{}; return nil })
		OnNote(r, "panics", func(context.Context, *Empty) error { panic("note") })
		OnCall(r, "boom", None, func(context.Context, *Empty, struct{}) (any, error) { panic("call") })
		OnCall(r, "boomEarly", func(*Empty) int { panic("capture") }, func(context.Context, *Empty, int) (any, error) { return nil, nil })
		OnCall(r, "fail", None, func(context.Context, *Empty, struct{}) (any, error) { return nil, io.ErrNoProgress })
		OnCall(r, "nothing", None, func(context.Context, *Empty, struct{}) (any, error) { return nil, nil })
		OnCall(r, "back", None, func(ctx context.Context, _ *Empty, _ struct{}) (any, error) {
			var answer bool
			_, err := conn.Call(ctx, "ask", nil, &answer)
			return answer, err
		})
	})
	p.Answer = func(string, json.RawMessage) string { return "true" }
	step := func(want string, sends ...string) {
		t.Helper()
		for _, s := range sends {
			p.Send("%s", s)
		}
		p.Expect(want)
	}
	// Cancelled by number and by string; a later message overtakes the call.
	step(`"code":-32800`, `{"jsonrpc":"2.0","id":1,"method":"slow"}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
	step(`"code":-32800`, `{"jsonrpc":"2.0","id":"x","method":"slow"}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"x"}}`)
	step(`"stopped"`, `{"jsonrpc":"2.0","id":2,"method":"slow","params":null}`, `{"jsonrpc":"2.0","method":"stop"}`)
	lsptest.Receive(t, "the end of a call", ended)
	lsptest.Receive(t, "the end of a call", ended)
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
		p.Send("%s", bad)
	}
	odd := `{"jsonrpc":"2.0","id":9007199254740991,"method":"nothing"}`
	p.Raw(fmt.Sprintf("content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n%s", len(odd), odd))
	p.Expect(`"id":9007199254740991,`)
	// A handler may ask the client and wait.
	step(`"result":true`, `{"jsonrpc":"2.0","id":11,"method":"back"}`)
	// The editor dies: whatever runs for it ends.
	p.Send(`{"jsonrpc":"2.0","id":12,"method":"slow"}`)
	p.Send(`{"jsonrpc":"2.0","id":13,"method":"nothing"}`)
	p.Expect(`"id":13`) // slow is running now
	_ = p.Conn.Close()
	if err := lsptest.Receive(t, "the end of a call whose editor is gone", ended); err == nil {
		t.Error("the call was not cancelled")
	}
	lsptest.Receive(t, "the end of the connection", done)
}

// What goes wrong has the code that clients expect.
func TestCodesOfErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want jsonrpc2.Code
	}{
		{errors.New("x"), CodeRequestFailed},
		{fmt.Errorf("x: %w", context.Canceled), -32800},
		{fmt.Errorf("x: %w", jsonrpc2.NewError(jsonrpc2.InvalidParams, "y")), jsonrpc2.InvalidParams},
	} {
		var wire *jsonrpc2.Error
		if got := wireError(c.err); !errors.As(got, &wire) || wire.Code != c.want {
			t.Errorf("%v goes out as %v, want %d", c.err, got, c.want)
		}
	}
	if wireError(nil) != nil {
		t.Error("no error goes out as one")
	}
	withData := jsonrpc2.NewError(1, "x")
	withData.Data = jsonrpc2.RawMessage(`7`)
	var wire *jsonrpc2.Error
	if !errors.As(wireError(withData), &wire) || string(wire.Data) != "7" {
		t.Errorf("%+v", wire)
	}
	for raw, want := range map[string]int{`{"n":7}`: 7, `{"n":"x"}`: 0, `null`: 0, ``: 0} {
		var v number
		if err := Decode([]byte(raw), &v); err != nil || v.N != want {
			t.Errorf("%s: %+v, %v", raw, v, err)
		}
	}
	for _, raw := range []string{`{`, `[1]`, `7`} {
		var v number
		var wire *jsonrpc2.Error
		if err := Decode([]byte(raw), &v); !errors.As(err, &wire) || wire.Code != jsonrpc2.InvalidParams {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// What comes behind initialize waits for it, whatever it is; other calls wait for none. A call that has ended is forgotten.
func TestOrderOfCalls(t *testing.T) {
	free, began := make(chan struct{}), make(chan struct{}, 1)
	var r *Router
	notes := make(chan string, 10)
	p, _ := startRouter(t, func(made *Router, _ jsonrpc2.Conn) {
		r = made
		r.Enter(Fresh)
		OnCall(r, "initialize", None, func(context.Context, *Empty, struct{}) (any, error) {
			began <- struct{}{}
			<-free
			r.Enter(Running)
			return json.RawMessage(`{"raw":true}`), nil
		})
		OnCall(r, "wait", None, func(ctx context.Context, _ *Empty, _ struct{}) (any, error) { <-ctx.Done(); return nil, ctx.Err() })
		OnCall(r, "quick", None, func(context.Context, *Empty, struct{}) (any, error) { return map[string]int{"n": 1}, nil })
		OnCall(r, "bad", None, func(context.Context, *Empty, struct{}) (any, error) { return make(chan int), nil })
		OnNote(r, "note", func(context.Context, *Empty) error { notes <- "note"; return nil })
		OnNote(r, "fails", func(context.Context, *Empty) error { return io.ErrNoProgress })
		OnNote(r, "exit", func(context.Context, *Empty) error { notes <- "exit"; return nil })
	})
	p.Send(`{"jsonrpc":"2.0","id":1,"method":"quick"}`)
	p.Expect(`"id":1,`, `-32002`)
	p.Send(`{"jsonrpc":"2.0","method":"note"}`) // dropped
	p.Send(`{"jsonrpc":"2.0","method":"exit"}`)
	if got := lsptest.Receive(t, "the exit", notes); got != "exit" {
		t.Errorf("received %s before initialize", got)
	}
	// In one piece: nothing more is read before initialize has its answer.
	p.Raw(framed(`{"jsonrpc":"2.0","id":2,"method":"initialize"}`) + framed(`{"jsonrpc":"2.0","method":"note"}`) + framed(`{"jsonrpc":"2.0","id":3,"method":"quick"}`))
	lsptest.Receive(t, "the start", began)
	select {
	case got := <-notes:
		t.Errorf("%s overtook initialize", got)
	case got := <-p.In:
		t.Errorf("%s overtook initialize", got)
	case <-time.After(20 * time.Millisecond): // in which one that overtakes would be here
	}
	close(free)
	for range 2 {
		if got := p.Next(); !strings.Contains(got, `"id":2,"result":{"raw":true}`) && !strings.Contains(got, `"id":3,"result":{"n":1}`) {
			t.Error(got)
		}
	}
	lsptest.Receive(t, "the note", notes)
	p.Send(`{"jsonrpc":"2.0","id":4,"method":"initialize"}`)
	p.Expect(`"id":4,`, `-32600`)
	// A result that is none is an error, and so is a note that fails; both harm nothing.
	p.Send(`{"jsonrpc":"2.0","id":5,"method":"bad"}`)
	p.Expect(`"id":5,`, `-32603`, "bad")
	p.Send(`{"jsonrpc":"2.0","method":"fails"}`)
	// Each cancel ends its own call, and no other one.
	for i := range 20 {
		p.Send(`{"jsonrpc":"2.0","id":%d,"method":"wait"}`, 100+i)
		p.Send(`{"jsonrpc":"2.0","id":"%s","method":"wait"}`, strings.Repeat("x", i+1))
	}
	for _, i := range []int{13, 2, 19, 0, 7} {
		p.Send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`, 100+i)
		p.Expect(fmt.Sprintf(`"id":%d,`, 100+i), `-32800`)
		p.Send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"%s"}}`, strings.Repeat("x", i+1))
		p.Expect(fmt.Sprintf(`"id":"%s",`, strings.Repeat("x", i+1)), `-32800`)
	}
	p.Send(`{"jsonrpc":"2.0","id":6,"method":"quick"}`)
	p.Expect(`"id":6,`)
	for end := time.Now().Add(lsptest.Hung); ; time.Sleep(time.Millisecond) { // an answer goes out before its call is forgotten
		r.mu.Lock()
		left := len(r.running)
		r.mu.Unlock()
		if left == 30 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d calls are remembered, 30 run", left)
		}
	}
	r.Enter(ShutDown)
	p.Send(`{"jsonrpc":"2.0","id":7,"method":"quick"}`)
	p.Expect(`"id":7,`, `-32600`)
	p.Send(`{"jsonrpc":"2.0","method":"note"}`)
	p.Send(`{"jsonrpc":"2.0","method":"exit"}`)
	if got := lsptest.Receive(t, "the exit", notes); got != "exit" {
		t.Errorf("%s was taken after shutdown", got)
	}
}

// TestACancelThatNamesNoCall: null read as a number is 0, which is the first request of many clients.
func TestACancelThatNamesNoCall(t *testing.T) {
	stop := make(chan struct{})
	p, _ := startRouter(t, func(r *Router, _ jsonrpc2.Conn) {
		OnCall(r, "untilStop", None, func(ctx context.Context, _ *Empty, _ struct{}) (any, error) {
			select {
			case <-stop:
			case <-ctx.Done():
			}
			return ctx.Err() == nil, nil // how it was when it ended
		})
		OnNote(r, "stop", func(context.Context, *Empty) error { close(stop); return nil })
	})
	p.Send(`{"jsonrpc":"2.0","id":0,"method":"untilStop"}`)
	p.Send(`{"jsonrpc":"2.0","id":"","method":"untilStop"}`)
	for _, params := range []string{
		`{"id":null}`, `{}`, `null`, `{"id":false}`, `{"id":[]}`, `{"id":[0]}`, `{"id":{}}`, `{"id":0.5}`, `{"id":"0"}`, `{"id": null }`, `[]`, `""`,
	} {
		p.Send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":%s}`, params)
	}
	p.Send(`{"jsonrpc":"2.0","method":"$/cancelRequest"}`)
	p.Send(`{"jsonrpc":"2.0","method":"stop"}`)
	for range 2 {
		p.Expect(`"result":true`)
	}
}

func TestZeroAndTheEmptyStringNameCalls(t *testing.T) {
	p, _ := startRouter(t, func(r *Router, _ jsonrpc2.Conn) {
		OnCall(r, "wait", None, func(ctx context.Context, _ *Empty, _ struct{}) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
	})
	for _, id := range []string{`0`, `""`, `-1`, `"null"`} {
		p.Send(`{"jsonrpc":"2.0","id":%s,"method":"wait"}`, id)
		p.Send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%s}}`, id)
		p.Expect(`"id":`+id, `"code":-32800`)
	}
}

// A log that holds everything says how long each message took, counted from when it came; another one does not ask.
func TestHowLongMessagesTook(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo} {
		var log strings.Builder
		asked := 0
		p, _ := startRouter(t, func(r *Router, _ jsonrpc2.Conn) {
			r.log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level}))
			r.Arrived = func() time.Time { asked++; return time.Now().Add(-time.Hour) }
			OnNote(r, "told", func(context.Context, *Empty) error { return nil })
			OnNote(r, "broken", func(context.Context, *Empty) error { return errors.New("no") })
			OnCall(r, "ask", None, func(context.Context, *Empty, struct{}) (any, error) { return 1, nil })
		})
		for _, method := range []string{"told", "broken", "nothing"} {
			p.Send(`{"jsonrpc":"2.0","method":%q}`, method)
		}
		p.Send(`{"jsonrpc":"2.0","id":1,"method":"ask"}`)
		p.Next()
		var got []string
		for line := range strings.Lines(log.String()) {
			if _, said, ok := strings.Cut(line, "level=DEBUG msg="); ok && strings.Contains(said, " took=1h0m0") {
				what, _, _ := strings.Cut(said, " took=")
				got = append(got, what)
			}
		}
		want := []string{`"notification done" method=told`, `"notification done" method=broken`, `"request done" method=ask`}
		if level == slog.LevelInfo {
			want = nil
		}
		if !slices.Equal(got, want) || (asked > 0) != (level == slog.LevelDebug) {
			t.Errorf("at %s: %q, want %q; asked %d times\n%s", level, got, want, asked, log.String())
		}
	}
}

// What comes in one piece came at one time, whenever it is taken up.
func TestWhenMessagesArrived(t *testing.T) {
	first, second := `{"jsonrpc":"2.0","method":"a"}`, `{"jsonrpc":"2.0","method":"b"}`
	a, b := net.Pipe()
	s := NewStream(a, slog.New(slog.DiscardHandler), func() {})
	begin := time.Now()
	go func() {
		_, _ = fmt.Fprintf(b, "Content-Length: %d\r\n\r\n%sContent-Length: %d\r\n\r\n%s", len(first), first, len(second), second)
		_, _ = fmt.Fprintf(b, "Content-Length: %d\r\n\r\n%s", len(second), second)
	}()
	var at []time.Time
	for range 3 {
		if _, _, err := s.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		at = append(at, s.Arrived())
	}
	if at[0].Before(begin) || !at[0].Equal(at[1]) || !at[2].After(at[1]) {
		t.Errorf("began %v, arrived %v", begin, at)
	}
}
