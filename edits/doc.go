// Package edits turns what a model wrote into new file contents, or says exactly why not.
//
// A format's parser (one folder each, listed in edits/formats) reads a growing reply and yields Edit
// values; Apply finds where each of them belongs and returns one Change per file together with the
// Failure values of those that were refused. Diff, Merge and Inverse work on the changes afterwards.
//
// The package is pure: it opens no file, starts no process and knows neither editors nor models. It
// reads through Files, which agent/workspace implements. It is called by agent (a turn),
// agent/proposal (hunks, rebase, undo) and cmd/coauthor (apply). Start at Edit and Apply.
//
// # Where an edit lands
//
// All formats share one ladder of rungs (ladder in match.go, the names in rungs.go). The strictest
// rung that accepts a place decides. If it accepts several, the edit is refused, unless the format
// tells them apart: the end of the file, a line number that fits exactly, the order of the hunks of
// one file, the scope lines above, a line number that is clearly nearest. What decided is in the
// notes. Lines that stay keep the file's own bytes on every rung.
//
// # What was decided where the formats leave it open
//
//   - An edit that names a file never lands in another one. A name that is no file may stand for the
//     one chat file that it resembles or that holds the old text; without a name as well.
//   - A block without its end marker is refused, but a divider right before a fence stands for one.
//   - Of several lines that may be the divider, the one that makes the longest old text that stands in
//     the file counts. Markers inside markers are refused.
//   - Old lines that are not there, with the new ones already in place, are no change and no failure.
//   - The same edit twice counts once, if there was one place for it.
//   - Lines of dots on both sides stand for lines that stay. With several ways to place the pieces
//     around them, those nearest to a piece with one place count, if the others are clearly farther.
//   - A comment in the place of code ("rest of the code…") is refused.
//   - Taking away a definition that the file, after the whole reply, still calls is refused in
//     languages where a file sees only what it defines or imports.
//   - A hunk that stands nowhere as a whole may be several without a header between them, or lack
//     lines that stay, where it is clear on which side of the gap the new lines belong. A comment that
//     a hunk takes for a line of the file, below a line that is there, is new. A removed line is
//     never made an added one, and never forgotten.
//   - A hunk of new lines only goes below its scope line, to its line number, or to the end of the
//     file. It never replaces the file.
//   - New lines with nothing after them in a hunk are refused where they would part the head of a
//     block from its body.
//   - Adding a file that is there replaces it in V4A, where the operation says so, and is refused in
//     diffs. A move never overwrites a file.
//   - Line ends, a byte order mark and the final newline, or its absence, are those of the file before.
//     An added line ends as most lines of the file do.
//   - A code block that nothing marks as an edit counts only if it is a chat file again as a whole.
//
// # Where this differs from the tools that began the formats
//
// codex ends every updated file with a newline and lets a move overwrite its target; gpt-engineer
// drops a second diff of the same file without a word and takes a removed line at the end of a file
// for removed though it is not there; aider refuses a block without a file name when one file is in
// the chat, and takes the first of several equal places. None of that is done here.
package edits
