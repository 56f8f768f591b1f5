package agent

// hunkActions are for changes that were applied at once and are looked at afterwards: see the setting preview.mode.
func hunkActions() []Action {
	return []Action{
		{
			ID: "keep", Title: "Keep a change",
			Doc:    "Keeps changes that were applied and stand under review (`preview: inline`): those that are named, else those in the range, else the only one of the document. They stay as they are and are looked at no more.",
			Args:   hunkArgs(),
			Result: `{status: "kept"|"none", kept, left}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: keep {change}", Kind: kindRewrite, When: WhenReviewHunk},
			},
		},
		{
			ID: "undoHunk", Title: "Undo a change",
			Doc:    "Takes back changes that stand under review: those that are named, else those in the range, else the only one of the document. What you typed beside them stays; where you have changed their lines since, that one is left as it is and the status is `conflict`. `redoTurn` brings back what was taken back last.",
			Args:   hunkArgs(),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"none", turnId, left, files: [{uri, op, state, reason?}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: undo {change}", Kind: kindRewrite, When: WhenReviewHunkIntact},
			},
		},
		{
			ID: "keepAll", Title: "Keep all changes",
			Doc:    "Keeps all changes of the folder that stand under review, or those of some files or of one request. The review of them is over.",
			Args:   hunksArgs(),
			Result: `{status: "kept"|"none", kept, left}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: keep all ({reviewing})", Kind: kindRewrite, When: WhenUnderReview},
			},
		},
		{
			ID: "undoAll", Title: "Undo all changes",
			Doc:    "Takes back all changes of the folder that stand under review, or those of some files or of one request, as `undoHunk` does. What was kept stays.",
			Args:   hunksArgs(),
			Result: `{status: "undone"|"partial"|"conflict"|"unverified"|"none"|"started", turnId, left, files: [{uri, op, state, reason?}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: undo all ({reviewing})", Kind: kindRewrite, When: WhenUnderReview},
			},
		},
		{
			ID: "nextHunk", Title: "Go to the next change",
			Doc:    "Goes to the next change of the folder that stands under review, behind the place in the document, and in the next file after the last one.",
			Args:   placeOfHunkArgs(),
			Result: `{status: "shown"|"none", uri?, range?, left}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: go to the next change", Kind: kindRewrite, When: WhenReviewElsewhere},
			},
		},
		{
			ID: "previousHunk", Title: "Go to the previous change",
			Doc:    "Goes to the change before, as `nextHunk` goes to the next one.",
			Args:   placeOfHunkArgs(),
			Result: `{status: "shown"|"none", uri?, range?, left}`,
		},
	}
}

func placeOfHunkArgs() []Arg {
	return []Arg{documentArg("The document"), {Name: "range", Type: "range", Doc: "The place in the document."}}
}

// hunkArgs are the fields that choose hunks under review.
func hunkArgs() []Arg {
	return append([]Arg{
		{Name: "proposalId", Type: "string", Doc: "The change whose hunks are meant."},
		filesArg("The file that has them, or where it lies now."),
		{Name: "hunks", Type: "integer[]", Doc: "Their numbers in the file; 0 is the file itself, which was created, deleted or renamed."},
	}, placeOfHunkArgs()...)
}

func hunksArgs() []Arg {
	return []Arg{
		turnArg("The turn whose changes are meant; without it those of all."),
		{Name: "proposalId", Type: "string", Doc: "The change itself."},
		filesArg("Only these files."),
		folderArg(),
	}
}
