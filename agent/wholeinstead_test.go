package agent_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/verify"
)

// A small model whose edit block does not fit is asked for whole files, also in the format for the editor of a plan; where
// they would be long it corrects the block, and one that is not small does so anyway.
func TestWholeFilesInsteadOfBlocks(t *testing.T) {
	yes := true
	for name, c := range map[string]struct {
		file, format string
		small        bool
		whole        bool
	}{
		"a short file":      {"x = 1\n", "diff", true, true},
		"an editor's":       {"x = 1\n", "editor-diff", true, true},
		"a long file":       {"x = 1\n" + strings.Repeat("y = 234\n", 4000), "diff", true, false},
		"not a small model": {"x = 1\n", "diff", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, replies(noSuchX, xIsTwo), map[string]string{"a.py": c.file})
			if c.small {
				b.user.EditFormat, b.user.ShortPrompt = "whole", &yes
			}
			r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}, Format: c.format})
			if r.State != event.TurnProposed {
				t.Fatalf("%+v", r)
			}
			requests := b.server.Requests()
			if len(requests) != 2 {
				t.Fatalf("%d requests", len(requests))
			}
			again := shownRequest(requests[1])
			if got := strings.Contains(again, "Send the whole file a.py between ``` and ```"); got != c.whole {
				t.Errorf("asked for the file: %v\n%s", got, again)
			}
			if got := strings.Contains(again, "You wrote:"); got == c.whole {
				t.Errorf("told what it wrote: %v", got)
			}
			system := requests[1].Messages[0].Content
			if got := strings.Contains(system, "listing"); got != c.whole {
				t.Errorf("asked for listings: %v\n%s", got, system)
			}
		})
	}
}

// TestBrokenRepliesInPlaceOfBlocks: a small model's blocks leave something wrong, so it is asked for whole files, and that
// call breaks. The blocks are worth a look all the same, and the proposal says both.
func TestBrokenRepliesInPlaceOfBlocks(t *testing.T) {
	const file = "package bank\n\nfunc Put(n int) int { return -n }\n\nfunc Take(n int) int { return -n }\n"
	const twice = "-- 1.md --\nbank.go\n```\n<<<<<<< SEARCH\nfunc Put(n int) int { return -n }\n=======\nfunc Put(n int) int { return n }\n\nfunc Take(n int) int { return 0 }\n>>>>>>> REPLACE\n```\n"
	for what, c := range brokenReplies {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, twice+broken(2, c.script), map[string]string{"bank.go": file})
			yes := true
			b.user.EditFormat, b.user.ShortPrompt, b.settings.Verify = "whole", &yes, string(verify.Lint)
			b.impatient(c.script, 2)
			r, events := b.run(agent.Request{Instruction: "Put takes money. Mend it.", Files: []string{"bank.go"}, Format: "diff"})
			b.checkEvents(events, r)
			if r.State != event.TurnProposed || len(r.Proposal.Files) != 1 || !strings.Contains(r.Proposal.Files[0].Change.After, "return 0 }") {
				t.Fatalf("%s, %v: %+v", r.State, r.Err, r.Proposal)
			}
			if says := strings.Join(r.Proposal.Warnings, "\n"); !strings.Contains(says, c.says) {
				t.Errorf("the proposal says %q", says)
			}
			if !slices.ContainsFunc(r.Findings, func(f verify.Finding) bool { return f.Check == "duplicates" }) {
				t.Errorf("the findings are %+v", r.Findings)
			}
		})
	}
}
