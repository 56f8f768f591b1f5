package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/edits"
)

// Step is what one step of a pipeline does. What it puts into the memory of its work becomes part of the one change that
// the user reviews; an error ends the run.
type Step func(ctx context.Context, w *Work) error

// Steps stand in the place of the built-in ones, each under its name.
type Steps map[StepName]Step

// Work is what a Step works with. It is for the goroutine of the step alone.
type Work struct {
	f    *flow
	step StepName
}

// step runs a step: the one of the options, else the built-in one.
func (f *flow) step(ctx context.Context, name StepName) error {
	if own := f.o.Steps[name]; own != nil {
		return own(ctx, &Work{f, name})
	}
	return f.builtIn(ctx, name)
}

// BuiltIn runs the built-in step in whose place this one stands.
func (w *Work) BuiltIn(ctx context.Context) error { return w.f.builtIn(ctx, w.step) }

// Prompt is what the user wants, in their words.
func (w *Work) Prompt() string { return w.f.brief.meant() }

// Memory holds the files as they are with the changes so far.
func (w *Work) Memory() Memory { return workMemory{w.f} }

// Ask asks the model and returns its answer. Tokens, price and log are those of the step.
func (w *Work) Ask(ctx context.Context, messages ...llm.Message) (string, error) {
	called, err := w.f.calls.ask(ctx, w.step, w.step.log(), agent.ModelRequest{Messages: messages, Quiet: true})
	return called.Text, err
}

// Run runs a script in a copy of the files as they are by now, if the user agrees; yes is false where they do not.
func (w *Work) Run(ctx context.Context, script string) (ran Ran, yes bool, err error) {
	r, err := w.f.newRunning(ctx)
	if err != nil {
		return Ran{}, false, err
	}
	defer r.close()
	return r.run(ctx, script)
}

// Note tells the user something.
func (w *Work) Note(text string) { w.f.w.Note(event.LevelInfo, text) }

// Answer is what the run says at its end, in the place of what the model said last.
func (w *Work) Answer(text string) { w.f.w.Answer = text }

// log is the log of what a step says to a model.
func (s StepName) log() Log {
	switch s {
	case StepImprove, StepHeal:
		return LogImprove
	case StepEntrypoint:
		return LogEntrypoint
	case StepClarify, StepGenerate, StepLite:
		return LogGeneration
	case StepRun, StepSelect:
	}
	return LogDebug
}

// workMemory are the files of a run with its changes so far.
type workMemory struct{ f *flow }

// Get implements Memory.
func (m workMemory) Get(_ context.Context, path string) (string, error) {
	return m.f.w.Now().Read(path)
}

// Set implements Memory.
func (m workMemory) Set(ctx context.Context, path, text string) error {
	return lay(ctx, m.f.w, path, text)
}

// Delete implements Memory.
func (m workMemory) Delete(_ context.Context, path string) error {
	before, err := m.f.w.Now().Read(path)
	if err == nil {
		m.f.w.Lay([]edits.Change{{Path: path, Op: edits.OpDelete, Before: before}})
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// List implements Memory.
func (m workMemory) List(ctx context.Context) ([]string, error) {
	list, err := m.f.w.Listing(ctx)
	if err != nil {
		return nil, err
	}
	list = append(slices.Clone(list), pathsOf(m.f.w.Changes())...)
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(path string) bool {
		return strings.TrimSpace(path) == "" || !m.f.w.Now().Exists(path)
	}), nil
}
