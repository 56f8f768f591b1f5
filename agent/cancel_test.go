package agent_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
)

// soon is ten times as long as a cancelled turn may take to end, in the time of processors: what others do on the
// machine does not count. One that waits instead of working is hung.
const soon = 2 * time.Second

// hostileTurn is a turn that would spend long in one stage.
type hostileTurn struct {
	name, format, verify string
	disk                 map[string]string
	reply                func() string
	from                 event.State // the cancel comes some time after this state was reached
	tokenizer            string
	instruction          string
}

func edit(path, search, replace string) string {
	return path + "\n```\n<<<<<<< SEARCH\n" + search + "=======\n" + replace + ">>>>>>> REPLACE\n```\n"
}

func numbered(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

const million = 1 << 20

func hostileTurns() []hostileTurn {
	lines := numbered(20_000, func(i int) string { return fmt.Sprintf("line %d\n", i) })
	return []hostileTurn{
		{name: "20,000 edits of one file", format: "diff", from: event.TurnVerifying, disk: map[string]string{"a.txt": lines},
			reply: func() string {
				return numbered(20_000, func(i int) string {
					return edit("a.txt", fmt.Sprintf("line %d\n", i), fmt.Sprintf("row %d\n", i))
				})
			}},
		{name: "20,000 edits that do not fit", format: "diff", from: event.TurnVerifying, disk: map[string]string{"a.txt": lines},
			reply: func() string {
				return numbered(20_000, func(i int) string {
					return edit("a.txt", fmt.Sprintf("line %d\nlime %d\nline %d\n", i, i, i+2), "x\n")
				})
			}},
		{name: "2,000 failures to tell the model", format: "diff", from: event.TurnReflecting, disk: map[string]string{"a.txt": lines},
			reply: func() string {
				return numbered(2_000, func(i int) string { return edit("a.txt", fmt.Sprintf("lime %d\nlime %d\n", i, i+7), "x\n") })
			}},
		{name: "a million broken pieces", format: "whole", from: event.TurnVerifying, reply: func() string { return strings.Repeat("```\n", 4*million/4) }},
		{name: "20,000 new files", format: "diff", from: event.TurnVerifying,
			reply: func() string {
				return numbered(20_000, func(i int) string { return edit(fmt.Sprintf("d%d/f%d.txt", i%100, i), "", "new\n") })
			}},
		{name: "20,000 files out of the root", format: "diff", from: event.TurnVerifying,
			reply: func() string {
				return numbered(20_000, func(i int) string { return edit(fmt.Sprintf("../f%d.txt", i), "a\n", "new\n") })
			}},
		{name: "a reply of fences", format: "whole", from: event.TurnStreaming, reply: func() string { return strings.Repeat("```\n", 15*million/4) }},
		{name: "a reply of names and fences", format: "whole", from: event.TurnStreaming, reply: func() string { return strings.Repeat("a.py\n```\n", 15*million/9) }},
		{name: "a reply of empty headers", format: "udiff", from: event.TurnStreaming, reply: func() string { return strings.Repeat("--- a.py\n+++ a.py\n", 15*million/18) }},
		{name: "a reply of empty sections", format: "patch", from: event.TurnStreaming,
			reply: func() string {
				return "*** Begin Patch\n" + strings.Repeat("*** Update File: a.py\n@@\n", 15*million/25) + "*** End Patch\n"
			}},
		{name: "an answer in one word", format: "diff", from: event.TurnStreaming, tokenizer: "o200k", reply: func() string {
			random, word := rand.New(rand.NewPCG(1, 2)), make([]byte, 4*million) // one that repeats itself is not heard to its end
			for i := range word {
				word[i] = 'a' + byte(random.IntN(26))
			}
			return string(word)
		}},
		{name: "a tree of brackets", format: "whole", verify: "syntax", from: event.TurnVerifying,
			reply: func() string { return "a.py\n```\n" + strings.Repeat("[)", 150_000) + "\n```\n" }},
		{name: "a large file with an ignore file of a million patterns", format: "whole", from: event.TurnCollecting, instruction: "Change a.txt.",
			disk:  map[string]string{".coauthorignore": strings.Repeat("*x*y\n", 180_000), "a.txt": "a\n"},
			reply: func() string { return "No." }},
		{name: "a prompt of one word", format: "whole", from: event.TurnCollecting, tokenizer: "o200k",
			disk: map[string]string{"a.txt": strings.Repeat("a", million)}, reply: func() string { return "No." }},
	}
}

// Whatever a turn is doing when the user stops it, it stops. Each of the turns is stopped at each of three moments where
// COAUTHOR_LARGE is set, as .ci/run does, else at one of them.
func TestCancelEndsEveryStage(t *testing.T) {
	moments := []time.Duration{0, 50 * time.Millisecond, 400 * time.Millisecond}
	for i, h := range hostileTurns() {
		t.Run(h.name, func(t *testing.T) {
			text := h.reply()
			for n, after := range moments {
				if n != i%len(moments) && os.Getenv("COAUTHOR_LARGE") == "" {
					continue
				}
				took, state := h.cancelled(t, text, after)
				t.Logf("after %v: %v %v", after, took, state)
				if took > soon {
					t.Errorf("cancelled %v after %s, the turn worked for %v until it ended", after, h.from, took)
				}
			}
		})
	}
}

// cancelled runs the turn, cancels it and tells how long it then worked until it ended.
func (h *hostileTurn) cancelled(t *testing.T, text string, after time.Duration) (time.Duration, event.State) {
	t.Helper()
	disk := h.disk
	if disk == nil {
		disk = map[string]string{"a.txt": "a\n", "a.py": "x = 1\n"}
	}
	b := newBench(t, "-- 1.md --\n-", disk)
	b.server.Close()
	b.server = llmtest.Start(&llmtest.Script{Models: []string{"scripted"}, Prefix: "/v1",
		Replies: []llmtest.Reply{{Number: 1, Text: text, Delivery: llmtest.Delivery{Chunk: million, Repeat: true}}}})
	t.Cleanup(b.server.Close)
	b.user.APIBase, b.user.EditFormat = b.server.URL, h.format
	b.settings.Verify = h.verify
	if h.tokenizer != "" {
		b.user.Tokenizer = h.tokenizer
	}
	gitInit(t, b.root)
	ws, err := workspace.Open(b.root, workspace.Options{Clock: time.Now, Ignore: vcs.NewIgnore(b.root, nil).Check})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	b.session = b.engine.Session(ws)
	reached := make(chan struct{})
	files := []string{}
	for path := range disk {
		if !strings.HasPrefix(path, ".") {
			files = append(files, path)
		}
	}
	seen := false
	started, err := start(b.session, agent.Request{Instruction: "Do it. " + h.instruction, Files: files}, agent.Ports{Ask: b, Sink: func(e event.Event) {
		if !seen && (e.Kind == event.KindState && e.State == h.from || e.Kind == event.KindEnded) {
			seen = true
			close(reached)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-reached:
	case <-time.After(hung):
		t.Fatal("the stage was never reached")
	}
	time.Sleep(after)
	start := time.Now()
	before := worked(t, start)
	b.session.Turns.Cancel(started.Turn)
	r := b.wait(started.Turn)
	return worked(t, start) - before, r.State
}

func gitInit(t *testing.T, root string) {
	t.Helper()
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// Git is a process: it is asked about all files of a reply at once.
func TestGitIsAskedOnceForAReply(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs git and a shell")
	}
	b := newBench(t, "-- 1.md --\n"+numbered(300, func(i int) string { return edit(fmt.Sprintf("d%d/f%d.txt", i%7, i), "", "new\n") }), map[string]string{"a.txt": "a\n"})
	gitInit(t, b.root)
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := fmt.Sprintf("#!/bin/sh\necho x >>%s\nexec %s \"$@\"\n", log, real)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	ws, err := workspace.Open(b.root, workspace.Options{Clock: time.Now, Ignore: vcs.NewIgnore(b.root, nil).Check})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	b.session = b.engine.Session(ws)
	r, _ := b.run(agent.Request{Instruction: "Make them.", Files: []string{"a.txt"}})
	if r.Proposal == nil || len(r.Proposal.Files) != 300 {
		t.Fatalf("%+v", r)
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(calls), "x"); n > 20 {
		t.Errorf("git was started %d times", n)
	}
}
