package agent_test

import (
	"slices"
	"testing"

	"coauthor/agent"
)

// The files of context.readOnly are shown with each request and cannot be changed: those that are there and may be sent.
func TestFilesThatAreAlwaysShown(t *testing.T) {
	b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", map[string]string{
		"a.txt": "one\n", "GUIDE.md": "guide\n", "docs/x.md": "x\n", "docs/deep/y.md": "y\n", "docs/z.txt": "z\n", "api/one.h": "one\n", ".env": "KEY=1\n", "top.proto": "top\n",
	})
	for _, c := range []struct{ setting, want []string }{
		{nil, nil},
		{[]string{"GUIDE.md", "nowhere.md", "./api/"}, []string{"GUIDE.md", "api/one.h"}},
		{[]string{"docs/**/*.md", "GUIDE.md", "docs"}, []string{"docs/deep/y.md", "docs/x.md", "GUIDE.md", "docs/z.txt"}},
		{[]string{".env", "a.txt"}, nil}, // nobody is asked, and what is worked on is shown as that
		{[]string{"*.proto"}, []string{"top.proto"}},
		{[]string{"../", "/etc/*"}, nil},
	} {
		b.mu.Lock()
		b.settings.ReadOnly = c.setting
		b.mu.Unlock()
		p, err := b.session.Prompt(deadline(t), agent.Request{Instruction: "Why?", Files: []string{"a.txt"}}, agent.Ports{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Context.ReadOnly, c.want) || !slices.Equal(p.Context.Chat, []string{"a.txt"}) {
			t.Errorf("%q: shown %q beside %q", c.setting, p.Context.ReadOnly, p.Context.Chat)
		}
	}
}
