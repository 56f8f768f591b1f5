package lsp

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// logText collects a log.
type logText struct {
	mu  sync.Mutex
	buf bytes.Buffer // guarded by mu
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// A header that does not say where its message ends is the end of a connection, but not a silent one.
func TestABrokenHeaderIsTold(t *testing.T) {
	for _, header := range []string{
		"Content-Length: many\r\n\r\n{}", "hello\r\n\r\n", "X-Y: z\r\n\r\n{}", strings.Repeat("A: b\r\n", 1<<16), strings.Repeat("x", 1<<17),
	} {
		near, far := net.Pipe()
		var log logText
		served := make(chan error, 1)
		go func() {
			served <- Serve(context.Background(), far, Options{
				Engine: func(h Hooks) *agent.Engine { return agent.NewEngine(agent.Options{Settings: h.Settings}) },
				Settings: func(string, settings.Editor) (settings.Settings, []settings.Warning) {
					return settings.Defaults(), nil
				},
				Workspace: func(root string, _ func() settings.Settings) (*workspace.Workspace, error) {
					return workspace.Open(root, workspace.Options{})
				},
				Log: slog.NewTextHandler(&log, nil),
			})
		}()
		p := newPeer(t, near)
		p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		p.expect(`"id":1`)
		p.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		go p.raw(header) // nobody reads it to its end
		p.expect("window/logMessage", "broken message header")
		select {
		case err := <-served:
			if !errors.Is(err, errFrame) {
				t.Errorf("%.20q: Serve returned %v", header, err)
			}
		case <-time.After(hung):
			t.Fatalf("%.20q: the server still serves", header)
		}
		if !strings.Contains(log.String(), "broken message header") {
			t.Errorf("%.20q: the log says %q", header, log.String())
		}
	}
}
