package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// A prompt document is how an instruction is written in an editor that has no input box: a markdown
// file below .coauthor whose head says what it is about and whose body is the instruction. The
// server remembers the exact selection and follows it through later edits; the head is for the user,
// who may change it, and for a server that was started anew.

// promptName matches the documents' names.
var promptName = regexp.MustCompile(`^\.coauthor/prompt-[0-9]+\.md$`)

// isPromptDocument reports whether a path of a root is a prompt document.
func isPromptDocument(path string) bool { return promptName.MatchString(path) }

// promptHead is the front matter.
type promptHead struct {
	File      string   `yaml:"file,omitempty"`
	Selection string   `yaml:"selection,omitempty"`
	Version   int32    `yaml:"version,omitempty"`
	Files     []string `yaml:"files,omitempty"`
	Coder     string   `yaml:"coder,omitempty"`
	Model     string   `yaml:"model,omitempty"`
	FollowUp  string   `yaml:"followUp,omitempty"`
}

// promptOrigin is what a prompt document was opened for.
type promptOrigin struct {
	head       promptHead
	text       string // of the file, when the selection was made
	start, end int    // byte offsets in text
	question   string // id of the question that it answers; "" for an instruction
}

// prompts remembers the origins by root and path. The zero value is ready.
type prompts struct {
	mu     sync.Mutex
	origin map[string]promptOrigin // guarded by mu
	order  []string                // guarded by mu; oldest first
}

// keptPrompts bounds the texts that are remembered.
const keptPrompts = 32

func (p *prompts) put(r *rootState, path string, o promptOrigin) {
	key := r.dir + "\x00" + path
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.origin == nil {
		p.origin = map[string]promptOrigin{}
	}
	if _, known := p.origin[key]; !known {
		p.order = append(p.order, key)
	}
	p.origin[key] = o
	if len(p.order) > keptPrompts {
		delete(p.origin, p.order[0])
		p.order = p.order[1:]
	}
}

func (p *prompts) get(r *rootState, path string) (promptOrigin, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.origin[r.dir+"\x00"+path]
	return o, ok
}

// promptDocument is a document that was made for the user to write in, and is still to be opened.
type promptDocument struct {
	uri, abs string
	line     int // on which the user begins
}

// openPrompt makes a prompt document for a target.
func (s *server) openPrompt(r *rootState, t target, kind string) (doc promptDocument, err error) {
	if r.dir == "" {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "a prompt document needs a workspace folder: open a folder or a saved file first")
	}
	o := promptOrigin{head: promptHead{Coder: "code"}}
	switch kind {
	case kindAsk:
		o.head.Coder = "ask"
	case kindFollowUp:
		o.head.Coder = ""
		o.head.FollowUp = s.turnToFollow(r)
		if o.head.FollowUp == "" {
			return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "there is no turn to go on with")
		}
	}
	if t.path != "" && t.root == r && !isPromptDocument(t.path) && o.head.FollowUp == "" {
		o.head.File, o.head.Version = t.path, t.version
		if !t.whole() && t.snapshot != nil {
			if o.text, err = t.snapshot.Read(t.path); err != nil {
				return doc, fmt.Errorf("read %s: %w", t.path, err)
			}
			o.start, o.end = t.start, t.end
			o.head.Selection = place(o.text, o.start) + "-" + place(o.text, o.end)
		}
	}
	return s.makePrompt(r, o, promptHint)
}

// The kinds of prompt documents: for an instruction, a question, what follows a turn, and the answer to
// a question of a turn.
const (
	kindEdit     = "edit"
	kindAsk      = "ask"
	kindFollowUp = "followUp"
	kindAnswer   = "answer"
)

// answerDocument makes a document for the answer to a question; "" is the only one that is open.
func (s *server) answerDocument(id string) (doc promptDocument, err error) {
	o, err := s.questions.find(id)
	if err != nil {
		return doc, err
	}
	if o == nil {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "no question is open")
	}
	return s.openAnswer(o.root, &o.Question)
}

// openAnswer makes a document for the answer to a question.
func (s *server) openAnswer(r *rootState, q *event.Question) (doc promptDocument, err error) {
	if r == nil || r.dir == "" {
		return doc, jsonrpc2.Errorf(wire.CodeRequestFailed, "a document for the answer needs a workspace folder")
	}
	hint := "# " + cut(q.Text, 400) + "\n# Write the answer below the second line of dashes, then choose the code action\n" +
		"# \"Coauthor: run this instruction\" or run the command coauthor.runPrompt.\n"
	if len(q.Choices) > 0 {
		hint += "# The choices are: " + strings.Join(q.Choices, ", ") + ".\n"
	}
	return s.makePrompt(r, promptOrigin{question: q.ID}, hint)
}

// makePrompt writes a prompt document.
func (s *server) makePrompt(r *rootState, o promptOrigin, hint string) (doc promptDocument, err error) {
	text, line, err := o.head.under(hint)
	if err != nil {
		return doc, err
	}
	name := s.freePrompt(r)
	abs, err := r.ws.StateDocument(path.Base(name), text)
	if err != nil {
		return doc, err
	}
	s.prompts.put(r, name, o)
	return promptDocument{uri: document.URIOfPath(abs), abs: abs, line: line}, nil
}

// showPrompt opens a prompt document, or tells where it is.
func (s *server) showPrompt(ctx context.Context, doc promptDocument) {
	at := protocol.Position{Line: uint32(doc.line)}
	shown, err := s.client.ShowDocument(ctx, doc.uri, true, &protocol.Range{Start: at, End: at})
	if shown || ctx.Err() != nil {
		return
	}
	if err != nil && !errors.Is(err, wire.ErrUnsupported) {
		s.log.Info("prompt document not opened by the client", "uri", doc.uri, "err", err)
	}
	s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: write the instruction in "+doc.abs+", then run it with the code action there.")
}

// freePrompt returns the first name that is neither on disk nor open.
func (s *server) freePrompt(r *rootState) string {
	for n := 1; ; n++ {
		name := fmt.Sprintf(".coauthor/prompt-%d.md", n)
		if _, open := s.document(r, name); !open && !r.ws.Door().OnDisk(name) {
			return name
		}
	}
}

const promptHint = "# Write the instruction below the second line of dashes, then choose the code action\n" +
	"# \"Coauthor: run this instruction\" or run the command coauthor.runPrompt. coder: code changes\n" +
	"# files, coder: ask only answers.\n"

// document is the text of a new prompt document and the line on which the instruction begins.
func (h promptHead) document() (text string, line int, err error) { return h.under(promptHint) }

// under is document with a hint of one's own.
func (h promptHead) under(hint string) (text string, line int, err error) {
	head, err := yaml.Marshal(h)
	if err != nil {
		return "", 0, fmt.Errorf("write the head of the prompt document: %w", err)
	}
	if strings.TrimSpace(string(head)) == "{}" {
		head = nil // a head of nothing but its hint
	}
	text = "---\n" + hint + string(head) + "---\n\n"
	// The empty line that is there, not the one behind it: Neovim refuses to open a document at a
	// line that it does not have.
	return text, strings.Count(text, "\n") - 1, nil
}

// readPrompt makes a request of a prompt document as it stands in the editor, or on disk.
func (s *server) readPrompt(r *rootState, path string) (agent.Request, error) {
	var text string
	if doc, open := s.document(r, path); open {
		text = doc.Text
	} else {
		disk, err := r.ws.Door().DiskText(s.ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			return agent.Request{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "%s is gone; coauthor.openPrompt makes a new one", path)
		}
		if err != nil {
			return agent.Request{}, fmt.Errorf("read %s: %w", path, err)
		}
		text = disk
	}
	head, body, err := parsePrompt(text)
	if err != nil {
		return agent.Request{}, jsonrpc2.Errorf(wire.CodeRequestFailed, "%s: %v", path, err)
	}
	req := agent.Request{Instruction: body, Coder: head.Coder, Model: head.Model, Files: head.Files, FollowUp: head.FollowUp}
	if head.File == "" {
		return req, nil
	}
	req.Target, err = s.promptTarget(r, path, head)
	return req, err
}

// promptTarget finds the selection in the text that the file has now.
func (s *server) promptTarget(r *rootState, path string, head promptHead) (*agent.Target, error) {
	t := &agent.Target{Path: head.File}
	if head.Selection == "" {
		return t, nil
	}
	d, err := r.ws.Snapshot().Document(head.File)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "the file of %s cannot be read: %v", path, err)
	}
	t.Version = d.Version
	o, known := s.prompts.get(r, path)
	if known && o.head.File == head.File && o.head.Selection == head.Selection {
		t.Start, t.End = follow(o.text, d.Text, o.start, o.end)
		if t.Start == t.End {
			return nil, jsonrpc2.Errorf(wire.CodeRequestFailed,
				"the selection %s of %s was deleted meanwhile: name another one in the head of %s, or none for the whole file",
				head.Selection, head.File, path)
		}
		return t, nil
	}
	t.Start, t.End, err = parseSelection(d.Text, head.Selection)
	if err != nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%s: %v", path, err)
	}
	return t, nil
}

// parsePrompt splits a prompt document. Without a head all of it is the instruction.
func parsePrompt(text string) (promptHead, string, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return promptHead{}, strings.TrimSpace(text), nil
	}
	var head string
	body, ok := strings.CutPrefix(rest, "---")
	if !ok {
		if head, body, ok = strings.Cut(rest, "\n---"); !ok {
			return promptHead{}, "", errors.New("its head is not closed: a second line of dashes is missing")
		}
	}
	line, body, _ := strings.Cut(body, "\n")
	if strings.Trim(line, "- \t") != "" {
		return promptHead{}, "", errors.New("its head is not closed: a line of dashes has other text behind it")
	}
	var h promptHead
	if err := yaml.UnmarshalWithOptions([]byte(head), &h, yaml.Strict()); err != nil {
		return promptHead{}, "", fmt.Errorf("its head cannot be read: %w", err)
	}
	return h, strings.TrimSpace(body), nil
}

// place writes an offset as line:column for people: both from 1, columns in characters.
func place(text string, offset int) string {
	line := strings.Count(text[:offset], "\n") + 1
	begin := strings.LastIndexByte(text[:offset], '\n') + 1
	return fmt.Sprintf("%d:%d", line, utf8.RuneCountInString(text[begin:offset])+1)
}

var selectionForm = regexp.MustCompile(`^\s*(\d+)(?::(\d+))?\s*(?:-\s*(\d+)(?::(\d+))?\s*)?$`)

// parseSelection reads "first-last" in lines, or "line:column-line:column". A missing last is the
// first; lines without columns are meant whole.
func parseSelection(text, selection string) (start, end int, err error) {
	m := selectionForm.FindStringSubmatch(selection)
	if m == nil {
		return 0, 0, fmt.Errorf("the selection %q is neither lines (10-20) nor places (10:1-20:5)", selection)
	}
	if m[3] == "" {
		m[3], m[4] = m[1], m[2]
	}
	lines := strings.SplitAfter(text, "\n")
	offset := func(line, column string, whole bool) int {
		n, _ := strconv.Atoi(line) // digits only; what is too large is beyond the end like others
		at := 0
		for i := 0; i < len(lines) && i < n-1; i++ {
			at += len(lines[i])
		}
		if n < 1 || n > len(lines) {
			return at
		}
		one := lines[n-1]
		if column == "" {
			if whole {
				return at + len(one)
			}
			return at
		}
		c, _ := strconv.Atoi(column)
		one = strings.TrimRight(one, "\r\n") // a column beyond the end is the end, however large it is
		for ; c > 1 && one != ""; c-- {
			_, size := utf8.DecodeRuneInString(one)
			at, one = at+size, one[size:]
		}
		return at
	}
	first, _ := strconv.Atoi(m[1])
	if first < 1 || first > len(lines) {
		return 0, 0, fmt.Errorf("the selection %q begins beyond the end of the file", selection)
	}
	start, end = offset(m[1], m[2], false), offset(m[3], m[4], true)
	if end <= start && len(text) > 0 {
		return 0, 0, fmt.Errorf("the selection %q selects nothing", selection)
	}
	return start, end, nil
}

// follow carries a selection over to a later text. What was typed within it belongs to it.
func follow(before, after string, start, end int) (int, int) {
	from, to := start, end
	for _, h := range edits.Diff(before, after) {
		grown := (h.NewEnd - h.NewStart) - (h.OldEnd - h.OldStart)
		switch {
		case h.OldEnd <= start:
			from += grown
		case h.OldStart < start:
			from = h.NewStart
		}
		switch {
		case h.OldStart >= end:
		case h.OldEnd <= end:
			to += grown
		default:
			to = h.NewEnd
		}
	}
	return min(from, len(after)), max(min(from, len(after)), min(to, len(after)))
}
