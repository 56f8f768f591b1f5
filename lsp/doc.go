// Package lsp is the language server that editors talk to. It and what lies below its folder alone
// speak the protocol.
//
// It turns what a client sends into calls of package agent, and what a turn tells into progress,
// documents, questions and edits in the form that this client understands. It knows neither models nor
// edit formats, and below it nobody knows URIs or positions. It never writes a file of the user: edits
// go through workspace/applyEdit. Package cmd calls Serve. A connection is a server (server.go): its fields
// are what it remembers, each with its own type where it has a state of its own, and a handler is a method.
//
// What the client can do, and what it does other than it says, are values of package client, by which
// nothing is asked of it that it cannot do. Every request of the client is answered within a second.
//
// The way of one request, from the code action to the undo:
//
//  1. Package wire frames each message, skips what is broken, and runs notifications in wire order on the
//     goroutine that reads: text_sync.go applies the user's changes to the documents of package document.
//  2. textDocument/codeAction: what it is asked about is captured in that order, too (code_action.go);
//     package codeaction chooses among the rows of its table. Nothing is waited for.
//  3. workspace/executeCommand: captureCommand (execute_command.go) reads the arguments (agent/command/arg) and takes the
//     snapshot of the moment; the row in commands.go says which function runs.
//  4. cmdEdit (command_turn.go) makes the agent's request, and the session says who answers it. Without an
//     instruction the user is asked for one, in an input box or in a document (promptdoc.go, review.Prompts).
//  5. start (starting.go) has the session start the turn, and the command is answered. The turn runs behind
//     it on a context of its own: agent/doc.go tells its way.
//  6. Package turnview makes progress and notifications of its events, tells the conversation what it says
//     (package chat), and puts its questions to the user.
//  7. At its end a proposal is a review.Review's: it shows the diff in the way of this client and asks in a
//     dialog (package present). coauthor/pending tells the rest (package pending).
//  8. What is accepted, in the dialog or by command (command_apply.go), the folder's decide.Decisions give to a
//     deliver.Applier. Package proposal rebases it on what the client has now and writes it into the journal.
//  9. The Applier asks where consent is needed, sends the edits as this client takes them, and believes what
//     text_sync.go then has of the documents. Review.Report tells the outcome; late.go of package decide
//     where it comes late.
//  10. Undo and redo are plans that package proposal makes of the journal, over all files of the turn, and go
//     the way of 8 and 9 (Decisions.Undo).
//
// What a review found, the hunks that were refused and those under review stand at their lines as long as their
// folder is open: package annotate has the marks of a folder. Package hunks finds those under review that the user
// keeps, undoes or goes to.
//
// When the client hangs up, every turn ends, and what waits for a decision waits in the journal.
package lsp
