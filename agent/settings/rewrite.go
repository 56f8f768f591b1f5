package settings

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
)

// Given is a value for a setting, or none: then the setting is taken out.
type Given struct {
	Name  string // dotted, as in "model.name"
	Value any    // a string or a []string; nil: none
}

// ErrNoPlace says that a file is written in a way that Rewrite does not change.
var ErrNoPlace = errors.New("the file is written in a way that coauthor does not change")

// Rewrite gives the text of a user's file of settings with some values changed. Each value has a line of its own: the one
// where the file has it already, else a new one at the end; nothing else is touched. The new text is read as all settings are,
// and an error is returned unless exactly what was given is different then.
func Rewrite(file []byte, given ...Given) ([]byte, error) {
	old, warnings := Load(LoadOptions{UserFile: file})
	if old.Unread != "" {
		return nil, errors.New(old.Unread)
	}
	end := "\n"
	if bytes.Contains(file, []byte("\r\n")) {
		end = "\r\n"
	}
	lines := strings.SplitAfter(string(file), "\n")
	if last := lines[len(lines)-1]; last == "" {
		lines = lines[:len(lines)-1]
	} else {
		lines[len(lines)-1] += end
	}
	at := places(file)
	want := map[string]string{}
	for _, g := range given {
		line, err := g.line()
		if err != nil {
			return nil, err
		}
		want[g.Name] = g.text()
		switch is, there := at[g.Name]; {
		case there && g.Value == nil:
			lines[is.line-1] = ""
		case there:
			if lines[is.line-1], err = is.over(lines[is.line-1], line, end); err != nil {
				return nil, err
			}
		case g.Value != nil:
			lines = append(lines, at.key(g.Name)+": "+line+end)
		}
	}
	text := []byte(strings.Join(lines, ""))
	if now, told := Load(LoadOptions{UserFile: text}); len(told) > len(warnings) || now.Unread != "" || !only(&old, &now, want) || !utf8.Valid(file) {
		return nil, ErrNoPlace
	}
	return text, nil
}

// plainWord is a name or an address that YAML takes as it is.
var plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*[/:.][A-Za-z0-9_./:@-]*[A-Za-z0-9_/]$`)

// line is the value in YAML, in a line.
func (g Given) line() (string, error) {
	if g.Value == nil {
		return "", nil
	}
	if word, ok := g.Value.(string); ok && plainWord.MatchString(word) {
		return word, nil // the library would put it into quotes
	}
	text, err := yaml.MarshalWithOptions(g.Value, yaml.Flow(true))
	if err != nil {
		return "", fmt.Errorf("write %s: %w", g.Name, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// text is the value as InForce has it.
func (g Given) text() string {
	switch v := g.Value.(type) {
	case string:
		return text(&v)
	case []string:
		return text(&v)
	}
	return ""
}

// placed are the lines where a file has its settings, by their names.
type placed map[string]entry

func places(file []byte) placed {
	at := placed{}
	for _, s := range statements("", file) {
		if r, short := table().short[s.key]; short {
			at[r.Name] = s.entry
		} else {
			at[s.key] = s.entry
		}
	}
	return at
}

// key is how a new line names a setting: by its group alone where that is free.
func (at placed) key(name string) string {
	r := table().named[name]
	if !r.Bare {
		return name
	}
	for other := range at {
		if strings.HasPrefix(other, r.Group()+".") {
			return name // the group may stand there with others of its settings
		}
	}
	return r.Short()
}

// over puts a value into a line in the place of the one that is there, and keeps the comment behind it.
func (e entry) over(line, value, end string) (string, error) {
	colon := strings.IndexByte(line[min(max(e.column-1, 0), len(line)):], ':')
	if colon < 0 {
		return "", ErrNoPlace
	}
	colon += e.column - 1
	rest := strings.TrimRight(line[colon+1:], "\r\n")
	comment := ""
	if i := strings.Index(rest, " #"); i >= 0 && !strings.ContainsAny(rest[:i], `"'`) {
		comment = rest[len(strings.TrimRight(rest[:i], " ")):]
	}
	return line[:colon+1] + " " + value + comment + end, nil
}

// only says whether two settings differ in what is wanted and in nothing else.
func only(old, now *Settings, want map[string]string) bool {
	plain := Defaults()
	for _, r := range table().list {
		value, meant := want[r.Name]
		switch {
		case !meant && reflect.DeepEqual(r.field(old), r.field(now)):
		case meant && text(r.field(now)) == orElse(value, text(r.field(&plain))):
		default:
			return false
		}
	}
	return true
}
