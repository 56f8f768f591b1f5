package edits

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"coauthor/edits/match"
)

// Op says what an edit or a change does to its file.
type Op string

// The operations. OpRename may change the content as well.
const (
	OpUpdate Op = "update"
	OpCreate Op = "create"
	OpDelete Op = "delete"
	OpRename Op = "rename"
)

// Ending says how a reply came to its end.
type Ending string

// A reply that Ended was finished by the model; one that was Cut stopped in the middle, because the
// stream broke or a length limit was hit.
const (
	Ended Ending = "ended"
	Cut   Ending = "cut"
)

// Kind says which fields of an Edit carry its instruction.
type Kind string

// The kinds of edits.
const (
	KindReplace Kind = "replace" // Search is replaced by Replace
	KindWhole   Kind = "whole"   // Replace is the whole new text
	KindHunk    Kind = "hunk"    // Chunks, in file order
	KindDelete  Kind = "delete"  // the file goes away
	KindRename  Kind = "rename"  // the file moves to To, with Chunks where there are any
)

// Edit is one parsed instruction for one file. All formats share it.
type Edit struct {
	Index int    // position in the reply, from 0
	Path  string // as the model wrote it, decoration removed; "" when none was given
	Op    Op     // what the reply says; OpUpdate also stands for "create if it is not there"
	To    string // rename target
	From  string // another name that the reply gives the file ("--- name"), "" when there is none
	Kind  Kind

	Search, Replace string  // whole lines, in the line ends of the reply
	Splits          []Split // other ways to cut the block, with ever longer Search
	Chunks          []Chunk // for KindHunk and KindRename

	Listing bool // the new text was written as a listing, whose first line may be the file's name

	First, Last int    // 1-based source lines in the reply
	Note        string // what the parser had to assume
}

// Split is one way to cut a block whose divider is also a line of its content.
type Split struct{ Search, Replace string }

// Chunk is one hunk of a diff-like format: old and new lines and what narrows its place.
type Chunk struct {
	Scopes []string // lines that precede the place, one after the other ("@@ func f")
	Line   int      // 1-based first old line by the header, 0 when it has none
	AtEnd  bool     // the chunk says that it ends the file
	AtTop  bool     // its header says that no line stands before it: "-0,0", as where a file has no lines
	Ends   bool     // in its format every line has an end, so also the last one of a file
	Lines  []match.Line
	First  int // 1-based source line in the reply
}

// Problem is a piece of the reply that is no usable edit. Apply turns it into a Failure.
type Problem struct {
	Edit        int // index of the edit that it withdraws, -1 for none
	Path        string
	Reason      string // a stable code, see the Reason constants
	Message     string
	First, Last int    // 1-based source lines in the reply
	Listing     string // the text of a listing without a name, by which it is known when it comes again under one
}

// Parser reads a growing reply.
type Parser interface {
	// Write takes the next piece and returns the edits that it completed. They are provisional:
	// only what Close returns may be applied. The list is the parser's own, and good until the
	// next call.
	Write(piece string) []Edit
	// Close ends the reply and returns the closed set. The parser must not be used afterwards.
	Close(how Ending) ([]Edit, []Problem)
}

// ParseOptions are what a parser may know beside the reply.
type ParseOptions struct {
	Fence Fence    // the fence that the prompt asked for; zero means three backticks
	Chat  []string // the paths of the chat files
	// Place says how absolute names are read.
	Place
	// Files, where it is given, says which names are files, and lets a parser see whether a code block that nothing else marks as an
	// edit is a chat file again as a whole. Without it such a block is none.
	Files Files
	// Language is the language of a file, or that of the word behind a fence; "" for one that nobody knows. Nil
	// knows none.
	Language func(word string) string
}

// Known says whether a path is a file of the project, or one that the user named.
func (o ParseOptions) Known(path string) bool {
	return slices.Contains(o.Chat, path) || o.Files != nil && o.Files.Exists(path)
}

// Example is one exchange that teaches a format. User and Assistant are templates like the rules.
type Example struct {
	User, Assistant string
	Before, After   map[string]string // the files around it, by path
	// Small says that it is the one for small models, which see it alone and below its files, put as their own will be:
	// they learn the form from it, and take its words for those of the answer.
	Small bool
	// Tool is the tool whose call the reply is; "" where it is text.
	Tool string
}

// Format is a row of the table of edit formats (edits/formats).
type Format struct {
	Name string
	New  func(ParseOptions) Parser
	// Rules and Reminder are text/template sources over .Fence, .Full for models that need not be spared words, .Short for small
	// ones, .Small for those of them that see the example for small ones, .Tool, the name of the tool whose call is forced, and
	// .Numbers for who is shown the numbers of lines.
	Rules, Reminder string
	Examples        []Example
	Tools           []Tool // for a format that is the arguments of one call: the tools, one of which is forced
}

// Tool is a function that the model is forced to call. The arguments are its reply.
type Tool struct {
	Name, Description string
	Parameters        json.RawMessage // a JSON schema
	Whole             bool            // it takes whole files
}

// ShapePath stands for the name of a file in what shows the shape of an edit. It is no path: a small model that is shown one
// takes its folders over, and of "path/to/file" it makes "path/to/util.js".
const ShapePath = "the path of the file"

// For returns the format for a model that does best with whole files, or not: of the tools it has the one that writes so.
func (f Format) For(whole bool) Format {
	if i := slices.IndexFunc(f.Tools, func(t Tool) bool { return t.Whole == whole }); i >= 0 {
		f.Tools = f.Tools[i : i+1]
	}
	return f
}

// Tool is the name of the tool whose call a reply is; "" where it is text.
func (f Format) Tool() string {
	if len(f.Tools) == 0 {
		return ""
	}
	return f.Tools[0].Name
}

// ExampleFiles are the names that the examples and the shape of an edit give to files. Weak models repeat them.
func (f Format) ExampleFiles() []string {
	names := map[string]bool{}
	if strings.Contains(f.Rules, ShapePath) {
		names[ShapePath] = true
	}
	for _, e := range f.Examples {
		for name := range e.Before {
			names[name] = true
		}
		for name := range e.After {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Parse reads a whole reply.
func Parse(f Format, reply string, how Ending, o ParseOptions) ([]Edit, []Problem) {
	if len(reply) > MaxReply {
		return nil, []Problem{tooLong(len(reply))}
	}
	p := f.New(o)
	p.Write(reply)
	return p.Close(how)
}
