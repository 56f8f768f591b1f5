// Package function is the edit format in which the model answers with one forced tool call: the
// arguments of write_file or replace_lines as JSON.
//
// It turns the joined pieces of the arguments into edits, and holds the schemas of the tools. Which
// tool is forced, and how, is agent/llm's business. edits/formats lists it. Start at New and Tools.
package function

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/edits/reply"
)

// New returns a parser of the format.
func New(edits.ParseOptions) edits.Parser { return &parser{} }

type parser struct {
	text     strings.Builder
	size     int
	depth    int
	inString bool
	escaped  bool
	done     bool   // the arguments are whole; what follows them is none of them
	start    int    // of the entry that is being read
	word     int    // where the last text began
	key      string // the last key of the arguments
	list     []edits.Edit
}

// Write takes the next piece. An entry of a list of files or edits is provisional once it is closed.
func (p *parser) Write(piece string) []edits.Edit {
	p.size += len(piece)
	if p.size > edits.MaxReply {
		return nil
	}
	at := p.text.Len()
	p.text.WriteString(piece)
	n := len(p.list)
	for i := 0; i < len(piece) && !p.done; i++ {
		if p.inString && !p.escaped { // most of the arguments are text
			for i < len(piece) && piece[i] != '"' && piece[i] != '\\' {
				i++
			}
			if i == len(piece) {
				break
			}
		}
		p.step(piece[i], at+i)
	}
	return p.list[n:]
}

// step follows the nesting: an entry is an object two levels down, in a list of the arguments.
func (p *parser) step(c byte, at int) {
	switch {
	case p.escaped:
		p.escaped = false
	case p.inString && c == '\\':
		p.escaped = true
	case c == '"' && p.depth > 0:
		p.inString = !p.inString
		if p.inString {
			p.word = at
		}
	case c == ':' && p.depth == 1 && !p.inString:
		p.key = ""
		_ = json.Unmarshal([]byte(p.text.String()[p.word:at]), &p.key) // no key then
	case p.inString:
	case c == '{' || c == '[' && p.depth > 0:
		p.depth++
		if c == '{' && p.depth == 3 {
			p.start = at
		}
	case c == '}' || c == ']':
		if c == '}' && p.depth == 3 && p.start > 0 && (strings.EqualFold(p.key, "files") || strings.EqualFold(p.key, "edits")) {
			var e entry
			if json.Unmarshal([]byte(p.text.String()[p.start:at+1]), &e) == nil {
				p.list = e.addTo(p.list)
			}
		}
		p.done = p.depth == 1
		p.depth = max(p.depth-1, 0)
	}
}

// entry is a file or an edit in the arguments, or the arguments of the tool for one file.
type entry struct {
	Path     string  `json:"path"`
	Content  *string `json:"content"`
	Original any     `json:"original_lines"`
	Updated  any     `json:"updated_lines"`
	Files    []entry `json:"files"`
	Edits    []entry `json:"edits"`
	// Some models wrap the arguments in the call.
	Arguments json.RawMessage `json:"arguments"`
}

// Close ends the reply. Of arguments that are not closed only the entries that are count, however the reply ended.
func (p *parser) Close(edits.Ending) ([]edits.Edit, []edits.Problem) {
	if p.size > edits.MaxReply {
		return nil, []edits.Problem{{Edit: -1, Reason: edits.ReasonTooLong, First: 1, Last: 1, Message: "the arguments are too long; ask for less at a time"}}
	}
	text := p.text.String()
	last := strings.Count(text, "\n") + 1
	from := strings.IndexByte(text, '{')
	if from < 0 {
		return nil, nil
	}
	var e entry
	if err := json.NewDecoder(strings.NewReader(strings.TrimSpace(text[from:]))).Decode(&e); err != nil { // anything may follow it, such as a fence
		problem := edits.Problem{Edit: -1, Reason: edits.ReasonMalformed, First: 1, Last: last, Message: "the arguments of the tool call are no JSON"}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			problem.Reason, problem.Message = edits.ReasonUnclosed, "the reply ends inside the arguments of the tool call; send them again, whole"
		}
		return p.whole(last), []edits.Problem{problem}
	}
	list := e.unwrapped().all()
	for k := range list {
		list[k].Index, list[k].First, list[k].Last = k, 1, last
	}
	if !p.given(list) {
		return nil, []edits.Problem{{Edit: -1, Reason: edits.ReasonMalformed, First: 1, Last: last,
			Message: "the arguments hold a list of edits twice, or beside other arguments; write each edit once, in one list"}}
	}
	return list, nil
}

// given says whether all that was handed out while the reply grew is in the closed list. JSON lets a
// key stand twice, and then only the last one counts.
func (p *parser) given(list []edits.Edit) bool {
	type instruction struct {
		kind                  edits.Kind
		path, search, replace string
	}
	of := func(e edits.Edit) instruction { return instruction{e.Kind, e.Path, e.Search, e.Replace} }
	if len(p.list) <= len(list) {
		i := 0
		for i < len(p.list) && of(p.list[i]) == of(list[i]) {
			i++
		}
		if i == len(p.list) {
			return true // in the same order, as where no key stands twice
		}
	}
	closed := make(map[instruction]bool, len(list))
	for _, e := range list {
		closed[of(e)] = true
	}
	for _, e := range p.list {
		if !closed[of(e)] {
			return false
		}
	}
	return true
}

// whole are the entries that were closed before the arguments broke off.
func (p *parser) whole(last int) []edits.Edit {
	for k := range p.list {
		p.list[k].Index, p.list[k].First, p.list[k].Last = k, 1, last
	}
	return p.list
}

// unwrapped returns the arguments that these are only a wrapper of. Wrappers inside a wrapper are left:
// each is read again, and a reply could nest thousands.
func (e entry) unwrapped() entry {
	raw := e.Arguments
	var inner string
	if json.Unmarshal(raw, &inner) == nil {
		raw = []byte(inner)
	}
	var args entry
	if len(e.Arguments) > 0 && json.Unmarshal(raw, &args) == nil {
		return args
	}
	return e
}

func (e entry) all() []edits.Edit {
	out := slices.Grow([]edits.Edit(nil), len(e.Files)+len(e.Edits))
	for _, list := range [][]entry{e.Files, e.Edits} {
		for i := range list {
			out = list[i].addTo(out)
		}
	}
	if len(out) == 0 {
		out = e.addTo(out)
	}
	return out
}

// addTo appends the edit that an entry is, if it is one.
func (e *entry) addTo(list []edits.Edit) []edits.Edit {
	switch {
	case e.Content != nil:
		text := *e.Content
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return reply.Add(list, edits.Edit{Index: len(list), Path: e.Path, Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: text})
	case e.Original != nil || e.Updated != nil:
		return reply.Add(list, edits.Edit{Index: len(list), Path: e.Path, Op: edits.OpUpdate, Kind: edits.KindReplace,
			Search: joined(e.Original), Replace: joined(e.Updated)})
	}
	return list
}

// joined reads lines that are a list, or one text.
func joined(v any) string {
	var out strings.Builder
	switch v := v.(type) {
	case string:
		out.WriteString(v)
		if v != "" && !strings.HasSuffix(v, "\n") {
			out.WriteByte('\n')
		}
	case []any:
		size := 0
		for _, item := range v {
			line, _ := item.(string)
			size += len(line) + 1
		}
		out.Grow(size)
		for _, item := range v {
			line, _ := item.(string)
			out.WriteString(strings.TrimSuffix(line, "\n"))
			out.WriteByte('\n')
		}
	}
	return out.String()
}
