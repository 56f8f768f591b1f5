// Package coder is the table of coders: the strategies by which a turn can work.
//
// A row says what the model is asked to be (one template for each), which of the three models it is
// for, whether its reply holds edits and in which format, and how a turn goes on after a round (Next).
// It knows neither sessions nor files: package agent picks a row, runs its rounds and asks it what
// follows, package prompt puts its template into the system text. Start at All and Coder.
package coder

import (
	"embed"
	"fmt"
	"strings"

	"coauthor/agent/llm"
)

//go:embed *.md.tmpl
var templates embed.FS

// Coder is one row of the table.
type Coder struct {
	Name     string
	Doc      string        // one sentence for users
	Edits    bool          // its reply holds edits
	Leads    bool          // its turn can go on as a coder whose reply holds edits
	Role     llm.ModelRole // which of the three models it is for; "" is the main one
	Format   string        // the edit format it insists on; "" leaves it to request, settings and model
	Template string        // the file of its system text
	Next     Next          // how the turn goes on after each of its rounds; never nil
}

// Proposes says whether a turn that begins with this coder may end in a proposal. Such turns run one
// at a time in a workspace.
func (c Coder) Proposes() bool { return c.Edits || c.Leads }

// Table is a list of coders.
type Table []Coder

// All returns every coder in the order in which they are listed to users. The result is the caller's own.
func All() Table {
	return Table{
		{Name: "code", Edits: true, Template: "code.md.tmpl", Next: Reflect,
			Doc: "Changes the code and proposes the result."},
		{Name: "ask", Template: "ask.md.tmpl", Next: Finish,
			Doc: "Answers questions about the code and changes nothing."},
	}
}

// Default is the coder of a request that names none.
const Default = "code"

// Names returns the names of all coders, in the order of All.
func (t Table) Names() []string {
	names := make([]string, len(t))
	for i, c := range t {
		names[i] = c.Name
	}
	return names
}

// ByName returns the coder of that name; "" is the default one. An unknown name is answered with the list.
func (t Table) ByName(name string) (Coder, error) {
	if name == "" {
		name = Default
	}
	for _, c := range t {
		if c.Name == name {
			return c, nil
		}
	}
	return Coder{}, fmt.Errorf("there is no coder %q; choose one of: %s", name, strings.Join(t.Names(), ", "))
}

// Text returns the source of the coder's system text, a text/template over package prompt's Data.
func (c Coder) Text() (string, error) {
	text, err := templates.ReadFile(c.Template)
	if err != nil {
		return "", fmt.Errorf("coder %s: %w", c.Name, err)
	}
	return string(text), nil
}
