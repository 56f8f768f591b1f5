// Package coder is the table of coders: the strategies by which a turn can work.
//
// A row says what the model is asked to be (one template for each), which of the three models it is
// for, whether its reply holds edits and in which format, and how a turn goes on after a round (Next).
// From the row come also its slash command, its command and code action in editors, its word on the
// command line and its documentation. The package knows neither sessions nor files: package agent picks
// a row, runs its rounds and asks it what follows, package prompt puts its template into the system
// text. Start at All and Coder.
package coder

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/llm"
)

//go:embed *.md.tmpl
var templates embed.FS

// Coder is one row of the table.
type Coder struct {
	Name  string // also its slash command, and its command behind "coauthor."
	Title string // of its command, and of the box that asks for the instruction; begins a sentence
	Doc   string // what it does, for users; its first sentence stands alone in lists
	Said  string // what the user's words are to it, as a sentence: "The question."
	Word  string // on the command line; "" is the name
	Menu  string // its code action; "" has none of its own
	Inner bool   // only other coders go on as it: no user can name it

	Edits    bool          // its reply holds edits
	Leads    bool          // its turn can go on as a coder whose reply holds edits; files that its own names are offered to the user
	Tools    bool          // its model may look around with tools before it answers
	Finishes bool          // its model says at the end of each reply how far the task is: by a tool where it has tools
	Finds    bool          // the existing files that its reply names come into the chat, for later turns too
	Manual   bool          // it is given passages of our own documentation, and nothing of the project but what the user names
	Role     llm.ModelRole // which of the three models it is for; "" is the main one
	Format   string        // the edit format it insists on; "" leaves it to request, settings and model
	Template string        // the file of its system text
	Next     Next          // how the turn goes on after each of its rounds; never nil
}

// Proposes says whether a turn that begins with this coder may end in a proposal. Such turns run one
// at a time in a workspace.
func (c Coder) Proposes() bool { return c.Edits || c.Leads }

// CommandWord is the coder's command on the command line.
func (c Coder) CommandWord() string {
	if c.Word != "" {
		return c.Word
	}
	return c.Name
}

// Table is a list of coders.
type Table []Coder

// All returns every coder in the order in which they are listed to users. The result is the caller's own.
func All() Table {
	return Table{
		{Name: "code", Title: "Change", Word: "edit", Edits: true, Tools: true, Template: "code.md.tmpl", Next: Reflect,
			Doc: "Changes code as you ask.", Said: "What to change."},
		{Name: "ask", Title: "Ask", Menu: "ask…", Tools: true, Template: "ask.md.tmpl", Next: Finish,
			Doc: "Answers questions about the code without changing it.", Said: "The question."},
		architect(), editor(), finder(), helper(), auto(), reviewer(),
	}
}

// Default is the coder of a request that names none.
const Default = "code"

// Offered returns the coders that users can name.
func (t Table) Offered() Table {
	return slices.DeleteFunc(slices.Clone(t), func(c Coder) bool { return c.Inner })
}

// Names returns the names of the coders that users can name, in the order of All.
func (t Table) Names() []string {
	var names []string
	for _, c := range t.Offered() {
		names = append(names, c.Name)
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

// Slash reads a text that begins with a coder's slash command: "/ask why?" is that coder's name and the
// rest of the text. ok is false for every other text, such as one that begins with a path.
func (t Table) Slash(text string) (name, rest string, ok bool) {
	text = strings.TrimSpace(text)
	word := text
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		word, rest = text[:i], strings.TrimSpace(text[i:])
	}
	name, ok = strings.CutPrefix(word, "/")
	if !ok || !slices.Contains(t.Names(), name) {
		return "", text, false
	}
	return name, rest, true
}

// Text returns the source of the coder's system text, a text/template over package prompt's Data.
func (c Coder) Text() (string, error) {
	text, err := templates.ReadFile(c.Template)
	if err != nil {
		return "", fmt.Errorf("coder %s: %w", c.Name, err)
	}
	return string(text), nil
}
