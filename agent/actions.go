package agent

import (
	"cmp"
	"slices"

	"coauthor/agent/coder"
)

// CommandPrefix stands before an action's id in the name of its command.
const CommandPrefix = "coauthor."

// Action is one row of the table of commands and code actions. The table is data only: the
// protocol's capabilities, the documents and the editors' menus are made from it.
type Action struct {
	ID     string // "edit" is the command coauthor.edit
	Title  string
	Doc    string
	Args   []Arg
	Result string // shape of the result, in words
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

// When says in which situation a code action is offered.
type When string

// The situations.
const (
	// WhenInputSelection: the client has an input box and something is selected.
	WhenInputSelection When = "input-selection"
	// WhenInputFile: the client has an input box and nothing is selected.
	WhenInputFile When = "input-file"
	// WhenNoInput: the client has no input box.
	WhenNoInput When = "no-input"
	// WhenCode: the document is the user's own, nothing runs or waits for the user, and no hunk under review is in the place.
	WhenCode When = "code"
	// WhenOwn: as WhenCode; one action for each command of the user's own.
	WhenOwn When = "own"
	// WhenPending: the root has a pending proposal.
	WhenPending When = "pending"
	// WhenHunk: the place is about hunks of a pending proposal: in its diff, or in the file.
	WhenHunk When = "hunk"
	// WhenFile: the place is about files of a pending change, in the same way.
	WhenFile When = "file"
	// WhenConflict: it has one that could not be applied, because the user has changed the same lines.
	WhenConflict When = "conflict"
	// WhenAttempts: it has one of which there are other attempts.
	WhenAttempts When = "attempts"
	// WhenRegenerable: it has one that is of the last request.
	WhenRegenerable When = "regenerable"
	// WhenAnotherModel: the same, where the menu has room for one more.
	WhenAnotherModel When = "another-model"
	// WhenCommentDo: a comment in the place is marked with AI!.
	WhenCommentDo When = "comment-do"
	// WhenCommentAsk: a comment in the place is marked with AI?.
	WhenCommentAsk When = "comment-ask"
	// WhenSuggested: the last answer suggests commands for the shell, and nothing runs; one action for each.
	WhenSuggested When = "suggested"
	// WhenPrompt: the document is a prompt document.
	WhenPrompt When = "prompt"
	// WhenAsked: a turn has asked the user something; one action for each choice.
	WhenAsked When = "asked"
	// WhenAskedText: a turn has asked something that can be answered in the user's own words.
	WhenAskedText When = "asked-text"
	// WhenRefused: an edit of a turn was refused that seems to be meant for this place, and nothing runs.
	WhenRefused When = "refused"
	// WhenAskable: as WhenRefused, and the model can be asked for it again.
	WhenAskable When = "askable"
	// WhenProblems: the last applied turn brought problems, and nothing runs or waits for the user.
	WhenProblems When = "problems"
	// WhenDiagnostic: as WhenCode, and other servers complain about the place; one action for each of the worst three.
	WhenDiagnostic When = "diagnostic"
	// WhenDiagnostics: as WhenDiagnostic, and there are several.
	WhenDiagnostics When = "diagnostics"
	// WhenUnready: the last turn came to nothing for want of a model, its key or its endpoint, and nothing runs.
	WhenUnready When = "unready"
	// WhenProse: as WhenCode or in a prompt document, and what is selected is prose: text, or comments alone.
	WhenProse When = "prose"
	// WhenRunning: a turn runs.
	WhenRunning When = "running"
	// WhenApplied: the turn whose change of this document came last and is still there changed something near the place.
	WhenApplied When = "applied"
	// WhenUndone: the last undone turn, in the same way.
	WhenUndone When = "undone"
	// WhenReviewHunk: a hunk under review is in the place, or a file under review that is gone; one action for each.
	WhenReviewHunk When = "review-hunk"
	// WhenReviewHunkIntact: as WhenReviewHunk, and the user has not changed it since.
	WhenReviewHunkIntact When = "review-hunk-intact"
	// WhenUnderReview: more than one hunk of the folder is under review.
	WhenUnderReview When = "under-review"
	// WhenReviewElsewhere: a hunk under review that is not in the place can be gone to.
	WhenReviewElsewhere When = "review-elsewhere"
	// WhenReviewed: the last review shows something in this document.
	WhenReviewed When = "reviewed"
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
	return []Action{
		{
			ID: "answer", Title: "Answer a question",
			Doc: "Answers a question that a turn has asked: a choice, its beginning, yes or no.",
			Args: []Arg{
				{Name: "questionId", Type: "string", Doc: "The question; without it the only open one."},
				{Name: "choice", Type: "string", Doc: "One of its choices."},
				{Name: "text", Also: []string{"instruction"}, Bare: true, Type: "string", Doc: "Free text, where the question allows it, or a choice."},
			},
			Result: `{status: "answered"|"none"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: {choice}", Kind: kindQuickFix, When: WhenAsked},
			},
		},
		{
			ID: "cancel", Title: "Stop",
			Doc:    "Stops a turn, or all turns when none is named. The model's connection is closed.",
			Args:   []Arg{turnArg("The turn; without it all turns.")},
			Result: `{cancelled: string[]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: stop (running {seconds} s)", Kind: kindQuickFix, When: WhenRunning},
			},
		},
		{
			ID: "apply", Title: "Apply pending change",
			Doc:    "Applies the pending change, or some of its files or hunks, in the revision that was shown.",
			Args:   selectorArgs(),
			Result: `{status: "applied"|"partial"|"conflict"|"unverified"|"started", turnId, proposalId, newestOf?, files: [{uri, op, state, reason?}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: apply pending change ({files}, +{added} -{removed})", Kind: kindRewrite, When: WhenPending},
				{Title: "Coauthor: apply {hunks}", Kind: kindRewrite, When: WhenHunk},
				{Title: "Coauthor: apply {these}", Kind: kindRewrite, When: WhenFile},
			},
		},
		{
			ID: "resolve", Title: "Resolve a conflict",
			Doc: "Goes on with a pending change that could not be applied because you have changed the same lines. `mine` keeps your lines and applies the rest, `theirs` puts the model's in their place, `both` opens both sides to look at, " +
				"`again` asks the model to make the change on your text, and `markers` writes both sides into the file, between markers. Nothing is written into a file that way unless you ask for it.",
			Args: append(selectorArgs(), Arg{Name: "take", Bare: true, Type: "string", Values: []string{TakeBoth, TakeMine, TakeTheirs, TakeAgain, TakeMarkers},
				Doc: "What to do; without it you are asked."}),
			Result: `{status: "applied"|"partial"|"conflict"|"unverified"|"discarded"|"started"|"busy"|"none", turnId, proposalId, uri?, files: [{uri, op, state, reason?}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: show both sides of the conflict", Kind: kindRewrite, When: WhenConflict, Choice: TakeBoth},
				{Title: "Coauthor: keep my lines and apply the rest", Kind: kindRewrite, When: WhenConflict, Choice: TakeMine},
				{Title: "Coauthor: take the model's lines", Kind: kindRewrite, When: WhenConflict, Choice: TakeTheirs},
				{Title: "Coauthor: ask again with my text", Kind: kindRewrite, When: WhenConflict, Choice: TakeAgain},
			},
		},
		{
			ID: "showPending", Title: "Show pending change",
			Doc:    "Shows the pending change again, in the way that suits the client.",
			Args:   append(selectorArgs(), Arg{Name: "format", Type: "string", Values: []string{"diff", "files"}, Doc: "`files` shows nothing and only returns the list."}),
			Result: `{turnId, proposalId, revision, uri?, files: [{uri, op, added, removed, hunks}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: show pending change", Kind: kindRewrite, When: WhenPending},
			},
		},
		{
			ID: "discard", Title: "Discard pending change",
			Doc:    "Drops the pending change, or some of its files or hunks.",
			Args:   selectorArgs(),
			Result: `{status: "discarded"|"pending", turnId, proposalId}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: discard pending change", Kind: kindRewrite, When: WhenPending},
				{Title: "Coauthor: discard {hunks}", Kind: kindRewrite, When: WhenHunk},
				{Title: "Coauthor: discard {these}", Kind: kindRewrite, When: WhenFile},
			},
		},
		{
			ID: "takeAttempt", Title: "Take another attempt", Slash: "attempt",
			Doc: "Makes another one of the attempts of a pending change its content, and shows it. The attempts are what a repair has come by; the diff lists them with what came of each. Nothing is applied; on the command line they are choices of the question whether to apply the change.",
			Args: []Arg{
				{Name: "attempt", Bare: true, Type: "string", Doc: "Its number, from 1; without it you are asked."},
				turnArg("The turn whose proposal is meant; without it the pending change, of several the newest."),
				{Name: "proposalId", Type: "string", Doc: "The proposal itself."},
				{Name: "revision", Type: "integer", Doc: "The revision whose attempts were shown; without it the newest."},
				previewArg(), folderArg(),
			},
			Result: `{status: "pending"|"none"|"started", turnId, proposalId, revision, attempt, attempts: [{label, files, added, removed}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: take another attempt…", Kind: kindRewrite, When: WhenAttempts},
			},
		},
		{
			ID: "fix", Title: "Fix problems",
			Doc:    "Starts a turn that fixes diagnostics: those that are named, else the new problems, which the editor's other servers found within seconds on the lines that the last applied edit changed, else what is known of the place. With the coder `auto` and the setting `verify.level` at `full` such a turn begins by itself.",
			Args:   startArgs(instructionArg("What to keep in mind.")),
			Result: `{turnId, status: "started"|"busy"|"none"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: fix {problems}", Kind: kindQuickFix, When: WhenProblems},
				{Title: `Coauthor: fix "{problem}"`, Kind: kindQuickFix, When: WhenDiagnostic},
				{Title: "Coauthor: fix all {problems} here", Kind: kindQuickFix, When: WhenDiagnostics},
			},
		},
		{
			ID: "askAgain", Title: "Ask again for a refused hunk",
			Doc:    "Asks the model to redo one hunk that could not be applied, or that was left out because its file was not part of the request. The model gets the reason and the current text. The new hunk is added to the pending change it belongs to, or becomes a change of its own. With only `turnId`, the model is asked for all such hunks of that request. The hunks are marked in their files.",
			Args:   append(refusedArgs(), modelArg(), previewArg()),
			Result: `{turnId, status: "started"|"busy"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: ask again for this hunk", Kind: kindQuickFix, When: WhenAskable},
			},
		},
		{
			ID: "dismissRefused", Title: "Take the mark of a refused hunk away",
			Doc:    "Takes the mark of a hunk away that could not be applied, or without a place and a number those of all of them. Nothing else changes.",
			Args:   refusedArgs(),
			Result: `{status: "discarded"|"none", hunks}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: take the mark of this refused hunk away", Kind: kindQuickFix, When: WhenRefused},
			},
		},
		{
			ID: "edit", Title: "Change…",
			Doc:    "Starts a turn of the coder that is in force, which is `code` unless you chose another: it proposes a change. Without an instruction the client's input box asks for one, or the answer is needsInput.",
			Args:   startArgs(instructionArg("What to change."), formatArg()),
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
			ID: "openPrompt", Title: "Write an instruction…",
			Doc: "Opens the document of the conversation to write an instruction in; it remembers the document and the selection it was opened for. What is being written there stays.",
			Args: placeArgs(
				Arg{Name: "kind", Bare: true, Type: "string", Values: slices.Concat([]string{"edit"}, coders.Names(), []string{"followUp", "answer"}), Doc: "What is to be written; `edit` is the default, `answer` is for a question that is open, the others are coders."},
				Arg{Name: "questionId", Type: "string", Doc: "The question to answer; without it the only open one."}),
			Result: `{uri}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: write the answer…", Kind: kindQuickFix, When: WhenAskedText},
				{Title: "Coauthor: write an instruction…", Kind: kindRewrite, When: WhenNoInput},
			},
		},
		{
			ID: "runPrompt", Title: "Run the instruction",
			Doc:    "Runs what was written last in a prompt document: an instruction, a command behind a slash, or the answer to a question that is open. The answer comes below it, also while you write on; an instruction goes on with the change before it while that runs or is pending.",
			Args:   []Arg{documentArg("The prompt document")},
			Result: `{turnId, status: "started"|"queued"|"busy"|"needsInput"|"answered"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: run this instruction", Kind: kindRewrite, When: WhenPrompt},
			},
		},
	}
}

// lastActions are for turns that there were, and for what concerns none.
func lastActions(coders coder.Table) []Action {
	lastTurn := turnArg("The turn; without it the last one.")
	return []Action{
		{
			ID: "runAction", Title: "Run a command of your own",
			Doc: "Starts the turn that a command of your own describes: an entry of the setting `actions`, or a Markdown file in the folder `commands` beside your `config.yaml`, or in `.coauthor/commands` of a workspace that you trust, where git sees them. " +
				"`tidy.md` there is `/tidy` in the place of an instruction, and `go/tidy.md` is `/go:tidy`; words of Coauthor cannot be taken. The text is the instruction: `$ARGUMENTS` in it stands for what you write behind the command, `$1` to `$9` for its words, and without such a place it is added at the end. " +
				"A head between lines of `---` may have `description`, `argument-hint`, `model`, `coder`, and for the menu `title`, `kind`, `languages` and `needs-selection`, which are as in an entry of `actions`. Nothing in it is run. A file counts as soon as it is saved; `commands` lists them, with what is wrong in their files.",
			Args:   startArgs(instructionArg("What stands behind the command."), Arg{Name: "name", Type: "string", Doc: "The command, without its slash; without it you are asked."}),
			Result: `{turnId, status: "started"|"busy"|"needsInput"|"none"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: {own}", Kind: kindRewrite, When: WhenOwn},
			},
		},
		{
			ID: "followUp", Title: "Answer or refine",
			Doc:    "Goes on with a turn: refines its proposal, or continues the talk. While that turn runs, the follow-up waits for its end.",
			Args:   []Arg{instructionArg("What to say."), lastTurn, modelArg(), previewArg(), folderArg()},
			Result: `{turnId, status: "started"|"queued"|"busy"|"needsInput"}`,
		},
		{
			ID: "undoTurn", Title: "Undo last change", Word: "undo", Aider: []string{"undo"},
			Differs: "It takes back the last change, whether it became a commit or not; `undoCommit` takes back a commit.",
			Doc:     "Undoes an applied turn as a whole, in all its files. What you typed since stays; where it touches the same lines, that file is left as it is and the status is `conflict`.",
			Args:    []Arg{lastTurn, folderArg()},
			Result:  `{status: "undone"|"partial"|"conflict"|"unverified", turnId, files: [{uri, op, state, reason?}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: undo last change ({request})", Kind: kindRefactor, When: WhenApplied},
			},
		},
		{
			ID: "redoTurn", Title: "Redo undone change", Word: "redo",
			Doc:    "Applies an undone turn again, as a whole.",
			Args:   []Arg{lastTurn, folderArg()},
			Result: `{status: "applied"|"partial"|"conflict"|"unverified", turnId, files: [{uri, op, state, reason?}]}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: redo undone change ({request})", Kind: kindRefactor, When: WhenUndone},
			},
		},
		{
			ID: "showRepoMap", Title: "Show repository map", Word: "map", Aider: []string{"map"},
			Doc: "Shows the repository map that a request from here would get now, with the rank of each file and why, signal by signal, and opens it as a document. It waits for no index: `complete` is the share of the files that had been read.",
			Args: append(placeArgs(instructionArg("What the request would say.")),
				filesArg("More documents that the model would see."),
				Arg{Name: "tokens", Type: "integer", Doc: "Size of the map; without it what the settings say."},
				Arg{Name: "refresh", Type: "boolean", Doc: "Redraw it, whatever the setting `repoMap.refresh` says."}),
			Result: `{text, tokens, budget, complete, generation, files: [{path, uri, score, shown, names?, signals: [{name, value, weight}]}]}`,
		},
		{
			ID: "refreshRepoMap", Title: "Redraw the repository map", Word: "map-refresh", Aider: []string{"map-refresh"},
			Doc:    "Redraws the repository map, whatever the setting `repoMap.refresh` says, and shows it as `showRepoMap` does.",
			Args:   placeArgs(instructionArg("What the request would say.")),
			Result: `{text, tokens, budget, complete, generation, files: [{path, uri, score, shown, names?, signals: [{name, value, weight}]}]}`,
		},
		{
			ID: "switch", Title: "Switch coder, model or files",
			Doc:    "Switches what the next turns of the folder use, until its session ends, and answers and tells what is in force then. What is not named stays as it is. Without a field nothing is switched. The conversation goes on.",
			Args:   switchArgs(coders),
			Result: inForceResult,
		},
		{
			ID: "showContext", Title: "Show what the model gets", Word: "show-context",
			Doc: "Opens the exact prompt that a request from here would send now, with the tokens and the price of each part and of each file in it, and what is left out and why. Nothing is sent, and nobody is asked: what a request would ask about is left out.",
			Args: append(placeArgs(instructionArg("What the request would say.")),
				filesArg("More documents that the model may edit."),
				Arg{Name: "readOnly", Type: "string[]", Doc: "Documents that the model sees and may not edit."},
				Arg{Name: "coder", Type: "string", Setting: "turn.coder", Doc: "Who would answer; without it what the settings say."},
				Arg{Name: "format", Also: []string{"editFormat"}, Type: "string", Setting: "editFormat", Doc: "The edit format of the request."},
				modelArg()),
			Result: `{text, model, tokens, room, over, cost, parts: [{name, tokens, cost, files?: [{path, tokens, cost}]}], leftOut: [{what, why}]}`,
		},
		{
			ID: "status", Title: "Show status",
			Doc:    "Shows what runs, which model is in use and what is missing before it can be asked, which files were added to the chat, what the model used, what is pending, and the last error.",
			Args:   []Arg{folderArg()},
			Result: `{busy, turns: [{turnId, state, label, seconds}], model, lacks?, files: DocumentUri[], readOnly: DocumentUri[], lastError?, usage, pending: [{turnId, proposalId, revision, state, shown, label, files}], client}`,
		},
		{
			ID: "reloadConfig", Title: "Read the settings again", Slash: "reload",
			Doc:    "Asks the editor for its settings once more, and tells what is wrong in all settings that there are. Files of settings are read for each request by themselves, so this is for editors that do not say when theirs have changed.",
			Args:   []Arg{folderArg()},
			Result: `{ok, checks: [{name, ok, message, advice?}]} or {status: "started"}`,
		},
		{
			ID: "doctor", Title: "Check the set-up", Word: "doctor",
			Doc:    "Checks your API key, endpoint, model, settings and editor, and opens a report. If the endpoint is slow, the command returns `started` and the report opens later.",
			Args:   []Arg{{Name: "quiet", Type: "boolean", Doc: "Only returns the result; opens no report."}, folderArg()},
			Result: `{ok, checks: [{name, ok, message, advice?}]} or {status: "started"}`,
			CodeActions: []CodeActionRow{
				{Title: "Coauthor: check the set-up ({problem})", Kind: kindRefactor, When: WhenUnready},
			},
		},
	}
}
