package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/settings"
	"coauthor/lsp/folder"
	"coauthor/lsp/turnview"
)

// doctor looks at everything that a turn needs, and shows the result as a document too. Then it offers
// to send the model the one small request that would tell more.
func (s *server) doctor(ctx context.Context, r *folder.Folder) any {
	checks := s.examine(ctx, r, false)
	s.tasks.Background(func(ctx context.Context) {
		s.showChecks(ctx, r, checks)
		s.offerRequest(ctx, r, checks)
	})
	return doctorResult(checks)
}

// doctorResult is the answer of the command.
func doctorResult(checks []Check) map[string]any {
	return map[string]any{"ok": allOK(checks), "checks": checks}
}

// examine makes the checks: those of the client and those of the engine. request says that the user
// allows one small request to the model.
func (s *server) examine(ctx context.Context, r *folder.Folder, request bool) []Check {
	about := fmt.Sprintf("%s, profile %s, positions in %s", named(s.client.Caps.Name, s.client.Caps.Version), s.client.Quirks.Client, s.docs.encoding)
	if on := s.client.Quirks.Switches(); len(on) > 0 {
		about += ", switches " + strings.Join(on, " ")
	}
	checks := []Check{{Name: "client", OK: true, Message: about}}
	if !s.client.Caps.ApplyEdit {
		checks = append(checks, Check{Name: "edits", Message: "the editor does not accept edits from servers", Advice: "Use another editor, or run coauthor edit in a terminal."})
	}
	if s.opts.Doctor != nil {
		v, warnings := s.config.load(r.Dir)
		checks = append(checks, s.opts.Doctor(ctx, r.Dir, v, append([]settings.Warning{}, warnings...), request)...)
	}
	return checks
}

func allOK(checks []Check) bool {
	return !slices.ContainsFunc(checks, func(c Check) bool { return !c.OK })
}

// showChecks opens the doctor's page.
func (s *server) showChecks(ctx context.Context, r *folder.Folder, checks []Check) {
	var text strings.Builder
	text.WriteString("# Coauthor: setup\n\n")
	for _, c := range checks {
		mark := "ok"
		if !c.OK {
			mark = "**problem**"
		}
		fmt.Fprintf(&text, "- %s: %s: %s\n", c.Name, mark, c.Message)
		if c.Advice != "" {
			fmt.Fprintf(&text, "  - %s\n", c.Advice)
		}
	}
	if elsewhere := r.Shown.Page(ctx, "doctor.md", text.String()); elsewhere != "" {
		s.client.LogMessage(protocol.MessageTypeInfo, elsewhere)
	}
}

const (
	requestYes = "Send it"
	requestNo  = "No"
)

// offerRequest asks whether to send the model one small request, where that would tell more and the
// client can ask. Without the user's word nothing is sent. What came of it stands on the page and in a
// message.
func (s *server) offerRequest(ctx context.Context, r *folder.Folder, checks []Check) {
	if !slices.ContainsFunc(checks, func(c Check) bool { return c.Untried }) || !s.client.CanAsk() {
		return
	}
	asking, cancel := context.WithTimeout(ctx, s.landings.Scaled(turnview.AskTime))
	defer cancel()
	choice, err := s.client.ShowMessageRequest(asking, protocol.MessageTypeInfo,
		"Coauthor: Send the model one short test request? It costs almost nothing.", []string{requestYes, requestNo})
	if err != nil {
		s.log.Debug("the doctor's request was not offered", "err", err)
		return
	}
	if choice != requestYes {
		return
	}
	after := s.examine(ctx, r, true)
	if ctx.Err() != nil {
		return
	}
	s.showChecks(ctx, r, after)
	kind, told := protocol.MessageTypeInfo, "The model answered. The setup works."
	for _, c := range after {
		if !c.OK {
			kind, told = protocol.MessageTypeWarning, strings.TrimSpace("The setup has a problem: "+c.Name+": "+c.Message+" "+c.Advice)
			break
		}
	}
	s.client.ShowMessage(kind, "Coauthor: "+told)
}

func named(client, version string) string {
	if client == "" {
		return "unnamed client"
	}
	return strings.TrimSpace(client + " " + version)
}
