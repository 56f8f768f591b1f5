package repomap

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// signaturesOf gives the signatures of a file by name.
func signaturesOf(t *testing.T, path, src string) map[string]string {
	t.Helper()
	x := open(t, newMemory(map[string]string{path: src}), 1)
	f := x.current().files[0]
	out := map[string]string{}
	for i, d := range f.defs {
		out[x.current().names.String(d.name)] = f.signature(i)
	}
	return out
}

// The head of a function or type is whole, on however many lines it stands, and has nothing of the body.
func TestHeadsAreWhole(t *testing.T) {
	long := strings.Repeat("another_parameter int, ", 30)
	for _, c := range []struct{ path, src, name, want string }{
		{"a.go", "package a\n\nfunc (s *Server) Handle(" + long + "last int) (int, error) {\n\treturn 0, nil\n}\n", "Handle", "func (s *Server) Handle(" + long + "last int) (int, error)"},
		{"a.go", "package a\n\nfunc Many(\n\ta int, // the first one\n\tb func(x int) (int, error),\n) (\n\tc int,\n) {\n\tcall(1)\n}\n", "Many", "func Many(a int, // the first one b func(x int) (int, error)) (c int)"},
		{"a.py", "def f(\n    first,\n    second: dict = {},\n    *,\n    third=None,\n) -> None:\n    pass\n", "f", "def f(first, second: dict = {}, *, third=None) -> None"},
		{"a.py", "class Long(FirstBaseOfThisClass, SecondBaseOfThisClass, ThirdBaseOfThisClass, FourthBaseOfThisClass, metaclass=Meta):\n    pass\n", "Long", "class Long(FirstBaseOfThisClass, SecondBaseOfThisClass, ThirdBaseOfThisClass, FourthBaseOfThisClass, metaclass=Meta)"},
		{"a.rs", "pub fn convert<\n    T: Into<String>,\n    U,\n>(\n    a: T,\n    b: U,\n) -> Result<U, Error>\nwhere\n    U: Clone,\n{\n    b\n}\n", "convert", "pub fn convert< T: Into<String>, U, >(a: T, b: U) -> Result<U, Error>"},
		{"a.ts", "export const handler = useCallback(async (request: Request) => {\n  const a = call(1)\n  return a\n})\n", "handler", "export const handler = useCallback(async (request: Request)"},
		{"a.ts", "export async function load(\n  { id, name }: { id: string; name: string },\n  other = {},\n): Promise<void> {\n  work()\n}\n", "load", "export async function load({ id, name }: { id: string; name: string }, other = {}): Promise<void>"},
		{"a.java", "class A {\n  public static <T> List<T> every(\n      Map<String, T> first,\n      int second) throws IOException {\n    return null;\n  }\n}\n", "every", "public static <T> List<T> every(Map<String, T> first, int second) throws IOException"},
		{"a.c", "static int\nadd(struct box *first,\n    int second)\n{\n\treturn 0;\n}\n", "add", "add(struct box *first, int second)"},
	} {
		if got := signaturesOf(t, c.path, c.src)[c.name]; got != c.want {
			t.Errorf("%s:\n%s\nis\n%s\nwant\n%s", c.path, c.src, got, c.want)
		}
	}
}

// What is too long for any map, or never ends, is cut, and between two characters.
func TestSignaturesAreCutBetweenCharacters(t *testing.T) {
	for _, letter := range []string{"n", "ö", "𝒳"} {
		for _, n := range []int{80, 150, maxHead - 12, maxHead - 11, 4 * maxHead} {
			want := "func F(" + strings.Repeat(letter, n) + " int)"
			src := want + " {}\n"
			if runes := []rune(want); len(runes) > maxHead {
				want = string(runes[:maxSignature-1]) + "…"
			}
			if got := signaturesOf(t, "a.go", "package a\n\n"+src)["F"]; got != want {
				t.Errorf("%d of %s: %q, want %q", n, letter, got, want)
			}
		}
	}
	for pad := range 5 { // the end of what is read of a line comes to each byte of each character
		src := "package a\n\nfunc F(" + strings.Repeat("a", pad) + strings.Repeat(" größe𝒳 int,", maxHead) + " b int) {}\n"
		if got := signaturesOf(t, "a.go", src)["F"]; !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxSignature || !strings.HasSuffix(got, "…") {
			t.Errorf("%d: %q", pad, got)
		}
	}
	value := signaturesOf(t, "a.go", "package a\n\nvar Text = \""+strings.Repeat("x", 300)+"\"\n")["Text"]
	if utf8.RuneCountInString(value) != maxSignature || !strings.HasSuffix(value, "…") {
		t.Errorf("a value: %q", value)
	}
}

// In the map no signature is cut: a long one goes on in the next line, and breaks between parameters.
func TestLongSignaturesBreakAtTheirParameters(t *testing.T) {
	long := "func Long(ctx context.Context, request map[string]func(a, b int) error, options ...Option) (*Response, error)"
	wide := "func Wide(" + strings.Repeat("ö", 90) + " int)"
	m := mapOf(t, open(t, newMemory(map[string]string{"a.go": "package a\n\n" + long + " {}\n\n" + wide + " {}\n\nfunc Short(a int) {}\n"}), 1), Request{Budget: 400})
	want := "a.go:\n func Long(ctx context.Context, request map[string]func(a, b int) error,\n\toptions ...Option) (*Response, error)\n" +
		" func Wide(\n\t" + strings.Repeat("ö", 90) + " int)\n func Short(a int)\n"
	if m.Text != want {
		t.Errorf("the map is\n%swant\n%s", m.Text, want)
	}
	for n := range 12 {
		s := "func F(" + strings.Repeat("a"+strings.Repeat("b", n)+" int, ", 40) + "c int)"
		lines := strings.Split(breakLine(s), moreSignature)
		for k, line := range lines {
			if utf8.RuneCountInString(line) > lineWidth || k < len(lines)-1 && !strings.HasSuffix(line, ",") {
				t.Errorf("a line is %q", line)
			}
		}
		if got := strings.Join(lines, " "); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// A name says as much as a signature that only adds the kind, so more names have room; and what is but a name, such as
// the members of an enumeration, takes no line.
func TestNamesThatSayAllTakeNoLine(t *testing.T) {
	src := "package a\n\ntype Kind int\n\nconst (\n\tFirst Kind = iota\n\tSecond\n\tThird\n)\n"
	for n := range 40 {
		src += fmt.Sprintf("\ntype Box%02d struct {\n\tn int\n}\n\nfunc (b Box%02d) Fill%02d(a, b int) error { return nil }\n", n, n, n)
	}
	m := mapOf(t, open(t, newMemory(map[string]string{"a.go": src, "b.go": "package a\n"}), 1), Request{Budget: 400, Chat: []string{"b.go"}, Message: "fill the box"})
	lines := strings.Split(m.Text, "\n")
	for _, name := range []string{" Second", " Third"} {
		if slices.Contains(lines, name) {
			t.Errorf("%s has a line:\n%s", name, m.Text)
		}
	}
	types, heads := 0, 0
	for _, line := range lines {
		if strings.HasPrefix(line, " type Box") {
			types++
		}
		if strings.HasPrefix(line, " func ") {
			heads++
		}
	}
	if heads == 0 || types >= heads {
		t.Errorf("%d lines of types beside %d of functions:\n%s", types, heads, m.Text)
	}
}

// The bare members of an enumeration are not shown, unless the request names one.
func TestBareMembersAreNotShown(t *testing.T) {
	files := map[string]string{
		"src/shape.rs": "pub enum Shape {\n    Round,\n    Flat(Width),\n    Sharp\n}\n\npub fn paint(shape: Shape) {}\n",
		"Shape.java":   "enum Form {\n  LONG,\n  SHORT;\n\n  void paint() {}\n}\n",
	}
	x := open(t, newMemory(files), 1)
	r := Request{Budget: 500, Message: "paint the shape"}
	text := mapOf(t, x, r).Text
	for _, name := range []string{"Round", "Sharp", "LONG", "SHORT"} {
		if strings.Contains(text, name) {
			t.Errorf("%s is in the map:\n%s", name, text)
		}
		named := r
		named.MentionedIdents = []string{name}
		if got := mapOf(t, x, named).Text; !strings.Contains(got, name) {
			t.Errorf("%s is named, and not in the map:\n%s", name, got)
		}
	}
	for _, want := range []string{"Flat(Width)", "pub enum Shape", "paint"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in the map:\n%s", want, text)
		}
	}
}
