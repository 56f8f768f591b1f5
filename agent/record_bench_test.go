package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/history"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// transcriptOf is a transcript of so many turns of 3 KB each; with a summary of all but the last ten where that is
// wanted.
func transcriptOf(turns int, summed bool) []byte {
	var file []byte
	for n := 1; n <= turns; n++ {
		x := history.Exchange{Turn: fmt.Sprint("t", n), Number: n, User: fmt.Sprintf("Make x %d.", n), Format: "diff", Coder: "code", Model: "scripted",
			Reply: varied(450) + "\n\n" + put("a.py", fmt.Sprintf("x = %d", n), fmt.Sprintf("x = %d", n+1), "")}
		file = append(file, history.Record{Kind: history.KindTurn, Session: "c1", Exchange: x}.Encode()...)
		if summed && n == turns-10 {
			file = append(file, history.Record{Kind: history.KindSummary, Session: "c1", Exchange: history.Exchange{Turn: x.Turn, Number: n}, Text: varied(300)}.Encode()...)
		}
	}
	return file
}

// BenchmarkStartWithHistory is the time from the start of an engine to its first prompt, without a conversation to go on
// with and with one of a thousand turns; left-KB is what of that stays in memory.
func BenchmarkStartWithHistory(b *testing.B) {
	for _, c := range []struct {
		name   string
		turns  int
		summed bool
	}{{"none", 0, false}, {"1000 turns", 1000, false}, {"1000 turns summed up", 1000, true}} {
		b.Run(c.name, func(b *testing.B) {
			root, state := b.TempDir(), b.TempDir()
			catalog, err := model.Load(map[string]model.UserModel{"scripted": {APIBase: "http://127.0.0.1:1", APIKeyEnv: model.NoKey, EditFormat: "diff", Tokenizer: "chars4", Tools: "never", ContextWindow: 128_000}})
			if err != nil {
				b.Fatal(err)
			}
			set := settings.Settings{Model: "scripted", Verify: "off", History: settings.History{Mode: settings.HistorySave}}
			if c.turns > 0 {
				set.History.Mode = settings.HistoryRestore
			}
			start := func() (*agent.Session, func()) {
				ws, err := workspace.Open(root, workspace.Options{})
				if err != nil {
					b.Fatal(err)
				}
				engine := agent.NewEngine(agent.Options{StateDir: state, Client: remote.New(remote.Options{Env: func(string) string { return "" }, Retries: -1}),
					Settings: func(string) settings.Settings { return set }, Catalog: func() *model.Catalog { return catalog }})
				return engine.Session(ws), func() {
					engine.Close()
					if err := ws.Close(); err != nil {
						b.Error(err)
					}
				}
			}
			s, end := start()
			report, err := command.Conversation(b.Context(), s.Conversation, s.Proposals.Sent.Became)
			end()
			if err != nil {
				b.Fatal(err)
			}
			if c.turns > 0 {
				if err := os.MkdirAll(filepath.Dir(report.File), 0o700); err != nil {
					b.Fatal(err)
				}
				if err := os.WriteFile(report.File, transcriptOf(c.turns, c.summed), 0o600); err != nil {
					b.Fatal(err)
				}
			}
			heap := func() int {
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return int(m.HeapAlloc)
			}
			left := 0
			for b.Loop() {
				before := 0
				if left == 0 {
					b.StopTimer()
					before = heap()
					b.StartTimer()
				}
				s, end := start()
				if _, err := s.Prompt(b.Context(), agent.Request{Instruction: "And now?", Coder: "ask"}, agent.Ports{}); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				if left == 0 {
					left = heap() - before
				}
				if n := len(s.Conversation.History.Done()); (n > 0) != (c.turns > 0) || c.summed && n != 10 {
					b.Fatalf("%d exchanges are in memory", n)
				}
				end()
				b.StartTimer()
			}
			b.ReportMetric(float64(left)/1024, "left-KB")
		})
	}
}
