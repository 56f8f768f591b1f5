package repomap

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/vocab"
)

// askedRequests ask every signal something.
func askedRequests() []Request {
	return []Request{
		{Budget: 400},
		{Budget: 400, Chat: []string{"pkg1/file1.go"}},
		{Budget: 400, Message: "visit the next node of file3.go, then Late4 in one step", MentionedIdents: []string{"run3", "p.Late4", "absent"}},
		{Budget: 300, Chat: []string{"pkg2/file2.go", "pkg0/file0.go"}, Message: "run the last step", Recent: []string{"pkg1/file8.go"},
			Selection: &Selection{Path: "pkg2/file2.go", First: 2, Last: 3}, MentionedFiles: []string{"pkg1/file4.go"}},
	}
}

// What one edit leaves to the next map is carried over: a map is all the same that of an index that was made of
// the result, after any number of edits, files that come and go, and maps between them.
func TestMapsAfterManyEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 3 {
		m := newMemory(project(40))
		m.commits = []Commit{{Paths: []string{"pkg1/file1.go", "pkg2/file2.go", "pkg0/file0.go"}}, {Paths: []string{"pkg2/file2.go", "pkg3/file3.go"}}}
		x := open(t, m, 2)
		requests := askedRequests()
		for round := range 30 {
			change(t, random, x)
			r := requests[random.IntN(len(requests))]
			got := mapOf(t, x, r)
			if round%3 != 0 {
				continue // the next one builds upon two maps that nobody compared
			}
			fresh := open(t, &memory{files: m.files, version: m.version, commits: m.commits}, 1)
			lay(t, fresh, laid(x))
			want := mapOf(t, fresh, r)
			got.Generation, want.Generation = 0, 0
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("round %d: %s", round, diff)
			}
		}
	}
}

// laid are the texts of all open documents.
func laid(x *Index) map[string]string {
	out := map[string]string{}
	for p, o := range x.overlays {
		out[p] = o.text
	}
	return out
}

// An edit leaves what paths say as it is; a file that comes or goes does not.
func TestPathsAreShared(t *testing.T) {
	x := open(t, newMemory(project(20)), 1)
	before := x.current().paths
	lay(t, x, map[string]string{"pkg1/file1.go": "package p1\n"})
	if x.current().paths != before {
		t.Error("an edit made other paths")
	}
	lay(t, x, map[string]string{"pkg1/other.go": "package p1\n"})
	if x.current().paths == before {
		t.Error("a new file is not among the paths")
	}
	x.Forget("pkg1/other.go")
	want := make([]string, 0, len(x.current().files))
	for _, f := range x.current().files {
		want = append(want, f.Path)
	}
	if diff := cmp.Diff(want, x.current().paths.list); diff != "" {
		t.Error(diff)
	}
}

// oddPaths are paths of every form that signals take apart.
var oddPaths = []string{"a.go", "README", "x/index.ts", "x/mod.rs", "x/__init__.py", "x/date-picker.ts", "x/y/Makefile", "x/y/parseURLs.test.js", "x/y.z/a.b.c",
	"größe/Ärger.py", "ÄÖÜß.c", "K.go", "KKKKK", "İstanbul.py", "x/ab", "x/abcd", "x/abcde", ".hidden/.rc", "x/under_score_2.h", "deep/er/and/deeper/file.c", "x/UPPER.H"}

// What the table of paths says is what a look at each path says.
func TestPathTable(t *testing.T) {
	table := newPathTable(oddPaths)
	texts := func(numbers []uint32, from map[string]uint32) []string {
		by := map[uint32]string{}
		for text, n := range from {
			by[n] = text
		}
		out := []string{}
		for _, n := range numbers {
			out = append(out, by[n])
		}
		return out
	}
	for i, p := range oddPaths {
		want := []string{}
		base := strings.TrimSuffix(path.Base(p), path.Ext(p))
		vocab.Words([]byte(base), func(start, end int) { vocab.Stems(base[start:end], func(s string) { want = append(want, s) }) })
		if got := texts(table.baseStems.of(i), table.stems); !slices.Equal(got, want) {
			t.Errorf("%s has the stems %v, want %v", p, got, want)
		}
		for c, chat := range oddPaths {
			want := []string{}
			moduleOf(p).from(p, path.Dir(chat)).words(func(w string) { want = append(want, w) })
			if got := texts(table.module(i, c), table.words); !slices.Equal(got, want) {
				t.Errorf("%s is imported in %s as %v, want %v", p, chat, got, want)
			}
		}
	}
}

// A base name that stands in a message is never overlooked, whatever its case and script.
func TestBeginnings(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	letters := []rune("abcXYZ_.éÉİKßẞ🙂\xff")
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteRune(letters[random.IntN(len(letters))])
		}
		return b.String()
	}
	said, passed := 0, 0
	for range 20_000 {
		base := text(1 + random.IntN(8))
		message := strings.ToLower(text(random.IntN(4)) + base + text(random.IntN(4)))
		if random.IntN(2) == 0 {
			message = strings.ToLower(text(12))
		}
		may := beginningsOf(message).mayHave(beginningOf(base))
		is := len(base) > 4 && strings.Contains(message, strings.ToLower(base))
		if is && !may {
			t.Fatalf("%q is overlooked in %q", base, message)
		}
		if is {
			said++
		} else if may {
			passed++
		}
	}
	if said == 0 || passed > 10_000 {
		t.Errorf("%d names stand in messages, %d more are searched for", said, passed)
	}
}
