package lsptest

import (
	"encoding/json"
	"slices"
)

// Log is everything the user saw and the server did. Read it inside Wait or through Log.
type Log struct {
	Messages   []Note           // showMessage
	Logged     []Note           // logMessage
	Dialogs    []*Dialog        // showMessageRequest, in order
	Documents  []Shown          // showDocument
	Progress   []*Progress      // in order of creation
	Edits      []Received       // applyEdit
	Turns      []any            // params of coauthor/turn
	Stream     []any            // params of coauthor/stream
	Drafts     []any            // params of coauthor/draft
	Moved      []any            // params of coauthor/pendingMoved
	Pending    []any            // params of coauthor/pending
	Reviews    []any            // params of coauthor/review
	Questions  []any            // params of coauthor/question
	Inputs     []any            // params of coauthor/inputBox
	Found      map[string][]any // diagnostics that the server told last, by URI
	Previews   int              // edits that the user was shown before they were applied
	Refreshes  int              // codeLens, inlayHint and textDocumentContent refreshes
	Violations []string         // broken rules
	wire       []string
}

// Note is a text the server had shown or logged.
type Note struct {
	Type int // 1 error, 2 warning, 3 info, 4 log
	Text string
}

// Dialog is a showMessageRequest.
type Dialog struct {
	Note
	Actions  []string
	Answered bool
	id       json.RawMessage
}

// Shown is a document the server had brought to the front.
type Shown struct {
	URI     string
	Text    string // as it stood in the buffer when it came to the front
	Success bool
}

// Received is an edit and what this client made of it.
type Received struct {
	Label   string
	Edit    WorkspaceEdit
	Applied bool // whether it was applied, whatever was answered
	Reason  string
}

// Working reports whether a progress runs, or was asked for and is still to begin.
func (l *Log) Working() bool {
	return slices.ContainsFunc(l.Progress, func(p *Progress) bool { return !p.Ended })
}

// note keeps the last messages.
func (l *Log) note(direction string, raw []byte) {
	const keep, width = 24, 360
	line := direction + string(raw)
	if len(line) > width {
		line = line[:width] + "…"
	}
	l.wire = append(l.wire, line)
	if len(l.wire) > keep {
		l.wire = l.wire[len(l.wire)-keep:]
	}
}
