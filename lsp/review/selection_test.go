package review

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/lsp/lsptest"
)

// What is typed before a selection moves it, what is typed within belongs to it, and what is typed behind leaves it.
func TestASelectionIsFollowed(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 0
		lines := func(most int) (list []string) {
			for range r.IntN(most + 1) {
				n++
				list = append(list, fmt.Sprintf("line %d\n", n))
			}
			return list
		}
		edited := func(list []string) []string {
			out := slices.Clone(list)
			for range r.IntN(3) {
				at := r.IntN(len(out) + 1)
				end := at + r.IntN(min(len(out)-at, 2)+1)
				out = slices.Replace(out, at, end, lines(2)...)
			}
			return out
		}
		// The lines on both sides of each end stay: else nobody can say where a new line belongs.
		first, last := []string{"before\n", "begin\n"}, []string{"end\n", "behind\n"}
		a, b, c := lines(4), lines(5), lines(4)
		a2, b2, c2 := edited(a), edited(b), edited(c)
		join := func(parts ...[]string) string { return strings.Join(slices.Concat(parts...), "") }
		start := len(join(a, first[:1]))
		end := start + len(join(first[1:], b, last[:1]))
		before, after := join(a, first, b, last, c), join(a2, first, b2, last, c2)
		from, to := Follow(before, after, start, end)
		if want := join(first[1:], b2, last[:1]); after[from:to] != want {
			t.Fatalf("seed %d: %q in %q is followed to %q in %q", seed, before[start:end], before, after[from:to], after)
		}
	}
	// Where an end itself is in what was changed, the whole of the change belongs to the selection.
	for _, c := range []struct{ before, selected, after, want string }{
		{"a\nxSELx\nb\n", "SEL", "a\nxSELECTEDx\nb\n", "xSELECTEDx\n"},
		{"a\nxS\nELx\nb\n", "S\nEL", "a\nxS\nELEx\nb\n", "S\nELEx\n"},
		{"a\nxS\nELx\nb\n", "S\nEL", "a\nySS\nELx\nb\n", "ySS\nEL"},
		{"a\nS\nE\nL\nb\n", "S\nE\nL\n", "b\n", ""},
		{"a\nS\nb\n", "S\n", "a\nb\n", ""},
		{"a\nS\nb\n", "S\n", "", ""},
		{"a\nS\nb\n", "S\n", "new\n", "new\n"},
		{"S", "S", "T", "T"},
		{"a\nS", "S", "a\nS\nmore", "S\nmore"},
	} {
		start := strings.Index(c.before, c.selected)
		from, to := Follow(c.before, c.after, start, start+len(c.selected))
		if got := c.after[from:to]; got != c.want {
			t.Errorf("%q in %q is followed to %q in %q, want %q", c.selected, c.before, got, c.after, c.want)
		}
	}
}

// A text of the place is for people: lines and characters from 1.
func TestPlacesForPeople(t *testing.T) {
	text := "äb\n\U0001F600c\n"
	got := []string{}
	for i := range text {
		got = append(got, Place(text, i))
	}
	got = append(got, Place(text, len(text)))
	if want := []string{"1:1", "1:2", "1:3", "2:1", "2:2", "2:3", "3:1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for selection, want := range map[string]string{
		"1": "äb\n", "2": "\U0001F600c\n", "1-1": "äb\n", "2:2": "", "1:2-1:3": "b", "1:3-2:2": "\n\U0001F600", "1:2-2": "b\n\U0001F600c\n", "1-2:2": "äb\n\U0001F600",
		"3": "", "4": "", "1-2-3": "", "1:": "", "a1": "", "1 2": "", "1-": "", ":1": "", "2 : 1": "",
	} {
		start, end, err := ParseSelection(text, selection)
		if want == "" {
			if err == nil {
				t.Errorf("%q selects %q", selection, text[start:end])
			}
			continue
		}
		if err != nil || text[start:end] != want {
			t.Errorf("%q selects %q, %v, want %q", selection, text[start:end], err, want)
		}
	}
	// An empty file has a first line, and nothing in it.
	if start, end, err := ParseSelection("", "1"); err != nil || start != 0 || end != 0 {
		t.Errorf("%d, %d, %v", start, end, err)
	}
	if _, _, err := ParseSelection("", "2"); err == nil {
		t.Error("an empty file has a second line")
	}
}

// TestNumbersOfASelectionHaveBounds: whatever stands there, the answer comes at once, and a number beyond
// the end means the end.
func TestNumbersOfASelectionHaveBounds(t *testing.T) {
	const huge, overflow = "99999999999", "99999999999999999999999999"
	text := "äb\ncd\r\nef"
	for selection, want := range map[string]string{
		"1:" + huge + "-2:1":              "\n",
		"1:" + overflow + "-2:1":          "\n",
		"1:1-1:" + huge:                   "äb",
		"1:1-1:" + overflow:               "äb",
		"2:1-2:" + huge:                   "cd",
		"1:3-" + huge + ":" + huge:        "\ncd\r\nef",
		"2-" + overflow:                   "cd\r\nef",
		"1:2-" + overflow + ":1":          "b\ncd\r\nef",
		"1:0-1:2":                         "ä",
		"000000001:00000001-0001:0000002": "ä",
		huge + "-" + huge:                 "",
		overflow:                          "",
		"0:1-2:1":                         "",
		"1-0":                             "",
		"1:1-0:" + huge:                   "",
		"1:" + huge + "-1:" + huge:        "",
		"3:" + huge + "-3:" + overflow:    "",
	} {
		lsptest.Within(t, selection, func() {
			start, end, err := ParseSelection(text, selection)
			if want == "" {
				if err == nil {
					t.Errorf("%q selects %q", selection, text[start:end])
				}
				return
			}
			if err != nil || text[start:end] != want {
				t.Errorf("%q selects %q, %v; want %q", selection, text[start:end], err, want)
			}
		})
	}
	// A line may be long, and end in what looks like many line ends.
	long := strings.Repeat("\r", 1<<20) + "\nx\n"
	lsptest.Within(t, "a long line", func() {
		if start, end, err := ParseSelection(long, "1:1000000-2"); err != nil || long[start:] != long[0:] || end != len(long) {
			t.Errorf("%d to %d, %v", start, end, err)
		}
	})
}

func TestParseSelection(t *testing.T) {
	text := "äb\ncd\nef"
	for selection, want := range map[string]string{
		"1": "äb\n", "1-2": "äb\ncd\n", "2-9": "cd\nef", "1:2-2:2": "b\nc", "3:1-3:99": "ef", " 2 - 3 ": "cd\nef",
	} {
		start, end, err := ParseSelection(text, selection)
		if err != nil || text[start:end] != want {
			t.Errorf("%q selects %q, %v", selection, text[start:end], err)
		}
	}
	for _, selection := range []string{"", "x", "0", "9", "2-1", "1:3-1:1"} {
		if _, _, err := ParseSelection(text, selection); err == nil {
			t.Errorf("%q is no selection", selection)
		}
	}
}

func TestFollow(t *testing.T) {
	before := "a\nb\nSEL1\nSEL2\nc\nd\n"
	start := strings.Index(before, "SEL1")
	end := strings.Index(before, "c\n")
	for after, want := range map[string]string{
		before:                                  "SEL1\nSEL2\n",
		"x\n" + before:                          "SEL1\nSEL2\n",
		"b\nSEL1\nSEL2\nc\nd\n":                 "SEL1\nSEL2\n",
		"a\nb\nSEL1\nnew\nSEL2\nc\nd\n":         "SEL1\nnew\nSEL2\n",
		"a\nb\nSEL1\nc\nd\n":                    "SEL1\n",
		"a\nb\nc\nd\n":                          "",
		"a\nb\nother\nc\nd\n":                   "other\n",
		"a\nb\nSEL1\nSEL2\nafter\nc\nd\nmore\n": "SEL1\nSEL2\n",
		"":                                      "",
	} {
		from, to := Follow(before, after, start, end)
		if got := after[from:to]; got != want {
			t.Errorf("%q: selected %q, want %q", after, got, want)
		}
	}
}
