package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
)

// arguments are the fields that commands take, of all commands together.
type arguments struct {
	URI          string     `json:"uri"`
	Range        *wireRange `json:"range"`
	Version      *float64   `json:"version"`
	Instruction  string     `json:"instruction"`
	Text         string     `json:"text"` // an answer's own words; elsewhere another name of instruction
	Files        []string   `json:"files"`
	ReadOnly     []string   `json:"readOnly"`
	Diagnostics  complaints `json:"diagnostics"`
	Model        string     `json:"model"`
	EditFormat   string     `json:"editFormat"`
	Format       string     `json:"format"`
	Preview      string     `json:"preview"`
	Kind         string     `json:"kind"`
	TurnID       string     `json:"turnId"`
	ProposalID   string     `json:"proposalId"`
	Revision     int        `json:"revision"`
	Hunks        []int      `json:"hunks"`
	File         string     `json:"file"`
	QuestionID   string     `json:"questionId"`
	Choice       string     `json:"choice"`
	Tokens       int        `json:"tokens"`
	Refresh      bool       `json:"refresh"`
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
}

// complaints is a list of diagnostics, or true for those that the client told of the range.
type complaints struct {
	known bool
	list  []wireDiagnostic
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *complaints) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &c.known) == nil {
		return nil
	}
	return json.Unmarshal(raw, &c.list)
}

// readArguments takes them as loosely as people type them: one object, several, bare strings, which
// together are the instruction, or both.
func readArguments(list []json.RawMessage) (arguments, error) {
	var a arguments
	var words []string
	for _, raw := range list {
		var word string
		var several []json.RawMessage
		switch {
		case len(raw) == 0 || string(raw) == "null":
		case json.Unmarshal(raw, &word) == nil:
			words = append(words, word)
		case raw[0] == '{':
			if err := strictly(raw, &a); err != nil {
				return a, err
			}
		case json.Unmarshal(raw, &several) == nil: // an array of arguments within the array of arguments
			inner, err := readArguments(several)
			if err != nil {
				return a, err
			}
			if inner.Instruction != "" {
				words = append(words, inner.Instruction)
			}
		default:
			words = append(words, string(raw)) // a number or a word without quotes
		}
	}
	if a.URI == "" {
		a.URI = a.TextDocument.URI
	}
	if a.Instruction == "" {
		a.Instruction = a.Text
	}
	if len(words) > 0 && a.Instruction == "" {
		a.Instruction = strings.Join(words, " ")
	}
	a.Instruction = strings.TrimSpace(a.Instruction)
	if a.File != "" {
		a.Files = append(a.Files, a.File)
	}
	return a, nil
}

// promptKinds are the prompt documents that there are; the first is the usual one.
var promptKinds = []string{"edit", "ask", "chat", "followUp", kindAnswer}

// kind is which prompt document is meant: a word alone, as one types it behind a command, names it too.
func (a *arguments) kind() string {
	if a.Kind == "" && slices.Contains(promptKinds, a.Instruction) {
		return a.Instruction
	}
	return a.Kind
}

// strictly reads one object. A field of a wrong type is an error here: what a person typed should
// not be half understood.
func strictly(raw []byte, a *arguments) error {
	if err := json.Unmarshal(raw, a); err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the argument is not understood: %v", err)
	}
	return nil
}

// target is the place in a document that a command or a code action is about.
type target struct {
	uri        string
	root       *rootState
	path       string // relative to the root; "" for what is no file of it
	start, end int    // byte offsets; equal when the whole document is meant
	version    int32
	rng        *protocol.Range     // the selection, as the client gave it; nil for none
	unread     *protocol.Range     // a selection in a file that is not open; see find
	unplaced   bool                // only the disk tells which root it has; see find
	snapshot   *workspace.Snapshot // what the user saw
}

// whole reports whether no part of the document was selected.
func (t *target) whole() bool { return t.start == t.end }

// request returns the target in the words of package agent; nil when there is no file.
func (t *target) request() *agent.Target {
	if t.path == "" {
		return nil
	}
	return &agent.Target{Path: t.path, Start: t.start, End: t.end, Version: t.version}
}

// target finds what the arguments are about: the document they name, else the one that the user was
// in last, with the selection of its last code action request. It runs on the goroutine that reads,
// so the text is the one that the user saw.
func (s *server) target(a *arguments) (target, error) {
	if a.URI == "" {
		doc, selection := s.docs.lastFocused()
		if front := s.docs.inFront(); front != nil && (doc == nil || doc.root != front.root) {
			return target{root: front.root, snapshot: front.root.ws.Snapshot()}, nil
		}
		if doc == nil {
			r := s.defaultRoot()
			return target{root: r, snapshot: r.ws.Snapshot()}, nil
		}
		t := s.targetIn(doc, selection)
		if a.Range != nil {
			r := a.Range.protocol()
			t = s.targetIn(doc, &r)
		}
		return t, nil
	}
	doc, open := s.docs.get(a.URI)
	if !open {
		r, path, known := s.locate(a.URI)
		if !known {
			r = s.defaultRoot() // until find has asked
		}
		t := target{uri: a.URI, root: r, path: path, unplaced: !known, snapshot: r.ws.Snapshot()}
		if a.Range != nil && (path != "" || !known) {
			in := a.Range.protocol()
			t.unread = &in
		}
		return t, nil
	}
	if a.Version != nil && version(*a.Version) > doc.Version {
		return target{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "version %v of %s has not arrived yet", *a.Version, a.URI)
	}
	if a.Range == nil {
		return s.targetIn(doc, nil), nil
	}
	r := a.Range.protocol()
	return s.targetIn(doc, &r), nil
}

// find asks the disk for what a target needs of it: its root, where no folder of the editor has it, and the
// text of a file that is not open, for the place of the selection in it. The disk may be slow, so this is
// not for the goroutine that reads.
func (s *server) find(ctx context.Context, t *target) error {
	if t.unplaced {
		r, path, err := s.rootOf(ctx, t.uri)
		if err != nil {
			return err
		}
		t.root, t.path, t.unplaced, t.snapshot = r, path, false, r.ws.Snapshot()
		if doc, open := s.docs.get(t.uri); open && t.unread == nil && doc.Version != t.version {
			return jsonrpc2.Errorf(codeRequestFailed, "%s was changed before its folder was found; run the command again", t.path)
		}
	}
	if t.unread == nil || t.path == "" {
		return nil
	}
	onDisk, err := t.snapshot.Within(ctx).Read(t.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", t.path, err)
	}
	t.start, t.end = s.lines(onDisk).span(*t.unread, s.encoding)
	t.unread = nil
	return nil
}

// targetIn is a place in an open document.
func (s *server) targetIn(doc *document, selection *protocol.Range) target {
	t := target{uri: doc.uri, root: doc.root, path: doc.path, unplaced: doc.unplaced, version: doc.Version, snapshot: doc.root.ws.Snapshot()}
	if selection != nil {
		t.rng = selection
		t.start, t.end = doc.lines.span(*selection, s.encoding)
		if s.quirks.BlockCursor && utf8.RuneCountInString(doc.Text[t.start:t.end]) == 1 {
			t.end = t.start
		}
	}
	return t
}

// pathsIn turns what a user named, URIs or paths, into paths of a root. What lies elsewhere is an
// error that names it.
func (s *server) pathsIn(r *rootState, names []string) ([]string, error) {
	var list []string
	for _, name := range names {
		if !strings.Contains(name, "://") && !strings.HasPrefix(name, "file:") {
			list = append(list, name) // the door checks it
			continue
		}
		in, path, err := s.rootOf(s.ctx, name)
		if err != nil {
			return nil, err
		}
		if in != r || path == "" {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s is no file below %s", name, r.dir)
		}
		list = append(list, path)
	}
	return list, nil
}

// selector names a proposal and what of it is meant.
func (s *server) selector(r *rootState, a *arguments) (proposal.Selector, error) {
	files, err := s.pathsIn(r, a.Files)
	return proposal.Selector{
		Turn: a.TurnID, Proposal: a.ProposalID, Revision: a.Revision, Files: files, Hunks: a.Hunks,
	}, err
}

// oneOfSetting refuses an argument that stands for a setting and is none of its values; "" stands for
// the setting itself.
func oneOfSetting(name, value string) error {
	for _, row := range settings.Rows() {
		if row.Name == name && value != "" && !slices.Contains(row.Enum, value) {
			return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s cannot be %q; choose one of: %s", name, value, strings.Join(row.Enum, ", "))
		}
	}
	return nil
}
