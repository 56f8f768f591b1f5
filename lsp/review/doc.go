// Package review is what a user sees of a proposal, and how it is decided.
//
// A Review shows a proposal in the way that suits the client (Views): as a diff in a document, in the
// client's own preview or in our plug-in's; it asks in a dialog, has the proposal applied or discarded,
// and tells what came of it in Words that hold in this client. Beside it stand the conversation in which
// the user writes an instruction or an answer (ParsePrompt, Origins) and reads what comes of it (Section),
// the documents that are only read (AnswerDocument), and the names of all of them (Names).
//
// It is given values and small interfaces: a proposal's store, a workspace, an Editor, a Delivery. It
// knows neither the server nor how an edit reaches the documents. Package lsp calls it, and gives it
// all that in reviewing.go. Start at Review.
package review
