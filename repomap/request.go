package repomap

// Request says what a map is for. The zero value of every field but Budget and Counter is legal.
type Request struct {
	Chat            []string          // files the model sees in full; they are not in the map
	MentionedFiles  []string          // paths that the message names
	MentionedIdents []string          // identifiers that the message names
	Message         string            // what the user asked
	Besides         string            // what else was said that the map is to serve: all of it counts as much as the message at most
	Earlier         []string          // what was asked before, the newest first: each counts as far as all before it say too little
	Selection       *Selection        // where the user's cursor is
	Budget          int               // tokens; 0 or less gives an empty map
	Counter         Counter           // nil counts four characters as one token
	Previous        string            // the map of the turn before
	Recent          []string          // files open or edited lately, most recent first
	Overlays        map[string]string // path -> text of unsaved documents
	Hidden          func(string) bool // paths that the map must not show, whatever the index holds; nil hides none
	Without         []string          // names of signals to leave out, to measure what each of them brings
}

// Selection is a range of lines, 0-based and inclusive.
type Selection struct {
	Path        string
	First, Last int
}

// Map is the answer: a text that is ready for a prompt, and how it came about.
type Map struct {
	Text       string       `json:"text"`
	Tokens     int          `json:"tokens"`     // by the request's counter
	Complete   float64      `json:"complete"`   // share of the repository's files that the index had read, 0 to 1
	Generation uint64       `json:"generation"` // of the index that answered
	Listing    uint64       `json:"-"`          // changes when files come, go or get other names
	Files      []RankedFile `json:"files"`      // best first; those in the text and the next ones after them
}

// RankedFile is one file with its score and why it has it.
type RankedFile struct {
	Path    string   `json:"path"`
	Score   float64  `json:"score"`
	Shown   bool     `json:"shown"`           // it is in the text
	Names   []string `json:"names,omitempty"` // its definitions that the text shows
	Signals []Signal `json:"signals"`
}

// Signal is one addend of a score, Value times Weight: Value is scaled to 0..1 where the table says so.
type Signal struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}
