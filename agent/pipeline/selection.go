package pipeline

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// SelectionFile is where gpt-engineer keeps which files of a project are worked on. Ours is the same file, so
// that a project can be used with both.
const SelectionFile = ".gpteng/file_selection.toml"

// Selection is what a selection file says.
type Selection struct {
	Entries []string // paths and globs, in the order of the file
	LintOff bool     // gpt-engineer formats nothing; it is kept as it is
}

// selectionLines makes the line ends of any system those of TOML.
var selectionLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// ParseSelection reads a selection file. What is selected are the keys of its table "files": their values mean
// nothing, as there. A key may be a glob.
func ParseSelection(text string) (Selection, error) {
	var s Selection
	text = selectionLines.Replace(strings.TrimPrefix(text, "\ufeff"))
	var all map[string]any
	if err := toml.Unmarshal([]byte(text), &all); err != nil { // finds what is wrong, and what stands twice
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return s, fmt.Errorf("read %s:%d:%d: %s", SelectionFile, line, column, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return s, fmt.Errorf("read %s: %w", SelectionFile, err)
	}
	if _, ok := all["files"].(map[string]any); !ok {
		return s, fmt.Errorf("%s has no [files] table; add one with a line such as \"main.py\" = \"selected\", or delete the file and create it again", SelectionFile)
	}
	p := unstable.Parser{}
	p.Reset([]byte(text)) // this one keeps the order
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		words := keyOf(e)
		switch e.Kind { //nolint:exhaustive // values come with their keys
		case unstable.Table, unstable.ArrayTable:
			table = strings.Join(words, ".")
		case unstable.KeyValue:
			name := strings.Join(words, ".") // main.py without quotes is two keys, and means one file
			if table == "" {
				table, name, _ = cutKey(words)
				s.take(table, name, string(e.Value().Data))
				table = ""
				continue
			}
			if head, rest, ok := strings.Cut(table, "."); ok && head == "files" {
				name = rest + "." + name
				s.take("files", name, "")
				continue
			}
			s.take(table, name, string(e.Value().Data))
		}
	}
	if err := p.Error(); err != nil {
		return s, fmt.Errorf("read %s: %w", SelectionFile, err)
	}
	return s, nil
}

// cutKey takes the table off the dotted key of a line that stands in no table.
func cutKey(words []string) (table, name string, ok bool) {
	if len(words) < 2 {
		return "", strings.Join(words, ""), false
	}
	return words[0], strings.Join(words[1:], "."), true
}

func (s *Selection) take(table, name, value string) {
	switch table {
	case "files":
		s.Entries = append(s.Entries, name)
	case "linting":
		s.LintOff = s.LintOff || name == "linting" && strings.EqualFold(value, "off")
	}
}

func keyOf(e *unstable.Node) []string {
	var words []string
	it := e.Key()
	for it.Next() {
		words = append(words, string(it.Node().Data))
	}
	return words
}

// Match returns the files that are selected, in the order of the selection, and the entries that are no file and
// fit none. A name that is a file is that file, also with brackets in it; candidates are all that there are.
func (s Selection) Match(candidates []string) (files, lost []string) {
	there := make(map[string]bool, len(candidates))
	for _, c := range candidates {
		there[c] = true
	}
	taken := map[string]bool{}
	for _, entry := range s.Entries {
		name := nameOf(entry, there)
		some := there[name]
		if some && !taken[name] {
			taken[name], files = true, append(files, name)
		}
		if !some && strings.ContainsAny(entry, "*?[{") {
			for _, c := range candidates {
				if !fits(entry, c) {
					continue
				}
				if some = true; !taken[c] {
					taken[c], files = true, append(files, c)
				}
			}
		}
		if !some {
			lost = append(lost, entry)
		}
	}
	return files, lost
}

// nameOf is the path that an entry names, if it names one: as it is, or as it was written on Windows.
func nameOf(entry string, there map[string]bool) string {
	if there[entry] {
		return entry
	}
	return path.Clean(strings.ReplaceAll(entry, `\`, "/"))
}

// fits says whether a path fits a glob; one without a slash is about the name alone.
func fits(glob, name string) bool {
	if !strings.Contains(glob, "/") {
		glob = "**/" + glob
	}
	ok, err := doublestar.Match(glob, name)
	return ok && err == nil
}

const selectionHead = `# Files for the "improve" command.
# Remove the "# " before a line to select its file. A line may also be a glob, such as "src/**/*.go".
# Coauthor sends only selected files to the model. Each file costs tokens.
#
# If a formatter is configured, Coauthor runs it on these files first.
# Remove the "# " before the line below to turn that off.
[linting]
`

// Format writes a selection file over the candidates: those that are selected as lines, the others behind a
// number sign, and globs as they were. What is no file any more is left out.
func (s Selection) Format(candidates []string) string {
	var b strings.Builder
	b.WriteString(selectionHead)
	if !s.LintOff {
		b.WriteString("# ")
	}
	b.WriteString("\"linting\" = \"off\"\n\n[files]\n")
	exact := map[string]bool{}
	there := map[string]bool{}
	for _, c := range candidates {
		there[c] = true
	}
	for _, e := range s.Entries {
		name := nameOf(e, there)
		switch {
		case there[name]:
			exact[name] = true
		case strings.ContainsAny(e, "*?[{") && !exact[e]:
			exact[e] = true
			fmt.Fprintf(&b, "%s = \"selected\"\n", tomlKey(e))
		}
	}
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if !exact[c] {
			b.WriteString("# ")
		}
		fmt.Fprintf(&b, "%s = \"selected\"\n", tomlKey(c))
	}
	return b.String()
}

// tomlKey writes a key: bare where it may be, else quoted.
func tomlKey(name string) string {
	if name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(name, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// selectable says whether a path may be a candidate: nothing hidden, no folder of dependencies, and not the prompt.
func selectable(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case strings.HasPrefix(part, "."), part == "site-packages", part == "node_modules", part == "venv", part == "__pycache__":
			return false
		}
	}
	return path.Base(name) != "prompt"
}
