package agent

// gitActions are the commands that look into the repository or write into it.
func gitActions() []Action {
	return []Action{
		{
			ID: "commit", Group: GroupGit, Title: "Commit", Word: "commit", Aider: []string{"commit"},
			Differs: "If anything is staged, only that is committed.",
			Doc:     "Commits what is staged or, if nothing is, all changes of tracked files and the files that requests created; or only the given files.",
			More:    "Files are committed as they are on disk. A terminal shows you the message and the files, and asks first. Without a message, the weak model writes one from the diff. The hooks of the repository run unless `git.hooks` is off.",
			Args: []Arg{
				{Name: "message", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "The commit message."},
				filesArg("Only these files, new ones included. Other staged files stay staged."),
				folderArg(),
			},
			Result: `{status: "committed"|"none", hash?, subject?, files?, notes?} or {status: "started"}`,
		},
		{
			ID: "diff", Group: GroupGit, Title: "Show what changed", Word: "diff", Aider: []string{"diff"},
			Doc: "Shows what changed since before the last request: its commit, if any, and everything uncommitted, new files included.",
			Args: []Arg{
				{Name: "base", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A branch, tag or commit to compare with instead."},
				folderArg(),
			},
			Result: `{base, about, files: string[], text} or {status: "started"}`,
		},
		{
			ID: "review", Group: GroupGit, Title: "Review changes", Word: "review",
			Doc:  "Reviews uncommitted changes or a branch, and reports problems.",
			More: "The problems appear as diagnostics in the files, and in a report. The next review replaces them; `clearReview` removes the diagnostics.",
			Args: []Arg{
				{Name: "base", Bare: true, Type: "string", Doc: "A branch, tag or commit. The review covers the changes of the current branch since they diverged."},
				{Name: "instruction", Also: []string{"text"}, Type: "string", Doc: "What to look for."},
				SharedArg("model"), folderArg(),
			},
			Result: `{turnId, status: "started"|"none"} or {status: "started"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: review uncommitted changes", Kind: kindSource, When: WhenCode},
			},
		},
		{
			ID: "clearReview", Group: GroupGit, Title: "Clear the marks of a review",
			Doc:    "Removes the diagnostics of the last review. Its report and the conversation stay.",
			Args:   []Arg{folderArg()},
			Result: `{status: "discarded"|"none", files: number}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: clear the marks of the review", Kind: kindQuickFix, When: WhenReviewed},
			},
		},
		{
			ID: "undoCommit", Group: GroupGit, Title: "Undo last commit", Word: "undo-commit",
			Doc:    "Undoes the last commit, if Coauthor made it and it was not pushed. If later work would be lost, nothing is done.",
			More:   "The commit of a request is undone with its changes and the files it created. A commit of your own changes leaves the files as they are.",
			Args:   []Arg{folderArg()},
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"pending", hash, subject, files: [File]} or {status: "started"}`,
		},
	}
}
