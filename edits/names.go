package edits

import (
	"path"
	"slices"
	"strings"
)

// target is what a name in a reply stands for.
type target struct {
	path   string
	exists bool
	note   string
	sure   bool // the name is that of the file; otherwise it only resembles it
}

// resolve is the one table of names. A name that is a file's name is that file, whatever else
// resembles it. Only a name that is no file is looked for among the chat files.
func (r *run) resolve(name string) target {
	name = tidy(name)
	for _, try := range spellings(name) {
		if r.exists(try) {
			t := target{path: try, exists: true, sure: true}
			if try != name {
				t.note = name + " was read as " + try
			}
			return t
		}
	}
	if found, ok := r.resembling(name); ok && r.in.uses(RuleResembling) {
		return target{path: found, exists: true, note: name + " is no file; it was read as " + found}
	}
	return target{path: spellings(name)[0]}
}

// tidy takes off what models put around a name.
func tidy(name string) string {
	name = strings.TrimSpace(name)
	for _, pair := range []string{"``", "''", `""`, "<>", "()", "[]"} {
		if len(name) > 2 && name[0] == pair[0] && name[len(name)-1] == pair[1] {
			name = name[1 : len(name)-1]
		}
	}
	return name
}

// spellings are the ways in which one name may be meant, the plainest first. All are clean, so that
// a file has one entry in every table.
func spellings(name string) []string {
	var out []string
	add := func(s string) {
		if s == "" {
			return
		}
		if s = path.Clean(s); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	add(name)
	if strings.Contains(name, `\`) {
		add(strings.NewReplacer(`\_`, "_", `\*`, "*", `\-`, "-").Replace(name))
		add(strings.ReplaceAll(strings.TrimPrefix(name, `.\`), `\`, "/"))
	}
	for _, s := range out {
		if rest, ok := strings.CutPrefix(s, "a/"); ok {
			add(rest)
		} else if rest, ok := strings.CutPrefix(s, "b/"); ok {
			add(rest)
		}
	}
	if len(out) == 0 {
		return []string{name}
	}
	return out
}

// resembling returns the one chat file that the name may stand for.
func (r *run) resembling(name string) (string, bool) {
	name = strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	if name == "" {
		return "", false
	}
	tests := []func(chat string) bool{
		func(chat string) bool { return chat == name },
		func(chat string) bool {
			return strings.HasSuffix(chat, "/"+name) || strings.HasSuffix(name, "/"+chat)
		},
		func(chat string) bool { return path.Base(chat) == path.Base(name) },
	}
	for _, test := range tests {
		found, n := "", 0
		for _, chat := range r.o.Chat {
			if r.exists(chat) && test(strings.ToLower(chat)) {
				found = chat
				n++
			}
		}
		if n > 0 {
			return found, n == 1
		}
	}
	if !r.in.uses(RuleTypo) {
		return "", false
	}
	return r.typo(name)
}

// typo returns the one chat file whose name is nearly this one.
func (r *run) typo(name string) (string, bool) {
	best, second, found := 0.0, 0.0, ""
	for _, chat := range r.o.Chat {
		if !r.exists(chat) || len(chat) > maxCompared || len(name) > maxCompared {
			continue
		}
		if path.Ext(strings.ToLower(chat)) != path.Ext(name) {
			continue // app.js is no typo of app.ts
		}
		like := alike(strings.ToLower(chat), name)
		if like > best {
			best, second, found = like, best, chat
		} else if like > second {
			second = like
		}
	}
	return found, best >= 0.8 && 1-second >= 2*(1-best)
}
