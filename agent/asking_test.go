package agent_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// What a file in a reply is named for, only its words tell, so none is read: the files that a reply without edits or a plan
// names are offered, and those that it names beside an edit, or in the answer to a question, are left to the user, who sees
// the reply.
func TestFilesThatAReplyNames(t *testing.T) {
	files := map[string]string{"a.py": "x = 1\n", "lib/b.py": "y = 1\n"}
	const libIsTwo = "lib/b.py\n```\n<<<<<<< SEARCH\ny = 1\n=======\ny = 2\n>>>>>>> REPLACE\n```\n"
	all := []string{"Please add `lib/b.py` to the chat.", "I was not shown lib/b.py.", "I also need to see these files:\n\n- lib/b.py\n",
		"Nothing has to change: lib/b.py does it.", "请添加 lib/b.py", "lib/b.py"}
	for _, words := range all {
		for name, c := range map[string]struct {
			coder, reply string
			offered      bool
			changed      int
		}{
			"no edit":     {"code", words, true, 1},
			"an edit":     {"code", xIsTwo + "\n" + words, false, 1},
			"a question":  {"ask", words, false, 0},
			"no such one": {"code", strings.ReplaceAll(words, "lib/b.py", "lib/none.py"), false, 0},
		} {
			for _, how := range []string{"ask", "always", "never", "declined"} {
				b := newBench(t, replies(c.reply, libIsTwo), files)
				b.settings.AddMentioned, b.answers = how, []string{"add"}
				if how == "declined" {
					b.settings.AddMentioned, b.answers = "ask", []string{"skip"}
				}
				r, events := b.run(agent.Request{Coder: c.coder, Instruction: "Make x and y two.", Files: []string{"a.py"}})
				b.checkEvents(events, r)
				calls, changed := 1, c.changed
				if c.offered {
					if changed = 0; how == "ask" || how == "always" {
						calls, changed = 2, c.changed
					}
				}
				if got := len(b.server.Requests()); got != calls || len(r.Failures) > 0 || (r.Proposal != nil) != (changed > 0) {
					t.Errorf("%q in %s, %s: %d calls, %s, %v", words, name, how, got, r.State, r.Err)
				} else if calls == 2 && !strings.Contains(shownRequest(b.server.Requests()[1]), "y = 1") {
					t.Errorf("%q in %s, %s: the file is not shown:\n%s", words, name, how, shownRequest(b.server.Requests()[1]))
				}
				if asked := len(b.asked) > 0; asked != (c.offered && b.settings.AddMentioned == "ask") {
					t.Errorf("%q in %s, %s: the user was asked: %v", words, name, how, asked)
				}
			}
		}
	}
}

// A base name that a shown file has, too, asks for no other file: the model speaks of what it sees.
func TestAReplyNamesAShownFile(t *testing.T) {
	for words, want := range map[string]string{
		"util.go needs no change.":   "",
		"util.go and b/util.go may.": "b/util.go",
	} {
		b := newBench(t, replies(words, "Nothing has to change."), map[string]string{"a/util.go": "package a\n", "b/util.go": "package b\n\nfunc Util() {}\n"})
		b.settings.RepoMap.Tokens = 1000
		b.answers = []string{"add"}
		r, events := b.run(agent.Request{Instruction: "Does Util have to change?", Files: []string{"a/util.go"}})
		b.checkEvents(events, r)
		asked := ""
		for _, q := range b.asked {
			asked += q.Text
		}
		if asks := asked != ""; asks != (want != "") || !strings.Contains(asked, want) {
			t.Errorf("%q: the user is asked %q", words, asked)
		}
	}
}

// A model that asks for the same file again and again, for another one each time, or for very many, comes to an end.
func TestAModelThatOnlyAsks(t *testing.T) {
	files := map[string]string{"a.py": "x = 1\n"}
	var many strings.Builder
	number := 1_000
	if os.Getenv("COAUTHOR_LARGE") != "" {
		number = 10_000
	}
	for i := range number {
		name := fmt.Sprintf("lib/f%d.py", i)
		fmt.Fprintf(&many, "- %s\n", name)
		if i < 60 {
			files[name] = "y = 1\n"
		}
	}
	edits := func(n int, search string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "lib/f%d.py\n```\n<<<<<<< SEARCH\n%s=======\ny = 2\n>>>>>>> REPLACE\n```\n\n", i, search)
		}
		return b.String()
	}
	for what, c := range map[string]struct {
		script string
		state  event.State
		calls  int
	}{
		"the same one":          {"-- 1.md --\nPlease add lib/f1.py.\n-- 1.yaml --\nrepeat: true\n", event.TurnAnswered, 2},
		"another one each time": {replies("Please add lib/f1.py.", "Please add lib/f2.py.", "Please add lib/f3.py.", "Please add lib/f4.py.", "Please add lib/f5.py."), event.TurnAnswered, 4},
		"one that is not there": {"-- 1.md --\nPlease add lib/none.py.\n-- 1.yaml --\nrepeat: true\n", event.TurnAnswered, 1},
		"one outside":           {"-- 1.md --\nPlease add ../out.py and /etc/passwd.\n-- 1.yaml --\nrepeat: true\n", event.TurnAnswered, 1},
		"very many":             {"-- 1.md --\nPlease add all of these:\n\n" + many.String() + "-- 2.md --\nFine.\n", event.TurnAnswered, 2},
		"one beside an edit":    {"-- 1.md --\n" + xIsTwo + "\nPlease add lib/f1.py.\n-- 2.md --\nFine.\n", event.TurnProposed, 1},
		"edits of very many":    {"-- 1.md --\n" + xIsTwo + "\n" + edits(number, "y = 1\n") + "-- 2.md --\nThat is all.\n", event.TurnProposed, 0},
		// With such a reply in it, no prompt fits the model any more.
		"10,000 misses": {"-- 1.md --\n" + xIsTwo + "\n" + edits(10_000, "no such line\n") + "-- 2.md --\nThat is all.\n", event.TurnProposed, 1},
	} {
		t.Run(what, func(t *testing.T) {
			b := newBench(t, "chunk: 65536\n"+c.script, files)
			b.settings.AddMentioned = "always"
			r, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
			b.checkEvents(events, r)
			if calls := len(b.server.Requests()); r.State != c.state || c.calls > 0 && calls != c.calls {
				t.Errorf("%s after %d calls, %v", r.State, calls, r.Err)
			}
			for i, q := range b.server.Requests() {
				if n := len(shownRequest(q)); i > 0 && n > 2<<20 {
					t.Errorf("request %d has %d bytes", i+1, n)
				}
			}
			if strings.HasSuffix(what, "very many") || what == "10,000 misses" {
				if !told(events, "only the first 20") {
					t.Error("the user is not told that there are too many")
				}
			}
		})
	}
}

// An edit that was refused because of its name, and comes again under the right one, is no longer open.
func TestARefusedEditComesAgainUnderItsName(t *testing.T) {
	const listing = "def one():\n    return 1\n\ndef two():\n    return 2\n\ndef three():\n    return 3\n"
	right := strings.Replace(listing, "return 3", "return 30", 1)
	block := func(name string) string {
		return name + "\n```\n<<<<<<< SEARCH\n    return 3\n=======\n    return 30\n>>>>>>> REPLACE\n```\n"
	}
	whole := func(name string) string { return name + "\n```\n" + right + "```\n" }
	made := func(name string) string {
		return name + "\n```\n<<<<<<< SEARCH\n=======\n" + right + ">>>>>>> REPLACE\n```\n"
	}
	for what, c := range map[string]struct {
		format, request string
		replies         []string
		calls           int
		files           []string
	}{
		"a block in another file":         {"diff", "Let three return 30.", []string{block("b.py"), block("a.py"), "More?"}, 2, []string{"a.py"}},
		"a listing under a stray name":    {"whole", "Let three return 30.", []string{whole("numbers.py"), whole("a.py"), "More?"}, 2, []string{"a.py"}},
		"under the same one again":        {"whole", "Let three return 30.", []string{whole("numbers.py"), whole("numbers.py"), whole("numbers.py"), whole("numbers.py")}, 0, nil},
		"a copy, said to be new":          {"diff", "Make a copy in which three returns 30.", []string{made("numbers.py"), made("numbers.py")}, 2, []string{"numbers.py"}},
		"a name in part, again":           {"whole", "Let three return 30.", []string{whole("c.py"), whole("c.py"), whole("c.py"), whole("c.py")}, 0, nil},
		"a new file beside the old one":   {"whole", "Let three return 30.", []string{whole("numbers.py") + "\na.py\n```\n" + strings.Replace(listing, "return 1", "return 10", 1) + "```\n"}, 1, []string{"numbers.py", "a.py"}},
		"a new file with its own content": {"whole", "Test it.", []string{"test_a.py\n```\nfrom a import one, two, three\n\ndef test_one():\n    assert one() == 1\n\ndef test_two():\n    assert two() == 2\n```\n"}, 1, []string{"test_a.py"}},
	} {
		b := newBench(t, replies(c.replies...), map[string]string{"a.py": listing, "b.py": "x = 1\n", "lib/c.py": "y = 1\n"})
		r, events := b.run(agent.Request{Instruction: c.request, Files: []string{"a.py", "b.py", "lib/c.py"}, Format: c.format})
		b.checkEvents(events, r)
		var got []string
		if r.Proposal != nil {
			for _, f := range r.Proposal.Files {
				got = append(got, f.Path())
			}
		}
		if strings.Join(got, " ") != strings.Join(c.files, " ") || c.calls > 0 && len(b.server.Requests()) != c.calls {
			t.Errorf("%s: %v after %d calls, %v", what, got, len(b.server.Requests()), r.Err)
		}
		if c.calls > 1 && c.format == "whole" && !strings.Contains(shownRequest(b.server.Requests()[1]), "a.py is meant, write its whole path") {
			t.Errorf("%s: the model is not told why:\n%s", what, shownRequest(b.server.Requests()[1]))
		}
	}
}
