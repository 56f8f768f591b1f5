package deliver

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
)

// A client that left an edit alone gets the reason from the disk, where that shows one: it names the file that is at fault,
// and the others of the edit have the same reason without being at fault.
func TestTheDiskIsBlamed(t *testing.T) {
	change := func(op edits.Op, path, to string) edits.Change {
		c := edits.Change{Op: op, Path: path, To: to, Before: "old\n", After: "new\n"}
		if op == edits.OpCreate {
			c.Before = ""
		}
		return c
	}
	no := &editReply{answer: client.Answer{}}
	version := int32(1)
	for _, test := range []struct {
		name    string
		change  edits.Change
		version *int32
		quirks  client.Quirks
		caps    func(*client.Capabilities)
		reply   *editReply
		want    string // "" where the disk is not at fault
	}{
		{"a new file", change(edits.OpCreate, "locked/b", ""), nil, client.Quirks{}, nil, no, "locked/b cannot be created: the folder locked is read-only"},
		{"a new file in a new folder", change(edits.OpCreate, "locked/x/b", ""), nil, client.Quirks{}, nil, no, "locked/x/b cannot be created: the folder locked is read-only"},
		{"with a reason of its own", change(edits.OpCreate, "locked/b", ""), nil, client.Quirks{}, nil, &editReply{answer: client.Answer{Reason: "EROFS"}}, "locked/b cannot be created: the folder locked is read-only"},
		{"with an error", change(edits.OpCreate, "locked/b", ""), nil, client.Quirks{}, nil, &editReply{err: errors.New("EROFS")}, "locked/b cannot be created: the folder locked is read-only"},
		{"though it said yes", change(edits.OpCreate, "locked/b", ""), nil, client.Quirks{}, nil, &editReply{answer: client.Answer{Applied: true}}, "locked/b cannot be created: the folder locked is read-only"},
		{"a renamed file", change(edits.OpRename, "locked/a", "open/b"), nil, client.Quirks{}, nil, no, "locked/a cannot be renamed: the folder locked is read-only"},
		{"a file that is renamed to there", change(edits.OpRename, "open/a", "locked/b"), nil, client.Quirks{}, nil, no, "open/a cannot be renamed: the folder locked is read-only"},
		{"a deleted file", change(edits.OpDelete, "locked/a", ""), nil, client.Quirks{}, nil, no, "locked/a cannot be deleted: the folder locked is read-only"},
		{"a text that is written to disk", change(edits.OpUpdate, "open/locked", ""), nil, client.Quirks{EditsFilesOnDisk: true}, nil, no, "open/locked cannot be written: it is read-only"},
		{"a document", change(edits.OpUpdate, "open/locked", ""), &version, client.Quirks{EditsFilesOnDisk: true}, nil, no, ""},
		{"a text that the client opens", change(edits.OpUpdate, "open/locked", ""), nil, client.Quirks{}, nil, no, ""},
		{"a new file that is a document first", change(edits.OpCreate, "locked/b", ""), nil, client.Quirks{}, func(c *client.Capabilities) { c.CreateFile = false }, no, ""},
		{"elsewhere", change(edits.OpCreate, "open/b", ""), nil, client.Quirks{}, nil, no, ""},
		{"undecided", change(edits.OpCreate, "locked/b", ""), nil, client.Quirks{}, nil, &editReply{answer: client.Answer{Null: true}}, ""},
		{"no answer", change(edits.OpCreate, "locked/b", ""), nil, client.Quirks{}, nil, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: test.quirks, caps: test.caps})
			for _, dir := range []string{"open", "locked"} {
				if err := os.MkdirAll(filepath.Join(e.dir, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{"open/a", "open/locked", "open/other", "locked/a"} {
				e.write(name, "old\n")
			}
			if test.version != nil {
				e.Put(test.change.Path, "old\n", *test.version)
			}
			for name, mode := range map[string]os.FileMode{"open/locked": 0o444, "locked": 0o555} {
				if err := os.Chmod(filepath.Join(e.dir, name), mode); err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Join(e.dir, "locked"), 0o755) })
			list := e.a.outcome.judge(editRequest{steps: []clientStep{
				{step: proposal.Step{Change: test.change}, version: test.version},
				{step: proposal.Step{Change: change(edits.OpUpdate, "open/other", "")}},
			}}, test.reply)
			blamed, other := list[0], list[1]
			if blamed.Unwritable != (test.want != "") || other.Unwritable {
				t.Errorf("%+v", list)
			}
			if test.want == "" {
				return
			}
			if blamed.State != proposal.LandAbsent || blamed.Reason != test.want {
				t.Errorf("%+v, want %q", blamed, test.want)
			}
			if other.State == proposal.LandAbsent && other.Reason != test.want {
				t.Errorf("the other: %+v", other)
			}
		})
	}
}
