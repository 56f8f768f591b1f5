package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/lsp/lsptest"
)

// Warnings and errors reach the client's log too, with what they are about, as soon as it may be told.
func TestLogOfTheClient(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	var notes []string
	d.listen(func(method string, params json.RawMessage) { notes = append(notes, method+string(params)) })
	var own bytes.Buffer
	log := slog.New(&clientLog{next: slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelInfo}), client: d.s.client, lines: &d.s.tasks.Lines})
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
	silent := slog.New(&clientLog{next: slog.DiscardHandler, client: d.s.client, lines: &d.s.tasks.Lines})
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
	log := slog.New(&clientLog{next: slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelError}), client: d.s.client, lines: &d.s.tasks.Lines})
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

// slowLog takes its time for the last line of a session.
type slowLog struct {
	slog.Handler
	writes *atomic.Int32
	write  func()
}

func (l slowLog) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "notification done") {
		l.writes.Add(1)
		defer l.writes.Add(-1)
		l.write()
	}
	return nil
}

// Whoever started a server has its log again when the server has ended: no line is written after that, and one that is
// being written is waited for, but not for ever.
func TestLogEndsWithTheServer(t *testing.T) {
	t.Parallel()
	// ended has a server end, and says how many lines are being written then.
	ended := func(write func(), hurry float64) int32 {
		o, writes := bare(), &atomic.Int32{}
		o.Log = slowLog{slog.NewTextHandler(&bytes.Buffer{}, &slog.HandlerOptions{Level: slog.LevelDebug}), writes, write}
		near, far := net.Pipe()
		served := make(chan error, 1)
		go func() { served <- Serve(t.Context(), far, o.Hurry(hurry)) }()
		lsptest.NewPeer(t, near).Send(`{"jsonrpc":"2.0","method":"exit"}`)
		select {
		case <-served:
		case <-time.After(lsptest.Hung):
			t.Fatal("the server does not end")
		}
		return writes.Load()
	}
	// A busy machine may take seconds for a line.
	if n := ended(func() { time.Sleep(100 * time.Millisecond) }, 10); n != 0 {
		t.Errorf("%d lines are being written", n)
	}
	// A handler that comes to its line when the log has been closed writes none, and nothing is stuck.
	release, stuck := make(chan struct{}), int32(0)
	for i := 0; i < 50 && stuck == 0; i++ {
		stuck = ended(func() { <-release }, 0.1)
	}
	close(release)
	if stuck == 0 {
		t.Error("no line was stuck")
	}
	d := newBufferHarness(t, nil, nil)
	var own bytes.Buffer
	log := slog.New(&clientLog{next: slog.NewTextHandler(&own, nil), client: d.s.client, lines: &d.s.tasks.Lines}).With("k", "v")
	log.Info("before")
	d.s.tasks.CloseLines(d.s.opts.within(endWithin))
	log.Info("behind")
	if !strings.Contains(own.String(), "before") || strings.Contains(own.String(), "behind") {
		t.Errorf("logged %q", own.String())
	}
}
