package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// frame writes one message.
func frame(w io.Writer, text string) {
	_, _ = fmt.Fprintf(w, "Content-Length: %d\r\n\r\n%s", len(text), text) // a closed pipe shows in what is read
}

// readFrame reads one message.
func readFrame(r *bufio.Reader) (string, error) {
	h, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return "", err
	}
	n, err := strconv.Atoi(h.Get("Content-Length"))
	if err != nil {
		return "", err
	}
	body := make([]byte, n)
	_, err = io.ReadFull(r, body)
	return string(body), err
}

// answerTo reads until the answer of a request.
func answerTo(r *bufio.Reader, id int) (string, error) {
	for {
		s, err := readFrame(r)
		if err != nil || strings.Contains(s, fmt.Sprintf(`"id":%d,"result"`, id)) || strings.Contains(s, fmt.Sprintf(`"id":%d,"error"`, id)) {
			return s, err
		}
	}
}

// noEnvironment keeps the user's own settings and keys out.
func noEnvironment(t testing.TB) func(string) string {
	home := t.TempDir()
	return func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}
}

func TestServe(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	cutWhenHung(t, fromServer, "the server's next answer")
	var log bytes.Buffer
	done := make(chan int, 1)
	go func() {
		code, err := (&ServeCmd{Poll: time.Minute}).Run(context.Background(), Streams{In: in, Out: out, Err: &log, Env: noEnvironment(t)})
		if err != nil {
			t.Error(err)
		}
		done <- code
	}()
	r := bufio.NewReader(fromServer)
	step := func(id int, method, want string) {
		t.Helper()
		frame(toServer, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"capabilities":{},"command":"coauthor.status"}}`, id, method))
		got, err := answerTo(r, id)
		if err != nil || !strings.Contains(got, want) {
			t.Fatalf("%s answers %s, %v; want %s", method, got, err, want)
		}
	}
	step(1, "workspace/executeCommand", "-32002")
	step(2, "initialize", `"name":"coauthor"`)
	frame(toServer, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	step(3, "workspace/executeCommand", `"busy":false`)
	step(4, "shutdown", `"result":null`)
	frame(toServer, `{"jsonrpc":"2.0","method":"exit"}`)
	if code := await(t, done, "the end of the server"); code != 0 {
		t.Errorf("exit status %d\n%s", code, log.String())
	}
}

func TestServeRefusesOtherMachines(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", ":0", "nonsense", "192.0.2.1:0"} {
		code, err := (&ServeCmd{Listen: addr}).Run(t.Context(), Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Env: noEnvironment(t)})
		if code == 0 || err == nil {
			t.Errorf("%s: exit status %d, %v", addr, code, err)
		}
	}
}

// On a socket that every program of the machine reaches, only the client that brings the printed token is
// served; the others are told, and do not take its place.
func TestListenAsksForTheToken(t *testing.T) {
	in, out := io.Pipe()
	cutWhenHung(t, in, "the address and the token")
	done := make(chan int, 1)
	go func() {
		code, err := (&ServeCmd{Listen: "127.0.0.1:0", Poll: time.Minute}).Run(context.Background(), Streams{In: strings.NewReader(""), Out: out, Err: io.Discard, Env: noEnvironment(t)})
		if err != nil {
			t.Error(err)
		}
		done <- code
	}()
	var addr, token string
	if _, err := fmt.Fscanf(in, "%s\ntoken %s\n", &addr, &token); err != nil || len(token) < 20 {
		t.Fatalf("printed %q, token %q: %v", addr, token, err)
	}
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		if err := conn.SetDeadline(time.Now().Add(hung)); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	silent := dial() // says nothing, and keeps nobody out
	_ = silent
	initialize := func(id int, token string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"capabilities":{},"initializationOptions":{"token":%q}}}`, id, token)
	}
	for _, message := range []string{
		initialize(1, ""), initialize(1, token+"x"), `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"workspace/executeCommand","params":{"command":"coauthor.status","initializationOptions":{"token":"` + token + `"}}}`,
	} {
		conn := dial()
		frame(conn, message)
		r := bufio.NewReader(conn)
		if got, err := answerTo(r, 1); err != nil || !strings.Contains(got, "initializationOptions.token") {
			t.Errorf("%s is answered by %q, %v", message, got, err)
		}
		if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
			t.Errorf("%s: then %q, %v", message, rest, err)
		}
	}
	page := dial() // a browser
	_, _ = io.WriteString(page, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
	if rest, err := io.ReadAll(page); err == nil && len(rest) > 0 {
		t.Errorf("a page is answered by %q", rest)
	}
	conn := dial()
	r := bufio.NewReader(conn)
	frame(conn, initialize(1, token))
	if got, err := answerTo(r, 1); err != nil || !strings.Contains(got, `"name":"coauthor"`) {
		t.Fatalf("initialize answers %s, %v", got, err)
	}
	frame(conn, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	frame(conn, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	if got, err := answerTo(r, 2); err != nil || !strings.Contains(got, `"result":null`) {
		t.Fatalf("shutdown answers %s, %v", got, err)
	}
	frame(conn, `{"jsonrpc":"2.0","method":"exit"}`)
	if code := await(t, done, "the end of the server"); code != 0 {
		t.Errorf("exit status %d", code)
	}
}

// BenchmarkInitialize is the time from the start of the process to the answer of initialize.
func BenchmarkInitialize(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "coauthor")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	if text, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, text)
	}
	home := b.TempDir()
	var times []time.Duration
	for b.Loop() {
		cmd := exec.Command(bin, "serve")
		cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home)
		in, err := cmd.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		frame(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`)
		if _, err := readFrame(bufio.NewReader(out)); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
		_ = in.Close()
		_ = cmd.Wait() // status 1: there was no shutdown
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "median-ms")
}
