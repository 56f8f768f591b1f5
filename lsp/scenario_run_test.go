package lsp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/custom"
	"coauthor/agent/index"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/mapper"
	"coauthor/agent/mention"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/lsp"
	"coauthor/lsp/lsptest"
)

// leapClock is the wall clock of a play, but that nobody waits by it: who would sleep makes it leap.
type leapClock struct {
	mu   sync.Mutex
	leap time.Duration // guarded by mu
}

func (c *leapClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.leap)
}

func (c *leapClock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leap += d
	return ctx.Err()
}

// TestScenarios plays every archive of testdata with every client it is meant for: the real server and engine, the
// scripted model over real HTTP, and the fake editor, which checks every message. See testdata/README.md for the
// language. Without COAUTHOR_LARGE, which .ci/run sets, an archive plays with every sixth of its clients; which of them
// lies in its name alone, so that another archive changes nothing for it.
func TestScenarios(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	before := debug.SetGCPercent(400) // hundreds of servers that live for a moment
	t.Cleanup(func() { debug.SetGCPercent(before) })
	step := 6
	if os.Getenv("COAUTHOR_LARGE") != "" {
		step = 1
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for line, one := range variants(ar) {
				p, err := parsePlay(one)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for n, profile := range p.profiles {
					if step := min(step, len(p.profiles)); n%step != len(name)%step {
						continue
					}
					t.Run(strings.TrimSpace(profile+" "+line), func(t *testing.T) {
						t.Parallel()
						p.run(t, profile)
					})
				}
			}
		})
	}
}

// play is a parsed archive.
type play struct {
	profiles  []string
	roots     []string // folders of the archive that become workspace folders
	settings  map[string]any
	quirks    []func(*lsptest.Quirks)
	mapped    bool
	module    bool
	announced []string // what the client announces beside what every module does
	encodings []string
	env       map[string]string
	unset     bool // preview none or inline
	rootless  bool
	hurry     float64 // scales how long the server gives the client; 0 is 1
	environ   bool    // programs may be run, after a question
	steps     []playStep
	files     map[string]string // of the archive
	script    []byte
}

type playStep struct {
	line int
	name string
	args []string
	rest string // the line behind the name, unparsed
}

// scene is one play with one client.
type scene struct {
	*play
	t       *testing.T
	dir     string
	profile lsptest.Profile
	state   string // the folder of what outlives the server

	preview string // the setting, where the client needs another one for this play; "" for none

	model  *llmtest.Server
	web    string // the address of the server that has the files of the archive below web/
	editor *lsptest.Editor
	served chan error
	second *scene // another editor on the same tree, with a server of its own; nil until a step is for it
	result any    // of the last command
	failed *lsptest.ResponseError
	kept   string // a turn id
	over   bool   // the server has ended
	rests  func() // ends the moving of the cursor; nil where nobody moves it
	clock  leapClock
	files  map[string]string // of the archive and of the steps; a copy, for the clients run beside each other

	dialogs, messages, documents, previews int // what was there when the last turn was asked for
	paused                                 []time.Duration
}

func (p *play) run(t *testing.T, profileName string) {
	profile, err := lsptest.LoadProfile(profileName)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range p.quirks {
		q(&profile.Quirks)
	}
	script, err := llmtest.Parse(p.script)
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{play: p, t: t, dir: t.TempDir(), served: make(chan error, 1), files: maps.Clone(p.files)}
	if s.dir, err = filepath.EvalSymlinks(s.dir); err != nil {
		t.Fatal(err)
	}
	if profile.Quirks.Preview && p.decidesElsewhere() {
		s.preview = "diff"
	}
	s.model = llmtest.Start(script)
	t.Cleanup(s.model.Close)
	s.layOut()
	s.serveWeb()

	s.profile = profile
	s.serve()
	for _, step := range p.steps {
		s.do(step)
		if t.Failed() {
			t.Fatalf("after line %d, %s %s\n%s", step.line, step.name, step.rest, s.editor.Tail())
		}
	}
	s.finish()
}

// moveTheCursor presses a key now and then in a client that tells of changes with the next key alone, but where the play
// says itself when one is pressed.
func (s *scene) moveTheCursor() {
	profile, err := lsptest.LoadProfile(s.editor.Profile().Name) // as it is without the quirks of the play
	if err != nil || !profile.Quirks.DidChangeNever || slices.ContainsFunc(s.steps, func(p playStep) bool { return p.name == "key" }) {
		return
	}
	editor, stop, done := s.editor, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for tick := time.NewTicker(keyEvery); ; {
			select {
			case <-tick.C:
				editor.Key()
			case <-stop:
				tick.Stop()
				return
			}
		}
	}()
	s.rests = sync.OnceFunc(func() { close(stop); <-done })
	s.t.Cleanup(s.rests)
}

// keyEvery is how often the user moves the cursor.
const keyEvery = 50 * time.Millisecond

// serve starts a server, and the client's editor on it.
func (s *scene) serve() {
	client, server := lsptest.Pipe()
	options := s.options().Hurry(s.hurry).Unhurried()
	go func() { s.served <- lsp.Serve(context.Background(), server, options) }()
	o := lsptest.Options{Settings: s.clientSettings(), Clock: s.clock.now, Encodings: s.encodings, Unreviewed: s.unset, Seen: s.editor}
	for _, r := range s.roots {
		o.Folders = append(o.Folders, filepath.Join(s.dir, r))
	}
	if s.rootless {
		o.RootlessFolder, o.Folders = o.Folders[0], nil
	}
	if s.module {
		o.Announce = map[string]any{"inputBox": true, "pending": true, "stream": true, "turn": true}
		for _, name := range s.announced {
			o.Announce[name] = true
		}
		o.Init = map[string]any{"client": "test-module"}
	}
	s.editor = lsptest.New(s.t, client, s.profile, o)
	s.editor.Initialize()
	s.moveTheCursor()
}

// stepRestart ends the editor in order, with its server, and starts both again.
func stepRestart(s *scene, _ playStep) {
	s.settled()
	if s.rests != nil {
		s.rests()
	}
	s.editor.Shutdown()
	s.end(nil)
	s.editor.HangUp()
	s.over = false
	s.serve()
}

// layOut writes the files of the archive below its folders.
func (s *scene) layOut() {
	for name, content := range s.files {
		top, _, _ := strings.Cut(name, "/")
		if !slices.Contains(s.roots, top) && top != "outside" && top != "commands" {
			continue
		}
		abs := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(abs, []byte(content), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
	for _, r := range s.roots {
		if err := os.MkdirAll(filepath.Join(s.dir, r), 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
}

// serveWeb puts the files below web/ on a server.
func (s *scene) serveWeb() {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(s.files)), func(name string) bool { return strings.HasPrefix(name, "web/") }) {
		return
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, ok := s.play.files["web"+r.URL.Path] // nobody changes these
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, text)
	}))
	s.t.Cleanup(server.Close)
	s.web = server.URL
}

func (s *scene) clientSettings() map[string]any {
	all := map[string]any{"model": "scripted", "editFormat": "diff"}
	if s.model != nil {
		all["apiBase"] = s.model.URL
	}
	if s.preview != "" {
		all["preview"] = s.preview
	}
	for k, v := range s.settings {
		all[k] = v
	}
	return all
}

// decidesElsewhere reports whether the user of a play decides on a change in other ways than by taking or leaving all of it:
// in a client with a preview of its own that is who prefers the diff to it.
func (p *play) decidesElsewhere() bool {
	if slices.ContainsFunc(p.steps, func(s playStep) bool { return s.name == "preview" }) {
		return false
	}
	if len(p.quirks) > 0 || slices.ContainsFunc(p.steps, func(s playStep) bool { return s.name == "other" }) {
		return true
	}
	begun := false // what is typed then is typed under the preview, which has plays of its own
	return slices.ContainsFunc(p.steps, func(s playStep) bool {
		switch s.name {
		case "edit", "wait":
			begun = true
		case "type", "append", "rewrite":
			if begun {
				return true
			}
		}
		switch s.name {
		case "type-late", "type-after", "later", "conflict", "lens", "lenses", "press", "answer", "onlychoice", "state", "look", "shown":
			return true
		case "wait":
			return slices.Contains([]string{"dialog", "asked", "document", "message-or-document"}, s.args[0])
		case "discard":
			return true
		case "accept":
			return len(s.args) > 0
		case "action", "actions":
			return strings.Contains(s.rest, "pending change") || strings.Contains(s.rest, "hunk") || strings.Contains(s.rest, "file")
		case "command":
			name, _, _ := strings.Cut(strings.TrimPrefix(s.rest, "coauthor."), " ")
			return slices.Contains([]string{"apply", "discard", "showPending", "resolve", "answer"}, name)
		}
		return false
	})
}

// mapper reads the whole root before it draws, so that a scenario need not wait for it. Most do without a map: the
// index is not what they test.
func (s *scene) mapper(ws *workspace.Workspace) mapper.Drawer {
	if !s.mapped {
		return nil
	}
	x, err := index.Open(context.Background(), ws.Root(), index.Options{Door: func(path string) bool {
		return ws.Door().Check(context.Background(), path, workspace.OpSend).Verdict == workspace.Allow
	}})
	if err != nil {
		s.t.Error(err)
		return nil
	}
	s.t.Cleanup(x.Close)
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	defer cancel()
	if err := x.Wait(ctx); err != nil {
		s.t.Error(err)
	}
	return x
}

// options wires a server as the command does.
func (s *scene) options() lsp.Options {
	if s.state == "" {
		s.state = s.t.TempDir()
	}
	env := func(name string) string { return s.env[name] }
	log := logOf(s.t)
	words := command.Actions()
	return lsp.Options{
		Version: "test",
		Log:     log,
		Engine: func(h lsp.Hooks) *agent.Engine {
			return agent.NewEngine(agent.Options{
				Fetch: func(ctx context.Context, address string, set settings.Settings) (mention.Page, error) {
					return mention.Fetch(ctx, address, mention.FetchOptions{Private: set.Web.PrivateHosts})
				},
				Settings: h.Settings, Sink: h.Sink, StateDir: s.state, Map: s.mapper, OwnCommands: s.ownCommands,
				Reserved: func(word string) bool { _, _, ok := command.CommandOf(words, "/"+word); return ok },
				Environ:  s.environment(),
				Client:   remote.New(remote.Options{Env: env, Log: slog.New(log), Sleep: s.pause}),
				Catalog: func() *model.Catalog {
					c, err := model.Load(h.Settings("").Models)
					if err != nil {
						s.t.Errorf("load the catalogue of models: %v", err)
					}
					return c
				},
			})
		},
		Settings: func(root string, client settings.Editor) (settings.Settings, []settings.Warning) {
			o := settings.LoadOptions{Env: env}
			if o.ClientOwn = true; len(client.Settings) > 0 {
				o.Client = client.Settings
			}
			o.Trusted = o.Trusts(root, client.Trusted)
			return settings.Load(o)
		},
		Workspace: func(root string, get func() settings.Settings) (*workspace.Workspace, error) {
			return workspace.Open(root, workspace.Options{Policy: func() workspace.Policy {
				v := get()
				return workspace.Policy{
					Encoding: v.Encoding, AllowIgnored: v.AllowIgnored, IgnoreFiles: v.IgnoreFiles, DenyGlobs: v.DenyGlobs, ProtectedGlobs: v.ProtectedGlobs,
				}
			}})
		},
		Alive: func(int) bool { return true },
		Clock: s.clock.now, Sleep: s.clock.sleep,
	}
}

// environment is that of programs, nil where none may be run.
func (s *scene) environment() []string {
	if s.environ {
		return os.Environ()
	}
	return nil
}

// ownCommands are the files of the archive's folder commands, as those beside the user's settings.
func (s *scene) ownCommands() (list []custom.File) {
	top := filepath.Join(s.dir, "commands")
	found, _ := filepath.Glob(filepath.Join(top, "*.md")) // the pattern is whole
	for _, name := range found {
		text, err := os.ReadFile(name)
		list = append(list, custom.File{Path: filepath.Base(name), Name: name, Text: string(text), Err: err})
	}
	return list
}

// pause stands in for the waits between retries: they are noted and not waited for.
func (s *scene) pause(ctx context.Context, d time.Duration) error {
	s.paused = append(s.paused, d) // one model call at a time in these plays
	return ctx.Err()
}

// finish holds for every play: no progress runs on, the server ends in order, and it ends at all.
func (s *scene) finish() {
	s.t.Helper()
	if s.second != nil {
		s.second.finish()
	}
	if s.over {
		return
	}
	s.settled()
	s.editor.Shutdown()
	s.end(nil)
}

// other is the scene of another editor of the same user on the same tree, which is started with the first step for it.
func (s *scene) other() *scene {
	if s.second == nil {
		s.second = &scene{play: s.play, t: s.t, dir: s.dir, profile: s.profile, state: s.state, preview: s.preview,
			model: s.model, web: s.web, files: s.files, served: make(chan error, 1)}
		s.second.serve()
	}
	return s.second
}

func (s *scene) end(want error) {
	s.t.Helper()
	select {
	case err := <-s.served:
		if !errors.Is(err, want) && want != nil || want == nil && err != nil {
			s.t.Errorf("Serve returned %v, want %v", err, want)
		}
	case <-time.After(hung):
		s.t.Fatalf("hung: the server did not end\n%s", s.editor.Tail())
	}
	s.over = true
}

const hung = lsptest.Hung

// settled waits until no turn and no progress runs.
func (s *scene) settled() {
	s.t.Helper()
	s.status("the end of the turn", func(v map[string]any) bool {
		turns, _ := v["turns"].([]any) // one that only asks keeps nobody from editing, so that busy is false
		return v["busy"] == false && len(turns) == 0
	})
	s.editor.Wait("the end of the progress", func(l *lsptest.Log) bool { return !l.Working() })
}

// status asks for coauthor.status until it satisfies the condition.
func (s *scene) status(what string, ok func(map[string]any) bool) map[string]any {
	s.t.Helper()
	var last any
	for end := time.Now().Add(hung); time.Now().Before(end); {
		v, err := s.editor.Command("coauthor.status")
		if err != nil {
			s.t.Fatalf("coauthor.status: %v", err)
		}
		m, _ := v.(map[string]any)
		if ok(m) {
			return m
		}
		last = v
		s.editor.Pause()
	}
	s.t.Fatalf("hung: waited for %s; the status is %v\n%s", what, last, s.editor.Tail())
	return nil
}

// want gives the text a step compares with: a file of the archive or the argument itself.
func (s *scene) want(arg string) string {
	if text, ok := s.files[arg]; ok {
		return text
	}
	if strings.HasPrefix(arg, "want/") || path.Ext(arg) != "" && !strings.ContainsAny(arg, " \n") && arg != "" {
		s.t.Fatalf("the archive has no file %s", arg)
	}
	return arg
}

// place gives a file of the play: "one/a.go" with several roots, "a.go" below the only one.
func (s *scene) place(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	if strings.Contains(name, "*") { // a document of the server's, whose name holds the time: the newest of them
		found, err := filepath.Glob(filepath.Join(s.dir, s.roots[0], filepath.FromSlash(name)))
		if err != nil || len(found) == 0 {
			s.t.Fatalf("there is no file %s", name)
		}
		return slices.MaxFunc(found, func(a, b string) int { return strings.Compare(a, b) })
	}
	top, _, _ := strings.Cut(name, "/")
	if len(s.roots) > 1 && slices.Contains(s.roots, top) || top == "outside" || top == "commands" {
		return filepath.Join(s.dir, filepath.FromSlash(name))
	}
	return filepath.Join(s.dir, s.roots[0], filepath.FromSlash(name))
}

// logOf is the log of a server that a failing test prints.
func logOf(t *testing.T) slog.Handler {
	kept := &testWriter{}
	t.Cleanup(func() { kept.tell(t) })
	return slog.NewTextHandler(kept, &slog.HandlerOptions{Level: slog.LevelDebug})
}

// testWriter keeps the server's log and gives it to a failed test.
type testWriter struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (w *testWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

func (w *testWriter) tell(t *testing.T) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if t.Failed() && w.text.Len() > 0 {
		t.Logf("the server's log:\n%s", w.text.String())
	}
}

func describe(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
