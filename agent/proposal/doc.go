// Package proposal keeps what a turn wants to change until the user has decided, and takes it back
// when the user changes their mind.
//
// A Store holds the proposals of one root: their hunks and revisions, which of them are meant by an
// incomplete command, what was accepted and discarded. Its Sent tells what was delivered and seen to
// land, its Reviews what of that the user has still to look at; all three share one ledger. Accepting
// rebases a proposal on what the user has now by a three-way merge, writes a journal record, and hands
// a plan to a Delivery. Undo and redo go the same way with the changes turned round.
//
// It knows neither editors nor disks: package lsp delivers through workspace/applyEdit, the command
// line through the one door to files. It may write nothing but its journal. Package agent adds
// proposals, packages lsp and cmd apply them. The main type is Store.
package proposal
