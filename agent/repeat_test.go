package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/edits/formats"
)

// written is one change of a file in the form of a format: new lines below a line that stays, and a
// second one whose old line is not there.
func written(format, path, anchor, added, absent string) string {
	block := func(old, new string) string {
		return path + "\n```\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n```\n\n"
	}
	switch {
	case strings.HasPrefix(format, "udiff"), format == "gitdiff":
		return "```diff\n--- " + path + "\n+++ " + path + "\n@@ ... @@\n " + anchor + "+" + added + "@@ ... @@\n-" + absent + "+y\n```\n"
	case format == "patch":
		return "*** Begin Patch\n*** Update File: " + path + "\n@@\n " + anchor + "+" + added + "@@\n-" + absent + "+y\n*** End Patch\n"
	case format == "func":
		return fmt.Sprintf(`{"edits": [{"path": %q, "original_lines": [%q], "updated_lines": [%q, %q]}, {"path": %q, "original_lines": [%q], "updated_lines": ["y"]}]}`,
			path, anchor, anchor, added, path, absent)
	default: // asked for whole files, a model that answers so is read all the same
		return block(anchor, anchor+added) + block(absent, "y\n")
	}
}

// A model that is asked again for one edit sends all of them again: what landed does not land twice.
func TestWhatLandedComesAgain(t *testing.T) {
	const before, anchor, added = "import os\n\n\ndef run():\n    return os.getcwd()\n", "import os\n", "import sys\n"
	for _, format := range formats.Names() {
		reply := written(format, "a.py", anchor, added, "nothing like it\n")
		b := newBench(t, "-- 1.md --\n"+reply+"\n-- 1.yaml --\nrepeat: true\n", map[string]string{"a.py": before})
		r, events := b.run(agent.Request{Instruction: "Import sys.", Files: []string{"a.py"}, Format: format})
		b.checkEvents(events, r)
		if r.Proposal == nil || len(b.server.Requests()) != 3 {
			t.Errorf("%s: %d requests, %+v", format, len(b.server.Requests()), r)
			continue
		}
		if got, want := r.Proposal.Files[0].Change.After, strings.Replace(before, anchor, anchor+added, 1); got != want {
			t.Errorf("%s: the file is\n%s", format, got)
		}
		var told strings.Builder
		report(&told, r, events)
		if !strings.Contains(told.String(), "it was applied in an earlier reply") {
			t.Errorf("%s: nobody was told\n%s", format, told.String())
		}
		if len(r.Failures) != 1 {
			t.Errorf("%s: failures %+v", format, r.Failures)
		}
	}
}

// So it is after a finding, also where the next reply has corrected what came before.
func TestWhatLandedComesAgainAfterAFinding(t *testing.T) {
	const before = "def run():\n    return 1\n"
	insert := "a.py\n```\n<<<<<<< SEARCH\n    return 1\n=======\n    return 1\n\n\ndef stop(:\n    return 2\n>>>>>>> REPLACE\n```\n"
	fix := "a.py\n```\n<<<<<<< SEARCH\ndef stop(:\n=======\ndef stop():\n>>>>>>> REPLACE\n```\n"
	wrong := "a.py\n```\n<<<<<<< SEARCH\nabsent\n=======\nx\n>>>>>>> REPLACE\n```\n"
	b := newBench(t, "-- 1.md --\n"+insert+"-- 2.md --\n"+insert+"-- 3.md --\n"+insert+fix+wrong+"-- 3.yaml --\nrepeat: true\n",
		map[string]string{"a.py": before})
	b.settings.Verify = "syntax"
	r, _ := b.run(agent.Request{Instruction: "Add stop.", Files: []string{"a.py"}})
	if r.Proposal == nil || r.Proposal.Files[0].Change.After != before+"\n\ndef stop():\n    return 2\n" {
		t.Errorf("%+v", r)
	}
	if len(b.server.Requests()) != 3 {
		t.Errorf("%d requests", len(b.server.Requests()))
	}
}

// A model may take back what it did and do it again; and two equal edits of one reply are two.
func TestWhatWasTakenBackLandsAgain(t *testing.T) {
	const before = "start\nmiddle\nend\n"
	edit := func(old, new string) string {
		return "a.txt\n```\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n```\n"
	}
	do, undo, wrong := edit("middle\n", "middle\nmore\n"), edit("middle\nmore\n", "middle\n"), edit("absent\n", "x\n")
	b := newBench(t, "-- 1.md --\n"+do+wrong+"-- 2.md --\n"+undo+wrong+"-- 3.md --\n"+do+wrong+"-- 4.md --\n"+do+"\nDone.\n", map[string]string{"a.txt": before})
	r, _ := b.run(agent.Request{Instruction: "x", Files: []string{"a.txt"}})
	if r.Proposal == nil || r.Proposal.Files[0].Change.After != "start\nmiddle\nmore\nend\n" {
		t.Errorf("%+v", r)
	}

	whole := func(text string) string { return "a.txt\n```\n" + text + "```\n" }
	b = newBench(t, "-- 1.md --\n"+whole("start\nfirst\nend\n")+wrong+"-- 2.md --\n"+edit("end\n", "END\n")+wrong+
		"-- 3.md --\n"+whole("start\nfirst\nend\n")+wrong+"-- 4.md --\nI stop.\n", map[string]string{"a.txt": before})
	r, _ = b.run(agent.Request{Instruction: "x", Files: []string{"a.txt"}, Format: "whole"})
	if r.Proposal == nil || r.Proposal.Files[0].Change.After != "start\nfirst\nEND\n" {
		t.Errorf("a listing that comes again undoes what came after it: %+v", r)
	}
	b = newBench(t, "-- 1.md --\n"+whole("A\nfirst\n")+wrong+"-- 2.md --\n"+whole("B\nfirst\n")+wrong+
		"-- 3.md --\n"+whole("A\nfirst\n")+wrong+"-- 4.md --\nI stop.\n", map[string]string{"a.txt": before})
	r, _ = b.run(agent.Request{Instruction: "x", Files: []string{"a.txt"}, Format: "whole"})
	if r.Proposal == nil || r.Proposal.Files[0].Change.After != "A\nfirst\n" {
		t.Errorf("the last listing counts: %+v", r)
	}
}

// Files that were made, deleted and moved are so already when that comes again.
func TestOperationsComeAgain(t *testing.T) {
	patch := "*** Begin Patch\n*** Add File: new.txt\n+new\n*** Delete File: old.txt\n*** Update File: from.txt\n*** Move to: to.txt\n@@\n one\n+two\n" +
		"*** Update File: a.txt\n@@\n-absent\n+x\n*** End Patch\n"
	blocks := "made.txt\n```\n<<<<<<< SEARCH\n=======\nmade\n>>>>>>> REPLACE\n```\n\na.txt\n```\n<<<<<<< SEARCH\n=======\nlast\n>>>>>>> REPLACE\n```\n"
	diff := "```diff\n--- /dev/null\n+++ b/fresh.txt\n@@ -0,0 +1 @@\n+fresh\n```\n"
	b := newBench(t, "-- 1.md --\n"+blocks+diff+patch+"-- 1.yaml --\nrepeat: true\n",
		map[string]string{"a.txt": "a\n", "old.txt": "old\n", "from.txt": "one\n"})
	r, _ := b.run(agent.Request{Instruction: "x", Files: []string{"a.txt", "old.txt", "from.txt"}, Format: "patch"})
	if r.Proposal == nil || len(r.Failures) != 1 {
		t.Fatalf("%+v", r)
	}
	got := map[string]string{}
	for _, f := range r.Proposal.Files {
		got[f.Path()] = string(f.Change.Op) + " " + f.Change.After
	}
	for path, want := range map[string]string{"made.txt": "create made\n", "a.txt": "update a\nlast\n", "new.txt": "create new\n",
		"old.txt": "delete ", "to.txt": "rename one\ntwo\n", "fresh.txt": "create fresh\n"} {
		if got[path] != want {
			t.Errorf("%s: %q, want %q", path, got[path], want)
		}
	}
}
