package verify

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/sandbox"
)

// packageJSON is a tree with one file.
type packageJSON string

func (p packageJSON) Root() string                { return "/home/me/app" }
func (p packageJSON) Exists(path string) bool     { return path == "package.json" }
func (p packageJSON) Read(string) (string, error) { return string(p), nil }

// FuzzResembles: what the user says yes to is one line, it is known again by its command and its folder whatever it stands
// for and however it runs, and no other command is taken for it, nor the same one with other words behind its name.
func FuzzResembles(f *testing.F) {
	f.Add("npm\ntest", "npm\ntest", "", "web", "jest", "jest --all", true)
	f.Add("go\nvet", "go", "x", "x", "", "", false)
	f.Add("a\n[in b]", "a", "", "b", `"] [in a copy]`, "]", true)
	f.Add("a b\n\"c", "a\nb c", "d [in a copy]", "d", "x\ny", "x", false)
	f.Fuzz(func(t *testing.T, argv, other, dir, otherDir, words, otherWords string, copied bool) {
		way, otherWay := sandbox.Overlay, sandbox.Copied
		if copied {
			way, otherWay = otherWay, way
		}
		a := Wanted{Command: strings.Split(argv, "\n"), Dir: dir, Script: words, Way: way}
		if text := a.Text(); strings.ContainsAny(text, "\n\r") {
			t.Errorf("more than a line: %q", text)
		}
		for _, w := range []Wanted{a, {Command: a.Command, Dir: dir, Script: otherWords, Way: way}, {Command: a.Command, Dir: dir, Way: otherWay}} {
			if !a.Resembles(w.Text()) {
				t.Errorf("%q is not known again as %q", w.Text(), a.Text())
			}
			if same := w.Script == a.Script && w.Way == a.Way; same != (w.Text() == a.Text()) {
				t.Errorf("%+v and %+v are both %q", a, w, a.Text())
			}
		}
		b := Wanted{Command: strings.Split(other, "\n"), Dir: otherDir, Script: otherWords, Way: otherWay}
		if same := slices.Equal(a.Command, b.Command) && a.Dir == b.Dir; a.Resembles(b.Text()) != same {
			t.Errorf("%q taken for %q: %v", b.Text(), a.Text(), !same)
		}
	})
}

// FuzzScripts: the words behind the name of a script are read of any package.json, and are those that stand there.
func FuzzScripts(f *testing.F) {
	f.Add(`{"scripts": {"pretest": "a", "test": "b", "posttest": "c"}}`, "test")
	f.Add(`{"scripts": {"test": 1, "Test": "x", "test ": "y"}, "Scripts": {"test": "no"}}`, "test")
	f.Add(`{"scripts": {"test": "a", "test": "b"}}`, "run")
	f.Add(`{"scripts": null}`, "t")
	f.Add(`{"scripts": {"a": "x`+"\\u0000"+`"}}`, "a")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, argv := range [][]string{{"npm", "run", name}, {"yarn", name}, {"npm", "run-script", name, "--", "x"}} {
			got := script(Tool{Argv: argv}, packageJSON(text))
			if got == "" {
				continue
			}
			known := scriptsOf(text)
			for part := range strings.SplitSeq(got, " && ") {
				if !slices.ContainsFunc(slices.Collect(maps.Values(known)), func(s string) bool { return strings.Contains(s, part) }) {
					t.Errorf("%q of %q is no script", part, got)
				}
			}
		}
		if got := script(Tool{Argv: []string{"make", name}}, packageJSON(text)); got != "" {
			t.Errorf("make runs %q", got)
		}
	})
}
