package prose

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// circling feeds a text in pieces and returns where it was found to go round, -1 for nowhere.
func circling(text string, piece int) (at int, r *Repeats) {
	r = &Repeats{}
	for i := 0; i < len(text); i += piece {
		if end := min(len(text), i+piece); r.Write(text[i:end]) {
			return end, r
		}
	}
	return -1, r
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestTextsThatGoRound(t *testing.T) {
	const sentence = "I will look at the file once more and then change it as you asked me to. "
	const path = "src/main/java/com/example/project/service/implementation/"
	random := rand.New(rand.NewPCG(1, 2))
	var letters strings.Builder
	for range 20_000 {
		letters.WriteByte(byte('a' + random.IntN(26)))
	}
	for what, c := range map[string]struct {
		text  string
		found bool
	}{
		"a sentence ten times":             {"First of all. " + strings.Repeat(sentence, 11), true},
		"a sentence nine times":            {"First of all. " + strings.Repeat(sentence, 9) + "That is all.", false},
		"a line":                           {strings.Repeat(strings.TrimSpace(sentence)+"\n", 12), true},
		"a word":                           {strings.Repeat("no ", 200), true},
		"a letter":                         {strings.Repeat("a", 600), true},
		"blank lines":                      {"Done." + strings.Repeat("\n", 600), true},
		"an item of a list":                {strings.Repeat("- the same item of a list that never ends, again\n", 30), true},
		"a long paragraph":                 {strings.Repeat(letters.String()[:1900]+"\n", 12), true},
		"letters beyond ASCII":             {strings.Repeat("もう一度ファイルを見てから、ご依頼のとおりに変更します。", 25), true},
		"few letters beyond ASCII":         {strings.Repeat("もう一度ファイルを見てから、ご依頼のとおりに変更します。", 15), false},
		"with a number that counts":        {numbered(40, "Let me think about it again and look at all of the code, %d. "), true},
		"after code that repeats itself":   {"```\n" + strings.Repeat("x = 1\n", 500) + "```\n" + strings.Repeat(sentence, 12), true},
		"in a fence":                       {"```python\n" + strings.Repeat(sentence+"\n", 50) + "```\n", false},
		"in a longer fence":                {"````\n```\n" + strings.Repeat(sentence+"\n", 50) + "```\n" + strings.Repeat(sentence+"\n", 50) + "````\n", false},
		"in tildes":                        {"~~~\n" + strings.Repeat(sentence+"\n", 50), false},
		"in a block":                       {"a.py\n<<<<<<< SEARCH\n" + strings.Repeat(sentence+"\n", 50) + "=======\n" + strings.Repeat(sentence+"\n", 50) + ">>>>>>> REPLACE\n", false},
		"in a patch":                       {"*** Begin Patch\n*** Add File: a\n" + strings.Repeat("+"+sentence+"\n", 50) + "*** End Patch\n", false},
		"in a diff":                        {"--- a.py\n+++ a.py\n@@ -1 +1,50 @@\n" + strings.Repeat("+"+sentence+"\n", 50) + "\n" + strings.Repeat(" "+sentence+"\n", 50), false},
		"behind a diff":                    {"--- a.py\n+++ a.py\n@@ -1 +1 @@\n+a\nThat was it. " + strings.Repeat(sentence, 12), true},
		"between pieces of code":           {strings.Repeat(sentence+"\n```\nx = 1\n```\n", 50), false},
		"files with a long name in common": {numbered(40, "- "+path+"Class%d.java was changed\n"), false},
		"rows of a table":                  {"| n | square |\n|---|---|\n" + numbered(60, "| the row of the number that is to be squared here %d | x |\n"), false},
		"lines that differ in a number":    {numbered(100, "%d squared is a number\n"), false},
		"a ruler":                          {"Title\n" + strings.Repeat("=", 120) + "\n", false},
		"letters at random":                {letters.String(), false},
	} {
		for _, piece := range []int{1, 7, 64, 1 << 20} {
			at, r := circling(c.text, piece)
			if (at >= 0) != c.found {
				t.Errorf("%s, in pieces of %d: found at %d of %d", what, piece, at, len(c.text))
			}
			if at >= 0 && (r.From <= 0 || r.From >= len(c.text)) {
				t.Errorf("%s: from %d", what, r.From)
			}
		}
	}
}

// What is kept of a text that goes round is what it said the first time.
func TestWhereATextBeginsToGoRound(t *testing.T) {
	const head, unit = "```\ncode\n```\nFirst of all. ", "This is a sentence of more than fifty characters, and it comes again. "
	_, r := circling(head+strings.Repeat(unit, 40), 5)
	if kept := (head + strings.Repeat(unit, 40))[:r.From]; !strings.HasPrefix(kept, head) || strings.Count(kept, "more than fifty") > 2 {
		t.Errorf("kept %q", kept)
	}
}

func FuzzRepeats(f *testing.F) {
	f.Add("```\nx\n", 3)
	f.Add(strings.Repeat("--- a\n", 90), 1)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		text = strings.Repeat(text, 1+min(20, 5000/max(len(text), 1)))
		at, r := circling(text, max(1, piece))
		whole, _ := circling(text, max(1, len(text)))
		if (at >= 0) != (whole >= 0) {
			t.Errorf("found at %d in pieces of %d, at %d in one", at, piece, whole)
		}
		if at >= 0 && (r.From < 0 || r.From > at) {
			t.Errorf("from %d of %d", r.From, at)
		}
	})
}
