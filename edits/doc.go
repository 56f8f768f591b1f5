// Package edits turns what a model wrote into new file contents, or says exactly why not.
//
// A format's parser (one folder each, listed in edits/formats) reads a growing reply and yields Edit
// values; Apply finds where each of them belongs (edits/match) and returns one Change per file together with the
// Failure values of those that were refused. Diff, Merge and Inverse work on the changes afterwards.
//
// The package is pure: it opens no file, starts no process and knows neither editors nor models. It
// reads through Files, which agent/workspace implements. It is called by agent (a turn),
// agent/proposal (hunks, rebase, undo) and cmd/coauthor (apply). Start at Edit and Apply.
//
// # Where an edit lands
//
// All formats share one ladder of rungs (edits/match). The strictest
// rung that accepts a place decides. If it accepts several, the edit is refused, unless the format
// tells them apart: the end of the file, a line number that fits exactly, the order of the hunks of
// one file, the scope lines above, a line number that is clearly nearest. What decided is in the
// notes. Lines that stay keep the file's own bytes on every rung. Of several equal places, or equally
// similar ones, the one in the user's selection is meant.
//
// An edit is located first, then vetted, then put (land.go); the vetoes stand in a list (veto.go). RULES.md names
// the rules of both, with the count of the edits of the corpus that each saves, prevents and costs. A rule stays for
// five edits saved, or for safety; a new one needs a row there.
//
// # What was decided where the formats leave it open
//
//   - Names are whole and compared exactly (edits/name). An edit whose name is no file, or that has none, means
//     the one shown file in which two lines or more of its old text stand exactly and once; one line is enough
//     where the name is the end of that file's path alone. A deletion, a move, an addition or a listing never
//     stands for another file. The rest is refused with the nearest names (names.go).
//   - A new file is asked about once if a shown file in another directory has its name, or half of its lines are
//     those of a shown one. Under a name that is only the end of a shown path none is made. An absolute name below
//     the root is read below it; one outside touches nothing.
//   - What has no end was cut, and is refused, whatever the server says of the end of the reply: a block or a patch
//     without its end marker, a call without its last brace, a listing or a diff whose fence is not closed. A diff in no
//     fence ends with the reply.
//   - New text with characters that are no text is refused (control.go).
//   - Of several lines that may be the divider, the one that makes the longest old text that stands in
//     the file counts. Markers inside markers are refused.
//   - Old lines that are not there, with the new ones in place since before the reply, are no change
//     and no failure. What an earlier edit of the reply made does not count as that.
//   - The same edit twice counts once, if there was one place for it. New lines below a scope line that
//     stands several times go to the next place then.
//   - Lines of dots on both sides stand for lines that stay. With several ways to place the pieces
//     around them, those nearest to a piece with one place count, if the others are clearly farther or
//     if it makes no difference. Dots between old lines that go stand for lines that the new text has, each
//     of them. New lines beyond dots at an end are refused.
//   - Where the old lines were moved in or out, the new ones are moved by the same, but not if they are
//     as deep as the file already. If some are and some are not, the edit is refused.
//   - A block with a sign before every line is a piece of a diff, also where it would stand in the file
//     one blank further in.
//   - A new line that is only a comment and begins or ends with dots ("rest of the code…"), in any language, is
//     refused if more code goes around it than comes; else it is told. What a comment without dots leaves out is for
//     the guard against loss.
//   - Line numbers that the old lines have and the file does not are taken off the new ones too. Typographic
//     characters that the old lines have for plain ones of the file are refused in new ones.
//   - A listing counts only below its name (edits/wholefile). A first line that is only a comment with the file's
//     path is no content, unless the file has it.
//   - Taking away a definition that the file, after the whole reply, still calls is refused in
//     languages where a file sees only what it defines or imports, if nothing in it can bring the name.
//   - A hunk that stands nowhere as a whole may be several without a header between them, or lack
//     lines that stay, where it is clear on which side of the gap the new lines belong: in the place of
//     removed ones that are as many and as deep. A comment that a hunk takes for a line of the file,
//     below a line that is there, is new, unless one of the file is nearly the same. A removed line is
//     never made an added one, and never forgotten.
//   - A hunk of new lines only goes below its scope line, to its line number, or to the end of the
//     file. It never replaces the file. One whose header says that no line stands before it ("-0,0") goes
//     above the first if the numbers of the file's other hunks are right, and is refused otherwise: it
//     takes the file for an empty one.
//   - New lines with nothing after them in a hunk are refused where they would part the head of a
//     block from its body.
//   - A line that differs is a typo only if it is no other line of the file, and if it has no name in the
//     place of another one that the file has elsewhere.
//   - Adding a file that is there replaces it in V4A, where the operation says so. In diffs it is
//     refused, unless the file is blank or the same. A move never overwrites a file.
//   - Line ends, a byte order mark and the final newline, or its absence, are those of the file before,
//     but for the mark "No newline at end of file" on one side of a hunk only, and for V4A hunks that
//     leave no line. A new line ends as the one whose place it takes, else as the one above it.
//   - Emptying a file is an edit like any other. Whether a change takes too much of a file away is counted apart, over
//     all files and rounds (edits/loss).
//   - A reply is read in the form in which it is written, whatever was asked for, also where it mixes two
//     (edits/auto).
//   - A code block that nothing marks as an edit counts, where none was asked for, only as a new file below its
//     name, or if half of the lines of a file stand in it and it stands below the file's name or alone.
//   - Lines that mark edits are no content: new text that has some is refused, but where the file has such
//     lines, is of a kind that is made of them, or they stand in a literal of several lines.
//   - An edit of another file than the name of the fence around it is shown there, and asked about (edits/auto).
//   - What landed in an earlier reply of the same turn and comes again, once or more often, is no change,
//     unless the file is again as it was before, or there are more places.
//
// # Where this differs from the tools that began the formats
//
// codex ends every updated file with a newline, takes the first of several equal places and lets a
// move overwrite its target, which would lose a file that the reply does not name as gone.
// gpt-engineer drops a second diff of the same file without a word (here it is applied on the result
// of the first), takes a removed line at the end of a file for removed though it is not there, and
// replaces a file by a hunk of new lines only. aider refuses a block without a file name when one file
// is in the chat, takes the first of several equal places in a block and all of them in a udiff, tries
// a failed block on other files, ends a text at a line of equals signs and lets a block without its end
// swallow the next one. None of that is done here.
package edits
