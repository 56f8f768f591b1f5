package wire

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"coauthor/lsp/lsptest"
)

// startCaller connects a caller to a client that answers with serve. sent counts the requests that came.
func startCaller(t *testing.T, serve func(method string, params json.RawMessage) (any, error)) (c *Caller, p *lsptest.Peer, sent *atomic.Int32, hangup func()) {
	t.Helper()
	a, b := net.Pipe()
	session, cancel := context.WithCancel(t.Context())
	log := slog.New(slog.DiscardHandler)
	conn := jsonrpc2.NewConn(NewStream(a, log, cancel))
	p = lsptest.NewPeer(t, b)
	sent = new(atomic.Int32)
	p.Serve = func(method string, params json.RawMessage) (any, error) {
		sent.Add(1)
		return serve(method, params)
	}
	c = NewCaller(session)
	c.Connect(conn)
	conn.Go(context.Background(), func(context.Context, *jsonrpc2.Request) (any, error) { return nil, nil })
	return c, p, sent, cancel
}

// A request goes out while the client may be asked, and no longer; nothing hangs on it.
func TestWhenRequestsAreSent(t *testing.T) {
	release := make(chan struct{})
	arrived := make(chan string, 4) // one for each request
	c, _, sent, hangup := startCaller(t, func(method string, _ json.RawMessage) (any, error) {
		arrived <- method
		<-release
		return 7, nil
	})
	ctx := t.Context()
	if err := c.Call(ctx, "early", nil, nil); !errors.Is(err, ErrUnsupported) || c.IsOpen() {
		t.Errorf("before the start: %v", err)
	}
	c.Open()
	if err := c.Call(ctx, "broken", make(chan int), nil); err == nil || errors.Is(err, ErrUnsupported) {
		t.Errorf("what cannot be written: %v", err)
	}
	var got int
	answered := make(chan error, 1)
	go func() { answered <- c.Call(ctx, "asked", nil, &got) }()
	if method := lsptest.Receive(t, "the request", arrived); method != "asked" {
		t.Errorf("%s came", method)
	}
	lsptest.Within(t, "the end of the sending", c.Shut) // it does not wait for answers
	if err := c.Call(ctx, "late", nil, nil); !errors.Is(err, ErrUnsupported) || c.IsOpen() {
		t.Errorf("after the end: %v", err)
	}
	close(release)
	if err := lsptest.Receive(t, "the answer", answered); err != nil || got != 7 {
		t.Errorf("%d, %v", got, err)
	}
	if sent.Load() != 1 {
		t.Errorf("%d requests were sent", sent.Load())
	}
	hangup()
}

// A call waits for its answer no longer than its context and the connection last.
func TestWhoWaitsForAnswers(t *testing.T) {
	arrived := make(chan string, 4)
	c, _, _, hangup := startCaller(t, func(method string, _ json.RawMessage) (any, error) {
		arrived <- method
		return nil, lsptest.ErrSilent
	})
	c.Open()
	for _, end := range []string{"the call's own", "the connection's"} {
		ctx, cancel := context.WithCancel(t.Context())
		answered := make(chan error, 1)
		go func() { answered <- c.Call(ctx, "asked", nil, nil) }()
		lsptest.Receive(t, "the request", arrived)
		if end == "the call's own" {
			cancel()
		} else {
			hangup()
		}
		if err := lsptest.Receive(t, "the end", answered); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", end, err)
		}
		cancel()
	}
	ctx, release := c.WithSession(t.Context())
	lsptest.Receive(t, "the end of the session", ctx.Done())
	release()

	own, cancel := context.WithCancel(t.Context())
	c = NewCaller(own)
	ctx, release = c.WithSession(t.Context())
	if ctx.Err() != nil {
		t.Error("ended with nothing")
	}
	release()
	if ctx.Err() == nil || own.Err() != nil {
		t.Error("not released, or all of the session")
	}
	cancel()
}

// An answer is read as what was asked for; null leaves it, a method that the client does not know is told as that, and
// any other error in the client's own words.
func TestReadingAnswers(t *testing.T) {
	var answer any
	var refused error
	c, p, _, _ := startCaller(t, func(_ string, params json.RawMessage) (any, error) {
		if string(params) != `{"n":3}` {
			t.Errorf("asked with %s", params)
		}
		return answer, refused
	})
	c.Open()
	for _, test := range []struct {
		answer      any
		refused     error
		want        int
		fails       bool
		unsupported bool
		says        string
	}{
		{number{5}, nil, 5, false, false, ""},
		{nil, nil, 1, false, false, ""},
		{json.RawMessage(`{}`), nil, 1, false, false, ""},
		{"text", nil, 1, true, false, ""},
		{nil, &lsptest.ResponseError{Code: -32601, Message: "its own words"}, 1, true, true, ""},
		{nil, &lsptest.ResponseError{Code: -32603, Message: "its own words"}, 1, true, false, "its own words"},
	} {
		answer, refused = test.answer, test.refused
		got := number{1}
		err := c.Call(t.Context(), "ask", number{3}, &got)
		if got.N != test.want || (err != nil) != test.fails || errors.Is(err, ErrUnsupported) != test.unsupported || err != nil && (!strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "ask")) {
			t.Errorf("%+v: %d, %v", test, got.N, err)
		}
		if err := c.Call(t.Context(), "ask", number{3}, nil); (err != nil) != (test.refused != nil) {
			t.Errorf("%+v, for nobody: %v", test, err)
		}
	}
	c.Notify("broken", make(chan int))
	c.Notify("told", number{4})
	if got := p.Next(); !strings.Contains(got, `"told"`) || !strings.Contains(got, `{"n":4}`) || strings.Contains(got, `"id"`) {
		t.Errorf("told %s", got)
	}
}

// What is told is told also while everything ends.
func TestToldAtTheEnd(t *testing.T) {
	session, cancel := context.WithCancel(t.Context())
	a, b := net.Pipe()
	conn := jsonrpc2.NewConn(NewStream(a, slog.New(slog.DiscardHandler), func() {}))
	p := lsptest.NewPeer(t, b)
	c := NewCaller(session)
	c.Connect(conn)
	conn.Go(context.Background(), func(context.Context, *jsonrpc2.Request) (any, error) { return nil, nil })
	c.Open()
	cancel()
	c.Notify("told", nil)
	if got := p.Next(); !strings.Contains(got, `"told"`) {
		t.Errorf("told %s", got)
	}
}

// Before the client has finished its start it is sent messages for its user and its log alone; the rest follows then, in order.
func TestToldWhenItHasBegun(t *testing.T) {
	a, b := net.Pipe()
	conn := jsonrpc2.NewConn(NewStream(a, slog.New(slog.DiscardHandler), func() {}))
	p := lsptest.NewPeer(t, b)
	c := NewCaller(t.Context())
	c.Connect(conn)
	conn.Go(context.Background(), func(context.Context, *jsonrpc2.Request) (any, error) { return nil, nil })
	c.Notify("textDocument/publishDiagnostics", nil)
	c.Notify("coauthor/pending", nil)
	c.Notify("window/showMessage", nil)
	c.Notify("window/logMessage", nil)
	c.Open()
	c.Notify("coauthor/turn", nil)
	for _, want := range []string{"window/showMessage", "window/logMessage", "textDocument/publishDiagnostics", "coauthor/pending", "coauthor/turn"} {
		if got := p.Next(); !strings.Contains(got, `"`+want+`"`) {
			t.Errorf("told %s, want %s", got, want)
		}
	}
}
