package pipeline

import (
	"strings"

	"coauthor/agent/command"
	"coauthor/agent/command/arg"
)

// commandImprove is the command that changes files, and commandSelect the
// one that writes the selection file.
const (
	commandImprove = "improve"
	commandSelect  = "selectFiles"
)

// improveCommands are the rows of what works on files that are there.
func improveCommands() []command.Action {
	return []command.Action{
		{
			ID: commandImprove, Word: "improve", Title: "Improve files…",
			Doc:  "Changes existing files as you ask. The model answers with a diff, and Coauthor retries only hunks that do not match.",
			More: "On a terminal, `coauthor improve` without file names shows the files as a tree. You select files by number, name or glob, and Coauthor saves the selection in `" + SelectionFile + "` for the next time.",
			Args: arg.Described(args("instruction", "files", "images"), "instruction", "What to change."),
		},
		{
			ID: "selfHeal", Word: "self-heal", Title: "Run the program and fix it",
			Doc: "Runs `" + ScriptFile + "` in a copy of the folder and lets the model fix errors until the program works or a limit is reached. Coauthor asks before each run.",
			More: "The question shows the changes since the last run, and whether a sandbox is available. On Linux with namespaces, the sandbox gives access only to toolchains and build caches in your home folder. " +
				"Your files do not change until you accept a result. You can accept any attempt, not only the last one.",
			Args: arg.Described(args("instruction", "command", "files"), "instruction", "What the program should do. Default: the content of the file `"+PromptFile+"`."),
		},
		{
			ID: commandSelect, Word: "select", Title: "Choose the files to improve",
			Doc:  "Writes `" + SelectionFile + "`, the list of files that `improve` works on by default. You review the file before it is written.",
			More: "The file has one line for each file in the folder. Selected files stay selected.",
			Args: args("files"),
		},
	}
}

// isGlob says whether a name of a file has what globs have.
func isGlob(name string) bool { return strings.ContainsAny(name, "*?[{") }
