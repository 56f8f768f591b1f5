package settings

import (
	"bytes"
	"errors"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"coauthor/agent/plaintext"
	"coauthor/agent/yamltext"
)

// Texts keeps files of settings as they were parsed: layers are merged for each request, and files seldom change. It is
// safe for concurrent use.
type Texts struct {
	mu   sync.Mutex
	read map[string]parsed // by path; guarded by mu
}

// mostTexts is how many files are kept: those of the folders that a server works in.
const mostTexts = 64

// parsed is a file with what it says. It does not change.
type parsed struct {
	data []byte
	says []statement
}

// statement is a value in a file, or what is wrong in a place.
type statement struct {
	entry
	wrong string // "" for a value; with a key it is about this one, else about the whole file
}

// of returns what a file says.
func (t *Texts) of(path string, data []byte) []statement {
	if t == nil {
		return statements(path, data)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if p, ok := t.read[path]; ok && bytes.Equal(p.data, data) {
		return p.says
	}
	if t.read == nil || len(t.read) >= mostTexts {
		t.read = map[string]parsed{}
	}
	says := statements(path, data)
	t.read[path] = parsed{bytes.Clone(data), says}
	return says
}

// statements reads a YAML file of settings.
func statements(path string, data []byte) []statement {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil
	}
	f := fileText{path: path}
	if len(data) <= 2*yamltext.MaxBytes { // of UTF-16 half is left; what is larger is refused, and need not be read
		text, err := plaintext.Decode(data)
		if err != nil {
			f.unreadable(err)
			return f.says
		}
		data = []byte(text)
	}
	file, err := yamltext.Parse(data)
	if err != nil {
		f.unreadable(err)
		return f.says
	}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			f.walk("", doc.Body)
		}
	}
	return f.says
}

// fileText collects what a file says.
type fileText struct {
	path string
	says []statement
}

func (f *fileText) wrong(e entry, text string) { f.says = append(f.says, statement{e, text}) }

// walk reads a map of settings: those of a group, whose name stands before theirs with a dot, or all.
func (f *fileText) walk(prefix string, n ast.Node) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	case *ast.CommentGroupNode, *ast.NullNode:
		return
	default:
		f.wrong(f.at(n), "write settings as \"name: value\", one per line; the file is ignored")
		return
	}
	for _, v := range values {
		e := f.at(v.Key)
		e.key = prefix + keyText(v.Key)
		_, row := table().named[e.key]
		_, short := table().short[e.key]
		if example := table().examples[e.key]; !row && example != "" && (!short || isMap(v.Value)) {
			switch v.Value.(type) {
			case *ast.NullNode:
			case *ast.MappingNode, *ast.MappingValueNode:
				f.walk(e.key+".", v.Value)
			default:
				f.wrong(e, e.key+" is a group of settings, such as "+example+"; it is ignored")
			}
			continue
		}
		if err := yamltext.Value(v.Value, &e.value); err != nil {
			f.wrong(e, "cannot read "+e.key+": "+firstLine(yaml.FormatError(err, false, false))+"; it is ignored")
			continue
		}
		f.says = append(f.says, statement{entry: e})
	}
}

func keyText(n ast.MapKeyNode) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.String()
}

func (f *fileText) at(n ast.Node) entry {
	e := entry{source: f.path}
	if t := n.GetToken(); t != nil && t.Position != nil {
		e.line, e.column = t.Position.Line, t.Position.Column
	}
	return e
}

// unreadable says why the whole file is ignored.
func (f *fileText) unreadable(err error) {
	e, why := entry{source: f.path}, "this is not valid YAML: "+firstLine(yaml.FormatError(err, false, false))
	var much yamltext.TooMuchError
	var text *plaintext.Error
	var y yaml.Error
	switch {
	case errors.As(err, &much):
		why = much.Error()
	case errors.As(err, &text):
		e.line, e.column, why = text.Line, text.Column, text.Text
	case errors.As(err, &y):
		if why = "this is not valid YAML: " + y.GetMessage(); y.GetMessage() == tabMessage {
			why = "YAML does not allow tabs at the beginning of a line; use spaces"
		}
		if t := y.GetToken(); t != nil && t.Position != nil {
			e.line, e.column = t.Position.Line, t.Position.Column
		}
	}
	f.wrong(e, why+"; the file is ignored")
}

// tabMessage is what the library says of a tab before a line.
const tabMessage = "found character '\t' that cannot start any token"
