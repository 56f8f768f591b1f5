package chat

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestKeys: the keys of Emacs and of shells. A bar stands for the cursor.
func TestKeys(t *testing.T) {
	for _, x := range []struct{ before, keys, after string }{
		{"one two|", "ctrl+a", "|one two"},
		{"|one two", "ctrl+e", "one two|"},
		{"one two|", "alt+b", "one |two"},
		{"|one two", "alt+f", "one| two"},
		{"one two|", "ctrl+w", "one |"},
		{"one two|", "ctrl+w ctrl+y ctrl+y", "one twotwo|"},
		{"one t|wo", "ctrl+k", "one t|"},
		{"one t|wo", "ctrl+u", "|wo"},
		{"one\n|two", "backspace", "one|two"},
		{"o|ne", "delete", "o|e"},
		{"one|\ntwo", "ctrl+k", "one|two"},
		{"a|b", "ctrl+t", "ba|"},
		{"one\ntw|o", "up", "on|e\ntwo"},
		{"one\nt|", "up ctrl+e", "one|\nt"},
		{"on|e\nt", "down", "one\nt|"},
		{"|äß", "right right", "äß|"},
		{"one|", "alt+enter", "one\n|"},
		{`one\|`, "enter", "one\n|"},
		{"one|", "ctrl+b ctrl+b ctrl+f x", "onx|e"},
		{"one two|", "alt+backspace", "one |"},
		{"|one two", "alt+d", "| two"},
		{"|one two", "alt+u alt+c", "ONE Two|"},
		{"|ÄSE Two", "alt+l", "äse| Two"},
		{"one|  ", "alt+u", "one  |"},
		{"one two|", "alt+< ctrl+d alt+> ctrl+h", "ne tw|"},
		{"one\ntwo|", "ctrl+p ctrl+a ctrl+n ctrl+e", "one\ntwo|"},
		{`one\|two`, "enter", `one\|two`},
		{"one|", "ctrl+j", "one\n|"},
		{"x|", "ctrl+q alt+q f5", "x|"},
	} {
		in := &input{}
		at := strings.Index(x.before, "|")
		in.set(x.before[:at] + x.before[at+1:])
		in.at = len([]rune(x.before[:at]))
		for _, key := range strings.Fields(x.keys) {
			text := ""
			if len(key) == 1 {
				text = key
			}
			in.press(key, text)
		}
		if got := string(in.text[:in.at]) + "|" + string(in.text[in.at:]); got != x.after {
			t.Errorf("%q, %s: %q, want %q", x.before, x.keys, got, x.after)
		}
	}
}

// TestInsertIsPlain: nothing that a terminal obeys comes into the input, and line ends of other systems are plain.
func TestInsertIsPlain(t *testing.T) {
	in := &input{}
	in.insert("a\r\nb\rc\x1b[31m\x00\td")
	if got := in.String(); got != "a\nb\nc[31m\td" {
		t.Errorf("%q", got)
	}
}

// TestRecall: Up and Down go through what was sent, and come back to what is being written.
func TestRecall(t *testing.T) {
	in := &input{past: []string{"first", "second"}}
	in.set("draft")
	var seen []string
	for _, key := range []string{"up", "up", "up", "down", "down", "down"} {
		in.press(key, "")
		seen = append(seen, in.String())
	}
	if !slices.Equal(seen, []string{"second", "first", "first", "second", "draft", "draft"}) {
		t.Errorf("%q", seen)
	}
	if got := in.sent(true); got != "draft" || in.String() != "" || in.past[2] != "draft" {
		t.Errorf("%q, then %q and %q", got, in.String(), in.past)
	}
	in.set("draft")
	in.sent(true)
	if len(in.past) != 3 {
		t.Errorf("twice the same: %q", in.past)
	}
}

// TestSearch: Ctrl+R finds the newest text with the words, again the one before it; Enter takes it without sending.
func TestSearch(t *testing.T) {
	in := &input{past: []string{"Fix the tests", "add a test", "other"}}
	type1 := func(text string) {
		for _, r := range text {
			in.press(string(r), string(r))
		}
	}
	in.press("ctrl+r", "")
	type1("TEST")
	if got := in.searched(); got != "add a test" {
		t.Errorf("found %q", got)
	}
	in.press("ctrl+r", "")
	if got := in.searched(); got != "Fix the tests" {
		t.Errorf("then %q", got)
	}
	in.press("backspace", "")
	if got := in.searched(); got != "add a test" || in.query != "TES" {
		t.Errorf("after a backspace %q for %q", got, in.query)
	}
	if took := in.press("enter", ""); took == tookSent || in.String() != "add a test" || in.searching {
		t.Errorf("Enter: %v, %q", took, in.String())
	}
	in.press("ctrl+r", "")
	type1("x")
	in.press("esc", "")
	if in.searching || in.String() != "add a test" {
		t.Errorf("after Esc: %q", in.String())
	}
}

// TestRows: a text is broken where the screen ends, and the cursor is where it stands.
func TestRows(t *testing.T) {
	in := &input{}
	in.set("abcdef\ng")
	for at, want := range map[int][2]int{0: {0, 0}, 3: {3, 0}, 4: {0, 1}, 6: {2, 1}, 7: {0, 2}, 8: {1, 2}} {
		in.at = at
		rows, x, y := in.rows(4)
		if !slices.Equal(rows, []string{"abcd", "ef", "g"}) || x != want[0] || y != want[1] {
			t.Errorf("at %d: %q, %d, %d", at, rows, x, y)
		}
	}
	in.set("a bcd ef")
	for at, want := range map[int][2]int{1: {1, 0}, 2: {0, 1}, 4: {2, 1}, 5: {3, 1}, 6: {0, 2}, 8: {2, 2}} {
		in.at = at
		rows, x, y := in.rows(4)
		if !slices.Equal(rows, []string{"a ", "bcd ", "ef"}) || x != want[0] || y != want[1] {
			t.Errorf("words, at %d: %q, %d, %d", at, rows, x, y)
		}
	}
	in.set("abcd ef")
	for at, want := range map[int][2]int{4: {4, 0}, 5: {0, 1}} {
		in.at = at
		rows, x, y := in.rows(4)
		if !slices.Equal(rows, []string{"abcd", "ef"}) || x != want[0] || y != want[1] {
			t.Errorf("a blank behind the end, at %d: %q, %d, %d", at, rows, x, y)
		}
	}
	in.set("日本語")
	if rows, x, y := in.rows(4); len(rows) != 2 || x != 2 || y != 1 {
		t.Errorf("wide signs: %q, %d, %d", rows, x, y)
	}
}

// TestPast: what was sent is there again, each message whole, and the file does not grow without end.
func TestPast(t *testing.T) {
	p := past(filepath.Join(t.TempDir(), "state", "a.jsonl"))
	p.add("one\ntwo")
	p.add("\"three\"")
	if got := p.read(); !slices.Equal(got, []string{"one\ntwo", "\"three\""}) {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("x", mostPastBytes/4)
	for range 8 {
		p.add(long)
	}
	if n := len(p.read()); n > 6 {
		t.Errorf("%d long messages are kept", n)
	}
	past("").add("nothing")
	if got := past("").read(); got != nil {
		t.Errorf("%q", got)
	}
}
