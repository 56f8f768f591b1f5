package tool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"coauthor/agent/display"
	"coauthor/agent/llm"
)

// Limits of the calls in one reply.
const (
	mostLooks    = 8      // calls
	leastResults = 32_000 // characters of their results together, and more in a large window
)

// Runner carries out the calls of one round. It is not safe for concurrent use.
type Runner struct {
	Box     *Box
	Tree    string       // names the state of the files
	Written string       // what the model has written besides in this round, which check takes in
	Repeats *Repeats     // of the turn
	Tell    func(c Call) // is told of each call before it runs
}

// Ran is one call of a reply on its way to its result.
type Ran struct {
	Call   Call
	Result Result
	Text   string // of the result, as the model gets it

	run bool
}

// Run carries out the calls of a reply: the result has one for each, in their order, and their texts together take so
// many characters at most, as long as there is room for them. finishing are those of them that say how far the task is,
// which are not run. stuck says that the model goes in a circle.
func (r *Runner) Run(ctx context.Context, calls, finishing []llm.Call, room int) (list []Ran, stuck bool, err error) {
	list = make([]Ran, len(calls))
	for i, c := range calls {
		if len(finishing) > 0 && Finishes(c) {
			list[i] = unfinished(c, len(finishing) == len(calls))
			continue
		}
		list[i], stuck = r.judge(c, i, stuck)
	}
	if err := r.runAll(ctx, list); err != nil {
		return nil, stuck, err
	}
	room = min(r.Box.Room(), max(room, 1000)) // half of the room or less: few texts have less than two characters a token
	for i := range list {
		one := &list[i]
		one.Text = one.Result.Text
		if room -= len(one.Text); one.run && room < 0 {
			one.Text = fmt.Sprintf("Not shown: the results of one reply have at most %d characters. Make the call again, by itself.", r.Box.Room())
			one.Result = Result{Limited: true}
		}
		if one.run && one.Result.Limited {
			r.Repeats.Forget(one.Call, r.Tree)
		}
		if r.Repeats.Ran(one.Result.Bad) {
			stuck = true
		}
	}
	return list, stuck, nil
}

// Forget has calls be made again, because the model does not see their results any more.
func (r *Runner) Forget(calls []Call) {
	for _, c := range calls {
		r.Repeats.Forget(c, r.Tree)
	}
}

// judge says what to do with a call: it is run, or it has its result already.
func (r *Runner) judge(c llm.Call, i int, stuck bool) (Ran, bool) {
	one, err := Resolve(c)
	out := Ran{Call: one}
	switch {
	case i >= mostLooks:
		out.Result.Text = fmt.Sprintf("Not run: one reply may hold %d calls. Make it again.", mostLooks)
		return out, stuck
	case err != nil:
		out.Result = Result{Text: display.Upper(err.Error()) + ".", Bad: true}
		if one.Tool == "" {
			out.Call.Tool = c.Name
		}
		return out, stuck
	}
	tree := r.Tree
	if one.Tool == Check {
		tree += r.Written
	}
	switch r.Repeats.See(one, tree) {
	case New:
		out.run = true
	case Same:
		out.Result.Text = "Same as above: you made this call before, and nothing has changed since."
	case Nudge:
		out.Result.Text = "Same as above. You have made this call three times. Look at something else, or answer with what you know."
	case GiveUp:
		out.Result.Text = "Not run: it gives what it gave before."
		stuck = true
	}
	return out, stuck
}

// unfinished is the result of a call of finish that does not end its round. alone says that the reply holds
// no other calls.
func unfinished(c llm.Call, alone bool) Ran {
	out := Ran{Call: Call{Tool: Finish}}
	_, err := ReadVerdict("", []llm.Call{c})
	switch {
	case err != nil:
		out.Result = Result{Text: display.Upper(err.Error()) + ".", Bad: true}
	case alone:
		out.Result.Text = "Nothing was changed in this task, and nothing was said. If nothing has to change, say in a sentence why, and call finish again; else make the edits now."
	default:
		out.Result.Text = "The call of finish was ignored, because this reply also calls other tools. Call finish in the reply that ends your step."
	}
	return out
}

// runAll runs what is to be run, at the same time.
func (r *Runner) runAll(ctx context.Context, list []Ran) error {
	var running sync.WaitGroup
	errs := make([]error, len(list))
	for i := range list {
		if !list[i].run {
			continue
		}
		c := list[i].Call
		r.Tell(c)
		running.Go(func() {
			defer func() {
				if x := recover(); x != nil {
					errs[i] = fmt.Errorf("look with %s: %v", c.Tool, x)
				}
			}()
			list[i].Result, errs[i] = r.Box.Run(ctx, c)
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

// Exchange is a reply with calls as it goes back to the model, and what it is told. inText says that it has written them
// into its text.
func Exchange(r llm.Reply, inText bool, list []Ran) (said, results llm.Message) {
	if !inText {
		texts := make([]string, len(list))
		for i, one := range list {
			texts[i] = one.Text
		}
		return r.Message(), llm.Results(r.Calls, texts)
	}
	var b strings.Builder
	for _, one := range list {
		name := one.Call.String()
		fmt.Fprintf(&b, "RESULT %s%s\n%s\n\n", strings.ToUpper(one.Call.Tool), strings.TrimPrefix(name, one.Call.Tool), one.Text)
	}
	return llm.Text(llm.RoleAssistant, cmp.Or(r.Text, r.Reasoning)), llm.Text(llm.RoleUser, strings.TrimSpace(b.String()))
}
