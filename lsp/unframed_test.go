package lsp

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/wire"
)

// A header that does not say where its message ends is the end of a connection, but not a silent one.
func TestABrokenHeaderIsTold(t *testing.T) {
	for _, header := range []string{
		"Content-Length: many\r\n\r\n{}", "hello\r\n\r\n", "X-Y: z\r\n\r\n{}", strings.Repeat("A: b\r\n", 1<<16), strings.Repeat("x", 1<<17),
	} {
		near, far := net.Pipe()
		log := keep(t)
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
				Log: slog.NewTextHandler(log, nil),
			})
		}()
		p := lsptest.NewPeer(t, near)
		p.Send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		p.Expect(`"id":1`)
		p.Send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		go p.Raw(header) // nobody reads it to its end
		p.Expect("window/logMessage", "invalid message header")
		if err := lsptest.Receive(t, "the end of the server", served); !errors.Is(err, wire.ErrFrame) {
			t.Errorf("%.20q: Serve returned %v", header, err)
		}
		if !strings.Contains(log.String(), "invalid message header") {
			t.Errorf("%.20q: the log says %q", header, log.String())
		}
	}
}
