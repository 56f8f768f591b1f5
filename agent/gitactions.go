package agent

// gitActions are the commands that look into the repository or write into it.
func gitActions() []Action {
	return []Action{
		{
			ID: "commit", Title: "Commit", Word: "commit", Aider: []string{"commit"},
			Differs: "What you have staged is committed alone, where there is any.",
			Doc:     "Commits what you have staged, else all changes of tracked files and the files that requests have created, or only the files that are named; as they are on disk. On a terminal you see message and files first and are asked. Without a message the weak model writes one from the diff. The repository's hooks run, unless `git.hooks` is off.",
			Args: []Arg{
				{Name: "message", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "The message, as it is."},
				filesArg("Only these files, also new ones; what is staged otherwise stays staged."),
				folderArg(),
			},
			Result: `{status: "committed"|"none", hash?, subject?, files?, notes?} or {status: "started"}`,
		},
		{
			ID: "diff", Title: "Show what changed", Word: "diff", Aider: []string{"diff"},
			Doc: "Shows what changed since before the last turn: its commit, where it became one, and all that is not committed, new files included. It is opened as a document.",
			Args: []Arg{
				{Name: "base", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A branch, a tag or a commit to compare with instead."},
				folderArg(),
			},
			Result: `{base, about, files: string[], text} or {status: "started"}`,
		},
		{
			ID: "review", Title: "Review changes", Word: "review",
			Doc: "The model reads what is not committed, or what the branch has changed since it parted from another one, and says what is wrong with it. What it finds is shown as diagnostics in the files and as a document; the next review takes its place, and `clearReview` takes the diagnostics away.",
			Args: []Arg{
				{Name: "base", Bare: true, Type: "string", Doc: "A branch, a tag or a commit: the changes since the branch parted from it."},
				{Name: "instruction", Also: []string{"text"}, Type: "string", Doc: "What to look for."},
				modelArg(), folderArg(),
			},
			Result: `{turnId, status: "started"|"none"} or {status: "started"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: review what is not committed", Kind: kindSource, When: WhenCode},
			},
		},
		{
			ID: "clearReview", Title: "Clear the marks of a review",
			Doc:    "Takes back what the last review shows in the files; its document and the conversation stay.",
			Args:   []Arg{folderArg()},
			Result: `{status: "discarded"|"none", files: number}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: clear the marks of the review", Kind: kindQuickFix, When: WhenReviewed},
			},
		},
		{
			ID: "undoCommit", Title: "Undo last commit", Word: "undo-commit", Aider: []string{"undo"},
			Doc:    "Takes back the last commit, if Coauthor made it and it was not pushed. That of a turn goes together with its changes, also of files that it created; one of your own changes leaves the files as they are. What was changed since is never lost: then nothing is done.",
			Args:   []Arg{folderArg()},
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"pending", hash, subject, files: [{uri, op, state, reason?}]} or {status: "started"}`,
		},
	}
}
