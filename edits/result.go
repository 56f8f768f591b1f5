package edits

import (
	"errors"
	"fmt"

	"coauthor/edits/match"
)

// How an edit came into its file where nothing was searched for.
const (
	RungWhole   match.Rung = "whole" // the file as a whole
	RungCreate  match.Rung = "create"
	RungDelete  match.Rung = "delete"
	RungRename  match.Rung = "rename"
	RungAlready match.Rung = "already" // the replacement stands there already
)

// MaxReply is the longest reply that is read, in bytes.
const MaxReply = 16 << 20

// The reasons of failures and problems: stable codes for machines.
const (
	ReasonNoMatch     = "no-match"    // the text to replace is not in the file
	ReasonAmbiguous   = "ambiguous"   // it is there more than once
	ReasonNoFile      = "no-file"     // the named file does not exist
	ReasonNoName      = "no-name"     // no file name was given
	ReasonExists      = "exists"      // a file to be made or moved to is there already
	ReasonOtherFile   = "other-file"  // the text stands in another file than the named one
	ReasonWrongName   = "wrong-name"  // a new file may be meant to be a shown one
	ReasonExample     = "example"     // the file is one of an example that the model was shown
	ReasonElision     = "elision"     // a comment stands for code that was left out
	ReasonDropped     = "dropped"     // a definition goes that the new text still calls
	ReasonLoss        = "loss"        // too much of a file would go; package loss counts it
	ReasonMalformed   = "malformed"   // the piece does not follow the format
	ReasonUnclosed    = "unclosed"    // the piece has no end
	ReasonControl     = "control"     // the new text holds characters that are no text
	ReasonMarkup      = "markup"      // the new text holds lines that mark edits
	ReasonNoEdits     = "no-edits"    // the reply holds no edit
	ReasonTooLong     = "too-long"    // the reply is beyond MaxReply
	ReasonRefused     = "refused"     // the file may not be touched
	ReasonReadOnly    = "read-only"   // the file may not be written
	ReasonBinary      = "binary"      // the file is no text
	ReasonUndecodable = "undecodable" // the file's bytes do not fit its encoding
	ReasonUnreadable  = "unreadable"  // reading it went wrong
	ReasonNotInChat   = "not-in-chat" // the file was not shown to the model; a rule of agent
)

// Errors that a Files may return (wrapped) and that become the failure of the one edit.
var (
	ErrBinary      = errors.New("the file is binary")
	ErrUndecodable = errors.New("the file cannot be decoded")
	ErrRefused     = errors.New("the path is refused")
	ErrReadOnly    = errors.New("the file is read-only")
)

// Files is what Apply reads through.
type Files interface {
	// Read returns the text of a file; fs.ErrNotExist (wrapped) when there is none.
	Read(path string) (string, error)
	// Exists says whether there is a file at path.
	Exists(path string) bool
}

// Options are what Apply may know beside the edits.
type Options struct {
	Chat []string // the paths of the files that the model was shown, and of new ones that the user named
	// Place says how absolute names are read.
	Place
	// Earlier are the landings of earlier replies of the same turn, in their order: what comes again is
	// no change. Remember has Apply return those of this reply.
	Earlier  []Landing
	Remember bool
	// Examples are the files of the examples in the prompt: the model that makes one has repeated the example.
	Examples []string
	// Asked are the paths of failures with ReasonWrongName in earlier replies of this turn: the model knows that
	// these are no files, and may make them.
	Asked []string
	// Selected are the lines that the user has selected, by path, in the texts that Files gives: of
	// several equal or equally similar places the one among them is meant.
	Selected map[string]Lines
	// Check is asked before an edit of a path is applied, once for a path and operation; an error refuses that edit. An error with
	// a method Reason() string gives the failure its code. Nil allows everything.
	Check func(path string, op Op) error
	// Stop is asked before every edit; once it says yes, the rest is left out and the result is of no use.
	// Nil goes on to the end.
	Stop func() bool
}

// Change is the net effect of a reply on one file.
type Change struct {
	Path          string
	Op            Op
	To            string // for OpRename
	Before, After string
}

// Failure is an edit that was refused.
type Failure struct {
	Edit    int // index of the edit, -1 when a piece never became one
	Path    string
	Reason  string // a stable code, see the Reason constants
	Message string
	Nearest []Candidate
	Already bool   // the replacement is in the file already
	Block   string // the refused instruction, for showing it to the model again
	Listing string // the text of the whole file, where that was refused
	Line    int    // the line of the file that it says itself that it begins in, from 1; 0 where it says none
}

// Renamed says whether one of the edits of a later reply is the refused one under another name, as it was asked for: the
// same instruction or the same text, for a name that was asked about a whole file, for an example any edit.
func (f Failure) Renamed(later []Edit) bool {
	for i := range later {
		e := &later[i]
		switch f.Reason {
		case ReasonExample: // there is nothing of it to come again
			return true
		case ReasonWrongName:
			if e.Kind == KindWhole {
				return true
			}
		case ReasonOtherFile, ReasonNoFile, ReasonNoName:
			if f.Block != "" && e.Block() == f.Block || f.Listing != "" && e.Kind == KindWhole && e.Replace == f.Listing {
				return true
			}
		}
	}
	return false
}

// Candidate is a place that the model may have meant.
type Candidate struct {
	Path string
	Line int // 1-based
	Text string
	Diff string // how the text there differs from what was asked for
}

// Result is what came of a set of edits.
type Result struct {
	Changes  []Change
	Failures []Failure
	Notes    []string
	Reading  []string // how edits were read that were not written as asked; what they change is in no doubt
	Rungs    map[match.Rung]int
	// Similar are the places of edits that landed by match.RungSimilar, with the lines in which they differ and without a Text.
	Similar  []Candidate
	Landings []Landing // where Options.Remember asks for them
	// Listed are existing files whose new text was written out as a whole, under the names that they had then: what such
	// a text lacks was never said.
	Listed []string
}

func tooLong(n int) Problem {
	return Problem{Edit: -1, Reason: ReasonTooLong, First: 1, Last: 1,
		Message: fmt.Sprintf("the reply is %d bytes long, the limit is %d", n, MaxReply)}
}
