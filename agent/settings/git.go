package settings

// What git does with the changes of a turn, for Git.Mode.
const (
	GitOff        = "off"
	GitStageYours = "stageYours" // what the user had changed is staged before they are applied
	GitStage      = "stage"      // they are staged once they are accepted and saved
	GitCommit     = "commit"     // they become a commit then
	GitCommitAll  = "commitAll"  // what the user had changed in their files becomes one before
)

// Commits says whether an accepted and saved turn becomes a commit.
func (g Git) Commits() bool { return g.Mode == GitCommit || g.Mode == GitCommitAll }

// How commits say who made them, for Git.Attribution.
const (
	AttributionTrailer = "trailer"
	AttributionName    = "name"
	AttributionOff     = "off"
)

func gitRows() []Row {
	return []Row{
		{
			Name: "git.mode", Type: Enum, Default: GitOff, Scope: User, Enum: []string{GitOff, GitStageYours, GitStage, GitCommit, GitCommitAll},
			Doc: "What to do in git with each request's changes.",
			EnumDocs: []string{
				"Nothing.",
				"Before you apply them, stage what you have not committed in these files, so that `git diff` shows only the request's changes.",
				"After you apply and save them, stage the files, like `git add`.",
				"After you apply and save them, commit only these changes. The weak model writes the message. Coauthor does not commit changes that build on your uncommitted ones.",
				"As `commit`, but first commit your own changes to these files.",
			},
			field: func(s *Settings) any { return &s.Git.Mode },
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
