// Package edits turns what a model wrote into new file contents, or says exactly why not.
//
// A format's parser (one folder each, listed in edits/formats) reads a growing reply and yields Edit
// values; Apply finds where each of them belongs and returns one Change per file together with the
// Failure values of those that were refused. Diff, Merge and Inverse work on the changes afterwards.
//
// The package is pure: it opens no file, starts no process and knows neither editors nor models. It
// reads through Files, which agent/workspace implements. It is called by agent (a turn),
// agent/proposal (hunks, rebase, undo) and cmd/coauthor (apply). Start at Edit and Apply.
package edits
