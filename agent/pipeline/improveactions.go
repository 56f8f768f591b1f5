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
	files := argument("files", "", "The files to work on; globs on the command line. Default: those in the chat, else in `"+SelectionFile+"`, else the open documents, else all of a small project.")
	return []agent.Action{
		{
			ID: commandImprove, Word: "improve", Title: "Improve files…",
			Doc:  "Changes existing files as you ask, by a diff with line numbers. Coauthor asks the model again only for the hunks that do not match.",
			Args: []agent.Arg{argument("instruction", "prompt", "What to change."), files, images},
		},
		{
			ID: "selfHeal", Word: "self-heal", Title: "Run the program and fix it",
			Doc: "Runs `" + ScriptFile + "` on a copy of the folder and has the model fix what fails, until it works or nothing helps. Coauthor asks before each run.",
			More: "The question shows what changed since the last run, and whether there is a sandbox. On Linux with namespaces, the sandbox sees only toolchains and build caches of your home folder. " +
				"Your files do not change until you accept a result; you can take any attempt instead of the last.",
			Args: []agent.Arg{argument("instruction", "prompt", "What the program should do. Default: the content of the file `"+PromptFile+"`."),
				{Name: argCommand, Type: "string", Doc: "A shell command to run instead of `" + ScriptFile + "`. Default without that file: the test command in `" + ConfigFile + "`."}, files},
		},
		{
			ID: commandSelect, Word: "select", Title: "Choose the files to improve",
			Doc:  "Writes `" + SelectionFile + "`, the list of files that `improve` works on by default. You see it before it is written.",
			More: "It has one line for each file of the folder. Files selected now stay selected.",
			Args: []agent.Arg{files},
		},
	}
}

// isGlob says whether a name of a file has what globs have.
func isGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }
