package prompt

import (
	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/edits"
)

// Input is everything that a prompt is made of. It is not changed.
type Input struct {
	Profile model.Profile
	Coder   coder.Coder
	Format  *edits.Format // nil for a coder without edits

	Rules     []Rule         // to be followed, the most important first
	Optional  []OptionalRule // rules that the model may ask for
	ReadOnly  []File         // to look at
	Manual    []Passage
	Pages     []Page   // of the web, to look at
	Unfetched []string // addresses in the request whose pages are not shown
	Media     []Media  // to look at, for models that see
	Chat      []File   // to change
	Missing   []string // named by the user, not there yet: to be created
	Unshown   []string // open in the editor, left out for their size
	Map       string   // the repository map; "" for none
	Folders   string   // a listing of the project's folders, shown behind the map; "" for none
	Seen      []File   // that tools showed the model; their texts do not stand in the prompt

	Earlier string        // the summary of what was said before Done; "" for none
	Done    []llm.Message // finished exchanges, ending with an answer
	Rounds  []llm.Message // answers and reflections of this turn so far

	Tools       string     // what the model is told of the tools that it has; "" for none
	Finish      bool       // it has a tool to say how far the task is
	Offered     []llm.Tool // sent beside the messages, for which the prompt leaves room
	Note        string     // what became of the last proposal, for the model
	Instruction string
	Focus       *Focus
	Diagnostics []Diagnostic
	Commits     string // the messages of the commits that Diff is made of; "" for none
	Diff        string // changes that the request is about; "" for none

	Around Surroundings
}

// File is a file with its text.
type File struct{ Path, Text string }

// Passage is a part of our own documentation.
type Passage struct{ Name, Heading, Text string }

// Page is a page of the web. Cut says that its end is missing.
type Page struct {
	URL, Title, Text string
	Cut              bool
}

// Rule is a text that says how to work in the project.
type Rule struct {
	File
	Cut   bool // its end is missing
	Shown bool // it is one of the other files, and its text stands there alone
}

// OptionalRule is a rule that is not shown, with what it says of itself.
type OptionalRule struct{ Path, About string }

// Focus is what the user points at. First and Last are lines from 1; both are 0 for a whole file.
type Focus struct {
	Path        string
	First, Last int
	Text        string // the selected text, whole lines
	Partial     string // the selected part of one line; "" when whole lines are selected
}

// Diagnostic is a complaint that the user wants fixed. Line counts from 1.
type Diagnostic struct {
	Path            string
	Line            int
	Message, Source string
}
