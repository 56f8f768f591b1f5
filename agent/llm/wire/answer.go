package wire

import (
	"encoding/json"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// Answer collects a reply while it arrives.
type Answer struct {
	Request llm.Request
	reader  Reader
	on      func(llm.Delta)
	split   *splitter

	text, Thinking strings.Builder
	stray          strings.Builder // the arguments of calls where none was offered
	said, thought  joint           // the pieces of either
	Finish         string
	Refusal        bool
	Usage          *Usage
	Excess         bool // there are more calls than any reply needs
	Calls          calls
	Over           bool // the server said that nothing more will come
	Known          bool // some event had the form of an answer
}

// NewAnswer returns an answer to a request that is read by a protocol; on is told every piece.
func NewAnswer(w Protocol, r llm.Request, on func(llm.Delta)) *Answer {
	a := &Answer{Request: r, on: on}
	a.reader = w.Reader(a)
	a.split = newSplitter(llm.ThinkTags(r.Model.ReasoningTag), a.emit)
	return a
}

// Heard is how much of the reply has come.
func (a *Answer) Heard() int {
	return a.text.Len() + a.Thinking.Len() + a.stray.Len() + a.Calls.size + len(a.Calls.Slots) + len(a.said.held)
}

// Long says whether it has more text than any reply.
func (a *Answer) Long() bool { return a.text.Len()+a.Thinking.Len()+a.stray.Len() > MaxText }

// Refusal is an event that says what went wrong, in place of an answer.
type Refusal []byte

// Error implements error.
func (r Refusal) Error() string { return "the answer is a refusal: " + string(r) }

// Garbled is an event that is no JSON.
type Garbled []byte

// Error implements error.
func (Garbled) Error() string { return "an event is not JSON" }

// Add takes in an event. The error is a refusal or garbled.
func (a *Answer) Add(e Streamed) error {
	if e.plain {
		a.Say(e.text)
		return nil
	}
	if e.Data[0] == '[' {
		for _, one := range Objects(e.Data) {
			if err := a.Add(Streamed{Data: one, name: e.name}); err != nil || a.Excess {
				return err
			}
		}
		return nil
	}
	return a.reader.Take(e.Data, e.name)
}

// Say adds to the answer.
func (a *Answer) Say(text string) { a.split.write(a.said.add(text)) }

// Think adds to what was thought before the answer.
func (a *Answer) Think(text string) {
	if text = a.thought.add(text); text != "" {
		a.emit(true, text)
	}
}

// Called takes in a piece of a call, which stood at a place in the list of its event. raw is the piece as it came. It is
// false when the calls are more than any reply needs.
func (a *Answer) Called(p Piece, place int, raw json.RawMessage) bool {
	fresh, ok := a.Calls.add(p, place, raw)
	if len(a.Request.Tools) == 0 {
		if !a.Unasked(fresh) {
			a.Say(fresh)
		}
		return true
	}
	return ok
}

// Unasked keeps the arguments of a call where none was offered. They are the reply only if nothing else is. Those of the
// forced one are its text.
func (a *Answer) Unasked(args string) bool {
	if a.Request.Tool != nil {
		return false
	}
	a.stray.WriteString(args)
	return true
}

func (a *Answer) emit(thinking bool, text string) {
	if thinking {
		a.Thinking.WriteString(text)
		a.on(llm.Delta{Channel: event.ChannelReasoning, Text: text})
		return
	}
	a.text.WriteString(text)
	a.on(llm.Delta{Channel: event.ChannelAnswer, Text: text})
}

// Reply is the complete answer.
func (a *Answer) Reply() llm.Reply {
	unclosed := a.flush()
	if !unclosed && strings.TrimSpace(a.text.String()) == "" && a.stray.Len() > 0 {
		a.emit(false, Joined(a.stray.String()))
	}
	r := llm.Reply{Text: a.text.String(), Reasoning: a.Thinking.String(), Finish: finishOf(OrElse(a.Finish, "stop"))}
	if a.Refusal {
		r.Finish = llm.FinishRefused
	}
	if unclosed && r.Finish == llm.FinishStop && r.Text == "" {
		r.Text, r.Reasoning, r.OnlyThought = r.Reasoning, "", true // it ended by itself: this is all there is
	}
	if !unclosed {
		a.separate(&r)
	}
	if r.Finish == llm.FinishStop && len(a.Request.Tools) > 0 {
		r.Calls, r.Back = a.Calls.list(), a.reader.Back()
	}
	r.Usage = a.counted()
	return r
}

// flush passes on what waited for more. unclosed says that the thinking never ended.
func (a *Answer) flush() (unclosed bool) {
	a.split.write(a.said.end())
	if text := a.thought.end(); text != "" {
		a.emit(true, text)
	}
	return a.split.finish()
}

// separate moves the thinking that shows only now, behind an answer that seemed to have begun.
func (a *Answer) separate(r *llm.Reply) {
	thinking, text, _ := llm.Thinking(r.Text, a.split.tags)
	r.Text, r.Reasoning = text, r.Reasoning+thinking
}

// Partial is what had arrived when the call failed.
func (a *Answer) Partial() llm.Reply {
	a.flush()
	r := llm.Reply{Text: a.text.String(), Reasoning: a.Thinking.String(), Finish: llm.FinishCut, Usage: a.counted()}
	a.separate(&r)
	return r
}

// counted is the provider's usage, else an estimate.
func (a *Answer) counted() event.Usage {
	p := a.Request.Model
	if a.Usage != nil {
		return a.Usage.event(p)
	}
	u := event.Usage{Prompt: Estimate(a.Request.Messages), Estimated: true}
	u.Completion = model.Estimate{}.Count(a.text.String()) + model.Estimate{}.Count(a.Thinking.String())
	if len(a.Request.Tools) > 0 {
		for _, s := range a.Calls.Slots {
			u.Completion += model.Estimate{}.Count(string(s.Arguments.Text))
		}
	}
	u.Cost = model.Cost(p.Price, u)
	return u
}

// Estimate counts the tokens of a prompt roughly. It runs within the 200 ms of a cancel, so it does
// not load a tokenizer.
func Estimate(messages []llm.Message) int {
	n := 0
	for _, m := range messages {
		for _, p := range m.Parts {
			n += model.Estimate{}.Count(p.Text) + len(p.Data)/1000
			if p.Kind == llm.PartCall {
				n += model.Estimate{}.Count(p.Call.Arguments)
			}
		}
		n += 4 // role and separators
	}
	return n
}
