package settings

// When the files of a turn are staged, for Git.Stage.
const (
	StageOff    = "off"
	StageBefore = "before"
	StageAfter  = "after"
)

func gitRows() []Row {
	whose := []string{"auto", "always", "never"}
	return []Row{
		{
			Name: "git.autoCommit", Type: Bool, Default: false, Scope: User,
			Doc:   "After you apply and save a request's changes, commit only those changes. The weak model writes the message.",
			field: func(s *Settings) any { return &s.Git.AutoCommit },
		},
		{
			Name: "git.stage", Type: Enum, Default: StageOff, Scope: User, Enum: []string{StageOff, StageBefore, StageAfter},
			Doc: "When to stage a request's files, like `git add`.",
			EnumDocs: []string{
				"Never.",
				"Before you apply its changes. This stages what you have not committed, so that `git diff` shows only the request's changes.",
				"After you apply and save its changes.",
			},
			field: func(s *Settings) any { return &s.Git.Stage },
		},
		{
			Name: "git.dirtyCommits", Type: Bool, Default: false, Scope: User,
			Doc:   "Before committing a request, commit your own changes to its files. If off, Coauthor does not commit a request that builds on them.",
			field: func(s *Settings) any { return &s.Git.DirtyCommits },
		},
		{
			Name: "git.hooks", Type: Bool, Default: true, Scope: User,
			Doc:   "Run the repository's hooks when Coauthor commits.",
			field: func(s *Settings) any { return &s.Git.Hooks },
		},
		{
			Name: "git.coAuthoredBy", Type: Bool, Default: true, Scope: User,
			Doc:   "Add a `Co-authored-by` line that names the model to each request's commit message.",
			field: func(s *Settings) any { return &s.Git.CoAuthoredBy },
		},
		{
			Name: "git.attributeAuthor", Type: Enum, Default: "auto", Scope: User, Enum: whose,
			Doc:   "Add `(coauthor)` to the author name of each request's commit. `auto` adds it only if `git.coAuthoredBy` is off.",
			field: func(s *Settings) any { return &s.Git.AttributeAuthor },
		},
		{
			Name: "git.attributeCommitter", Type: Enum, Default: "auto", Scope: User, Enum: whose,
			Doc:   "Add `(coauthor)` to the committer name. `auto` adds it unless the commit has a `Co-authored-by` line.",
			field: func(s *Settings) any { return &s.Git.AttributeCommit },
		},
		{
			Name: "git.prefixMessage", Type: Bool, Default: false, Scope: User,
			Doc:   "Start each request's commit message with `coauthor: `.",
			field: func(s *Settings) any { return &s.Git.PrefixMessage },
		},
		{
			Name: "git.commitPrompt", Type: String, Default: "", Scope: User,
			Doc:   "Custom instructions for writing commit messages. Default: built-in instructions.",
			field: func(s *Settings) any { return &s.Git.CommitPrompt },
		},
	}
}
