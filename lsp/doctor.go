package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/settings"
)

// doctor looks at everything that a turn needs, and shows the result as a document too.
func (s *server) doctor(ctx context.Context, r *rootState) any {
	about := fmt.Sprintf("%s, profile %s, positions in %s", named(s.caps.Name, s.caps.Version), s.quirks.Client, s.encoding)
	if on := s.quirks.switches(); len(on) > 0 {
		about += ", switches " + strings.Join(on, " ")
	}
	checks := []Check{{Name: "client", OK: true, Message: about}}
	if !s.caps.ApplyEdit {
		checks = append(checks, Check{Name: "edits", Message: "the client does not take edits from servers", Advice: "use another client, or coauthor edit on the command line"})
	}
	if s.opts.Doctor != nil {
		v, warnings := s.config.load(r.dir)
		checks = append(checks, s.opts.Doctor(ctx, r.dir, v, append([]settings.Warning{}, warnings...))...)
	}
	ok := true
	var text strings.Builder
	text.WriteString("# Coauthor: set-up\n\n")
	for _, c := range checks {
		ok = ok && c.OK
		mark := "ok"
		if !c.OK {
			mark = "**problem**"
		}
		fmt.Fprintf(&text, "- %s: %s: %s\n", c.Name, mark, c.Message)
		if c.Advice != "" {
			fmt.Fprintf(&text, "  - %s\n", c.Advice)
		}
	}
	s.background(func(ctx context.Context) {
		if elsewhere := s.showMarkdown(ctx, r, "doctor.md", text.String()); elsewhere != "" {
			s.client.logMessage(protocol.MessageTypeInfo, elsewhere)
		}
	})
	return map[string]any{"ok": ok, "checks": checks}
}

func named(client, version string) string {
	if client == "" {
		return "unnamed client"
	}
	return strings.TrimSpace(client + " " + version)
}
