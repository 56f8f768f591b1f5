package llm

import (
	"encoding/json"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/model"
)

// answer collects a reply while it arrives.
type answer struct {
	request Request
	reader  reader
	on      func(Delta)
	split   *splitter

	text, thinking strings.Builder
	stray          strings.Builder // the arguments of calls where none was offered
	said, thought  joint           // the pieces of either
	finish         string
	refusal        bool
	usage          *usage
	excess         bool // there are more calls than any reply needs
	calls          calls
	over           bool // the server said that nothing more will come
	known          bool // some event had the form of an answer
}

func newAnswer(w protocol, r Request, on func(Delta)) *answer {
	a := &answer{request: r, on: on}
	a.reader = w.Reader(a)
	a.split = newSplitter(ThinkTags(r.Model.ReasoningTag), a.emit)
	return a
}

// heard is how much of the reply has come.
func (a *answer) heard() int {
	return a.text.Len() + a.thinking.Len() + a.stray.Len() + a.calls.size + len(a.calls.slots) + len(a.said.held)
}

// long says whether it has more text than any reply.
func (a *answer) long() bool { return a.text.Len()+a.thinking.Len()+a.stray.Len() > maxText }

// refusal is an event that says what went wrong, in place of an answer.
type refusal []byte

// Error implements error.
func (r refusal) Error() string { return "the answer is a refusal: " + string(r) }

// garbled is an event that is no JSON.
type garbled []byte

// Error implements error.
func (garbled) Error() string { return "an event is not JSON" }

// add takes in an event. The error is a refusal or garbled.
func (a *answer) add(e streamed) error {
	if e.plain {
		a.say(e.text)
		return nil
	}
	if e.data[0] == '[' {
		for _, one := range objects(e.data) {
			if err := a.add(streamed{data: one, name: e.name}); err != nil || a.excess {
				return err
			}
		}
		return nil
	}
	return a.reader.Take(e.data, e.name)
}

// say adds to the answer, think to what was thought before it.
func (a *answer) say(text string) { a.split.write(a.said.add(text)) }

func (a *answer) think(text string) {
	if text = a.thought.add(text); text != "" {
		a.emit(true, text)
	}
}

// called takes in a piece of a call, which stood at a place in the list of its event. raw is the piece as it came. It is
// false when the calls are more than any reply needs.
func (a *answer) called(p piece, place int, raw json.RawMessage) bool {
	fresh, ok := a.calls.add(p, place, raw)
	if len(a.request.Tools) == 0 {
		if !a.unasked(fresh) {
			a.say(fresh)
		}
		return true
	}
	return ok
}

// unasked keeps the arguments of a call where none was offered. They are the reply only if nothing else is. Those of the
// forced one are its text.
func (a *answer) unasked(args string) bool {
	if a.request.Tool != nil {
		return false
	}
	a.stray.WriteString(args)
	return true
}

func (a *answer) emit(thinking bool, text string) {
	if thinking {
		a.thinking.WriteString(text)
		a.on(Delta{Channel: event.ChannelReasoning, Text: text})
		return
	}
	a.text.WriteString(text)
	a.on(Delta{Channel: event.ChannelAnswer, Text: text})
}

// reply is the complete answer.
func (a *answer) reply() Reply {
	unclosed := a.flush()
	if !unclosed && strings.TrimSpace(a.text.String()) == "" && a.stray.Len() > 0 {
		a.emit(false, joined(a.stray.String()))
	}
	r := Reply{Text: a.text.String(), Reasoning: a.thinking.String(), Finish: finishOf(orElse(a.finish, "stop"))}
	if a.refusal {
		r.Finish = FinishRefused
	}
	if unclosed && r.Finish == FinishStop && r.Text == "" {
		r.Text, r.Reasoning, r.OnlyThought = r.Reasoning, "", true // it ended by itself: this is all there is
	}
	if !unclosed {
		a.separate(&r)
	}
	if r.Finish == FinishStop && len(a.request.Tools) > 0 {
		r.Calls, r.Back = a.calls.list(), a.reader.Back()
	}
	r.Usage = a.counted()
	return r
}

// flush passes on what waited for more. unclosed says that the thinking never ended.
func (a *answer) flush() (unclosed bool) {
	a.split.write(a.said.end())
	if text := a.thought.end(); text != "" {
		a.emit(true, text)
	}
	return a.split.finish()
}

// separate moves the thinking that shows only now, behind an answer that seemed to have begun.
func (a *answer) separate(r *Reply) {
	thinking, text, _ := Thinking(r.Text, a.split.tags)
	r.Text, r.Reasoning = text, r.Reasoning+thinking
}

// partial is what had arrived when the call failed.
func (a *answer) partial() Reply {
	a.flush()
	r := Reply{Text: a.text.String(), Reasoning: a.thinking.String(), Finish: FinishCut, Usage: a.counted()}
	a.separate(&r)
	return r
}

// counted is the provider's usage, else an estimate.
func (a *answer) counted() event.Usage {
	p := a.request.Model
	if a.usage != nil {
		return a.usage.event(p)
	}
	u := event.Usage{Prompt: estimate(a.request.Messages), Estimated: true}
	u.Completion = model.Estimate{}.Count(a.text.String()) + model.Estimate{}.Count(a.thinking.String())
	if len(a.request.Tools) > 0 {
		for _, s := range a.calls.slots {
			u.Completion += model.Estimate{}.Count(string(s.arguments.text))
		}
	}
	u.Cost = model.Cost(p.Price, u)
	return u
}

// estimate counts the tokens of a prompt roughly. It runs within the 200 ms of a cancel, so it does
// not load a tokenizer.
func estimate(messages []Message) int {
	n := 0
	for _, m := range messages {
		for _, p := range m.Parts {
			n += model.Estimate{}.Count(p.Text) + len(p.Data)/1000
			if p.Kind == PartCall {
				n += model.Estimate{}.Count(p.Call.Arguments)
			}
		}
		n += 4 // role and separators
	}
	return n
}
