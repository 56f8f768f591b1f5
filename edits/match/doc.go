// Package match finds the place of old lines in a text that does not always have them as they were quoted, and puts the new
// ones there.
//
// A Pattern is what an edit wants, as lines with signs; a Text is a file that is being edited. Locate climbs a ladder of
// rungs (ladder.go, their names in rungs.go), from lines that stand as they are to ever looser ways of comparing them: the
// first rung that accepts a place decides, also when it accepts several. Between these only what the format says can
// choose (Where): the order of the hunks, scope lines, a line number, the end of the file, and the user's selection. Similar
// is for what no rung accepts. Text.Put changes the file: lines that stay keep its own bytes, whatever the rung.
//
// The package knows lines and places; what a reply is, which file is meant and what to say of an edit that is refused is
// for package edits, which alone calls it, but for Distance. Start at Locate.
package match
