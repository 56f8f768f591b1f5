package pipeline

import (
	"context"
	"slices"

	"coauthor/agent"
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
)

// exampleFile is the file of the example in our text file_format. Nobody else has one of that name.
const exampleFile = "src/tea_timer.py"

// generate has the model write the files of the project: after the dialogue, where there was one, else after the prompt.
func (f *flow) generate(ctx context.Context) error {
	f.w.Step("Generating the files", 0, 0)
	messages := []llm.Message{system(f.pre.system("generate", "file_format")), f.brief.message()}
	if len(f.dialogue) > 0 {
		messages = slices.Concat(messages[:1], f.dialogue, []llm.Message{user(f.pre.filled("generate", "file_format"))})
	}
	return f.ask(ctx, StepGenerate, messages)
}

// lite is generate with nothing but the user's prompt and the form of files.
func (f *flow) lite(ctx context.Context) error {
	f.w.Step("Generating the files", 0, 0)
	format := user(f.pre["file_format"])
	format.Parts = append(format.Parts, f.w.Media()...) // servers take no image in a system message
	return f.ask(ctx, StepLite, []llm.Message{system(f.brief.spec), format})
}

// filesFormat is the edit format in which a project is made.
const filesFormat = "files"

// ask asks for files and takes them over, and asks once more for those that were refused, such as one outside of the
// project. An answer without any ends the turn as what it is.
func (f *flow) ask(ctx context.Context, step StepName, messages []llm.Message) error {
	asking := agent.ModelRequest{Messages: messages, Format: filesFormat, Replaces: true, Examples: []string{exampleFile}}
	called, err := f.calls.ask(ctx, step, LogGeneration, asking)
	if err == nil && !called.Cut && slices.ContainsFunc(called.Failures, prompt.Askable) {
		called, err = f.askAgain(ctx, step, asking, called)
	}
	f.failed = append(f.failed, called.Failures...)
	if err != nil {
		return err
	}
	if len(called.Edits) == 0 && len(called.Changed) == 0 && len(called.Failures) == 0 {
		f.answered(called.Text, "The answer contains no files. Describe the project in more detail, or choose another model.")
	}
	if len(called.Changed) == 0 {
		f.over = true // the refusals are told
	}
	return nil
}

// askAgain asks for the files that were refused. The outcome is that of both answers.
func (f *flow) askAgain(ctx context.Context, step StepName, asking agent.ModelRequest, first agent.ModelReply) (agent.ModelReply, error) {
	news, why, err := f.news(first, nil, first.Failures)
	if err != nil {
		return first, err
	}
	f.w.Step("Asking again: "+why, 0, 0)
	asking.Messages = slices.Concat(asking.Messages, []llm.Message{assistant(first.Text), user(news)})
	called, err := f.calls.ask(ctx, step, LogGeneration, asking)
	called.Failures = outstanding(first.Failures, called)
	called.Edits = slices.Concat(first.Edits, called.Edits)
	called.Changed = slices.Concat(first.Changed, called.Changed)
	return called, err
}
