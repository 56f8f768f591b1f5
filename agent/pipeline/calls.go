package pipeline

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"coauthor/agent"
	"coauthor/agent/event"
)

// calls are the calls to the model of a pipeline, and what they cost.
type calls struct {
	w    *agent.JobContext
	logs *Logs
	used []usage // in the order of the steps
}

// usage is what one step used, in all its calls.
type usage struct {
	step  StepName
	calls int
	sum   event.Usage
}

// ask asks the model and keeps what it cost, and what was said, under the name of a step.
func (c *calls) ask(ctx context.Context, step StepName, log Log, a agent.ModelRequest) (agent.ModelReply, error) {
	called, err := c.cached(ctx, a)
	if called.Text != "" || err == nil {
		c.logs.Talk(log, a.Messages, called.Text)
	}
	if i := slices.IndexFunc(c.used, func(u usage) bool { return u.step == step }); i >= 0 {
		c.used[i].calls++
		c.used[i].sum = c.used[i].sum.Add(called.Usage)
	} else {
		c.used = append(c.used, usage{step, 1, called.Usage})
	}
	return called, err
}

// cached asks the model, or takes the answer that it gave to the same request before, where the user wants that. What it answered
// after it had looked at more than the request holds is not kept.
func (c *calls) cached(ctx context.Context, a agent.ModelRequest) (agent.ModelReply, error) {
	if !c.w.Settings.Pipeline.UseCache || c.w.StateDir == "" {
		return c.w.Call(ctx, a)
	}
	store := cache(filepath.Join(c.w.StateDir, "pipeline", "answers"))
	name, err := key(c.w.Model, a)
	known := false
	if err == nil {
		a.Given, known, err = store.get(name)
	}
	if known {
		c.w.Note(event.LevelInfo, "Reused a stored answer to the same request instead of calling the model.")
	}
	called, callErr := c.w.Call(ctx, a)
	if callErr == nil && !known && !called.Cut && !called.Looked && err == nil {
		err = store.put(name, called.Text)
	}
	if err != nil {
		c.w.Note(event.LevelWarning, fmt.Sprintf("Cannot use the stored answers: %v.", err))
	}
	return called, callErr
}

// spent says what each step used, in the order of the steps.
func (c *calls) spent() []string {
	var steps []string
	for _, u := range c.used {
		about := ""
		if u.sum.Estimated {
			about = "about "
		}
		text := fmt.Sprintf("%s %s%d + %d tokens", u.step, about, u.sum.Prompt, u.sum.Completion)
		if u.calls > 1 {
			text = fmt.Sprintf("%s (%d calls) %s%d + %d tokens", u.step, u.calls, about, u.sum.Prompt, u.sum.Completion)
		}
		if u.sum.Cost > 0 {
			text += fmt.Sprintf(", $%.4f", u.sum.Cost)
		}
		steps = append(steps, text)
	}
	return steps
}
