package agent

// historyActions are for the conversation as a whole. Each of them is a slash command too, and a command of the
// command line.
func historyActions() []Action {
	return []Action{
		{
			ID: "history", Group: GroupTalk, Title: "Show the conversation", Word: "history",
			Doc:    "Lists the requests of this conversation with their numbers and the state of their changes.",
			More:   "`rewind` takes the number of a request, `undoTurn` and `redoTurn` its `turnId`. `file` is where the conversation is stored.",
			Args:   []Arg{folderArg()},
			Result: `{text, file?, requests: [{number, turnId, said, at, proposalId?, became?}]}`,
		},
		{
			ID: "rewind", Group: GroupTalk, Title: "Rewind a request and all later ones", Word: "rewind",
			Doc: "Restores the files and the conversation to their state before a request. Its changes and all later ones are undone or discarded.",
			More: "All files are undone as one change. Text that you typed since then stays; if you changed the same lines, nothing is undone. " +
				"`redoTurn` brings the files back.",
			Args: []Arg{
				{Name: "request", Also: []string{"turnId"}, Bare: true, Type: "string", Doc: "The request's number in the conversation, or its `turnId`. Default: the last request."},
				folderArg(),
			},
			Result: `{status: "rewound"|"partial"|"conflict"|"unverified"|"pending"|"started", number, turnId, requests, reason?, files: [File]}`,
		},
		{
			ID: "clear", Group: GroupTalk, Title: "Start a new conversation", Word: "clear", Aider: []string{"clear"},
			Doc:    "Starts a new conversation: the model no longer sees earlier messages. The files in the chat and pending changes stay.",
			More:   "The earlier conversation stays on disk.",
			Args:   []Arg{folderArg()},
			Result: `{requests}`,
		},
		{
			ID: "reset", Group: GroupTalk, Title: "Start a new conversation without files", Word: "reset", Aider: []string{"reset"},
			Doc:    "Starts a new conversation, and takes all files and web pages out of the chat.",
			More:   "The coder and model you chose stay; `switch` with `reset` resets those.",
			Args:   []Arg{folderArg()},
			Result: `{requests}`,
		},
	}
}
