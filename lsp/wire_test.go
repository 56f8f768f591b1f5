package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
)

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
	s := newStream(c, slog.New(slog.DiscardHandler), func() { hungUp <- struct{}{} })
	queued := 0
	ctx := context.WithValue(t.Context(), queuedKey{}, func() { queued++ })
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
	s := newStream(c, slog.New(slog.DiscardHandler), func() { hungUp <- struct{}{} })
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
	receive(t, "the end", hungUp)
	if _, err := s.Write(t.Context(), notification("n", `{}`)); err == nil {
		t.Error("one more was queued")
	}
}

// broken is a client to which nothing can be written.
type broken struct{ *stuck }

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAClientThatCannotBeWrittenTo(t *testing.T) {
	hungUp := make(chan struct{}, 10)
	s := newStream(broken{&stuck{free: make(chan struct{})}}, slog.New(slog.DiscardHandler), func() { hungUp <- struct{}{} })
	if _, err := s.Write(t.Context(), notification("n", `{}`)); err != nil {
		t.Fatal(err)
	}
	receive(t, "the end", hungUp)
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
		{fmt.Sprintf("X: %s\r\nContent-Length: %d\r\n\r\n%s", strings.Repeat("x", maxHeader), len(body("a", 0)), body("a", 0)), "", errFrame},
		{strings.Repeat("X: y\r\n", maxHeader/6+2), "", errFrame},
		{fmt.Sprintf("Content-Length: %d\r\n\r\n%s", limit, body("a", limit)), "a", io.EOF},
		{fmt.Sprintf("Content-Length: %d\r\n\r\n%sContent-Length: %d\r\n\r\n%s", limit+1, body("a", limit+1), len(body("b", 0)), body("b", 0)), "b", io.EOF},
		{fmt.Sprintf("Content-Length: %d\r\n\r\n%s", limit+1, body("a", limit+1)[:limit]), "", io.ErrUnexpectedEOF},
		{"Content-Length: 0\r\n\r\n" + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body("b", 0)), body("b", 0)), "b", io.EOF},
		{"Content-Length: 5\r\n\r\n{}", "", io.ErrUnexpectedEOF},
		{"Content-Length: 5\r\n", "", io.ErrUnexpectedEOF},
		{"Content-Length: -1\r\n\r\n", "", errFrame},
		{"Content-Length\r\n\r\n", "", errFrame},
		{"X: y\r\n\r\n", "", errFrame},
		{"", "", io.EOF},
	} {
		hungUp := 0
		s := newStream(Streams(strings.NewReader(c.text), io.Discard), slog.New(slog.DiscardHandler), func() { hungUp++ })
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
		if told := len(s.unframed) == 1; told != errors.Is(c.err, errFrame) {
			t.Errorf("%.60q: told as a broken header: %v", c.text, told)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := newStream(Streams(strings.NewReader("Content-Length: 2\r\n\r\n{}"), io.Discard), slog.New(slog.DiscardHandler), func() {})
	if _, _, err := s.Read(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// Lines and characters are whole numbers however a client writes them; what no text has is cut to what fits.
func TestUnits(t *testing.T) {
	for raw, want := range map[string]unit{
		"0": 0, "7": 7, "7.0": 7, "7.9": 7, "-1": 0, "-0.5": 0, "1e3": 1000, "1e300": math.MaxInt32, "4294967295": math.MaxUint32, "4294967296": math.MaxInt32,
	} {
		var u unit
		if err := json.Unmarshal([]byte(raw), &u); err != nil || u != want {
			t.Errorf("%s is %d, %v; want %d", raw, u, err, want)
		}
	}
	for _, raw := range []string{`"7"`, `{}`, `[]`, `true`} {
		var u unit
		if err := json.Unmarshal([]byte(raw), &u); err == nil {
			t.Errorf("%s is %d", raw, u)
		}
	}
	for v, want := range map[float64]int32{0: 0, 3: 3, -2: -2, 1e12: math.MaxInt32, -1e12: math.MinInt32, 2.5: 2} {
		if got := version(v); got != want {
			t.Errorf("version %v is %d, want %d", v, got, want)
		}
	}
}

// What goes wrong has the code that clients expect.
func TestCodesOfErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want jsonrpc2.Code
	}{
		{errors.New("x"), codeRequestFailed},
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
		if err := decode([]byte(raw), &v); err != nil || v.N != want {
			t.Errorf("%s: %+v, %v", raw, v, err)
		}
	}
	for _, raw := range []string{`{`, `[1]`, `7`} {
		var v number
		var wire *jsonrpc2.Error
		if err := decode([]byte(raw), &v); !errors.As(err, &wire) || wire.Code != jsonrpc2.InvalidParams {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

// Warnings and errors reach the client's log too, with what they are about, as soon as it may be told.
func TestLogOfTheClient(t *testing.T) {
	d := newDesk(t, nil, nil)
	var notes []string
	d.note = func(method string, params json.RawMessage) { notes = append(notes, method+string(params)) }
	var own bytes.Buffer
	log := slog.New(&clientLog{next: slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelInfo}), client: d.s.client})
	log = log.With("first", 1).WithGroup("g").With("second", 2)
	log.Debug("quiet")
	log.Info("plain", "k", "v")
	if len(notes) != 0 || strings.Contains(own.String(), "quiet") || !strings.Contains(own.String(), "plain") {
		t.Errorf("told %q, logged %q", notes, own.String())
	}
	log.Warn("careful", "k", "v", "stack", "deep")
	log.Error("broken")
	if len(notes) != 2 {
		t.Fatalf("told %q", notes)
	}
	mustHold(t, notes[0], "window/logMessage", `"type":2`, "careful", "first=1", "g.second=2", "g.k=v")
	mustHold(t, notes[1], "window/logMessage", `"type":1`, "broken")
	if strings.Contains(notes[0], "deep") {
		t.Errorf("told %q", notes[0])
	}
	mustHold(t, own.String(), "careful", "g.stack=deep", "broken", "first=1", "g.second=2")
	d.s.client.open.Store(false)
	log.Error("before the start")
	mustHold(t, own.String(), "before the start")
	if len(notes) != 2 {
		t.Errorf("told too early: %q", notes[2:])
	}
	silent := slog.New(&clientLog{next: slog.DiscardHandler, client: d.s.client})
	if !silent.Enabled(t.Context(), slog.LevelWarn) || silent.Enabled(t.Context(), slog.LevelInfo) {
		t.Error("a server without a log of its own tells the client nothing, or all")
	}
}

// A gauge counts what runs, and those who wait go on when nothing does, or when they give up.
func TestGauge(t *testing.T) {
	var g gauge
	g.wait(t.Context()) // nothing runs
	for range 2 {
		if !g.add() {
			t.Fatal("nothing may begin")
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	g.wait(gone)
	free := make(chan struct{}, 2)
	for range 2 {
		go func() { g.wait(context.Background()); free <- struct{}{} }()
	}
	g.done()
	select {
	case <-free:
		t.Error("one still runs")
	case <-time.After(10 * time.Millisecond): // in which one that does not wait would be here
	}
	g.close()
	if g.add() {
		t.Error("more began after the close")
	}
	g.done()
	receive(t, "the first", free)
	receive(t, "the second", free)
	g.wait(t.Context())
}

// Only who brings the token is served, on an address of this machine alone.
func TestListen(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":0", "example.org:0", "127.0.0.1", "192.0.2.1:0", "[::]:0"} {
		if c, err := ListenTCP(t.Context(), addr, "t", nil); err == nil || c != nil {
			t.Errorf("%s is served", addr)
		}
	}
	if _, err := ListenTCP(t.Context(), "127.0.0.1:0", "", nil); err == nil {
		t.Error("nobody needs a token")
	}
	address := make(chan string, 1)
	type served struct {
		conn io.ReadWriteCloser
		err  error
	}
	found := make(chan served, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		conn, err := ListenTCP(ctx, "localhost:0", "secret", func(addr string) { address <- addr })
		found <- served{conn, err}
	}()
	addr := receive(t, "the address", address)
	first := func(method, id, token string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0",%s"method":%q,"params":{"initializationOptions":{"token":%q}}}`, id, method, token)
	}
	for _, c := range []struct{ text, want string }{
		{first("initialize", `"id":7,`, "wrong"), `"id":7,`},
		{first("initialize", `"id":"x",`, ""), `"id":"x",`},
		{first("initialize", ``, "secre"), `"id":null,`},
		{first("shutdown", `"id":8,`, "secret"), `"id":8,`},
		{`{`, `"id":null,`},
		{`GET / HTTP/1.1`, ""},
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(c.text), c.text)
		if c.want == "" {
			text = c.text + "\r\n\r\n"
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		if err := conn.SetDeadline(time.Now().Add(hung)); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil || c.want != "" && (!strings.Contains(string(answer), c.want) || !strings.Contains(string(answer), "-32600")) || c.want == "" && len(answer) != 0 {
			t.Errorf("%s is answered %q, %v", c.text, answer, err)
		}
		_ = conn.Close()
	}
	if len(found) != 0 {
		t.Fatal("somebody without the token is served")
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	hello := first("initialize", `"id":1,`, "secret")
	frame := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(hello), hello)
	if _, err := io.WriteString(conn, frame+"more"); err != nil {
		t.Fatal(err)
	}
	got := receive(t, "the client", found)
	if got.err != nil {
		t.Fatal(got.err)
	}
	defer func() { _ = got.conn.Close() }()
	read := make([]byte, len(frame)+4)
	if _, err := io.ReadFull(got.conn, read); err != nil || string(read) != frame+"more" {
		t.Errorf("the server reads %q, %v", read, err)
	}
	if _, err := io.WriteString(got.conn, "hello"); err != nil {
		t.Error(err)
	}
	back := make([]byte, 5)
	if _, err := io.ReadFull(conn, back); err != nil || string(back) != "hello" {
		t.Errorf("the client reads %q, %v", back, err)
	}
	if late, err := net.Dial("tcp", addr); err == nil {
		_ = late.Close()
		t.Error("a second client was let in")
	}
	gone, stop := context.WithCancel(t.Context())
	ready := make(chan string, 1)
	go func() {
		conn, err := ListenTCP(gone, "127.0.0.1:0", "t", func(addr string) { ready <- addr })
		found <- served{conn, err}
	}()
	receive(t, "the address", ready)
	stop()
	if got := receive(t, "the end", found); !errors.Is(got.err, context.Canceled) {
		t.Errorf("stopped: %v", got.err)
	}
}
