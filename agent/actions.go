package agent

import (
	"cmp"
	"slices"
	"strings"

	"coauthor/agent/coder"
)

// CommandPrefix stands before an action's id in the name of its command.
const CommandPrefix = "coauthor."

// Action is one row of the table of commands and code actions. The table is data only: the
// protocol's capabilities, the documents and the editors' menus are made from it.
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
	// CodeActions are the ways this command is offered at a place in a document.
	CodeActions []CodeActionRow
}

// Command returns the name of the action's command.
func (a Action) Command() string { return CommandPrefix + a.ID }

// Summary returns the first sentence of what it does.
func (a Action) Summary() string {
	first, _, _ := strings.Cut(a.Doc, ". ")
	return strings.TrimSuffix(first, ".") + "."
}

// SlashWord returns the word that stands for the action behind a slash; "" for none.
func (a Action) SlashWord() string { return cmp.Or(a.Slash, a.Word) }

// ActionOf returns the row of a command in a table, by its name on the wire.
func ActionOf(table []Action, command string) (Action, bool) {
	for _, a := range table {
		if a.Command() == command {
			return a, true
		}
	}
	return Action{}, false
}

// CodeActionRow is one code action. Title may hold verbs that lsp fills in: {files}, {added},
// {removed} of the pending change, {hunks} and {these} of the place, {seconds} of the running turn, {choice} of a question, {request} in the words of the user, {problems} of the last edit or of the place, {problem} for one of them, {own} of a
// command of the user's own, {command} that the last answer suggests, {change} under review, {reviewing} all that is.
type CodeActionRow struct {
	Title string
	Kind  string // kind of code action
	When  When
	// Choice is the value that it gives for the field of the command that plain strings are.
	Choice string
}

// When says in which situation a code action is offered, in words for users. Where it says "here", the place is what the
// client asks for actions of.
type When string

// The situations.
const (
	WhenInputSelection When = "something is selected, and the client has an input box"
	WhenInputFile      When = "nothing is selected, and the client has an input box"
	WhenNoInput        When = "the client has no input box"
	// WhenCode: the document is the user's own, and no hunk under review is in the place.
	WhenCode When = "Coauthor is idle"
	// WhenOwn: as WhenCode; one action for each command.
	WhenOwn     When = "it fits your custom command"
	WhenPending When = "a change is pending"
	// WhenHunk: in the diff of a pending change, or in the file. So is WhenFile.
	WhenHunk     When = "hunks of a pending change are here"
	WhenFile     When = "files of a pending change are here"
	WhenConflict When = "a pending change has a conflict"
	WhenAttempts When = "a pending change has other attempts"
	// WhenRegenerable: its pending change is of the last request.
	WhenRegenerable When = "the last request has a pending change"
	// WhenAnotherModel: the same, where the menu has room for one more.
	WhenAnotherModel When = "the same, if the menu has room"
	WhenCommentDo    When = "a comment here is marked `AI!`"
	WhenCommentAsk   When = "a comment here is marked `AI?`"
	// WhenSuggested: nothing runs; one action for each.
	WhenSuggested When = "the last answer suggests shell commands"
	WhenPrompt    When = "this is a prompt document"
	// WhenAsked: one action for each choice.
	WhenAsked     When = "a question is open"
	WhenAskedText When = "an open question takes free text"
	// WhenRefused: the hunk seems to be meant for this place, and nothing runs.
	WhenRefused When = "a refused hunk is marked here"
	// WhenAskable: as WhenRefused, and the model can be asked for it again.
	WhenAskable When = "the model can redo a refused hunk here"
	// WhenProblems: nothing runs or waits for the user.
	WhenProblems When = "the last applied change caused problems"
	// WhenDiagnostic: as WhenCode; one action for each of the worst three.
	WhenDiagnostic When = "other servers report a problem here"
	// WhenDiagnostics: as WhenDiagnostic.
	WhenDiagnostics When = "other servers report several problems here"
	// WhenUnready: the last turn came to nothing for want of a model, its key or its endpoint, and nothing runs.
	WhenUnready When = "setup is incomplete"
	// WhenProse: as WhenCode or in a prompt document; text, or comments alone.
	WhenProse   When = "prose or comments are selected"
	WhenRunning When = "a request is running"
	// WhenApplied: the turn whose change of this document came last and is still there changed something near the place.
	WhenApplied When = "the last applied change is near"
	// WhenUndone: the last undone turn, in the same way.
	WhenUndone When = "the last undone change is near"
	// WhenReviewHunk: a hunk, or a file that is gone; one action for each.
	WhenReviewHunk When = "a hunk under review is here"
	// WhenReviewHunkIntact: as WhenReviewHunk, and the user has not changed it since.
	WhenReviewHunkIntact When = "the same, if you did not edit it"
	// WhenUnderReview: in the folder.
	WhenUnderReview     When = "several hunks are under review"
	WhenReviewElsewhere When = "a hunk elsewhere is under review"
	WhenReviewed        When = "the last review marked this document"
)

// What can be done about a conflict: the values of the field take of the command resolve.
const (
	TakeMine    = "mine"
	TakeTheirs  = "theirs"
	TakeBoth    = "both"
	TakeAgain   = "again"
	TakeMarkers = "markers"
)

// Kinds of code actions, as the protocol writes them.
const (
	kindRewrite  = "refactor.rewrite"
	kindRefactor = "refactor"
	kindQuickFix = "quickfix"
	kindSource   = "source"
)

// Actions returns THE table of commands and code actions, in the order in which code actions are
// offered. The result is the caller's own.
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
			Doc: "Answers an open question.",
			Args: []Arg{
				{Name: "questionId", Type: "string", Doc: "The question. Default: the only open one."},
				{Name: "choice", Type: "string", Doc: "One of its choices, the beginning of one, `yes` or `no`."},
				{Name: "text", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "A choice, or free text where the question allows it."},
			},
			Result: `{status: "answered"|"none"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: {choice}", Kind: kindQuickFix, When: WhenAsked},
			},
		},
		{
			ID: "cancel", Group: GroupTalk, Title: "Stop",
			Doc:    "Stops a running request, or all of them, and closes the connection to the model.",
			Args:   []Arg{turnArg("The request. Default: all running requests.")},
			Result: `{cancelled: string[]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: stop (running {seconds} s)", Kind: kindQuickFix, When: WhenRunning},
			},
		},
		{
			ID: "apply", Group: GroupReview, Title: "Apply pending change",
			Doc:    "Applies the pending change, or the given files or hunks of it, exactly as last shown.",
			Args:   selectorArgs(),
			Result: outcome,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: apply pending change ({files}, +{added} -{removed})", Kind: kindRewrite, When: WhenPending},
				{Title: "Coauthor: apply {hunks}", Kind: kindRewrite, When: WhenHunk},
				{Title: "Coauthor: apply {these}", Kind: kindRewrite, When: WhenFile},
			},
		},
		{
			ID: "resolve", Group: GroupReview, Title: "Resolve a conflict",
			Doc: "Resolves a conflict: a pending change that could not be applied because you changed the same lines.",
			More: "`both` opens both sides, `mine` keeps your lines and applies the rest, and `theirs` takes the model's lines. " +
				"`again` asks the model to redo the change, starting from your text. Only `markers` writes both sides into the file, between conflict markers.",
			Args: append(selectorArgs(), Arg{Name: "take", Bare: true, Type: "string", Values: []string{TakeBoth, TakeMine, TakeTheirs, TakeAgain, TakeMarkers},
				Doc: "What to do. Default: Coauthor asks you."}),
			Result: `{status: "applied"|"partial"|"conflict"|"unverified"|"discarded"|"pending"|"started"|"busy"|"none", turnId, proposalId, uri?, files: [File]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: show both sides of the conflict", Kind: kindRewrite, When: WhenConflict, Choice: TakeBoth},
				{Title: "Coauthor: keep my lines and apply the rest", Kind: kindRewrite, When: WhenConflict, Choice: TakeMine},
				{Title: "Coauthor: take the model's lines", Kind: kindRewrite, When: WhenConflict, Choice: TakeTheirs},
				{Title: "Coauthor: ask again with my text", Kind: kindRewrite, When: WhenConflict, Choice: TakeAgain},
			},
		},
		{
			ID: "showPending", Group: GroupReview, Title: "Show pending change",
			Doc:    "Shows the pending change again, in the form that suits the editor.",
			Args:   append(selectorArgs(), Arg{Name: "format", Type: "string", Values: []string{"diff", "files"}, Doc: "`files` only returns the list and shows nothing. Default: `diff`."}),
			Result: `{turnId, proposalId, revision, uri?, files: [{uri, op, added, removed, hunks}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: show pending change", Kind: kindRewrite, When: WhenPending},
			},
		},
		{
			ID: "discard", Group: GroupReview, Title: "Discard pending change",
			Doc:    "Discards the pending change, or the given files or hunks of it.",
			Args:   selectorArgs(),
			Result: `{status: "discarded"|"pending", turnId, proposalId}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: discard pending change", Kind: kindRewrite, When: WhenPending},
				{Title: "Coauthor: discard {hunks}", Kind: kindRewrite, When: WhenHunk},
				{Title: "Coauthor: discard {these}", Kind: kindRewrite, When: WhenFile},
			},
		},
		{
			ID: "takeAttempt", Group: GroupReview, Title: "Take another attempt", Slash: "attempt",
			Doc: "Switches the pending change to another attempt and shows it. The diff lists the attempts and their results. Nothing is applied.",
			Args: append([]Arg{
				{Name: "attempt", Bare: true, Type: "string", Doc: "Its number, from 1. Default: Coauthor asks you."},
				{Name: "revision", Type: "integer", Doc: "The revision whose attempts were shown. Default: the newest."},
			}, sharedArgs("turnId", "proposalId", "preview", "uri")...),
			Result: `{status: "pending"|"none"|"started", turnId, proposalId, revision, attempt, attempts: [{label, files, added, removed}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: take another attempt…", Kind: kindRewrite, When: WhenAttempts},
			},
		},
		{
			ID: "fix", Group: GroupChange, Title: "Fix problems",
			Doc:    "Fixes problems: the given diagnostics, else new problems in the lines of the last applied change, else those at the given position.",
			More:   "New problems are those that the editor's other servers report within seconds of a change. With the coder `auto` and `verify.level: full`, Coauthor starts such a request automatically.",
			Args:   startArgs(instructionArg("What to keep in mind.")),
			Result: `{turnId, status: "started"|"busy"|"none"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: fix {problems}", Kind: kindQuickFix, When: WhenProblems},
				{Title: `Coauthor: fix "{problem}"`, Kind: kindQuickFix, When: WhenDiagnostic},
				{Title: "Coauthor: fix all {problems} here", Kind: kindQuickFix, When: WhenDiagnostics},
			},
		},
		{
			ID: "askAgain", Group: GroupReview, Title: "Ask again for a refused hunk",
			Doc: "Asks the model to redo one hunk that could not be applied. The model gets the reason and the current text.",
			More: "It also works for a hunk whose file was not part of the request. The new hunk is added to the pending change it belongs to, or becomes a change of its own. " +
				"With only `turnId`, the model redoes all such hunks of that request. Diagnostics mark these hunks in their files.",
			Args:   append(refusedArgs(), sharedArgs("model", "preview")...),
			Result: `{turnId, status: "started"|"busy"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: ask again for this hunk", Kind: kindQuickFix, When: WhenAskable},
			},
		},
		{
			ID: "dismissRefused", Group: GroupReview, Title: "Dismiss a refused hunk",
			Doc:    "Removes the diagnostic of a hunk that could not be applied; without `range` and `hunk`, all of them. Nothing else changes.",
			Args:   refusedArgs(),
			Result: `{status: "discarded"|"none", hunks}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: dismiss this refused hunk", Kind: kindQuickFix, When: WhenRefused},
			},
		},
		{
			ID: "edit", Group: GroupChange, Title: "Change…",
			Doc:    "Changes code as you ask, with the coder in use: `code`, unless you chose another.",
			Args:   startArgs(instructionArg("What to change."), SharedArg("format")),
			Result: `{turnId, status: "started"|"busy"|"needsInput"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: change selection…", Kind: kindRewrite, When: WhenInputSelection},
				{Title: "Coauthor: change file…", Kind: kindRewrite, When: WhenInputFile},
				{Title: "Coauthor: use selection as instruction", Kind: kindRewrite, When: WhenProse},
			},
		},
	}
}

// promptActions are for documents in which instructions are written.
func promptActions(coders coder.Table) []Action {
	return []Action{
		{
			ID: "openPrompt", Group: GroupTalk, Title: "Write an instruction…",
			Doc: "Opens the conversation so you can write an instruction for the given document and selection. Text that you already typed there stays.",
			Args: placeArgs(
				Arg{Name: "kind", Bare: true, Type: "string", Values: slices.Concat([]string{"edit"}, coders.Names(), []string{"followUp", "answer"}), Doc: "What to write: an instruction for a coder, a follow-up, or the answer to an open question. Default: `edit`."},
				Arg{Name: "questionId", Type: "string", Doc: "The question to answer. Default: the only open one."}),
			Result: `{uri}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: write the answer…", Kind: kindQuickFix, When: WhenAskedText},
				{Title: "Coauthor: write an instruction…", Kind: kindRewrite, When: WhenNoInput},
			},
		},
		{
			ID: "runPrompt", Group: GroupTalk, Title: "Run the instruction",
			Doc:    "Runs the last text you wrote in the conversation: an instruction, a slash command, or the answer to an open question.",
			More:   "The answer appears below it, even while you keep writing. While the previous change is running or pending, an instruction continues it.",
			Args:   []Arg{argMeaning("uri", "The prompt document. Default: the document last focused.")},
			Result: `{turnId, status: "started"|"queued"|"busy"|"needsInput"|"answered"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: run this instruction", Kind: kindRewrite, When: WhenPrompt},
			},
		},
	}
}

// ownFormat is how a user writes a command of their own.
const ownFormat = "Files are read from the folder `commands` next to your `config.yaml`, and from `.coauthor/commands` of a trusted workspace unless git ignores them. " +
	"`tidy.md` becomes `/tidy`, and `go/tidy.md` becomes `/go:tidy`; the names of Coauthor's own commands are reserved. A file takes effect as soon as you save it. Nothing in it is executed.\n\n" +
	"The text of the file is the instruction. `$ARGUMENTS` stands for the text after the command, and `$1` to `$9` for its words. Without either, the text is added at the end. " +
	"A header between lines of `---` may set `description`, `argument-hint`, `model`, `coder` and, for the menu, `title`, `kind`, `languages` and `needs-selection`, as in an entry of `actions`. " +
	"`listCommands` lists the commands and the problems in their files."

// lastActions are for turns that there were, and for what concerns none.
func lastActions(coders coder.Table) []Action {
	lastTurn := turnArg("The request. Default: the last one.")
	return []Action{
		{
			ID: "runAction", Group: GroupChange, Title: "Run a custom command",
			Doc:    "Runs one of your custom commands: an entry in `actions`, or a Markdown file.",
			More:   ownFormat,
			Args:   startArgs(instructionArg("The text after the command."), Arg{Name: "name", Type: "string", Doc: "The command, without its slash. Default: Coauthor asks you."}),
			Result: `{turnId, status: "started"|"busy"|"needsInput"|"none"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: {own}", Kind: kindRewrite, When: WhenOwn},
			},
		},
		{
			ID: "followUp", Group: GroupTalk, Title: "Answer or refine",
			Doc:    "Continues a request: refines its change, or goes on with the conversation. If the request is running, the follow-up waits for it.",
			Args:   append([]Arg{instructionArg("What to say."), lastTurn}, sharedArgs("model", "preview", "uri")...),
			Result: `{turnId, status: "started"|"queued"|"busy"|"needsInput"}`,
		},
		{
			ID: "undoTurn", Group: GroupReview, Title: "Undo last change", Word: "undo", Aider: []string{"undo"},
			Differs: "Undoes the last change, whether it was committed or not; `/undo-commit` undoes a commit.",
			Doc:     "Undoes the last applied change, in all its files.",
			More:    "Text that you typed since then stays. A file in which you changed the same lines is left as it is.",
			Args:    []Arg{lastTurn, folderArg()},
			Result:  `{status: "undone"|"partial"|"conflict"|"unverified", turnId, files: [File]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: undo last change ({request})", Kind: kindRefactor, When: WhenApplied},
			},
		},
		{
			ID: "redoTurn", Group: GroupReview, Title: "Redo undone change", Word: "redo",
			Doc:    "Applies the last undone change again, in all its files.",
			Args:   []Arg{lastTurn, folderArg()},
			Result: `{status: "applied"|"partial"|"conflict"|"unverified", turnId, files: [File]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: redo undone change ({request})", Kind: kindRefactor, When: WhenUndone},
			},
		},
		{
			ID: "showRepoMap", Group: GroupContext, Title: "Show repository map", Word: "map", Aider: []string{"map"},
			Doc: "Shows the repository map that a request from here would get, with the rank of each file and the reasons for it. If indexing is not finished, the map is incomplete.",
			Args: append(placeArgs(instructionArg("The instruction of the request.")),
				filesArg("More files that the model would see."),
				Arg{Name: "tokens", Type: "integer", Doc: "Map size in tokens. Default: `repoMap.tokens`."},
				Arg{Name: "refresh", Type: "boolean", Doc: "Rebuild the map, whatever `repoMap.refresh` says."}),
			Result: `Map`,
		},
		{
			ID: "refreshRepoMap", Group: GroupContext, Title: "Rebuild the repository map", Word: "map-refresh", Aider: []string{"map-refresh"},
			Doc:    "Rebuilds the repository map, whatever `repoMap.refresh` says, and shows it.",
			Args:   placeArgs(instructionArg("The instruction of the request.")),
			Result: `Map`,
		},
		{
			ID: "switch", Group: GroupModel, Title: "Switch coder, model or files",
			Doc:    "Switches the coder, models or files for the next requests in the folder, and shows the result. Omitted fields keep their values; the conversation continues.",
			More:   "The choice lasts until the session of the folder ends.",
			Args:   switchArgs(coders),
			Result: `InForce`,
		},
		{
			ID: "showContext", Group: GroupContext, Title: "Show what the model gets", Word: "show-context",
			Doc:  "Shows the exact prompt that a request from here would send, with tokens and price. Nothing is sent.",
			More: "It lists the tokens and price of each part and file, and the parts left out, with the reasons. Coauthor asks no questions; anything that a request would ask about is left out.",
			Args: append(placeArgs(instructionArg("The instruction of the request.")),
				append([]Arg{{Name: "coder", Type: "string", Setting: "turn.coder", Doc: "The coder that would answer. Default: the one in use."}},
					sharedArgs("files", "readOnly", "format", "model")...)...),
			Result: `{text, model, tokens, room, over, cost, parts: [Part], leftOut: [{what, why}]}`,
		},
		{
			ID: "status", Group: GroupModel, Title: "Show status",
			Doc:    "Shows running requests, pending changes, the model, missing setup, the files in the chat, usage, and the last error.",
			Args:   []Arg{folderArg()},
			Result: `{busy, turns: [{turnId, state, label, seconds}], model, lacks?, files: DocumentUri[], readOnly: DocumentUri[], lastError?, usage, pending: [{turnId, proposalId, revision, state, shown, label, files}], client}`,
		},
		{
			ID: "reloadConfig", Group: GroupModel, Title: "Reload settings", Slash: "reload",
			Doc:    "Reads the editor's settings again, and reports problems in any settings.",
			More:   "Coauthor reads settings files again for each request. Only editors that do not report changed settings need this command.",
			Args:   []Arg{folderArg()},
			Result: `Checks or {status: "started"}`,
		},
		{
			ID: "doctor", Group: GroupModel, Title: "Check the setup", Word: "doctor",
			Doc:    "Checks your API key, endpoint, model, settings and editor, and opens a report. If the endpoint is slow, the report opens later.",
			Args:   []Arg{SharedArg("quiet"), folderArg()},
			Result: `Checks or {status: "started"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: check the setup ({problem})", Kind: kindRefactor, When: WhenUnready},
			},
		},
	}
}
