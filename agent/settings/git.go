package settings

func gitRows() []Row {
	whose := []string{"auto", "always", "never"}
	return []Row{
		{
			Name: "git.autoCommit", Type: Bool, Default: false, Scope: User,
			Doc:   "Whether a turn becomes a commit once you have accepted and saved its changes, with a message from the weak model. Nothing goes into it that the turn did not change: other files, other changes of the same file and what you have staged stay as they are. What you save when no server runs any more is committed by the next one that works in the folder.",
			field: func(s *Settings) any { return &s.Git.AutoCommit },
		},
		{
			Name: "git.stage", Type: Bool, Default: false, Scope: User,
			Doc:   "Whether the files of a turn are staged once you have accepted and saved its changes, as `git add` does it, with all that has changed in them. Files that git ignores are not.",
			field: func(s *Settings) any { return &s.Git.Stage },
		},
		{
			Name: "git.dirtyCommits", Type: Bool, Default: false, Scope: User,
			Doc:   "Whether what you had changed in the files of a turn and not committed becomes a commit of its own before that of the turn. Without it, a turn that builds on such changes is not committed.",
			field: func(s *Settings) any { return &s.Git.DirtyCommits },
		},
		{
			Name: "git.hooks", Type: Bool, Default: true, Scope: User,
			Doc:   "Whether the repository's hooks run when Coauthor commits, as they do for `git commit`.",
			field: func(s *Settings) any { return &s.Git.Hooks },
		},
		{
			Name: "git.coAuthoredBy", Type: Bool, Default: true, Scope: User,
			Doc:   "Whether the message of a turn's commit ends with a line that names the model as its co-author.",
			field: func(s *Settings) any { return &s.Git.CoAuthoredBy },
		},
		{
			Name: "git.attributeAuthor", Type: Enum, Default: "auto", Scope: User, Enum: whose,
			Doc:   "Whether the author of a turn's commit is you with `(coauthor)` behind your name. `auto`: only without `git.coAuthoredBy`. Commits that you ask for have you as their author.",
			field: func(s *Settings) any { return &s.Git.AttributeAuthor },
		},
		{
			Name: "git.attributeCommitter", Type: Enum, Default: "auto", Scope: User, Enum: whose,
			Doc:   "Whether the committer is you with `(coauthor)` behind your name. `auto`: in commits that you ask for and in those of your own changes, and in a turn's commit only without `git.coAuthoredBy`.",
			field: func(s *Settings) any { return &s.Git.AttributeCommit },
		},
		{
			Name: "git.prefixMessage", Type: Bool, Default: false, Scope: User,
			Doc:   "Whether the message of a turn's commit begins with `coauthor: `.",
			field: func(s *Settings) any { return &s.Git.PrefixMessage },
		},
		{
			Name: "git.commitPrompt", Type: String, Default: "", Scope: User,
			Doc:   "What the weak model is told about writing the message of a commit, in place of the usual text.",
			field: func(s *Settings) any { return &s.Git.CommitPrompt },
		},
	}
}
