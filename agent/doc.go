// Package agent runs turns: it takes what a user asked, asks a model, and ends in an answer or in a
// proposal.
//
// It knows neither editors nor the wire formats of models: package lsp and the command line start
// turns and are told of them by events, package llm talks to the model, and package proposal keeps
// what a turn proposes. Nothing here writes a file of the user. Start at Engine, Session and Context.
//
// The way of one request:
//
//  1. A code action or a command reaches package lsp (lsp/doc.go tells its part), which knows document, selection
//     and snapshot of the moment, and calls Session.Resolve (resolve.go), which says who answers: a custom command or a
//     slash word is read, the coder is known. Session.Start takes that and returns at once.
//  2. starting (starting.go) takes over files and pending proposal of a turn that is followed up; package strategy decides
//     model by role, and edit format.
//  3. gather (gather.go): each file passes the door of package workspace, consent is asked for one that is
//     protected, the map is drawn (map.go, package mapper) for what the talk is about: a Context.
//  4. assemble (assemble.go) makes the eight chunks of package prompt and fits them: a Prompt.
//  5. Package call streams the answer through package llm, and the edit format's parser reads its edits: a
//     Reply. The model looks around by calls (toolloop.go), and says by one how far the task is.
//  6. settle (settle.go): the door, package edits in memory, files that are asked for (offer.go),
//     the guard against loss (guard.go), the checks of package verify, whose programs package sandbox runs, and what the model
//     must hear (feedback.go):
//     an Outcome.
//  7. The four values are a Round. The coder's Next (package coder, next.go) says what follows: once more
//     with the feedback, on as another coder or model, a question to the user, or the end.
//  8. conclude (conclude.go) adds the exchange to package history and to the transcript (conversation.go), and makes
//     one proposal of all changes, or one after each round (conclude.go). KindEnded ends the turn.
//  9. Package lsp shows the proposal (lsp/review). What the user accepts package proposal rebases on what is
//     there now, writes into its journal, and hands to a Delivery as a plan: lsp/deliver sends workspace edits
//     and believes them when the text is seen to have changed, the command line writes to disk. Undo and redo
//     are plans too, made of the journal for all files of the turn. Each state and each landing is an event
//     (event.Emitters), told once, also after the turn's end.
//
// What a stage reaches beside the values that it is given stands in deps.go.
//
// A root has one Session (session.go): its history, what the user chose for it (package chosen), its turns and
// proposals. It ends with its folder (package lifetime); what waits for a decision then is in the journal, and pends
// again when the folder is opened the next time.
//
// Complaints that the editor's other tools come to make about the changed lines are told by package problems, and fixed by
// another turn (requests.go).
//
// The commands that users have beside requests stand in package command, above this one; what users wrote themselves is
// read by package custom.
//
// What the user allowed in a folder, and the checks that the folder could use, are kept by package consent.
//
// Changes of the user, and accepted turns once they are saved, are committed by package commit (see newSession); the weak
// model writes the message (package weak).
//
// A review is a turn whose request holds changes (requests.go); package codereview reads its answer.
//
// Comments that are marked as instructions are found by package aicomment, and become a request (requests.go).
//
// What was said and done can be taken back to before any turn (conversation.go).
//
// A turn (turn.go) is what these values add up to: rounds, where they have come to, usage, limits. Its fields stand in
// groups, and each group says who may use it; what was said in its rounds is kept, and shortened, by package memory. What
// shows a map or a prompt without sending anything (show.go) calls the same gather and assemble.
package agent
