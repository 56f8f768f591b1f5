package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/lsptest"
)

// scene is the server as `coauthor serve` runs it, an editor before it, and two models: the user's own
// and one that only a repository names.
type scene struct {
	t          *testing.T
	root, home string
	mine, evil *llmtest.Server
	env        map[string]string
	editor     *lsptest.Editor
	log        *lockedBuffer
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// newScene lays out a repository. Nothing runs before start.
func newScene(t *testing.T, files map[string]string) *scene {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, root: filepath.Join(dir, "root"), home: filepath.Join(dir, "home"), log: &lockedBuffer{}}
	s.mine, s.evil = answering(t), answering(t)
	s.env = map[string]string{"HOME": s.home, "OPENAI_API_KEY": "sk-openai-0123456789", "MINE": "mine-0123456789"}
	s.write(files)
	return s
}

func answering(t *testing.T) *llmtest.Server {
	t.Helper()
	script, err := llmtest.Parse([]byte("repeat: true\n-- 1.md --\nNothing to do.\n"))
	if err != nil {
		t.Fatal(err)
	}
	server := llmtest.Start(script)
	t.Cleanup(server.Close)
	return server
}

func (s *scene) write(files map[string]string) {
	s.t.Helper()
	for name, text := range files {
		full := filepath.Join(s.root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

// user writes the user's own settings; MODEL in them is the user's endpoint.
func (s *scene) user(text string) {
	s.t.Helper()
	dir := filepath.Join(s.home, ".config", "coauthor")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(strings.ReplaceAll(text, "MODEL", s.mine.URL)), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// start runs the server before an editor of the profile; "vscode" is one that says it is Visual Studio Code.
func (s *scene) start(profile string, o lsptest.Options) {
	s.t.Helper()
	load := profile
	if profile == "vscode" {
		load = "generic"
	}
	p, err := lsptest.LoadProfile(load)
	if err != nil {
		s.t.Fatal(err)
	}
	if profile == "vscode" {
		p.ClientInfo = &lsptest.ClientInfo{Name: "Visual Studio Code"}
	}
	pipe, server := lsptest.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := (&ServeCmd{Poll: time.Hour}).Run(context.Background(), Streams{In: server, Out: server, Err: s.log,
			Env: func(n string) string { return s.env[n] }})
		ended <- err
	}()
	o.Folders = []string{s.root}
	s.editor = lsptest.New(s.t, pipe, p, o)
	s.editor.Initialize()
	s.t.Cleanup(func() {
		s.editor.Shutdown()
		select {
		case err := <-ended:
			if err != nil {
				s.t.Error(err)
			}
		case <-time.After(hung):
			s.t.Errorf("hung: the server did not end\n%s", s.editor.Tail())
		}
	})
}

// ask asks the model about a file and waits for the end of the turn.
func (s *scene) ask(name, question string) {
	s.t.Helper()
	if !s.editor.IsOpen(name) {
		s.editor.Open(name)
	}
	result, failed := s.editor.Command("coauthor.ask", map[string]any{"uri": s.editor.URI(name), "instruction": question})
	if failed != nil {
		s.t.Fatalf("coauthor.ask: %v", failed)
	}
	if m, _ := result.(map[string]any); m["status"] != "started" {
		s.t.Fatalf("coauthor.ask: %v", result)
	}
	for end := time.Now().Add(time.Minute); ; s.editor.Pause() {
		status, failed := s.editor.Command("coauthor.status")
		m, _ := status.(map[string]any)
		if turns, ok := m["turns"].([]any); failed == nil && ok && len(turns) == 0 {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("hung: the turn does not end: %v\n%s", status, s.editor.Tail())
		}
	}
}

// received is everything that the models got, bodies and headers.
func received(m *llmtest.Server) string {
	var b strings.Builder
	for _, r := range m.Requests() {
		fmt.Fprintf(&b, "%v\n%s\n", r.Header, r.Body)
		for _, msg := range r.Messages {
			b.WriteString(msg.Content + "\n")
		}
	}
	return b.String()
}
