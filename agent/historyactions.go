package agent

// historyActions are for the conversation as a whole. Each of them is a slash command too, and a command of the
// command line.
func historyActions() []Action {
	return []Action{
		{
			ID: "history", Title: "Show the conversation", Word: "history",
			Doc:    "Shows the requests of this conversation with their numbers, for `rewind`, and their turns, for `undoTurn` and `redoTurn`, with what became of their changes, and where it is kept.",
			Args:   []Arg{folderArg()},
			Result: `{text, file?, requests: [{number, turnId, said, at, proposalId?, became?}]}`,
		},
		{
			ID: "rewind", Title: "Go back to before a request", Word: "rewind",
			Doc: "Takes the files and the conversation back to before a request: what it and all later ones changed is undone as one change, in all files, their pending changes are discarded, and the model no longer sees what was said. " +
				"What you typed since stays; where it touches the same lines, nothing is changed and the status is `conflict`. `redoTurn` brings the files back.",
			Args: []Arg{
				{Name: "request", Also: []string{"turnId"}, Bare: true, Type: "string", Doc: "The number of the request in the conversation, or its turn; without it the last one."},
				folderArg(),
			},
			Result: `{status: "rewound"|"partial"|"conflict"|"unverified"|"pending"|"started", number, turnId, requests, reason?, files: [{uri, op, state, reason?}]}`,
		},
		{
			ID: "clear", Title: "Forget the conversation", Word: "clear", Aider: []string{"clear"},
			Doc:    "Begins a new conversation: the model no longer sees what was said. The files of the chat and pending changes stay, and so does what is kept on disk.",
			Args:   []Arg{folderArg()},
			Result: `{requests}`,
		},
		{
			ID: "reset", Title: "Forget the conversation and its files", Word: "reset", Aider: []string{"reset"},
			Doc:    "The same as `clear`, and takes all files and pages out of the chat. Coder and model stay as you chose them; `switch` with `reset` takes those back.",
			Args:   []Arg{folderArg()},
			Result: `{requests}`,
		},
	}
}
