package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/mapper"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/repomap"
)

const noSuchX = "a.py\n```\n<<<<<<< SEARCH\nno such line\n=======\nx = 2\n>>>>>>> REPLACE\n```\n"

func replies(list ...string) string {
	var b strings.Builder
	for i, text := range list {
		fmt.Fprintf(&b, "-- %d.md --\n%s\n", i+1, strings.TrimRight(text, "\n"))
	}
	return b.String()
}

// TestOrderOfTheStates is what whoever watches a turn sees, in its order: the states, the text as it comes, the
// rounds, and what they cost.
func TestOrderOfTheStates(t *testing.T) {
	for what, c := range map[string]struct {
		script  string
		request agent.Request
		want    string
		rounds  int
		files   int // of the last look at what the model wrote
	}{
		"an edit": {replies(xIsTwo), agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}, "collecting requesting streaming verifying proposed", 0, 1},
		"an edit after a miss": {replies(noSuchX, xIsTwo), agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}},
			"collecting requesting streaming verifying reflecting requesting streaming verifying proposed", 1, 1},
		"an edit of two files": {replies(xIsTwo + "\n" + strings.ReplaceAll(xIsTwo, "a.py", "b.py")), agent.Request{Instruction: "Make x two.", Files: []string{"a.py", "b.py"}},
			"collecting requesting streaming verifying proposed", 0, 2},
		"an answer":          {replies("Because."), agent.Request{Instruction: "Why?", Coder: "ask", Files: []string{"a.py"}}, "collecting requesting streaming answered", 0, 0},
		"no edit in a reply": {replies("Nothing has to be done."), agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}}, "collecting requesting streaming verifying answered", 0, 0},
		"a refused file":     {replies("never sent"), agent.Request{Instruction: "Make x two.", Files: []string{"../a.py"}}, "collecting failed", 0, 0},
	} {
		b := newBench(t, c.script, map[string]string{"a.py": "x = 1\n", "b.py": "x = 1\n"})
		r, events := b.run(c.request)
		b.checkEvents(events, r)
		var states []string
		var text strings.Builder
		rounds, files, cost := 0, 0, event.Usage{}
		for _, e := range events {
			switch e.Kind {
			case event.KindState:
				states = append(states, string(e.State))
				files = max(files, e.Files)
				if (e.Model != "") != (e.State == event.TurnRequesting) {
					t.Errorf("%s: %s names the model %q", what, e.State, e.Model)
				}
			case event.KindDelta:
				if e.Channel == event.ChannelAnswer {
					text.WriteString(e.Text)
				}
			case event.KindRound:
				if rounds++; e.Round != rounds || e.Of != 3 || e.Text == "" {
					t.Errorf("%s: round %+v", what, e)
				}
			case event.KindUsage:
				cost = cost.Add(*e.Usage)
			case event.KindNote, event.KindEdit, event.KindEnded, event.KindProposal:
			}
		}
		if got := strings.Join(states, " "); got != c.want || rounds != c.rounds || files != c.files {
			t.Errorf("%s: %s, %d rounds, %d files", what, got, rounds, files)
		}
		sent := ""
		for _, part := range strings.Split(c.script, "-- ") {
			if _, reply, ok := strings.Cut(part, ".md --\n"); ok && r.State != event.TurnFailed {
				sent += strings.TrimRight(reply, "\n")
			}
		}
		if strings.ReplaceAll(text.String(), "\n", "") != strings.ReplaceAll(sent, "\n", "") {
			t.Errorf("%s: told %q, sent %q", what, text.String(), sent)
		}
		if cost != r.Usage || b.session.Turns.Usage() != r.Usage {
			t.Errorf("%s: told %+v, the turn says %+v, the session %+v", what, cost, r.Usage, b.session.Turns.Usage())
		}
	}
}

// TestRoundsEndWithTheirBudget: a model that never gets a file right is asked about it twice, and not more often in all
// than the setting says.
func TestRoundsEndWithTheirBudget(t *testing.T) {
	for most := range 4 {
		b := newBench(t, "repeat: true\n-- 1.md --\n"+noSuchX, map[string]string{"a.py": "x = 1\n"})
		b.settings.MaxReflections = most
		r, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
		if got := len(b.server.Requests()); got != min(most, 2)+1 || r.State != event.TurnFailed || len(r.Failures) != 1 || r.Proposal != nil {
			t.Errorf("at most %d: %d requests, %+v", most, got, r)
		}
		if warned := told(events, "still wrong"); warned != (most > 0) {
			t.Errorf("at most %d: the user is told: %v", most, warned)
		}
	}
}

// TestConsentToSendIsForOneFile: each file that may hold secrets is a question of its own; without a clear yes to
// each of them nothing at all is sent, and what was agreed to once is asked again the next time.
func TestConsentToSendIsForOneFile(t *testing.T) {
	files := map[string]string{".env": "KEY=first-secret\n", ".npmrc": "token=second-secret\n", "a.py": "x = 1\n"}
	for _, c := range []struct {
		named   []string
		answers []string
		sent    bool
		asked   int
	}{
		{[]string{".env"}, []string{"send"}, true, 1},
		{[]string{".env"}, []string{"cancel"}, false, 1},
		{[]string{".env"}, nil, false, 1}, // nobody answers
		{[]string{".env"}, []string{"yes"}, false, 1},
		{[]string{".env", ".npmrc"}, []string{"send", "send"}, true, 2},
		{[]string{".env", ".npmrc"}, []string{"send", "cancel"}, false, 2},
		{[]string{".env", ".npmrc"}, []string{"send"}, false, 2},
		{[]string{".env", ".npmrc"}, []string{"cancel", "send"}, false, 1},
		{[]string{"a.py"}, nil, true, 0},
	} {
		for _, readOnly := range []bool{false, true} {
			b := newBench(t, "repeat: true\n-- 1.md --\nFine.\n", files)
			request := agent.Request{Instruction: "Read it.", Coder: "ask"}
			if readOnly {
				request.ReadOnly = c.named
			} else {
				request.Files = c.named
			}
			for range 2 { // the second time nothing of the first holds
				b.answers, b.asked = slices.Clone(c.answers), nil
				before := len(b.server.Requests())
				r, _ := b.run(request)
				requests := b.server.Requests()[before:]
				if (len(requests) > 0) != c.sent || (r.State == event.TurnAnswered) != c.sent || len(b.asked) != c.asked {
					t.Errorf("%v, %v, read-only %v: %d requests, %s, %d questions", c.named, c.answers, readOnly, len(requests), r.State, len(b.asked))
				}
				for i, q := range b.asked {
					if q.Default != "cancel" || !strings.Contains(q.Text, c.named[i]) || q.Turn != r.Turn || q.ID == "" {
						t.Errorf("%v: %+v", c.named, q)
					}
				}
				for _, one := range requests {
					for _, path := range c.named {
						if !strings.Contains(shownRequest(one), strings.TrimSpace(files[path])) {
							t.Errorf("%v: %s was not sent", c.named, path)
						}
					}
				}
			}
		}
	}
}

// TestAFollowUpGoesOn is what becomes of a pending change when the user answers to it, by its kind and by what
// the user did to the file meanwhile.
func TestAFollowUpGoesOn(t *testing.T) {
	patch := func(body string) string { return "*** Begin Patch\n" + body + "*** End Patch\n" }
	update := patch("*** Update File: a.py\n@@\n-x = 1\n+x = 2\n y = 1\n")
	create := patch("*** Add File: new.py\n+n = 1\n")
	remove := patch("*** Delete File: a.py\n")
	rename := patch("*** Update File: a.py\n*** Move to: c.py\n@@\n-x = 1\n+x = 2\n y = 1\n")
	const text = "x = 1\ny = 1\nz = 1\nlast = 1\n"
	gone := func(b *bench, path string) {
		if err := os.Remove(filepath.Join(b.root, path)); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, reply string
		meanwhile   func(b *bench)
		kept, stale string // the path that is still in the proposal, or the one the user is warned of
	}{
		{"update", update, func(*bench) {}, "a.py", ""},
		{"update, changed elsewhere", update, func(b *bench) { b.put("a.py", text+"more = 1\n") }, "a.py", ""},
		{"update, changed there", update, func(b *bench) { b.put("a.py", strings.Replace(text, "x = 1", "x = 9", 1)) }, "", "a.py"},
		{"update, done by hand", update, func(b *bench) { b.put("a.py", strings.Replace(text, "x = 1", "x = 2", 1)) }, "", ""},
		{"update, deleted", update, func(b *bench) { gone(b, "a.py") }, "", "a.py"},
		{"create", create, func(*bench) {}, "new.py", ""},
		{"create, made otherwise", create, func(b *bench) { b.put("new.py", "m = 1\n") }, "", "new.py"},
		{"create, made just so", create, func(b *bench) { b.put("new.py", "n = 1\n") }, "", ""},
		{"create, an empty file", create, func(b *bench) { b.put("new.py", "") }, "new.py", ""},
		{"delete", remove, func(*bench) {}, "a.py", ""},
		{"delete, changed", remove, func(b *bench) { b.put("a.py", text+"more = 1\n") }, "", "a.py"},
		{"delete, gone already", remove, func(b *bench) { gone(b, "a.py") }, "", ""},
		{"rename", rename, func(*bench) {}, "a.py", ""},
		{"rename, changed elsewhere", rename, func(b *bench) { b.put("a.py", text+"more = 1\n") }, "a.py", ""},
		{"rename, the name is taken", rename, func(b *bench) { b.put("c.py", "c = 1\n") }, "", "a.py"},
		{"rename, gone", rename, func(b *bench) { gone(b, "a.py") }, "", "a.py"},
	} {
		b := newBench(t, replies(c.reply, patch("*** Update File: other.py\n@@\n-o = 1\n+o = 2\n")), map[string]string{"a.py": text, "other.py": "o = 1\n"})
		first, _ := b.run(agent.Request{Instruction: "Change it.", Format: "patch", Files: []string{"a.py", "other.py"}})
		if first.Proposal == nil {
			t.Fatalf("%s: %+v", c.name, first)
		}
		c.meanwhile(b)
		next, events := b.run(agent.Request{Instruction: "And the other.", Format: "patch", FollowUp: first.Turn})
		if next.Proposal == nil {
			t.Errorf("%s: %+v", c.name, next)
			continue
		}
		var paths []string
		for _, f := range next.Proposal.Files {
			paths = append(paths, f.Change.Path)
		}
		slices.Sort(paths)
		want := []string{"other.py"}
		if c.kept != "" {
			want = append(want, c.kept)
		}
		slices.Sort(want)
		if same := next.Proposal.ID == first.Proposal.ID; !slices.Equal(paths, want) || same != (c.kept != "") || same != (next.Proposal.Revision == 2) {
			t.Errorf("%s: revision %d of %v, the same one: %v", c.name, next.Proposal.Revision, paths, same)
		}
		if warned := told(events, "has edits on the same lines as the pending change"); warned != (c.stale != "") || warned && !told(events, c.stale+" has") {
			t.Errorf("%s: the user is warned: %v", c.name, warned)
		}
	}
}

// follower is a map drawer that notes what it is told.
type follower struct {
	mu     sync.Mutex
	edited int
	told   []string
	closed int
}

func (f *follower) Map(context.Context, repomap.Request) (repomap.Map, error) {
	return repomap.Map{}, nil
}
func (f *follower) Edited() { f.mu.Lock(); defer f.mu.Unlock(); f.edited++ }
func (f *follower) Changed(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told = append(f.told, path)
}
func (f *follower) Close() { f.mu.Lock(); defer f.mu.Unlock(); f.closed++ }

// TestTheMapHearsOfFiles: nothing before there is a map; then what a watcher reports but for what git ignores and
// keeps for itself, one word for very many; and the end of the session.
func TestTheMapHearsOfFiles(t *testing.T) {
	root := t.TempDir()
	gitInit(t, root)
	if err := os.WriteFile(filepath.Join(root, ".gitignore"), []byte("*.log\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	f, made := &follower{}, make(chan struct{}, 2)
	e := agent.NewEngine(agent.Options{
		Settings: func(string) settings.Settings { return settings.Defaults() },
		Map:      func(*workspace.Workspace) mapper.Drawer { made <- struct{}{}; return f },
	})
	defer e.Close()
	s := e.Session(ws)
	s.Mapper.Edited()
	s.FileChanged("early.go")
	s.FilesChanged(t.Context(), []string{"early.go"})
	s.Mapper.Prepare()
	s.Mapper.Prepare() // once is enough
	select {
	case <-made:
	case <-deadline(t).Done():
		t.Fatal("no map was made")
	}
	for done := false; !done; { // the follower is known a moment after it was made
		s.FileChanged("a.go")
		f.mu.Lock()
		done = len(f.told) > 0
		f.mu.Unlock()
		if deadline(t).Err() != nil {
			t.Fatal("the map is told nothing")
		}
	}
	f.mu.Lock()
	if f.edited == 0 || slices.Contains(f.told, "early.go") {
		t.Errorf("edited %d, told %v", f.edited, f.told)
	}
	before := f.edited
	f.told = nil
	f.mu.Unlock()
	s.Mapper.Edited()
	s.FilesChanged(t.Context(), []string{"b.go", "x.log", ".git/index", ".git/HEAD", "sub/.git/HEAD", "sub/.git/index", ".git/refs/HEAD", "c/HEAD"})
	if want := []string{"b.go", ".git/HEAD", "sub/.git/HEAD", "c/HEAD"}; !slices.Equal(f.told, want) || f.edited != before+1 {
		t.Errorf("told %v, want %v; edited %d, before %d", f.told, want, f.edited, before)
	}
	for n, want := range map[int]int{99: 99, 100: 1, 101: 1} {
		f.told = nil
		var many []string
		for i := range n {
			many = append(many, fmt.Sprintf("f%d.go", i))
		}
		s.FilesChanged(t.Context(), many)
		if len(f.told) != want || (f.told[0] == "") != (want == 1) {
			t.Errorf("%d files: told %d, first %q", n, len(f.told), f.told[0])
		}
	}
	e.Leave(ws)
	e.Leave(ws)
	if f.closed != 1 || len(e.Sessions()) != 0 || e.Session(ws) == s {
		t.Errorf("closed %d times, %d sessions", f.closed, len(e.Sessions()))
	}
}
