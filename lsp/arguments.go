package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/wire"
)

// arguments are the fields that commands take, of all commands together. Which of them a command is
// given says its row; see field.
type arguments struct {
	URI         string
	Range       *document.Range
	Version     *float64
	Instruction string
	Message     string
	Base        string // a commit or a branch
	Text        string // an answer's own words
	Files       names
	ReadOnly    names
	Diagnostics complaints
	Model       string
	EditorModel string
	WeakModel   string
	Coder       string
	Format      string
	MapTokens   *int
	Drop        names
	Reset       bool
	Preview     string
	Kind        string
	TurnID      string
	ProposalID  string
	Revision    int
	Hunks       []int
	Hunk        int    // a refused one
	Request     string // a number in the conversation, or a turn
	Attempt     string // its number
	QuestionID  string
	Take        string // of the two sides of a conflict
	Choice      string
	Name        string // of what is saved
	Effort      string
	Amount      string // a number, or one with a unit
	Search      string
	Answer      string // of a model
	Command     string // for the shell
	URL         string // of a page
	Tokens      int
	Refresh     bool
	Choose      bool // among models
	Quiet       bool // the answer alone
	Clarify     bool
	Lite        bool
	SelfHeal    bool
	Entrypoint  string // what the script is to do
	Images      names
	Pictures    pictures
}

// field returns a pointer to the field that the table of commands calls so; nil for none.
func (a *arguments) field(name string) any {
	return map[string]any{
		"uri": &a.URI, "range": &a.Range, "version": &a.Version,
		"instruction": &a.Instruction, "text": &a.Text, "message": &a.Message, "base": &a.Base,
		"files": &a.Files, "readOnly": &a.ReadOnly, "diagnostics": &a.Diagnostics,
		"model": &a.Model, "weakModel": &a.WeakModel, "editorModel": &a.EditorModel, "coder": &a.Coder,
		"mapTokens": &a.MapTokens, "drop": &a.Drop, "reset": &a.Reset, "format": &a.Format, "preview": &a.Preview, "kind": &a.Kind,
		"turnId": &a.TurnID, "proposalId": &a.ProposalID, "revision": &a.Revision, "hunks": &a.Hunks, "hunk": &a.Hunk,
		"request": &a.Request, "attempt": &a.Attempt, "questionId": &a.QuestionID, "take": &a.Take, "choice": &a.Choice,
		"name": &a.Name, "effort": &a.Effort, "amount": &a.Amount, "search": &a.Search, "answer": &a.Answer, "command": &a.Command, "url": &a.URL,
		"tokens": &a.Tokens, "refresh": &a.Refresh, "choose": &a.Choose, "quiet": &a.Quiet,
		"clarify": &a.Clarify, "lite": &a.Lite, "selfHeal": &a.SelfHeal, "entrypointPrompt": &a.Entrypoint, "images": &a.Images, "pictures": &a.Pictures,
	}[name]
}

// names are files: a list, or one alone. What is read is added.
type names []string

// UnmarshalJSON implements json.Unmarshaler.
func (n *names) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*n = append(*n, one)
		return nil
	}
	var list []string
	err := json.Unmarshal(raw, &list)
	*n = append(*n, list...)
	return err
}

// pictures are images and documents that are no files.
type pictures []struct {
	Name string `json:"name"`
	Data []byte `json:"data"`
}

// asked returns them in the words of package agent.
func (p pictures) asked() (list []agent.Picture) {
	for _, one := range p {
		list = append(list, agent.Picture{Name: path.Base(one.Name), Data: one.Data})
	}
	return list
}

// complaints is a list of diagnostics, or true for those that the client told of the range.
type complaints struct {
	known bool
	list  []document.Diagnostic
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *complaints) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &c.known) == nil {
		return nil
	}
	return json.Unmarshal(raw, &c.list)
}

// readArguments takes the arguments of a command as loosely as people type them: one object, several,
// bare strings, or both. Bare strings together are the field that the row says; fields that are not
// in the row are passed over.
func readArguments(list []json.RawMessage, row []command.Arg) (arguments, error) {
	var a arguments
	words, err := a.read(list, row)
	if err != nil {
		return a, err
	}
	for _, arg := range row {
		if list, ok := a.field(arg.Name).(*names); ok && arg.Bare {
			*list = append(*list, words...)
		}
		text, ok := a.field(arg.Name).(*string)
		if !ok {
			continue
		}
		if arg.Bare && *text == "" {
			*text = strings.Join(words, " ")
		}
		*text = strings.TrimSpace(*text)
		if values := valuesOf(arg); values != nil && *text != "" && !slices.Contains(values, *text) {
			return a, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s cannot be %q; choose one of: %s", arg.Name, *text, strings.Join(values, ", "))
		}
	}
	return a, nil
}

// read takes over the objects of a list and returns its bare strings.
func (a *arguments) read(list []json.RawMessage, row []command.Arg) (words []string, err error) {
	for _, raw := range list {
		var word string
		var several []json.RawMessage
		switch {
		case len(raw) == 0 || string(raw) == "null":
		case json.Unmarshal(raw, &word) == nil:
			words = append(words, word)
		case raw[0] == '{':
			if err := a.object(raw, row); err != nil {
				return nil, err
			}
		case json.Unmarshal(raw, &several) == nil: // an array of arguments within the array of arguments
			inner, err := a.read(several, row)
			if err != nil {
				return nil, err
			}
			words = append(words, inner...)
		default:
			words = append(words, string(raw)) // a number or a word without quotes
		}
	}
	return words, nil
}

// object reads the fields of one object. One of a wrong type is an error here: what a person typed
// should not be half understood.
func (a *arguments) object(raw json.RawMessage, row []command.Arg) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "invalid arguments: %v", err)
	}
	for _, arg := range row {
		into := a.field(arg.Name)
		for _, name := range append([]string{arg.Name}, arg.Also...) {
			value := valueIn(fields, name)
			if value == nil {
				continue
			}
			if number, ok := into.(*string); ok && (number == &a.Request || number == &a.Attempt) && value[0] != '"' && json.Unmarshal(value, new(float64)) == nil {
				*number = string(value)
				break
			}
			if err := json.Unmarshal(value, into); err != nil {
				return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "invalid argument %s: %v", name, err)
			}
			if _, adds := into.(*names); !adds {
				break // what goes under several names is meant by the first
			}
		}
	}
	return nil
}

// valueIn returns what an object has under a name; nil for nothing, which null and an empty string are too.
func valueIn(fields map[string]json.RawMessage, name string) json.RawMessage {
	value := fields[name]
	if name == "textDocument" {
		var document struct{ URI json.RawMessage }
		_ = json.Unmarshal(value, &document) // what is no object names no document
		value = document.URI
	}
	if len(value) == 0 || string(value) == "null" || string(value) == `""` {
		return nil
	}
	return value
}

// valuesOf returns all that a field may be; nil for anything.
func valuesOf(arg command.Arg) []string {
	if arg.Setting == "" {
		return arg.Values
	}
	for _, row := range settings.Rows() {
		if row.Name == arg.Setting {
			return row.Enum
		}
	}
	return nil
}

// target is the place in a document that a command or a code action is about.
type target struct {
	uri        string
	root       *folder.Folder
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
		doc, selection := s.docs.LastFocused()
		if front := s.docs.InFront(); front != nil && (doc == nil || doc.Root != front.Root) {
			return target{root: front.Root, snapshot: front.Root.Workspace.Snapshot()}, nil
		}
		if doc == nil {
			r := s.folders.Default()
			return target{root: r, snapshot: r.Workspace.Snapshot()}, nil
		}
		t := s.targetIn(doc, selection)
		if a.Range != nil {
			r := a.Range.Protocol()
			t = s.targetIn(doc, &r)
		}
		return t, nil
	}
	doc, open := s.docs.Get(a.URI)
	if !open {
		r, path, known := s.folders.Locate(a.URI)
		if !known {
			r = s.folders.Default() // until find has asked
		}
		t := target{uri: a.URI, root: r, path: path, unplaced: !known, snapshot: r.Workspace.Snapshot()}
		if a.Range != nil && (path != "" || !known) {
			in := a.Range.Protocol()
			t.unread = &in
		}
		return t, nil
	}
	if a.Version != nil && document.Version(*a.Version) > doc.Version {
		return target{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "the server has not received version %v of %s yet", *a.Version, a.URI)
	}
	if a.Range == nil {
		return s.targetIn(doc, nil), nil
	}
	r := a.Range.Protocol()
	return s.targetIn(doc, &r), nil
}

// find asks the disk for what a target needs of it: its root, where no folder of the editor has it, and the
// text of a file that is not open, for the place of the selection in it. The disk may be slow, so this is
// not for the goroutine that reads.
func (s *server) find(ctx context.Context, t *target) error {
	if t.unplaced {
		r, path, err := s.folders.Find(ctx, t.uri)
		if err != nil {
			return err
		}
		t.root, t.path, t.unplaced, t.snapshot = r, path, false, r.Workspace.Snapshot()
		if doc, open := s.docs.Get(t.uri); open && t.unread == nil && doc.Version != t.version {
			return jsonrpc2.Errorf(wire.CodeRequestFailed, "%s changed while the server looked up its folder; run the command again", t.path)
		}
	}
	if t.unread == nil || t.path == "" {
		return nil
	}
	onDisk, err := t.snapshot.Within(ctx).Read(t.path)
	if err != nil {
		return fmt.Errorf("read %s: %w", t.path, err)
	}
	t.start, t.end = s.lines(onDisk).Span(*t.unread, s.docs.encoding)
	t.unread = nil
	return nil
}

// targetIn is a place in an open document.
func (s *server) targetIn(doc *folder.Document, selection *protocol.Range) target {
	t := target{uri: doc.URI, root: doc.Root, path: doc.Path, unplaced: doc.Unplaced, version: doc.Version, snapshot: doc.Root.Workspace.Snapshot()}
	if selection != nil {
		t.rng = selection
		t.start, t.end = doc.Lines.Span(*selection, s.docs.encoding)
		if s.client.Quirks.BlockCursor && utf8.RuneCountInString(doc.Text[t.start:t.end]) == 1 {
			t.end = t.start
		}
	}
	return t
}

// selector names a proposal and what of it is meant.
func (a *arguments) selector(t *folder.Table, r *folder.Folder) (proposal.Selector, error) {
	files, err := t.Paths(r, a.Files)
	return proposal.Selector{
		Turn: a.TurnID, Proposal: a.ProposalID, Revision: a.Revision, Files: files, Hunks: a.Hunks,
	}, err
}
