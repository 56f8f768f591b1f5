package deliver

import (
	"context"
	"errors"
	"strings"
	"testing"

	"coauthor/lsp/client"
)

// play answers requests by words, the last of which counts for all that follow: "yes" does it, "no" does not, "why"
// says why not, "null" says nothing, "error" fails, "lie" says yes and does nothing, "deny" does it and says no,
// "break" does it and fails.
func (e *fakeEditor) play(words string) {
	list := strings.Fields(words)
	e.answer = func(_ context.Context, n int, do func() client.Answer) (client.Answer, error) {
		switch list[min(n, len(list)-1)] {
		case "no":
			return client.Answer{}, nil
		case "why":
			return client.Answer{Reason: "its own words"}, nil
		case "null":
			return client.Answer{Null: true}, nil
		case "error":
			return client.Answer{}, errors.New("its own words")
		case "lie":
			return client.Answer{Applied: true}, nil
		case "deny":
			do()
			return client.Answer{}, nil
		case "break":
			do()
			return client.Answer{}, errors.New("its own words")
		}
		return do(), nil
	}
}

// When something of a plan does not arrive, nothing that could depend on it follows, nothing is lost, and of each file
// is said what became of it: whether all of it is as before, or a part is done.
func TestFailuresHalfWay(t *testing.T) {
	noRename := func(c *client.Capabilities) { c.RenameFile = false }
	noDelete := func(c *client.Capabilities) { c.DeleteFile = false }
	apart, empties, copies := client.Quirks{OperationsApart: true}, client.Quirks{EmptyBeforeDelete: true}, client.Quirks{RenameKeepsDocument: true}
	for _, test := range []struct {
		name   string
		caps   func(c *client.Capabilities)
		quirks client.Quirks
		files  string
		plan   string
		play   string
		sent   int
		want   string
		disk   string // files that are there
	}{
		{"the first", nil, client.Quirks{}, "a: b", "a +n -b", "no", 1, "a absent, b absent, n absent", "a b"},
		{"the second", nil, client.Quirks{}, "a: b", "a +n -b", "yes why", 2, "a landed, b absent, n absent", "a b"},
		{"the last", nil, client.Quirks{}, "a: b", "a +n -b", "yes yes error", 3, "a landed, b absent, n landed", "a b n"},
		{"one that is not known stops nothing", nil, client.Quirks{}, "a: b", "a -b", "lie yes", 2, "a unknown, b landed", "a"},
		{"one that is not decided stops nothing", nil, client.Quirks{}, "a: b", "a -b", "null yes", 2, "a unknown, b landed", "a"},
		{"one that was done all the same", nil, client.Quirks{}, "a: b", "a -b", "deny break", 2, "a landed, b landed", "a"},
		{"all in one", func(c *client.Capabilities) { c.FailureHandling = "undo" }, client.Quirks{}, "a: b", "a +n -b", "no", 1, "a absent, b absent, n absent", "a b"},
		{"one file after the other", nil, client.Quirks{SplitFiles: true}, "a: b", "b a", "no", 1, "a absent, b absent", "a b"},

		{"the text of a rename", nil, apart, "a:", "a>>b", "no", 1, "a absent", "a"},
		{"the text of a rename is not known", nil, apart, "a:", "a>>b", "lie", 1, "a unknown", "a"},
		{"a rename behind its text", nil, apart, "a:", "a>>b", "yes why", 2, "a differs", "a"},
		{"a rename behind its text fails", nil, apart, "a: c", "a>>b c", "yes error", 2, "a differs, c landed", "a c"},
		{"a rename without a text", nil, apart, "a:", "a>b", "no", 1, "a absent", "a"},
		{"the making of a file", nil, apart, "a:", "+n a", "no", 1, "a absent, n absent", "a"},
		{"the text of a new file", nil, apart, "", "+n", "yes no", 2, "n absent", "n"},

		{"the emptying", nil, empties, "a:", "-a", "no", 1, "a absent", "a"},
		{"the emptying is not known", nil, empties, "a:", "-a", "lie", 1, "a unknown", "a"},
		{"a delete behind the emptying", nil, empties, "a:", "-a", "yes why", 2, "a differs", "a"},
		{"a delete behind an emptying that is denied", nil, empties, "a: b", "-a -b", "deny no", 2, "a differs, b absent", "a b"},

		{"the copy", nil, copies, "a:", "a>>b", "no", 1, "a absent, b absent", "a"},
		{"the end of what was copied", nil, copies, "a:", "a>>b", "yes no", 2, "a differs, b landed", "a b"},

		{"a new file before a delete on disk", noDelete, client.Quirks{}, "a", "+n -a", "no", 1, "a absent, n absent", "a"},
		{"an edit before a delete on disk", noDelete, client.Quirks{}, "a b:", "b -a", "error", 1, "a absent, b absent", "a b"},
		{"a delete on disk that moves on", noDelete, client.Quirks{}, "a", "+n -a", "yes", 1, "a landed, n landed", "n"},
		{"an edit that is not known before a delete on disk", noDelete, client.Quirks{}, "a b:", "b -a", "lie", 1, "a landed, b unknown", "b"},

		{"the edit of a rename on disk", noRename, client.Quirks{}, "a", "a>>b", "no", 1, "a absent", "a"},
		{"the edit of a rename on disk of an open file", noRename, client.Quirks{}, "a:", "a>>b", "why", 1, "a absent", "a"},
		{"the edit of a rename on disk is not known", noRename, client.Quirks{}, "a", "a>>b", "lie", 1, "a unknown", "b"},
		{"what stands before the edit of a rename on disk", noRename, client.Quirks{SplitFiles: true}, "a c", "c a>>b", "no", 1, "a absent, c absent", "a c"},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{caps: test.caps, quirks: test.quirks, files: test.files})
			e.play(test.play)
			got := e.deliver(test.plan)
			if sent := e.requests(); got != test.want || len(sent) != test.sent {
				t.Errorf("%q, want %q; sent %q, want %d", got, test.want, sent, test.sent)
			}
			if strings.HasSuffix(test.play, "why") && !strings.Contains(e.reasons["a"]+e.reasons["n"], "its own words") {
				t.Errorf("%q", e.reasons)
			}
			for _, name := range []string{"a", "b", "c", "n"} {
				if there := e.disk(name) != "-"; there != strings.Contains(test.disk, name) {
					t.Errorf("%s is there: %v", name, there)
				}
			}
		})
	}
}

// A rename that the server did on disk is taken back when its edit is refused, unless somebody has changed the file
// since: then it stays, and its edit can still come.
func TestRenamesAreTakenBack(t *testing.T) {
	for _, test := range []struct {
		name    string
		between func(e *fakeEditor) // after the rename, before the answer
		want    string
		a, b    string // on disk
	}{
		{"nothing happened", func(*fakeEditor) {}, "a absent", textOf("a"), "-"},
		{"it was saved", func(e *fakeEditor) { e.write("b", "other\n") }, "a differs", "-", "other\n"},
		{"it was opened, and saved by another", func(e *fakeEditor) { e.Put("b", textOf("a"), 1); e.write("b", "other\n") }, "a differs?", "-", "other\n"},
		{"it was opened", func(e *fakeEditor) { e.Put("b", textOf("a"), 1) }, "a absent", textOf("a"), "-"},
		{"it was opened and typed into", func(e *fakeEditor) { e.Put("b", "typed\n", 2) }, "a differs", "-", textOf("a")},
		{"somebody made the old one again", func(e *fakeEditor) { e.write("a", "new\n") }, "a differs?", "new\n", textOf("a")},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{caps: func(c *client.Capabilities) { c.RenameFile = false }, files: "a"})
			e.answer = func(context.Context, int, func() client.Answer) (client.Answer, error) {
				test.between(e)
				return client.Answer{Reason: "no"}, nil
			}
			if got := e.deliver("a>>b"); got != test.want || e.disk("a") != test.a || e.disk("b") != test.b {
				t.Errorf("%q, want %q; a reads %q, b %q", got, test.want, e.disk("a"), e.disk("b"))
			}
		})
	}
}

// What is typed into a file that was renamed on disk, while another document is closed, keeps it from being renamed back.
func TestNoRenameIsTakenBackUnderTheUser(t *testing.T) {
	inTime(t, "typed", func(t *testing.T) {
		e := newFakeEditor(t, situation{caps: func(c *client.Capabilities) { c.RenameFile = false }, quirks: client.Quirks{SplitFiles: true}, files: "a e!"})
		e.answer = func(_ context.Context, n int, do func() client.Answer) (client.Answer, error) {
			switch n {
			case 1:
				return client.Answer{Reason: "no"}, nil
			case 2:
				e.Put("b", "typed\n", 1)
			}
			return do(), nil
		}
		got := e.deliver("-e a>>b")
		if sent := strings.Join(e.requests(), " | "); got != "a differs?, e landed" || sent != "e@1 | b | -e" || e.disk("a") != "-" || e.disk("b") != textOf("a") {
			t.Errorf("%q, sent %q; a reads %q, b %q", got, sent, e.disk("a"), e.disk("b"))
		}
	})
}

// Of several renames on disk all are done or none.
func TestOneRenameOfSeveral(t *testing.T) {
	for _, test := range []struct {
		name  string
		last  func(e *fakeEditor) // when the user is asked about the last
		want  string
		kept  string // what c reads
		plans string
	}{
		{"the name is taken", func(e *fakeEditor) { e.write("d", "d\n") }, "a absent!, c absent!, o absent!", textOf("c"), "o a>>b c>d"},
		{"the file changed", func(e *fakeEditor) { e.write("c", "other\n") }, "a absent!, c absent!, o absent!", "other\n", "o a>>b c>d"},
		{"the folder is a file", func(e *fakeEditor) { e.write("f", "f\n") }, "a absent, c refused, o absent", textOf("c"), "o a>>b c>f/d"},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{caps: func(c *client.Capabilities) { c.RenameFile = false }, files: "a c o:", options: Options{Seen: true}})
			e.asked = func(n int) bool {
				if n == 1 {
					test.last(e)
				}
				return true
			}
			if got := e.deliver(test.plans); got != test.want || len(e.requests()) > 0 || e.disk("a") != textOf("a") || e.disk("b") != "-" || e.disk("c") != test.kept {
				t.Errorf("%q, want %q; sent %q; a reads %q, c %q", got, test.want, e.requests(), e.disk("a"), e.disk("c"))
			}
		})
	}
}
