package annotate

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/edits"
	"coauthor/lsp/document"
)

// The edits that a turn ended without are diagnostics, each at the place that it seems to be meant for, so that the user
// sees where something is missing and can have it asked for again. They follow the text while the user types elsewhere, and
// go with a change of their line, with a discarded proposal, and, once their proposal is decided, with the next request
// whose answer holds edits.

// Rejected is one of them.
type Rejected struct {
	Turn     string
	Number   int    // among the failures of the turn, from 1
	Proposal string // that it is missing in; "" for none
	Path     string
	Line     int // from 0
	Reason   string
	Askable  bool   // the model can be asked for it again
	anchor   string // what stands in that line
	message  string
}

// In says whether it is marked in the lines of a place; a nil range is all of the file.
func (r *Rejected) In(path string, rng *protocol.Range) bool {
	line := uint32(r.Line) //nolint:gosec // a line of a file
	return r.Path == path && (rng == nil || line >= rng.Start.Line && line <= rng.End.Line)
}

// MostRejected is how many edits of one turn are marked: where more were refused, the whole answer is of no use.
const MostRejected = 50

// RejectedText says in one line which edit was refused and why.
func RejectedText(f event.FailureRef) string {
	text := strings.Join(strings.Fields(f.Message), " ")
	if f.Path != "" && !strings.Contains(text, f.Path) {
		text = f.Path + ": " + text
	}
	return text
}

// Reject marks the edits that a turn has ended without, in the files that the user has. What earlier requests left goes,
// unless this one goes on with them: followUp is the turn that it follows, "" for none.
func (m *Marks) Reject(result agent.Result, followUp string) {
	touched := map[string]bool{}
	if followUp == "" && result.HeldEdits {
		for _, one := range m.drop(func(one *Rejected) bool {
			p, ok := m.o.Proposals.Get(one.Proposal)
			return !ok || !p.Pending()
		}) {
			touched[one.Path] = true
		}
	}
	var list []Rejected
	snap := m.o.Workspace.Snapshot()
	for i, f := range result.Failures {
		if f.Path == "" || len(list) == MostRejected {
			continue
		}
		text, err := snap.Read(f.Path)
		if err != nil {
			continue // it is no file of the user's; the message and the diff tell of it
		}
		lines := document.SplitLines(text)
		one := Rejected{Turn: result.Turn, Number: i + 1, Path: f.Path, Line: meantLine(lines, f), Reason: f.Reason, Askable: agent.CanAskAgain(f),
			message: "Not applied: " + RejectedText(event.FailureRef{Path: f.Path, Message: f.Message})}
		one.anchor = lines[one.Line]
		if result.Proposal != nil {
			one.Proposal = result.Proposal.ID
		}
		list = append(list, one)
		touched[f.Path] = true
	}
	m.add(list)
	m.publishSoon(touched)
}

// Rejected returns those for which keep is true; nil keeps all.
func (m *Marks) Rejected(keep func(*Rejected) bool) []Rejected {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Rejected
	for i := range m.rejected {
		if keep == nil || keep(&m.rejected[i]) {
			list = append(list, m.rejected[i])
		}
	}
	return list
}

// Drop takes those away for which gone is true, shows it, and returns them.
func (m *Marks) Drop(gone func(*Rejected) bool) []Rejected {
	dropped := m.drop(gone)
	touched := map[string]bool{}
	for _, one := range dropped {
		touched[one.Path] = true
	}
	m.publishSoon(touched)
	return dropped
}

// Follow has the marks of a file follow its text, which has become another one. It waits for nothing.
func (m *Marks) Follow(path, text string, byUser bool) {
	if path != "" && m.follow(path, text, byUser) {
		m.publishSoon(map[string]bool{path: true})
	}
}

func (m *Marks) add(list []Rejected) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.rejected = append(m.rejected, list...)
	}
}

func (m *Marks) drop(gone func(*Rejected) bool) []Rejected {
	m.mu.Lock()
	defer m.mu.Unlock()
	var dropped, kept []Rejected
	for _, one := range m.rejected {
		if gone(&one) {
			dropped = append(dropped, one)
		} else {
			kept = append(kept, one)
		}
	}
	if len(dropped) > 0 {
		m.rejected = kept
	}
	return dropped
}

// follow moves those of a file with its text. What the user has changed the line of is dropped, since they have seen to it;
// where it was not the user, it stays where it is. It returns whether anything is different now.
func (m *Marks) follow(path, text string, byUser bool) (moved bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !slices.ContainsFunc(m.rejected, func(one Rejected) bool { return one.Path == path }) {
		return false
	}
	lines := document.SplitLines(text)
	m.rejected = slices.DeleteFunc(slices.Clone(m.rejected), func(one Rejected) bool {
		if one.Path != path {
			return false
		}
		_, found := nearestLine(lines, one.anchor, one.Line)
		moved = moved || !found && byUser
		return !found && byUser
	})
	for i := range m.rejected {
		one := &m.rejected[i]
		if one.Path != path {
			continue
		}
		line, found := nearestLine(lines, one.anchor, one.Line)
		if !found {
			line = min(one.Line, len(lines)-1)
			one.anchor = lines[line]
		}
		moved = moved || line != one.Line
		one.Line = line
	}
	return moved
}

// rejectedDiagnostics are those of a file.
func (m *Marks) rejectedDiagnostics(path string) (list []Diagnostic) {
	marks := m.Rejected(func(one *Rejected) bool { return one.Path == path })
	if len(marks) == 0 {
		return nil
	}
	snap := m.o.Workspace.Snapshot()
	for _, one := range marks {
		list = append(list, Diagnostic{Range: m.line(snap, path, one.Line), Severity: protocol.DiagnosticSeverityWarning,
			Source: "coauthor", Code: one.Reason, Message: display.Message(one.message)})
	}
	return list
}

// nearestLine is the line that reads so and is nearest to another one.
func nearestLine(lines []string, want string, near int) (at int, found bool) {
	for d := 0; d <= max(near, len(lines)-1-near); d++ {
		for _, at := range []int{near - d, near + d} {
			if at >= 0 && at < len(lines) && lines[at] == want {
				return at, true
			}
		}
	}
	return 0, false
}

// meantLine is the line of a text that a refused edit seems to be meant for: where the text stands that is nearest to what
// it looked for, else where it says itself, else the first one.
func meantLine(lines []string, f edits.Failure) int {
	guess := f.Line - 1
	for _, c := range f.Nearest {
		if c.Path != "" && c.Path != f.Path {
			continue
		}
		for i, line := range document.SplitLines(c.Text) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			if at, found := nearestLine(lines, line, c.Line-1+i); found {
				return at
			}
			break
		}
		if guess < 0 {
			guess = c.Line - 1
		}
	}
	return max(0, min(guess, len(lines)-1))
}
