package lsp

import (
	"slices"
	"strings"
	"sync"

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

// refusedEdit is one of them.
type refusedEdit struct {
	turn     string
	number   int    // among the failures of the turn, from 1
	proposal string // that it is missing in; "" for none
	path     string
	line     int    // from 0
	anchor   string // what stands in that line
	message  string
	reason   string
	askable  bool
}

// refusedEdits are those of all roots. The zero value is ready.
type refusedEdits struct {
	mu   sync.Mutex
	list map[*rootState][]refusedEdit // guarded by mu
}

// in returns those of a root, for which keep is true; nil keeps all.
func (e *refusedEdits) in(r *rootState, keep func(*refusedEdit) bool) []refusedEdit {
	e.mu.Lock()
	defer e.mu.Unlock()
	var list []refusedEdit
	for i := range e.list[r] {
		if keep == nil || keep(&e.list[r][i]) {
			list = append(list, e.list[r][i])
		}
	}
	return list
}

// drop takes those away for which gone is true, and returns them.
func (e *refusedEdits) drop(r *rootState, gone func(*refusedEdit) bool) []refusedEdit {
	e.mu.Lock()
	defer e.mu.Unlock()
	var dropped, kept []refusedEdit
	for _, one := range e.list[r] {
		if gone(&one) {
			dropped = append(dropped, one)
		} else {
			kept = append(kept, one)
		}
	}
	if len(dropped) > 0 {
		e.list[r] = kept
	}
	return dropped
}

// forget takes away those of a root, and returns them.
func (e *refusedEdits) forget(r *rootState) []refusedEdit {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.list[r]
	delete(e.list, r)
	return list
}

// add adds some.
func (e *refusedEdits) add(r *rootState, list []refusedEdit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.list == nil {
		e.list = map[*rootState][]refusedEdit{}
	}
	e.list[r] = append(e.list[r], list...)
}

// follow moves those of a file with its text, which has become another one. What the user has changed the line of is
// dropped, since they have seen to it; where it was not the user, it stays where it is. It returns whether anything is
// different now.
func (e *refusedEdits) follow(r *rootState, path, text string, byUser bool) (moved bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.list[r]) == 0 {
		return false
	}
	var lines []string
	e.list[r] = slices.DeleteFunc(slices.Clone(e.list[r]), func(one refusedEdit) bool {
		if one.path != path {
			return false
		}
		if lines == nil {
			lines = splitLines(text)
		}
		_, found := nearestLine(lines, one.anchor, one.line)
		moved = moved || !found && byUser
		return !found && byUser
	})
	for i := range e.list[r] {
		one := &e.list[r][i]
		if one.path != path {
			continue
		}
		line, found := nearestLine(lines, one.anchor, one.line)
		if !found {
			line = min(one.line, len(lines)-1)
			one.anchor = lines[line]
		}
		moved = moved || line != one.line
		one.line = line
	}
	return moved
}

// splitLines are the lines of a text, without their ends; at least one.
func splitLines(text string) []string {
	lines := strings.Split(text, "\n")
	if n := len(lines); n > 1 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
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
		for i, line := range splitLines(c.Text) {
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

// mostRefused is how many edits of one turn are marked: where more were refused, the whole answer is of no use.
const mostRefused = 50

// markRefused marks the edits that a turn has ended without, in the files that the user has. What earlier requests left goes,
// unless this one goes on with them.
func (s *server) markRefused(r *rootState, result agent.Result, followUp string) {
	touched := map[string]bool{}
	if followUp == "" && result.HeldEdits {
		for _, one := range s.refused.drop(r, func(one *refusedEdit) bool {
			p, ok := r.session.Proposals().Get(one.proposal)
			return !ok || !p.Pending()
		}) {
			touched[one.path] = true
		}
	}
	var list []refusedEdit
	snap := r.ws.Snapshot()
	for i, f := range result.Failures {
		if f.Path == "" || len(list) == mostRefused {
			continue
		}
		text, err := snap.Read(f.Path)
		if err != nil {
			continue // it is no file of the user's; the message and the diff tell of it
		}
		lines := splitLines(text)
		one := refusedEdit{turn: result.Turn, number: i + 1, path: f.Path, line: meantLine(lines, f), reason: f.Reason, askable: agent.CanAskAgain(f),
			message: "Not applied: " + refusedText(event.FailureRef{Path: f.Path, Message: f.Message})}
		one.anchor = lines[one.line]
		if result.Proposal != nil {
			one.proposal = result.Proposal.ID
		}
		list = append(list, one)
		touched[f.Path] = true
	}
	s.refused.add(r, list)
	s.keepMarks(r)
	s.diagnosePaths(r, touched)
}

// dropRefused takes marks away, and shows it.
func (s *server) dropRefused(r *rootState, gone func(*refusedEdit) bool) (dropped []refusedEdit) {
	dropped = s.refused.drop(r, gone)
	touched := map[string]bool{}
	for _, one := range dropped {
		touched[one.path] = true
	}
	s.diagnosePaths(r, touched)
	return dropped
}

// followRefused has the marks of a document follow its text. It waits for nothing.
func (s *server) followRefused(doc *openDocument, byUser bool) {
	r := doc.Root
	if doc.Path == "" || len(s.refused.in(r, func(one *refusedEdit) bool { return one.path == doc.Path })) == 0 {
		return
	}
	if s.refused.follow(r, doc.Path, doc.Text, byUser) {
		s.diagnosePaths(r, map[string]bool{doc.Path: true})
	}
}

// refusedDiagnostics are those of a file.
func (s *server) refusedDiagnostics(r *rootState, path string) []diagnostic {
	marks := s.refused.in(r, func(one *refusedEdit) bool { return one.path == path })
	if len(marks) == 0 {
		return nil
	}
	var list []diagnostic
	snap := r.ws.Snapshot()
	for _, one := range marks {
		list = append(list, diagnostic{Range: document.FromProtocol(s.lineRange(snap, path, one.line)), Severity: protocol.DiagnosticSeverityWarning,
			Source: "coauthor", Code: one.reason, Message: display.Message(one.message)})
	}
	return list
}
