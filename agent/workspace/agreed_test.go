package workspace_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"coauthor/agent/workspace"
)

// TestNothingIsWrittenWithoutConsent: every way to write refuses without the user's word, and what is protected
// without one that names it, also where a link leads there.
func TestNothingIsWrittenWithoutConsent(t *testing.T) {
	ctx := t.Context()
	for _, c := range []struct {
		what    string
		consent workspace.Consent
		plain   bool // an ordinary file is written
		guarded bool // a protected one is
	}{
		{"nobody's word", workspace.Consent{}, false, false},
		{"a word on the change", workspace.Agreed(), true, false},
		{"a word on another file", workspace.Agreed(".npmrc", "a"), true, false},
		{"a word on the file", workspace.Agreed(".envrc", ".cargo/config.toml", "./link"), true, true},
	} {
		for _, guarded := range []bool{false, true} {
			file, fresh, want := "a", "new/b", c.plain
			if guarded {
				file, fresh, want = ".envrc", ".cargo/config.toml", c.guarded
			}
			for how, write := range map[string]func(w workspace.Writer) error{
				"write":      func(w workspace.Writer) error { return w.Write(ctx, file, "x", "") },
				"create":     func(w workspace.Writer) error { return w.Write(ctx, fresh, "x", "") },
				"write new":  func(w workspace.Writer) error { return w.WriteNew(ctx, fresh, "x", "") },
				"write over": func(w workspace.Writer) error { return w.WriteOver(ctx, file, "old\n", "x", "") },
				"remove":     func(w workspace.Writer) error { return w.Remove(ctx, file) },
				"remove if":  func(w workspace.Writer) error { return w.RemoveIf(ctx, file, "old\n") },
				"rename":     func(w workspace.Writer) error { return w.Rename(ctx, file, "c") },
				"rename to":  func(w workspace.Writer) error { return w.Rename(ctx, "other", fresh) },
				"make a folder": func(w workspace.Writer) error {
					if guarded {
						return w.Write(ctx, file, "x", "") // folders are made for files, of which each is judged
					}
					return w.MkdirAll(ctx, "folder")
				},
				"through a link": func(w workspace.Writer) error {
					if guarded {
						return w.Write(ctx, "link", "x", "")
					}
					return w.Write(ctx, "plain-link", "x", "")
				},
			} {
				ws := open(t, map[string]string{"a": "old\n", ".envrc": "old\n", "other": "o"}, workspace.Options{})
				for name, target := range map[string]string{"link": ".envrc", "plain-link": "a"} {
					if err := os.Symlink(target, filepath.Join(ws.Root(), name)); err != nil {
						t.Skip("no symbolic links here:", err)
					}
				}
				before := tree(t, ws.Root())
				err := write(ws.Door().With(c.consent))
				var refused *workspace.RefusedError
				switch {
				case want && err != nil:
					t.Errorf("%s, %s, guarded %v: %v", c.what, how, guarded, err)
				case !want && !errors.As(err, &refused):
					t.Errorf("%s, %s, guarded %v: it was not refused: %v", c.what, how, guarded, err)
				case !want && !maps.Equal(tree(t, ws.Root()), before):
					t.Errorf("%s, %s, guarded %v: something was written", c.what, how, guarded)
				}
			}
		}
	}
	if err := open(t, nil, workspace.Options{}).Door().With(workspace.Agreed("../x", "/etc/x")).Write(context.Background(), "../x", "x", ""); !errors.Is(err, workspace.ErrRefused) {
		t.Errorf("a word on what lies outside: %v", err)
	}
}
