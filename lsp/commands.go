package lsp

import (
	"context"
	"encoding/json"

	"coauthor/agent/command"
	"coauthor/agent/command/arg"
	"coauthor/lsp/hunks"
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
	run   readCommand
}

// readCommand reads the arguments of a command: the fields of its row. What it returns runs the command with them.
type readCommand func(given []json.RawMessage, fields []command.Arg) (runCommand, error)

// runCommand runs a command.
type runCommand func(ctx context.Context, c *commandCall) (any, error)

// with is a function that takes its arguments as a struct, see package arg.
func with[T any](run func(ctx context.Context, c *commandCall, args T) (any, error)) readCommand {
	return func(given []json.RawMessage, fields []command.Arg) (runCommand, error) {
		var args T
		if err := arg.Decode(given, fields, &args); err != nil {
			return nil, err
		}
		return func(ctx context.Context, c *commandCall) (any, error) { return run(ctx, c, args) }, nil
	}
}

// without is a function that needs only the place.
func without(run runCommand) readCommand {
	return func([]json.RawMessage, []command.Arg) (runCommand, error) { return run, nil }
}

// commandRows are the functions behind pipeline.ActionsOf, by the action's id; a test holds the two
// together.
func commandRows(s *server) map[string]commandRow {
	rows := map[string]commandRow{
		"edit":           {place: true, elsewhere: true, settings: true, run: with(s.cmdEdit)},
		"runAction":      {place: true, elsewhere: true, settings: true, soon: true, run: with(s.cmdRunAction)},
		"followUp":       {place: true, settings: true, run: with(s.cmdFollowUp)},
		"openPrompt":     {place: true, elsewhere: true, run: with(s.cmdOpenPrompt)},
		"runPrompt":      {place: true, prompt: true, settings: true, run: without(s.cmdRunPrompt)},
		"fix":            {place: true, elsewhere: true, settings: true, run: with(s.cmdFix)},
		"doComments":     {settings: true, soon: true, run: with(s.cmdDoComments)},
		"apply":          {run: with(s.cmdApply)},
		"resolve":        {settings: true, run: with(s.cmdResolve)},
		"discard":        {run: with(s.cmdDiscard)},
		"showPending":    {soon: true, run: with(s.cmdShowPending)},
		"askAgain":       {place: true, settings: true, run: with(s.cmdAskAgain)},
		"dismissRefused": {run: with(s.cmdDismissRefused)},
		"takeAttempt":    {soon: true, run: with(s.cmdTakeAttempt)},
		"keep":           {run: hunkCommand(s.cmdKeep)},
		"keepAll":        {run: hunksCommand(s.cmdKeep)},
		"undoHunk":       {run: hunkCommand(s.cmdUndoHunks)},
		"undoAll":        {run: hunksCommand(s.cmdUndoHunks)},
		"nextHunk":       {run: without(s.cmdGoToHunk((*hunks.Hunks).Next))},
		"previousHunk":   {run: without(s.cmdGoToHunk((*hunks.Hunks).Previous))},
		"undoTurn":       {run: with(s.cmdUndo)},
		"redoTurn":       {run: with(s.cmdRedo)},
		"cancel":         {run: with(s.cmdCancel)},
		"answer":         {run: with(s.cmdAnswer)},
		"showRepoMap":    {place: true, elsewhere: true, settings: true, soon: true, run: with(s.cmdShowRepoMap)},
		"refreshRepoMap": {place: true, elsewhere: true, settings: true, soon: true, run: with(func(ctx context.Context, c *commandCall, args command.RepoMapArgs) (any, error) {
			args.Refresh = true
			return s.cmdShowRepoMap(ctx, c, args)
		})},
		"switch":       {settings: true, run: with(s.cmdSwitch)},
		"showContext":  {place: true, elsewhere: true, settings: true, soon: true, run: with(s.cmdShowContext)},
		"commit":       {settings: true, soon: true, run: with(s.cmdCommit)},
		"diff":         {settings: true, soon: true, run: with(s.cmdDiff)},
		"review":       {settings: true, soon: true, run: with(s.cmdReview)},
		"clearReview":  {run: without(s.cmdClearReview)},
		"undoCommit":   {settings: true, soon: true, run: without(s.cmdUndoCommit)},
		"status":       {settings: true, run: without(s.cmdStatus)},
		"doctor":       {settings: true, soon: true, run: with(s.cmdDoctor)},
		"reloadConfig": {soon: true, run: without(s.cmdReloadConfig)},
		"history":      {settings: true, soon: true, run: without(s.cmdHistory)},
		"rewind":       {settings: true, run: with(s.cmdRewind)},
		"clear":        {settings: true, run: without(s.cmdClear)},
		"reset":        {settings: true, run: without(s.cmdReset)},
	}
	for _, a := range s.table.actions {
		c, is := a.CoderOf(s.opts.Coders)
		if !is || rows[a.ID].run != nil { // edit is for the one that is in force
			continue
		}
		rows[c.Name] = commandRow{place: true, elsewhere: true, settings: true, coder: c.Name, title: c.Title, run: with(s.cmdEdit)}
	}
	for _, a := range s.table.actions {
		if a.Run != nil {
			rows[a.ID] = commandRow{place: true, elsewhere: true, settings: true, soon: true, run: s.sessionCommand(a)}
		}
	}
	return rows
}
