package command

import (
	"cmp"
	"slices"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/command/arg"
)

// CommandPrefix stands before an action's id in the name of its command.
const CommandPrefix = "coauthor."

// Action is one row of the table of commands. The table is data only: the protocol's capabilities, the documents and the
// editors' menus are made from it. Where a command is offered in a document is for package lsp to say.
type Action struct {
	ID    string // "edit" is the command coauthor.edit
	Group Group
	Title string
	// Doc says what it does in at most two lines; its first sentence stands alone where a list has a line for each command.
	// More is what only a page of documentation and the help of the one command say.
	Doc, More string
	Args      []Arg
	Result    string // shape of the result; see Shapes and Statuses
	// Word is its command on the command line, and behind a slash in a prompt document; "" has none there.
	Word string
	// Slash is its word behind a slash in a prompt document, for a command that the command line has in another form; ""
	// is Word.
	Slash string
	// Alone is a coder's word that means this command when nothing stands behind it.
	Alone string
	// Was are the ids that it had, by which clients may still call it.
	Was []string
	// Aider names the commands of aider that it takes the place of, without their slash; Differs says what is other
	// than there, in whole sentences.
	Aider   []string
	Differs string
	// Run does its work, where that needs nothing of an editor; nil where package lsp has a function for it.
	Run Run
	// Chooses says that all it does is to change what the session uses, so that loadChat may run it.
	Chooses bool
	// Runs says that it runs a program of the user's choice, after a question.
	Runs bool
	// Turns says that a turn may follow from it, so that the command line takes its flags.
	Turns bool
	// Preset is what it asks for without words of the user's; nil for every other command.
	Preset *Preset
}

// Command returns the name of the action's command.
func (a Action) Command() string { return CommandPrefix + a.ID }

// Commands returns every name by which clients may call the command, its own first.
func (a Action) Commands() []string {
	names := []string{a.Command()}
	for _, id := range a.Was {
		names = append(names, CommandPrefix+id)
	}
	return names
}

// CoderOf returns the coder whose word the command is; false for none.
func (a Action) CoderOf(coders coder.Table) (coder.Coder, bool) {
	list := coders.Offered()
	i := slices.IndexFunc(list, func(c coder.Coder) bool { return c.Name == a.ID || slices.Contains(a.Was, c.Name) })
	if i < 0 {
		return coder.Coder{}, false
	}
	return list[i], true
}

// Summary returns the first sentence of what it does.
func (a Action) Summary() string {
	first, _, _ := strings.Cut(a.Doc, ". ")
	return strings.TrimSuffix(first, ".") + "."
}

// SlashWord returns the word that stands for the action behind a slash; "" for none.
func (a Action) SlashWord() string { return cmp.Or(a.Slash, a.Word) }

// ActionOf returns the row of a command in a table, by its name on the wire.
func ActionOf(table []Action, command string) (Action, bool) {
	i := slices.IndexFunc(table, func(a Action) bool { return slices.Contains(a.Commands(), command) })
	if i < 0 {
		return Action{}, false
	}
	return table[i], true
}

// What can be done about a conflict: the values of the field take of the command resolve.
const (
	TakeMine    = "mine"
	TakeTheirs  = "theirs"
	TakeBoth    = "both"
	TakeAgain   = "again"
	TakeMarkers = "markers"
)

// Actions returns THE table of commands. The result is the caller's own.
func Actions() []Action { return ActionsOf(coder.All()) }

// ActionsOf is Actions with the commands of these coders.
func ActionsOf(coders coder.Table) []Action {
	return slices.Concat(firstActions(), hunkActions(), promptActions(coders), commentActions(), presetActions(coders), coderActions(coders), lastActions(coders), historyActions(), gitActions(), sessionActions(coders))
}

// firstActions are for what waits for the user, and the change of what they look at.
func firstActions() []Action {
	const outcome = `{status: "applied"|"partial"|"conflict"|"unverified"|"started", turnId, proposalId, newestOf?, files: [File]}`
	return []Action{
		{
			ID: "answer", Group: GroupTalk, Title: "Answer a question",
			Doc:    "Answers an open question.",
			Args:   ArgsOf[AnswerArgs](),
			Result: `{status: "answered"|"none"}`,
		},
		{
			ID: "cancel", Group: GroupTalk, Title: "Stop",
			Doc:    "Stops one or all running requests and closes the connection to the model.",
			Args:   ArgsOf[CancelArgs](),
			Result: `{cancelled: string[]}`,
		},
		{
			ID: "apply", Group: GroupReview, Title: "Apply pending change",
			Doc:    "Applies the pending change, or the given files or hunks of it, exactly as last shown.",
			Args:   ArgsOf[Selector](),
			Result: outcome,
		},
		{
			ID: "resolve", Group: GroupReview, Title: "Resolve a conflict",
			Doc: "Resolves a conflict between a pending change and your own edits to the same lines.",
			More: "`both` opens both versions, `mine` keeps your lines and applies the rest, and `theirs` uses the model's lines. " +
				"`again` asks the model to redo the change based on your text. `markers` writes both versions into the file between conflict markers.",
			Args:   ArgsOf[ResolveArgs](),
			Result: `{status: "applied"|"partial"|"conflict"|"unverified"|"discarded"|"pending"|"started"|"busy"|"none", turnId, proposalId, uri?, files: [File]}`,
		},
		{
			ID: "showPending", Group: GroupReview, Title: "Show pending change",
			Doc:    "Shows the pending change again in a view that the editor supports.",
			Args:   ArgsOf[ShowPendingArgs](),
			Result: `{turnId, proposalId, revision, uri?, files: [{uri, op, added, removed, hunks}]}`,
		},
		{
			ID: "discard", Group: GroupReview, Title: "Discard pending change",
			Doc:    "Discards the pending change, or the given files or hunks of it.",
			Args:   ArgsOf[Selector](),
			Result: `{status: "discarded"|"pending", turnId, proposalId}`,
		},
		{
			ID: "takeAttempt", Group: GroupReview, Title: "Use another attempt", Slash: "attempt",
			Doc:    "Switches the pending change to another attempt and shows it. The diff lists the attempts and their results. Nothing is applied.",
			Args:   ArgsOf[TakeAttemptArgs](),
			Result: `{status: "pending"|"none"|"started", turnId, proposalId, revision, attempt, attempts: [{label, files, added, removed}]}`,
		},
		{
			ID: "fix", Group: GroupChange, Title: "Fix problems",
			Doc:    "Fixes the given diagnostics. Without them, fixes new problems in the lines of the last applied change, or problems at the given position.",
			More:   "New problems are those that other language servers report within seconds of a change. With the `auto` coder and `verify.level: full`, Coauthor starts this request automatically.",
			Args:   startArgs[Start]("Additional instructions."),
			Result: `{turnId, status: "started"|"busy"|"none"}`,
		},
		{
			ID: "askAgain", Group: GroupReview, Title: "Ask again for a refused hunk",
			Doc: "Asks the model to redo one hunk that could not be applied. The model gets the reason and the current text.",
			More: "This also works for a hunk in a file outside the request. Coauthor adds the new hunk to the pending change it belongs to, or makes it a separate change. " +
				"With only `turnId`, the model redoes all refused hunks of the request. Diagnostics mark these hunks in their files.",
			Args:   ArgsOf[AskAgainArgs](),
			Result: `{turnId, status: "started"|"busy"}`,
		},
		{
			ID: "dismissRefused", Group: GroupReview, Title: "Dismiss a refused hunk",
			Doc:    "Removes the diagnostic for a hunk that could not be applied. Without `range` and `hunk`, removes all such diagnostics. Files stay unchanged.",
			Args:   ArgsOf[Refused](),
			Result: `{status: "discarded"|"none", hunks}`,
		},
		{
			ID: "edit", Group: GroupChange, Title: "Change…", Was: []string{coder.Default},
			Doc:    "Changes code as you ask, using the current coder: `code` unless you chose another one.",
			Args:   startArgs[EditArgs]("What to change."),
			Result: `{turnId, status: "started"|"busy"|"needsInput"}`,
		},
	}
}

// promptActions are for documents in which instructions are written.
func promptActions(coders coder.Table) []Action {
	return []Action{
		{
			ID: "openPrompt", Group: GroupTalk, Title: "Write an instruction…",
			Doc:    "Opens the conversation so you can write an instruction for the given document and selection. Keeps any text you already typed there.",
			Args:   arg.Limited(ArgsOf[OpenPromptArgs](), "kind", slices.Concat([]string{"edit"}, coders.Names(), []string{"followUp", "answer"})),
			Result: `{uri}`,
		},
		{
			ID: "runPrompt", Group: GroupTalk, Title: "Run the instruction",
			Doc:    "Runs the last text you wrote in the conversation: an instruction, a slash command, or the answer to an open question.",
			More:   "The answer appears below your text, even while you keep writing. If the previous request is running or its change is pending, an instruction continues it.",
			Args:   ArgsOf[RunPromptArgs](),
			Result: `{turnId, status: "started"|"queued"|"busy"|"needsInput"|"answered"}`,
		},
	}
}

// ownFormat is how a user writes a command of their own.
const ownFormat = "Coauthor reads Markdown files from the `commands` folder next to your `config.yaml`. In a trusted workspace, it also reads files in `.coauthor/commands` that git does not ignore. " +
	"`tidy.md` becomes `/tidy`, and `go/tidy.md` becomes `/go:tidy`. The names of built-in commands are reserved. Changes take effect when you save a file. Coauthor never executes the files.\n\n" +
	"The file's text is the instruction. `$ARGUMENTS` stands for the text after the command, and `$1` to `$9` for its words. If the file uses neither, Coauthor adds the text at the end. " +
	"A header between `---` lines can set `description`, `argument-hint`, `model`, `coder` and, for the menu, `title`, `kind`, `languages` and `needs-selection`, as in an `actions` entry. " +
	"`listCommands` lists the commands and any problems in their files."

// lastActions are for turns that there were, and for what concerns none.
func lastActions(coders coder.Table) []Action {
	return []Action{
		{
			ID: "runAction", Group: GroupChange, Title: "Run a custom command",
			Doc:    "Runs a custom command: an entry in `actions` or a Markdown file.",
			More:   ownFormat,
			Args:   startArgs[RunActionArgs]("The text after the command."),
			Result: `{turnId, status: "started"|"busy"|"needsInput"|"none"}`,
		},
		{
			ID: "followUp", Group: GroupTalk, Title: "Continue the request",
			Doc:    "Continues a request: refines its change or replies to its answer. If the request is still running, the follow-up waits for it.",
			Args:   ArgsOf[FollowUpArgs](),
			Result: `{turnId, status: "started"|"queued"|"busy"|"needsInput"}`,
		},
		{
			ID: "undoTurn", Group: GroupReview, Title: "Undo last change", Word: "undo", Aider: []string{"undo"},
			Differs: "Undoes the last change, committed or not. To undo a commit, use `/undo-commit`.",
			Doc:     "Undoes the last applied change in all its files.",
			More:    "Text you typed since then stays. Files in which you edited the same lines also stay unchanged.",
			Args:    ArgsOf[TurnArgs](),
			Result:  `{status: "undone"|"partial"|"conflict"|"unverified", turnId, files: [File]}`,
		},
		{
			ID: "redoTurn", Group: GroupReview, Title: "Redo undone change", Word: "redo",
			Doc:    "Reapplies the last undone change in all its files.",
			Args:   ArgsOf[TurnArgs](),
			Result: `{status: "applied"|"partial"|"conflict"|"unverified", turnId, files: [File]}`,
		},
		{
			ID: "showRepoMap", Group: GroupContext, Title: "Show repository map", Word: "map", Aider: []string{"map"},
			Doc:    "Shows the repository map for a request from the current position, with each file's rank and the reasons for it. Until indexing finishes, the map is incomplete.",
			Args:   ArgsOf[RepoMapArgs](),
			Result: `Map`,
		},
		{
			ID: "refreshRepoMap", Group: GroupContext, Title: "Rebuild the repository map", Word: "map-refresh", Aider: []string{"map-refresh"},
			Doc:    "Rebuilds the repository map regardless of `repoMap.refresh` and shows it.",
			Args:   arg.Pick(ArgsOf[RepoMapArgs](), "instruction", "uri", "range", "version"),
			Result: `Map`,
		},
		{
			ID: "switch", Group: GroupModel, Title: "Switch coder, model or files",
			Doc:    "Switches the coder, models or files for later requests in the folder and shows the result. Omitted fields keep their values. The conversation continues.",
			More:   "The choice lasts until the folder's session ends.",
			Args:   arg.Limited(ArgsOf[SwitchArgs](), "coder", coders.Names()),
			Result: `InForce`,
		},
		{
			ID: "showContext", Group: GroupContext, Title: "Show the next prompt", Word: "show-context",
			Doc:    "Shows the exact prompt for a request from the current position, with its tokens and price. Nothing is sent.",
			More:   "The document lists the tokens and price of each part and file, and explains why parts are left out. It leaves out anything that needs your consent.",
			Args:   ArgsOf[ShowContextArgs](),
			Result: `{text, model, tokens, room, over, cost, parts: [Part], leftOut: [{what, why}]}`,
		},
		{
			ID: "status", Group: GroupModel, Title: "Show status",
			Doc:    "Shows running requests, pending changes, the model, setup problems, files in the chat, usage and the last error.",
			Args:   ArgsOf[Folder](),
			Result: `{busy, turns: [{turnId, state, label, seconds}], model, lacks?, files: DocumentUri[], readOnly: DocumentUri[], lastError?, usage, pending: [{turnId, proposalId, revision, state, shown, label, files}], client}`,
		},
		{
			ID: "reloadConfig", Group: GroupModel, Title: "Reload settings", Slash: "reload",
			Doc:    "Reloads the editor's settings and reports problems in all settings.",
			More:   "Coauthor rereads settings files for each request. You need this command only if your editor does not report changed settings.",
			Args:   ArgsOf[Folder](),
			Result: `Checks or {status: "started"}`,
		},
		{
			ID: "doctor", Group: GroupModel, Title: "Check the setup", Word: "doctor",
			Doc:    "Checks your API key, endpoint, model, settings and editor, and opens a report. If the endpoint is slow, the report opens later.",
			Args:   ArgsOf[DoctorArgs](),
			Result: `Checks or {status: "started"}`,
		},
	}
}
