package deliver

import (
	"context"
	"errors"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/client"
)

// What is not as the plan has it, at the beginning or while the user is asked, is not touched: the plan is to be made
// again, and nothing of it is sent.
func TestWhatChangedBefore(t *testing.T) {
	for _, test := range []struct {
		name   string
		files  string
		plan   string
		change func(e *fakeEditor)
		want   string
	}{
		{"typed", "a: b", "?b a", func(e *fakeEditor) { e.Type("a", "typed\n") }, "absent!"},
		{"typed and taken back", "a: b", "?b a", func(e *fakeEditor) { e.Type("a", "typed\n"); e.Type("a", textOf("a")) }, "a version"},
		{"typed under a delete", "a: b", "?b -a", func(e *fakeEditor) { e.Type("a", "typed\n") }, "absent!"},
		{"typed under a rename", "a: b", "?b a>c", func(e *fakeEditor) { e.Type("a", "typed\n") }, "absent!"},
		{"another text of the same version", "a: b", "?b a", func(e *fakeEditor) { e.Put("a", "other\n", 1) }, "absent!"},
		{"saved", "a b", "?b a", func(e *fakeEditor) { e.write("a", "saved\n") }, "absent!"},
		{"opened and typed", "a b", "?b a", func(e *fakeEditor) { e.Put("a", "typed\n", 1) }, "absent!"},
		{"opened", "a b", "?b a", func(e *fakeEditor) { e.Put("a", textOf("a"), 1) }, "an open document"},
		{"closed", "a: b", "?b a", func(e *fakeEditor) { e.Close("a") }, "an open document"},
		{"made", "b", "?b +a", func(e *fakeEditor) { e.write("a", "") }, "absent!"},
		{"made as a document", "b", "?b +a", func(e *fakeEditor) { e.Put("a", "typed\n", 1) }, "absent!"},
		{"typed into an empty buffer", "a= b", "?b +a", func(e *fakeEditor) { e.Type("a", "typed\n") }, "absent!"},
		{"the new name of a rename", "a b", "?b a>c", func(e *fakeEditor) { e.write("c", "") }, "absent!"},
		{"the new name as a document", "a b", "?b a>c", func(e *fakeEditor) { e.Put("c", "typed\n", 1) }, "absent!"},
		{"unreadable", "a b", "?b a", func(e *fakeEditor) { e.write("a", "\x00\xff") }, "absent!"},
		{"being changed", "a: b", "?b a", func(e *fakeEditor) {
			doc, _ := e.open(e.uri("a"))
			doc.Uncertain = true
			e.store(doc)
		}, "refused"},
		{"lost", "a: b", "?b a", func(e *fakeEditor) {
			doc, _ := e.open(e.uri("a"))
			doc.Document, doc.Uncertain = doc.AsLost(), true
			e.store(doc)
		}, "refused"},
	} {
		inTime(t, test.name+" at the beginning", func(t *testing.T) {
			e := newFakeEditor(t, situation{files: test.files})
			test.change(e)
			got := e.deliver(test.plan)
			switch test.want {
			case "a version", "an open document": // which is as good
				if got != "a landed, b landed" {
					t.Errorf("%q", got)
				}
			default:
				if got != "a "+test.want+", b "+test.want || len(e.questions) > 0 || len(e.requests()) > 0 {
					t.Errorf("%q, asked %q, sent %q", got, e.questions, e.requests())
				}
			}
		})
		inTime(t, test.name+" while the user is asked", func(t *testing.T) {
			e := newFakeEditor(t, situation{files: test.files})
			e.asked = func(int) bool { test.change(e); return true }
			got := e.deliver(test.plan)
			// One request is for both where they are of a kind; else the one that comes first has arrived.
			if got != "a absent!, b absent!" && got != "a absent!, b landed" && (got != "a refused, b landed" || test.name != "unreadable") {
				t.Errorf("%q", got)
			}
			for _, sent := range e.requests() {
				if sent != "b" {
					t.Errorf("sent %q", sent)
				}
			}
			if now := e.reads("a"); now == goalOf("a") || now == "-" && test.plan == "?b a" {
				t.Errorf("a reads %q", now)
			}
		})
	}
}

// What is typed between two requests, or while one is on its way, is never written over.
func TestTypedBetweenRequests(t *testing.T) {
	typed := func(name string) func(e *fakeEditor) {
		return func(e *fakeEditor) { e.Type(name, "typed\n") }
	}
	behind := func(e *fakeEditor) { e.Type("a", textOf("a")+"typed\n") }
	for _, test := range []struct {
		name   string
		quirks client.Quirks
		files  string
		plan   string
		before bool // typed before the edit is carried out, else behind it
		first  func(e *fakeEditor)
		sent   int
		want   string
		reads  string // a, when it is not what was typed
	}{
		{"on its way", client.Quirks{}, "a:", "a", true, behind, 1, "a absent!", textOf("a") + "typed\n"},
		{"on its way, one of two", client.Quirks{}, "a: b", "a b", true, behind, 1, "a absent!, b absent!", textOf("a") + "typed\n"},
		{"over it", client.Quirks{}, "a: b", "a b", true, typed("a"), 1, "a absent!, b absent!", ""},
		{"on its way to a client that does not look", client.Quirks{IgnoresVersions: true}, "a:", "a", true, func(e *fakeEditor) { e.Type("a", "0\n"+textOf("a")) }, 1, "a differs", "0\nA\na\n3\n"},
		{"behind it", client.Quirks{}, "a:", "a", false, func(e *fakeEditor) { e.Type("a", goalOf("a")+"typed\n") }, 1, "a landed", goalOf("a") + "typed\n"},
		{"in the next file", client.Quirks{SplitFiles: true}, "b: a:", "b a", false, typed("a"), 1, "a absent!, b landed", ""},
		{"in the next file, with one behind it", client.Quirks{SplitFiles: true}, "b: a: c", "b a c", false, typed("a"), 1, "a absent!, b landed, c absent!", ""},
		{"before the rename of an edited file", client.Quirks{OperationsApart: true}, "a:", "a>>b", false, func(e *fakeEditor) { e.Type("a", goalOf("a")+"typed\n") }, 1, "a differs", goalOf("a") + "typed\n"},
		{"before the delete of an emptied document", client.Quirks{EmptyBeforeDelete: true}, "a:", "-a", false, typed("a"), 1, "a differs", ""},
		{"a line break before that", client.Quirks{EmptyBeforeDelete: true}, "a:", "-a", false, func(e *fakeEditor) { e.Type("a", "\n") }, 2, "a landed*", "\n"},
		{"into a new file", client.Quirks{OperationsApart: true}, "", "+a", false, func(e *fakeEditor) { e.write("a", "typed\n") }, 1, "a absent!", ""},
		{"into one that was never saved", client.Quirks{}, "a!", "-a", false, func(e *fakeEditor) { e.Type("a", "typed\n") }, 1, "a differs", ""},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: test.quirks, files: test.files})
			e.answer = func(_ context.Context, n int, do func() client.Answer) (answer client.Answer, err error) {
				if n > 0 {
					return do(), nil
				}
				if test.before {
					test.first(e)
				}
				answer = do()
				if !test.before {
					test.first(e)
				}
				return answer, nil
			}
			reads := test.reads
			if reads == "" {
				reads = "typed\n"
			}
			if got := e.deliver(test.plan); got != test.want || e.reads("a") != reads || len(e.requests()) != test.sent {
				t.Errorf("%q, want %q; a reads %q; sent %q", got, test.want, e.reads("a"), e.requests())
			}
		})
	}
}

// A file is taken from disk only as the plan has it, whatever happened while the user was asked or the rest arrived.
func TestDeletesOnDisk(t *testing.T) {
	for _, test := range []struct {
		name   string
		files  string
		change func(e *fakeEditor)
		want   string
		disk   string
	}{
		{"as it was", "a b:", func(*fakeEditor) {}, "a landed, b landed", "-"},
		{"saved", "a b:", func(e *fakeEditor) { e.write("a", "saved\n") }, "a absent!, b landed", "saved\n"},
		{"saved under an open document", "a: b:", func(e *fakeEditor) { e.write("a", "saved\n") }, "a absent!, b landed", "saved\n"},
		{"typed", "a: b:", func(e *fakeEditor) { e.Type("a", "typed\n") }, "a absent!, b landed", textOf("a")},
		{"opened", "a b:", func(e *fakeEditor) { e.Put("a", textOf("a"), 1) }, "a absent!, b landed", textOf("a")},
		{"closed", "a: b:", func(e *fakeEditor) { e.Close("a") }, "a absent!, b landed", textOf("a")},
		{"gone", "a b:", func(e *fakeEditor) { e.remove("a") }, "a absent!, b landed", "-"},
		{"read-only", "a b:", func(e *fakeEditor) { e.mode("a", 0o444) }, "a refused, b landed", textOf("a")},
	} {
		for _, when := range []string{"asked", "sent"} {
			inTime(t, test.name+" when "+when, func(t *testing.T) {
				e := newFakeEditor(t, situation{caps: func(c *client.Capabilities) { c.DeleteFile = false }, files: test.files})
				change := func(at string) {
					if at == when {
						test.change(e)
					}
				}
				e.asked = func(int) bool { change("asked"); return true }
				e.answer = func(_ context.Context, _ int, do func() client.Answer) (client.Answer, error) {
					change("sent")
					return do(), nil
				}
				if got := e.deliver("-a b"); got != test.want || e.disk("a") != test.disk || len(e.questions) != 1 {
					t.Errorf("%q, want %q; a reads %q; asked %q", got, test.want, e.disk("a"), e.questions)
				}
			})
		}
	}
}

// Who cancels gets what is known so far; nothing is sent then, and nobody is asked any more where the user types on.
func TestGivenUp(t *testing.T) {
	inTime(t, "no editor that takes edits", func(t *testing.T) {
		e := newFakeEditor(t, situation{caps: func(c *client.Capabilities) { c.ApplyEdit = false }, files: "a: b"})
		if got := e.deliver("?a -b"); got != "a refused, b refused" || len(e.requests()) > 0 || len(e.questions) > 0 {
			t.Errorf("%q, sent %q, asked %q", got, e.requests(), e.questions)
		}
	})
	inTime(t, "typing on", func(t *testing.T) {
		e := newFakeEditor(t, situation{options: Options{Native: true}, files: "a: b"})
		e.quiet = errors.New("still typing")
		list, err := e.a.Deliver(context.Background(), "the label", plan("?a b"))
		if !errors.Is(err, e.quiet) || len(list) != 2 || list[0].State != proposal.LandAbsent || list[1].State != proposal.LandAbsent || len(e.requests()) > 0 || len(e.questions) > 0 {
			t.Errorf("%v, %+v, sent %q, asked %q", err, list, e.requests(), e.questions)
		}
	})
	inTime(t, "cancelled at a question", func(t *testing.T) {
		e := newFakeEditor(t, situation{files: "a: b"})
		ctx, cancel := context.WithCancel(context.Background())
		e.asked = func(int) bool { cancel(); return true }
		list, err := e.a.Deliver(ctx, "the label", plan("?a b"))
		if !errors.Is(err, context.Canceled) || len(list) != 2 || len(e.requests()) > 0 {
			t.Errorf("%v, %+v, sent %q", err, list, e.requests())
		}
		for _, l := range list {
			if l.State != proposal.LandAbsent || l.Stale {
				t.Errorf("%+v", l)
			}
		}
	})
	inTime(t, "cancelled on the way", func(t *testing.T) {
		e := newFakeEditor(t, situation{files: "a: b"})
		ctx, cancel := context.WithCancel(context.Background())
		e.answer = func(ctx context.Context, _ int, _ func() client.Answer) (client.Answer, error) {
			cancel()
			<-ctx.Done()
			return client.Answer{}, ctx.Err()
		}
		steps := plan("a -b")
		list, err := e.a.Deliver(ctx, "the label", steps)
		if got := e.check(steps, list); !errors.Is(err, context.Canceled) || got != "a unknown, b unknown" {
			t.Errorf("%v, %q", err, got)
		}
	})
	inTime(t, "no folder", func(t *testing.T) {
		e := newFakeEditor(t, situation{})
		e.a.docs.root.Dir = ""
		if _, open := e.a.docs.document("a"); open || e.a.Current() == nil {
			t.Error("a document of no folder")
		}
	})
}

// The door is asked about each file when it is delivered, about both names of a rename, and where it or the proposal
// wants the user's consent the user is asked. What is refused stays as it is, and the rest arrives.
func TestWhoMustAgree(t *testing.T) {
	policy := workspace.Options{ProtectedGlobs: []string{"secret*"}}
	noFiles := func(c *client.Capabilities) { c.CreateFile, c.RenameFile, c.DeleteFile = false, false, false }
	for _, test := range []struct {
		plan  string // of which the second step is "o"
		caps  func(c *client.Capabilities)
		asked int // with yes to all
		never bool
	}{
		{"a", nil, 0, false},
		{"?a", nil, 1, false},
		{"secret", nil, 1, false},
		{"?secret", nil, 1, false},
		{"+secret2", nil, 1, false},
		{"-secret", nil, 1, false},
		{"secret>b", nil, 1, false},
		{"a>secret2", nil, 1, false},
		{"-secret", noFiles, 2, false},
		{"secret>b", noFiles, 2, false},
		{"secret>>b", noFiles, 2, false},
		{"a>secret2", noFiles, 2, false},
		{"-a", noFiles, 1, false},
		{"+d/n", nil, 1, false},
		{"+secret2/n", nil, 1, false},
		{"locked", nil, 0, true},
		{"-locked", nil, 0, true},
		{"-locked", noFiles, 0, true},
		{"locked>b", noFiles, 0, true},
		{"+../n", nil, 0, true},
		{"a>../b", nil, 0, true},
		{"+a/n", nil, 0, true},
	} {
		for no := -1; no < max(test.asked, 1); no++ {
			inTime(t, test.plan, func(t *testing.T) {
				e := newFakeEditor(t, situation{caps: test.caps, policy: policy, files: "a secret locked o:", quirks: client.Quirks{MakeParents: true}})
				e.mode("locked", 0o444)
				e.asked = func(n int) bool { return n != no }
				steps := plan(test.plan + " o")
				list, err := e.a.Deliver(context.Background(), "the label", steps)
				if err != nil {
					t.Error(err)
				}
				change := steps[0].Change
				asked, want := test.asked, proposal.LandLanded
				if no >= 0 && test.asked > 0 {
					asked, want = no+1, proposal.LandRefused
				}
				if test.never {
					want = proposal.LandRefused
				}
				if len(e.questions) != asked {
					t.Errorf("asked %q, want %d", e.questions, asked)
				}
				for _, l := range list {
					if l.Path == change.Path && l.State != want || l.Path == "o" && l.State != proposal.LandLanded {
						t.Errorf("%+v, want %s", l, want)
					}
				}
				if len(list) != 2 || e.reads("o") != goalOf("o") {
					t.Errorf("%+v, o reads %q", list, e.reads("o"))
				}
				if want == proposal.LandLanded {
					return
				}
				if change.Op != edits.OpCreate && e.disk(change.Path) != textOf(change.Path) {
					t.Errorf("%s reads %q", change.Path, e.disk(change.Path))
				}
				for _, name := range []string{"b", "../n", "../b", ".git/b", "secret2", "d", "d/n", "secret2/n"} {
					if e.a.docs.root.Workspace.Door().OnDisk(name) || e.disk(name) != "-" || e.reads(name) != "-" {
						t.Errorf("%s was made", name)
					}
				}
			})
		}
	}
}
