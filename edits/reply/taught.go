package reply

import (
	"io/fs"
	"strings"

	"coauthor/edits"

	"github.com/rogpeppe/go-internal/txtar"
)

// Text returns an embedded file. It panics when there is none: what is embedded is fixed when the
// program is built.
func Text(from fs.FS, name string) string {
	raw, err := fs.ReadFile(from, name)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// Examples reads the archives of examples: the files "user" and "assistant", and those below
// "before/" and "after/".
func Examples(from fs.FS, names ...string) []edits.Example {
	var out []edits.Example
	for _, name := range names {
		e := edits.Example{Before: map[string]string{}, After: map[string]string{}}
		for _, f := range txtar.Parse([]byte(Text(from, name))).Files {
			text := string(f.Data)
			if path, ok := strings.CutPrefix(f.Name, "before/"); ok {
				e.Before[path] = text
			} else if path, ok := strings.CutPrefix(f.Name, "after/"); ok {
				e.After[path] = text
			} else if f.Name == "user" {
				e.User = text
			} else if f.Name == "assistant" {
				e.Assistant = text
			}
		}
		out = append(out, e)
	}
	return out
}
