package pipeline

import (
	"context"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
)

// Actions returns the commands of agent and those of the pipelines, which is all that editors and the command line have.
// The result is the caller's own.
func Actions() []agent.Action { return ActionsOf(coder.All()) }

// ActionsOf is Actions with the commands of these coders.
func ActionsOf(coders coder.Table) []agent.Action {
	return slices.Concat(agent.ActionsOf(coders), commands())
}

// Names of arguments that commands share.
const (
	argEntrypoint = "entrypointPrompt"
	argImages     = "images"
)

// commands are the rows of the pipelines. Their flags come from the table of modes.
func commands() []agent.Action {
	prompt := agent.Arg{Name: "instruction", Also: []string{"text", "prompt"}, Bare: true, Type: "string",
		Doc: "What to build; without it what the file `" + PromptFile + "` of the folder says."}
	script := agent.Arg{Name: argEntrypoint, Type: "string", Doc: "What the script `" + ScriptFile + "` is to do, in place of the usual."}
	images := agent.Arg{Name: argImages, Type: "string[]", Doc: "Images that show what to build, or folders of them, for a model that sees."}
	folder := agent.Arg{Name: "uri", Also: []string{"textDocument"}, Type: "string", Doc: "A document of the folder in question; without it the one that was focused last."}
	const started = `{turnId, status: "started"|"busy"|"needsInput"}`
	rows := []agent.Action{
		{
			ID: "generate", Word: "generate", Title: "Generate a project…",
			Doc:  "Has the model write a whole project into the folder, and then `" + ScriptFile + "`, the script that starts it. All of it is one proposal: nothing is written that you have not seen.",
			Args: []agent.Arg{prompt, images, script},
		},
		{
			ID: "clarify", Word: "clarify", Title: "Clarify, then generate a project…",
			Doc:  "Does the same after the model has asked what is unclear, one question at a time. Answer it, or let the model choose that one or everything.",
			Args: []agent.Arg{prompt, images, script},
		},
		{
			ID: "entrypoint", Word: "entrypoint", Title: "Write the script that starts the project",
			Doc: "Has the model write `" + ScriptFile + "`, the script that installs what the project needs and starts it. It replaces one that is there.",
			Args: []agent.Arg{{Name: argEntrypoint, Also: []string{"instruction", "text"}, Bare: true, Type: "string", Doc: "What the script is to do, in place of the usual."},
				{Name: "files", Also: []string{"file"}, Type: "string[]", Doc: "The files to write it for; without any, those of the folder."}},
		},
	}
	rows = append(rows, improveCommands(images)...)
	for i := range rows {
		a := &rows[i]
		a.Turns, a.Run = true, begin(a.ID)
		for _, flag := range FlagsOf(a.ID) {
			a.Args = append(a.Args, agent.Arg{Name: string(flag), Type: "boolean", Doc: flag.Doc()})
		}
		a.Args = append(a.Args,
			agent.Arg{Name: "model", Type: "string", Doc: "The model of this turn."},
			agent.Arg{Name: "preview", Type: "string", Setting: "preview.mode", Doc: "How to show the result of this turn."},
			folder)
		a.Result = started
	}
	return append(rows, agent.Action{
		ID: commandRun, Word: "run-script", Title: "Run " + ScriptFile,
		Doc:    "Runs `" + ScriptFile + "` in a copy of the folder, when you have seen it and agreed, and shows what it printed. Your files stay as they are.",
		Args:   []agent.Arg{folder},
		Result: started, Turns: true, Run: begin(commandRun),
	}, agent.Action{
		ID: "preprompts", Word: "preprompts", Title: "Write the texts that steer generate into the folder",
		Doc:    "Proposes to write the built-in texts that steer `generate` and its steps into a folder, to change them there; the setting `pipeline.preprompts` has them used. Write `eject` behind it, and names of texts for only these. Files that are there stay as they are.",
		Args:   []agent.Arg{{Name: "instruction", Also: []string{"text"}, Bare: true, Type: "string", Doc: "`eject`, and names of texts; without any all."}, folder},
		Result: started, Turns: true, Run: runPreprompts,
	})
}

// begin makes the request of a command from what was written behind it.
func begin(command string) agent.Run {
	return func(_ context.Context, _ *agent.Session, c agent.Call) (agent.Answer, error) {
		r, err := Request(command, c)
		if err != nil {
			return agent.Answer{}, err
		}
		return agent.Answer{Then: &r}, nil
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
			return !s.Has(PromptFile)
		}
	}
	return false
}

// Named returns the row of a command of the pipelines in a table, by its name alone.
func Named(table []agent.Action, name string) (agent.Action, bool) {
	if name == "" || !slices.ContainsFunc(Modes(), func(m Mode) bool { return m.Command == name }) {
		return agent.Action{}, false
	}
	return agent.ActionOf(table, agent.CommandPrefix+name)
}

// Request makes the request of a command of the table from a call of it.
func Request(command string, c agent.Call) (agent.Request, error) {
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
