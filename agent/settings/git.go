package settings

func gitRows() []Row {
	whose := []string{"auto", "always", "never"}
	return []Row{
		{
			Name: "git.autoCommit", Type: Bool, Default: false, Scope: User,
			Doc:   "Commit the changes of a request, and nothing else, once you have applied and saved them. The weak model writes the message.",
			field: func(s *Settings) any { return &s.Git.AutoCommit },
		},
		{
			Name: "git.stage", Type: Bool, Default: false, Scope: User,
			Doc:   "Stage the files of a request, like `git add`, once you have applied and saved its changes.",
			field: func(s *Settings) any { return &s.Git.Stage },
		},
		{
			Name: "git.dirtyCommits", Type: Bool, Default: false, Scope: User,
			Doc:   "Before a request's commit, commit your own changes in its files. Otherwise, a request that builds on such changes is not committed.",
			field: func(s *Settings) any { return &s.Git.DirtyCommits },
		},
		{
			Name: "git.hooks", Type: Bool, Default: true, Scope: User,
			Doc:   "Run the repository's hooks when Coauthor commits.",
			field: func(s *Settings) any { return &s.Git.Hooks },
		},
		{
			Name: "git.coAuthoredBy", Type: Bool, Default: true, Scope: User,
			Doc:   "End each request's commit message with a `Co-authored-by` line that names the model.",
			field: func(s *Settings) any { return &s.Git.CoAuthoredBy },
		},
		{
			Name: "git.attributeAuthor", Type: Enum, Default: "auto", Scope: User, Enum: whose,
			Doc:   "Add `(coauthor)` to your name as the author of a request's commit. `auto` does so only if `git.coAuthoredBy` is off.",
			field: func(s *Settings) any { return &s.Git.AttributeAuthor },
		},
		{
			Name: "git.attributeCommitter", Type: Enum, Default: "auto", Scope: User, Enum: whose,
			Doc:   "Add `(coauthor)` to your name as the committer. `auto` always does so, except in a request's commit if `git.coAuthoredBy` is on.",
			field: func(s *Settings) any { return &s.Git.AttributeCommit },
		},
		{
			Name: "git.prefixMessage", Type: Bool, Default: false, Scope: User,
			Doc:   "Start each request's commit message with `coauthor: `.",
			field: func(s *Settings) any { return &s.Git.PrefixMessage },
		},
		{
			Name: "git.commitPrompt", Type: String, Default: "", Scope: User,
			Doc:   "Your own instructions for writing commit messages. Default: built-in ones.",
			field: func(s *Settings) any { return &s.Git.CommitPrompt },
		},
	}
}
