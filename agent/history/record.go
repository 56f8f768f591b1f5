package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"coauthor/agent/event"
)

// Kind says what a record of a transcript tells.
type Kind string

// The kinds of records.
const (
	KindTurn    Kind = "turn"    // an exchange
	KindSummary Kind = "summary" // Text stands for all up to the turn Turn
	KindRewind  Kind = "rewind"  // the turn Turn, and all after it, are taken back
	KindClear   Kind = "clear"   // nothing of what was said before counts any more
)

// Record is one entry of a transcript.
type Record struct {
	Kind    Kind
	Session string    // the conversation that it belongs to
	At      time.Time // when it was written
	Exchange
	Text string // of a summary
	Cut  bool   // it breaks off: what is there of it is what the file has
}

// recordVersion is that of the format below. Records of a later one are passed over.
const recordVersion = 1

// mark begins every line by which a program reads a transcript. A line of what somebody said that begins so,
// behind any number of backslashes, is written with one backslash more.
const mark = "<!-- coauthor:"

// The marks inside and at the end of a record; the one at its start has a head in JSON.
const (
	markReply = mark + " reply -->"
	markEnd   = mark + " end -->"
)

// head is what the first mark of a record holds. JSON writes no > in a text, so that no text ends the mark.
type head struct {
	Version  int       `json:"v"`
	Kind     Kind      `json:"kind"`
	Session  string    `json:"session,omitempty"`
	At       time.Time `json:"at"`
	Turn     string    `json:"turn,omitempty"`
	Number   int       `json:"number,omitempty"`
	Coder    string    `json:"coder,omitempty"`
	Model    string    `json:"model,omitempty"`
	Format   string    `json:"format,omitempty"`
	Proposal string    `json:"proposal,omitempty"`
	Files    []string  `json:"files,omitempty"`
	ReadOnly []string  `json:"readOnly,omitempty"`

	Usage event.Usage `json:"usage,omitzero"`
}

// Encode returns the record as it stands in a transcript: Markdown that a person can read, with its parts
// between marks that Markdown does not show. What Decode reads of it is the same to the byte.
func (r Record) Encode() []byte {
	h := head{Version: recordVersion, Kind: r.Kind, Session: r.Session, At: r.At, Turn: r.Turn, Number: r.Number, Coder: r.Coder,
		Model: r.Model, Format: r.Format, Proposal: r.Proposal, Files: r.Files, ReadOnly: r.ReadOnly, Usage: r.Usage}
	raw, err := json.Marshal(h)
	if err != nil { // strings, numbers and a time of this age can be encoded
		panic(err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s -->\n", mark, raw)
	when := r.At.Format("2006-01-02 15:04")
	switch r.Kind {
	case KindTurn:
		fmt.Fprintf(&b, "## %d. %s\n\n", r.Number, when)
		escape(&b, r.User)
		fmt.Fprintf(&b, "%s\n### %s\n\n", markReply, heading(r.Model))
		escape(&b, r.Reply)
	case KindSummary:
		fmt.Fprintf(&b, "## %s: summary of the conversation so far\n\n", when)
		escape(&b, r.Text)
	case KindRewind:
		fmt.Fprintf(&b, "## %s: rewound to before request %d\n\n", when, r.Number)
	case KindClear:
		fmt.Fprintf(&b, "## %s: new conversation\n\n", when)
	}
	b.WriteString(markEnd + "\n\n")
	return b.Bytes()
}

// heading makes a line of a name.
func heading(name string) string {
	if name = strings.Join(strings.Fields(name), " "); name == "" {
		return "Answer"
	}
	return name
}

// escape writes a text, and an empty line behind it that is not part of it.
func escape(b *bytes.Buffer, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimLeft(line, `\`), mark) {
			b.WriteByte('\\')
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

// Decode reads the records of a transcript, or of any part of one: what stands outside of whole marks is passed
// over, and a record that breaks off, at the end or where another begins, is Cut.
func Decode(text []byte) []Record {
	d := decoder{}
	for len(text) > 0 {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		d.line(string(line), whole)
		text = rest
	}
	d.end(true)
	return d.list
}

// decoder reads a transcript line by line.
type decoder struct {
	list    []Record
	now     *Record  // the record that is being read; nil outside of one
	replied bool     // its reply has begun
	lines   []string // of the part that is being read
	title   int      // how many lines of a heading are still to be passed over
}

// line reads one line. One that is not whole breaks off in the middle, and may be the beginning of a mark.
func (d *decoder) line(line string, whole bool) {
	if strings.HasPrefix(line, mark) && whole {
		d.mark(line)
		return
	}
	switch {
	case d.now == nil:
	case d.title == 2 && line != "" && (strings.HasPrefix(line, "##") || strings.HasPrefix("##", line)):
		d.title = 1
	case d.title > 0 && line == "" && whole:
		d.title = 0
	case !whole && (strings.HasPrefix(mark, line) || strings.HasPrefix(line, mark)):
	default:
		d.title = 0
		if stripped := strings.TrimLeft(line, `\`); len(stripped) < len(line) && strings.HasPrefix(stripped, mark) {
			line = line[1:]
		}
		d.lines = append(d.lines, line)
	}
}

func (d *decoder) mark(line string) {
	line = strings.TrimRight(line, " \t\r") // an editor may have saved the file in its own way
	switch line {
	case markEnd:
		d.end(false)
	case markReply:
		if d.now != nil && d.now.Kind == KindTurn && !d.replied {
			d.now.User, d.replied, d.title = d.part(false), true, 2
		}
	default:
		var h head
		raw, ok := strings.CutSuffix(strings.TrimPrefix(line, mark), "-->")
		if !ok || json.Unmarshal([]byte(raw), &h) != nil || h.Version != recordVersion {
			d.end(true) // whatever it is, the record before it is over
			return
		}
		d.end(true)
		d.now = &Record{Kind: h.Kind, Session: h.Session, At: h.At, Exchange: Exchange{Turn: h.Turn, Number: h.Number, At: h.At,
			Coder: h.Coder, Model: h.Model, Format: h.Format, Proposal: h.Proposal,
			// A list that somebody emptied is none, as Encode writes it.
			Files: append([]string(nil), h.Files...), ReadOnly: append([]string(nil), h.ReadOnly...), Usage: h.Usage}}
		d.title = 2
	}
}

// part is the text since the last mark. A whole one has an empty line behind it.
func (d *decoder) part(cut bool) string {
	n := len(d.lines)
	if n > 0 && (d.lines[n-1] == "" && !cut || cut && strings.HasPrefix(mark, d.lines[n-1])) { // the latter began the next mark
		n--
	}
	text := strings.Join(d.lines[:n], "\n")
	d.lines = nil
	return text
}

// end ends the record that is being read. What breaks off before anything was answered is dropped: nobody can go
// on with it.
func (d *decoder) end(cut bool) {
	r := d.now
	text := d.part(cut)
	d.now = nil
	replied := d.replied
	d.replied = false
	if r == nil {
		return
	}
	r.Cut = cut
	switch r.Kind {
	case KindTurn:
		if r.Reply = text; cut {
			r.Reply = strings.TrimRight(text, "\n")
		}
		if !replied || strings.TrimSpace(r.Reply) == "" || strings.TrimSpace(r.User) == "" {
			return
		}
	case KindSummary:
		if r.Text = text; cut || strings.TrimSpace(text) == "" {
			return // what it stands for is still there
		}
	case KindRewind, KindClear: // the head says all
	default:
		return // of a later program
	}
	d.list = append(d.list, *r)
}
