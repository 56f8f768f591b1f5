package agent

import (
	"errors"
	"fmt"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
	"coauthor/agent/tool"
	"coauthor/edits"
)

// toolForm is how a model is given tools to look around with.
type toolForm string

// The forms.
const (
	noTools     toolForm = ""
	nativeTools toolForm = "native" // as its interface has them
	textTools   toolForm = "text"   // as lines of its reply
)

// toolForm says how this model is given tools for this coder.
func (s Strategy) toolForm(set settings.Settings) toolForm {
	switch {
	case !s.Coder.Tools, set.Tools != "auto", s.Model.Profile.Tools == "never":
		return noTools
	case s.Model.Profile.Tools == "text":
		return textTools
	}
	return nativeTools
}

// offered are the tools that a call offers.
func (p Prompt) offered() []llm.Tool {
	if p.tools != nativeTools || p.forced() != nil {
		return nil
	}
	if p.finishes() {
		return append(tool.Offer(), tool.OfferFinisher())
	}
	return tool.Offer()
}

// withoutTools says whether a call failed because the model's server has no tools. The model is then told in
// words how to look around, in this turn and the next ones.
func (t *turn) withoutTools(err error) bool {
	var failed *llm.Error
	if t.at.tools != nativeTools || !errors.As(err, &failed) || !failed.NoTools {
		return false
	}
	name := t.at.Model.Profile.Name
	t.s.e.models.noTools(name)
	t.at.tools = textTools
	t.note(event.Info("The server for " + name + " does not support tools, so the model calls them in its text."))
	return true
}

// toolLoop is the talk of one round: the model's calls are carried out and their results sent, until it
// answers.
type toolLoop struct {
	t     *turn
	p     Prompt
	run   *tool.Runner     // nil before the first call
	heard *tool.Transcript // what is sent
	said  []string         // beside calls, so far
	last  bool             // the model was told to answer now
	asked bool             // what it has done, when it said that it was done
}

// useTools asks the model, and lets it look around before it answers. With an error the reply holds what had
// come by then.
func (t *turn) useTools(p Prompt) (Reply, error) {
	l := &toolLoop{t: t, p: p, heard: tool.NewTranscript(p.Messages, p.Tokens, p.Model.Counter.Count)}
	for {
		l.p.Messages, l.p.Tokens = l.heard.Messages, l.heard.Prompt
		if why := t.limits().Over(t.used()); why != "" {
			return l.stopped(Reply{Reply: llm.Reply{Finish: llm.FinishStop}}, why)
		}
		t.rounds.calls++
		r, err := call(t.life.ctx, t.callDeps(), l.p)
		if t.rounds.given == "" {
			t.account(r)
		}
		for _, n := range r.Notes {
			t.note(n)
		}
		if err != nil {
			return r, err
		}
		if r.late {
			return l.stopped(r, t.late())
		}
		if r.Instead == nil && t.rounds.given == "" {
			t.rounds.sent = l.p
		}
		if len(r.Calls) == 0 || l.last || l.finished(r) {
			return l.answer(r)
		}
		if err := l.carryOut(r); err != nil {
			return r, err
		}
		t.tools.looked = true
		t.enter(event.Event{State: event.TurnRequesting, Model: l.p.Model.Profile.Name})
	}
}

// answer is the reply of the round. For a coder with edits it is all that the model wrote: edits beside a
// call count, too.
func (l *toolLoop) answer(r Reply) (Reply, error) {
	if len(r.Calls) > 0 {
		r.finish = l.finishing(r)
		r.Text, r.Calls = r.rest, nil
	}
	r, err := l.joined(r)
	return l.withVerdict(r), err
}

// joined is a reply with what the model wrote beside the looks before it.
func (l *toolLoop) joined(r Reply) (Reply, error) {
	before := strings.Join(l.said, "\n\n")
	switch {
	case l.p.Format == nil && strings.TrimSpace(r.Text) != "", before == "" && strings.TrimSpace(r.Text) != "", l.p.Format != nil && before == "":
		return r, nil
	case l.p.Format == nil && before == "":
		return r, &event.Problem{Message: l.p.Model.Profile.Name + " only called tools and gave no answer.",
			Advice: "Make a smaller request, name the relevant files, or choose another model."}
	}
	r.Text = strings.TrimSpace(before + "\n\n" + r.Text)
	if l.p.Format == nil {
		return r, nil
	}
	how := edits.Ended
	if r.cut() {
		how = edits.Cut
	}
	var list []edits.Edit
	var problems []edits.Problem
	text, format, options := r.Text, *l.p.Format, l.p.parse
	if err := await(l.t.life.ctx, func() { list, problems = edits.Parse(format, text, how, options) }); err != nil {
		return r, err
	}
	r.Edits, r.Problems = list, problems
	return r, nil
}

// carryOut runs the calls of a reply and puts their results into the prompt: one for each, in their order.
func (l *toolLoop) carryOut(r Reply) error {
	t := l.t
	if l.run == nil {
		l.run = &tool.Runner{Box: t.box(), Tree: treeOf(t.at), Repeats: &t.tools.repeats, Tell: func(c tool.Call) {
			path, _ := c.Args["path"].(string)
			t.tell(event.Event{Kind: event.KindTool, Op: c.Tool, Text: c.String(), Path: path})
		}}
	}
	finish := l.finishing(r)
	l.asked = l.asked || len(finish) == len(r.Calls)
	list, stuck, err := l.run.Run(t.life.ctx, r.Calls, finish, l.p.Model.Room-l.heard.Tokens())
	if err != nil {
		return err
	}
	for _, one := range list {
		t.at.seen = t.at.seen.With(one.Result.Shown)
	}
	if told, err := l.refence(); err != nil {
		return err
	} else if told != "" {
		list[len(list)-1].Text += "\n\n" + told
	}
	l.add(r, list, stuck)
	return nil
}

// refence chooses another fence where one of the files that the model has seen by now takes that of the prompt, since its
// next words may be edits of that file. It returns what the model is told of it, "" for nothing.
func (l *toolLoop) refence() (string, error) {
	if l.p.Format == nil {
		return "", nil
	}
	in, err := l.t.at.input()
	if err != nil {
		return "", err
	}
	told, now := l.p.fence, prompt.FenceOf(in)
	if told == now {
		return "", nil
	}
	l.p.fence, l.p.parse.Fence = now, now
	return prompt.Refenced(told, now), nil
}

// add puts a reply and its results into the prompt, and decides whether the model may look again.
func (l *toolLoop) add(r Reply, list []tool.Ran, stuck bool) {
	t := l.t
	if rest := strings.TrimSpace(l.withoutFinish(r)); rest != "" {
		l.said = append(l.said, rest)
	}
	why := ""
	switch {
	case stuck:
		why = "The model kept repeating the same tool calls, so Coauthor asked it to answer now."
	case t.rounds.calls >= mostCalls-1:
		why = fmt.Sprintf("The request made %d calls to the model, so Coauthor asked it to answer now.", t.rounds.calls)
	}
	said, results := tool.Exchange(r.Reply, r.inText, list)
	l.heard.Begin(said, results, list)
	if !l.fits() && why == "" {
		why = "The context window is nearly full, so Coauthor asked the model to answer now."
	}
	if why != "" {
		l.last = true
		t.note(event.Info(why))
		end := &results.Parts[len(results.Parts)-1]
		end.Text += "\n\nThis was the last look. Answer now with what you know, without another call."
	}
	l.heard.Add(said, results)
}

// fits makes room for what was looked at: where it runs short, results of earlier replies are taken out. It is false when
// there is no room for another reply after that.
func (l *toolLoop) fits() bool {
	room := l.p.Model.Room
	if l.heard.Tokens() > room*6/10 && l.heard.Blank(room/10) {
		l.run.Forget(l.heard.Calls())
		l.t.note(event.Info("To fit the model's context window, Coauthor no longer sends its first tool results."))
	}
	if l.heard.Tokens()*100 > room*nearlyFull {
		l.condense()
	}
	return l.heard.Tokens() <= room*9/10
}
