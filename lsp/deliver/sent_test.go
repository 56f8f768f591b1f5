package deliver

import (
	"strings"
	"testing"
	"testing/synctest"

	"coauthor/edits"
	"coauthor/lsp/client"
)

// inTime runs a test with a clock of its own, so that what waits takes no time.
func inTime(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// Each kind of client is sent what it can do, in the requests that it takes, and the rest is done for it; in the end
// every file is as the plan has it.
func TestWhatIsSent(t *testing.T) {
	none := func(c *client.Capabilities) { c.CreateFile, c.RenameFile, c.DeleteFile = false, false, false }
	plain := func(c *client.Capabilities) { none(c); c.DocumentChanges = false }
	noRename := func(c *client.Capabilities) { c.RenameFile = false }
	noDelete := func(c *client.Capabilities) { c.DeleteFile = false }
	noCreate := func(c *client.Capabilities) { c.CreateFile = false }
	handling := func(how string) func(c *client.Capabilities) {
		return func(c *client.Capabilities) { c.FailureHandling = how }
	}
	type quirks = client.Quirks
	type options = Options
	for _, test := range []struct {
		name      string
		caps      func(c *client.Capabilities)
		quirks    quirks
		options   options
		keepsOpen bool
		files     string
		plan      string
		sent      string
		asked     int
		want      string
		open      string // documents that are open then
	}{
		{"texts", nil, quirks{}, options{}, false, "a: b", "a b", "a@1 b", 0, "a landed, b landed", "a b"},
		{"kinds apart", nil, quirks{}, options{}, false, "a: b c d", "a b +n -c d>>e", "a@1 b | +n n | -c | d d>e", 0, "a landed, b landed, c landed, d landed, n landed", "a b e n"},
		{"new by edit", nil, quirks{NewFileByEdit: true}, options{}, false, "a:", "a +n", "a@1 n", 0, "a landed, n landed", "a n"},
		{"transactional", handling("transactional"), quirks{}, options{}, false, "a: c", "-c a +n", "+n a@1 n -c", 0, "a landed, c landed, n landed", "a n"},
		{"undo", handling("undo"), quirks{}, options{}, false, "a: c", "-c a", "a@1 -c", 0, "a landed, c landed", "a"},
		{"each file", nil, quirks{SplitFiles: true}, options{}, false, "a: b", "b a", "b | a@1", 0, "a landed, b landed", "a b"},
		{"without versions", plain, quirks{}, options{}, false, "a: b", "a b +n", "{a b n}", 0, "a landed, b landed, n landed", "a b n"},
		{"marked as no refactoring", func(c *client.Capabilities) { c.EditMetadata = true }, quirks{}, options{}, false, "a:", "a", "a@1", 0, "a landed", "a"},
		{"marked as no refactoring, and so is what closes", func(c *client.Capabilities) { c.EditMetadata = true }, quirks{}, options{}, false, "a!", "-a", "a@1 | -a", 0, "a landed", ""},
		{"an empty file", nil, quirks{}, options{}, false, "", "+n=", "+n", 0, "n landed", ""},
		{"an empty file by edit", nil, quirks{NewFileByEdit: true}, options{}, false, "a:", "+n= a", "+n | a@1", 0, "a landed, n landed", "a"},
		{"into an empty buffer", nil, quirks{}, options{}, false, "n=", "+n", "n@1", 0, "n landed", "n"},
		{"a rename alone", nil, quirks{}, options{}, false, "a:", "a>b", "a>b", 0, "a landed", "b"},

		{"operations apart", nil, quirks{OperationsApart: true}, options{}, false, "a: c d", "a -c d>>e +n", "+n | a@1 d n | d>e -c", 0, "a landed, c landed, d landed, n landed", "a e n"},
		{"operations apart, new by edit", nil, quirks{OperationsApart: true, NewFileByEdit: true}, options{}, false, "a", "+n a", "n a", 0, "a landed, n landed", "a n"},
		{"a rename apart", nil, quirks{OperationsApart: true}, options{}, false, "a:", "a>>b", "a@1 | a>b", 0, "a landed", "b"},

		{"a rename that is a copy", nil, quirks{RenameKeepsDocument: true}, options{}, false, "a:", "a>>b", "+b b | -a", 0, "a landed, b landed", "b"},
		{"a closed one is none", nil, quirks{RenameKeepsDocument: true, EditsFilesOnDisk: true}, options{}, false, "a", "a>>b", "a a>b", 0, "a landed", ""},
		{"a rename of what was never saved", nil, quirks{}, options{}, false, "a!", "a>>b", "+b b | a@1 | -a", 0, "a landed, b landed", "b"},
		{"a rename of what was never saved, where nothing is deleted", plain, quirks{}, options{}, false, "a!", "a>>b", "{a b}", 0, "a landed*, b landed", "a b"},

		{"a delete", nil, quirks{}, options{}, false, "a: b", "-a -b", "-a -b", 0, "a landed, b landed", ""},
		{"a delete that leaves the document open", nil, quirks{DeleteKeepsDocument: true}, options{}, false, "a: b d/a:", "-a -b -d/a", "a>.coauthor/undone-1-a d/a>.coauthor/undone-2-a -b", 0, "a landed*, b landed, d/a landed*", ".coauthor/undone-1-a .coauthor/undone-2-a"},
		{"the same without renames", noRename, quirks{DeleteKeepsDocument: true}, options{}, true, "a:", "-a", "-a", 0, "a unknown", "a"},
		{"a delete of an emptied document", nil, quirks{EmptyBeforeDelete: true}, options{}, true, "a: b", "-a -b", "a@1 | -a -b", 0, "a landed*, b landed", "a"},
		{"the same apart", nil, quirks{EmptyBeforeDelete: true, OperationsApart: true}, options{}, true, "a: b", "-a b", "a@1 b | -a", 0, "a landed*, b landed", "a b"},

		{"a delete of what was never saved", nil, quirks{}, options{}, false, "a!", "-a", "a@1 | -a", 0, "a landed", ""},
		{"the same where a file is needed", nil, quirks{DeleteNeedsFile: true}, options{}, false, "a!", "-a", "a@1 | +a -a", 0, "a landed", ""},
		{"the same where none can be made", noCreate, quirks{DeleteNeedsFile: true}, options{}, false, "a!", "-a", "a@1", 0, "a landed*", "a"},
		{"the same where it is made alone", nil, quirks{DeleteNeedsFile: true, CreateAlone: true}, options{}, false, "a!", "-a", "a@1", 0, "a landed*", "a"},
		{"the same where nothing is deleted", noDelete, quirks{}, options{}, false, "a!", "-a", "a@1", 0, "a landed*", "a"},
		{"the same without operations", nil, quirks{NoResourceOperations: true}, options{}, false, "a!", "-a", "a@1", 0, "a landed*", "a"},
		{"the same where a delete leaves it open", nil, quirks{DeleteKeepsDocument: true}, options{}, false, "a!", "-a", "+a a>.coauthor/undone-1-a", 0, "a landed*", ".coauthor/undone-1-a"},
		{"the same where it cannot be moved aside", noCreate, quirks{DeleteKeepsDocument: true}, options{}, true, "a!", "-a", "a@1", 0, "a landed*", "a"},
		{"the same where it is emptied first", nil, quirks{EmptyBeforeDelete: true}, options{}, true, "a!", "-a", "a@1", 0, "a landed*", "a"},
		{"the same apart", nil, quirks{OperationsApart: true}, options{}, false, "a!", "-a", "a@1 | -a", 0, "a landed", ""},
		{"one that the delete leaves open", nil, quirks{}, options{}, true, "a!", "-a", "a@1 | -a", 0, "a landed*", "a"},

		{"a delete on disk", noDelete, quirks{}, options{}, false, "a b:", "-a -b", "", 2, "a landed, b landed*", "b"},
		{"a rename on disk", noRename, quirks{}, options{}, false, "a b: c", "a>x b>y c>>z", "z", 3, "a landed, b landed*, c landed", "b z"},
		{"everything on disk", nil, quirks{NoResourceOperations: true}, options{}, false, "a b c", "-a b>>d +n c", "n c d", 2, "a landed, b landed, c landed, n landed", "c d n"},
		{"on disk into a new directory", noRename, quirks{}, options{Seen: true}, false, "a", "a>d/e/a", "", 1, "a landed", ""},

		{"a new directory", nil, quirks{MakeParents: true}, options{}, false, "", "+d/e/n", "+d/e/n d/e/n", 1, "d/e/n landed", "d/e/n"},
		{"a new directory that was seen", nil, quirks{MakeParents: true}, options{Seen: true}, false, "", "+d/n", "+d/n d/n", 0, "d/n landed", "d/n"},
		{"a directory that is there", nil, quirks{MakeParents: true}, options{}, false, "d/a", "+d/n", "+d/n d/n", 0, "d/n landed", "d/n"},
		{"a rename into a new directory", nil, quirks{MakeParents: true}, options{}, false, "a", "a>d/a", "a>d/a", 1, "a landed", ""},

		{"a preview", nil, quirks{}, options{Native: true}, false, "a: b c", "b a -c +n", "+n b! a@1 n -c", 0, "a landed, b landed, c landed, n landed", "a b n"},
		{"a preview of no text", nil, quirks{}, options{Native: true}, false, "a c", "c>d -a", "c! c>d -a", 0, "a landed, c landed", "d"},
		{"a preview to one that keeps kinds apart", nil, quirks{SplitFiles: true, OperationsApart: true}, options{Native: true}, false, "a: c", "a -c", "a@1! -c", 0, "a landed, c landed", "a"},
		{"consent", nil, quirks{}, options{}, false, "a: b", "?a b", "a@1 b", 1, "a landed, b landed", "a b"},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{caps: test.caps, quirks: test.quirks, options: test.options, files: test.files})
			if test.keepsOpen {
				e.Play(keepsOpen)
			}
			steps := plan(test.plan)
			got := e.deliver(test.plan)
			if sent := strings.Join(e.requests(), " | "); got != test.want || sent != test.sent || len(e.questions) != test.asked {
				t.Errorf("sent %q, want %q; %q, want %q; asked %q, want %d", sent, test.sent, got, test.want, e.questions, test.asked)
			}
			if open := strings.Join(e.Opened(), " "); open != test.open {
				t.Errorf("open are %q, want %q", open, test.open)
			}
			if (e.pauses > 0) != test.options.Native {
				t.Errorf("waited for %d pauses", e.pauses)
			}
			for _, step := range steps {
				change := step.Change
				switch change.Op {
				case edits.OpDelete:
					if strings.Contains(test.want, change.Path+" landed") && (e.disk(change.Path) != "-" || strings.TrimSpace(e.reads(change.Path)) != "" && e.reads(change.Path) != "-" && test.sent != "") {
						t.Errorf("%s reads %q", change.Path, e.reads(change.Path))
					}
				case edits.OpRename:
					if e.disk(change.Path) != "-" || e.reads(change.To) != change.After {
						t.Errorf("%s reads %q, %s %q", change.Path, e.disk(change.Path), change.To, e.reads(change.To))
					}
				case edits.OpUpdate, edits.OpCreate:
					if got := e.reads(change.Path); got != change.After || change.After == "" && e.disk(change.Path) != "" {
						t.Errorf("%s reads %q", change.Path, got)
					}
				}
			}
		})
	}
}
