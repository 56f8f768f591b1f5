package agent_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/edits"
)

// states are the states that a turn was seen to go through. The zero value is ready.
type states struct {
	mu   sync.Mutex
	list []event.State // guarded by mu
}

func (s *states) take(e event.Event) bool {
	if e.Kind != event.KindState {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, e.State)
	return true
}

func (s *states) seen() []event.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// moves are the pairs of states that follow each other.
func moves(list []event.State) (pairs []string) {
	for i := 1; i < len(list); i++ {
		if list[i] != list[i-1] {
			pairs = append(pairs, fmt.Sprintf("%s %s", list[i-1], list[i]))
		}
	}
	return pairs
}

// Every row of the state machine of a turn is gone through by some turn here, and nothing else is: each way in which turns
// go, and in each state that one comes to, the user's cancel.
func TestTurnsFollowTheirTable(t *testing.T) {
	rows, gone := map[string]bool{}, map[string]string{}
	for _, row := range event.TurnTransitions() {
		key := fmt.Sprintf("%s %s", row.From, row.To)
		if rows[key] {
			t.Errorf("%s stands twice in the table", key)
		}
		rows[key] = true
	}
	note := func(name string, list []event.State) {
		if !list[len(list)-1].Final() {
			t.Errorf("%s ends in %s", name, list[len(list)-1])
		}
		for i, s := range list {
			if s.Final() && i < len(list)-1 {
				t.Errorf("%s goes on after %s: %v", name, s, list)
			}
		}
		for _, pair := range moves(list) {
			if gone[pair] == "" {
				gone[pair] = name
			}
			if !rows[pair] {
				t.Errorf("%s goes from %s, which is no row: %v", name, pair, list)
			}
		}
	}
	for _, c := range turnCases() {
		t.Run(c.name, func(t *testing.T) {
			seen := c.play(t, "")
			note(c.name, seen)
			at := slices.Compact(slices.Clone(seen))
			for _, state := range at[:len(at)-1] {
				list := c.play(t, state)
				note(c.name+", cancelled while "+string(state), list)
				// What a job has changed before it was stopped is proposed.
				if last := list[len(list)-1]; last != event.TurnCancelled && (c.req.Job == nil || last != event.TurnProposed) {
					t.Errorf("cancelled while %s, it ends as %s: %v", state, last, list)
				}
			}
		})
	}
	for key := range rows {
		if gone[key] == "" {
			t.Errorf("no turn here goes from %s", key)
		}
	}
}

// turnCase is a way that a turn goes.
type turnCase struct {
	name   string
	script string
	set    func(b *bench)
	req    agent.Request
	behind bool // it follows a turn that runs, and so waits
}

// play runs the turn, cancels it once it is in a state, "" for none, and returns the states that it went through.
func (c *turnCase) play(t *testing.T, cancel event.State) []event.State {
	script := c.script
	if script == "" {
		script = "-- 1.md --\nNobody asks.\n"
	}
	b := newBench(t, script, map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
	if c.set != nil {
		c.set(b)
	}
	var s states
	var turn string
	known := make(chan struct{})
	sink := func(e event.Event) {
		if !s.take(e) || e.State != cancel {
			return
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			<-known
			b.session.Turns.Cancel(turn)
		}()
		if e.State != event.TurnQueued { // which is told before the name is known
			<-done
		}
	}
	req := c.req
	if c.behind {
		first, _ := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		b.held()
		req.FollowUp = first.Turn
		defer func() { _, _ = b.session.Turns.Wait(deadline(t), first.Turn) }()
		if cancel == "" {
			defer b.session.Turns.Cancel("")
		}
	}
	started, err := start(b.session, req, agent.Ports{Sink: sink, Ask: b})
	if err != nil {
		t.Fatal(err)
	}
	turn = started.Turn
	close(known)
	if c.behind && cancel != event.TurnQueued {
		b.server.Release()
	}
	if _, err := b.session.Turns.Wait(deadline(t), turn); err != nil {
		t.Fatal(err)
	}
	if c.behind {
		b.server.Release()
	}
	return s.seen()
}

func turnCases() []turnCase {
	edit := agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}
	ask := agent.Request{Instruction: "Why?", Coder: "ask"}
	return []turnCase{
		{name: "a proposal", script: "-- 1.md --\n" + xIsTwo, req: edit},
		{name: "an answer", script: "-- 1.md --\nBecause.\n", req: ask},
		{name: "words of a coder that edits", script: "-- 1.md --\nWhat for?\n", req: edit},
		{name: "behind another", script: held(xIsTwo), req: agent.Request{Instruction: "And y?"}, behind: true},
		{name: "a correction", script: "-- 1.md --\n" + noSuchX + "-- 2.md --\n" + xIsTwo, req: edit},
		{name: "nothing that fits", script: "repeat: true\n-- 1.md --\n" + noSuchX, req: edit, set: func(b *bench) { b.settings.MaxReflections = 0 }},
		{name: "a server that refuses", script: "-- 1.md --\nno\n-- 1.yaml --\nstatus: 401\n", req: edit},
		{name: "a stream that breaks", script: "-- 1.md --\n" + strings.Repeat("words ", 40) + "\n-- 1.yaml --\nerror: broken\n", req: edit},
		{name: "no model", script: "-- 1.md --\nx\n", req: edit, set: func(b *bench) { b.settings.Model = "" }},
		{name: "an architect", script: "-- 1.md --\nMake x two.\nPLAN COMPLETE\n-- 2.md --\n" + xIsTwo, req: agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}, Coder: "architect"}},
		{name: "auto", script: "-- 1.md --\n" + put("a.py", "x = 1", "x = 2", "\nNEXT: rename y in b.py") + "-- 2.md --\n" + put("b.py", "y = 1", "z = 1", "\nDONE"),
			req: agent.Request{Instruction: "Rename.", Files: []string{"a.py", "b.py"}, Coder: "auto"}},
		{name: "a look", script: calling("I look.\n>> list_files {}", "Because."), req: ask, set: func(b *bench) { b.user.Tools = "" }},
		{name: "a file that is named", script: "-- 1.md --\nPlease add b.py to the chat.\n-- 2.md --\nBecause.\n", req: edit, set: func(b *bench) { b.settings.AddMentioned = "always" }},
		{name: "an empty answer", script: "-- 1.md --\n\n-- 1.yaml --\nfinish: length\n", req: ask},
		{name: "an empty edit", script: "-- 1.md --\n\n-- 1.yaml --\nfinish: length\n", req: edit, set: func(b *bench) { b.settings.MaxReflections = 0 }},
		{name: "a correction that cannot be had", script: "-- 1.md --\n" + xIsTwo + "\n" + noSuchX + "-- 2.md --\nno\n-- 2.yaml --\nstatus: 401\n", req: edit},
		{name: "a correction that breaks", script: "-- 1.md --\n" + xIsTwo + "\n" + noSuchX + "-- 2.md --\n" + strings.Repeat("words ", 40) + "\n-- 2.yaml --\nerror: broken\n", req: edit},
		{name: "a correction that has no room", script: "-- 1.md --\n" + xIsTwo + "\n" + noSuchX + long() + "-- 2.md --\n" + xIsTwo, req: edit, set: small},
		{name: "a correction of nothing that has no room", script: "-- 1.md --\n" + noSuchX + long() + "-- 2.md --\n" + xIsTwo, req: edit, set: small},
		{name: "a job without a model", req: jobAlone(func(_ context.Context, w *agent.JobContext) error { w.Answer = "Done."; return nil })},
		{name: "a job that changes", req: jobAlone(func(_ context.Context, w *agent.JobContext) error {
			w.Lay([]edits.Change{{Path: "a.py", Op: edits.OpUpdate, Before: "x = 1\n", After: "x = 2\n"}})
			return nil
		})},
		{name: "a job that runs something", req: jobAlone(func(ctx context.Context, w *agent.JobContext) error {
			w.State(event.TurnVerifying, "the script")
			w.Answer = "It ran."
			return ctx.Err()
		})},
		{name: "a job of two calls", script: "-- 1.md --\n" + xIsTwo + "-- 2.md --\nFine.\n", req: agent.Request{Instruction: "Make it.", Job: &agent.Job{Name: "test", Edits: true,
			Run: func(ctx context.Context, w *agent.JobContext) error {
				for range 2 {
					if _, err := w.Call(ctx, agent.ModelRequest{Messages: []llm.Message{llm.Text(llm.RoleUser, "Go on.")}, Format: "diff"}); err != nil {
						return err
					}
				}
				return nil
			}}}},
	}
}

// jobAlone is a request that asks no model.
func jobAlone(lead func(ctx context.Context, w *agent.JobContext) error) agent.Request {
	return agent.Request{Instruction: "Make it.", Job: &agent.Job{Name: "test", Edits: true, NoModel: true, Run: lead}}
}

// small leaves room for a short talk.
func small(b *bench) { b.user.ContextWindow = 3000 }

// long is more than has room beside the rest of a short talk.
func long() string {
	var b strings.Builder
	b.WriteString("\n")
	for i := range 160 {
		fmt.Fprintf(&b, "And then there is number %d, which is like none of those before it.\n", i*i)
	}
	return b.String()
}

// A state may follow another where the table has a row for it, and stay what it is; the end of a turn is the end.
func TestMayFollow(t *testing.T) {
	for _, from := range event.States() {
		for _, to := range event.States() {
			want := slices.ContainsFunc(event.TurnTransitions(), func(r event.TurnTransition) bool { return r.From == from && r.To == to }) ||
				from == to && !from.Final()
			if got := to.MayFollow(from); got != want || from.Final() && got {
				t.Errorf("from %s to %s: %v", from, to, got)
			}
		}
	}
}
