package verify

import (
	"context"
	"encoding/json"
	"path"
	"regexp"
	"strconv"
	"strings"

	"coauthor/agent/sandbox"
)

// Command is a program and its arguments, as they are run: no shell reads them.
type Command []string

var plainWord = regexp.MustCompile(`^[\pL\pN_@%+=:,./-]+$`)

// String is the command in exactly one way, as the user reads it before saying yes: no other command
// has the same text, and nothing in it is hidden.
func (c Command) String() string {
	words := make([]string, len(c))
	for i, w := range c {
		if !plainWord.MatchString(w) {
			w = strconv.Quote(w)
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

// Wanted is what a check wants to run.
type Wanted struct {
	Command Command
	Script  string // what it runs by a name alone, as package.json has it; "" for nothing
	Dir     string // in which it runs, relative to the root; "" is the root
	Formats bool   // it rewrites files; this is no part of Text
	Way     sandbox.Way
}

// Text is all of it in exactly one way and in one line: what the user says yes to. A way that keeps less from the command
// is another text.
func (w Wanted) Text() string {
	text := w.Command.String()
	if w.Script != "" {
		text += " [" + strconv.Quote(w.Script) + "]"
	}
	if w.Dir != "" {
		text += " [in " + Command{w.Dir}.String() + "]"
	}
	if w.Way == sandbox.Copied {
		text += copyMark
	}
	return text
}

// Resembles says whether a text is that of the same command in the same folder, whatever it stands for and however it
// runs.
func (w Wanted) Resembles(text string) bool {
	rest, ok := strings.CutPrefix(text, w.Command.String())
	if !ok {
		return false
	}
	if quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(rest, " [")); err == nil && strings.HasPrefix(rest, " [") {
		rest = strings.TrimPrefix(rest[len(" [")+len(quoted):], "]")
	}
	w.Script, w.Way = "", ""
	return strings.TrimSuffix(rest, copyMark) == strings.TrimPrefix(w.Text(), w.Command.String())
}

// copyMark ends the text of a command that runs in a copy.
const copyMark = " [in a copy]"

// Wanted is what a check with this tool wants to run on a tree.
func (t Tool) Wanted(tree Tree, way sandbox.Way) Wanted {
	return Wanted{Command: t.Command(), Script: script(t, tree), Dir: t.Dir, Formats: t.Formats, Way: way}
}

// Consent says whether the user lets exactly this run, and may ask. Without an answer it is
// false; an error means that checking should end, which for a cancelled ctx is ctx.Err().
type Consent func(ctx context.Context, w Wanted) (bool, error)

// May says whether the user lets a command run. A check runs nothing without it.
func (in Input) May(ctx context.Context, w Wanted) (bool, error) {
	if len(w.Command) == 0 || in.Consent == nil {
		return false, ctx.Err()
	}
	return in.Consent(ctx, w)
}

// script is what a command of a package manager stands for in the package.json beside which it runs; "" where it is none.
// Who agreed to a name has not agreed to what it means tomorrow.
func script(t Tool, tree Tree) string {
	if len(t.Argv) < 2 {
		return ""
	}
	manager, rest := program(t.Argv[0]), t.Argv[1:]
	switch manager {
	case "npm", "pnpm", "yarn", "bun":
	default:
		return ""
	}
	name := rest[0]
	if (name == "run" || name == "run-script") && len(rest) > 1 {
		name = rest[1]
	} else if name == "t" || name == "tst" {
		name = "test"
	}
	text, err := tree.Read(path.Join(t.Dir, "package.json"))
	if err != nil || len(text) > mostConfig {
		return ""
	}
	scripts := scriptsOf(text)
	if scripts[name] == "" {
		return ""
	}
	var parts []string
	for _, n := range []string{"pre" + name, name, "post" + name} {
		if s := scripts[n]; s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " && ")
}

// scriptsOf are the scripts of a package.json. Its names are taken letter by letter, as npm takes them.
func scriptsOf(text string) map[string]string {
	var whole, raw map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &whole) != nil || json.Unmarshal(whole["scripts"], &raw) != nil {
		return nil
	}
	list := make(map[string]string, len(raw))
	for name, value := range raw {
		var s string
		if json.Unmarshal(value, &s) == nil {
			list[name] = s
		}
	}
	return list
}
