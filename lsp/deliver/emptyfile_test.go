package deliver

import (
	"context"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// A new file without text is made by an operation where the client has one, also where other new files come of text
// edits, and on disk by the server else, when the user agrees or has seen it. An open document is no file.
func TestEmptyFilesAreMade(t *testing.T) {
	byEdit := client.Quirks{NewFileByEdit: true}
	none := func(c *client.Capabilities) { c.CreateFile, c.RenameFile, c.DeleteFile = false, false, false }
	plain := func(c *client.Capabilities) { none(c); c.DocumentChanges = false }
	for _, test := range []struct {
		name    string
		caps    func(c *client.Capabilities)
		quirks  client.Quirks
		options Options
		files   string
		plan    string
		sent    string
		asked   int
		want    string
	}{
		{"by an operation", nil, client.Quirks{}, Options{}, "", "+n=", "+n", 0, "n landed"},
		{"by an operation, others by edit", nil, byEdit, Options{}, "a:", "+m +n= a", "+n m | a@1", 0, "a landed, m landed, n landed"},
		{"several", nil, byEdit, Options{}, "", "+m= +n=", "+m +n", 0, "m landed, n landed"},
		{"each file", nil, client.Quirks{NewFileByEdit: true, SplitFiles: true}, Options{}, "a:", "+n= a", "+n | a@1", 0, "a landed, n landed"},
		{"operations apart", nil, client.Quirks{NewFileByEdit: true, OperationsApart: true}, Options{}, "a:", "a +n= +m", "+n | a@1 m", 0, "a landed, m landed, n landed"},
		{"a preview", nil, byEdit, Options{Native: true}, "", "+n=", "+n n!", 0, "n landed"},
		{"in a new directory", nil, client.Quirks{NewFileByEdit: true, MakeParents: true}, Options{}, "", "+d/n=", "+d/n", 1, "d/n landed"},
		{"of which nothing is told", nil, client.Quirks{NewFileByEdit: true, NoDidOpen: true, HiddenUntold: true}, Options{}, "", "+n=", "+n", 0, "n landed"},

		{"on disk, under an empty document", nil, byEdit, Options{}, "n=", "+n=", "", 1, "n landed"},
		{"on disk, under an empty document, operations apart", nil, client.Quirks{OperationsApart: true}, Options{}, "n= a:", "+n= a", "a@1", 1, "a landed, n landed"},
		{"on disk", none, byEdit, Options{}, "a", "+n= a", "a", 1, "a landed, n landed"},
		{"on disk, where only texts are known", plain, client.Quirks{}, Options{}, "a:", "+n= a", "{a}", 1, "a landed, n landed"},
		{"on disk, since the operation stands alone", nil, client.Quirks{CreateAlone: true}, Options{}, "", "+n=", "", 1, "n landed"},
		{"on disk, since operations fail", nil, client.Quirks{NoResourceOperations: true}, Options{}, "", "+n=", "", 1, "n landed"},
		{"on disk, as it was seen", none, byEdit, Options{Seen: true}, "", "+n=", "", 0, "n landed"},
		{"on disk, with its directory", none, client.Quirks{NewFileByEdit: true, MakeParents: true}, Options{}, "", "+d/e/n=", "", 1, "d/e/n landed"},
		{"on disk, under an empty document, as it was seen", none, byEdit, Options{Seen: true}, "n=", "+n=", "", 0, "n landed"},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{caps: test.caps, quirks: test.quirks, options: test.options, files: test.files})
			got := e.deliver(test.plan)
			if sent := strings.Join(e.requests(), " | "); got != test.want || sent != test.sent || len(e.questions) != test.asked {
				t.Errorf("sent %q, want %q; %q, want %q: %q; asked %q, want %d", sent, test.sent, got, test.want, e.reasons, e.questions, test.asked)
			}
			for _, step := range plan(test.plan) {
				if change := step.Change; change.Op == edits.OpCreate && change.After == "" && e.disk(change.Path) != "" {
					t.Errorf("%s reads %q on disk", change.Path, e.disk(change.Path))
				}
			}
		})
	}
}

// Nothing but the file on disk shows that it was made, and no file that came there meanwhile is written over.
func TestEmptyFilesThatAreNotMade(t *testing.T) {
	none := func(c *client.Capabilities) { c.CreateFile = false }
	theirs := func(e *fakeEditor) { e.write("n", "theirs\n") }
	nobody := func(*fakeEditor) {}
	for _, test := range []struct {
		name   string
		caps   func(c *client.Capabilities)
		quirks client.Quirks
		files  string
		asked  func(e *fakeEditor) // while the user is asked about a
		agreed bool
		play   string
		want   string
		disk   string
	}{
		{"the client lies", nil, client.Quirks{NewFileByEdit: true}, "a", nobody, true, "lie", "a landed, n unknown", "-"},
		{"it tells of nothing that is not in front", nil, client.Quirks{NewFileByEdit: true, HiddenUntold: true}, "a", nobody, true, "lie", "a landed, n unknown", "-"},
		{"it tells of nothing that it did not open", nil, client.Quirks{NewFileByEdit: true, NoDidOpen: true}, "a", nobody, true, "lie", "a landed, n unknown", "-"},
		{"an empty document is no file", nil, client.Quirks{}, "a n=", nobody, false, "yes", "a landed, n refused", "-"},
		{"it says no", nil, client.Quirks{}, "a", nobody, true, "why", "a absent, n absent", "-"},
		{"somebody made it", nil, client.Quirks{}, "a", theirs, true, "yes", "a landed, n absent!", "theirs\n"},
		{"somebody made it under an empty document", nil, client.Quirks{}, "a n=", theirs, true, "yes", "a landed, n absent!", "theirs\n"},
		{"somebody made it where it goes to disk", none, client.Quirks{}, "a", theirs, true, "yes", "a landed, n absent!", "theirs\n"},
		{"the user says no", none, client.Quirks{}, "a", nobody, false, "yes", "a landed, n refused", "-"},
		{"what is sent before does not arrive", none, client.Quirks{}, "a", nobody, true, "no", "a absent, n absent", "-"},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{caps: test.caps, quirks: test.quirks, files: test.files})
			e.asked = func(n int) bool {
				test.asked(e)
				return n == 0 || test.agreed
			}
			e.answer = func(ctx context.Context, n int, do func() client.Answer) (client.Answer, error) {
				if sent := e.requests(); test.play == "lie" && !strings.HasPrefix(sent[len(sent)-1], "+") {
					return do(), nil
				}
				e.play(test.play)
				return e.answer(ctx, n, do)
			}
			if got := e.deliver("?a +n="); got != test.want || e.disk("n") != test.disk {
				t.Errorf("%q, want %q: %q; n reads %q", got, test.want, e.reasons, e.disk("n"))
			}
		})
	}
}

// What becomes of a rename of a document that was never saved and has no text: a file of the new name.
func TestAnEmptyDocumentIsRenamed(t *testing.T) {
	for _, can := range []bool{true, false} {
		inTime(t, map[bool]string{true: "by the client", false: "on disk"}[can], func(t *testing.T) {
			e := newFakeEditor(t, situation{files: "a=", quirks: client.Quirks{NewFileByEdit: true},
				caps: func(c *client.Capabilities) { c.CreateFile = can }})
			steps := []proposal.Step{{Change: edits.Change{Op: edits.OpRename, Path: "a", To: "b"}}}
			list, err := e.a.Deliver(context.Background(), "the label", steps)
			if err != nil || len(list) != 2 || e.disk("b") != "" || e.disk("a") != "-" || len(e.questions) == 1 == can {
				t.Errorf("%+v, %v; b reads %q; asked %q", list, err, e.disk("b"), e.questions)
			}
			for _, l := range list {
				if l.State != proposal.LandLanded {
					t.Errorf("%+v", l)
				}
			}
		})
	}
}

// An edit that says nothing to a client, since it ends the last line itself, is done before it is sent, whatever else
// goes in its request.
func TestNothingToSend(t *testing.T) {
	inTime(t, "the last line break", func(t *testing.T) {
		e := newFakeEditor(t, situation{files: "a: b:", quirks: client.Quirks{KeepLastBreak: true}})
		steps := plan("a b")
		steps[0].Change.After = strings.TrimSuffix(textOf("a"), "\n")
		steps[0].Hunks = edits.Diff(textOf("a"), steps[0].Change.After)
		list, err := e.a.Deliver(context.Background(), "the label", steps)
		if got := e.check(steps, list); err != nil || got != "a landed, b landed" || strings.Join(e.requests(), " | ") != "b@1" {
			t.Errorf("%q, %v; sent %q", got, err, e.requests())
		}
	})
}

// A file of one line break is empty to a client that ends lines itself, and not to others.
func TestTextlessFiles(t *testing.T) {
	for _, test := range []struct {
		after  string
		quirks client.Quirks
		want   bool
	}{
		{"", client.Quirks{}, true},
		{"\n", client.Quirks{}, false},
		{"\n", client.Quirks{NewFileEndsLine: true}, true},
		{"\r\n", client.Quirks{NewFileEndsLine: true}, true},
		{" \n", client.Quirks{NewFileEndsLine: true}, false},
	} {
		p := &requestBuilder{caps: &client.Capabilities{DocumentChanges: true, CreateFile: true}, quirks: &test.quirks, encoding: document.UTF16}
		one := clientStep{step: proposal.Step{Change: edits.Change{Path: "n", Op: edits.OpCreate, After: test.after}, Hunks: edits.Diff("", test.after)}}
		if got := p.textless(one); got != test.want {
			t.Errorf("%q is textless: %v", test.after, got)
		}
		one.step.Change.Op = edits.OpUpdate
		if p.textless(one) {
			t.Errorf("an update to %q makes no file", test.after)
		}
	}
}
