package agent

// hunkActions are for changes that were applied at once and are looked at afterwards: see the setting preview.mode.
func hunkActions() []Action {
	return []Action{
		{
			ID: "keep", Group: GroupReview, Title: "Keep a change",
			Doc:    "Keeps applied hunks that are under review (`preview.mode: inline`): the given ones, else those in the range, else the document's only one.",
			Args:   hunkArgs(),
			Result: `{status: "kept"|"none", kept, left}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: keep {change}", Kind: kindRewrite, When: WhenReviewHunk},
			},
		},
		{
			ID: "undoHunk", Group: GroupReview, Title: "Undo a change",
			Doc:    "Undoes hunks that are under review: the given ones, else those in the range, else the document's only one.",
			More:   "Text that you typed next to them stays. A hunk whose lines you changed is left as it is. `redoTurn` applies the hunks again.",
			Args:   hunkArgs(),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"none", turnId, left, files: [File]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: undo {change}", Kind: kindRewrite, When: WhenReviewHunkIntact},
			},
		},
		{
			ID: "keepAll", Group: GroupReview, Title: "Keep all changes",
			Doc:    "Keeps all changes under review in the folder, or those of the given files or request.",
			Args:   hunksArgs(),
			Result: `{status: "kept"|"none", kept, left}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: keep all ({reviewing})", Kind: kindRewrite, When: WhenUnderReview},
			},
		},
		{
			ID: "undoAll", Group: GroupReview, Title: "Undo all changes",
			Doc:    "Undoes all changes under review in the folder, or those of the given files or request. Hunks that you kept stay.",
			Args:   hunksArgs(),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"none"|"started", turnId, left, files: [File]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: undo all ({reviewing})", Kind: kindRewrite, When: WhenUnderReview},
			},
		},
		{
			ID: "nextHunk", Group: GroupReview, Title: "Go to the next change",
			Doc:    "Goes to the next hunk under review, in this file or the following ones.",
			Args:   sharedArgs("uri", "range"),
			Result: `{status: "shown"|"none", uri?, range?, left}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: go to the next change", Kind: kindRewrite, When: WhenReviewElsewhere},
			},
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
		argMeaning("proposalId", "The change that the hunks belong to."),
		filesArg("Their file, by its old or its present name."),
		argMeaning("hunks", "Their numbers in the file; 0 is the creation, deletion or renaming of the file."),
	}, sharedArgs("uri", "range")...)
}

func hunksArgs() []Arg {
	return append([]Arg{turnArg("The request. Default: all requests."), filesArg("Only these files.")}, sharedArgs("proposalId", "uri")...)
}
