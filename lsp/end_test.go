package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/lsp/lsptest"
)

// bare are the options without which there is no server, and none of the others.
func bare() Options {
	return Options{
		Engine: func(h Hooks) *agent.Engine {
			return agent.NewEngine(agent.Options{Settings: h.Settings, Sink: h.Sink})
		},
		Settings: func(string, settings.Editor) (settings.Settings, []settings.Warning) { return settings.Defaults(), nil },
		Workspace: func(root string, _ func() settings.Settings) (*workspace.Workspace, error) {
			return workspace.Open(root, workspace.Options{})
		},
	}
}

// A server with nothing but what it must have works, and ends with whatever ends it: the connection, its context, or an
// exit, with or without a shutdown.
func TestHowAServerEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(p *lsptest.Peer, stop func())
		want error
	}{
		{"the client hangs up", func(p *lsptest.Peer, _ func()) { _ = p.Conn.Close() }, nil},
		{"the context ends", func(_ *lsptest.Peer, stop func()) { stop() }, nil},
		{"exit", func(p *lsptest.Peer, _ func()) { p.Send(`{"jsonrpc":"2.0","method":"exit"}`) }, ErrNoShutdown},
		{"shutdown and exit", func(p *lsptest.Peer, _ func()) {
			p.Send(`{"jsonrpc":"2.0","id":9,"method":"shutdown"}`)
			p.Expect(`"id":9,"result":null`)
			p.Send(`{"jsonrpc":"2.0","method":"exit"}`)
			p.Send(`{"jsonrpc":"2.0","method":"exit"}`) // some say it twice
		}, nil},
	} {
		for _, started := range []bool{false, true} {
			if !started && strings.HasPrefix(c.name, "shutdown") {
				continue
			}
			near, far := net.Pipe()
			ctx, stop := context.WithCancel(t.Context())
			served := make(chan error, 1)
			go func() { served <- Serve(ctx, far, bare()) }()
			p := lsptest.NewPeer(t, near)
			if started {
				p.Send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":%d,"capabilities":{}}}`, os.Getpid())
				p.Expect(`"id":1`)
				p.Send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
				p.Send(`{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"coauthor.status"}}`)
				p.Expect(`"id":2,"result":{`)
			}
			c.end(p, stop)
			if err := lsptest.Receive(t, "the end", served); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%s, started %v: %v", c.name, started, err)
			}
			if _, err := near.Write([]byte("x")); err == nil {
				t.Errorf("%s, started %v: the connection is open", c.name, started)
			}
			stop()
		}
	}
}

// Every message of the protocol that a client may send does what it is for, and none is left out of the table.
func TestEveryMethodIsTaken(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	uri := r.uri("a.txt")
	for method, params := range map[string]string{
		"workspace/executeCommand":      `{"command":"coauthor.status"}`,
		"textDocument/codeAction":       fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{},"context":{"diagnostics":[]}}`, uri),
		"workspace/textDocumentContent": `{"uri":"coauthor:/x"}`,
	} {
		if got := r.call(method, params); strings.HasPrefix(got, "error") {
			t.Errorf("%s: %s", method, got)
		}
	}
	if got := r.call(methodGetPending, "{}"); strings.Contains(got, "-32601") {
		t.Errorf("%s: %s", methodGetPending, got)
	}
	for method, params := range map[string]string{
		"$/cancelRequest": `{"id":99}`, "textDocument/didSave": fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri),
		"workspace/didChangeWatchedFiles": `{"changes":[]}`, "window/workDoneProgress/cancel": `{"token":"x"}`,
		methodDidFocus: fmt.Sprintf(`{"uri":%q}`, uri), methodDiagnostics: fmt.Sprintf(`{"uri":%q,"diagnostics":[]}`, uri),
		methodSetTrust: `{"trusted":false}`, "workspace/didChangeConfiguration": `{"settings":{}}`,
		"workspace/didChangeWorkspaceFolders": `{"event":{"added":[],"removed":[]}}`,
	} {
		r.note(method, params)
	}
	r.note("something/else", `{}`)
	r.note("$/of/no/interest", `{}`)
	r.command("status", "")
	log := r.log.String()
	if n := strings.Count(log, "notification ignored"); n != 1 || !strings.Contains(log, "something/else") || strings.Contains(log, "notification failed") {
		t.Errorf("%d ignored:\n%s", n, log)
	}
	for i, wrong := range []string{"window/workDoneProgress/cancel", "$/cancelRequest"} {
		r.note(wrong, `{"token":7,"id":null}`) // a token of the client's own, and no call
		r.command("status", "")
		if log := r.log.String(); strings.Count(log, "notification failed") != i+1 || !strings.Contains(log, "method="+wrong) {
			t.Errorf("%s:\n%s", wrong, log)
		}
	}
}

// What runs beside the reading ends with the session, and a panic there costs nothing else.
func TestWorkInTheBackground(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	var notes []string
	done := make(chan struct{})
	d.listen(func(method string, params json.RawMessage) { notes = append(notes, string(params)) })
	if !d.s.tasks.Background(func(context.Context) { defer close(done); panic("oh") }) {
		t.Fatal("nothing may begin")
	}
	lsptest.Receive(t, "the panic", done)
	ctx, cancel := context.WithTimeout(t.Context(), lsptest.Hung)
	defer cancel()
	d.s.tasks.Wait(ctx)
	d.sync()
	if ctx.Err() != nil || len(notes) == 0 || !strings.Contains(notes[0], "oh") {
		t.Errorf("told %q", notes)
	}
	ran := make(chan error, 1)
	if !d.s.tasks.Background(func(ctx context.Context) { <-ctx.Done(); ran <- ctx.Err() }) {
		t.Fatal("nothing may begin after a panic")
	}
	d.s.tasks.Cancel()
	lsptest.Receive(t, "the end of the work", ran)
	d.s.tasks.Close()
	if d.s.tasks.Background(func(context.Context) { t.Error("it ran after the end") }) {
		t.Error("it was begun after the end")
	}
	// A progress that begins after the end says nothing, and nobody waits for it.
	p := d.s.turns.NewProgress("x", "y", func() {})
	p.End("over")
	lsptest.Within(t, "a progress after the end", func() { p.Wait(t.Context()); d.s.turns.Wait(t.Context()) })
}

// How long a command may take is what it is, or what a test makes of it.
func TestTimesAreScaled(t *testing.T) {
	for slack, want := range map[float64]time.Duration{0: time.Second, 1: time.Second, 20: 20 * time.Second, 0.5: time.Second / 2} {
		if got := (&Options{slack: slack}).within(time.Second); got != want {
			t.Errorf("%v: %v", slack, got)
		}
	}
}
