package agent_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/settings"
)

// talk is a script that answers every request at length, and requests for a summary as given: each yaml is one of
// them, and the last is given again and again.
func talk(summaries ...string) string {
	var b strings.Builder
	for i, yaml := range summaries {
		text := fmt.Sprintf("SUMMARY %d", i+1)
		if i == len(summaries)-1 {
			yaml += "repeat: true\n"
		}
		fmt.Fprintf(&b, "-- %d.md --\n%s\n-- %d.yaml --\nmatch: Write the notes now.\n%s", i+1, text, i+1, yaml)
	}
	n := len(summaries) + 1
	fmt.Fprintf(&b, "-- %d.md --\nANSWER %s\n-- %d.yaml --\nrepeat: true\n", n, strings.Repeat("much ", 100), n)
	return b.String()
}

// summing has the bench sum up what is longer than two answers of talk.
func (b *bench) summing() (state string) {
	b.threeModels()
	return b.keeping(settings.History{Mode: settings.HistorySave, Tokens: 300})
}

// say runs a turn of words, and returns what the model was sent for it and what the user was told.
func (b *bench) say(text string) (sent, told string) {
	b.t.Helper()
	r, events := b.run(agent.Request{Instruction: text, Coder: "ask"})
	if r.State != event.TurnAnswered {
		b.t.Fatalf("%s: %+v", text, r)
	}
	b.checkEvents(events, r)
	for _, request := range b.server.Requests() {
		if shown := shownRequest(request); strings.Contains(shown, text) && !strings.Contains(shown, "Write the notes now.") {
			sent = shown
			break
		}
	}
	return sent, notes(events)
}

// asked are the requests for summaries, by model and text.
func (b *bench) summaries() (models, texts []string) {
	for _, r := range b.server.Requests() {
		if shown := shownRequest(r); strings.Contains(shown, "Write the notes now.") {
			models, texts = append(models, r.Model), append(texts, shown)
		}
	}
	return models, texts
}

// The beginning of a long conversation is summed up after a turn, by the weak model that is in force then, and the
// next prompt has the summary in its place; the newest part stays as it was said, the user is told, and the next
// start goes on with the same.
func TestALongConversationIsSummedUp(t *testing.T) {
	b := newBench(t, talk("hold-first: true\n", "", ""), nil)
	state := b.summing()
	b.settings.History.Mode = settings.HistoryRestore
	for _, said := range []string{"Request one.", "Request two."} {
		if sent, told := b.say(said); strings.Contains(sent, "SUMMARY") || strings.Contains(told, "ummarized") {
			t.Fatalf("%s: too early: %s\n%s", said, told, sent)
		}
	}
	b.say("Request three.") // now there are three answers
	b.held()
	before := b.session.Turns.Usage() // without the summary
	b.mu.Lock()
	b.settings.WeakModel = "writer" // the first summary was begun before
	b.mu.Unlock()
	b.server.Release()
	sent, told := b.say("Request four.")
	models, texts := b.summaries()
	if len(models) != 1 || models[0] != "thrifty" || !strings.Contains(texts[0], "Request one.") || !strings.Contains(texts[0], "Request two.") || strings.Contains(texts[0], "Request three.") {
		t.Fatalf("%v were asked:\n%s", models, texts)
	}
	for want, there := range map[string]bool{"SUMMARY 1": true, "Request one.": false, "Request two.": false, "Request three.": true, "Request four.": true} {
		if strings.Contains(sent, want) != there {
			t.Errorf("%q is sent: %v\n%s", want, !there, sent)
		}
	}
	if !strings.Contains(told, "2 oldest requests") || b.session.Turns.Usage().Prompt < before.Prompt+len(texts[0])/4 {
		t.Errorf("told %q, used %+v", told, b.session.Turns.Usage())
	}
	if _, told := b.say("Request five."); strings.Contains(told, "ummarized") {
		t.Errorf("told twice: %s", told)
	}
	sent, _ = b.say("Request six.")
	models, texts = b.summaries()
	if len(models) != 2 || models[1] != "writer" || !strings.Contains(texts[1], "SUMMARY 1") || !strings.Contains(texts[1], "Request three.") || strings.Contains(texts[1], "Request five.") {
		t.Fatalf("%v were asked:\n%s", models, texts)
	}
	if !strings.Contains(sent, "SUMMARY 2") || strings.Contains(sent, "SUMMARY 1") || !strings.Contains(sent, "Request five.") {
		t.Errorf("sent\n%s", sent)
	}
	b.again(state)
	sent, _ = b.say("Request seven.")
	if !strings.Contains(sent, "SUMMARY 2") || !strings.Contains(sent, "Request five.") || !strings.Contains(sent, "Request six.") || strings.Contains(sent, "Request four.") {
		t.Errorf("after the next start\n%s", sent)
	}
	list, err := b.session.Conversation.Exchanges(t.Context())
	if err != nil || len(list) != 7 {
		t.Errorf("the conversation has %d requests, %v", len(list), err)
	}
	r, err := b.session.Rewind(t.Context(), "3", newDisk(b))
	if err != nil || !r.Done {
		t.Fatalf("%+v, %v", r, err)
	}
	sent, _ = b.say("Another three.")
	if strings.Contains(sent, "SUMMARY 2") || strings.Contains(sent, "Request three.") || !strings.Contains(sent, "SUMMARY") && !strings.Contains(sent, "Request two.") {
		t.Errorf("after a rewind into the summary\n%s", sent)
	}
}

// Where the weak model fails the main one sums up; where both fail everything is kept and sent, the user is told
// once, and it is not tried again before there is a good deal more.
func TestASummaryThatFails(t *testing.T) {
	b := newBench(t, talk("status: 400\n", ""), nil)
	b.summing()
	for _, said := range []string{"Request one.", "Request two.", "Request three."} {
		b.say(said)
	}
	if sent, _ := b.say("Request four."); !strings.Contains(sent, "SUMMARY 2") {
		t.Errorf("sent\n%s", sent)
	}
	if models, _ := b.summaries(); strings.Join(models, " ") != "thrifty scripted" {
		t.Errorf("%v were asked", models)
	}

	for name, yaml := range map[string]string{"an error": "status: 400\n", "cut off": "finish: length\n", "refused": "finish: content_filter\n"} {
		b := newBench(t, talk(yaml), nil)
		b.summing()
		told := ""
		for i := range 6 {
			sent, now := b.say(fmt.Sprintf("Request %d.", i))
			told += now
			for k := range i {
				if !strings.Contains(sent, fmt.Sprintf("Request %d.", k)) {
					t.Errorf("%s: request %d has not request %d", name, i, k)
				}
			}
		}
		b.engine.Close()
		models, _ := b.summaries()
		if n := strings.Count(told, "Could not summarize"); n < 1 || 2*n > len(models) || len(models) > 8 {
			t.Errorf("%s: told %d times, %d calls: %s", name, n, len(models), told)
		}
		if strings.Contains(told, "no longer sends") {
			t.Errorf("%s: %s", name, told)
		}
	}
}

// A summary that is as long as what it stands for is none.
func TestASummaryThatIsTooLong(t *testing.T) {
	script := strings.ReplaceAll(talk(""), "SUMMARY 1", strings.Repeat("very ", 300))
	b := newBench(t, script, nil)
	b.summing()
	for _, said := range []string{"Request one.", "Request two.", "Request three."} {
		b.say(said)
	}
	sent, told := b.say("Request four.")
	if !strings.Contains(sent, "Request one.") || strings.Contains(sent, "very very") || !strings.Contains(told, "Could not summarize") {
		t.Errorf("told %s, sent\n%s", told, sent)
	}
	if _, texts := b.summaries(); len(texts) < 2 || !strings.Contains(texts[1], "very very") {
		t.Errorf("it was not asked for a shorter one: %d", len(texts))
	}
}

// The end of a turn waits for no summary; the next prompt does, for a while.
func TestTheNextPromptWaitsForTheSummary(t *testing.T) {
	for _, late := range []bool{false, true} {
		b := newBench(t, talk("hold-first: true\n"), nil)
		state := b.summing()
		slept := make(chan time.Duration, 10)
		wake := make(chan struct{})
		b.engine.Close()
		o := b.options(state)
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			slept <- d
			select {
			case <-wake:
			case <-ctx.Done():
			}
			return ctx.Err()
		}
		b.engine = agent.NewEngine(o)
		t.Cleanup(b.engine.Close)
		b.session = b.engine.Session(b.ws)
		for _, said := range []string{"Request one.", "Request two.", "Request three."} {
			b.say(said)
		}
		b.held() // and the turn has ended
		started, rec := b.start(agent.Request{Instruction: "Request four.", Coder: "ask"})
		select {
		case d := <-slept:
			if d < time.Second || d > time.Minute {
				t.Errorf("waits %s", d)
			}
		case <-deadline(t).Done():
			t.Fatal("it does not wait")
		}
		if late {
			close(wake)
		} else {
			b.server.Release()
		}
		if r := b.wait(started.Turn); r.State != event.TurnAnswered {
			t.Fatalf("%+v", r)
		}
		sent := ""
		for _, r := range b.server.Requests() {
			if shown := shownRequest(r); strings.Contains(shown, "Request four.") {
				sent = shown
			}
		}
		if strings.Contains(sent, "SUMMARY") == late || strings.Contains(sent, "Request one.") != late || strings.Contains(notes(rec.list()), "not ready") != late {
			t.Errorf("late %v: told %s, sent\n%s", late, notes(rec.list()), sent)
		}
	}
}

// Who waits for a summary can be stopped, and so can the program.
func TestWaitingForASummaryEnds(t *testing.T) {
	b := newBench(t, talk("hold-first: true\n"), nil)
	b.summing()
	for _, said := range []string{"Request one.", "Request two.", "Request three."} {
		b.say(said)
	}
	b.held()
	started, _ := b.start(agent.Request{Instruction: "Request four.", Coder: "ask"})
	b.session.Turns.Cancel(started.Turn)
	if r := b.wait(started.Turn); r.State != event.TurnCancelled {
		t.Errorf("%+v", r)
	}
	b.engine.Close() // and does not hang
}

// What takes the conversation back while it is summed up wins.
func TestAClearedConversationIsNotSummedUp(t *testing.T) {
	for name, back := range map[string]func(b *bench){
		"clear": func(b *bench) { b.session.Conversation.Clear() },
		"rewind": func(b *bench) {
			if r, err := b.session.Rewind(b.t.Context(), "1", newDisk(b)); err != nil || !r.Done {
				b.t.Errorf("%+v, %v", r, err)
			}
		},
	} {
		b := newBench(t, talk("hold-first: true\n"), nil)
		state := b.summing()
		for _, said := range []string{"Request one.", "Request two.", "Request three."} {
			b.say(said)
		}
		b.held()
		back(b)
		b.server.Release()
		if sent, told := b.say("Request four."); strings.Contains(sent, "SUMMARY") || strings.Contains(sent, "Request one.") || strings.Contains(told, "summ") {
			t.Errorf("%s: told %s, sent\n%s", name, told, sent)
		}
		b.engine.Close()
		text, err := os.ReadFile(transcripts(t, state)[0])
		if err != nil || strings.Contains(string(text), string(history.KindSummary)) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

// A conversation that is longer than the weak model's window is summed up in pieces, and all of it gets there.
func TestASummaryInPieces(t *testing.T) {
	b := newBench(t, talk(""), nil)
	state := b.summing()
	b.engine.Close()
	file := []byte{}
	var words []string
	for n := 1; n <= 40; n++ {
		word := fmt.Sprintf("word%d.", n)
		words = append(words, word)
		r := history.Record{Kind: history.KindTurn, Session: "c1", Exchange: history.Exchange{Turn: fmt.Sprint("t", n), Number: n, User: word, Reply: strings.Repeat("much ", 200) + "end-" + word}}
		file = append(file, r.Encode()...)
	}
	b.again(state)
	b.say("Request one.")
	b.engine.Close()
	if err := os.WriteFile(transcripts(t, state)[0], file, 0o600); err != nil {
		t.Fatal(err)
	}
	small := b.user
	small.ContextWindow, small.MaxOutput = 4000, 500
	b.settings.Models["thrifty"] = small
	b.settings.History.Mode = settings.HistoryRestore
	b.again(state)
	sent, told := b.say("Request two.")
	models, texts := b.summaries()
	if len(models) < 3 || !strings.Contains(sent, "SUMMARY 1") || !strings.Contains(sent, "end-word40.") || strings.Contains(sent, "end-word1.") || !strings.Contains(told, "39 oldest requests") {
		t.Fatalf("%d calls, told %s, sent\n%s", len(models), told, sent)
	}
	all := strings.Join(texts, "\n")
	for i, word := range words[:39] {
		if strings.Count(all, "\n"+word+"\n") != 1 || strings.Count(all, "end-"+word) != 1 {
			t.Errorf("%s of request %d is summed up %d times", word, i+1, strings.Count(all, "end-"+word))
		}
	}
	for i, text := range texts {
		if n := len(text) / 4; n > 3500 || strings.Contains(text, "SUMMARY 1") != (i > 0) {
			t.Errorf("piece %d has %d tokens, with notes: %v", i, n, strings.Contains(text, "SUMMARY 1"))
		}
	}
}

// The summary that never comes about bounds the conversation all the same, and the user is told.
func TestTheUserIsToldWhatIsNotSentAnyMore(t *testing.T) {
	b := newBench(t, talk("status: 400\n"), nil)
	b.summing()
	told := ""
	for i := range 40 {
		_, now := b.say(fmt.Sprintf("Request %d.", i))
		told += now
	}
	if n := len(b.session.Conversation.History.Done()); !strings.Contains(told, "no longer sends the") || n < 1 || n > 25 {
		t.Errorf("%d requests are kept, told %s", n, told)
	}
	if models, _ := b.summaries(); len(models) == 0 {
		t.Error("no request for a summary")
	}
}
