package lsp

import (
	"context"

	"coauthor/agent/coder"
	"coauthor/agent/pipeline"
)

// commandRow says how a command of the table pipeline.Actions is run.
type commandRow struct {
	// place: it is about the text that the user is in, and waits until the disk has told where that
	// belongs. The others work as well without.
	place bool
	// elsewhere: what is asked for in a document that the server wrote is about the code from which
	// that was opened.
	elsewhere bool
	// prompt: without a document it is about the prompt document that was used last.
	prompt bool
	// settings: it waits a moment for the settings, because a client may send its first command before
	// it was asked for them.
	settings bool
	// soon: it may take longer than a request should, and goes on behind its answer.
	soon bool
	// coder is the coder of the turns that it starts; "" is that of the settings.
	coder string
	// title says in the input box what the words are for; "" says what is changed.
	title string
	run   func(s *server, ctx context.Context, c *commandCall) (any, error)
}

// commandRows are the functions behind pipeline.ActionsOf, by the action's id; a test holds the two
// together.
func commandRows(coders coder.Table) map[string]commandRow {
	rows := map[string]commandRow{
		"edit":           {place: true, elsewhere: true, settings: true, run: (*server).cmdEdit},
		"runAction":      {place: true, elsewhere: true, settings: true, soon: true, run: (*server).cmdRunAction},
		"followUp":       {place: true, settings: true, run: (*server).cmdFollowUp},
		"openPrompt":     {place: true, elsewhere: true, run: (*server).cmdOpenPrompt},
		"runPrompt":      {place: true, prompt: true, settings: true, run: (*server).cmdRunPrompt},
		"fix":            {place: true, elsewhere: true, settings: true, run: (*server).cmdFix},
		"doComments":     {settings: true, soon: true, run: (*server).cmdDoComments},
		"apply":          {run: (*server).cmdApply},
		"resolve":        {settings: true, run: (*server).cmdResolve},
		"discard":        {run: (*server).cmdDiscard},
		"showPending":    {soon: true, run: (*server).cmdShowPending},
		"askAgain":       {place: true, settings: true, run: (*server).cmdAskAgain},
		"dismissRefused": {run: (*server).cmdDismissRefused},
		"takeAttempt":    {soon: true, run: (*server).cmdTakeAttempt},
		"keep":           {run: (*server).cmdKeep},
		"keepAll":        {run: (*server).cmdKeepAll},
		"undoHunk":       {run: (*server).cmdUndoHunk},
		"undoAll":        {run: (*server).cmdUndoAll},
		"nextHunk":       {run: (*server).cmdNextHunk},
		"previousHunk":   {run: (*server).cmdPreviousHunk},
		"undoTurn":       {run: (*server).cmdUndo},
		"redoTurn":       {run: (*server).cmdRedo},
		"cancel":         {run: (*server).cmdCancel},
		"answer":         {run: (*server).cmdAnswer},
		"showRepoMap":    {place: true, elsewhere: true, settings: true, soon: true, run: (*server).cmdShowRepoMap},
		"refreshRepoMap": {place: true, elsewhere: true, settings: true, soon: true, run: func(s *server, ctx context.Context, c *commandCall) (any, error) {
			c.args.Refresh = true
			return s.cmdShowRepoMap(ctx, c)
		}},
		"switch":       {settings: true, run: (*server).cmdSwitch},
		"showContext":  {place: true, elsewhere: true, settings: true, soon: true, run: (*server).cmdShowContext},
		"commit":       {settings: true, soon: true, run: (*server).cmdCommit},
		"diff":         {settings: true, soon: true, run: (*server).cmdDiff},
		"review":       {settings: true, soon: true, run: (*server).cmdReview},
		"clearReview":  {run: (*server).cmdClearReview},
		"undoCommit":   {settings: true, soon: true, run: (*server).cmdUndoCommit},
		"status":       {settings: true, run: (*server).cmdStatus},
		"doctor":       {settings: true, soon: true, run: (*server).cmdDoctor},
		"reloadConfig": {soon: true, run: (*server).cmdReloadConfig},
		"history":      {settings: true, soon: true, run: (*server).cmdHistory},
		"rewind":       {settings: true, run: (*server).cmdRewind},
		"clear":        {settings: true, run: (*server).cmdClear},
		"reset":        {settings: true, run: (*server).cmdReset},
	}
	for _, c := range coders.Offered() {
		rows[c.Name] = commandRow{place: true, elsewhere: true, settings: true, coder: c.Name, title: c.Title, run: (*server).cmdEdit}
	}
	for _, a := range pipeline.ActionsOf(coders) {
		if a.Run != nil {
			rows[a.ID] = commandRow{place: true, elsewhere: true, settings: true, soon: true, run: sessionCommand(a)}
		}
	}
	return rows
}
