package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

// TestConsentIsForOneFile: what the user agreed to for one file holds for no other, and never makes up for
// a refusal. Each file is asked about with a consent to each other one.
func TestConsentIsForOneFile(t *testing.T) {
	w := open(t, map[string]string{
		".env": "A=1\n", ".npmrc": "x\n", "sub/.env": "B=1\n", ".github/workflows/ci.yml": "x\n", "a.go": "x\n", "bin.env": "a\x00b", "hidden.txt": "h\n", ".gitignore": "hidden.txt\n",
	}, workspace.Options{})
	if err := os.WriteFile(filepath.Join(w.Root(), ".bashrc"), []byte("x\n"), 0o444); err != nil {
		t.Fatal(err)
	}
	link := os.Symlink(".env", filepath.Join(w.Root(), "link")) == nil
	ask := []string{".env", ".npmrc", "sub/.env", ".github/workflows/ci.yml", "hidden.txt", ".vscode/new.json"}
	if link {
		ask = append(ask, "link")
	}
	never := []string{"../.env", "/.env", ".bashrc", "bin.env", ""}
	free := []string{"a.go"}
	for _, op := range []edits.Op{edits.OpUpdate, edits.OpCreate, edits.OpDelete, edits.OpRename} {
		for _, path := range ask {
			for _, consent := range ask {
				err := w.Door().Guard(t.Context(), consent)(path, op)
				if (err == nil) != (consent == path) {
					t.Errorf("%s of %s with a consent to %s: %v", op, path, consent, err)
				}
				if err != nil && !errors.Is(err, edits.ErrRefused) {
					t.Errorf("%s of %s: %v is no refusal", op, path, err)
				}
			}
			if err := w.Door().Guard(t.Context(), "a.go", path, "b.go")("./"+path, op); err != nil {
				t.Errorf("%s of ./%s with a consent among others: %v", op, path, err)
			}
			if err := w.Door().Guard(t.Context())(path, op); err == nil {
				t.Errorf("%s of %s without any consent", op, path)
			}
		}
		for _, path := range free {
			if err := w.Door().Guard(t.Context())(path, op); err != nil {
				t.Errorf("%s of %s: %v", op, path, err)
			}
		}
	}
	for _, path := range never {
		if err := w.Door().Guard(t.Context(), path)(path, edits.OpUpdate); err == nil {
			t.Errorf("a consent made up for what is refused of %q", path)
		}
	}
}

// TestARefusalSaysItsKind: who handles an error learns from it why a file was refused.
func TestARefusalSaysItsKind(t *testing.T) {
	w := open(t, map[string]string{"bin": "a\x00b", "latin": "caf\xe9", "ro": "r", "sub/x": "x"}, workspace.Options{})
	if err := os.Chmod(filepath.Join(w.Root(), "ro"), 0o444); err != nil {
		t.Fatal(err)
	}
	kinds := []error{workspace.ErrBinary, workspace.ErrUndecodable, workspace.ErrReadOnly, workspace.ErrRefused}
	for path, want := range map[string]error{"bin": workspace.ErrBinary, "latin": workspace.ErrUndecodable, "ro": workspace.ErrReadOnly, "../x": workspace.ErrRefused, "sub": workspace.ErrRefused} {
		err := w.Door().Guard(t.Context())(path, edits.OpUpdate)
		for _, kind := range kinds {
			if errors.Is(err, kind) != errors.Is(want, kind) {
				t.Errorf("%s: %v, want %v", path, err, want)
			}
		}
	}
}
