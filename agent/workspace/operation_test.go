package workspace_test

import (
	"testing"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// What an edit does with its path is one of the operations that the door knows, and an update makes what is
// not there.
func TestOperationOf(t *testing.T) {
	for op, want := range map[edits.Op]workspace.Operation{
		edits.OpCreate: workspace.OpCreate, edits.OpDelete: workspace.OpDelete, edits.OpRename: workspace.OpRename, edits.OpUpdate: workspace.OpEdit,
	} {
		if got := workspace.OperationOf(op, true); got != want {
			t.Errorf("%s of a file that is there: %s, want %s", op, got, want)
		}
		if op == edits.OpUpdate {
			want = workspace.OpCreate
		}
		if got := workspace.OperationOf(op, false); got != want {
			t.Errorf("%s of no file: %s, want %s", op, got, want)
		}
	}
}
