package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/lsp/lsptest"
)

// ended notes that it was closed.
type ending struct {
	io.Reader
	io.Writer
	closed int
	err    error
}

func (e *ending) Close() error { e.closed++; return e.err }

// A connection of two streams is one to read and write, and closes what can be closed of both, with what went wrong.
func TestStreams(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	for _, c := range []struct{ in, out error }{{nil, nil}, {first, nil}, {nil, second}, {first, second}} {
		var written bytes.Buffer
		in, out := &ending{Reader: strings.NewReader("hello"), err: c.in}, &ending{Writer: &written, err: c.out}
		s := Streams(in, out)
		read, err := io.ReadAll(s)
		if _, werr := io.WriteString(s, "there"); err != nil || werr != nil || string(read) != "hello" || written.String() != "there" {
			t.Errorf("%q, %v, %q, %v", read, err, written.String(), werr)
		}
		err = s.Close()
		if in.closed != 1 || out.closed != 1 || errors.Is(err, first) != (c.in != nil) || errors.Is(err, second) != (c.out != nil) || (err == nil) != (c.in == nil && c.out == nil) {
			t.Errorf("%+v: closed %d and %d times, %v", c, in.closed, out.closed, err)
		}
	}
	if err := Streams(strings.NewReader(""), io.Discard).Close(); err != nil {
		t.Error(err)
	}
}

// A pipe that the client named is spoken with in both directions; one that is not there is named in the error.
func TestDialPipe(t *testing.T) {
	dir, err := os.MkdirTemp("", "pipe") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "p")
	if c, err := DialPipe(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, %v", c, err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	client := make(chan net.Conn, 1)
	go func() {
		if conn, err := l.Accept(); err == nil {
			client <- conn
		}
	}()
	c, err := DialPipe(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	far := lsptest.Receive(t, "the connection", client)
	for from, to := range map[io.Writer]io.Reader{c: far, far: c} {
		got := make([]byte, 5)
		if _, err := io.WriteString(from, "hello"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(to, got); err != nil || string(got) != "hello" {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(far); err != nil || len(rest) != 0 {
		t.Errorf("%q, %v", rest, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DialPipe(gone, path); err == nil {
		t.Error("connected after the end")
	}
}

// Strangers who say nothing, too much or the wrong thing keep nobody out, and all of them are hung up on as soon as the
// client is there; of two who know the token one is served.
func TestStrangers(t *testing.T) {
	type served struct {
		conn io.ReadWriteCloser
		err  error
	}
	found, address := make(chan served, 1), make(chan string, 1)
	ctx, cancel := context.WithTimeout(t.Context(), lsptest.Hung)
	defer cancel()
	go func() {
		conn, err := ListenTCP(ctx, "127.0.0.1:0", "secret", func(addr string) { address <- addr })
		found <- served{conn, err}
	}()
	addr := lsptest.Receive(t, "the address", address)
	if _, err := ListenTCP(ctx, addr, "secret", nil); err == nil || !strings.Contains(err.Error(), addr) {
		t.Errorf("two listen on one address: %v", err)
	}
	dial := func(text string) net.Conn {
		t.Helper()
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		if err := conn.SetDeadline(time.Now().Add(lsptest.Hung)); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	// Who would make us hold more than a first message has is not even told.
	if answer, err := io.ReadAll(dial(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", maxFirst+1, strings.Repeat(" ", maxFirst+1)))); len(answer) != 0 || err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("answered %q, %v", answer, err)
	}
	silent := make([]net.Conn, maxStrangers-2)
	for i := range silent {
		silent[i] = dial([]string{"", "Content-Length: 100\r\n", framed("{")[:20]}[i%3])
	}
	hello := framed(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"initializationOptions":{"token":"secret"}}}`)
	clients := []net.Conn{dial(""), dial("")} // both before one is taken: nobody is let in behind it
	for _, c := range clients {
		_, _ = io.WriteString(c, hello) // the second one may be hung up on already
	}
	got := lsptest.Receive(t, "a client", found)
	if got.err != nil {
		t.Fatal(got.err)
	}
	defer func() { _ = got.conn.Close() }()
	for i, conn := range silent {
		if rest, err := io.ReadAll(conn); len(rest) != 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("stranger %d: %q, %v", i, rest, err)
		}
	}
	if _, err := io.WriteString(got.conn, "you"); err != nil {
		t.Error(err)
	}
	if err := got.conn.Close(); err != nil {
		t.Error(err)
	}
	spoken := 0
	for _, conn := range clients {
		if said, _ := io.ReadAll(conn); string(said) == "you" { // the other was hung up on
			spoken++
		}
	}
	if spoken != 1 {
		t.Errorf("%d clients are served", spoken)
	}
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
	addr := lsptest.Receive(t, "the address", address)
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
		if err := conn.SetDeadline(time.Now().Add(lsptest.Hung)); err != nil {
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
	got := lsptest.Receive(t, "the client", found)
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
	lsptest.Receive(t, "the address", ready)
	stop()
	if got := lsptest.Receive(t, "the end", found); !errors.Is(got.err, context.Canceled) {
		t.Errorf("stopped: %v", got.err)
	}
}

// A named pipe of Windows is no socket, which is said instead of a failed connection.
func TestNamedPipes(t *testing.T) {
	if _, err := DialPipe(t.Context(), `\\.\pipe\editor`); err == nil || !strings.Contains(err.Error(), "--stdio") {
		t.Errorf("%v", err)
	}
}
