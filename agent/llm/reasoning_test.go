package llm

import (
	"strings"
	"testing"
)

// FuzzSplitter: however a reply is cut into pieces, the split is the same and nothing is lost but the
// tags and the blank lines around them.
func FuzzSplitter(f *testing.F) {
	f.Add("<think>a</think>\n\nb", 3)
	f.Add("  <thi", 1)
	f.Add("<think></think><think>x", 2)
	f.Fuzz(func(t *testing.T, text string, n int) {
		run := func(n int) (answer, thinking string) {
			s := newSplitter([]Tag{{Open: "<think>", Close: "</think>"}}, func(th bool, piece string) {
				if th {
					thinking += piece
				} else {
					answer += piece
				}
			})
			for rest := text; rest != ""; {
				k := min(max(n, 1), len(rest))
				s.write(rest[:k])
				rest = rest[k:]
			}
			s.finish()
			return answer, thinking
		}
		a1, t1 := run(len(text))
		a2, t2 := run(n)
		if a1 != a2 || t1 != t2 {
			t.Errorf("%q in pieces of %d: %q/%q, as one: %q/%q", text, n, a2, t2, a1, t1)
		}
		kept := strings.NewReplacer("\n", "", "\r", "", " ", "", "\t", "")
		all := kept.Replace(strings.NewReplacer("<think>", "", "</think>", "").Replace(text))
		if !strings.Contains(text, "think>") && kept.Replace(a1+t1) != all {
			t.Errorf("%q became %q and %q", text, a1, t1)
		}
	})
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		"key MYKEYMYKEY is wrong":                       "key [key] is wrong",
		"Incorrect API key provided: sk-ab****wxyz.":    "Incorrect API key provided: [key]",
		"Bearer abcdefgh1234":                           "[key]",
		"https://h/p?key=abc&x=1":                       "https://h/p?key=[key]&x=1",
		"nothing to hide: task-list":                    "nothing to hide: task-list",
		"AIza" + "0123456789abcdefghijKLMN is Google's": "[key] is Google's",
		"basic dXNlcjpwYXNzd29yZA== it was":             "[key] it was",
		"https://h/p?x=1&access_token=abc&sig=d":        "https://h/p?x=1&access_token=[key]&sig=[key]",
		"gsk_0123456789 and hf-0123456789":              "[key] and [key]",
		"a basic idea; the bearer of it":                "a basic idea; the bearer of it",
	} {
		if got := redact(in, "MYKEYMYKEY"); got != want {
			t.Errorf("redact(%q) = %q, want %q", in, got, want)
		}
	}
}
