package command

// hunkActions are for changes that were applied at once and are looked at afterwards: see the setting preview.mode.
func hunkActions() []Action {
	return []Action{
		{
			ID: "keep", Group: GroupReview, Title: "Keep a change",
			Doc:    "Keeps hunks under review (`preview.mode: inline`): the given hunks, the hunks in the range, or the document's only hunk.",
			Args:   hunkArgs(),
			Result: `{status: "kept"|"none", kept, left}`,
		},
		{
			ID: "undoHunk", Group: GroupReview, Title: "Undo a change",
			Doc:    "Undoes hunks under review: the given hunks, the hunks in the range, or the document's only hunk.",
			More:   "Text you typed next to the hunks stays. A hunk whose lines you changed also stays. To reapply the hunks, use `redoTurn`.",
			Args:   hunkArgs(),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"none", turnId, left, files: [File]}`,
		},
		{
			ID: "keepAll", Group: GroupReview, Title: "Keep all changes",
			Doc:    "Keeps all hunks under review in the folder, or only those of the given files or request.",
			Args:   hunksArgs(),
			Result: `{status: "kept"|"none", kept, left}`,
		},
		{
			ID: "undoAll", Group: GroupReview, Title: "Undo all changes",
			Doc:    "Undoes all hunks under review in the folder, or only those of the given files or request. Hunks you kept stay.",
			Args:   hunksArgs(),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"none"|"started", turnId, left, files: [File]}`,
		},
		{
			ID: "nextHunk", Group: GroupReview, Title: "Go to the next change",
			Doc:    "Goes to the next hunk under review in this file or a later one.",
			Args:   sharedArgs("uri", "range"),
			Result: `{status: "shown"|"none", uri?, range?, left}`,
		},
		{
			ID: "previousHunk", Group: GroupReview, Title: "Go to the previous change",
			Doc:    "Goes to the previous hunk under review.",
			Args:   sharedArgs("uri", "range"),
			Result: `{status: "shown"|"none", uri?, range?, left}`,
		},
	}
}

// hunkArgs are the fields that choose hunks under review.
func hunkArgs() []Arg {
	return append([]Arg{
		argMeaning("proposalId", "The change that contains the hunks."),
		filesArg("The file that contains the hunks, by its old or new name."),
		argMeaning("hunks", "Hunk numbers in the file. 0 stands for creating, deleting or renaming the file."),
	}, sharedArgs("uri", "range")...)
}

func hunksArgs() []Arg {
	return append([]Arg{turnArg("The request. Default: all requests."), filesArg("Limit the command to these files.")}, sharedArgs("proposalId", "uri")...)
}
