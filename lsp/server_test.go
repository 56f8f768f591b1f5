package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

// harness is a server behind a pipe, and the client at its other end.
type harness struct {
	*lsptest.Peer
	t      testing.TB
	s      *server
	served chan error
}

// newHarness serves a client until the test ends.
func newHarness(t testing.TB, o Options) *harness {
	t.Helper()
	a, b := net.Pipe()
	ctx, cancel := context.WithCancel(context.Background())
	h := &harness{t: t, s: newServer(ctx, o), Peer: lsptest.NewPeer(t, b), served: make(chan error, 1)}
	go func() { h.served <- h.s.serve(a) }()
	t.Cleanup(func() {
		cancel()
		_ = b.Close()
		select {
		case <-h.served:
		case <-time.After(lsptest.Hung):
			t.Error("the server did not end")
		}
	})
	return h
}

// modelHarness is a harness with the real engine and a scripted model.
type modelHarness struct {
	*harness
	root  string
	model *llmtest.Server
	id    int
	log   *recorder
	early []string // what came before the answer to the last call; watch begins with it
}

// recorder keeps what the server logs.
type recorder struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

// keep returns a recorder that gives its text to the test if it fails.
func keep(t testing.TB) *recorder {
	r := &recorder{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server's log:\n%s", r)
		}
	})
	return r
}

// logOf is the log of a server that a failing test prints.
func logOf(t testing.TB, level slog.Level) slog.Handler {
	return slog.NewTextHandler(keep(t), &slog.HandlerOptions{Level: level})
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// newModelHarness starts a server; replies are the model's, in order, or a whole script.
func newModelHarness(t testing.TB, script *llmtest.Script, change func(*Options)) *modelHarness {
	t.Helper()
	r := &modelHarness{harness: &harness{t: t}, root: t.TempDir(), log: keep(t)}
	if script == nil {
		script = llmtest.Say()
	}
	r.model = llmtest.Start(script)
	t.Cleanup(r.model.Close)
	o := r.options()
	if change != nil {
		change(&o)
	}
	r.harness = newHarness(t, o)
	return r
}

func (r *modelHarness) options() Options {
	return Options{
		Version: "test",
		Engine: func(h Hooks) *agent.Engine {
			catalog, err := model.Load(nil)
			if err != nil {
				panic(err)
			}
			return agent.NewEngine(agent.Options{
				Settings: h.Settings, Sink: h.Sink, Catalog: func() *model.Catalog { return catalog },
				Client:   remote.New(remote.Options{Env: func(string) string { return "key" }, Retries: -1}),
				StateDir: r.t.TempDir(),
			})
		},
		Settings: func(root string, client settings.Editor) (settings.Settings, []settings.Warning) {
			o := settings.LoadOptions{Flags: map[string]string{"model": "scripted", "apiBase": r.model.URL, "editFormat": "diff"}}
			if o.ClientOwn = true; len(client.Settings) > 0 {
				o.Client = client.Settings
			}
			return settings.Load(o)
		},
		Workspace: func(root string, _ func() settings.Settings) (*workspace.Workspace, error) {
			return workspace.Open(root, workspace.Options{})
		},
		slack: 20, // a busy machine
		Log:   slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug}),
	}
}

// call sends a request and returns its result; an error answer gives the message behind "error: ".
func (r *modelHarness) call(method, params string) string {
	r.t.Helper()
	r.id++
	id := r.id
	r.early = nil
	r.Send(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
	for {
		s := r.Next()
		var m struct {
			ID     *int
			Result json.RawMessage
			Error  *struct {
				Code    int
				Message string
			}
		}
		if json.Unmarshal([]byte(s), &m) != nil || m.ID == nil || *m.ID != id {
			r.early = append(r.early, s)
			continue
		}
		if m.Error != nil {
			return fmt.Sprintf("error %d: %s", m.Error.Code, m.Error.Message)
		}
		return string(m.Result)
	}
}

func (r *modelHarness) note(method, params string) {
	r.Send(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
}

const plainCaps = `{"workspace":{"applyEdit":true,"configuration":true},"window":{"workDoneProgress":true,"showDocument":{"support":true}},
	"textDocument":{"codeAction":{"codeActionLiteralSupport":{"codeActionKind":{"valueSet":[]}}}},
	"general":{"positionEncodings":["utf-16"]}}`

// initialize starts the conversation with one folder.
func (r *modelHarness) initialize(caps, options string) string {
	r.t.Helper()
	result := r.call("initialize", fmt.Sprintf(`{"processId":null,"clientInfo":{"name":"bare"},"rootUri":null,"capabilities":%s,
		"workspaceFolders":[{"uri":%q,"name":"root"}],"initializationOptions":%s}`, caps, document.URIOfPath(r.root), options))
	r.note("initialized", "{}")
	return result
}

func (r *modelHarness) uri(path string) string {
	return document.URIOfPath(filepath.Join(r.root, path))
}

// ended waits for the end of the server and returns what it ended with.
func (r *modelHarness) ended() error {
	r.t.Helper()
	err := lsptest.Receive(r.t, "the end of the server", r.served)
	r.served <- nil // for the clean-up, which waits too
	return err
}

// open writes a file and opens it.
func (r *modelHarness) open(path, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.root, path), []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.didOpen(r.uri(path), text)
}

func (r *modelHarness) didOpen(uri, text string) {
	raw, _ := json.Marshal(text)
	r.note("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"text","version":1,"text":%s}}`, uri, raw))
}

func (r *modelHarness) command(name, args string) string {
	r.t.Helper()
	return r.call("workspace/executeCommand", fmt.Sprintf(`{"command":"coauthor.%s","arguments":[%s]}`, name, args))
}

func mustHold(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%.2000s\ndoes not hold %q", text, w)
		}
	}
}

func TestLifecycle(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	mustHold(t, r.call("workspace/executeCommand", `{"command":"coauthor.status"}`), "error -32002")
	r.note("textDocument/didOpen", `{}`) // dropped
	result := r.initialize(plainCaps, "null")
	mustHold(t, result, `"positionEncoding":"utf-16"`, `"change":2`, `"openClose":true`, `"save":{"includeText":false}`,
		`"resolveProvider":false`, `"coauthor.edit"`, `"coauthor.doctor"`, `"refactor.rewrite"`, `"serverInfo":{"name":"coauthor","version":"test"}`,
		`"supported":true`, `"changeNotifications":true`)
	for _, never := range []string{"source.fixAll", "completionProvider", "renameProvider", "textDocumentContent", "diagnosticProvider", "experimental"} {
		if strings.Contains(result, never) {
			t.Errorf("initialize offers %s: %s", never, result)
		}
	}
	mustHold(t, r.call("initialize", `{"capabilities":{}}`), "error -32600")
	mustHold(t, r.command("status", ""), `"busy":false`, `"client":"generic"`)
	if got := r.call("shutdown", "null"); got != "null" {
		t.Errorf("shutdown answers %s", got)
	}
	mustHold(t, r.command("status", ""), "error -32600")
	r.note("exit", "null")
	if err := r.ended(); err != nil {
		t.Errorf("served: %v", err)
	}
}

func TestExitWithoutShutdown(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.note("exit", "null")
	if err := r.ended(); !errors.Is(err, ErrNoShutdown) {
		t.Errorf("served: %v", err)
	}
}

func TestParentDies(t *testing.T) {
	asked := make(chan int, 100)
	r := newModelHarness(t, nil, func(o *Options) {
		o.AlivePoll = time.Millisecond
		o.Alive = func(pid int) bool { asked <- pid; return len(asked) < 3 }
	})
	r.call("initialize", `{"processId":4711,"capabilities":{}}`)
	r.note("initialized", "{}")
	if err := r.ended(); err != nil {
		t.Errorf("served: %v", err)
	}
	if pid := lsptest.Receive(t, "a question for a process", asked); pid != 4711 {
		t.Errorf("asked for %d", pid)
	}
}

// A client that was killed is noticed within five seconds, also where something else keeps its end of the pipe open.
func TestAKilledClientIsNoticedSoon(t *testing.T) {
	if s := newServer(t.Context(), bare()); s.opts.AlivePoll <= 0 || s.opts.AlivePoll >= 5*time.Second {
		t.Errorf("its process is looked at every %v", s.opts.AlivePoll)
	}
}

func TestNoFolderWritesNothing(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.call("initialize", `{"processId":null,"capabilities":{},"rootUri":null,"workspaceFolders":null}`)
	r.note("initialized", "{}")
	r.didOpen("untitled:Untitled-1", "x")
	r.note("textDocument/didChange", `{"textDocument":{"uri":"untitled:Untitled-1","version":2},"contentChanges":[{"text":"y"}]}`)
	mustHold(t, r.command("edit", `"do it"`), "error")
	mustHold(t, r.call("textDocument/codeAction", `{"textDocument":{"uri":"untitled:Untitled-1"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"context":{"diagnostics":[]}}`), "[]")
	mustHold(t, r.command("status", ""), `"busy":false`)
}
