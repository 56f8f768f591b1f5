package proposal

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"coauthor/agent/event"
	"coauthor/agent/secret"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// recordVersion is the version of the journal's records that this program writes and reads.
const recordVersion = 1

// RecordKind tells the records apart: those of a delivery, and in pending.go those of a proposal.
type RecordKind string

// An intent is written before anything is sent; a result when something is known of the files.
const (
	RecordIntent RecordKind = "intent"
	RecordResult RecordKind = "result"
)

// Record is one line of a journal.
type Record struct {
	Version  int          `json:"v"`
	Kind     RecordKind   `json:"kind"`
	Delivery string       `json:"delivery"`
	Time     time.Time    `json:"time"`
	Owner    Owner        `json:"owner"`
	Root     string       `json:"root,omitempty"`
	Turn     string       `json:"turn,omitempty"`
	Proposal string       `json:"proposal,omitempty"`
	Revision int          `json:"revision,omitempty"`
	Op       operation    `json:"op,omitempty"`
	Label    string       `json:"label,omitempty"`
	Files    []RecordFile `json:"files,omitempty"`
	// State, Reason, Warnings, Verdict and Created are those of a proposal.
	State    event.ProposalState `json:"state,omitempty"`
	Reason   string              `json:"reason,omitempty"`
	Warnings []string            `json:"warnings,omitempty"`
	Verdict  string              `json:"verdict,omitempty"`
	Created  time.Time           `json:"created,omitzero"`
	// Attempts are those of a proposal, and Attempt is the number of the one that its files are.
	Attempts []recordAttempt `json:"attempts,omitempty"`
	Attempt  int             `json:"attempt,omitempty"`
	Back     []recordBack    `json:"back,omitempty"`
	// Review, Piece and Act are those of a delivery.
	Review bool   `json:"review,omitempty"`
	Piece  bool   `json:"piece,omitempty"`
	Act    string `json:"act,omitempty"`

	taken bool // it lies in a file that was claimed and may be written again
}

// withoutKeys leaves keys out of all that a record says. The texts of files are as they are: they are written again.
func (r *Record) withoutKeys() {
	r.Label, r.Reason, r.Verdict = secret.Without(r.Label), secret.Without(r.Reason), secret.Without(r.Verdict)
	r.Warnings, r.Attempts = slices.Clone(r.Warnings), slices.Clone(r.Attempts)
	for i := range r.Warnings {
		r.Warnings[i] = secret.Without(r.Warnings[i])
	}
	for i := range r.Attempts {
		r.Attempts[i].Label = secret.Without(r.Attempts[i].Label)
	}
}

// RecordFile is one file of a record: its change in an intent or a proposal, its state in a result, the
// decisions on it in a decision.
type RecordFile struct {
	Path   string     `json:"path"`
	Op     edits.Op   `json:"op,omitempty"`
	To     string     `json:"to,omitempty"`
	Before recordText `json:"before,omitzero"`
	After  recordText `json:"after,omitzero"` // in a result: how the editor wrote it, if otherwise
	State  LandState  `json:"state,omitempty"`
	// Encoding is that of a deleted file.
	Encoding workspace.Encoding `json:"encoding,omitempty"`
	// Reversed says that it was taken back, be it by a delivery or by the user's own hand.
	Reversed bool `json:"reversed,omitempty"`
	// Base, Protected, Listed and Done are those of a proposal's file.
	Base      Base             `json:"base,omitzero"`
	Protected bool             `json:"protected,omitempty"`
	Listed    bool             `json:"listed,omitempty"`
	Done      map[int]Decision `json:"done,omitempty"`
	// Kept are the units under review that the user keeps.
	Kept []int `json:"kept,omitempty"`
}

// recordAttempt is a state that a turn came by.
type recordAttempt struct {
	Label    string       `json:"label"`
	Files    []RecordFile `json:"files"`
	Warnings []string     `json:"warnings,omitempty"`
}

// recordOfChange is what a record says of a change.
func recordOfChange(c *edits.Change) RecordFile {
	return RecordFile{Path: c.Path, Op: c.Op, To: c.To, Before: recordText{&c.Before}, After: recordText{&c.After}}
}

// change is the change that a record tells of; ok is false for one that cannot be worked with.
func (f RecordFile) change() (c edits.Change, ok bool) {
	c = edits.Change{Path: f.Path, Op: f.Op, To: f.To, Before: f.Before.value(), After: f.After.value()}
	switch c.Op {
	case edits.OpCreate, edits.OpUpdate, edits.OpDelete:
		return c, c.Path != ""
	case edits.OpRename:
		return c, c.Path != "" && c.To != ""
	}
	return c, false
}

// recordBack says which steps of the record take a file of an earlier delivery back.
type recordBack struct {
	back
	Steps []int `json:"steps"`
}

// recordText is a text that survives JSON even where it is no valid UTF-8.
type recordText struct {
	text *string
}

type rawText struct {
	Base64 string `json:"base64"`
}

// MarshalJSON writes a string, or an object with the bytes in base64.
func (t recordText) MarshalJSON() ([]byte, error) {
	if t.text == nil {
		return []byte("null"), nil
	}
	if utf8.ValidString(*t.text) {
		return json.Marshal(*t.text)
	}
	return json.Marshal(rawText{Base64: base64.StdEncoding.EncodeToString([]byte(*t.text))})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *recordText) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return json.Unmarshal(data, &t.text)
	}
	var raw rawText
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	text, err := base64.StdEncoding.DecodeString(raw.Base64)
	if err != nil {
		return fmt.Errorf("read a text: %w", err)
	}
	s := string(text)
	t.text = &s
	return nil
}

func (t recordText) value() string {
	if t.text == nil {
		return ""
	}
	return *t.text
}

// records writes down in the journal what becomes of the proposals of one root.
type records struct {
	root string
	o    *StoreOptions
}

// intend writes that d is about to be delivered and waits until the disk has it.
func (k *records) intend(d *delivery) error {
	if k.o.Journal == nil {
		return nil
	}
	d.at = k.o.Clock()
	return k.o.Journal.append(k.intent(d))
}

// intent is the record of a delivery that is to be carried out.
func (k *records) intent(d *delivery) Record {
	r := Record{
		Kind: RecordIntent, Delivery: d.id, Time: d.at, Root: k.root,
		Turn: d.turn, Proposal: d.proposal, Revision: d.revision, Op: d.op, Label: d.label, Review: d.review, Piece: d.piece,
	}
	tasks := d.tasks
	if d.piece {
		r.Act, tasks = d.act, d.took // they tell which hunks
	}
	for i := range d.files {
		one := recordOfChange(&d.files[i].change)
		one.Encoding = d.files[i].encoding
		r.Files = append(r.Files, one)
	}
	for _, t := range tasks {
		if t.back != nil {
			r.Back = append(r.Back, recordBack{back: *t.back, Steps: t.steps})
		}
	}
	return r
}

// note writes what is known of a delivery. It is called under mu so that the order of the lines is
// that of the events. A lost result does no harm: the state is found again by looking at the files.
func (k *records) note(d *delivery) {
	if k.o.Journal == nil {
		return
	}
	k.o.Journal.appendLazily(k.result(d, k.o.Clock()))
}

// result is the record of what is known of a delivery. The caller holds mu.
func (k *records) result(d *delivery, at time.Time) Record {
	r := Record{Kind: RecordResult, Delivery: d.id, Time: at}
	for i := range d.files {
		f := &d.files[i]
		one := RecordFile{Path: f.change.Path, State: f.state, Reversed: f.reversed}
		if f.sent != nil {
			one.After = recordText{&f.change.After}
		}
		r.Files = append(r.Files, one)
	}
	return r
}

// replay makes deliveries of records. A file without a result may or may not have arrived.
func replay(records []Record, root string) []*delivery {
	var list []*delivery
	byID := map[string]*delivery{}
	for _, r := range records {
		if r.Kind != RecordIntent || r.Root != root || byID[r.Delivery] != nil {
			continue
		}
		d := &delivery{id: r.Delivery, turn: r.Turn, proposal: r.Proposal, revision: r.Revision, op: r.Op, label: r.Label,
			at: r.Time, seen: r.Time, taken: r.taken, review: r.Review, piece: r.Piece, act: r.Act}
		sound := true
		for _, f := range r.Files {
			c, ok := f.change()
			sound = sound && ok
			d.files = append(d.files, delivered{state: LandUnknown, encoding: f.Encoding, change: c})
		}
		for _, b := range r.Back {
			d.tasks = append(d.tasks, task{back: &b.back, steps: b.Steps})
		}
		if !sound || !d.sound() {
			continue
		}
		d.took = slices.Clone(d.tasks)
		byID[d.id] = d
		list = append(list, d)
	}
	for _, r := range records {
		d := byID[r.Delivery]
		if r.Kind == RecordKept && d != nil {
			d.keepAgain(r)
		}
		if r.Kind != RecordResult || d == nil || len(r.Files) != len(d.files) {
			continue
		}
		d.seen = r.Time
		for i, f := range r.Files {
			d.files[i].state = f.State
			d.files[i].reversed = d.files[i].reversed || f.Reversed
			d.files[i].accept(f.After.text)
		}
	}
	return list
}

// sound says whether a delivery from disk can be worked with.
func (d *delivery) sound() bool {
	if d.id == "" || len(d.label) < len(title(d.op)) {
		return false
	}
	switch d.op {
	case opApply, opUndo, opRedo:
	default:
		return false
	}
	for _, t := range d.tasks {
		if t.back.File < 0 {
			return false
		}
		for _, i := range t.steps {
			if i < 0 || i >= len(d.files) {
				return false
			}
		}
	}
	return true
}
