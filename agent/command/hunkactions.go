package command

import "coauthor/agent/command/arg"

// hunkActions are for changes that were applied at once and are looked at afterwards: see the setting preview.mode.
func hunkActions() []Action {
	return []Action{
		{
			ID: "keep", Group: GroupReview, Title: "Keep a change",
			Doc:    "Keeps hunks under review (`preview.mode: inline`): the given hunks, the hunks in the range, or the document's only hunk.",
			Args:   ArgsOf[HunkArgs](),
			Result: `{status: "kept"|"none", kept, left}`,
		},
		{
			ID: "undoHunk", Group: GroupReview, Title: "Undo a change",
			Doc:    "Undoes hunks under review: the given hunks, the hunks in the range, or the document's only hunk.",
			More:   "Text you typed next to the hunks stays. A hunk whose lines you changed also stays. To reapply the hunks, use `redoTurn`.",
			Args:   ArgsOf[HunkArgs](),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"none", turnId, left, files: [File]}`,
		},
		{
			ID: "keepAll", Group: GroupReview, Title: "Keep all changes",
			Doc:    "Keeps all hunks under review in the folder, or only those of the given files or request.",
			Args:   ArgsOf[HunksArgs](),
			Result: `{status: "kept"|"none", kept, left}`,
		},
		{
			ID: "undoAll", Group: GroupReview, Title: "Undo all changes",
			Doc:    "Undoes all hunks under review in the folder, or only those of the given files or request. Hunks you kept stay.",
			Args:   ArgsOf[HunksArgs](),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"none"|"started", turnId, left, files: [File]}`,
		},
		{
			ID: "nextHunk", Group: GroupReview, Title: "Go to the next change",
			Doc:    "Goes to the next hunk under review in this file or a later one.",
			Args:   arg.Pick(ArgsOf[Place](), "uri", "range"),
			Result: `{status: "shown"|"none", uri?, range?, left}`,
		},
		{
			ID: "previousHunk", Group: GroupReview, Title: "Go to the previous change",
			Doc:    "Goes to the previous hunk under review.",
			Args:   arg.Pick(ArgsOf[Place](), "uri", "range"),
			Result: `{status: "shown"|"none", uri?, range?, left}`,
		},
	}
}

// HunkArgs are the fields that choose hunks under review.
type HunkArgs struct {
	ProposalID string    `arg:"proposalId" doc:"The change that contains the hunks."`
	Files      arg.Files `arg:"files" doc:"The file that contains the hunks, by its old or new name."`
	Hunks      []int     `arg:"hunks" doc:"Hunk numbers in the file. 0 stands for creating, deleting or renaming the file."`
	Folder
	_ struct{} `arg:"range"`
}

// HunksArgs are the fields that choose all of them.
type HunksArgs struct {
	TurnID     string    `arg:"turnId" doc:"The request. Default: all requests."`
	Files      arg.Files `arg:"files" doc:"Limit the command to these files."`
	ProposalID string    `arg:"proposalId"`
	Folder
}
