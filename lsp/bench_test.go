package lsp

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/wire"
)

// quantile reports the p-th quantile of the times of a benchmark.
func quantile(b *testing.B, times []time.Duration, p float64, name string) {
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[min(len(times)-1, int(float64(len(times))*p))].Nanoseconds())/1e6, name)
}

// BenchmarkChange is an incremental change of one line in an open document of 1 MB, from the decoded
// frame to the workspace's snapshot.
func BenchmarkChange(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "\tline %d := compute(%d, \"ü\") // and some more text\n", i, i)
	}
	r := newModelHarness(b, nil, func(o *Options) { o.GCPercent = debug.SetGCPercent })
	r.initialize(plainCaps, "null")
	r.open("big.go", text.String())
	r.command("status", "")
	lines := strings.Count(text.String(), "\n")
	change := func(raw []byte) error {
		p := new(didChangeParams)
		if err := wire.Decode(raw, p); err != nil {
			return err
		}
		return r.s.didChange(context.Background(), p)
	}
	times := make([]time.Duration, 0, b.N)
	version := 1
	for b.Loop() {
		version++
		raw := fmt.Appendf(nil, `{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":3},"end":{"line":%d,"character":9}},"text":"edited"}]}`,
			r.uri("big.go"), version, version*7919%lines, version*7919%lines)
		start := time.Now()
		if err := change(raw); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	quantile(b, times, 0.99, "p99-ms")
	quantile(b, times, 0.5, "p50-ms")
}

// BenchmarkCodeAction is a code action request over the pipe while a turn streams.
func BenchmarkCodeAction(b *testing.B) {
	var answer strings.Builder
	answer.WriteString("-- 1.md --\n")
	for i := range 200000 {
		fmt.Fprintf(&answer, "word %d ", i)
	}
	answer.WriteString("\n-- 1.yaml --\ndelay: 1ms\nchunk: 8\n")
	s, err := llmtest.Parse([]byte(answer.String()))
	if err != nil {
		b.Fatal(err)
	}
	r := newModelHarness(b, s, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\ntwo\n")
	r.command("ask", `"talk"`)
	if err := r.model.WaitRequest(context.Background(), 1); err != nil {
		b.Fatal(err)
	}
	times := make([]time.Duration, 0, b.N)
	for b.Loop() {
		start := time.Now()
		got := r.actions("a.txt", 0, 2, 1, "")
		times = append(times, time.Since(start))
		if !strings.Contains(got, "stop (running") {
			b.Fatalf("the turn has ended: %s", got)
		}
	}
	quantile(b, times, 0.99, "p99-ms")
	quantile(b, times, 0.5, "p50-ms")
}

// BenchmarkInitialize is the work of initialize within the process. The time from the start of the
// process is measured by cmd/bench.
func BenchmarkInitialize(b *testing.B) {
	times := make([]time.Duration, 0, b.N)
	for b.Loop() {
		r := newModelHarness(b, nil, nil)
		start := time.Now()
		r.initialize(plainCaps, "{}")
		times = append(times, time.Since(start))
	}
	quantile(b, times, 0.5, "p50-ms")
}
