package wire

import (
	"strings"
	"testing"

	"coauthor/agent/llm"
)

// FuzzSplitter: however a reply is cut into pieces, the split is the same and nothing is lost but the
// tags and the blank lines around them.
func FuzzSplitter(f *testing.F) {
	f.Add("<think>a</think>\n\nb", 3)
	f.Add("  <thi", 1)
	f.Add("<think></think><think>x", 2)
	f.Fuzz(func(t *testing.T, text string, n int) {
		run := func(n int) (answer, thinking string) {
			s := newSplitter([]llm.Tag{{Open: "<think>", Close: "</think>"}}, func(th bool, piece string) {
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

// TestSplitting: what is thinking and what is answer while a reply arrives, in pieces of any size.
func TestSplitting(t *testing.T) {
	tags := llm.ThinkTags("ponder")
	for in, want := range map[string]struct {
		answer, thinking string
		unclosed         bool
	}{
		"":                                 {},
		" \n ":                             {},
		"plain":                            {answer: "plain"},
		" \n plain\n":                      {answer: " \n plain\n"},
		"<think>a</think>\r\n\n b":         {answer: " b", thinking: "a"},
		"\t<think>a</think>b":              {answer: "b", thinking: "a"},
		"<thinking>a</think>b</thinking>c": {answer: "c", thinking: "a</think>b"},
		"<ponder>a</ponder>b":              {answer: "b", thinking: "a"},
		"[THINK]a[/THINK]b":                {answer: "b", thinking: "a"},
		"<think>a</think> <thought>b</thought>\nc": {answer: "c", thinking: "ab"},
		"<think></think>b":                         {answer: "b"},
		"<think>a":                                 {thinking: "a", unclosed: true},
		"<think>a</thi":                            {thinking: "a</thi", unclosed: true},
		"<think>":                                  {unclosed: true},
		"<think>a</</think>b":                      {answer: "b", thinking: "a</"},
		"<thi":                                     {answer: "<thi"},
		" <thi":                                    {answer: " <thi"},
		"<thinner>a":                               {answer: "<thinner>a"},
		"a <think>b</think>":                       {answer: "a <think>b</think>"},
		"<think>a</think>\n":                       {thinking: "a"},
		"<think>a</think>b<think>c</think>":        {answer: "b<think>c</think>", thinking: "a"},
	} {
		for size := 1; size <= max(1, len(in)); size++ {
			var answer, thinking strings.Builder
			s := newSplitter(tags, func(thought bool, text string) {
				if text == "" {
					t.Errorf("%q in pieces of %d: an empty piece", in, size)
				}
				if thought {
					thinking.WriteString(text)
				} else {
					answer.WriteString(text)
				}
			})
			for rest := in; rest != ""; {
				n := min(size, len(rest))
				s.write(rest[:n])
				rest = rest[n:]
			}
			if unclosed := s.finish(); answer.String() != want.answer || thinking.String() != want.thinking || unclosed != want.unclosed {
				t.Errorf("%q in pieces of %d: answer %q, thinking %q, unclosed %v", in, size, answer.String(), thinking.String(), unclosed)
			}
		}
	}
	// White space is held back for a while only.
	for blanks, held := range map[int]bool{4095: true, 4096: false} {
		answer := ""
		s := newSplitter(tags, func(_ bool, text string) { answer += text })
		s.write(strings.Repeat(" ", blanks))
		if (answer == "") != held {
			t.Errorf("%d blanks: %d bytes are shown", blanks, len(answer))
		}
	}
}
