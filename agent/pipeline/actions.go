package pipeline

import (
	"context"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/command/arg"
)

// Actions returns the commands of agent and those of the pipelines, which is all that editors and the command line have.
// The result is the caller's own.
func Actions() []command.Action { return ActionsOf(coder.All()) }

// ActionsOf is Actions with the commands of these coders.
func ActionsOf(coders coder.Table) []command.Action {
	return slices.Concat(command.ActionsOf(coders), commands())
}

// Args are the arguments of the commands. Each takes some of them.
type Args struct {
	Instruction string    `arg:"instruction" also:"text,prompt" doc:"What to build. Default: the content of the file or folder {prompt}."`
	Command     string    `arg:"command" doc:"A shell command to run instead of {run.sh}. Default if that file is missing: the test command in {gpt-engineer.toml}."`
	Files       arg.Files `arg:"files" doc:"The files to work on; the command line also accepts globs. Default: the files in the chat; if there are none, the files in {.gpteng/file_selection.toml}, the open documents, or all files of a small project."`
	Entrypoint  string    `arg:"entrypointPrompt" doc:"Instructions for {run.sh}. Default: install the dependencies of the project and start it."`
	Images      arg.Files `arg:"images" doc:"Images of what to build, or folders of images. Requires a model that accepts images."`
	Clarify     bool      `arg:"clarify" doc:"Let the model ask questions first."`
	Lite        bool      `arg:"lite" doc:"Send short instructions, for small models."`
	SelfHeal    bool      `arg:"selfHeal" doc:"Run and fix the program until it works."`
	Model       string    `arg:"model"`
	Preview     string    `arg:"preview"`
	command.Folder
}

// args are some of them, in that order.
func args(names ...string) []command.Arg { return arg.Pick(command.ArgsOf[Args](), names...) }

// SharedArgs returns the fields that several commands of the pipelines take. The result is the caller's own.
func SharedArgs() []command.Arg {
	return args("entrypointPrompt", "images", string(FlagClarify), string(FlagLite), string(FlagSelfHeal))
}

// commands are the rows of the pipelines. Their flags come from the table of modes.
func commands() []command.Action {
	const started = `{turnId, status: "started"|"busy"|"needsInput"}`
	rows := []command.Action{
		{
			ID: "generate", Word: "generate", Title: "Generate a project…",
			Doc:  "Generates a project in the folder, including `" + ScriptFile + "` to start it. You review every file before it is written.",
			Args: args("instruction", "images", "entrypointPrompt"),
		},
		{
			ID: "clarify", Word: "clarify", Title: "Clarify, then generate a project…",
			Doc:  "Like `generate`, but the model first asks about anything unclear, one question at a time. You can let the model decide one or all of them.",
			Args: args("instruction", "images", "entrypointPrompt"),
		},
		{
			ID: "entrypoint", Word: "entrypoint", Title: "Write the script that starts the project",
			Doc: "Writes `" + ScriptFile + "`, the script that installs the project's dependencies and starts it. Replaces an existing script.",
			Args: arg.Described(arg.With(args("entrypointPrompt", "files"), "entrypointPrompt", func(a *arg.Arg) { a.Also, a.Bare = []string{"instruction", "text"}, true }),
				"files", "The files that the script is for. Default: the files in the folder."),
		},
	}
	rows = append(rows, improveCommands()...)
	for i := range rows {
		a := &rows[i]
		a.Run = begin(a.ID)
		for _, flag := range FlagsOf(a.ID) {
			a.Args = append(a.Args, args(string(flag))...)
		}
		a.Args = append(a.Args, args("model", "preview", "uri")...)
	}
	rows = append(rows, command.Action{
		ID: commandRun, Word: "run-script", Title: "Run " + ScriptFile,
		Doc:  "Runs `" + ScriptFile + "` in a copy of the folder and shows its output. You see the script and confirm first. Your files do not change.",
		More: "`coauthor run-script --interactive` lets the script read from the terminal. With it or with `--keep`, the text files that the script wrote become a change that you can apply.",
		Args: args("uri"), Run: begin(commandRun),
	}, command.Action{
		ID: "preprompts", Word: "preprompts", Title: "Copy the generation prompts into the project",
		Doc:  "Copies the built-in prompts of `generate` into a folder so that you can edit them. To use them, set `pipeline.preprompts`. Existing files stay unchanged.",
		Args: command.ArgsOf[prepromptsArgs](), Run: command.With(runPreprompts),
	})
	for i := range rows {
		rows[i].Group, rows[i].Turns, rows[i].Result = command.GroupProjects, true, started
	}
	return rows
}

// begin makes the request of a command from its arguments.
func begin(name string) command.Run {
	return command.With(func(_ context.Context, _ *agent.Session, _ command.Call, a Args) (command.Answer, error) {
		r, err := Request(name, a)
		if err != nil {
			return command.Answer{}, err
		}
		return command.Answer{Then: &r}, nil
	})
}

// Lacks says whether a command still has to be told what to do: the user said nothing, and no file of the folder says what to
// build.
func Lacks(command string, s *agent.Session, r agent.Request) bool {
	if r.Job == nil || r.Instruction != "" {
		return false
	}
	for _, m := range Modes() {
		switch {
		case m.Command != command:
		case m.Steps != nil && m.Steps[0] == StepImprove: // a prompt for building it does not say what to change
			return true
		case m.prompted():
			return !HasPrompt(s.Workspace)
		}
	}
	return false
}

// Named returns the row of a command of the pipelines in a table, by its name alone.
func Named(table []command.Action, name string) (command.Action, bool) {
	if name == "" || !slices.ContainsFunc(Modes(), func(m Mode) bool { return m.Command == name }) {
		return command.Action{}, false
	}
	return command.ActionOf(table, command.CommandPrefix+name)
}

// Switch returns where a flag stands in the arguments.
func (a *Args) Switch(f Flag) *bool {
	switch f {
	case FlagClarify:
		return &a.Clarify
	case FlagLite:
		return &a.Lite
	case FlagSelfHeal:
		return &a.SelfHeal
	}
	panic("a flag that is new: " + string(f))
}

// Request makes the request of a command of the table from its arguments.
func Request(command string, a Args) (agent.Request, error) {
	o := Options{Entrypoint: a.Entrypoint, Images: a.Images, Command: a.Command}
	for _, flag := range FlagsOf(command) {
		if *a.Switch(flag) {
			o.Flags = append(o.Flags, flag)
		}
	}
	r := agent.Request{Files: a.Files, Model: a.Model, Preview: a.Preview}
	if command == "entrypoint" {
		o.Entrypoint = strings.TrimSpace(strings.Join([]string{o.Entrypoint, a.Instruction}, "\n"))
	} else {
		r.Instruction = a.Instruction
	}
	if slices.ContainsFunc(a.Files, isGlob) || command == commandSelect {
		o.Select, r.Files = a.Files, nil
	}
	var err error
	if r.Job, err = New(command, o); err != nil {
		return r, err
	}
	if r.Instruction == "" {
		r.Label = command
	}
	return r, nil
}
