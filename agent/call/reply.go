package call

import (
	"context"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prose"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/edits"
)

// Reply is what came of a call: the model's words, and the edits that were read in them while they came.
type Reply struct {
	llm.Reply
	Edits     []edits.Edit
	Problems  []edits.Problem
	Notes     []event.Note // remarks for the user about a reply that is otherwise good
	Circles   bool         // the text went round in circles, and was cut there
	InText    bool         // Calls stood in the text
	Rest      string       // the text without its calls
	Late      bool         // time ended it
	Stopped   string       // which limit of the turn ended its round; "" for none
	Finishing []llm.Call   // by which the model said how far the task is
	Fence     edits.Fence  // that the model was asked to use
	Counted   bool         // Usage says something
}

// Cut says whether the reply ended before its time.
func (r Reply) Cut() bool { return r.Finish == llm.FinishLength || r.Finish == llm.FinishCut }

// Held says whether the reply holds edits, whatever becomes of them.
func (r Reply) Held() bool { return len(r.Edits)+len(r.Problems) > 0 }

// cutCircles makes a reply that went round in circles one that was cut where it began to: shown the rest, a
// model goes on with it.
func (r *Reply) cutCircles(p Ask, h *reading) {
	r.Circles, r.Finish = true, llm.FinishCut
	if heard := h.text.String(); strings.HasPrefix(r.Text, heard) { // more may have come before the line was closed
		r.Text = heard
		if h.answer.From > 0 {
			r.Text = heard[:h.answer.From]
		}
	}
	r.Notes = append(r.Notes, event.Warning(p.Model.Profile.Name+" kept repeating itself, so Coauthor stopped its answer."))
}

// cutLate makes a reply that time has ended one that was cut.
func (r *Reply) cutLate() {
	r.Late, r.Finish, r.Calls = true, llm.FinishCut, nil
}

// count says what the call cost, also one that failed in the middle. Where the server counts nothing,
// we do.
func (r *Reply) count(p Ask, err error) {
	u := &r.Usage
	if u.Prompt == 0 && u.Completion == 0 {
		if err != nil && r.Text == "" && r.Reasoning == "" {
			return // nothing arrived; most such calls cost nothing
		}
		count := p.Model.Counter.Count
		u.Prompt, u.Completion, u.Estimated = p.Sent(), count(r.Text)+count(r.Reasoning), true
	}
	if u.Cost == 0 {
		u.Cost = model.Cost(r.From(p).Price, *u)
	}
	r.Counted = true
}

// From is the profile of the model that answered.
func (r *Reply) From(p Ask) model.Profile {
	if r.Instead != nil {
		return *r.Instead
	}
	return p.Model.Profile
}

// read takes the edits out of a complete reply. A reply that says nothing is an error.
func (r *Reply) read(ctx context.Context, p Ask, h *reading) error {
	name := r.From(p).Name
	for _, text := range r.Reply.Notes {
		r.Notes = append(r.Notes, event.Warning(text))
	}
	if r.Finish == llm.FinishRefused {
		return &event.Problem{Message: name + " refused to answer.",
			Advice: "Rephrase the request, or choose another model."}
	}
	r.findCalls(p)
	if len(r.Calls) > 0 && p.Format == nil {
		return nil
	}
	blank := strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0
	if blank && r.Reasoning != "" && r.Finish == llm.FinishStop || r.OnlyThought && p.Format != nil {
		if p.Later { // what came before stands
			r.Text = NoAnswer
			r.Notes = append(r.Notes, event.Warning(name+" reasoned but gave no answer."))
			return nil
		}
		return &event.Problem{Message: name + " reasoned but gave no answer.",
			Advice: "Nothing was changed. Try again, make a smaller request, or choose another model."}
	}
	if blank && r.Circles {
		r.Notes = nil
		return &event.Problem{Message: name + " kept repeating itself while reasoning, so Coauthor stopped it.",
			Advice: "Nothing was changed. Try again, make a smaller request, or choose another model."}
	}
	if blank && r.Finish != llm.FinishLength {
		return &event.Problem{Message: name + " returned an empty answer.",
			Advice: "Try again, or choose another model."}
	}
	if h.text.String() != r.Text && r.Reasoning != "" {
		r.Notes = append(r.Notes, event.Info("Coauthor removed reasoning text from the answer of "+name+"."))
	}
	if p.Format == nil {
		return nil
	}
	how := edits.Ended
	if r.Cut() {
		how = edits.Cut
	}
	var list []edits.Edit
	var problems []edits.Problem
	parser, text, format, options, streamed := h.parser, r.Text, *p.Format, p.Parse, h.text.String()
	if err := Await(ctx, func() {
		if streamed == text {
			list, problems = parser.Close(how)
		} else { // what streamed held more than the answer, such as thinking without its opening tag
			list, problems = edits.Parse(format, text, how, options)
		}
	}); err != nil {
		return err
	}
	r.Edits, r.Problems = list, problems
	r.findCallsBeside(p)
	return nil
}

// NoAnswer stands for a reply of nothing: servers refuse a message without a text.
const NoAnswer = "(no answer)"

// findCalls finds the calls of tools in a reply without edits. Models write calls into their text, and some
// into their thinking.
func (r *Reply) findCalls(p Ask) {
	r.Rest = r.Text
	if p.Tools == strategy.NoTools || p.Format != nil && strings.TrimSpace(r.Text) != "" || r.Finish != llm.FinishStop || len(r.Calls) > 0 {
		return
	}
	text := r.Text
	if strings.TrimSpace(text) == "" {
		text = r.Reasoning
	}
	if calls, rest := p.callsIn(text); len(calls) > 0 {
		r.Calls, r.InText, r.Rest = calls, true, rest
		if strings.TrimSpace(r.Text) == "" {
			r.Rest = ""
		}
	}
}

// callsIn finds the calls that stand in a text, in the forms that the model may write them in.
func (p Ask) callsIn(text string) (calls []llm.Call, rest string) {
	if p.Tools == strategy.TextTools {
		return tool.InText(text)
	}
	return tool.InShapes(text)
}

// findCallsBeside finds the calls in what a reply holds beside its edits. What stands in an edit is the
// user's file.
func (r *Reply) findCallsBeside(p Ask) {
	if p.Tools == strategy.NoTools || r.Finish != llm.FinishStop || len(r.Calls) > 0 {
		return
	}
	if calls, _ := p.callsIn(prose.Of(r.Text, r.Edits, r.Problems)); len(calls) > 0 {
		r.Calls, r.InText = calls, true
	}
}

// Await runs a step that asks nobody whether it shall go on. When ctx ends first the step is left to
// itself: it ends soon, and must change nothing that anybody else looks at.
func Await(ctx context.Context, step func()) error {
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		step()
	}()
	select {
	case x := <-done:
		if x != nil {
			panic(x) // where the turn expects it
		}
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Given answers with what a model said elsewhere.
type Given string

// Stream implements llm.Client.
func (g Given) Stream(ctx context.Context, _ llm.Request, on func(llm.Delta)) (llm.Reply, error) {
	on(llm.Delta{Channel: event.ChannelAnswer, Text: string(g)})
	return llm.Reply{Text: string(g), Finish: llm.FinishStop}, ctx.Err()
}
