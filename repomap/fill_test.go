package repomap

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// syllables counts otherwise than by characters: each word by its length, each line and mark as one.
type syllables struct{}

func (syllables) Count(text string) int {
	n, run := 0, 0
	for _, r := range text {
		switch {
		case r == ' ':
			run = 0
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			if run%5 == 0 {
				n++
			}
			run++
		default:
			n, run = n+1, 0
		}
	}
	return n
}

// shelves are repositories in which a budget is hard to fill.
func shelves() map[string]map[string]string {
	same, long := map[string]string{}, map[string]string{}
	for i := range 400 {
		same[fmt.Sprintf("d%02d/f%03d.go", i%20, i)] = "package d\n\nfunc Do(a int) {}\n\nfunc Undo(a int) {}\n"
		long[strings.Repeat(fmt.Sprintf("folder%d/", i%3), 6)+fmt.Sprintf("a_file_with_a_long_name_%d.py", i)] =
			strings.Repeat(fmt.Sprintf("def a_function_with_a_very_long_name_%d(first_argument, second_argument=None, third=3):\n    pass\n\n", i), 2)
	}
	one := "package one\n"
	for i := range 700 {
		one += fmt.Sprintf("\nfunc Step%d(from, to int) error { return nil }\n", i)
	}
	return map[string]map[string]string{"project": project(150), "same": same, "long": long, "one": {"one.go": one}, "tiny": {"a.go": "package a\n\nfunc A() {}\n"}}
}

func TestEveryBudgetIsFilled(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for name, files := range shelves() {
		x := open(t, newMemory(files), 2)
		for _, counter := range []Counter{chars4{}, syllables{}} {
			most := Request{Budget: 1 << 22, Counter: counter}
			all := mapOf(t, x, most)
			line := 0 // the longest one, with a path or mark that comes with it
			for text := range strings.Lines(all.Text) {
				line = max(line, counter.Count(text))
			}
			requests := []Request{{}, {Message: "do the step with the long name"}, {Chat: []string{"d00/f000.go", "pkg1/file1.go"}, Message: "Step77", Besides: "Step78", Earlier: []string{"Step79"}}}
			var before string
			for range 10 {
				r := requests[random.IntN(len(requests))]
				r.Budget, r.Counter, r.Previous = 1+random.IntN(8000), counter, ""
				if random.IntN(2) == 0 {
					r.Previous = before
				}
				m := mapOf(t, x, r)
				before = m.Text
				n := counter.Count(m.Text)
				if n != m.Tokens || n > r.Budget {
					t.Fatalf("%s, %T, budget %d: says %d tokens, has %d", name, counter, r.Budget, m.Tokens, n)
				}
				everything := n >= all.Tokens-2*len(r.Chat)*line-line && len(r.Chat) > 0 || n == all.Tokens
				if n < r.Budget*95/100 && !everything && r.Budget-n > 2*line+2 {
					t.Errorf("%s, %T, budget %d: only %d tokens of %d, and the longest line has %d", name, counter, r.Budget, n, all.Tokens, line)
				}
				if again := mapOf(t, x, r); again.Text != m.Text {
					t.Errorf("%s, budget %d: not the same bytes the second time", name, r.Budget)
				}
			}
		}
	}
}

// A file of which nothing but its name can be shown pays for the name: of equals the short ones come first, and many of them
// leave the room to definitions. A file of the chat pays for nothing, since it has no place.
func TestABareNameCostsItsCharacters(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("data/z%02d.csv", i)] = "1,2\n"
		files[fmt.Sprintf("data/a%02d%s.csv", i, strings.Repeat("x", 60))] = "1,2\n"
		files[fmt.Sprintf("code/c%02d.go", i)] = fmt.Sprintf("package code\n\nfunc Weigh%02d(load int) int { return load }\n", i)
	}
	x := open(t, newMemory(files), 2)
	shown := func(r Request) (short, long, defined int) {
		r.Counter = chars4{}
		for line := range strings.Lines(mapOf(t, x, r).Text) {
			switch {
			case strings.HasPrefix(line, "data/z"):
				short++
			case strings.HasPrefix(line, "data/a"):
				long++
			case strings.Contains(line, "Weigh"):
				defined++
			}
		}
		return short, long, defined
	}
	for _, budget := range []int{200, 400, 800} {
		short, long, defined := shown(Request{Budget: budget})
		if long > 0 && short < 40 {
			t.Errorf("budget %d: %d short names of 40 beside %d long ones", budget, short, long)
		}
		if defined == 0 || defined < 40 && (short+long)*4 > budget {
			t.Errorf("budget %d: %d definitions beside %d names", budget, defined, short+long)
		}
	}
	var chat []string
	for i := range 20 {
		chat = append(chat, fmt.Sprintf("code/c%02d.go", i), fmt.Sprintf("data/z%02d.csv", i))
	}
	const room = 400
	if short, long, defined := shown(Request{Budget: room, Chat: chat}); defined != 20 || short != 20 || long == 0 {
		t.Errorf("with half of the files in the chat: %d definitions, %d short names, %d long ones", defined, short, long)
	}
}

// A map that still serves stays byte for byte, and one that does not makes room.
func TestPreviousMapStaysWhileItServes(t *testing.T) {
	x := open(t, newMemory(project(120)), 2)
	first := Request{Budget: 600, Chat: []string{"pkg0/file0.go"}, Message: "Node14 visits the next node"}
	was := mapOf(t, x, first).Text
	nearly := first
	nearly.Message, nearly.Previous = "Node14 should visit the next node", was
	if got := mapOf(t, x, nearly).Text; got != was {
		t.Errorf("the same request in other words:\n%s\nwas\n%s", got, was)
	}
	other := first
	const late = "Visit93Step4" // which the map before has no place for
	if strings.Contains(was, late) {
		t.Fatalf("the first map has %s:\n%s", late, was)
	}
	other.Message, other.MentionedIdents, other.Previous = late+" ends too early", []string{late}, was
	if got := mapOf(t, x, other).Text; got == was || !strings.Contains(got, late) {
		t.Errorf("another request has a map of the old one:\n%s", got)
	}
	chat := first
	chat.Chat, chat.Previous = []string{"pkg0/file0.go", "pkg0/file14.go"}, was
	if got := mapOf(t, x, chat).Text; strings.Contains(got, "pkg0/file14.go") {
		t.Errorf("a file of the chat is in the map:\n%s", got)
	}
	if _, err := x.Update(t.Context(), "pkg0/file14.go", "package p0\n\ntype Node14 struct{}\n\nfunc (n *Node14) Leave() {}\n"); err != nil {
		t.Fatal(err)
	}
	if got := mapOf(t, x, nearly).Text; strings.Contains(got, "Visit14Step") {
		t.Errorf("what is no more is still in the map:\n%s", got)
	}
	smaller := nearly
	smaller.Budget = 200
	if m := mapOf(t, x, smaller); m.Tokens > 200 {
		t.Errorf("%d tokens of 200", m.Tokens)
	}
	junk := first
	junk.Previous = "x:y\n ⋮ a\n\n: \n func\n" + was[:len(was)/2]
	if m := mapOf(t, x, junk); m.Tokens < 570 || m.Tokens > 600 {
		t.Errorf("a strange map of before: %d tokens\n%s", m.Tokens, m.Text)
	}
}

// Names come from whoever made the repository; none of them can pass for a line of the map.
func TestNamesAreNoLines(t *testing.T) {
	files := map[string]string{"a\nb.go:\n func Evil()": "package a\n\nfunc A() {}\n", "x: y.go": "package a\n\nfunc Odd() {}\n", "z.go": "package a\n\nfunc B() {}\n"}
	x := open(t, newMemory(files), 1)
	r := Request{Budget: 100}
	m := mapOf(t, x, r)
	for line := range strings.Lines(m.Text) {
		if strings.HasPrefix(line, "b.go") || strings.HasPrefix(line, " func Evil") {
			t.Errorf("a line of a name:\n%s", m.Text)
		}
	}
	if !strings.Contains(m.Text, "x: y.go:\n func Odd()\n") {
		t.Errorf("not in the map: x: y.go\n%s", m.Text)
	}
	r.Previous = m.Text
	if again := mapOf(t, x, r); again.Text != m.Text {
		t.Errorf("%q\nafter\n%q", again.Text, m.Text)
	}
}

// The best files are those of a full sort, however many there are.
func TestBestFiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 49, 50, 51, 1099, 1100, 1101, 9000} {
		q := &scoring{skip: make([]bool, n)}
		scores := make([]float64, n)
		var all []int
		for i := range scores {
			scores[i] = float64(random.IntN(1 + n/3)) // many are equal
			if q.skip[i] = random.IntN(9) == 0; !q.skip[i] {
				all = append(all, i)
			}
		}
		slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		got, cut := q.byScore(scores, 50)
		if want := all[:min(len(all), 50)]; !slices.Equal(got, want) || cut != (len(all) > 50) {
			t.Errorf("%d files: %v, %v; want %v", n, got, cut, want)
		}
	}
}

// TestAFileIsMoreThanOneName: a signature that takes little more room stands in the place of a lone name. A long one does not, and
// beside another name there is no need.
func TestAFileIsMoreThanOneName(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("short/s%02d.go", i)] = fmt.Sprintf("package short\n\nfunc Weigh%02d(load int) int { return load }\n", i)
		files[fmt.Sprintf("long/l%02d.go", i)] = fmt.Sprintf("package long\n\nfunc Carry%02d(from, to string, load int, careful, again bool) (rest int, err error) { return load, nil }\n", i)
	}
	x := open(t, newMemory(files), 2)
	named := 0
	for budget := 100; budget <= 1600; budget += 100 {
		for line := range strings.Lines(mapOf(t, x, Request{Budget: budget, Message: "weigh and carry the load"}).Text) {
			switch {
			case strings.HasPrefix(line, "short/") && strings.Contains(line, ": "):
				t.Errorf("budget %d: a name alone in %q", budget, line)
			case strings.HasPrefix(line, "long/") && strings.Contains(line, ": Carry"):
				named++
			}
		}
	}
	if named == 0 {
		t.Error("no long signature gives way to its name")
	}
}
