package command

import "coauthor/agent/command/arg"

// gitActions are the commands that look into the repository or write into it.
func gitActions() []Action {
	return []Action{
		{
			ID: "commit", Group: GroupGit, Title: "Commit", Word: "commit", Aider: []string{"commit"},
			Differs: "If any changes are staged, commits only those.",
			Doc:     "Commits staged changes. If nothing is staged, commits all changes to tracked files and all files created by requests. With `files`, commits only those files.",
			More:    "The commit does not include unsaved text. On the command line, Coauthor shows the message and files and asks first. Without a message, the weak model writes one from the diff. Repository hooks run unless `git.hooks` is off.",
			Args:    ArgsOf[CommitArgs](),
			Result:  `{status: "committed"|"none", hash?, subject?, files?, notes?} or {status: "started"}`,
		},
		{
			ID: "diff", Group: GroupGit, Title: "Show changes", Word: "diff", Aider: []string{"diff"},
			Doc:    "Shows all changes since the last request started, committed or not, including new files.",
			Args:   ArgsOf[DiffArgs](),
			Result: `{base, about, files: string[], text} or {status: "started"}`,
		},
		{
			ID: "review", Group: GroupGit, Title: "Review changes", Word: "review",
			Doc:    "Reviews uncommitted changes or a branch and reports problems.",
			More:   "Problems appear as diagnostics in the files and in a report. The next review replaces them. `clearReview` removes the diagnostics.",
			Args:   ArgsOf[ReviewArgs](),
			Result: `{turnId, status: "started"|"none"} or {status: "started"}`,
		},
		{
			ID: "clearReview", Group: GroupGit, Title: "Clear review diagnostics",
			Doc:    "Removes the last review's diagnostics. Its report and the conversation stay.",
			Args:   ArgsOf[Folder](),
			Result: `{status: "discarded"|"none", files: number}`,
		},
		{
			ID: "undoCommit", Group: GroupGit, Title: "Undo last commit", Word: "undo-commit",
			Doc:    "Undoes the last commit if Coauthor made it and you have not pushed it. Does nothing if you would lose later work.",
			More:   "For a request's commit, this also undoes the request's changes and removes the files it created. For a commit of your own changes, the files stay unchanged.",
			Args:   ArgsOf[Folder](),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"pending", hash, subject, files: [File]} or {status: "started"}`,
		},
	}
}

// CommitArgs are the arguments of commit.
type CommitArgs struct {
	Message string    `arg:"message" also:"instruction" bare:"yes" doc:"The commit message."`
	Files   arg.Files `arg:"files" doc:"Commit only these files, including new ones. Other staged files stay staged."`
	Folder
}

// DiffArgs are the arguments of diff.
type DiffArgs struct {
	Base string `arg:"base" also:"instruction" bare:"yes" doc:"A branch, tag or commit to compare with instead."`
	Folder
}

// ReviewArgs are the arguments of review.
type ReviewArgs struct {
	Base        string `arg:"base" bare:"yes" doc:"A branch, tag or commit. The review covers all changes since the current branch diverged from it."`
	Instruction string `arg:"instruction" bare:"no" doc:"What to look for."`
	Model       string `arg:"model"`
	Folder
}
