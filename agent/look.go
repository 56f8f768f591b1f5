package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"coauthor/agent/display"
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

// Limits of looking around in one round, beside mostCalls of a turn.
const (
	mostLooks   = 8      // calls of tools in one reply
	mostResults = 32_000 // characters of what they give together
	keptResults = 2      // replies whose results stay when room runs short
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
	t.s.mu.Lock()
	if t.s.toolless == nil {
		t.s.toolless = map[string]bool{}
	}
	t.s.toolless[name] = true
	t.s.mu.Unlock()
	t.at.tools = textTools
	t.note(event.Info("The server for " + name + " does not support tools, so the model calls them in its text."))
	return true
}

func (s *Session) hasNoTools(model string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.toolless[model]
}

// looking is the talk of one round: the model's calls are carried out and their results sent, until it
// answers.
type looking struct {
	t     *turn
	p     Prompt
	box   *tool.Box
	tree  string   // names the state of the files
	said  []string // beside calls, so far
	sizes []int    // tokens of the messages behind those of the prompt
	first int      // where those begin
	notes string   // the summary of what was there before those, "" for none
	calls []tool.Call
	last  bool // the model was told to answer now
	asked bool // what it has done, when it said that it was done
}

// look asks the model, and lets it look around before it answers. With an error the reply holds what had
// come by then.
func (t *turn) look(p Prompt) (Reply, error) {
	l := &looking{t: t, p: p, first: len(p.Messages)}
	l.p.Messages = slices.Clone(p.Messages)
	for {
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
func (l *looking) answer(r Reply) (Reply, error) {
	if len(r.Calls) > 0 {
		r.finish = l.finishing(r)
		r.Text, r.Calls = r.rest, nil
	}
	r, err := l.joined(r)
	return l.withVerdict(r), err
}

// joined is a reply with what the model wrote beside the looks before it.
func (l *looking) joined(r Reply) (Reply, error) {
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

// looked is one call of a reply on its way to its result.
type looked struct {
	call   tool.Call
	run    bool
	result tool.Result
}

// carryOut runs the calls of a reply and puts their results into the prompt: one for each, in their order.
func (l *looking) carryOut(r Reply) error {
	t := l.t
	if l.box == nil {
		l.box, l.tree = t.box(), treeOf(t.at)
	}
	list, stuck := make([]looked, len(r.Calls)), false
	finish := l.finishing(r)
	for i, c := range r.Calls {
		if len(finish) > 0 && tool.Finishes(c) {
			list[i] = unfinished(c, len(finish) == len(r.Calls))
			continue
		}
		list[i], stuck = l.judge(c, i, stuck)
	}
	l.asked = l.asked || len(finish) == len(r.Calls)
	if err := l.runAll(t.life.ctx, list); err != nil {
		return err
	}
	texts, room := make([]string, len(list)), l.roomForResults()
	for i, one := range list {
		text := one.result.Text
		if room -= len(text); one.run && room < 0 {
			text = fmt.Sprintf("Not shown: the results of one reply have at most %d characters. Make the call again, by itself.", mostResults)
			one.result = tool.Result{Limited: true}
		}
		if one.run && one.result.Limited {
			t.tools.repeats.Forget(one.call, l.tree)
		}
		if t.tools.repeats.Ran(one.result.Bad) {
			stuck = true
		}
		texts[i] = text
		t.at = t.at.withSeen(one.result.Shown)
	}
	if told, err := l.refence(); err != nil {
		return err
	} else if told != "" {
		texts[len(texts)-1] += "\n\n" + told
	}
	l.add(r, list, texts, stuck)
	return nil
}

// refence chooses another fence where one of the files that the model has seen by now takes that of the prompt, since its
// next words may be edits of that file. It returns what the model is told of it, "" for nothing.
func (l *looking) refence() (string, error) {
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

// judge says what to do with a call: it is run, or it has its result already.
func (l *looking) judge(c llm.Call, i int, stuck bool) (looked, bool) {
	one, err := tool.Resolve(c)
	out := looked{call: one}
	switch {
	case i >= mostLooks:
		out.result.Text = fmt.Sprintf("Not run: one reply may hold %d calls. Make it again.", mostLooks)
		return out, stuck
	case err != nil:
		out.result = tool.Result{Text: display.Upper(err.Error()) + ".", Bad: true}
		if one.Tool == "" {
			out.call.Tool = c.Name
		}
		return out, stuck
	}
	switch l.t.tools.repeats.See(one, l.tree) {
	case tool.New:
		out.run = true
	case tool.Same:
		out.result.Text = "Same as above: you made this call before, and nothing has changed since."
	case tool.Nudge:
		out.result.Text = "Same as above. You have made this call three times. Look at something else, or answer with what you know."
	case tool.GiveUp:
		out.result.Text = "Not run: it gives what it gave before."
		stuck = true
	}
	return out, stuck
}

// runAll runs what is to be run, at the same time.
func (l *looking) runAll(ctx context.Context, list []looked) error {
	var running sync.WaitGroup
	errs := make([]error, len(list))
	for i := range list {
		if !list[i].run {
			continue
		}
		c := list[i].call
		path, _ := c.Args["path"].(string)
		l.t.tell(event.Event{Kind: event.KindTool, Op: c.Tool, Text: c.String(), Path: path})
		running.Go(func() {
			defer func() {
				if x := recover(); x != nil {
					errs[i] = fmt.Errorf("look with %s: %v", c.Tool, x)
				}
			}()
			list[i].result, errs[i] = l.box.Run(ctx, c)
		})
	}
	done := make(chan struct{})
	go func() { running.Wait(); close(done) }() // a file system that hangs must not hold a cancel
	select {
	case <-done:
	case <-ctx.Done():
		return ctx.Err()
	}
	return errors.Join(errs...)
}

// add puts a reply and its results into the prompt, and decides whether the model may look again.
func (l *looking) add(r Reply, list []looked, texts []string, stuck bool) {
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
	for _, one := range list {
		l.calls = append(l.calls, one.call)
	}
	said, results := exchange(r, list, texts)
	if !l.fits(said, results) && why == "" {
		why = "The context window is nearly full, so Coauthor asked the model to answer now."
	}
	if why != "" {
		l.last = true
		t.note(event.Info(why))
		end := &results.Parts[len(results.Parts)-1]
		end.Text += "\n\nThis was the last look. Answer now with what you know, without another call."
	}
	l.p.Messages = append(l.p.Messages, said, results)
}

// exchange is a reply with calls as it goes back to the model, and what it is told.
func exchange(r Reply, list []looked, texts []string) (said, results llm.Message) {
	if !r.inText {
		return r.Message(), llm.Results(r.Calls, texts)
	}
	var b strings.Builder
	for i, one := range list {
		name := one.call.String()
		fmt.Fprintf(&b, "RESULT %s%s\n%s\n\n", strings.ToUpper(one.call.Tool), strings.TrimPrefix(name, one.call.Tool), texts[i])
	}
	return llm.Text(llm.RoleAssistant, cmp.Or(r.Text, r.Reasoning)), llm.Text(llm.RoleUser, strings.TrimSpace(b.String()))
}

// roomForResults is how many characters the results of one reply may have.
func (l *looking) roomForResults() int {
	left := l.p.Model.Room - l.tokens()
	return min(mostResults, max(left, 1000)) // half of the room or less: few texts have less than two characters a token
}

// tokens counts what would be sent now.
func (l *looking) tokens() int {
	n := l.p.Tokens
	for _, size := range l.sizes {
		n += size
	}
	return n
}

// fits takes in what two further messages need. Where room runs short, results of earlier replies are
// taken out. It is false when there is no room for another reply after that.
func (l *looking) fits(list ...llm.Message) bool {
	for _, m := range list {
		l.sizes = append(l.sizes, l.size(m))
	}
	room := l.p.Model.Room
	if l.tokens() > room*6/10 && l.blank(room/10) {
		l.t.note(event.Info("To fit the model's context window, Coauthor no longer sends its first tool results."))
	}
	if l.tokens()*100 > room*nearlyFull {
		l.condense()
	}
	return l.tokens() <= room*9/10
}

func (l *looking) size(m llm.Message) int {
	n := 0
	for _, p := range m.Parts {
		n += l.p.Model.Counter.Count(p.Text)
		if p.Kind == llm.PartCall {
			n += l.p.Model.Counter.Count(p.Call.Arguments)
		}
	}
	return n
}

// blanked stands where a result was.
const blanked = "(This result is not shown any more. Make the call again if you need it.)"

// blank takes out the results of all but the latest replies, if that wins so many tokens. The calls may
// then be made again.
func (l *looking) blank(least int) bool {
	var old []int
	for i := l.first + 1; i < len(l.p.Messages)-2*(keptResults-1); i += 2 {
		old = append(old, i)
	}
	won := 0
	for _, i := range old {
		won += l.sizes[i-l.first]
	}
	if won < least || won == 0 {
		return false
	}
	for _, i := range old {
		m := l.p.Messages[i]
		m.Parts = slices.Clone(m.Parts)
		for k := range m.Parts {
			m.Parts[k].Text = blanked
		}
		l.p.Messages[i], l.sizes[i-l.first] = m, l.size(m)
	}
	for _, c := range l.calls {
		l.t.tools.repeats.Forget(c, l.tree)
	}
	return true
}
