package mention_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/mention"
)

func TestAIComments(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string // kind, line, lines of the comment, what it says
	}{
		{"a.go", "package a\n\n// Make it faster. AI!\nfunc f() {}\n", []string{"AI! 2 2-2 Make it faster."}},
		{"a.go", "x := 1 // ai? why one\n", []string{"AI? 0 0-0 why one"}},
		{"a.go", "// AI: this is what matters\n", []string{"AI 0 0-0 this is what matters"}},
		{"a.go", "// AI! rename it\n//ai! and this\n", []string{"AI! 0 0-1 rename it and this", "AI! 1 0-1 rename it and this"}},
		{"a.go", "// Make it faster\n// and shorter. AI!\n\n// No more.\n", []string{"AI! 1 0-1 Make it faster and shorter."}},
		{"a.go", "// One.\n\t// Two. AI!\n", []string{"AI! 1 1-1 Two."}},
		{"a.go", "a() // One AI!\nb() // Two AI?\n", []string{"AI! 0 0-0 One", "AI? 1 1-1 Two"}},
		{"a.go", "/* Make it faster\n * and shorter. AI!\n */\n", []string{"AI! 1 0-2 Make it faster and shorter."}},
		{"a.go", "/* AI!\n   Make it faster. */ // ai\n", []string{"AI! 0 0-1 Make it faster.", "AI 1 1-1 "}},
		{"a.go", "s := \"// AI!\" + `\n// AI!\n`\n", nil},
		{"a.go", "// openai\n// brain\n// gen-ai\n// AIs are not it\n// say it in Dubai!\n// ai_x\n", nil},
		{"a.go", "// AI! what about this, AI?\n", []string{"AI? 0 0-0 what about this,"}},
		{"a.go", "// ai\r\nx\r\n", []string{"AI 0 0-0 "}},
		{"a.py", "#ai! do\ns = '# AI!'\n\"\"\"Doc. AI?\"\"\"\n", []string{"AI! 0 0-0 do", "AI? 2 2-2 Doc."}},
		{"a.html", "<p>AI!</p><!-- Make it red. AI! -->\n", []string{"AI! 0 0-0 Make it red."}},
		{"a.lua", "-- do it AI!\n--[[ and\nthis ai! ]]\n", []string{"AI! 0 0-0 do it", "AI! 2 1-2 and this"}},
		{"a.sql", "-- do it AI!\nSELECT '-- AI!'; /* AI? */\n", []string{"AI! 0 0-0 do it", "AI? 1 1-1 "}},
		{"a.el", ";;; do it AI!\n", []string{"AI! 0 0-0 do it"}},
		{"a.tex", "% do it AI!\n", []string{"AI! 0 0-0 do it"}},
		{"a.md", "# AI!\n\nAI!\n\n<!-- shorter AI! -->\n", []string{"AI! 4 4-4 shorter"}},
		{"a.vim", "\" do it AI!\n", []string{"AI! 0 0-0 do it"}},
		{"a.ml", "(* do it AI! *)\n", []string{"AI! 0 0-0 do it"}},
		{"a.hs", "{- do it AI! -}\n", []string{"AI! 0 0-0 do it"}},
		{"a.f90", "! do it ai!\n", []string{"AI! 0 0-0 do it"}},
		{"a.go", "// 速くして AI！\n", []string{"AI! 0 0-0 速くして"}},
	} {
		list, err := mention.AIComments(context.Background(), c.path, c.text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, one := range list {
			got = append(got, fmt.Sprintf("%s %d %d-%d %s", one.Kind, one.Line, one.First, one.Last, one.Text))
			if raw := strings.TrimSpace(strings.Split(c.text, "\n")[one.Line]); one.Raw != raw {
				t.Errorf("%s %q: line %d is %q, not %q", c.path, c.text, one.Line, raw, one.Raw)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %q: -want +got\n%s", c.path, c.text, diff)
		}
	}
}

// Every mark lies in the text, on a line of its comment.
func FuzzAIComments(f *testing.F) {
	f.Add("a.go", "// AI!\n/* ai? */ x // AI")
	f.Add("a.py", "#ai!\n\"\"\"x AI?\n\"\"\"")
	f.Add("a.html", "<!-- AI! --><script>// ai\n</script>")
	f.Add("a.unknown", "; AI!\n% ai\n/* x\nAI? */")
	f.Fuzz(func(t *testing.T, path, text string) {
		list, err := mention.AIComments(context.Background(), path, text)
		if err != nil {
			t.Skip(err)
		}
		lines := strings.Split(text, "\n")
		for _, c := range list {
			if c.First < 0 || c.Line < c.First || c.Last < c.Line || c.Last >= len(lines) || c.Raw != strings.TrimSpace(lines[c.Line]) {
				t.Fatalf("AIComments(%q, %q): %+v", path, text, c)
			}
			if !strings.Contains(strings.ToLower(c.Raw), "ai") {
				t.Fatalf("AIComments(%q, %q): no mark in %q", path, text, c.Raw)
			}
		}
	})
}
