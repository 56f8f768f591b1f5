package agent_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/settings"
)

// keeping has the bench keep conversations in a folder of ours, and returns that.
func (b *bench) keeping(h settings.History) (state string) {
	b.t.Helper()
	state = filepath.Join(b.t.TempDir(), "state")
	b.settings.History = h
	b.again(state)
	return state
}

// again is the next start of the program.
func (b *bench) again(state string) {
	b.t.Helper()
	b.engine.Close()
	b.engine = b.newEngine(state)
	b.t.Cleanup(b.engine.Close)
	b.session = b.engine.Session(b.ws)
}

// transcripts returns the files of conversations below a folder.
func transcripts(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".md") && strings.Contains(filepath.Dir(name)+filepath.Base(name), "history") {
			list = append(list, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func notes(events []event.Event) string {
	var b strings.Builder
	for _, e := range events {
		if e.Note != nil {
			b.WriteString(e.Note.Text + "\n")
		}
	}
	return b.String()
}

func lastSent(s *llmtest.Server) string {
	all := s.Requests()
	return shownRequest(all[len(all)-1])
}

// What is said is on disk when the program ends, for the user alone and not in the workspace; where the setting says
// so, and with Continue, the next start goes on with it.
func TestAConversationOutlivesItsSession(t *testing.T) {
	for name, c := range map[string]struct {
		restore, cont bool
		goesOn        bool
	}{"restored": {true, false, true}, "continued": {false, true, true}, "neither": {false, false, false}} {
		b := newBench(t, replies("x is one."+" sk-abcdefgh12345678abcdefgh", xIsTwo, "As I said."), map[string]string{"a.py": "x = 1\n"})
		mode := settings.HistorySave
		if c.restore {
			mode = settings.HistoryRestore
		}
		state := b.keeping(settings.History{Mode: mode})
		b.run(agent.Request{Instruction: "What is x?", Coder: "ask", Files: []string{"a.py"}})
		b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		b.again(state)
		list := transcripts(t, state)
		if len(list) != 1 || len(transcripts(t, b.root)) != 0 {
			t.Fatalf("%s: the files are %v", name, list)
		}
		text, _ := os.ReadFile(list[0])
		info, err := os.Stat(list[0])
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 || strings.Contains(string(text), "abcdefgh") || !strings.Contains(string(text), "\nMake x two.\n") {
			t.Errorf("%s: %v, %v\n%s", name, info.Mode(), err, text)
		}
		if c.cont {
			if told, err := b.session.Continue(t.Context()); err != nil || len(told.Exchanges) != 2 {
				t.Fatalf("%s: %+v, %v", name, told, err)
			}
		}
		b.settings.EditFormat = "whole" // the edits of before are shown to nobody who writes in another form
		_, events := b.run(agent.Request{Instruction: "And now?", Coder: "ask"})
		sent := lastSent(b.server)
		for want, there := range map[string]bool{"What is x?": c.goesOn, "x is one.": c.goesOn, "Make x two.": c.goesOn, "(I answered with edits.)": c.goesOn,
			"And now?": true, "SEARCH": false, "x = 1": c.cont} {
			if strings.Contains(sent, want) != there {
				t.Errorf("%s: %q is sent: %v\n%s", name, want, !there, sent)
			}
		}
		if strings.Contains(notes(events), "2 requests") != c.goesOn {
			t.Errorf("%s: told %s", name, notes(events))
		}
		if _, events = b.run(agent.Request{Instruction: "Well?", Coder: "ask"}); strings.Contains(notes(events), "requests") {
			t.Errorf("%s: told twice", name)
		}
	}
}

// Where nothing is to be kept, nothing is written.
func TestNothingIsKeptUnasked(t *testing.T) {
	b := newBench(t, replies("One.", "Two."), map[string]string{"a.py": "x = 1\n"})
	state := b.keeping(settings.History{})
	b.run(agent.Request{Instruction: "What is x?", Coder: "ask"})
	b.again(state)
	if list := transcripts(t, state); len(list) != 0 {
		t.Errorf("kept: %v", list)
	}
	if _, err := b.session.Continue(t.Context()); err == nil || !strings.Contains(err.Error(), "history.mode") {
		t.Errorf("the error is %v", err)
	}
	b.settings.History.Mode = settings.HistorySave
	if _, err := b.session.Continue(t.Context()); err == nil || !strings.Contains(err.Error(), "no conversation") {
		t.Errorf("without a conversation: %v", err)
	}
}

// A transcript that was cut in half is gone on with: what is whole is there, what breaks off has a mark, the user is
// told, and nothing of the file is lost.
func TestATranscriptCutInHalfIsGoneOnWith(t *testing.T) {
	b := newBench(t, replies("The first answer.", "The second answer is long.", "Fine.", "Good."), nil)
	state := b.keeping(settings.History{Mode: settings.HistoryRestore})
	for _, said := range []string{"One?", "Two?"} {
		b.run(agent.Request{Instruction: said, Coder: "ask"})
	}
	b.engine.Close()
	file := transcripts(t, state)[0]
	text, _ := os.ReadFile(file)
	cut := text[:strings.Index(string(text), " is long.")]
	if err := os.WriteFile(file, cut, 0o600); err != nil {
		t.Fatal(err)
	}
	b.again(state)
	_, events := b.run(agent.Request{Instruction: "Three?", Coder: "ask"})
	sent := lastSent(b.server)
	for _, want := range []string{"The first answer.", "Two?", "The second answer\n\n(", "Three?"} {
		if !strings.Contains(sent, want) {
			t.Errorf("%q is not sent:\n%s", want, sent)
		}
	}
	if !strings.Contains(notes(events), "contains only part") {
		t.Errorf("told %s", notes(events))
	}
	b.again(state)
	b.run(agent.Request{Instruction: "Four?", Coder: "ask"})
	if now, _ := os.ReadFile(file); !strings.HasPrefix(string(now), string(cut)) || !strings.Contains(lastSent(b.server), "Three?") {
		t.Errorf("sent\n%s\nthe file is\n%s", lastSent(b.server), now)
	}
}

// What a cancelled turn had said stays, with its mark, also for the next start.
func TestACancelledTurnIsOnDisk(t *testing.T) {
	b := newBench(t, held(strings.Repeat("Half an answer. ", 20)+"\n"), nil)
	state := b.keeping(settings.History{Mode: settings.HistoryRestore})
	started, rec := b.start(agent.Request{Instruction: "Tell me all.", Coder: "ask"})
	b.heard(rec)
	b.session.Turns.Cancel(started.Turn)
	b.wait(started.Turn)
	b.again(state)
	b.run(agent.Request{Instruction: "Go on.", Coder: "ask"})
	if sent := lastSent(b.server); !strings.Contains(sent, "Half an answer.") || !strings.Contains(sent, "The user stopped the answer here") {
		t.Errorf("sent\n%s", sent)
	}
}

// A disk that takes nothing harms no turn, and the user is told once.
func TestADiskThatKeepsNothing(t *testing.T) {
	b := newBench(t, replies("One.", "Two.", "Three."), nil)
	state := b.keeping(settings.History{Mode: settings.HistorySave})
	if err := os.MkdirAll(state, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "history"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, said := range []string{"One?", "Two?", "Three?"} {
		r, events := b.run(agent.Request{Instruction: said, Coder: "ask"})
		if r.State != event.TurnAnswered {
			t.Errorf("%s: %+v", said, r)
		}
		if strings.Contains(notes(events), "is not saved") {
			told++
		}
		if b.session.Conversation.Unsaved() == nil {
			t.Errorf("%s: it is saved", said)
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
	if sent := lastSent(b.server); !strings.Contains(sent, "Two?") {
		t.Errorf("the conversation of memory is not sent:\n%s", sent)
	}
}

// A long conversation costs a start, and memory, no more than a short one.
func TestALongConversationIsTakenOverInPart(t *testing.T) {
	b := newBench(t, replies("Well."), nil)
	state := b.keeping(settings.History{Mode: settings.HistoryRestore})
	b.run(agent.Request{Instruction: "First?", Coder: "ask"})
	b.engine.Close()
	file := transcripts(t, state)[0]
	text, _ := os.ReadFile(file)
	session := history.Decode(text)[0].Session
	for n := 2; n <= 3000; n++ {
		r := history.Record{Kind: history.KindTurn, Session: session, Exchange: history.Exchange{Turn: "t" + number(n), Number: n, User: "more?", Reply: strings.Repeat("much ", 100)}}
		text = append(text, r.Encode()...)
	}
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	b.again(state)
	if _, err := b.session.Prompt(context.Background(), agent.Request{Instruction: "x", Coder: "ask"}, agent.Ports{}); err != nil {
		t.Fatal(err)
	}
	size := 0
	done := b.session.Conversation.History.Done()
	for _, x := range done {
		size += len(x.User) + len(x.Reply)
	}
	if size == 0 || size > 512<<10 || done[len(done)-1].Number != 3000 {
		t.Errorf("%d exchanges of %d bytes", len(done), size)
	}
}
