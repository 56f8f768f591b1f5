// Package review is what a user sees of a proposal, and how he decides.
//
// Which preview a client gets (View), the diff as a document (DiffDocument), what is said of a proposal
// and of what became of it (Words), the documents in which the user writes an instruction or an answer
// (ParsePrompt) and reads one (AnswerDocument), and how all these are called (Names).
//
// It is given values: a proposal, a snapshot, and of the client what it can do. It knows neither the
// server nor how an edit is delivered. Package lsp calls it. Start at View.
package review
