package event

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
)

// TestJSON fixes the lines that scripts read.
func TestJSON(t *testing.T) {
	for want, e := range map[string]Event{
		`{"turn":"t","seq":1,"kind":"state","state":"streaming"}`:                                   {Kind: KindState, State: TurnStreaming, Seq: 1},
		`{"turn":"t","seq":2,"kind":"delta","channel":"answer","text":"x"}`:                         {Kind: KindDelta, Channel: ChannelAnswer, Text: "x", Seq: 2},
		`{"turn":"t","seq":3,"kind":"usage","usage":{"prompt":1,"completion":2,"estimated":true}}`:  {Kind: KindUsage, Usage: &Usage{Prompt: 1, Completion: 2, Estimated: true}, Seq: 3},
		`{"turn":"t","seq":4,"kind":"ended","ended":{"state":"failed","message":"m","advice":"a"}}`: {Kind: KindEnded, Ended: &Ended{State: TurnFailed, Message: "m", Advice: "a"}, Seq: 4},
		`{"turn":"t","seq":5,"kind":"proposal","proposal":{"id":"p","revision":1,"state":"pending","files":[{"path":"a","op":"update","added":1,"removed":0,"hunks":1}],"added":1,"removed":0}}`: {
			Kind: KindProposal, Seq: 5,
			Proposal: &ProposalRef{ID: "p", Revision: 1, State: ProposalPending, Added: 1, Files: []FileRef{{Path: "a", Op: "update", Added: 1, Hunks: 1}}},
		},
	} {
		e.Turn = "t"
		b, err := json.Marshal(e)
		if err != nil || string(b) != want {
			t.Errorf("got  %s (%v)\nwant %s", b, err, want)
		}
		var back Event
		if err := json.Unmarshal(b, &back); err != nil || back.Kind != e.Kind || back.Seq != e.Seq {
			t.Errorf("%s does not come back: %+v, %v", b, back, err)
		}
	}
}

// TestEmitter: many goroutines, one order, and nothing after the end.
func TestEmitter(t *testing.T) {
	var got []Event
	m := NewEmitter("t", func(e Event) { got = append(got, e) })
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				m.Emit(Event{Kind: KindNote, Turn: "other", Seq: 77})
			}
		})
	}
	wg.Wait()
	m.Emit(Event{Kind: KindEnded})
	for _, k := range []Kind{KindState, KindRound, KindDelta, KindTool, KindEdit, KindOutput, KindUsage, KindNote, KindProposal, KindEnded, KindLanded, KindCommit} { // what becomes of the proposal is told later, and nothing else
		m.Emit(Event{Kind: k})
	}
	if len(got) != 404 || got[400].Kind != KindEnded || got[401].Kind != KindProposal || got[402].Kind != KindLanded || got[403].Kind != KindCommit {
		t.Fatalf("%d events, the last %+v", len(got), got[len(got)-1])
	}
	for i, e := range got {
		if e.Seq != uint64(i+1) || e.Turn != "t" {
			t.Fatalf("event %d is %+v", i, e)
		}
	}
	NewEmitter("t", nil).Emit(Event{Kind: KindNote}) // nobody listens
}

func TestDefaultAnswers(t *testing.T) {
	for _, x := range []struct {
		q    Question
		want Answer
	}{
		{Question{Choices: []string{"yes", "no"}, Default: "no"}, Answer{Choice: "no", Defaulted: true}},
		{Question{FreeText: true, Choices: []string{"a"}, Default: "own words"}, Answer{Text: "own words", Defaulted: true}},
		{Question{Choices: []string{"a"}}, Answer{Defaulted: true}},
	} {
		if got, err := Default().Ask(t.Context(), x.q); err != nil || got != x.want {
			t.Errorf("%+v: %+v, %v", x.q, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Default().Ask(ctx, Question{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestFinalStates(t *testing.T) {
	var final []State
	for _, s := range States() {
		if s.Final() {
			final = append(final, s)
		}
	}
	if !slices.Equal(final, []State{TurnAnswered, TurnProposed, TurnFailed, TurnCancelled}) || State("odd").Final() {
		t.Errorf("final: %v", final)
	}
}

func TestUsageAdds(t *testing.T) {
	sum := Usage{Prompt: 1, Completion: 2, CacheRead: 3, CacheWrite: 4, Cost: 0.5}.Add(Usage{Prompt: 10, Completion: 20, CacheRead: 30, CacheWrite: 40, Cost: 1, Estimated: true})
	if sum != (Usage{Prompt: 11, Completion: 22, CacheRead: 33, CacheWrite: 44, Cost: 1.5, Estimated: true}) {
		t.Errorf("%+v", sum)
	}
}

// TestChoose: y, n, the first letter and the word all work, in any case; anything else is no answer.
func TestChoose(t *testing.T) {
	add := Question{Choices: []string{"add", "skip"}, Default: "skip"}
	plain := Question{Choices: []string{"yes", "no"}, Default: "no"}
	turned := Question{Choices: []string{"Leave it", "Make it"}, Default: "Leave it"}
	three := Question{Choices: []string{"now", "never", "yesterday"}, Default: "never"}
	free := Question{Choices: []string{"red", "green"}, FreeText: true}
	none := Answer{Choice: "(asked again)"}
	for _, x := range []struct {
		q     Question
		words []string
		want  Answer
	}{
		{add, []string{"add", "ADD", "a", "ad", "y", "Y", "yes", "Yes", " y \n"}, Answer{Choice: "add"}},
		{add, []string{"skip", "s", "S", "n", "no", "NO"}, Answer{Choice: "skip"}},
		{add, []string{"", " \n"}, Answer{Choice: "skip", Defaulted: true}},
		{add, []string{"x", "yy", "nope", "adds", "add skip", "1", "\x1b[A", "\xff"}, none},
		{plain, []string{"y", "yes", "YE"}, Answer{Choice: "yes"}},
		{plain, []string{"n", "no"}, Answer{Choice: "no"}},
		{turned, []string{"y", "m", "make it"}, Answer{Choice: "Make it"}},
		{turned, []string{"n", "leave it", "L"}, Answer{Choice: "Leave it"}},
		{three, []string{"y", "yes"}, Answer{Choice: "yesterday"}},
		{three, []string{"n", "no way"}, none},
		{three, []string{"ne"}, Answer{Choice: "never"}},
		{free, []string{"r"}, Answer{Choice: "red"}},
		{free, []string{"yes"}, Answer{Text: "yes"}},
		{Question{}, []string{"anything"}, Answer{Text: "anything"}},
	} {
		for _, word := range x.words {
			got, ok := x.q.Choose(word)
			if !ok {
				got = none
			}
			if got != x.want {
				t.Errorf("%v: %q is %+v, want %+v", x.q.Choices, word, got, x.want)
			}
		}
	}
}
