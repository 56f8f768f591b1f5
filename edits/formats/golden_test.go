package formats_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// scenarios are the names of the golden archives.
func scenarios(t *testing.T) []string { return editstest.Scenarios(t, "testdata") }

func parser(t *testing.T, s editstest.Scenario) (edits.Format, edits.ParseOptions) {
	t.Helper()
	f, ok := formats.ByName(s.Format)
	if !ok {
		t.Fatalf("there is no format %q", s.Format)
	}
	return f, s.ParseOptions()
}

func TestScenarios(t *testing.T) {
	for _, name := range scenarios(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			s := editstest.LoadScenario(t, name)
			f, _ := parser(t, s)
			s.Check(t, f)
		})
	}
}

func TestTheSameSetHoweverTheReplyIsCut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range scenarios(t) {
		s := editstest.LoadScenario(t, name)
		f, o := parser(t, s)
		for range 20 {
			limit := 1 + r.IntN(40)
			editstest.CheckStream(t, f.New, o, s.Reply, s.Ending, func(rest int) int { return min(rest, 1+r.IntN(limit)) })
		}
		for _, f := range formats.All() { // every parser on the replies of the others
			editstest.CheckStream(t, f.New, o, s.Reply, s.Ending, func(rest int) int { return min(rest, 1+r.IntN(7)) })
		}
	}
}

// A reply that is cut off, at whichever byte and whatever the server says of its end, gives no edit that the whole reply
// does not give, and each edit that was whole before the cut.
func TestACutReplyLosesNoWholeEdit(t *testing.T) {
	for _, f := range formats.All() {
		for _, example := range f.Examples {
			reply := fill(t, example.Assistant, edits.Fences[0])
			whole, _ := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{})
			for n := range 2 * len(reply) {
				cut, how := n/2, []edits.Ending{edits.Ended, edits.Cut}[n%2]
				got, problems := edits.Parse(f, reply[:cut], how, edits.ParseOptions{})
				if len(got) > len(whole) {
					t.Fatalf("%s, cut at %d: %d edits of %d", f.Name, cut, len(got), len(whole))
				}
				for i, e := range got {
					e.Last = whole[i].Last // the fence that ends a hunk may be missing
					if diff := cmp.Diff(whole[i], e); diff != "" {
						t.Fatalf("%s, cut at %d: edit %d differs:\n%s", f.Name, cut, i, diff)
					}
				}
				for _, p := range problems {
					if p.Reason != edits.ReasonUnclosed && p.First != strings.Count(reply[:cut], "\n")+1 {
						t.Fatalf("%s, cut at %d: %+v", f.Name, cut, p)
					}
				}
				if f.Name == "func" {
					continue // all of its edits stand in one piece, from the first line to the last
				}
				lines, slack := strings.Count(reply[:cut], "\n"), 1
				if strings.Contains(f.Name, "udiff") || f.Name == "gitdiff" {
					slack = 3 // the two names of the next file may still be lines of the hunk
				}
				for i, e := range whole {
					if e.Last+slack < lines && i >= len(got) {
						t.Fatalf("%s, cut at %d: edit %d was whole at line %d and is lost", f.Name, cut, i, e.Last)
					}
				}
			}
		}
	}
}

// What has no end was cut, whatever the server says of the end of the reply: its last edit is refused, and that is said.
func TestHowAReplyEnds(t *testing.T) {
	closing := map[string]string{"patch": "*** End Patch\n", "func": "\n]}\n"}
	for _, f := range formats.All() {
		end := closing[f.Name]
		switch {
		case strings.Contains(f.Name, "diff") && !strings.HasPrefix(f.Name, "udiff") && f.Name != "gitdiff":
			end = ">>>>>>> REPLACE\n```\n"
		case end == "":
			end = "```\n"
		}
		reply := fill(t, f.Examples[0].Assistant, edits.Fences[0])
		at := strings.LastIndex(reply, end)
		if at < 0 {
			t.Fatalf("%s: its example does not end in %q", f.Name, end)
		}
		lost := 1
		if f.Name == "func" {
			lost = 0 // each of its edits is closed by itself
		}
		whole, _ := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{})
		for _, how := range []edits.Ending{edits.Ended, edits.Cut} {
			cut, problems := edits.Parse(f, reply[:at], how, edits.ParseOptions{})
			if len(cut) != len(whole)-lost || len(problems) != 1 || problems[0].Reason != edits.ReasonUnclosed {
				t.Errorf("%s, %s before its end: %d edits of %d, %+v", f.Name, how, len(cut), len(whole), problems)
			}
		}
	}
}

func TestEditsArriveWhileTheReplyGrows(t *testing.T) {
	for _, f := range formats.All() {
		reply := fill(t, f.Examples[0].Assistant, edits.Fences[0])
		p := f.New(edits.ParseOptions{})
		early := 0
		for i := range len(reply) {
			early += len(p.Write(reply[i : i+1]))
		}
		list, _ := p.Close(edits.Ended)
		if early < len(list) && len(list) > 1 && early == 0 {
			t.Errorf("%s: none of %d edits was given before the end", f.Name, len(list))
		}
	}
}

func TestTooLongReplyIsRefused(t *testing.T) {
	long := strings.Repeat("x\n", edits.MaxReply/2+1)
	for _, f := range formats.All() {
		p := f.New(edits.ParseOptions{})
		p.Write(fill(t, f.Examples[0].Assistant, edits.Fences[0]))
		p.Write("\n" + long)
		list, problems := p.Close(edits.Ended)
		if len(list) != 0 || len(problems) != 1 || problems[0].Reason != edits.ReasonTooLong {
			t.Errorf("%s: got %d edits and %+v", f.Name, len(list), problems)
		}
	}
}

func TestAutoFindsTheFormat(t *testing.T) {
	auto, _ := formats.ByName(formats.Auto)
	for _, f := range formats.All() {
		for _, e := range f.Examples {
			reply := fill(t, e.Assistant, edits.Fences[0])
			var chat []string
			for path := range e.Before {
				chat = append(chat, path)
			}
			list, problems := edits.Parse(auto, reply, edits.Ended, edits.ParseOptions{Chat: chat})
			r := edits.Apply(files(e.Before), list, problems, edits.Options{Chat: chat})
			if diff := cmp.Diff(e.After, map[string]string(files(e.Before).After(r.Changes))); diff != "" || len(r.Failures) > 0 {
				t.Errorf("%s: %+v\n%s", f.Name, r.Failures, diff)
			}
		}
	}
}

// Every reply is read by auto, and by the parser of a format that was asked for, whatever the reply is
// in. The parsers of one form have targets of their own in their folders.
func FuzzReply(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.txtar")
	for i, name := range names {
		if a, err := txtar.ParseFile(name); err == nil {
			for _, file := range a.Files {
				if file.Name == "reply" {
					f.Add(string(file.Data), uint8(7), uint8(i))
				}
			}
		}
	}
	for i, e := range mixed {
		f.Add(e, uint8(5), uint8(i))
	}
	auto, _ := formats.ByName(formats.Auto)
	all := append(formats.All(), auto)
	f.Fuzz(func(t *testing.T, reply string, step, asked uint8) {
		editstest.CheckParser(t, all[int(asked)%len(all)].New, reply, step)
	})
}

// mixed are replies of several forms.
var mixed = []string{
	"a.py\n```\n<<<<<<< SEARCH\n    return 1\n=======\n    return 2\n>>>>>>> REPLACE\n```\n\n```diff\n--- d/e.go\n+++ d/e.go\n@@ ... @@\n-var x = 1\n+var x = 2\n```\n",
	"*** Begin Patch\n*** Update File: a.py\n@@\n-    return 1\n+    return 2\n*** End Patch\n\nb.txt\n```\none\ntwo\n3\n```\n",
	"--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n def f():\n-    return 1\n+    return 2\n<<<<<<< SEARCH d/e.go\nvar x = 1\n=======\nvar x = 3\n>>>>>>> REPLACE\n",
	"--- \n--- x\n```diff\n<<<<<<< SEARCH\n```\n*** Begin Patch\n```\n@@ -1 +1 @@\n",
	"a.py\n```\ndef f():\n    return 1\n\n\ndef g():\n<<<<<<< SEARCH\n    return f()\n=======\n    return 3\n>>>>>>> REPLACE\n```\n",
	"```json\n{\"edits\": [{\"path\": \"a.py\", \"original_lines\": [\"    return 1\"], \"updated_lines\": [\"    return 2\"]}]}\n```\nd/e.go\n```\n{\n```\n",
	"{\n<<<<<<< SEARCH\n{\"path\": \"c\", \"content\": \"1\"}\n",
}
