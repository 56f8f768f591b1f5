package custom

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/mention"
	"coauthor/agent/plaintext"
	"coauthor/agent/settings"
)

// Command is a command that somebody wrote for themselves: an entry of the setting actions, or a Markdown file whose text is
// an instruction, with places for what is written behind the command.
type Command struct {
	Name           string   `json:"name"` // behind the slash
	Title          string   `json:"title,omitempty"`
	Doc            string   `json:"doc"`
	Hint           string   `json:"hint,omitempty"` // what is written behind it
	File           string   `json:"file"`           // or the setting
	Kind           string   `json:"kind,omitempty"` // of its code action
	Languages      []string `json:"languages,omitempty"`
	NeedsSelection bool     `json:"needsSelection,omitempty"`

	body, coder, model string
}

// InMenu is what a menu says of it.
func (c Command) InMenu() string { return cmp.Or(c.Title, "/"+c.Name+": "+c.Doc) }

// Offered says whether a menu in a document of a language has it; selection says that something is selected there.
func (c Command) Offered(language string, selection bool) bool {
	return (selection || !c.NeedsSelection) &&
		(len(c.Languages) == 0 || slices.ContainsFunc(c.Languages, func(l string) bool { return strings.EqualFold(l, language) }))
}

// ofSetting is the command of an entry of the setting actions.
func ofSetting(a settings.Action) Command {
	c := Command{Name: a.Name, Title: a.Title, Hint: a.Hint, File: settingName, Kind: a.Kind, Languages: a.Languages, NeedsSelection: a.NeedsSelection,
		body: a.Prompt, coder: a.Coder, model: a.Model}
	c.Doc = cmp.Or(a.Title, c.firstLine())
	return c
}

// settingName stands in the place of the file of a command that has none.
const settingName = "the actions setting"

// firstLine is what its text says first.
func (c Command) firstLine() string {
	line, _, _ := strings.Cut(strings.TrimSpace(c.body), "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "# "))
}

// kinded gives it the kind of code action that goes with its coder, where it has none.
func (c Command) kinded(coders coder.Table) Command {
	if row, err := coders.ByName(c.coder); c.Kind == "" && c.coder != "" && err == nil && !row.Proposes() {
		c.Kind = "refactor"
	}
	return c
}

// File is a file in a folder of such commands.
type File struct {
	Path string // within that folder, with slashes
	Name string // as users know it
	Text string
	Err  error // why it cannot be read; nil when it was
}

// Problem is what is wrong in the file of a command.
type Problem struct {
	Command string // that the file would be; "" for none
	File    string
	Line    int // 0 is the whole file
	Text    string
	Unused  bool // the command cannot be called
	// Untrusted: nothing is wrong with it but that the workspace is not trusted.
	Untrusted bool
}

// String names the place as compilers do.
func (p Problem) String() string {
	if p.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
	}
	return p.File + ": " + p.Text
}

// mostText is how much a file of a command may hold.
const mostText = 64 << 10

// nameOf is the name of the command that a file is; "" for none. A folder stands before the name, with a colon.
func nameOf(below string) string {
	name := strings.ReplaceAll(strings.TrimSuffix(below, path.Ext(below)), "/", ":")
	if !settings.ActionName(name) {
		return ""
	}
	return name
}

// fields are the fields of a head that mean something here. Heads that people have from other agents name more, which
// is told and harms nothing.
var fields = []string{"description", "argument-hint", "model", "coder", "title", "kind", "languages", "needs-selection"}

// read reads the file of a command. Where it cannot be one, the last problem says why.
func read(f File, coders coder.Table) (c Command, problems []Problem) {
	c.Name, c.File = nameOf(f.Path), f.Name
	wrong := func(line int, unused bool, text string, args ...any) {
		problems = append(problems, Problem{Command: c.Name, File: f.Name, Line: line, Text: fmt.Sprintf(text, args...), Unused: unused})
	}
	switch {
	case f.Err != nil:
		line := 0
		var e *plaintext.Error
		if errors.As(f.Err, &e) {
			line = e.Line
		}
		wrong(line, true, "cannot read the file: %v", f.Err)
		return c, problems
	case c.Name == "":
		wrong(0, true, "a command name can have up to 64 letters, digits, dots, hyphens and underscores; rename the file")
		return c, problems
	case len(f.Text) > mostText:
		wrong(0, true, "the file exceeds the limit of %d KiB; shorten it", mostText>>10)
		return c, problems
	}
	head, body, open := split(f.Text)
	if open {
		wrong(1, true, "the front matter that starts here has no end; add a closing --- line")
		return c, problems
	}
	first := map[string]int{}
	for _, h := range head {
		switch before, twice := first[h.name]; {
		case h.name == "":
			wrong(h.line, false, "%q is not a valid field; use name: value", h.value)
			continue
		case twice:
			wrong(h.line, false, "%s is already set on line %d; Coauthor ignores this line", h.name, before)
			continue
		}
		first[h.name] = h.line
		if unused, err := c.set(h, coders); err != nil {
			wrong(h.line, unused, "%v", err)
			if unused {
				return c, problems
			}
		}
	}
	c.body = strings.TrimSpace(body)
	if c.body == "" {
		wrong(0, true, "missing instruction; add one below the front matter")
		return c, problems
	}
	c.Doc = cmp.Or(c.Doc, c.firstLine())
	return c.kinded(coders), problems
}

// set takes over a field of the front matter. Without it the command is what it would be without the line, or unused.
func (c *Command) set(h field, coders coder.Table) (unused bool, err error) {
	switch h.name {
	case "description":
		c.Doc = h.value
	case "argument-hint":
		c.Hint = h.value
	case "model":
		if h.value != "inherit" { // so people write that no model is meant
			c.model = h.value
		}
	case "coder":
		if _, err := coders.Offered().ByName(h.value); h.value != "" && err != nil {
			return true, err
		}
		c.coder = h.value
	case "title":
		c.Title = h.value
	case "kind":
		if err := settings.ValidateActionKind(h.value); err != nil {
			return false, err
		}
		c.Kind = h.value
	case "languages":
		c.Languages = strings.FieldsFunc(h.value, func(r rune) bool { return strings.ContainsRune(" ,[]\"'\t", r) })
	case "needs-selection":
		if !slices.Contains([]string{"true", "false", ""}, h.value) {
			return false, fmt.Errorf("needs-selection must be true or false, not %q", h.value)
		}
		c.NeedsSelection = h.value == "true"
	default:
		return false, fmt.Errorf("unknown field %q; use one of: %s", h.name, strings.Join(fields, ", "))
	}
	return false, nil
}

// field is a line of a head. A line that is no field has no name.
type field struct {
	line        int
	name, value string
}

// lineEnds makes the line ends of any system ours.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// split takes the head off a text: the lines between two of ---, where the first is the first line. It is read line by
// line and not as YAML, since hints such as [file] [words] are none. open says that the head has no end.
func split(text string) (head []field, body string, open bool) {
	text = lineEnds.Replace(strings.TrimPrefix(text, "\ufeff"))
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t") != "---" {
		return nil, text, false
	}
	for n := 2; rest != ""; n++ {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		if strings.TrimRight(line, " \t") == "---" {
			return head, rest, false
		}
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") || line != strings.TrimLeft(line, " \t") || strings.HasPrefix(line, "- ") {
			continue // what is indented, and an item of a list, belongs to the field above
		}
		name, value, found := strings.Cut(trimmed, ":")
		if !found {
			head = append(head, field{n, "", trimmed})
			continue
		}
		head = append(head, field{n, strings.ToLower(strings.TrimSpace(name)), unquoted(value)})
	}
	return nil, "", true
}

// unquoted takes a pair of quotation marks off that stands around a whole value.
func unquoted(value string) string {
	value = strings.TrimSpace(value)
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] && strings.Count(value, value[:1]) == 2 {
		return value[1 : n-1]
	}
	return value
}

// places are what stands in a command for what was written behind it.
var places = regexp.MustCompile(`\$(ARGUMENTS\b|[1-9]\b)`)

// Takes says that the command has places for what is written behind it.
func (c Command) Takes() bool { return places.MatchString(c.body) }

// fill puts what was written behind a command into it: all of it for $ARGUMENTS, its words for $1 to $9. A command without
// such a place has it at its end.
func (c Command) fill(rest string) string {
	if !c.Takes() {
		return strings.TrimSpace(c.body + "\n\n" + rest)
	}
	words, err := mention.Names(rest)
	if err != nil {
		words = strings.Fields(rest) // a quotation mark is a letter then, as in prose
	}
	return places.ReplaceAllStringFunc(c.body, func(place string) string {
		if place == "$ARGUMENTS" {
			return rest
		}
		if n, err := strconv.Atoi(place[1:]); err == nil && n <= len(words) {
			return words[n-1]
		}
		return ""
	})
}
