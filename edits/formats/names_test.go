package formats_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"

	"github.com/google/go-cmp/cmp"
)

// ways are the formats with how each of them writes the change of one line, a new file and a deletion; "" for what it
// cannot. quoted is how a name with blanks stands above a fence.
var ways = map[string]struct{ change, make, remove func(name string) string }{
	"diff":         {blockOf, newBlock, nil},
	"diff-fenced":  {fencedBlock, newFencedBlock, nil},
	"whole":        {listingOf, newListing, nil},
	"files":        {listingOf, newListing, nil},
	"udiff":        {diffOf("a/", "b/"), newDiff, goneDiff},
	"udiff-simple": {diffOf("", ""), newDiff, goneDiff},
	"gitdiff":      {diffOf("a/", "b/"), newDiff, goneDiff},
	"patch":        {patchOf, newPatch, gonePatch},
	"func":         {callOf, newCall, nil},
}

func quoted(name string) string {
	if strings.Contains(name, " ") {
		return "`" + name + "`"
	}
	return name
}

func blockOf(name string) string {
	return quoted(name) + "\n```\n<<<<<<< SEARCH\ntwo\nthree\n=======\nTWO\nthree\n>>>>>>> REPLACE\n```\n"
}

func newBlock(name string) string {
	return quoted(name) + "\n```\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```\n"
}

func fencedBlock(name string) string {
	return "```\n" + quoted(name) + "\n<<<<<<< SEARCH\ntwo\nthree\n=======\nTWO\nthree\n>>>>>>> REPLACE\n```\n"
}

func newFencedBlock(name string) string {
	return "```\n" + quoted(name) + "\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n```\n"
}

func listingOf(name string) string { return quoted(name) + "\n```\none\nTWO\nthree\nfour\n```\n" }

func newListing(name string) string { return quoted(name) + "\n```\nnew\n```\n" }

func diffOf(a, b string) func(string) string {
	return func(name string) string {
		return "```diff\n--- " + a + name + "\n+++ " + b + name + "\n@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four\n```\n"
	}
}

func newDiff(name string) string {
	return "```diff\n--- /dev/null\n+++ b/" + name + "\n@@ -0,0 +1 @@\n+new\n```\n"
}

func goneDiff(name string) string {
	return "```diff\n--- a/" + name + "\n+++ /dev/null\n@@ -1,4 +0,0 @@\n-one\n-two\n-three\n-four\n```\n"
}

func patchOf(name string) string {
	return "*** Begin Patch\n*** Update File: " + name + "\n@@\n one\n-two\n+TWO\n three\n*** End Patch\n"
}

func newPatch(name string) string {
	return "*** Begin Patch\n*** Add File: " + name + "\n+new\n*** End Patch\n"
}

func gonePatch(name string) string {
	return "*** Begin Patch\n*** Delete File: " + name + "\n*** End Patch\n"
}

func call(name, rest string) string {
	raw, _ := json.Marshal(name)
	return fmt.Sprintf(`{"explanation": "x", %s`, strings.ReplaceAll(rest, "NAME", string(raw)))
}

func callOf(name string) string {
	return call(name, `"edits": [{"path": NAME, "original_lines": ["two", "three"], "updated_lines": ["TWO", "three"]}]}`)
}

func newCall(name string) string {
	return call(name, `"files": [{"path": NAME, "content": "new\n"}]}`)
}

const (
	four    = "one\ntwo\nthree\nfour\n"
	changed = "one\nTWO\nthree\nfour\n"
)

func applied(format, reply string, before files, o edits.Options) (files, edits.Result) {
	f, _ := formats.ByName(format)
	list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: o.Chat, Files: before, Place: o.Place, Language: editstest.Language})
	r := edits.Apply(before, list, problems, o)
	return before.After(r.Changes), r
}

// In every format a name is the whole of what stands there, and no other file of that name's parts is touched.
func TestWholeNamesInEveryFormat(t *testing.T) {
	for format, way := range ways {
		for _, name := range []string{"Assets/Main Menu.cs", "docs/日本 語.md", "a[1].py", "a b.txt", "src/app.py", "naïve.py", "x-1/y_2.z", "deep/(group)/page.tsx", ".env.local", "Makefile"} {
			parts := files{"Menu.cs": four, "語.md": four, "a.py": four, "b.txt": four, "a": four, "other/app.py": four, "page.tsx": four}
			before := maps.Clone(parts)
			before[name] = four
			got, r := applied(format, way.change(name), before, edits.Options{Chat: before.Paths()})
			want := maps.Clone(before)
			want[name] = changed
			if diff := cmp.Diff(want, got); diff != "" || len(r.Failures) > 0 {
				t.Errorf("%s, a change of %s: -want +got\n%s%+v", format, name, diff, r.Failures)
			}
			// The same as a new file, which is made under that name and no other, and nothing else is touched.
			got, r = applied(format, way.make(name), parts, edits.Options{Chat: []string{"a"}, Asked: []string{name}})
			want = maps.Clone(parts)
			want[name] = "new\n"
			if diff := cmp.Diff(want, got); diff != "" || len(r.Failures) > 0 {
				t.Errorf("%s, a new %s: -want +got\n%s%+v", format, name, diff, r.Failures)
			}
			if way.remove == nil {
				continue
			}
			got, r = applied(format, way.remove(name), before, edits.Options{Chat: before.Paths()})
			if diff := cmp.Diff(parts, got); diff != "" || len(r.Failures) > 0 {
				t.Errorf("%s, without %s: -want +got\n%s%+v", format, name, diff, r.Failures)
			}
		}
	}
}

// An absolute name below the root is read below it, and one outside, or that is no path of a file, touches nothing and
// is told with a reason that a model can act on.
func TestPlacesInEveryFormat(t *testing.T) {
	o := edits.Options{Chat: []string{"src/app.py"}, Place: edits.Place{Root: "/home/u/proj"}}
	for format, way := range ways {
		before := files{"src/app.py": four}
		if got, r := applied(format, way.change("/home/u/proj/src/app.py"), before, o); got["src/app.py"] != changed || len(r.Failures) > 0 {
			t.Errorf("%s below the root: %v, %+v", format, got, r.Failures)
		}
		if got, r := applied(format, way.make("/home/u/proj/new.py"), before, o); got["new.py"] != "new\n" || len(r.Failures) > 0 {
			t.Errorf("%s, a new file below the root: %v, %+v", format, got, r.Failures)
		}
		rooted := o
		rooted.Rooted = true
		for name, want := range map[string]string{"/main.py": "main.py", "/app/main.py": "app/main.py"} {
			if got, r := applied(format, way.make(name), before, rooted); got[want] != "new\n" || len(r.Failures) > 0 || len(got) != 2 {
				t.Errorf("%s, %s where a slash is the root: %v, %+v", format, name, got, r.Failures)
			}
		}
		for _, name := range []string{"/etc/app.py", "../app.py", "../../src/app.py", ".", "..", "~/app.py", "/home/u/proj2/app.py", "C:/app.py", "src/../../app.py"} {
			for what, write := range map[string]func(string) string{"change": way.change, "new file": way.make, "deletion": way.remove} {
				if write == nil || format == "diff" && what == "change" && name == ".." {
					continue
				}
				got, r := applied(format, write(name), before, o)
				// Two lines that stand once may find their file, whatever the name is.
				if found := what == "change" && got["src/app.py"] == changed && len(got) == 1; !found && (!maps.Equal(got, before) || len(r.Failures) == 0) {
					t.Errorf("%s, %s of %s: %v, %+v", format, what, name, got, r)
				}
			}
		}
	}
}

// A name that is no file never deletes another one, moves it, or adds to it.
func TestNamesThatAreNoFileInEveryFormat(t *testing.T) {
	before := files{"a.txt": four}
	o := edits.Options{Chat: []string{"a.txt"}}
	for _, format := range []string{"auto", "diff", "whole", "udiff", "udiff-simple", "patch", "gitdiff", "files", "func"} {
		for _, reply := range []string{
			gonePatch("old.txt"), gonePatch("."), gonePatch("../x"), gonePatch("/dev/null"), gonePatch("A.TXT"), gonePatch("b/a.txt"),
			goneDiff("old.txt"), goneDiff("../a.txt"), "```diff\n--- /dev/null\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n```\n", "--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n",
			"*** Begin Patch\n*** Update File: old.txt\n*** Move to: new.txt\n*** End Patch\n", "*** Begin Patch\n*** Update File: old.txt\n*** Move to: new.txt\n@@\n-one\n-two\n+1\n*** End Patch\n",
			"```diff\n--- a/../b\n+++ b/../b\n@@ -0,0 +1 @@\n+new\n```\n", "```diff\n--- ../b\n+++ ../b\n@@ @@\n+new\n```\n", "```diff\n--- b.txt\n+++ b.txt\n@@ -4 +4,2 @@\n four\n+five\n```\n",
			"*** Begin Patch\n*** Update File: b.txt\n@@\n+new\n*** End Patch\n", "diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
			"diff --git a/old.txt b/n.txt\nrename from old.txt\nrename to n.txt\n",
		} {
			got, r := applied(format, reply, before, o)
			if !maps.Equal(got, before) || len(r.Failures) == 0 {
				t.Errorf("%s: %q: %v, %+v", format, reply, got, r)
			}
		}
		for _, reply := range []string{newBlock("b.txt"), "b.txt\n```\n<<<<<<< SEARCH\n\n\n=======\nnew\n>>>>>>> REPLACE\n```\n"} { // blank text stands nowhere
			if got, _ := applied(format, reply, before, o); got["a.txt"] != four {
				t.Errorf("%s: %q: %v", format, reply, got)
			}
		}
	}
}

// The name of a shown file in part is asked about in every way of making a file, and refused when it comes again.
func TestNamesInPartInEveryFormat(t *testing.T) {
	before := files{"src/app.py": four}
	for format, way := range ways {
		for _, o := range []edits.Options{{Chat: []string{"src/app.py"}}, {Chat: []string{"src/app.py"}, Asked: []string{"app.py"}}} {
			got, r := applied(format, way.make("app.py"), before, o)
			if !maps.Equal(got, before) || len(r.Failures) != 1 || r.Failures[0].Reason != edits.ReasonWrongName || !strings.Contains(r.Failures[0].Message, "src/app.py") {
				t.Errorf("%s: %v, %+v", format, got, r.Failures)
			}
		}
	}
}

// A block whose line above speaks of another file is not for the file of the block before.
func TestBlocksBelowProse(t *testing.T) {
	const block = "<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n"
	before := files{"a.py": "one\ntwo\n", "b.py": "zero\none\n"}
	for between, want := range map[string]string{"": "a.py", "Then, in the same file:\n": "a.py", "And in `a.py`:\n": "a.py", "Now `b.py`:\n": "", "In b.py we need\n": "", "b.py\n": "b.py", "Now lib/c.py:\n": ""} {
		reply := "a.py\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n" + between + block
		got, r := applied("diff", reply, before, edits.Options{Chat: before.Paths()})
		if want == "" != (len(r.Failures) == 1) || want != "" && !strings.Contains(got[want], "1\n") || want == "" && strings.Contains(got["a.py"]+got["b.py"], "1\n") {
			t.Errorf("%q: %v, %+v", between, got, r.Failures)
		}
	}
}
