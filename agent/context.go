package agent

import (
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Context is what one round works on: who is asked, in which format, which files the model sees and
// which it may change, and what the rounds before have left. gather makes the first one of a talk, and
// every round ends with the Context of the next.
//
// Invariant: a Context that was handed on is not changed any more; its slices are never appended to in
// place.
type Context struct {
	Request  Request
	Settings settings.Settings
	strategy.Strategy

	Base *workspace.Snapshot // what the user has
	Now  *workspace.Snapshot // Base with the changes of the turn so far

	Chat      []string // files that the model may change
	ReadOnly  []string // files that it sees
	Missing   []string // named by the user, not there yet
	Unshown   []string // open in the editor, left out for lack of room
	Focus     *prompt.Focus
	Map       Map
	Diff      string           // changes that the request is about
	Commits   string           // the messages of its commits
	Note      string           // what became of the last proposal, for the model
	Notes     []event.Note     // what the user should know about the files and the map
	LeftOut   []LeftOut        // what the model could be shown and is not
	Manual    []prompt.Passage // of our own documentation
	Pages     []prompt.Page    // of the web
	Unfetched []string         // addresses that the request names, whose pages are not shown
	Media     []prompt.Media   // images and documents that it sees
	Rules     []prompt.Rule
	Optional  []prompt.OptionalRule // rules that the model may ask for
	Around    prompt.Surroundings

	tools   strategy.ToolForm // how the model is given tools; gather and a refusal decide
	seen    tool.Seen         // what tools showed the model in this talk
	topic   topic             // what the map is drawn for besides the request
	focused string            // the text of the file in focus, which the lines of Focus are of
	named   []string          // in the examples of a job's prompt
	agreed  []string          // protected files that the user let go out in this turn
	offered []string          // files that the user was asked about in this turn
	fetched []string          // addresses of pages that this talk has brought
	edits   editState
}

// editState is what the edits of a turn have come to so far.
type editState struct {
	format   string           // of the last edits; "" when there were none
	landed   []edits.Landing  // in any round
	doubted  []string         // names that are no files and that the model was asked about
	open     []edits.Failure  // of the last round; another round may correct them
	given    []edits.Failure  // given up by the model
	leftOut  bool             // so in its last reply, which was whole
	refused  []edits.Failure  // nothing can correct them
	findings []verify.Finding // of the last look
	verdict  string           // of the last look
	old      []verify.Finding // of the last look: what was there before the changes
	unmet    []string         // of the last look: why it cannot be told whether a goal is reached
	met      []string         // of the last look: the goals that are reached, where all of them are
	tries    prompt.Tries     // what the model was asked about
	listed   []string         // files that replies wrote out as a whole, under their names of then
	held     []lost           // what the model was asked about after the last round; see guard.go
	asked    answers          // what came of that
}

func (s editState) failures() []edits.Failure { return slices.Concat(s.refused, s.given, s.open) }

// effective leaves out changes that change nothing.
func effective(changes []edits.Change) []edits.Change {
	var list []edits.Change
	for _, c := range changes {
		if c.Op != edits.OpUpdate || c.Before != c.After {
			list = append(list, c)
		}
	}
	return list
}

func (c Context) inChat(path string) bool { return slices.Contains(c.Chat, path) }

func (c Context) formatName() string {
	if c.Format == nil {
		return ""
	}
	return c.Format.Name
}

// fits counts a file's text, and says whether it alone leaves the prompt within the room.
func (c Context) fits(path string) (tokens int, ok bool) {
	text, err := c.Now.Read(path)
	if err != nil {
		return 0, true // whoever shows it finds out
	}
	if len(text) <= c.Model.Room { // no token is shorter than a byte
		return 0, true
	}
	tokens = c.Model.Counter.Count(text)
	return tokens, tokens <= c.Model.Room
}

// followed is the focus where its lines stand after the changes so far, with the text that it is of.
func (c Context) followed() (*prompt.Focus, string) {
	if c.Focus == nil {
		return nil, ""
	}
	f := prompt.Focus{Path: c.Focus.Path}
	text, err := c.Now.Read(f.Path)
	if err != nil {
		return &f, ""
	}
	if text == c.focused {
		return c.Focus, text
	}
	at, ok := c.selected()[f.Path]
	lines := strings.SplitAfter(text, "\n")
	if !ok || at.First < 1 || at.First > at.Last || at.Last > len(lines) {
		return &f, text
	}
	f.First, f.Last, f.Text = at.First, at.Last, strings.Join(lines[at.First-1:at.Last], "")
	return &f, text
}
