package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"coauthor/lsp/lsptest"
)

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
		s := NewStream(Streams(strings.NewReader(text), io.Discard), log, func() {})
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
		s = NewStream(Streams(strings.NewReader(string(body)), io.Discard), log, func() {})
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
		s := NewStream(Streams(strings.NewReader(text), io.Discard), slog.New(slog.DiscardHandler), func() { hungUp = true })
		s.max = 1000
		if msg, _, err := s.Read(t.Context()); err == nil || !hungUp {
			t.Errorf("%.40q: message %v, hang-up %v", text, msg, hungUp)
		}
	}
}

// stuck is a client that reads nothing until it is let go.
type stuck struct {
	free chan struct{}
	mu   sync.Mutex
	got  bytes.Buffer // guarded by mu
	gone bool         // guarded by mu; closed
}

func (s *stuck) Read([]byte) (int, error) { <-s.free; return 0, io.EOF }

func (s *stuck) Write(p []byte) (int, error) {
	<-s.free
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.Write(p)
}

func (s *stuck) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = true
	return nil
}

func notification(method, params string) jsonrpc2.Message {
	return jsonrpc2.NewNotification(method, jsonrpc2.RawMessage(params))
}

// Nobody waits for a client that does not read: messages are queued, in order, and are all sent when it does read. One
// that leaves too much unread counts as gone, and so does one that cannot be written to.
func TestWritingNeverWaits(t *testing.T) {
	c := &stuck{free: make(chan struct{})}
	hungUp := make(chan struct{}, 10)
	s := NewStream(c, slog.New(slog.DiscardHandler), func() { hungUp <- struct{}{} })
	queued := 0
	ctx := whenQueued(t.Context(), func() { queued++ })
	want := ""
	for i := range 200 {
		n, err := s.Write(ctx, notification("n", fmt.Sprintf(`{"i":%d}`, i)))
		body := fmt.Sprintf(`{"jsonrpc":"2.0","method":"n","params":{"i":%d}}`, i)
		frame := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
		if want += frame; err != nil || int(n) != len(frame) {
			t.Fatalf("%d bytes, %v; want %d", n, err, len(frame))
		}
	}
	if queued != 200 {
		t.Errorf("told of %d messages that they are queued", queued)
	}
	close(c.free)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.got.String() != want || !c.gone {
		t.Errorf("closed %v, and got\n%q, want\n%q", c.gone, c.got.String(), want)
	}
	if _, err := s.Write(ctx, notification("late", `{}`)); err == nil || queued != 201 {
		t.Errorf("written behind the end: %v, %d", err, queued)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
	if len(hungUp) != 0 {
		t.Error("a client that reads late was taken for gone")
	}
}

func TestAClientThatReadsNothing(t *testing.T) {
	c := &stuck{free: make(chan struct{})}
	defer close(c.free)
	hungUp := make(chan struct{}, 10)
	s := NewStream(c, slog.New(slog.DiscardHandler), func() { hungUp <- struct{}{} })
	s.room = 10_000
	size, sent := int64(0), 0
	for ; sent < 10_000; sent++ {
		n, err := s.Write(t.Context(), notification("n", `{}`))
		if err != nil {
			break
		}
		size += n
	}
	if size < 10_000 || size > 20_200 { // the writer may have taken as much as there was
		t.Errorf("%d bytes were queued", size)
	}
	lsptest.Receive(t, "the end", hungUp)
	if _, err := s.Write(t.Context(), notification("n", `{}`)); err == nil {
		t.Error("one more was queued")
	}
}

// broken is a client to which nothing can be written.
type broken struct{ *stuck }

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAClientThatCannotBeWrittenTo(t *testing.T) {
	hungUp := make(chan struct{}, 10)
	s := NewStream(broken{&stuck{free: make(chan struct{})}}, slog.New(slog.DiscardHandler), func() { hungUp <- struct{}{} })
	if _, err := s.Write(t.Context(), notification("n", `{}`)); err != nil {
		t.Fatal(err)
	}
	lsptest.Receive(t, "the end", hungUp)
	if _, err := s.Write(t.Context(), notification("n", `{}`)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

// A message is read if its header says how long it is, however that is written, and if it is not too long; those
// around one that is skipped are read.
func TestHeaders(t *testing.T) {
	body := func(method string, size int) string {
		b := fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":""}`, method)
		return strings.Replace(b, `""`, `"`+strings.Repeat("x", max(0, size-len(b)))+`"`, 1)
	}
	const limit = 1000
	for _, c := range []struct {
		text string
		want string // the methods that are read
		err  error  // that ends the reading
	}{
		{"Content-Length: 33\r\n\r\n" + body("a", 0)[:33], "", io.EOF},
		{fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body("a", 0)), body("a", 0)), "a", io.EOF},
		{fmt.Sprintf("content-length:%d\n\n%s", len(body("a", 0)), body("a", 0)), "a", io.EOF},
		{fmt.Sprintf("\r\n\r\n\nCONTENT-LENGTH : %d \r\nContent-Type: x\r\n\r\n%s", len(body("a", 0)), body("a", 0)), "a", io.EOF},
		{fmt.Sprintf("X: %s\r\nContent-Length: %d\r\n\r\n%s", strings.Repeat("x", maxHeader-200), len(body("a", 0)), body("a", 0)), "a", io.EOF},
		{fmt.Sprintf("X: %s\r\nContent-Length: %d\r\n\r\n%s", strings.Repeat("x", maxHeader), len(body("a", 0)), body("a", 0)), "", ErrFrame},
		{strings.Repeat("X: y\r\n", maxHeader/6+2), "", ErrFrame},
		{fmt.Sprintf("Content-Length: %d\r\n\r\n%s", limit, body("a", limit)), "a", io.EOF},
		{fmt.Sprintf("Content-Length: %d\r\n\r\n%sContent-Length: %d\r\n\r\n%s", limit+1, body("a", limit+1), len(body("b", 0)), body("b", 0)), "b", io.EOF},
		{fmt.Sprintf("Content-Length: %d\r\n\r\n%s", limit+1, body("a", limit+1)[:limit]), "", io.ErrUnexpectedEOF},
		{"Content-Length: 0\r\n\r\n" + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body("b", 0)), body("b", 0)), "b", io.EOF},
		{"Content-Length: 5\r\n\r\n{}", "", io.ErrUnexpectedEOF},
		{"Content-Length: 5\r\n", "", io.ErrUnexpectedEOF},
		{"Content-Length: -1\r\n\r\n", "", ErrFrame},
		{"Content-Length\r\n\r\n", "", ErrFrame},
		{"X: y\r\n\r\n", "", ErrFrame},
		{"", "", io.EOF},
	} {
		hungUp := 0
		s := NewStream(Streams(strings.NewReader(c.text), io.Discard), slog.New(slog.DiscardHandler), func() { hungUp++ })
		s.max = limit
		var got []string
		var end error
		for {
			m, n, err := s.Read(t.Context())
			if end = err; err != nil {
				break
			}
			if note, ok := m.(*jsonrpc2.Notification); ok {
				got = append(got, note.Method())
			}
			if n <= 0 || n > int64(len(c.text)) {
				t.Errorf("%.60q: %d bytes were read", c.text, n)
			}
		}
		if strings.Join(got, " ") != c.want || !errors.Is(end, c.err) || hungUp != 1 {
			t.Errorf("%.60q: read %q, %v, hung up %d times", c.text, got, end, hungUp)
		}
		if told := len(s.unframed) == 1; told != errors.Is(c.err, ErrFrame) {
			t.Errorf("%.60q: told as a broken header: %v", c.text, told)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := NewStream(Streams(strings.NewReader("Content-Length: 2\r\n\r\n{}"), io.Discard), slog.New(slog.DiscardHandler), func() {})
	if _, _, err := s.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// framed is a message as it stands on the wire.
func framed(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// One large message is not kept for ever, neither of those that are read nor of those that are written.
func TestLargeMessagesAreLetGo(t *testing.T) {
	large := fmt.Sprintf(`{"jsonrpc":"2.0","method":"large","params":{"x":"%s"}}`, strings.Repeat("x", 9<<20))
	small := `{"jsonrpc":"2.0","method":"small"}`
	s := NewStream(Streams(strings.NewReader(framed(large)+framed(small)+framed(small)), io.Discard), slog.New(slog.DiscardHandler), func() {})
	for i, want := range []string{"large", "small", "small"} {
		m, _, err := s.Read(t.Context())
		if err != nil || m.(*jsonrpc2.Notification).Method() != want {
			t.Fatalf("%d: %v, %v", i, m, err)
		}
	}
	if cap(s.body) > 1<<20 {
		t.Errorf("%d bytes are kept of what was read", cap(s.body))
	}
	if _, err := s.Write(t.Context(), notification("large", `{"x":"`+strings.Repeat("x", 9<<20)+`"}`)); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	kept := cap(s.message)
	s.mu.Unlock()
	if kept > 8<<20 {
		t.Errorf("%d bytes are kept of what was written", kept)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A client that does not read what is left for it holds nobody up for long at the end.
func TestTheEndWaitsForNobody(t *testing.T) {
	t.Parallel()
	c := &stuck{free: make(chan struct{})}
	defer close(c.free)
	s := NewStream(c, slog.New(slog.DiscardHandler), func() {})
	if _, err := s.Write(t.Context(), notification("n", `{}`)); err != nil {
		t.Fatal(err)
	}
	lsptest.Within(t, "the close", func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.gone {
		t.Error("the connection is open")
	}
}
