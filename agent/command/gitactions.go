package command

// gitActions are the commands that look into the repository or write into it.
func gitActions() []Action {
	return []Action{
		{
			ID: "commit", Group: GroupGit, Title: "Commit", Word: "commit", Aider: []string{"commit"},
			Differs: "If any changes are staged, commits only those.",
			Doc:     "Commits staged changes. If nothing is staged, commits all changes to tracked files and all files created by requests. With `files`, commits only those files.",
			More:    "The commit does not include unsaved text. On the command line, Coauthor shows the message and files and asks first. Without a message, the weak model writes one from the diff. Repository hooks run unless `git.hooks` is off.",
			Args: []Arg{
				{Name: "message", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "The commit message."},
				filesArg("Commit only these files, including new ones. Other staged files stay staged."),
				folderArg(),
			},
			Result: `{status: "committed"|"none", hash?, subject?, files?, notes?} or {status: "started"}`,
		},
		{
			ID: "diff", Group: GroupGit, Title: "Show changes", Word: "diff", Aider: []string{"diff"},
			Doc: "Shows all changes since the last request started, committed or not, including new files.",
			Args: []Arg{
				{Name: "base", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A branch, tag or commit to compare with instead."},
				folderArg(),
			},
			Result: `{base, about, files: string[], text} or {status: "started"}`,
		},
		{
			ID: "review", Group: GroupGit, Title: "Review changes", Word: "review",
			Doc:  "Reviews uncommitted changes or a branch and reports problems.",
			More: "Problems appear as diagnostics in the files and in a report. The next review replaces them. `clearReview` removes the diagnostics.",
			Args: []Arg{
				{Name: "base", Bare: true, Type: "string", Doc: "A branch, tag or commit. The review covers all changes since the current branch diverged from it."},
				{Name: "instruction", Also: []string{"text"}, Type: "string", Doc: "What to look for."},
				SharedArg("model"), folderArg(),
			},
			Result: `{turnId, status: "started"|"none"} or {status: "started"}`,
		},
		{
			ID: "clearReview", Group: GroupGit, Title: "Clear review diagnostics",
			Doc:    "Removes the last review's diagnostics. Its report and the conversation stay.",
			Args:   []Arg{folderArg()},
			Result: `{status: "discarded"|"none", files: number}`,
		},
		{
			ID: "undoCommit", Group: GroupGit, Title: "Undo last commit", Word: "undo-commit",
			Doc:    "Undoes the last commit if Coauthor made it and you have not pushed it. Does nothing if you would lose later work.",
			More:   "For a request's commit, this also undoes the request's changes and removes the files it created. For a commit of your own changes, the files stay unchanged.",
			Args:   []Arg{folderArg()},
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"pending", hash, subject, files: [File]} or {status: "started"}`,
		},
	}
}
