// Package coder is the table of coders: the strategies by which a turn can work.
//
// A row says what the model is asked to be (one template for each), whether its reply holds edits,
// and in which format. It knows neither models nor files: package agent picks a row, package prompt
// puts its template into the system text. Start at All and ByName.
package coder

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.md.tmpl
var templates embed.FS

// Coder is one row of the table.
type Coder struct {
	Name     string
	Doc      string // one sentence for users
	Edits    bool   // its reply holds edits, and the turn ends in a proposal
	Format   string // the edit format it insists on; "" leaves it to request, settings and model
	Template string // the file of its system text
}

var table = []Coder{
	{Name: "code", Edits: true, Template: "code.md.tmpl",
		Doc: "Changes the code and proposes the result."},
	{Name: "ask", Template: "ask.md.tmpl",
		Doc: "Answers questions about the code and changes nothing."},
}

// Default is the coder of a request that names none.
const Default = "code"

// All returns every coder in the order in which they are listed to users.
func All() []Coder { return append([]Coder(nil), table...) }

// ByName returns the coder of that name; "" is the default one.
func ByName(name string) (Coder, error) {
	if name == "" {
		name = Default
	}
	var names []string
	for _, c := range table {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Coder{}, fmt.Errorf("there is no coder %q; choose one of: %s", name, strings.Join(names, ", "))
}

// Text returns the source of the coder's system text, a text/template over package prompt's Data.
func (c Coder) Text() (string, error) {
	text, err := templates.ReadFile(c.Template)
	if err != nil {
		return "", fmt.Errorf("coder %s: %w", c.Name, err)
	}
	return string(text), nil
}
