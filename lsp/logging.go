package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/lsp/client"
	"coauthor/lsp/wire"
)

// clientLog writes every record to the log that the server was started with, and warnings and
// errors to the client's too, where a user looks first. Texts of files and of models are never
// logged, and errors of package llm hide keys.
type clientLog struct {
	next   slog.Handler
	client *client.Client
	lines  *wire.Group // those being written; closed when the server ends, whose log is its owner's again then
	attrs  string      // already formatted
	group  string
}

// Enabled implements slog.Handler.
func (h *clientLog) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || h.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h *clientLog) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn && h.client.IsOpen() {
		kind := protocol.MessageTypeWarning
		if r.Level >= slog.LevelError {
			kind = protocol.MessageTypeError
		}
		var b strings.Builder
		b.WriteString("coauthor: " + r.Message + h.attrs)
		r.Attrs(func(a slog.Attr) bool {
			if a.Key != "stack" { // of use in our own log only
				b.WriteString(h.format(a))
			}
			return true
		})
		h.client.LogMessage(kind, b.String())
	}
	if !h.next.Enabled(ctx, r.Level) || !h.lines.Add() {
		return nil
	}
	defer h.lines.Done()
	return h.next.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h *clientLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	more := *h
	for _, a := range attrs {
		more.attrs += h.format(a)
	}
	more.next = h.next.WithAttrs(attrs)
	return &more
}

// WithGroup implements slog.Handler.
func (h *clientLog) WithGroup(name string) slog.Handler {
	more := *h
	more.group += name + "."
	more.next = h.next.WithGroup(name)
	return &more
}

func (h *clientLog) format(a slog.Attr) string {
	return fmt.Sprintf(" %s%s=%v", h.group, a.Key, a.Value.Resolve())
}
