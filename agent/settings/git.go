package settings

// When the files of a turn are staged, for Git.Stage.
const (
	StageOff    = "off"
	StageBefore = "before"
	StageAfter  = "after"
)

// How commits say who made them, for Git.Attribution.
const (
	AttributionTrailer = "trailer"
	AttributionName    = "name"
	AttributionOff     = "off"
)

func gitRows() []Row {
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
			Name: "git.attribution", Type: Enum, Default: AttributionTrailer, Scope: User, Enum: []string{AttributionTrailer, AttributionName, AttributionOff},
			Doc: "How Coauthor's commits say who made them.",
			EnumDocs: []string{
				"A `Co-authored-by` line in each request's commit names the model. Commits of your own changes add `(coauthor)` to the committer name.",
				"Add `(coauthor)` to the author and committer names instead of the line.",
				"Nothing.",
			},
			field: func(s *Settings) any { return &s.Git.Attribution },
		},
		{
			Name: "git.commitPrompt", Type: String, Default: "", Scope: User,
			Doc:   "Custom instructions for writing commit messages. Default: built-in instructions.",
			field: func(s *Settings) any { return &s.Git.CommitPrompt },
		},
	}
}
