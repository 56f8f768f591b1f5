package review

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// What became of a change is told with its numbers, with what is left to decide on, and with a way back that works in
// this client.
func TestWordsOfAnOutcome(t *testing.T) {
	files := func(states ...proposal.LandState) (list []proposal.FileOutcome) {
		for i, s := range states {
			list = append(list, proposal.FileOutcome{Path: fmt.Sprint(i), State: s})
		}
		return list
	}
	const landed, absent = proposal.LandLanded, proposal.LandAbsent
	for _, c := range []struct {
		out   proposal.Outcome
		left  int
		holds []string
		lacks []string
	}{
		{proposal.Outcome{Status: proposal.StatusApplied, Files: files(landed)}, 0, []string{"1 file,", ":Coauthor undo"}, []string{"redo", "Still open", "1 files"}},
		{proposal.Outcome{Status: proposal.StatusApplied, Files: files(landed, landed, absent)}, 0, []string{"2 files,", ":Coauthor undo"}, []string{"redo", "Still open"}},
		{proposal.Outcome{Status: proposal.StatusUndone, Files: append(files(landed), files(landed, landed)...)}, 0, []string{"2 files,"}, []string{"3"}},
		{proposal.Outcome{Status: proposal.StatusApplied, Files: files(landed)}, 3, []string{"1 file;", "Still open: 3 files"}, []string{"redo"}},
		{proposal.Outcome{Status: proposal.StatusApplied, Files: files(landed), Reason: " b differs. "}, 0, []string{":Coauthor undo", ". b differs"}, []string{"differs."}},
		{proposal.Outcome{Status: proposal.StatusApplied, Files: files(landed, landed), Remark: "close b."}, 2, []string{"2 files", "close b"}, []string{"undo", "redo", "Still open", "b."}},
		{proposal.Outcome{Status: proposal.StatusUndone, Files: files(landed)}, 0, []string{"1 file,", ":Coauthor redo"}, []string{"undo", "Still open"}},
		{proposal.Outcome{Status: proposal.StatusUndone, Files: files(landed), Remark: "close b"}, 0, []string{"1 file", "close b"}, []string{"redo"}},
		{proposal.Outcome{Status: proposal.StatusConflict, Files: files(absent), Reason: "a was edited."}, 0, []string{"a was edited"}, []string{"1 file", "edited."}},
		{proposal.Outcome{Status: proposal.StatusPending, Files: files(absent), Reason: "no"}, 1, []string{"no"}, []string{"1 file"}},
		{proposal.Outcome{Status: proposal.StatusPartial, Files: files(landed, absent), Reason: "b is gone"}, 0, []string{"1 file", "b is gone"}, []string{"undo"}},
		{proposal.Outcome{Status: proposal.StatusPartial, Files: files(absent), Reason: "b is gone"}, 0, []string{"b is gone"}, []string{"file"}},
		{proposal.Outcome{Status: proposal.StatusUnverified, Files: files(absent), Reason: "no answer"}, 0, []string{"no answer"}, []string{"file", "undo"}},
		{proposal.Outcome{Status: "other", Reason: "whatever it is."}, 0, []string{"whatever it is"}, []string{"is."}},
	} {
		got := Words{Plugin: "neovim-module", SavesHidden: c.left == 3}.Outcome(c.out, c.left)
		mustHold(t, got, c.holds...)
		for _, not := range c.lacks {
			if strings.Contains(got, not) {
				t.Errorf("%+v: %q has %q", c.out, got, not)
			}
		}
	}
	// The same words for those that save and those that do not would be wrong for one of them.
	applied := proposal.Outcome{Status: proposal.StatusApplied, Files: files(landed)}
	before := Words{}.Outcome(applied, 0)
	if (Words{SavesHidden: true}).Outcome(applied, 0) == before {
		t.Errorf("%q of an editor that saves", before)
	}
	for _, c := range []struct {
		was, left []int // hunks of each file
		holds     []string
		lacks     string
	}{
		{[]int{1, 1}, nil, []string{"2 files"}, "Still open"},
		{[]int{1, 1}, []int{0, 1}, []string{"1 file.", "Still open: 1 file"}, "2 files"},
		{[]int{1, 1, 1}, []int{0, 0, 1}, []string{"2 files.", "Still open: 1 file"}, "3 files"},
		{[]int{2}, []int{1}, []string{"Still open: 1 file"}, "Discarded the change"},
	} {
		make := func(hunks []int) *proposal.Proposal {
			p := &proposal.Proposal{}
			for i, n := range hunks {
				f := proposal.File{Change: edits.Change{Path: fmt.Sprint(i), Op: edits.OpUpdate}, Done: map[int]proposal.Decision{0: proposal.HunkDiscarded}}
				for k := range n {
					f.Hunks = append(f.Hunks, edits.Hunk{Number: k + 1})
				}
				p.Files = append(p.Files, f)
			}
			return p
		}
		got := DiscardedText(make(c.was), make(c.left))
		mustHold(t, got, c.holds...)
		if strings.Contains(got, c.lacks) {
			t.Errorf("%v to %v: %q", c.was, c.left, got)
		}
	}
}

// What is said of discarding is as much as was discarded, also where a part was decided on before.
func TestDiscardedText(t *testing.T) {
	const open, landed, sent, gone = proposal.HunkOpen, proposal.HunkLanded, proposal.HunkSent, proposal.HunkDiscarded
	proposed := func(files ...[]proposal.Decision) *proposal.Proposal {
		p := &proposal.Proposal{}
		for i, hunks := range files {
			f := proposal.File{Change: edits.Change{Path: fmt.Sprint(i), Op: edits.OpUpdate}, Done: map[int]proposal.Decision{}}
			for k, d := range hunks {
				f.Hunks = append(f.Hunks, edits.Hunk{Number: k + 1})
				f.Done[k+1] = d
			}
			p.Files = append(p.Files, f)
		}
		return p
	}
	type file = []proposal.Decision
	for _, c := range []struct {
		before, after *proposal.Proposal
		want          string
	}{
		{proposed(file{open, open}), proposed(file{gone, gone}), "Discarded the change in 1 file. Your files are unchanged"},
		{proposed(file{open, open}, file{open}), proposed(file{gone, gone}, file{open}), "Discarded the change in 1 file. Still open: 1 file"},
		{proposed(file{open, open}, file{open}), proposed(file{gone, open}, file{open}), "Discarded part of the change. Still open: 2 files"},
		{proposed(file{landed, open}, file{open}), proposed(file{landed, gone}, file{open}), "Discarded part of the change. Still open: 1 file"},
		{proposed(file{gone, open}, file{open}), proposed(file{gone, gone}, file{open}), "Discarded part of the change. Still open: 1 file"},
		{proposed(file{landed, open}), proposed(file{landed, gone}), "Discarded the rest of the change. The applied part is kept"},
		{proposed(file{sent}, file{open}), proposed(file{sent}, file{gone}), "Discarded the rest of the change. The applied part is kept"},
		{proposed(file{gone}, file{open}), proposed(file{gone}, file{gone}), "Discarded the change in 1 file. Your files are unchanged"},
	} {
		if got := DiscardedText(c.before, c.after); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	// A file that was changed in two steps is one.
	out := proposal.Outcome{Status: proposal.StatusUndone}
	for _, path := range []string{"a", "b", "a"} {
		out.Files = append(out.Files, proposal.FileOutcome{Path: path, State: proposal.LandLanded})
	}
	mustHold(t, Words{}.Outcome(out, 0), "in 2 files,")
}

// A message names what works where it is read: the module's command, the keys of the menu, what a palette lists, a
// code action that is there, or the command of the protocol.
func TestHowToDoSomething(t *testing.T) {
	for _, c := range []struct {
		plugin, menu, id, want string
	}{
		{"neovim-module", "", "undoTurn", ":Coauthor undo"},
		{"neovim-module", "the menu", "showPending", ":Coauthor show"},
		{"neovim-module", "", "showRepoMap", "coauthor.showRepoMap"},
		{"eglot-module", "the menu", "undoTurn", "M-x coauthor-undo"},
		{"lsp-mode-module", "", "openPrompt", "M-x coauthor-prompt"},
		{"vscode", "", "undoTurn", "Coauthor: undo"},
		{"vscode-module", "", "undoTurn", `"Coauthor: Undo last change"`},
		{"vscode-module", "the menu", "doctor", `"Coauthor: Check the setup"`},
		{"", "", "undoTurn", "Coauthor: undo"},
		{"", "the menu", "undoTurn", "the menu"},
		{"", "the menu", "doctor", "the menu"},
		{"", "the menu", "reloadConfig", "coauthor.reloadConfig"},
		{"", "", "reloadConfig", "coauthor.reloadConfig"},
		{"", "", "nonsense", "coauthor.nonsense"},
	} {
		titles := map[string]string{"undoTurn": "Coauthor: undo last change ({request})", "doctor": "Coauthor: check the setup ({problem})"}
		got := Words{Plugin: c.plugin, Menu: c.menu, Titles: titles}.How(c.id)
		if !strings.Contains(got, c.want) || strings.Contains(got, " (") {
			t.Errorf("%+v: %q", c, got)
		}
	}
	for id, word := range moduleCommands {
		if got := (Words{Plugin: "neovim-module"}).How(id); got != ":Coauthor "+word {
			t.Errorf("%s: %q", id, got)
		}
	}
}

// What a message names for Emacs is a command there.
func TestEmacsHasTheCommands(t *testing.T) {
	text, err := os.ReadFile("../../editors/emacs/coauthor.el")
	if err != nil {
		t.Fatal(err)
	}
	for id := range moduleCommands {
		name := strings.TrimPrefix(Words{Plugin: "eglot-module"}.How(id), "M-x ")
		_, body, found := strings.Cut(string(text), "\n(defun "+name+" (")
		if body, _, _ = strings.Cut(body, "\n\n"); !found || !strings.Contains(body, "(interactive") {
			t.Errorf("%s is no command of coauthor.el", name)
		}
	}
}

func mustHold(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%.2000s\ndoes not hold %q", text, w)
		}
	}
}
