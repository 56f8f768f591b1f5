package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// The coder context adds the files that the model names until it names the same, and they stay for later turns.
func TestContextFindsTheFiles(t *testing.T) {
	disk := map[string]string{"a.py": "x = 1\n", "lib.py": "lib = 1\n", "other.py": "o = 1\n", ".env": "KEY=secret\n", "doc.md": "d\n"}
	const names = "lib.py: `lib` has to change.\nother.py: so has `o`.\n"
	for what, c := range map[string]struct {
		replies []string
		calls   int
		chat    string // for later turns
	}{
		"the list stays":              {[]string{names, names}, 2, "lib.py other.py"},
		"it grows":                    {[]string{"lib.py: it.", names, names}, 3, "lib.py other.py"},
		"it shrinks":                  {[]string{names, "other.py alone."}, 2, "other.py"},
		"it never stays":              {[]string{"lib.py", "other.py", "doc.md", "lib.py and other.py", "doc.md"}, 4, "lib.py other.py"},
		"nothing is named":            {[]string{"Nothing has to change."}, 1, ""},
		"what is there already":       {[]string{"a.py alone."}, 1, ""},
		"what is not there":           {[]string{"gone.py and ../../etc/passwd and /etc/hosts."}, 1, ""},
		"right as it is, in words":    {[]string{names, "The list is right."}, 2, "lib.py other.py"},
		"what may not be sent":        {[]string{"lib.py and .env", "lib.py and .env"}, 2, "lib.py"},
		"the second time nothing new": {[]string{"lib.py", "lib.py and gone.py"}, 2, "lib.py"},
	} {
		b := newBench(t, replies(c.replies...), disk)
		r, events := b.run(agent.Request{Instruction: "Rename lib.", Coder: "context", Files: []string{"a.py"}})
		b.checkEvents(events, r)
		if r.State != event.TurnAnswered || len(b.server.Requests()) != c.calls {
			t.Errorf("%s: %s, %v after %d calls", what, r.State, r.Err, len(b.server.Requests()))
		}
		files := slices.Sorted(slices.Values(b.session.InForce().Files))
		if got := strings.Join(files, " "); got != c.chat {
			t.Errorf("%s: in the chat are %q, want %q", what, got, c.chat)
		}
		if c.chat != "" && !told(events, "Added to the chat for your next requests") || c.chat == "" && !told(events, "No files were added") {
			t.Errorf("%s: the user is not told", what)
		}
		if strings.Contains(what, "sent") != (len(b.asked) == 1) {
			t.Errorf("%s: asked %+v", what, b.asked)
		}
		for i, request := range b.server.Requests() {
			if sent := shownRequest(request); strings.Contains(sent, "secret") || !strings.Contains(sent, "x = 1") || strings.Contains(sent, "SEARCH") {
				t.Errorf("%s: request %d is\n%s", what, i+1, sent)
			}
		}
	}
	// What was found is what the next turn works on; a protected file comes in with the user's consent.
	b := newBench(t, replies("lib.py and .env", "lib.py and .env", "Fine."), disk)
	b.answers = []string{"send"}
	b.run(agent.Request{Instruction: "Rename lib.", Coder: "context"})
	if sent := shownRequest(b.server.Requests()[1]); !strings.Contains(sent, "KEY=secret") || !strings.Contains(sent, "lib = 1") || len(b.asked) != 1 {
		t.Errorf("asked %d times, sent\n%s", len(b.asked), sent)
	}
	b.run(agent.Request{Instruction: "Go on.", Coder: "ask"})
	if sent := shownRequest(b.server.Requests()[2]); !strings.Contains(sent, "lib = 1") || strings.Contains(sent, "KEY=secret") {
		t.Errorf("the next turn is sent\n%s", sent)
	}
}

// Ten thousand names, large files and many protected ones neither flood the prompt nor the user.
func TestContextWithTooMuch(t *testing.T) {
	disk, all := map[string]string{"big.txt": strings.Repeat("many words ", 40000)}, strings.Builder{}
	for i := range 60 {
		disk[fmt.Sprintf("f%d.txt", i)] = "text\n"
		disk[fmt.Sprintf("k%d.pem", i)] = "secret\n"
	}
	for name := range disk {
		all.WriteString(name + "\n")
	}
	for i := range 10000 {
		fmt.Fprintf(&all, "gone%d.txt\n", i)
	}
	b := newBench(t, replies(all.String(), all.String()), disk)
	r, events := b.run(agent.Request{Instruction: "Rename all.", Coder: "context"})
	if r.State != event.TurnAnswered || len(b.session.InForce().Files) != 40 || len(b.asked) > 8 {
		t.Errorf("%s, %v: %d files, %d questions", r.State, r.Err, len(b.session.InForce().Files), len(b.asked))
	}
	for _, e := range events {
		if e.Kind == event.KindNote && len(e.Note.Text) > 2500 {
			t.Errorf("a note of %d bytes", len(e.Note.Text))
		}
	}
}

// A file that tools have shown the model need not be looked at once more; one that they have not shown is.
func TestContextLooksOnceAtWhatToolsShowed(t *testing.T) {
	disk := map[string]string{"a.py": "x = 1\n", "lib.py": "lib = 1\n", "other.py": "o = 1\n"}
	for what, c := range map[string]struct {
		replies []string
		calls   int
		chat    string
	}{
		"read":             {[]string{"I look.\n>> read {\"path\":\"lib.py\"}", "lib.py: `lib` has to change."}, 2, "lib.py"},
		"searched":         {[]string{"I look.\n>> search {\"pattern\":\"lib =\"}", "lib.py: `lib` has to change."}, 2, "lib.py"},
		"only listed":      {[]string{"I look.\n>> list {}", "lib.py: `lib` has to change.", "lib.py"}, 3, "lib.py"},
		"one of two":       {[]string{"I look.\n>> read {\"path\":\"lib.py\"}", "lib.py and other.py.", "lib.py and other.py."}, 3, "lib.py other.py"},
		"looked at, later": {[]string{"lib.py", "I look.\n>> read {\"path\":\"other.py\"}", "lib.py and other.py."}, 3, "lib.py other.py"},
	} {
		b := newLookout(t, calling(c.replies...), disk)
		r, events := b.run(agent.Request{Instruction: "Rename lib.", Coder: "context", Files: []string{"a.py"}})
		b.checkEvents(events, r)
		if r.State != event.TurnAnswered || len(b.server.Requests()) != c.calls {
			t.Errorf("%s: %s, %v after %d calls", what, r.State, r.Err, len(b.server.Requests()))
		}
		if got := strings.Join(slices.Sorted(slices.Values(b.session.InForce().Files)), " "); got != c.chat {
			t.Errorf("%s: in the chat are %q, want %q", what, got, c.chat)
		}
	}
}
