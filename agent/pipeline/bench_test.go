package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/pipeline"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// bench runs pipelines in a folder with a scripted model, and answers their questions.
type bench struct {
	shadow  *sandbox.Shadow // runs programs; nil runs them without a sandbox
	environ []string        // for programs; nil is that of the test

	t        testing.TB
	root     string
	state    string
	script   txtar.Archive
	server   *llmtest.Server // nil until open
	settings settings.Settings
	user     model.UserModel
	session  *agent.Session

	mu      sync.Mutex
	failing error          // what asking ends with; nil is an answer
	hanging string         // a question that nobody answers; "" is none
	answers []event.Answer // guarded by mu; to the questions, in order; none left is the default
	typed   []string       // guarded by mu; what is typed before answers are taken
	asked   []event.Question
	events  []event.Event
}

// newBench makes a bench whose model gives these replies, one for each request.
func newBench(t testing.TB, disk map[string]string, replies ...string) *bench {
	t.Helper()
	var a txtar.Archive
	for i, reply := range replies {
		a.Files = append(a.Files, txtar.File{Name: fmt.Sprintf("%d.md", i+1), Data: []byte(reply)})
	}
	b := &bench{t: t, script: a, root: t.TempDir(), state: t.TempDir()}
	for name, text := range disk {
		b.write(name, text)
	}
	b.user = model.UserModel{APIKeyEnv: model.NoKey, Tokenizer: "chars4", Tools: "never"}
	b.settings = settings.Settings{Model: "scripted", Verify: "off", Checks: settings.Checks{Timeout: 5 * time.Minute}}
	return b
}

// deliver says how a reply reaches the client.
func (b *bench) deliver(reply int, how string) {
	b.script.Files = append(b.script.Files, txtar.File{Name: fmt.Sprintf("%d.yaml", reply), Data: []byte(how)})
}

// open opens the session, after the test has set what it wants.
func (b *bench) open() *agent.Session {
	b.t.Helper()
	if b.session != nil {
		return b.session
	}
	script, err := llmtest.Parse(txtar.Format(&b.script))
	if err != nil {
		b.t.Fatal(err)
	}
	b.server = llmtest.Start(script)
	b.t.Cleanup(b.server.Close)
	b.user.APIBase = b.server.URL
	ws, err := workspace.Open(b.root, workspace.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = ws.Close() })
	environ := b.environ
	if environ == nil {
		environ = os.Environ()
	}
	engine := agent.NewEngine(agent.Options{
		Client:   remote.New(remote.Options{Env: func(string) string { return "" }, Retries: -1}),
		Settings: func(string) settings.Settings { return b.settings },
		Catalog: func() *model.Catalog {
			c, err := model.Load(map[string]model.UserModel{"scripted": b.user})
			if err != nil {
				panic(err)
			}
			return c
		},
		StateDir: b.state,
		Environ:  environ,
		Shadow:   b.shadow,
	})
	b.t.Cleanup(engine.Close)
	b.session = engine.Session(ws)
	return b.session
}

// Ask implements event.Asker.
func (b *bench) Ask(ctx context.Context, q event.Question) (event.Answer, error) {
	b.mu.Lock()
	b.asked = append(b.asked, q)
	b.mu.Unlock()
	if b.failing != nil {
		return event.Answer{}, b.failing
	}
	if b.hanging != "" && strings.HasPrefix(q.Text, b.hanging) {
		<-ctx.Done()
		return event.Answer{}, ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.typed) > 0 {
		a, _ := q.Choose(b.typed[0])
		b.typed = b.typed[1:]
		return a, ctx.Err()
	}
	if len(b.answers) == 0 {
		return q.DefaultAnswer(), ctx.Err()
	}
	a := b.answers[0]
	b.answers = b.answers[1:]
	return a, ctx.Err()
}

// run runs a command to its end.
func (b *bench) run(command string, c pipeline.Args) agent.Result {
	b.t.Helper()
	r, err := pipeline.Request(command, c)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.start(r)
}

func (b *bench) start(r agent.Request) agent.Result {
	b.t.Helper()
	s := b.open()
	resolved, err := s.Resolve(r)
	if err != nil {
		b.t.Fatal(err)
	}
	started, err := s.Start(resolved, b.ports())
	if err != nil {
		b.t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(b.t.Context(), 2*time.Minute) // only a hang takes so long
	defer stop()
	result, err := s.Turns.Wait(ctx, started.Turn)
	if err != nil {
		b.t.Fatal(err)
	}
	return result
}

// ports are who is asked, and told.
func (b *bench) ports() agent.Ports {
	return agent.Ports{Ask: b, Sink: func(e event.Event) {
		b.mu.Lock()
		b.events = append(b.events, e)
		b.mu.Unlock()
	}}
}

// isAsked waits for a question.
func (b *bench) isAsked(ctx context.Context) error {
	for {
		b.mu.Lock()
		n := len(b.asked)
		b.mu.Unlock()
		if n > 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// hears waits until the model was heard to say something.
func (b *bench) hears(ctx context.Context, text string) error {
	for {
		said := ""
		b.mu.Lock()
		for _, e := range b.events {
			if e.Kind == event.KindDelta {
				said += e.Text
			}
		}
		b.mu.Unlock()
		if strings.Contains(said, text) || ctx.Err() != nil {
			return ctx.Err()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// accept writes what a result proposes, as whoever applies it does.
func (b *bench) accept(r agent.Result) {
	b.t.Helper()
	for name, text := range files(r) {
		b.write(name, text)
	}
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	name = filepath.Join(b.root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// files are what a result proposes, by path; a deleted file is "(gone)".
func files(r agent.Result) map[string]string {
	list := map[string]string{}
	if r.Proposal == nil {
		return list
	}
	for _, f := range r.Proposal.Files {
		list[f.Change.Path] = f.Change.After
	}
	return list
}

// notes are all that the user was told, a line each.
func (b *bench) notes() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []string
	for _, e := range b.events {
		if e.Kind == event.KindNote {
			list = append(list, string(e.Note.Level)+": "+e.Note.Text)
		}
	}
	return strings.Join(list, "\n")
}

// roles are the roles of the messages of a request, and texts their contents.
func (b *bench) request(n int) (roles, texts []string) {
	b.t.Helper()
	requests := b.server.Requests()
	if n > len(requests) {
		b.t.Fatalf("there were %d requests", len(requests))
	}
	for _, m := range requests[n-1].Messages {
		roles, texts = append(roles, m.Role), append(texts, m.Content)
	}
	return roles, texts
}

// logged is a log of the only run.
func (b *bench) logged(log pipeline.Log) string {
	b.t.Helper()
	list, err := filepath.Glob(filepath.Join(b.state, "pipeline", "*", "*", string(log)))
	if err != nil || len(list) > 1 {
		b.t.Fatal(list, err)
	}
	if len(list) == 0 {
		return ""
	}
	data, err := os.ReadFile(list[0])
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}
