package review

import (
	"fmt"
	"sync"

	"coauthor/agent"
	"coauthor/agent/workspace"
)

// Origin is what a prompt document was opened for. With it the exact selection is followed through
// later edits; a server that was restarted goes by the head alone.
type Origin struct {
	Head       PromptHead
	Text       string // of the file, when the selection was made
	Start, End int    // byte offsets in Text
	Question   string // id of the question that it answers; "" for an instruction
}

// OriginOf is that of an instruction about the bytes from start to end of a file, which the head names.
func OriginOf(head PromptHead, text string, start, end int) Origin {
	head.Selection = Place(text, start) + "-" + Place(text, end)
	return Origin{Head: head, Text: text, Start: start, End: end}
}

// Origins remembers the origins of the newest prompt documents by the folder and the path in it. The
// zero value is ready.
type Origins struct {
	mu     sync.Mutex
	origin map[string]Origin // guarded by mu
	order  []string          // guarded by mu; oldest first
}

// keptOrigins bounds the texts that are remembered.
const keptOrigins = 32

// Put remembers what a document was opened for.
func (p *Origins) Put(dir, path string, o Origin) {
	key := dir + "\x00" + path
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.origin == nil {
		p.origin = map[string]Origin{}
	}
	if _, known := p.origin[key]; !known {
		p.order = append(p.order, key)
	}
	p.origin[key] = o
	if len(p.order) > keptOrigins {
		delete(p.origin, p.order[0])
		p.order = p.order[1:]
	}
}

// Get returns what a document was opened for, where that is still known.
func (p *Origins) Get(dir, path string) (Origin, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o, ok := p.origin[dir+"\x00"+path]
	return o, ok
}

// Written is what a prompt document asks for.
type Written struct {
	agent.Request
	Arguments map[string]any // of a command that is no coder, by their names
}

// Request makes a request of the prompt document at a path, which reads text. Its selection is found in
// the text that the file has in the snapshot.
func (p *Origins) Request(snapshot *workspace.Snapshot, dir, path, text string) (Written, error) {
	head, body, err := ParsePrompt(text)
	if err != nil {
		return Written{}, fmt.Errorf("%s: %w", path, err)
	}
	req := Written{agent.Request{Instruction: body, Coder: head.Coder, Model: head.Model, Files: head.Files, FollowUp: head.FollowUp}, head.Arguments}
	if head.File == "" {
		return req, nil
	}
	o, known := p.Get(dir, path)
	known = known && o.Head.File == head.File && o.Head.Selection == head.Selection
	req.Target, err = head.target(snapshot, path, o, known)
	return req, err
}

// target finds the selection of a head: where its origin is known, by what became of it.
func (h *PromptHead) target(snapshot *workspace.Snapshot, path string, o Origin, known bool) (*agent.Target, error) {
	t := &agent.Target{Path: h.File}
	if h.Selection == "" {
		return t, nil
	}
	d, err := snapshot.Document(h.File)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read its file: %w", path, err)
	}
	t.Version = d.Version
	if known {
		t.Start, t.End = Follow(o.Text, d.Text, o.Start, o.End)
		if t.Start == t.End {
			return nil, fmt.Errorf("the selection %s of %s no longer exists; change it in the front matter of %s, or remove it to use the entire file",
				h.Selection, h.File, path)
		}
		return t, nil
	}
	t.Start, t.End, err = ParseSelection(d.Text, h.Selection)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}
