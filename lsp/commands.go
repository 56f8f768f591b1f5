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
func commandRows(s *commands) map[string]commandRow {
	turn, apply, hunk := &turnCommands{s}, &applyCommands{s.decisions}, &hunkCommands{s.decisions}
	refused, reviews := &refusedCommands{s.runner}, &reviewCommands{s.runner}
	git, history := &gitCommands{s.window}, &historyCommands{s.window}
	status, about := &statusCommands{s.window}, &contextCommands{s.window}
	rows := map[string]commandRow{
		"edit":           {place: true, elsewhere: true, settings: true, run: turn.cmdEdit},
		"runAction":      {place: true, elsewhere: true, settings: true, soon: true, run: turn.cmdRunAction},
		"followUp":       {place: true, settings: true, run: turn.cmdFollowUp},
		"openPrompt":     {place: true, elsewhere: true, run: turn.cmdOpenPrompt},
		"runPrompt":      {place: true, prompt: true, settings: true, run: turn.cmdRunPrompt},
		"fix":            {place: true, elsewhere: true, settings: true, run: turn.cmdFix},
		"doComments":     {settings: true, soon: true, run: turn.cmdDoComments},
		"apply":          {run: apply.cmdApply},
		"resolve":        {settings: true, run: apply.cmdResolve},
		"discard":        {run: apply.cmdDiscard},
		"showPending":    {soon: true, run: apply.cmdShowPending},
		"askAgain":       {place: true, settings: true, run: refused.cmdAskAgain},
		"dismissRefused": {run: refused.cmdDismissRefused},
		"takeAttempt":    {soon: true, run: apply.cmdTakeAttempt},
		"keep":           {run: hunk.cmdKeep},
		"keepAll":        {run: hunk.cmdKeepAll},
		"undoHunk":       {run: hunk.cmdUndoHunk},
		"undoAll":        {run: hunk.cmdUndoAll},
		"nextHunk":       {run: hunk.cmdNextHunk},
		"previousHunk":   {run: hunk.cmdPreviousHunk},
		"undoTurn":       {run: apply.cmdUndo},
		"redoTurn":       {run: apply.cmdRedo},
		"cancel":         {run: turn.cmdCancel},
		"answer":         {run: turn.cmdAnswer},
		"showRepoMap":    {place: true, elsewhere: true, settings: true, soon: true, run: about.cmdShowRepoMap},
		"refreshRepoMap": {place: true, elsewhere: true, settings: true, soon: true, run: func(ctx context.Context, c *commandCall) (any, error) {
			c.args.Refresh = true
			return about.cmdShowRepoMap(ctx, c)
		}},
		"switch":       {settings: true, run: about.cmdSwitch},
		"showContext":  {place: true, elsewhere: true, settings: true, soon: true, run: about.cmdShowContext},
		"commit":       {settings: true, soon: true, run: git.cmdCommit},
		"diff":         {settings: true, soon: true, run: git.cmdDiff},
		"review":       {settings: true, soon: true, run: reviews.cmdReview},
		"clearReview":  {run: reviews.cmdClearReview},
		"undoCommit":   {settings: true, soon: true, run: git.cmdUndoCommit},
		"status":       {settings: true, run: status.cmdStatus},
		"doctor":       {settings: true, soon: true, run: status.cmdDoctor},
		"reloadConfig": {soon: true, run: status.cmdReloadConfig},
		"history":      {settings: true, soon: true, run: history.cmdHistory},
		"rewind":       {settings: true, run: history.cmdRewind},
		"clear":        {settings: true, run: history.cmdClear},
		"reset":        {settings: true, run: history.cmdReset},
	}
	for _, c := range s.opts.Coders.Offered() {
		rows[c.Name] = commandRow{place: true, elsewhere: true, settings: true, coder: c.Name, title: c.Title, run: turn.cmdEdit}
	}
	for _, a := range s.actions {
		if a.Run != nil {
			rows[a.ID] = commandRow{place: true, elsewhere: true, settings: true, soon: true, run: s.sessionCommand(a)}
		}
	}
	return rows
}
