package versus

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/llm/llmtest"
)

//go:embed testdata/*.txtar
var archives embed.FS

// Case is a tree, a request, the answers of the model in their order, and the tree that should come of it.
//
// In its archive, tree/PATH and want/PATH are the files before and afterwards (a file of the tree that
// stays as it is need not come again), 1.md, 2.md and so on the answers; further calls are told that
// nothing is left to do. The comment begins with what the case shows, and has lines "format: NAME",
// "files: PATH PATH" (those that the user adds), "request: TEXT", and perhaps "gone: PATH PATH" for files
// that the wanted tree lacks, and "crlf: PATH PATH" for files whose lines end with CR LF in both trees.
type Case struct {
	Name    string // of its archive
	Shows   string
	Format  string
	Request string
	Files   []string
	Tree    Tree
	Want    Tree
	answers []byte // a script for llmtest
}

// nothingLeft is what the model says when it is called more often than the case has answers.
const nothingLeft = "Nothing is left to change.\n"

// Cases returns all cases in the order of their names.
func Cases() ([]Case, error) {
	entries, err := archives.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var list []Case
	for _, e := range entries {
		data, err := archives.ReadFile(path.Join("testdata", e.Name()))
		if err != nil {
			return nil, err
		}
		c, err := ParseCase(strings.TrimSuffix(e.Name(), ".txtar"), data)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

var (
	keyLine = regexp.MustCompile(`^(format|files|request|gone|crlf): +(.+)$`)
	answer  = regexp.MustCompile(`^[0-9]+\.(md|yaml)$`)
)

// ParseCase reads an archive. Everything in it must have a meaning.
func ParseCase(name string, data []byte) (Case, error) {
	c := Case{Name: name, Tree: Tree{}, Want: Tree{}}
	a := txtar.Parse(data)
	keys := map[string]string{}
	for line := range strings.Lines(string(a.Comment)) {
		line = strings.TrimSpace(line)
		switch m := keyLine.FindStringSubmatch(line); {
		case m != nil:
			keys[m[1]] = m[2]
		case c.Shows == "":
			c.Shows = line
		case line != "":
			return c, fmt.Errorf("case %s: unknown line %q", name, line)
		}
	}
	c.Format, c.Request, c.Files = keys["format"], keys["request"], strings.Fields(keys["files"])
	script := &txtar.Archive{}
	for _, f := range a.Files {
		head, rest, below := strings.Cut(f.Name, "/")
		switch {
		case below && head == "tree":
			c.Tree[rest] = string(f.Data)
		case below && head == "want":
			c.Want[rest] = string(f.Data)
		case answer.MatchString(f.Name):
			script.Files = append(script.Files, f)
		default:
			return c, fmt.Errorf("case %s: unused file %s", name, f.Name)
		}
	}
	for file, text := range c.Tree {
		if _, there := c.Want[file]; !there {
			c.Want[file] = text
		}
	}
	for _, file := range strings.Fields(keys["gone"]) {
		delete(c.Want, file)
	}
	for _, file := range strings.Fields(keys["crlf"]) {
		for _, tree := range []Tree{c.Tree, c.Want} {
			tree[file] = strings.ReplaceAll(tree[file], "\n", "\r\n")
		}
	}
	n := len(script.Files) + 1
	script.Files = append(script.Files, txtar.File{Name: fmt.Sprintf("%d.md", n), Data: []byte(nothingLeft)},
		txtar.File{Name: fmt.Sprintf("%d.yaml", n), Data: []byte("repeat: true\n")})
	c.answers = txtar.Format(script)
	switch {
	case c.Shows == "", c.Format == "", c.Request == "":
		return c, fmt.Errorf("case %s: add a description, a format and a request", name)
	case n == 1:
		return c, fmt.Errorf("case %s: add an answer", name)
	}
	_, err := c.script()
	return c, err
}

// script is the model's part, for one play.
func (c Case) script() (*llmtest.Script, error) {
	s, err := llmtest.Parse(c.answers)
	if err != nil {
		return nil, fmt.Errorf("case %s: %w", c.Name, err)
	}
	return s, nil
}
