package lsp

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
)

// Warnings and errors reach the client's log too, with what they are about, as soon as it may be told.
func TestLogOfTheClient(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	var notes []string
	d.listen(func(method string, params json.RawMessage) { notes = append(notes, method+string(params)) })
	var own bytes.Buffer
	log := slog.New(&clientLog{next: slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelInfo}), client: d.s.client})
	log = log.With("first", 1).WithGroup("g").With("second", 2)
	log.Debug("quiet")
	log.Info("plain", "k", "v")
	d.sync()
	if len(notes) != 0 || strings.Contains(own.String(), "quiet") || !strings.Contains(own.String(), "plain") {
		t.Errorf("told %q, logged %q", notes, own.String())
	}
	log.Warn("careful", "k", "v", "stack", "deep")
	log.Error("broken")
	d.sync()
	if len(notes) != 2 {
		t.Fatalf("told %q", notes)
	}
	mustHold(t, notes[0], "window/logMessage", `"type":2`, "careful", "first=1", "g.second=2", "g.k=v")
	mustHold(t, notes[1], "window/logMessage", `"type":1`, "broken")
	if strings.Contains(notes[0], "deep") {
		t.Errorf("told %q", notes[0])
	}
	mustHold(t, own.String(), "careful", "g.stack=deep", "broken", "first=1", "g.second=2")
	d.s.client.Shut()
	log.Error("before the start")
	mustHold(t, own.String(), "before the start")
	d.sync()
	if len(notes) != 2 {
		t.Errorf("told too early: %q", notes[2:])
	}
	silent := slog.New(&clientLog{next: slog.DiscardHandler, client: d.s.client})
	if !silent.Enabled(t.Context(), slog.LevelWarn) || silent.Enabled(t.Context(), slog.LevelInfo) {
		t.Error("a server without a log of its own tells the client nothing, or all")
	}
}

// A log of our own that wants less than the client's is not given what it does not want.
func TestLogsThatDiffer(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	told := 0
	d.listen(func(string, json.RawMessage) { told++ })
	var own bytes.Buffer
	log := slog.New(&clientLog{next: slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelError}), client: d.s.client})
	log.Warn("careful")
	d.sync()
	if own.Len() != 0 || told != 1 {
		t.Errorf("logged %q, told %d", own.String(), told)
	}
	log.Error("broken")
	mustHold(t, own.String(), "broken")
	d.sync()
	if told != 2 || strings.Contains(own.String(), "careful") {
		t.Errorf("logged %q, told %d", own.String(), told)
	}
}
