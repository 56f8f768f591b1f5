package record

import (
	"strings"
	"testing"
	"unicode/utf8"

	"coauthor/repomap/syntax"
)

// signaturesOf gives the signatures of a file by name.
func signaturesOf(t *testing.T, path, src string) map[string]string {
	t.Helper()
	tags, err := syntax.Tagger{}.Tags(t.Context(), path, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	d := NewDraft(path, "", Code, []byte(src), tags, &Memory{})
	out := map[string]string{}
	for i, name := range d.names {
		out[name] = d.Signature(i)
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
