package workspace_test

import (
	"context"
	"testing"

	"coauthor/agent/workspace"
)

// TestRulesOfOurOwnFiles: the rules of the files that git is not asked about mean what they mean in a
// .gitignore. What TestIgnoredAsGitSays found is here by name.
func TestRulesOfOurOwnFiles(t *testing.T) {
	for _, c := range []struct {
		text    string
		hidden  []string
		visible []string
	}{
		{"*.q\n!a/\n", []string{"a/x.q", "x.q", "b/a/x.q"}, []string{"a/x"}},                                    // the folder comes back, the file in it does not
		{"*.x\n!c/*\n", []string{"c/c/a.x", "a.x"}, []string{"c/a.x"}},                                          // not one level further down
		{"[!a]*\n", []string{"b", "bcd", "sub/a"}, []string{"a", "abc"}},                                        // git's way to negate a class
		{"a**b\n", []string{"ab", "axb", "sub/axxb"}, []string{"a/b"}},                                          // two stars in a name are one
		{"{a,b}\n", []string{"{a,b}"}, []string{"a", "b"}},                                                      // no alternatives
		{"[[:digit:]]*\n", []string{"1", "2x"}, []string{"x", "d", "["}},                                        // classes of POSIX
		{"a/**\n", []string{"a/b", "a/b/c"}, []string{"a", "b/a/c", "x"}},                                       // only what lies in it
		{"/top\nlow\nsub/deep\n", []string{"top", "low", "x/low", "sub/deep"}, []string{"x/top", "x/sub/deep"}}, // anchored or not
		{"only/\n", []string{"only/x", "a/only/x"}, []string{"only", "a/only"}},                                 // folders alone
		{"# no\n\\# yes\n\\!yes\n", []string{"# yes", "!yes"}, []string{"# no", "no"}},                          // what begins with a special character
		{"end  \r\nkept\\ x\n", []string{"end", "kept x"}, []string{"end  x", "kept"}},                          // blanks at the end
		{"[a\n\\\n**[\n", nil, []string{"[a", "a", "["}},                                                        // malformed rules fit nothing
	} {
		w := open(t, nil, workspace.Options{})
		w.DidOpen(".coauthorignore", c.text, 1)
		for want, list := range map[bool][]string{true: c.hidden, false: c.visible} {
			for _, path := range list {
				if d := w.Door().Check(t.Context(), path, workspace.OpSend); (d.Code == workspace.CodeIgnored) != want {
					t.Errorf("%q: %s: %+v", c.text, path, d)
				}
				if listed := w.Door().Lister(t.Context())(path); listed == want {
					t.Errorf("%q: %s is listed: %v", c.text, path, listed)
				}
			}
		}
	}
}

func FuzzIgnoreFile(f *testing.F) {
	for _, text := range []string{"a\n", "!a/\n*.x", "[!a", "**/", "/**", "\\", "a\\ \n", "[[:alpha:]]", "\uFEFFx", "{,}"} {
		f.Add(text, "a/b.x")
	}
	w, err := workspace.Open(f.TempDir(), workspace.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		w.DidOpen(".coauthorignore", text, 1)
		d := w.Door().Check(context.Background(), path, workspace.OpSend)
		if d.Code == workspace.CodeIgnored && (d.Verdict != workspace.Ask || d.Reason == "") {
			t.Errorf("%q of %q: %+v", path, text, d)
		}
	})
}
