package pipeline

import (
	"context"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
)

// Actions returns the commands of agent and those of the pipelines, which is all that editors and the command line have.
// The result is the caller's own.
func Actions() []command.Action { return ActionsOf(coder.All()) }

// ActionsOf is Actions with the commands of these coders.
func ActionsOf(coders coder.Table) []command.Action {
	return slices.Concat(command.ActionsOf(coders), commands())
}

// Names of arguments that commands share.
const (
	argEntrypoint = "entrypointPrompt"
	argImages     = "images"
)

// SharedArgs returns the fields that several commands of the pipelines take. The result is the caller's own.
func SharedArgs() []command.Arg {
	list := []command.Arg{
		{Name: argEntrypoint, Type: "string", Doc: "Instructions for `" + ScriptFile + "`. Default: install the dependencies of the project and start it."},
		{Name: argImages, Type: "string[]", Doc: "Images of what to build, or folders of images. Requires a model that accepts images."},
	}
	for _, f := range []Flag{FlagClarify, FlagLite, FlagSelfHeal} {
		list = append(list, argOf(f))
	}
	return list
}

func argOf(f Flag) command.Arg { return command.Arg{Name: string(f), Type: "boolean", Doc: f.Doc()} }

// commands are the rows of the pipelines. Their flags come from the table of modes.
func commands() []command.Action {
	prompt := argument("instruction", "prompt", "What to build. Default: the content of the file or folder `"+PromptFile+"`.")
	script, images := SharedArgs()[0], SharedArgs()[1]
	folder := command.SharedArg("uri")
	const started = `{turnId, status: "started"|"busy"|"needsInput"}`
	rows := []command.Action{
		{
			ID: "generate", Word: "generate", Title: "Generate a project…",
			Doc:  "Generates a project in the folder, including `" + ScriptFile + "` to start it. You review every file before it is written.",
			Args: []command.Arg{prompt, images, script},
		},
		{
			ID: "clarify", Word: "clarify", Title: "Clarify, then generate a project…",
			Doc:  "Like `generate`, but the model first asks about anything unclear, one question at a time. You can let the model decide one or all of them.",
			Args: []command.Arg{prompt, images, script},
		},
		{
			ID: "entrypoint", Word: "entrypoint", Title: "Write the script that starts the project",
			Doc: "Writes `" + ScriptFile + "`, the script that installs the project's dependencies and starts it. Replaces an existing script.",
			Args: []command.Arg{{Name: argEntrypoint, Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: script.Doc},
				argument("files", "", "The files that the script is for. Default: the files in the folder.")},
		},
	}
	rows = append(rows, improveCommands(images)...)
	for i := range rows {
		a := &rows[i]
		a.Run = begin(a.ID)
		for _, flag := range FlagsOf(a.ID) {
			a.Args = append(a.Args, argOf(flag))
		}
		a.Args = append(a.Args, command.SharedArg("model"), command.SharedArg("preview"), folder)
	}
	rows = append(rows, command.Action{
		ID: commandRun, Word: "run-script", Title: "Run " + ScriptFile,
		Doc:  "Runs `" + ScriptFile + "` in a copy of the folder and shows its output. You see the script and confirm first. Your files do not change.",
		Args: []command.Arg{folder}, Run: begin(commandRun),
	}, command.Action{
		ID: "preprompts", Word: "preprompts", Title: "Copy the generation prompts into the project",
		Doc:  "Copies the built-in prompts of `generate` into a folder so that you can edit them. To use them, set `pipeline.preprompts`. Existing files stay unchanged.",
		Args: []command.Arg{argument("instruction", "", "`eject`, then the names of the prompts to copy. Default: all prompts."), folder}, Run: runPreprompts,
	})
	for i := range rows {
		rows[i].Group, rows[i].Turns, rows[i].Result = command.GroupProjects, true, started
	}
	return rows
}

// argument is a shared argument with another name that it goes by here, and what it means.
func argument(name, also, doc string) command.Arg {
	a := command.SharedArg(name)
	if a.Doc = doc; also != "" {
		a.Also = append(a.Also, also)
	}
	return a
}

// begin makes the request of a command from what was written behind it.
func begin(name string) command.Run {
	return func(_ context.Context, _ *agent.Session, c command.Call) (command.Answer, error) {
		r, err := Request(name, c)
		if err != nil {
			return command.Answer{}, err
		}
		return command.Answer{Then: &r}, nil
	}
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

// Request makes the request of a command of the table from a call of it.
func Request(command string, c command.Call) (agent.Request, error) {
	o := Options{}
	for _, flag := range FlagsOf(command) {
		if on, _ := c.More[string(flag)].(bool); on {
			o.Flags = append(o.Flags, flag)
		}
	}
	o.Entrypoint, _ = c.More[argEntrypoint].(string)
	o.Images, _ = c.More[argImages].([]string)
	r := agent.Request{Files: c.Files}
	r.Model, _ = c.More["model"].(string)
	r.Preview, _ = c.More["preview"].(string)
	if command == "entrypoint" {
		o.Entrypoint = strings.TrimSpace(strings.Join([]string{o.Entrypoint, c.Text}, "\n"))
	} else {
		r.Instruction = c.Text
	}
	if slices.ContainsFunc(c.Files, isGlob) || command == commandSelect {
		o.Select, r.Files = c.Files, nil
	}
	o.Command, _ = c.More[argCommand].(string)
	var err error
	if r.Job, err = New(command, o); err != nil {
		return r, err
	}
	if r.Instruction == "" {
		r.Label = command
	}
	return r, nil
}
