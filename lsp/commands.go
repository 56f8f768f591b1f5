package lsp

import (
	"context"
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
	run   func(ctx context.Context, c *commandCall) (any, error)
}

// commandRows are the functions behind pipeline.ActionsOf, by the action's id; a test holds the two
// together.
func commandRows(s *server) map[string]commandRow {
	rows := map[string]commandRow{
		"edit":           {place: true, elsewhere: true, settings: true, run: s.cmdEdit},
		"runAction":      {place: true, elsewhere: true, settings: true, soon: true, run: s.cmdRunAction},
		"followUp":       {place: true, settings: true, run: s.cmdFollowUp},
		"openPrompt":     {place: true, elsewhere: true, run: s.cmdOpenPrompt},
		"runPrompt":      {place: true, prompt: true, settings: true, run: s.cmdRunPrompt},
		"fix":            {place: true, elsewhere: true, settings: true, run: s.cmdFix},
		"doComments":     {settings: true, soon: true, run: s.cmdDoComments},
		"apply":          {run: s.cmdApply},
		"resolve":        {settings: true, run: s.cmdResolve},
		"discard":        {run: s.cmdDiscard},
		"showPending":    {soon: true, run: s.cmdShowPending},
		"askAgain":       {place: true, settings: true, run: s.cmdAskAgain},
		"dismissRefused": {run: s.cmdDismissRefused},
		"takeAttempt":    {soon: true, run: s.cmdTakeAttempt},
		"keep":           {run: s.cmdKeep},
		"keepAll":        {run: s.cmdKeepAll},
		"undoHunk":       {run: s.cmdUndoHunk},
		"undoAll":        {run: s.cmdUndoAll},
		"nextHunk":       {run: s.cmdNextHunk},
		"previousHunk":   {run: s.cmdPreviousHunk},
		"undoTurn":       {run: s.cmdUndo},
		"redoTurn":       {run: s.cmdRedo},
		"cancel":         {run: s.cmdCancel},
		"answer":         {run: s.cmdAnswer},
		"showRepoMap":    {place: true, elsewhere: true, settings: true, soon: true, run: s.cmdShowRepoMap},
		"refreshRepoMap": {place: true, elsewhere: true, settings: true, soon: true, run: func(ctx context.Context, c *commandCall) (any, error) {
			c.args.Refresh = true
			return s.cmdShowRepoMap(ctx, c)
		}},
		"switch":       {settings: true, run: s.cmdSwitch},
		"showContext":  {place: true, elsewhere: true, settings: true, soon: true, run: s.cmdShowContext},
		"commit":       {settings: true, soon: true, run: s.cmdCommit},
		"diff":         {settings: true, soon: true, run: s.cmdDiff},
		"review":       {settings: true, soon: true, run: s.cmdReview},
		"clearReview":  {run: s.cmdClearReview},
		"undoCommit":   {settings: true, soon: true, run: s.cmdUndoCommit},
		"status":       {settings: true, run: s.cmdStatus},
		"doctor":       {settings: true, soon: true, run: s.cmdDoctor},
		"reloadConfig": {soon: true, run: s.cmdReloadConfig},
		"history":      {settings: true, soon: true, run: s.cmdHistory},
		"rewind":       {settings: true, run: s.cmdRewind},
		"clear":        {settings: true, run: s.cmdClear},
		"reset":        {settings: true, run: s.cmdReset},
	}
	for _, c := range s.opts.Coders.Offered() {
		rows[c.Name] = commandRow{place: true, elsewhere: true, settings: true, coder: c.Name, title: c.Title, run: s.cmdEdit}
	}
	for _, a := range s.table.actions {
		if a.Run != nil {
			rows[a.ID] = commandRow{place: true, elsewhere: true, settings: true, soon: true, run: s.sessionCommand(a)}
		}
	}
	return rows
}
