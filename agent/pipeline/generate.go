package pipeline

import (
	"context"
	"slices"

	"coauthor/agent"
	"coauthor/agent/llm"
)

// exampleFile is the file of the example in our text file_format. Nobody else has one of that name.
const exampleFile = "src/tea_timer.py"

// generate has the model write the files of the project: after the dialogue, where there was one, else after the prompt.
func (f *flow) generate(ctx context.Context) error {
	f.w.Step("Generating the files", 0, 0)
	messages := []llm.Message{system(f.pre.system("generate", "file_format") + f.notes), f.request()}
	if len(f.dialogue) > 0 {
		messages = slices.Concat(messages[:1], f.dialogue, []llm.Message{user(f.pre.filled("generate", "file_format"))})
	}
	return f.files(ctx, StepGenerate, messages)
}

// lite is generate with nothing but the user's prompt and the form of files.
func (f *flow) lite(ctx context.Context) error {
	f.w.Step("Generating the files", 0, 0)
	format := user(f.pre["file_format"])
	format.Parts = append(format.Parts, f.w.Media()...) // servers take no image in a system message
	return f.files(ctx, StepLite, []llm.Message{system(f.spec), format})
}

// files asks for files and takes them over. An answer without any ends the turn as what it is.
func (f *flow) files(ctx context.Context, step StepName, messages []llm.Message) error {
	called, err := f.call(ctx, step, LogGeneration, agent.Asking{Messages: messages, Format: "files", Replaces: true, Examples: []string{exampleFile}})
	f.failed = append(f.failed, called.Failures...)
	if err != nil {
		return err
	}
	if len(called.Edits) == 0 && len(called.Changed) == 0 && len(called.Failures) == 0 {
		f.answered(called.Text, "The answer holds no files, so nothing is proposed. Say more about what to build, or choose another model.")
	}
	if len(called.Changed) == 0 {
		f.over = true // the refusals are told
	}
	return nil
}
