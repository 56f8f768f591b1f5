package pipeline

import (
	"strings"

	"coauthor/agent"
)

// argCommand is the argument with what selfHeal runs. commandImprove is the command that changes files, and commandSelect the
// one that writes the selection file.
const (
	argCommand     = "command"
	commandImprove = "improve"
	commandSelect  = "selectFiles"
)

// improveCommands are the rows of what works on files that are there.
func improveCommands(images agent.Arg) []agent.Action {
	files := agent.Arg{Name: "files", Also: []string{"file"}, Type: "string[]",
		Doc: "The files to work on; on the command line also globs, such as `'src/**/*.py'`. Without any: those of the chat, else what `" + SelectionFile + "` selects, else the open documents, else all of a small project."}
	return []agent.Action{
		{
			ID: commandImprove, Word: "improve", Title: "Improve files…",
			Doc:  "Has the model change files by a diff with line numbers, and asks it again for the parts that do not fit, and for no others. The result is one proposal.",
			Args: []agent.Arg{{Name: "instruction", Also: []string{"text", "prompt"}, Bare: true, Type: "string", Doc: "What to change."}, files, images},
		},
		{
			ID: "selfHeal", Word: "self-heal", Title: "Run the program and repair it",
			Doc: "Runs `" + ScriptFile + "` on a copy of the folder, has the model change what makes it fail, and runs it again, until it works, or nothing helps. You are asked before each run, with what has changed since the last one. On a Linux that allows namespaces it runs in a sandbox, which sees of your home folder only toolchains and build caches; the question says whether there is one. Your files stay as they are until you accept a result; each attempt can be taken in its place.",
			Args: []agent.Arg{{Name: "instruction", Also: []string{"text", "prompt"}, Bare: true, Type: "string", Doc: "What the program is meant to do; without it what the file `" + PromptFile + "` of the folder says."},
				{Name: argCommand, Type: "string", Doc: "What to run in place of `" + ScriptFile + "`, for a shell. Without that file it is what `" + ConfigFile + "` says about tests."}, files},
		},
		{
			ID: commandSelect, Word: "select", Title: "Write down which files to improve",
			Doc:  "Proposes to write `" + SelectionFile + "`, the list of files that `improve` works on when none are named: with one line for each file of the folder, in which those that are selected stay so.",
			Args: []agent.Arg{files},
		},
	}
}

// isGlob says whether a name of a file has what globs have.
func isGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }
