package agent_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/mapper"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// reopen opens the bench's folder again, as an editor does that has removed and added it.
func (b *bench) reopen() {
	b.t.Helper()
	ws, err := workspace.Open(b.root, workspace.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = ws.Close() })
	b.ws, b.session = ws, b.engine.Session(ws)
}

// keep gives the bench an engine that keeps what waits for a decision.
func (b *bench) keep(state string) {
	b.t.Helper()
	b.engine.Close()
	o := b.options(state)
	o.KeepPending = true
	b.engine = agent.NewEngine(o)
	b.t.Cleanup(b.engine.Close)
	b.reopen()
}

// waitPending waits until so many proposals wait for a decision.
func (b *bench) waitPending(n int) []proposal.Proposal {
	b.t.Helper()
	for ctx := deadline(b.t); ; {
		if list := b.session.Proposals.Pending(); len(list) == n {
			return list
		}
		if ctx.Err() != nil {
			b.t.Fatalf("hung: %d proposals are pending, not %d", len(b.session.Proposals.Pending()), n)
		}
		time.Sleep(time.Millisecond)
	}
}

// A root has one session, however often its folder is left and opened again, in whichever order the editor's
// messages are worked off; and each finds what the one before left waiting.
func TestARootHasOneSession(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\n"+xIsTwo, map[string]string{"a.py": "x = 1\n"})
	b.keep(t.TempDir())
	r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	if r.State != event.TurnProposed {
		t.Fatalf("%+v", r)
	}
	for i := range 6 {
		before, old := b.session, b.ws
		if i%2 == 0 {
			b.engine.Leave(old)
			if len(b.engine.Sessions()) != 0 {
				t.Fatalf("%d sessions are left", len(b.engine.Sessions()))
			}
			b.reopen()
		} else { // the folder comes again before its leaving was worked off
			b.reopen()
			b.engine.Leave(old)
		}
		if list := b.engine.Sessions(); len(list) != 1 || list[0] != b.session || b.session == before || b.engine.Session(b.ws) != b.session {
			t.Fatalf("time %d: %d sessions, a new one: %v", i, len(list), b.session != before)
		}
		if _, err := start(before, agent.Request{Instruction: "More."}, agent.Ports{}); !errors.Is(err, agent.ErrLeft) {
			t.Errorf("time %d: a turn in the session that has ended: %v", i, err)
		}
		if got := b.waitPending(1)[0]; got.ID != r.Proposal.ID || got.Files[0].Change.After != "x = 2\n" {
			t.Errorf("time %d: %+v waits", i, got)
		}
	}
	if _, err := b.session.Proposals.Discard(proposal.Selector{Proposal: r.Proposal.ID, Revision: 1}); err != nil {
		t.Fatal(err)
	}
	b.engine.Leave(b.ws)
	b.reopen()
	next, _ := b.run(agent.Request{Instruction: "Make x two again.", Files: []string{"a.py"}})
	if got := b.waitPending(1)[0]; got.ID != next.Proposal.ID {
		t.Errorf("%+v waits", got)
	}
}

// A session ends with its turns: those that run, those that wait, and what draws its map.
func TestASessionEndsWithItsTurns(t *testing.T) {
	b := newBench(t, held(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	first, _ := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.held()
	second, _ := b.start(agent.Request{Instruction: "And then?", FollowUp: first.Turn})
	b.engine.Leave(b.ws)
	for _, turn := range []string{first.Turn, second.Turn} {
		if r := b.wait(turn); r.State != event.TurnCancelled {
			t.Errorf("%+v", r)
		}
	}
	if err := b.server.WaitClosed(deadline(t), 1); err != nil {
		t.Error(err)
	}
	if st := b.session.Status(); st.Busy || len(st.Turns) != 0 {
		t.Errorf("%+v", st)
	}
}

// A map that is being opened while its folder leaves is closed, and none is opened afterwards.
func TestAMapDoesNotOutliveItsFolder(t *testing.T) {
	root := t.TempDir()
	gitInit(t, root)
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	f := &follower{}
	opening, open := make(chan struct{}), make(chan struct{})
	var made atomic.Int32
	e := agent.NewEngine(agent.Options{
		Settings: func(string) settings.Settings { return settings.Defaults() },
		Map: func(*workspace.Workspace) mapper.Drawer {
			made.Add(1)
			close(opening)
			<-open
			return f
		},
	})
	defer e.Close()
	s := e.Session(ws)
	s.Mapper.Prepare()
	<-opening
	left := make(chan struct{})
	go func() {
		e.Leave(ws)
		close(left)
	}()
	for ctx := deadline(t); len(e.Sessions()) > 0; time.Sleep(time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatal("hung: the session stays")
		}
	}
	select {
	case <-left:
		t.Fatal("the session has ended while its map is opened")
	default:
	}
	close(open)
	<-left
	if f.closed != 1 {
		t.Errorf("closed %d times", f.closed)
	}
	s.Mapper.Prepare()
	again := e.Session(ws)
	if again == s || made.Load() != 1 {
		t.Errorf("%d maps were made", made.Load())
	}
	quiet := e.Session(ws)
	e.Leave(ws)
	if quiet.Mapper.Prepare(); made.Load() != 1 {
		t.Errorf("%d maps were made after the end", made.Load())
	}
}

// What a server leaves waiting when it stops waits in the next one; a command that shows and decides leaves nothing.
func TestWhatWaitsOutlivesTheServer(t *testing.T) {
	for _, keep := range []bool{true, false} {
		b := newBench(t, "repeat: true\n-- 1.md --\n"+xIsTwo, map[string]string{"a.py": "x = 1\n"})
		state := t.TempDir()
		o := b.options(state)
		o.KeepPending = keep
		b.engine = agent.NewEngine(o)
		b.reopen()
		r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		b.engine.Close()
		files, err := filepath.Glob(filepath.Join(state, "journal", "*", "*"))
		if err != nil || (len(files) > 0) != keep {
			t.Errorf("keep %v: the journal has %v, %v", keep, files, err)
		}
		for _, name := range files {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
		var told []string
		o.Sink = func(ws *workspace.Workspace, e event.Event) {
			if e.Kind != event.KindProposal || e.Seq != 1 || e.Turn != r.Turn || ws.Root() != b.root {
				t.Errorf("%+v", e)
			}
			told = append(told, e.Proposal.ID)
		}
		b.engine = agent.NewEngine(o)
		b.reopen()
		if keep {
			b.waitPending(1)
		}
		b.engine.Close()
		if want := map[bool][]string{true: {r.Proposal.ID}}[keep]; !slices.Equal(told, want) {
			t.Errorf("keep %v: told of %v, want %v", keep, told, want)
		}
	}
}
