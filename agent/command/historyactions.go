package command

import "coauthor/agent/command/arg"

// historyActions are for the conversation as a whole. Each of them is a slash command too, and a command of the
// command line.
func historyActions() []Action {
	return []Action{
		{
			ID: "history", Group: GroupTalk, Title: "Show the conversation", Word: "history",
			Doc:    "Lists the requests in this conversation with their numbers and the states of their changes.",
			More:   "Use a request's number with `rewind`, and its `turnId` with `undoTurn` and `redoTurn`. `file` is the path of the stored conversation.",
			Args:   ArgsOf[Folder](),
			Result: `{text, file?, requests: [{number, turnId, said, at, proposalId?, became?}]}`,
		},
		{
			ID: "rewind", Group: GroupTalk, Title: "Rewind a request and all later ones", Word: "rewind",
			Doc: "Restores the files and the conversation to their state before a request. Undoes or discards the request's changes and all later ones.",
			More: "Coauthor restores all files in one step. Text you typed since then stays, but if you edited the same lines, Coauthor undoes nothing. " +
				"To reapply the changes, use `redoTurn`.",
			Args:   ArgsOf[RewindArgs](),
			Result: `{status: "rewound"|"partial"|"conflict"|"unverified"|"pending"|"started", number, turnId, requests, reason?, files: [File]}`,
		},
		{
			ID: "clear", Group: GroupTalk, Title: "Start a new conversation", Word: "clear", Aider: []string{"clear"},
			Doc:    "Starts a new conversation. The model no longer sees earlier messages. Files in the chat and pending changes stay.",
			More:   "The earlier conversation stays on disk.",
			Args:   ArgsOf[Folder](),
			Result: `{requests}`,
		},
		{
			ID: "reset", Group: GroupTalk, Title: "Start a new conversation without files", Word: "reset", Aider: []string{"reset"},
			Doc:    "Starts a new conversation and removes all files and web pages from the chat.",
			More:   "The chosen coder and models stay. To reset those too, use `switch` with `reset`.",
			Args:   ArgsOf[Folder](),
			Result: `{requests}`,
		},
	}
}

// RewindArgs are the arguments of rewind.
type RewindArgs struct {
	Request arg.Ref `arg:"request" also:"turnId" bare:"yes" doc:"The request's number in the conversation, or its {turnId}. Default: the last request."`
	Folder
}
