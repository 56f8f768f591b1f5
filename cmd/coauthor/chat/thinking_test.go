package chat

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"coauthor/agent/event"
)

// TestThinking: what a model thinks is seen while it comes, dimmed and set off; when something else comes, one line stands in
// its place, and none of it stays.
func TestThinking(t *testing.T) {
	for _, x := range []struct {
		name         string
		events       []event.Event
		above, below string
	}{
		{"unfolded", []event.Event{thinks("Let me"), thinks(" see.")},
			"", "{2:│ Let me see.}"},
		{"folded by an answer", []event.Event{thinks("Let me"), thinks(" see."), says("It is ")},
			"{2:Thought for 2.0 s.}", "It is"},
		{"folded by an edit", []event.Event{thinks("Hm."), changes("update", "a.py")},
			"{2:Thought for 1.0 s.}", "{2:  edit a.py}"},
		{"folded by the lines of an edit", []event.Event{thinks("Hm."), says("a.py\n```\n<<<<<<< SEARCH\n")},
			"{2:Thought for 1.0 s.}", ""},
		{"folded by a look", []event.Event{thinks("Hm."), {Kind: event.KindTool, Text: "a.py"}},
			"{2:Thought for 1.0 s.}\n{2:Looking: a.py}", ""},
		{"folded by the end", []event.Event{thinks("Hm."), {Kind: event.KindEnded}},
			"{2:Thought for 1.0 s.}", ""},
		{"not folded by blanks", []event.Event{thinks("Hm."), says("\n"), thinks(" Yes.")},
			"", "{2:│ Hm. Yes.}"},
		{"twice", []event.Event{thinks("a"), {Kind: event.KindTool, Text: "a.py"}, thinks("b"), says("No, it is. ")},
			"{2:Thought for 1.0 s.}\n{2:Looking: a.py}\n{2:Thought for 1.0 s.}", "No, it is."},
		{"cut in a character and in a word", []event.Event{thinks("na\xc3"), thinks("\xafve stra"), thinks("tegy \xe6\x97"), thinks("\xa5本")},
			"", "{2:│ naïve strategy 日本}"},
		{"an order to the terminal", []event.Event{thinks("a\x1b"), thinks("[2Jb")},
			"", "{2:│ a<U+001B>[2Jb}"},
		{"the last lines", []event.Event{thinks("1\n2\n3\n4\n5\n6\n7\n8\n")},
			"", "{2:│ 3}\n{2:│ 4}\n{2:│ 5}\n{2:│ 6}\n{2:│ 7}\n{2:│ 8}"},
		{"late, in the middle of a word", []event.Event{says("The func"), thinks("Is it?"), says("tion is wrong.\n\nIt adds ")},
			"The function is wrong.\n{2:Thought for 1.0 s.}", "It adds"},
		{"late, while it is seen", []event.Event{says("The func"), thinks("Is it?")},
			"", "The func\n{2:│ Is it?}"},
		{"late, behind a paragraph", []event.Event{says("It is wrong.\n\n"), thinks("Why?"), says("It adds ")},
			"It is wrong.\n{2:Thought for 1.0 s.}", "It adds"},
		{"late, in an edit", []event.Event{says("a.py\n```\n<<<<<<< SEARCH\nx = 1\n"), thinks("Two?"), says("=======\nx = 2\n>>>>>>> REPLACE\n```\n"), says("That is all. ")},
			"{2:Thought for 1.0 s.}", "That is all."},
		{"late, in a listing", []event.Event{says("Run it:\n```sh\nmake\n\n"), thinks("All?"), says("make test\n```\n"), {Kind: event.KindEnded}},
			"Run it:\n\n  make\n\n  make test\n{2:Thought for 1.0 s.}", ""},
	} {
		g := newStage(t, 40, true)
		v := g.turn(false)
		g.plays(v, x.events...)
		if got := readable(g.above()); got != x.above {
			t.Errorf("%s: printed\n%s\nwant\n%s", x.name, got, x.above)
		}
		if got := strings.TrimRight(readable(strings.Join(v.rows(40, 30), "\n")), " "); strings.TrimSpace(got) != strings.TrimSpace(x.below) {
			t.Errorf("%s: drawn\n%s\nwant\n%s", x.name, got, x.below)
		}
	}
}

// TestThinkingIsHidden where the setting hides it, and then nothing says that there was any.
func TestThinkingIsHidden(t *testing.T) {
	g := newStage(t, 40, true)
	g.set.ShowThinking = false
	v := g.turn(false)
	g.plays(v, thinks("Let me see."), says("Yes. "))
	if got := g.above(); got != "" || strings.Contains(g.below(), "see") {
		t.Errorf("printed %q, drawn\n%s", got, g.below())
	}
}

// TestThinkingIsDrawn: the last piece before a silence is drawn with the clock, however soon it comes behind the one before.
func TestThinkingIsDrawn(t *testing.T) {
	g := newStage(t, 40, false)
	v := g.turn(false)
	v.sink(thinks("Let me"))
	v.sink(thinks(" see.")) // at the same time
	if got := g.below(); !strings.Contains(got, "│ Let me see.") {
		t.Errorf("drawn\n%s", got)
	}
	v.sink(says("It "))
	v.sink(says("is so."))
	if got := g.below(); !strings.Contains(got, "It is so.") || strings.Contains(got, "│") {
		t.Errorf("drawn\n%s", got)
	}
}

// TestLongThinking: in any language and at any width no row is too wide and none ends in half a character, and what stands
// there does not move before a row is full.
func TestLongThinking(t *testing.T) {
	for name, sentence := range map[string]string{
		"English": "The function adds what it should subtract, and nobody noticed. ", "German": "Die Donaudampfschifffahrtsgesellschaft rechnet überall falsch, größer als nötig. ",
		"Japanese": "この関数は引き算をするべきところで足し算をしている。", "Arabic": "الدالة تجمع بدلا من أن تطرح. ", "no blanks": "abcdefghijklmnopqrstuvwxyz",
	} {
		for _, width := range []int{40, 300} {
			g := newStage(t, width, false)
			v := g.turn(false)
			moved, last := 0, ""
			for rest := strings.Repeat(sentence, 12<<10/len(sentence)); rest != ""; {
				n := min(47, len(rest)) // within a word, and within a character
				v.sink(thinks(rest[:n]))
				rest = rest[n:]
				rows := v.rows(width, 30)
				for _, row := range rows {
					if ansi.StringWidth(row) > width || strings.ContainsRune(row, '\uFFFD') {
						t.Fatalf("%s, %d columns: %q", name, width, row)
					}
				}
				if len(rows) > 1 && rows[0] != last {
					moved, last = moved+1, rows[0]
				}
			}
			if most := 12<<10/(width-2) + 40; moved > most {
				t.Errorf("%s, %d columns: the rows moved %d times, want at most %d", name, width, moved, most)
			}
		}
	}
}

// TestThoughtFor: how long it took, in words that fit.
func TestThoughtFor(t *testing.T) {
	for d, want := range map[time.Duration]string{
		340 * time.Millisecond: "Thought for 0.3 s.", 42 * time.Second: "Thought for 42 s.", 125 * time.Second: "Thought for 2 min 5 s.",
	} {
		if got := thoughtFor(d); got != want {
			t.Errorf("%s: %q", d, got)
		}
	}
}
