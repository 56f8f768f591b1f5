package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

const xIsTwo = "a.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"

// held is a model whose first reply stops half-way, and whose others come at once.
func held(reply string) string {
	return "-- 1.md --\n" + reply + "-- 1.yaml --\nhold: true\n-- 2.md --\n" + xIsTwo + "-- 3.md --\nFine.\n-- 4.md --\nFine.\n"
}

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	t.Cleanup(cancel)
	return ctx
}

func (b *bench) held() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	defer cancel() // at once: some tests come here hundreds of times, and the runtime puts up with stopped timers beside running ones
	if err := b.server.WaitHeld(ctx, 1); err != nil {
		b.t.Fatal(err)
	}
}

func TestBusyAsksBesideAndQueuedFollowUps(t *testing.T) {
	b := newBench(t, held(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	edit := agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}
	first, _ := b.start(edit)
	b.held()

	if second, _ := b.start(edit); second.Status != agent.StatusBusy || second.Busy != first.Turn || second.Turn != "" {
		t.Errorf("a second editing turn: %+v", second)
	}
	follow, rec := b.start(agent.Request{Instruction: "And then?", FollowUp: first.Turn})
	if follow.Status != agent.StatusQueued {
		t.Errorf("a follow-up of the running turn: %+v", follow)
	}
	st := b.session.Status()
	if !st.Busy || len(st.Turns) != 2 || st.Turns[1].State != event.TurnQueued || st.Turns[0].Label != "Make x two." {
		t.Errorf("status: %+v", st)
	}
	// The ask takes the second reply while the first is still held: it waits for nobody.
	r, _ := b.run(agent.Request{Instruction: "Why?", Coder: "ask"})
	if r.State != event.TurnAnswered {
		t.Errorf("the ask beside: %+v", r)
	}
	if busy := b.session.Status(); !busy.Busy || len(busy.Turns) != 2 {
		t.Errorf("after the ask: %+v", busy)
	}

	b.server.Release()
	if r := b.wait(first.Turn); r.State != event.TurnProposed {
		t.Errorf("the first: %+v", r)
	}
	r = b.wait(follow.Turn)
	if r.State != event.TurnAnswered || r.Answer != "Fine." {
		t.Errorf("the follow-up: %+v", r)
	}
	b.checkEvents(rec.list(), r)
	if rec.list()[0].State != event.TurnQueued {
		t.Errorf("the follow-up begins with %+v", rec.list()[0])
	}
	if st := b.session.Status(); st.Busy || len(st.Turns) != 0 || len(st.Pending) != 1 || st.Usage.Prompt == 0 {
		t.Errorf("afterwards: %+v", st)
	}
}

// Whoever hears of the end of a turn may start the next one on the spot.
func TestNotBusyOnceTheEndIsTold(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\n"+xIsTwo, map[string]string{"a.py": "x = 1\n"})
	r := agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}
	status := make(chan string, 1)
	started, err := start(b.session, r, agent.Ports{Sink: func(e event.Event) {
		if e.Kind == event.KindEnded {
			next, err := start(b.session, r, agent.Ports{})
			if err != nil {
				next.Status = err.Error()
			}
			status <- next.Status
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	b.wait(started.Turn)
	if got := <-status; got != agent.StatusStarted {
		t.Errorf("the next turn: %s", got)
	}
}

func TestCancelClosesTheSocket(t *testing.T) {
	b := newBench(t, held(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	started, rec := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	follow, queued := b.start(agent.Request{Instruction: "More.", FollowUp: started.Turn})
	b.heard(rec)
	ids := b.session.Turns.Cancel("")
	if !slices.Equal(ids, []string{started.Turn, follow.Turn}) {
		t.Errorf("cancelled %v", ids)
	}
	for id, rec := range map[string]*recorder{started.Turn: rec, follow.Turn: queued} {
		r := b.wait(id)
		if r.State != event.TurnCancelled || !errors.Is(r.Err, context.Canceled) || r.Proposal != nil {
			t.Errorf("cancelled turn: %+v", r)
		}
		b.checkEvents(rec.list(), r)
	}
	if err := b.server.WaitClosed(deadline(t), 1); err != nil {
		t.Error(err)
	}
	if list := b.session.Conversation.History.Done(); len(list) != 1 || list[0].Turn != started.Turn || list[0].User != "Make x two." || !strings.Contains(list[0].Reply, "Nothing of it was applied") {
		t.Errorf("of the cancelled turns is kept %+v", list)
	}
	if again := b.session.Turns.Cancel(started.Turn); again != nil {
		t.Errorf("cancelled twice: %v", again)
	}
	if r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}); r.State != event.TurnProposed {
		t.Errorf("the session is stuck: %+v", r)
	}
}

func TestCancelWhileAsking(t *testing.T) {
	b := newBench(t, "-- 1.md --\nlib.py\n```\n<<<<<<< SEARCH\ny\n=======\nz\n>>>>>>> REPLACE\n```\n", map[string]string{"a.py": "x\n", "lib.py": "y\n"})
	asking := make(chan struct{})
	ask := askerFunc(func(ctx context.Context, q event.Question) (event.Answer, error) {
		close(asking)
		<-ctx.Done()
		return q.DefaultAnswer(), ctx.Err()
	})
	started, err := start(b.session, agent.Request{Instruction: "Do it.", Files: []string{"a.py"}}, agent.Ports{Ask: ask})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-asking:
	case <-deadline(t).Done():
		t.Fatal("nobody was asked")
	}
	b.session.Turns.Cancel(started.Turn)
	if r := b.wait(started.Turn); r.State != event.TurnCancelled {
		t.Errorf("%+v", r)
	}
}

type askerFunc func(context.Context, event.Question) (event.Answer, error)

func (f askerFunc) Ask(ctx context.Context, q event.Question) (event.Answer, error) { return f(ctx, q) }

func TestTwoRootsDoNotMeet(t *testing.T) {
	b := newBench(t, held(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	other, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	other.DidOpen("a.py", "x = 1\ny = 1\n", 1)
	second := b.engine.Session(other)
	if second == b.session || b.engine.Session(other) != second || len(b.engine.Sessions()) != 2 {
		t.Fatal("sessions are not one for each root")
	}
	first, _ := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.held()
	started, err := start(second, agent.Request{Instruction: "Make x two.", Target: &agent.Target{Path: "a.py"}}, agent.Ports{})
	if err != nil || started.Status != agent.StatusStarted {
		t.Fatalf("a turn in one root makes the other busy: %+v %v", started, err)
	}
	r, err := second.Turns.Wait(deadline(t), started.Turn)
	if err != nil || r.State != event.TurnProposed || r.Proposal.Files[0].Change.After != "x = 2\ny = 1\n" {
		t.Errorf("the second root: %+v %v", r, err)
	}
	if n := len(b.session.Proposals.Pending()); n != 0 {
		t.Errorf("the first root has %d proposals of the second", n)
	}
	if ids := second.Turns.Cancel(""); ids != nil {
		t.Errorf("the second root cancelled %v", ids)
	}
	b.server.Release()
	if r := b.wait(first.Turn); r.State != event.TurnProposed || r.Proposal.Files[0].Change.After != "x = 2\n" {
		t.Errorf("the first root: %+v", r)
	}
	if len(b.session.Conversation.History.Done()) != 1 || len(second.Conversation.History.Done()) != 1 {
		t.Error("the histories are mixed up")
	}
}

func TestCloseEndsEverything(t *testing.T) {
	b := newBench(t, held(xIsTwo), map[string]string{"a.py": "x = 1\n"})
	started, rec := b.start(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	b.held()
	b.engine.Close()
	events := rec.list()
	if len(events) == 0 || events[len(events)-1].Kind != event.KindEnded {
		t.Fatal("Close returned before the turn had ended")
	}
	if r := b.wait(started.Turn); r.State != event.TurnCancelled {
		t.Errorf("%+v", r)
	}
	if _, err := start(b.session, agent.Request{Instruction: "More."}, agent.Ports{}); !errors.Is(err, agent.ErrClosed) {
		t.Errorf("a turn after Close: %v", err)
	}
	b.engine.Close() // twice is no harm
}

func TestRequestsThatCannotStart(t *testing.T) {
	b := newBench(t, "-- 1.md --\nx\n", nil)
	for want, r := range map[string]agent.Request{
		"the instruction is empty":   {Instruction: " \n"},
		`no coder "poet"`:            {Instruction: "x", Coder: "poet"},
		`unknown edit format "poem"`: {Instruction: "x", Format: "poem"},
		"request nope not found":     {Instruction: "x", FollowUp: "nope"},
	} {
		if _, err := start(b.session, r, agent.Ports{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", r, err, want)
		}
	}
	if st := b.session.Status(); st.Busy || len(st.Turns) != 0 {
		t.Errorf("%+v", st)
	}
	if _, err := b.session.Turns.Wait(deadline(t), "nope"); err == nil {
		t.Error("waited for a turn that never was")
	}
}

// Every way in which a call can fail ends the turn failed, with a message that says what to do, and
// changes nothing.
func TestModelErrors(t *testing.T) {
	for _, c := range []struct{ name, script, want string }{
		{"401", "-- 1.md --\nbad key\n-- 1.yaml --\nstatus: 401\n", "key"},
		{"404", "-- 1.md --\nno such model\n-- 1.yaml --\nstatus: 404\n", "model"},
		{"429", "-- 1.md --\nslow down\n-- 1.yaml --\nstatus: 429\nretry-after: \"1\"\n", ""},
		{"500", "-- 1.md --\noops\n-- 1.yaml --\nstatus: 500\n", ""},
		{"400 too long", "-- 1.md --\ntoo long\n-- 1.yaml --\nstatus: 400\nerror-type: exceed_context_size_error\n", ""},
		{"cut in the middle", "-- 1.md --\n" + xIsTwo + xIsTwo + "-- 1.yaml --\ncut: 90\n", ""},
		{"invalid stream", "-- 1.md --\ndata: {nonsense\n\n-- 1.yaml --\nraw: true\ntype: text/event-stream\n", ""},
		{"error in the stream", "-- 1.md --\n" + xIsTwo + "-- 1.yaml --\nerror: overloaded\n", ""},
		{"refused", "-- 1.md --\nI will not.\n-- 1.yaml --\nfinish: content_filter\n", "refused"},
		{"nothing", "-- 1.md --\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, c.script, map[string]string{"a.py": "x = 1\n"})
			r, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
			b.checkEvents(events, r)
			if r.State != event.TurnFailed || r.Err == nil || r.Proposal != nil {
				t.Fatalf("%+v", r)
			}
			end := events[len(events)-1].Ended
			if end.Message == "" || end.Advice == "" || !strings.Contains(end.Message+end.Advice, c.want) {
				t.Errorf("message %q, advice %q", end.Message, end.Advice)
			}
			kept := 0
			if strings.Contains(c.name, " in the ") { // something was answered
				kept = 1
			}
			if got := b.session.Status().LastError; got == "" || len(b.session.Conversation.History.Done()) != kept {
				t.Errorf("last error %q, history %v", got, b.session.Conversation.History.Done())
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		b := newBench(t, "-- 1.md --\nx\n", map[string]string{"a.py": "x = 1\n"})
		b.server.Close()
		r, events := b.run(agent.Request{Instruction: "x", Files: []string{"a.py"}})
		b.checkEvents(events, r)
		var call *llm.Error
		if !errors.As(r.Err, &call) || call.Kind != llm.Network || events[len(events)-1].Ended.Advice == "" {
			t.Errorf("%+v", r.Err)
		}
	})
	t.Run("no key", func(t *testing.T) {
		b := newBench(t, "-- 1.md --\nx\n", map[string]string{"a.py": "x = 1\n"})
		b.user.APIBase, b.user.APIKeyEnv = "https://api.example.invalid/v1", "NO_SUCH_KEY"
		r, _ := b.run(agent.Request{Instruction: "x", Files: []string{"a.py"}})
		var call *llm.Error
		if !errors.As(r.Err, &call) || call.Kind != llm.NoKey {
			t.Errorf("%+v", r.Err)
		}
	})
	t.Run("a name that is written wrongly", func(t *testing.T) {
		b := newBench(t, "-- 1.md --\nx\n", nil)
		b.settings.Model = "scriptet"
		r, events := b.run(agent.Request{Instruction: "x"})
		if end := events[len(events)-1].Ended; r.State != event.TurnFailed || !strings.Contains(end.Advice, "Did you mean scripted?") {
			t.Errorf("%+v", end)
		}
	})
	t.Run("no model", func(t *testing.T) {
		b := newBench(t, "-- 1.md --\nx\n", nil)
		b.settings.Model = ""
		r, events := b.run(agent.Request{Instruction: "x"})
		if r.State != event.TurnFailed || events[len(events)-1].Ended.Advice == "" {
			t.Errorf("%+v", r)
		}
	})
}

// A panic in a turn, here of a broken catalogue and of a client, is a failed turn and not the end of the server.
func TestPanicsFailTheTurn(t *testing.T) {
	ws, err := workspace.Open(t.TempDir(), workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ws.Close() })
	e := agent.NewEngine(agent.Options{
		Settings: func(string) settings.Settings { return settings.Settings{Model: "x"} },
		Catalog:  func() *model.Catalog { panic("no table") },
	})
	defer e.Close()
	s := e.Session(ws)
	for range 2 {
		rec := &recorder{}
		started, err := start(s, agent.Request{Instruction: "x"}, agent.Ports{Sink: rec.sink})
		if err != nil || started.Status != agent.StatusStarted {
			t.Fatalf("%+v %v", started, err)
		}
		r, err := s.Turns.Wait(deadline(t), started.Turn)
		if err != nil || r.State != event.TurnFailed || !strings.Contains(r.Err.Error(), "no table") {
			t.Fatalf("%+v %v", r, err)
		}
		(&bench{t: t}).checkEvents(rec.list(), r)
	}
}

// Usage is what the server says, or counted here when it says nothing.
func TestUsageIsTold(t *testing.T) {
	b := newBench(t, "-- 1.md --\nFine.\n-- 1.yaml --\nprompt-tokens: 70\ncompletion-tokens: 7\n-- 2.md --\nFine.\n-- 2.yaml --\nusage: false\n", nil)
	b.user.Price = &model.Price{In: 1e6, Out: 1e6}
	r, _ := b.run(agent.Request{Instruction: "x", Coder: "ask"})
	if r.Usage.Prompt != 70 || r.Usage.Completion != 7 || r.Usage.Estimated || r.Usage.Cost != 77 {
		t.Errorf("%+v", r.Usage)
	}
	r2, _ := b.run(agent.Request{Instruction: "x", Coder: "ask"})
	if r2.Usage.Prompt == 0 || r2.Usage.Completion == 0 || !r2.Usage.Estimated {
		t.Errorf("%+v", r2.Usage)
	}
	if sum := b.session.Turns.Usage(); sum.Prompt != r.Usage.Prompt+r2.Usage.Prompt {
		t.Errorf("session %+v", sum)
	}
}

func TestIDsAreUniqueOverEngines(t *testing.T) {
	seen := map[string]bool{}
	for range 2 {
		b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", nil)
		for range 3 {
			r, _ := b.run(agent.Request{Instruction: "x", Coder: "ask"})
			if seen[r.Turn] {
				t.Errorf("%s twice", r.Turn)
			}
			seen[r.Turn] = true
		}
	}
}
