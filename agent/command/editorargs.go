package command

import "coauthor/agent/command/arg"

// The arguments of the commands that need an editor, but of those whose rows stand in a file of their own.

// AnswerArgs are the arguments of answer.
type AnswerArgs struct {
	QuestionID string `arg:"questionId" doc:"The question ID. Default: the only open question."`
	Choice     string `arg:"choice" doc:"A choice, the start of a choice, {yes} or {no}."`
	Text       string `arg:"text" also:"instruction" bare:"yes" doc:"A choice, or free text if the question accepts it."`
}

// CancelArgs are the arguments of cancel.
type CancelArgs struct {
	TurnID string `arg:"turnId" doc:"The request to stop. Default: all running requests."`
}

// ResolveArgs are the arguments of resolve.
type ResolveArgs struct {
	Selector
	Take string `arg:"take" bare:"yes" values:"both,mine,theirs,again,markers" doc:"What to do. Default: Coauthor asks you."`
}

// ShowPendingArgs are the arguments of showPending.
type ShowPendingArgs struct {
	Selector
	Format string `arg:"format" also:"" setting:"" values:"diff,files" doc:"{diff} shows the change; {files} returns only the file list. Default: {diff}."`
}

// TakeAttemptArgs are the arguments of takeAttempt.
type TakeAttemptArgs struct {
	Attempt    arg.Ref `arg:"attempt" bare:"yes" doc:"The attempt number, starting at 1. Default: Coauthor asks you."`
	Revision   int     `arg:"revision" doc:"The revision that lists the attempts. Default: the newest."`
	TurnID     string  `arg:"turnId"`
	ProposalID string  `arg:"proposalId"`
	Preview    string  `arg:"preview"`
	Folder
}

// AskAgainArgs are the arguments of askAgain.
type AskAgainArgs struct {
	Refused
	Model   string `arg:"model"`
	Preview string `arg:"preview"`
}

// OpenPromptArgs are the arguments of openPrompt.
type OpenPromptArgs struct {
	Kind       string `arg:"kind" bare:"yes" doc:"What to write: an instruction for a coder, a follow-up, or the answer to an open question. Default: {edit}."`
	QuestionID string `arg:"questionId" doc:"The question to answer. Default: the only open one."`
	Place
}

// RunPromptArgs are the arguments of runPrompt.
type RunPromptArgs struct {
	_ string `arg:"uri" doc:"The prompt document. Default: the last focused document."`
}

// RunActionArgs are the arguments of runAction.
type RunActionArgs struct {
	Start
	Name string `arg:"name" doc:"The command name without the slash. Default: Coauthor asks you."`
}

// FollowUpArgs are the arguments of followUp.
type FollowUpArgs struct {
	Instruction string `arg:"instruction" doc:"The follow-up message."`
	TurnID      string `arg:"turnId" doc:"The request. Default: the last one."`
	Model       string `arg:"model"`
	Preview     string `arg:"preview"`
	Folder
}

// TurnArgs are the arguments of undoTurn and redoTurn.
type TurnArgs struct {
	TurnID string `arg:"turnId" doc:"The request. Default: the last one."`
	Folder
}

// RepoMapArgs are the arguments of showRepoMap, and some of them those of refreshRepoMap.
type RepoMapArgs struct {
	Instruction string `arg:"instruction" doc:"The request's instruction."`
	Place
	Files   arg.Files `arg:"files" doc:"Additional files that the model would see."`
	Tokens  int       `arg:"tokens" doc:"Map size in tokens. Default: {repoMap.tokens}."`
	Refresh bool      `arg:"refresh" doc:"Rebuild the map regardless of {repoMap.refresh}."`
}

// SwitchArgs are the arguments of switch.
type SwitchArgs struct {
	Coder       string    `arg:"coder" also:"instruction" bare:"yes" doc:"The default coder for requests."`
	Format      string    `arg:"format"`
	Model       string    `arg:"model" doc:"The main model."`
	WeakModel   string    `arg:"weakModel" doc:"The model for simple tasks."`
	EditorModel string    `arg:"editorModel" doc:"The model that writes the edits for a plan."`
	MapTokens   *int      `arg:"mapTokens" doc:"The repository map size in tokens; 0 sends no map."`
	Files       arg.Files `arg:"files" doc:"Files to add to the chat. The model can change them."`
	ReadOnly    arg.Files `arg:"readOnly" doc:"Read-only files to add to the chat."`
	Drop        arg.Files `arg:"drop" doc:"Files to remove from the chat."`
	Reset       bool      `arg:"reset" doc:"First restore the configured values and remove all files from the chat."`
	Folder
}

// ShowContextArgs are the arguments of showContext.
type ShowContextArgs struct {
	Instruction string `arg:"instruction" doc:"The request's instruction."`
	Place
	Coder    string    `arg:"coder" setting:"turn.coder" doc:"The coder to use. Default: the current coder."`
	Files    arg.Files `arg:"files"`
	ReadOnly arg.Files `arg:"readOnly"`
	Format   string    `arg:"format"`
	Model    string    `arg:"model"`
}

// DoctorArgs are the arguments of doctor.
type DoctorArgs struct {
	Quiet bool `arg:"quiet"`
	Folder
}
