package display

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"":                                    "",
		"plain\ttext\nof two lines\n":         "plain\ttext\nof two lines\n",
		"one\r\ntwo\r\n":                      "one\ntwo\n",
		"evil()\rgood":                        "evil()<U+000D>good",
		"evil()\r\r\n":                        "evil()<U+000D>\n",
		"\x1b[2K\x1b[1Agone":                  "<U+001B>[2K<U+001B>[1Agone",
		"\x1b]0;title\x07\x1b]8;;u\x1b\\":     "<U+001B>]0;title<U+0007><U+001B>]8;;u<U+001B>\\",
		"\u009b2J\u0090":                      "<U+009B>2J<U+0090>",
		"\x9b2J\xff":                          "<0x9B>2J<0xFF>",
		"a\x08b\x7f\x00":                      "a<U+0008>b<U+007F><U+0000>",
		"if a \u202e} \u2066begin\u2069":      "if a <U+202E>} <U+2066>begin<U+2069>",
		"a\u200bb\u200cc\u200dd\u2060e\ufeff": "a<U+200B>b<U+200C>c<U+200D>d<U+2060>e<U+FEFF>",
		"a\u2028b\u2029c\u0085d":              "a<U+2028>b<U+2029>c<U+0085>d",
		"\U000e0041\U000e007f\U000e0001":      "<U+E0041><U+E007F><U+E0001>",
		"soft\u00adhyphen\u115f\u3164\u034f":  "soft<U+00AD>hyphen<U+115F><U+3164><U+034F>",
		"id\ufe0f \U000e0100":                 "id<U+FE0F> <U+E0100>",
		"\ufffe\ufdd0":                        "<U+FFFE><U+FDD0>",
		"⚠\ufe0f ok ❤\ufe0f 1\ufe0f\u20e3 ©\ufe0f": "⚠\ufe0f ok ❤\ufe0f 1\ufe0f\u20e3 ©\ufe0f",
		"x = 1\ufe0f": "x = 1<U+FE0F>",
		"a\ufe0e":     "a<U+FE0E>",
		"naïve façade e\u0301 한글 فارسی हिन्दी 𝒳 \U0001F600 \ufffd": "naïve façade e\u0301 한글 فارسی हिन्दी 𝒳 \U0001F600 \ufffd",
		"\u0600\u06dd":      "\u0600\u06dd", // signs that are drawn
		"nbsp\u00a0 \u3000": "nbsp\u00a0 \u3000",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"one":                    "one",
		"one\ntwo\r\n\tthree\n":  "one two three",
		" a  b ":                 "a  b",
		"a\n\n\nb":               "a b",
		"\x1b[31m\n\u202e":       "<U+001B>[31m <U+202E>",
		"\n\t":                   "",
		"half \xe2\x82":          "half <0xE2><0x82>",
		"with spaces/in it/x.py": "with spaces/in it/x.py",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("very/", 500) + "deep.py"
	for _, width := range []int{0, 1, 2, 10, 80, 200} {
		got := Path(long, width)
		if n := utf8.RuneCountInString(got); n > width {
			t.Errorf("width %d: %d characters", width, n)
		}
		if width >= 20 && (!strings.HasPrefix(got, "very/") || !strings.HasSuffix(got, "/deep.py") || !strings.Contains(got, "…")) {
			t.Errorf("width %d: %q", width, got)
		}
	}
	if got := Path("straße/ü.py", 11); got != "straße/ü.py" {
		t.Errorf("cut without need: %q", got)
	}
	got := Message("Not applied: " + long + ": it is\nno file")
	if len(got) > 300 || !strings.HasPrefix(got, "Not applied: very/") || !strings.HasSuffix(got, "/deep.py: it is no file") {
		t.Errorf("%q", got)
	}
	if got := Message(strings.Repeat("word ", 5000)); utf8.RuneCountInString(got) != 2000 || !strings.HasSuffix(got, "…") {
		t.Errorf("%d characters", utf8.RuneCountInString(got))
	}
}

// A character that comes in two pieces is shown whole, and never before it is whole.
func TestStream(t *testing.T) {
	for _, text := range []string{"a é 😀 1\ufe0f\u20e3 1\ufe0fx b\r\nc\rd\x9b⚠\ufe0f", "\xe2\x82", "end\r", "1\ufe0f"} {
		for size := 1; size <= len(text); size++ {
			var s Stream
			var out strings.Builder
			for i := 0; i < len(text); i += size {
				out.WriteString(s.Write(text[i:min(i+size, len(text))]))
			}
			out.WriteString(s.End())
			if out.String() != Text(text) {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, out.String(), Text(text))
			}
		}
	}
	var s Stream
	if got := s.Write("Apply? "); got != "Apply? " {
		t.Errorf("held back: %q", got)
	}
}

func TestWriter(t *testing.T) {
	var out strings.Builder
	w := NewWriter(&out)
	for _, piece := range []string{"a\x1b", "[2K\xc3", "\xa9\n"} {
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("%q: %d, %v", piece, n, err)
		}
	}
	if out.String() != "a<U+001B>[2Ké\n" {
		t.Errorf("%q", out.String())
	}
}

// unseen is the property in other words than the code's: nothing that acts or is not drawn is left.
func unseen(s string) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
		case r < 0x20, r == 0x7f, r >= 0x80 && r < 0xa0, r == 0x2028, r == 0x2029, r == 0xad, r == 0x34f, r == 0x61c, r == 0x180e,
			r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r >= 0xfff0 && r <= 0xfffb,
			r >= 0xe0000 && r <= 0xe0fff, r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, unicode.Is(unicode.Bidi_Control, r):
			return string(r)
		}
	}
	return ""
}

// Every code point there is.
func TestNothingUnseenIsLeft(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if bad := unseen(Text("⚠" + string(r) + string(r) + "b")); bad != "" {
			t.Fatalf("U+%04X leaves %q", r, bad)
		}
		if r < 0x3000 && strings.ContainsAny(Line(string(r)), "\n\t") {
			t.Fatalf("U+%04X makes two lines", r)
		}
	}
	for b := 0; b < 256; b++ {
		if bad := unseen(Text(string([]byte{byte(b), 'x'}))); bad != "" {
			t.Fatalf("byte %02X leaves %q", b, bad)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"a\r\nb", "\x1b[2K", "\u202e\xff\xe2\x82", "1\ufe0f\u20e3", "⚠\ufe0f\ufe0f"} {
		f.Add(seed, 1)
	}
	f.Fuzz(func(t *testing.T, s string, size int) {
		text, line := Text(s), Line(s)
		if bad := unseen(text); bad != "" {
			t.Errorf("%q leaves %q", s, bad)
		}
		if bad := unseen(line); bad != "" || strings.ContainsAny(line, "\n\t") {
			t.Errorf("as a line %q is %q", s, line)
		}
		if Text(text) != text || Line(line) != line {
			t.Errorf("%q changes again", s)
		}
		if strings.Count(text, "\n") != strings.Count(s, "\n") {
			t.Errorf("%q has other lines", s)
		}
		var stream Stream
		var out strings.Builder
		size = 1 + abs(size)%8
		for rest := s; rest != ""; {
			n := min(size, len(rest))
			out.WriteString(stream.Write(rest[:n]))
			rest = rest[n:]
		}
		if out.WriteString(stream.End()); out.String() != text {
			t.Errorf("%q in pieces of %d: %q, want %q", s, size, out.String(), text)
		}
		if got := Path(s, 40); utf8.RuneCountInString(got) > 40 || unseen(got) != "" {
			t.Errorf("the path %q is %q", s, got)
		}
		if unseen(Message(s)) != "" {
			t.Errorf("the message %q is %q", s, Message(s))
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

// TestMessages: each line is a message of its own and keeps how it is indented; no text has a word or a line without end.
func TestMessages(t *testing.T) {
	long := strings.Repeat("long/", 40_000)
	for _, x := range []struct{ text, want string }{
		{"one\n  two\n\tthree", "one\n  two\n\tthree"}, {"", ""}, {"a\n\nb\n", "a\n\nb\n"}, {"\x1b[2Ja", "<U+001B>[2Ja"},
	} {
		if got := Messages(x.text); got != x.want {
			t.Errorf("%q is %q, want %q", x.text, got, x.want)
		}
	}
	for _, text := range []string{long, "open " + long + ": no such file\nopen " + long, strings.Repeat("a b ", 50_000), strings.Repeat(" ", 100_000) + "x"} {
		if got := Messages(text); len(got) > 2*(2000+3)+201 {
			t.Errorf("%.30q…: %d bytes", text, len(got))
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 ms", 999 * time.Millisecond: "999 ms", 1499 * time.Millisecond: "1 s", 90 * time.Second: "90 s", 2 * time.Minute: "2 min"} {
		if got := Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
