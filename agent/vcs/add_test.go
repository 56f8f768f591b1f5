package vcs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Files are staged as they are, new ones and gone ones too, and nothing else is.
func TestAdd(t *testing.T) {
	root := mine(t, map[string]string{"a": "a\n", "b": "b\n", "gone": "g\n", "sub/c": "c\n", ".gitignore": "ignored\n"})
	for name, text := range map[string]string{"a": "A\n", "b": "B\n", "sub/new :(x)*": "n\n", "ignored": "i\n", "other": "o\n"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(root, "gone")); err != nil {
		t.Fatal(err)
	}
	if err := Add(t.Context(), root, []string{"a", "gone", "sub/new :(x)*", "ignored", "never-there"}); err != nil {
		t.Fatal(err)
	}
	if got := asks(t, root, "status", "--porcelain"); got != "M  a\n M b\nD  gone\nA  \"sub/new :(x)*\"\n?? other\n" {
		t.Errorf("%s", got)
	}
	if err := Add(t.Context(), filepath.Join(root, "sub"), []string{"../b", "c"}); err != nil {
		t.Error(err)
	}
	if err := Add(t.Context(), root, []string{"ignored"}); err != nil {
		t.Error(err)
	}
	if err := Add(t.Context(), t.TempDir(), []string{"a"}); !errors.Is(err, ErrNotGit) {
		t.Error(err)
	}
}
