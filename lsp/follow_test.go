package lsp_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/index"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/mapper"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/lsp"
	"coauthor/lsp/lsptest"
	"coauthor/repomap"
)

// study is an editor, a server, and the real index of one folder, whose clock the test sets.
type study struct {
	t      *testing.T
	dir    string
	editor *lsptest.Editor
	model  *llmtest.Server
	opened chan *index.Index

	mu   sync.Mutex
	now  time.Time         // guarded by mu
	told []string          // guarded by mu; paths that the index heard of
	door func(path string) // guarded by mu; called for every path that the index judges; may be nil
}

// listener notes what an index hears and passes it on.
type listener struct {
	*index.Index
	s *study
}

func (l *listener) Changed(path string) {
	l.s.mu.Lock()
	l.s.told = append(l.s.told, path)
	l.s.mu.Unlock()
	l.Index.Changed(path)
}

func (s *study) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *study) heard(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.told, path)
}

func (s *study) write(files map[string]string) {
	s.t.Helper()
	for name, text := range files {
		abs := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(abs, []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *study) git(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.org", "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func newStudy(t *testing.T, files map[string]string, script string, client map[string]any) *study {
	t.Helper()
	s := &study{t: t, opened: make(chan *index.Index, 1), now: time.Unix(1_700_000_000, 0)}
	var err error
	if s.dir, err = filepath.EvalSymlinks(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	s.write(files)
	s.git("init", "-q", "-b", "main")
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "first")
	parsed, err := llmtest.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	s.model = llmtest.Start(parsed)
	t.Cleanup(s.model.Close)
	profile, err := lsptest.LoadProfile("helix-25.07") // it can be asked to watch files
	if err != nil {
		t.Fatal(err)
	}
	env := func(string) string { return "" }
	pipe, server := lsptest.Pipe()
	log := logOf(t)
	served := make(chan error, 1)
	go func() {
		served <- lsp.Serve(context.Background(), server, lsp.Options{
			Version: "test",
			Log:     log,
			Engine: func(h lsp.Hooks) *agent.Engine {
				return agent.NewEngine(agent.Options{Settings: h.Settings, Sink: h.Sink, Map: s.mapper,
					Client: remote.New(remote.Options{Env: env}),
					Catalog: func() *model.Catalog {
						c, err := model.Load(nil)
						if err != nil {
							t.Error(err)
						}
						return c
					}})
			},
			Settings: func(_ string, client settings.Editor) (settings.Settings, []settings.Warning) {
				o := settings.LoadOptions{Env: env}
				if o.ClientOwn = true; len(client.Settings) > 0 {
					o.Client = client.Settings
				}
				return settings.Load(o)
			},
			Workspace: func(root string, _ func() settings.Settings) (*workspace.Workspace, error) {
				return workspace.Open(root, workspace.Options{})
			},
			Alive: func(int) bool { return true },
		}.Hurry(0.1).Unhurried())
	}()
	all := map[string]any{"model": "scripted", "apiBase": s.model.URL, "editFormat": "diff"}
	for k, v := range client {
		all[k] = v
	}
	s.editor = lsptest.New(t, pipe, profile, lsptest.Options{Folders: []string{s.dir}, Settings: all})
	s.editor.Initialize()
	t.Cleanup(func() {
		s.editor.Shutdown()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("Serve: %v", err)
			}
		case <-time.After(hung):
			t.Errorf("hung: the server did not end\n%s", s.editor.Tail())
		}
	})
	return s
}

func (s *study) mapper(ws *workspace.Workspace) mapper.Drawer {
	x, err := index.Open(context.Background(), ws.Root(), index.Options{Workers: 4, Clock: s.clock, Door: func(path string) bool {
		s.mu.Lock()
		door := s.door
		s.mu.Unlock()
		if door != nil {
			door(path)
		}
		return true
	}})
	if err != nil {
		s.t.Error(err)
		return nil
	}
	s.t.Cleanup(x.Close)
	s.opened <- x
	return &listener{Index: x, s: s}
}

// index waits for the one that the server opens by itself, and for its first look at the disk.
func (s *study) index() *index.Index {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 3*hung)
	defer cancel()
	select {
	case x := <-s.opened:
		if err := x.Wait(ctx); err != nil {
			s.t.Fatal(err)
		}
		return x
	case <-ctx.Done():
		s.t.Fatalf("no index was opened\n%s", s.editor.Tail())
		return nil
	}
}

// until waits for a map that has the word, or has it no more.
func (s *study) until(x *index.Index, word string, want bool) {
	s.t.Helper()
	var last string
	for end := time.Now().Add(3 * hung); time.Now().Before(end); s.editor.Pause() {
		m, err := x.Map(s.t.Context(), repomap.Request{Budget: 4_000})
		if err != nil {
			s.t.Fatal(err)
		}
		if last = m.Text; strings.Contains(last, word) == want {
			return
		}
	}
	s.t.Fatalf("hung: %q in the map: want %v:\n%s", word, want, last)
}

// sync returns when the server has read all that was sent to it.
func (s *study) sync() {
	s.t.Helper()
	if _, err := s.editor.Command("coauthor.status"); err != nil {
		s.t.Fatalf("coauthor.status: %v", err)
	}
}

// The clock stands still here, so that the index looks at the disk only when it is told to.
func TestIndexHearsOfTheEditor(t *testing.T) {
	s := newStudy(t, map[string]string{"a.go": "package a\n\nfunc First() {}\n", ".gitignore": "out/\n"}, "-- 1.md --\nnever asked\n", nil)
	s.editor.Open("a.go")
	x := s.index()
	s.until(x, "func First()", true)

	// A key: from now on one file at a time is parsed, however many there are.
	s.editor.Replace("a.go", "First", "Typed")
	s.sync()
	many := map[string]string{}
	for i := range 60 {
		many[fmt.Sprintf("new/f%d.go", i)] = fmt.Sprintf("package a\n\nfunc Added%d() {}\n%s", i, strings.Repeat("\nvar _ = 1\n", 60))
	}
	s.write(many)
	s.editor.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": s.editor.URI("new/f0.go"), "type": 1}}})
	s.until(x, "Added59", true)
	if load := x.Load(); load.Most != 1 {
		t.Errorf("%d files were parsed at a time after an edit", load.Most)
	}

	// Saving tells too, and the text of the file counts then.
	s.editor.Save("a.go")
	s.until(x, "func Typed()", true)

	// What a build writes is none of its business, nor what git writes for itself.
	s.write(map[string]string{"out/gen.go": "package out\n", "b.go": "package a\n\nfunc Second() {}\n"})
	s.editor.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{
		map[string]any{"uri": s.editor.URI("out/gen.go"), "type": 1}, map[string]any{"uri": s.editor.URI(".git/index"), "type": 2},
		map[string]any{"uri": "untitled:x", "type": 1}, map[string]any{"uri": s.editor.URI("b.go"), "type": 1}}})
	s.until(x, "Second", true)
	if s.heard("out/gen.go") || s.heard(".git/index") || !s.heard("b.go") {
		t.Errorf("the index was told of %v", s.told)
	}
}

// Nobody tells of anything here: git and stat alone show what changed.
func TestIndexNeedsNoWatcher(t *testing.T) {
	s := newStudy(t, map[string]string{"a.go": "package a\n\nfunc OnMain() {}\n"}, "-- 1.md --\nnever asked\n", nil)
	s.editor.Open("a.go")
	x := s.index()
	s.until(x, "OnMain", true)
	s.git("checkout", "-q", "-b", "other")
	s.write(map[string]string{"a.go": "package a\n\nfunc OnOther() {}\n", "b.go": "package a\n\nfunc Untracked() {}\n"})
	s.git("commit", "-q", "-a", "-m", "second")
	later := func() {
		s.mu.Lock()
		s.now = s.now.Add(time.Minute)
		s.mu.Unlock()
	}
	later()
	s.until(x, "OnOther", true)
	s.until(x, "Untracked", true)
	s.git("checkout", "-q", "main")
	later()
	s.until(x, "OnMain", true)
	s.until(x, "OnOther", false)
}

// tooMuch makes a file too large to be shown to the model because it is open, and adds nothing to the map.
var tooMuch = strings.Repeat("// abc\n", 80_000)

func TestMapShowsUnsavedDocuments(t *testing.T) {
	s := newStudy(t, map[string]string{"a.go": "package a\n\nfunc OnDisk() {}\n" + tooMuch, "b.go": "package a\n\nfunc Other() {}\n"},
		"-- 1.md --\nIt is good.\n", nil)
	s.editor.Open("a.go")
	x := s.index()
	s.until(x, "OnDisk", true)
	s.editor.Replace("a.go", "OnDisk", "Unsaved")
	s.editor.Open("b.go")
	if _, err := s.editor.Command("coauthor.ask", map[string]any{"uri": s.editor.URI("b.go"), "instruction": "Is it good?"}); err != nil {
		t.Fatalf("coauthor.ask: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	if err := s.model.WaitRequest(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if sent := string(s.model.Requests()[0].Body); !strings.Contains(sent, "func Unsaved()") || strings.Contains(sent, "OnDisk") {
		t.Errorf("the prompt has not the unsaved text alone:\n%s", sent)
	}
}

// A map that takes its time over an unsaved document holds up nobody who types, saves or asks.
func TestEditingGoesOnBesideASlowMap(t *testing.T) {
	s := newStudy(t, map[string]string{"a.go": "package a\n\nfunc OnDisk() {}\n" + tooMuch, "b.go": "package a\n\nfunc Other() {}\n"},
		"-- 1.md --\nIt is good.\n", nil)
	s.editor.Open("a.go")
	x := s.index()
	s.until(x, "OnDisk", true)
	s.editor.Replace("a.go", "OnDisk", "Unsaved")
	s.editor.Open("b.go")
	s.sync()
	laying, release := make(chan struct{}, 1), make(chan struct{}) // the first of many is enough
	end := sync.OnceFunc(func() { close(release) })
	defer end()
	s.mu.Lock()
	s.door = func(path string) {
		if path == "a.go" {
			select {
			case laying <- struct{}{}:
			default:
			}
			<-release
		}
	}
	s.mu.Unlock()
	if _, err := s.editor.Command("coauthor.ask", map[string]any{"uri": s.editor.URI("b.go"), "instruction": "Is it good?"}); err != nil {
		t.Fatalf("coauthor.ask: %v", err)
	}
	select {
	case <-laying:
	case <-time.After(3 * hung):
		t.Fatalf("hung: no map is drawn\n%s", s.editor.Tail())
	}
	s.editor.Replace("a.go", "Unsaved", "Typed")
	s.editor.Save("b.go")
	s.editor.Save("a.go")
	s.sync() // what was sent before has been read
	end()
	s.until(x, "Typed", true)
}

func TestIndexHearsOfEditsThatLanded(t *testing.T) {
	s := newStudy(t, map[string]string{"a.go": "package a\n\nfunc Old() {}\n", "b.go": "package a\n"},
		"-- 1.md --\nRenamed.\n\na.go\n```go\n<<<<<<< SEARCH\nfunc Old() {}\n=======\nfunc New() {}\n>>>>>>> REPLACE\n```\n", nil)
	s.editor.Open("a.go")
	s.index()
	if _, err := s.editor.Command("coauthor.edit", map[string]any{"uri": s.editor.URI("a.go"), "instruction": "Rename it."}); err != nil {
		t.Fatalf("coauthor.edit: %v", err)
	}
	s.pending(true)
	if _, err := s.editor.Command("coauthor.showPending"); err != nil {
		t.Fatalf("coauthor.showPending: %v", err)
	}
	s.editor.LookUp()
	if _, err := s.editor.Command("coauthor.apply"); err != nil {
		t.Fatalf("coauthor.apply: %v", err)
	}
	s.pending(false)
	if text, _ := s.editor.Text("a.go"); !strings.Contains(text, "New") || !s.heard("a.go") {
		t.Errorf("the index was told of %q; the file reads\n%s", s.told, text)
	}
}

// pending waits until there is a proposal, or none.
func (s *study) pending(want bool) {
	s.t.Helper()
	var last any
	for end := time.Now().Add(3 * hung); time.Now().Before(end); s.editor.Pause() {
		v, err := s.editor.Command("coauthor.status")
		if err != nil {
			s.t.Fatalf("coauthor.status: %v", err)
		}
		last = v
		m, _ := v.(map[string]any)
		list, _ := m["pending"].([]any)
		if m["busy"] == false && (len(list) > 0) == want {
			return
		}
	}
	s.t.Fatalf("hung: a proposal is pending: want %v; the status is %v\n%s", want, last, s.editor.Tail())
}
