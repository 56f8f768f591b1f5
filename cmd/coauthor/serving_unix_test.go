//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/lsp/lsptest"
)

// TestServeOnAPipe connects to the socket that the client made, and says which one is not there.
func TestServeOnAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", name)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	done := make(chan ran, 1)
	go func() { done <- runLine(t, nil, "", "serve", "--pipe", name) }()
	if err := listener.(*net.UnixListener).SetDeadline(time.Now().Add(hung)); err != nil {
		t.Fatal(err)
	}
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(hung)); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	for id, x := range []struct{ method, want string }{{"initialize", `"name":"coauthor"`}, {"shutdown", `"result":null`}} {
		frame(conn, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"capabilities":{}}}`, id, x.method))
		if got, err := answerTo(r, id); err != nil || !strings.Contains(got, x.want) {
			t.Fatalf("%s answers %s, %v", x.method, got, err)
		}
	}
	frame(conn, `{"jsonrpc":"2.0","method":"exit"}`)
	if end := await(t, done, "the end of the server"); end.code != 0 || end.out != "" {
		t.Errorf("%+v", end)
	}
	if r := runLine(t, nil, "", "serve", "--pipe", name+"x"); r.code != 1 || !strings.Contains(r.err, name+"x") {
		t.Errorf("no such pipe: %+v", r)
	}
}

// TestServeTellsOnStandardError only what needs a look, unless more was asked for.
func TestServeTellsOnStandardError(t *testing.T) {
	for _, args := range [][]string{{"serve"}, {"serve", "--stdio"}, {"serve", "--verbose"}, {"serve", "--clientProcessId", "1", "--stdio"}} {
		var in bytes.Buffer
		frame(&in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		frame(&in, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		frame(&in, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
		frame(&in, `{"jsonrpc":"2.0","method":"exit"}`)
		r := runLine(t, nil, in.String(), args...)
		if verbose := args[len(args)-1] == "--verbose"; r.code != 0 || !strings.Contains(r.out, `"name":"coauthor"`) || (r.err != "") != verbose || verbose != strings.Contains(r.err, "level=INFO") {
			t.Errorf("%v: exit %d, told %q", args, r.code, r.err)
		}
	}
	if r := runLine(t, nil, "Content-Length: x\r\n\r\n{}", "serve"); r.code != 1 || r.out != "" || !strings.Contains(r.err, "coauthor: read from the editor: ") {
		t.Errorf("a broken header: exit %d, told %q", r.code, r.err)
	}
	// In a file the usual level says what the server did, behind what stood there; a level that is none is
	// the usual one.
	for _, level := range []string{"", ", level: loud"} {
		log := filepath.Join(t.TempDir(), "log")
		config := lay(t, map[string]string{"coauthor/config.yaml": "log: {file: " + log + level + "}\n"})
		var in bytes.Buffer
		frame(&in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		frame(&in, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		frame(&in, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
		frame(&in, `{"jsonrpc":"2.0","method":"exit"}`)
		before := 0
		for range 2 {
			r := runLine(t, map[string]string{"XDG_CONFIG_HOME": config}, in.String(), "serve")
			text, err := os.ReadFile(log)
			n := strings.Count(string(text), "level=INFO")
			if r.code != 0 || r.err != "" || err != nil || n <= before || strings.Contains(string(text), "level=DEBUG") {
				t.Errorf("level %q: exit %d, told %q, %v, the log has\n%s", level, r.code, r.err, err, text)
			}
			before = n
		}
		if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the log is for others too: %v, %v", info.Mode(), err)
		}
	}
}

// TestServeEndsWithItsEditor: when the editor's process is gone without a word, the server goes too.
func TestServeEndsWithItsEditor(t *testing.T) {
	editor := exec.Command("sleep", "1000")
	if err := editor.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- editor.Wait() }()
	pipe, server := lsptest.Pipe()
	defer pipe.Close()
	done := make(chan int, 1)
	go func() {
		code, _ := (&ServeCmd{Poll: time.Millisecond}).Run(t.Context(), Streams{In: server, Out: server, Err: &lockedBuffer{}, Env: noEnvironment(t)})
		done <- code
	}()
	clock := time.AfterFunc(hung, func() { _ = pipe.Close() })
	defer clock.Stop()
	frame(pipe, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":%d,"capabilities":{}}}`, editor.Process.Pid))
	r := bufio.NewReader(pipe)
	if got, err := answerTo(r, 1); err != nil || !strings.Contains(got, `"name":"coauthor"`) {
		t.Fatalf("initialize answers %s, %v", got, err)
	}
	frame(pipe, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	go func() { _, _ = io.Copy(io.Discard, r) }() // until the server hangs up
	select {
	case code := <-done:
		t.Fatalf("it ended with %d although its editor lives", code)
	default:
	}
	if err := editor.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = await(t, ended, "the end of the editor")
	if code := await(t, done, "the end of a server whose editor is gone"); code != 0 {
		t.Errorf("exit %d", code)
	}
}

// TestTheEditorsDoctor looks at the real parts, and sends the model its one request only when the user said so.
func TestTheEditorsDoctor(t *testing.T) {
	for _, yes := range []bool{true, false} {
		s := newScene(t, map[string]string{"a.py": "x = 1\n"})
		s.user("model: a\napiBase: MODEL\n")
		s.start("generic", lsptest.Options{})
		s.editor.Open("a.py")
		result, failed := s.editor.Command("coauthor.doctor", map[string]any{"uri": s.editor.URI("a.py")})
		if page := fmt.Sprint(result); failed != nil || !strings.Contains(page, "endpoint") || !strings.Contains(page, strings.TrimPrefix(s.mine.URL, "http://")) {
			t.Fatalf("the page: %v, %v", result, failed)
		}
		s.editor.Answer(map[bool]string{true: "Send it", false: "No"}[yes])
		if !yes {
			if _, failed := s.editor.Command("coauthor.status"); failed != nil || len(s.mine.Requests()) > 0 {
				t.Errorf("%d requests although the user said no, %v", len(s.mine.Requests()), failed)
			}
			continue
		}
		for end := time.Now().Add(hung); len(s.mine.Requests()) == 0; s.editor.Pause() {
			if time.Now().After(end) {
				t.Fatalf("hung: no request\n%s", s.editor.Tail())
			}
		}
		if body := string(s.mine.Requests()[0].Body); !strings.Contains(body, `"max_tokens":16`) || strings.Contains(body, "x = 1") {
			t.Errorf("it sent %s", body)
		}
	}
}
