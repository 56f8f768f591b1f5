package workspace_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/workspace"
)

// TestWithoutAFolder: where there is no root nothing is asked, read or written, and what is open reads as always.
func TestWithoutAFolder(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".", "a", "a\n")
	w, err := workspace.Open("", workspace.Options{Policy: func() workspace.Policy { t.Error("the settings of no folder are asked for"); return workspace.Policy{} }})
	if err != nil {
		t.Fatal(err)
	}
	w.DidOpen("open", "o\n", 1)
	ctx, door := t.Context(), w.Door()
	for _, op := range operations {
		if d := door.Check(ctx, "a", op); d.Verdict != workspace.Refuse || d.Code != workspace.CodeNoFolder {
			t.Errorf("%s: %+v", op, d)
		}
	}
	_, read := w.Snapshot().Read("a")
	_, disk := door.DiskText(ctx, "a")
	_, doc := w.StateDocument("b", "x")
	_, folder := w.StateFolder()
	for what, err := range map[string]error{
		"read": read, "disk": disk, "document": doc, "folder": folder, "write": door.With(workspace.Agreed()).Write(ctx, "b", "x", ""), "new": door.With(workspace.Agreed()).WriteNew(ctx, "b", "x", ""), "over": door.With(workspace.Agreed()).WriteOver(ctx, "a", "a\n", "x", ""),
		"remove": door.With(workspace.Agreed()).Remove(ctx, "a"), "remove if": door.With(workspace.Agreed()).RemoveIf(ctx, "a", "a\n"), "rename": door.With(workspace.Agreed()).Rename(ctx, "a", "b"), "mkdir": door.With(workspace.Agreed()).MkdirAll(ctx, "b"),
	} {
		if !errors.Is(err, workspace.ErrRefused) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if w.Snapshot().Exists("a") || door.OnDisk("a") || w.Root() != "" {
		t.Error("there is a folder")
	}
	if err := errors.Join(w.PruneDocuments("a", 0, func(string) bool { return false }), w.Close()); err != nil {
		t.Error(err)
	}
	mustRead(t, w.Snapshot(), "open", "o\n")
	if got := tree(t, "."); len(got) != 1 || got["a"] != "a\n" {
		t.Errorf("now there are %v", got)
	}
}

// TestARootByAnyName: a root is absolute, however it was named.
func TestARootByAnyName(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "sub/a", "a\n")
	t.Chdir(dir)
	for _, name := range []string{"sub", "./sub/", "sub/../sub", filepath.Join(dir, "sub")} {
		w, err := workspace.Open(name, workspace.Options{MaxFileBytes: -1})
		if err != nil {
			t.Fatal(err)
		}
		if w.Root() != filepath.Join(dir, "sub") || w.Snapshot().Root() != w.Root() {
			t.Errorf("%s: the root is %s", name, w.Root())
		}
		mustRead(t, w.Snapshot(), "a", "a\n")
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestUnusableSettingsAreLogged once, and usable ones are not.
func TestUnusableSettingsAreLogged(t *testing.T) {
	for encoding, want := range map[string]int{"": 0, "klingon": 1} {
		var log strings.Builder
		w := open(t, map[string]string{"a": "a\n"}, workspace.Options{Policy: func() workspace.Policy { return workspace.Policy{Encoding: encoding} }, Log: slog.New(slog.NewTextHandler(&log, nil))})
		for range 2 {
			w.Door().Check(t.Context(), "a", workspace.OpSend)
		}
		if got := strings.Count(log.String(), "level=WARN"); got != want {
			t.Errorf("%q: logged %q", encoding, log.String())
		}
	}
}

// TestDocumentsByAnyName: what is open is known by the path that its name comes to, and a name that is no path by itself.
func TestDocumentsByAnyName(t *testing.T) {
	now := time.Unix(0, 0)
	w := open(t, map[string]string{"a": "disk\n"}, workspace.Options{Clock: func() time.Time { return now }})
	for _, name := range []string{"./b", "x/../a", "../c"} {
		w.DidOpen(name, "one\n", 1)
	}
	w.DidChange("./a", "two\n", 2)
	var got []string
	for _, doc := range w.Snapshot().Open() { // all of one moment: by their names
		got = append(got, doc.Path+" "+doc.Text)
	}
	if want := []string{"../c one\n", "a two\n", "b one\n"}; !slices.Equal(got, want) {
		t.Errorf("open are %q, want %q", got, want)
	}
	w.Put(mustDoc(t, w.Snapshot(), "a").AsLost())
	w.DidChange("a", "three\n", 3) // the whole text, so it is known again
	if doc := mustDoc(t, w.Snapshot(), "a"); doc.Lost || doc.Text != "three\n" {
		t.Errorf("%+v", doc)
	}
	snap := w.Snapshot()
	if !snap.Unsaved("./b") || snap.Unsaved("a") || snap.Unsaved("none") || snap.Unsaved("../c") {
		t.Error("b alone is not on disk")
	}
	w.DidClose("b/../a")
	w.DidClose("../c")
	mustRead(t, w.Snapshot(), "a", "disk\n")
	if open := w.Snapshot().Open(); len(open) != 1 || open[0].Path != "b" {
		t.Errorf("%d are open", len(open))
	}
	for text, want := range map[string]bool{"": true, "\n": true, "\r\n": true, "\r": true, "\n\n": false, " ": false, "\n\r": false} {
		w.DidOpen("b", text, 3)
		if workspace.Blank(text) != want || w.Snapshot().Vacant("./b") != want {
			t.Errorf("%q is blank: %v", text, !want)
		}
	}
}

// TestWhatLiesInTheStateFolder: what the user put there is neither followed nor written over nor removed.
func TestWhatLiesInTheStateFolder(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "far", "far\n")
	w := open(t, map[string]string{".coauthor/folder.md/x": "x\n", ".coauthor/.gitignore": "mine\n"}, workspace.Options{})
	link(t, w.Root(), ".coauthor/link.md", filepath.Join(outside, "far"))
	link(t, w.Root(), ".coauthor/inside.md", "../plain")
	for _, name := range []string{"folder.md", "link.md", "inside.md"} {
		if abs, err := w.StateDocument(name, "ours\n"); !errors.Is(err, workspace.ErrRefused) || abs != "" {
			t.Errorf("%s: %s, %v", name, abs, err)
		}
	}
	if err := w.PruneDocuments("", 0, func(p string) bool { return strings.HasSuffix(p, ".gitignore") }); err != nil {
		t.Error(err)
	}
	for name, want := range map[string]string{".coauthor/folder.md/x": "x\n", ".coauthor/.gitignore": "mine\n", ".coauthor/link.md": "-> " + filepath.Join(outside, "far"), ".coauthor/inside.md": "-> ../plain"} {
		if got := tree(t, w.Root())[name]; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := tree(t, outside); len(got) != 1 || got["far"] != "far\n" {
		t.Errorf("outside: %v", got)
	}
	for name, code := range map[string]string{"a/b": workspace.CodeBadName, "../a": workspace.CodeOutside, "": workspace.CodeBadName, "link.md": workspace.CodeSymlink} {
		var refused *workspace.RefusedError
		if _, err := w.StateDocument(name, "x"); !errors.As(err, &refused) || refused.Decision.Code != code || !strings.HasSuffix(refused.Decision.Path, name) || refused.Decision.Reason == "" {
			t.Errorf("%q: %v", name, err)
		}
	}
	file := open(t, map[string]string{".coauthor": "a file\n"}, workspace.Options{})
	if _, err := file.StateFolder(); !errors.Is(err, workspace.ErrRefused) {
		t.Errorf("a file in place of the folder: %v", err)
	}
	if err := file.PruneDocuments("a", 0, func(string) bool { return false }); err == nil {
		t.Error("a file was listed")
	}
	for keep, want := range map[int]int{0: 0, 1: 1, 2: 2, 3: 2} {
		few := open(t, nil, workspace.Options{})
		for _, name := range []string{"a1", "a2", "b1"} {
			if _, err := few.StateDocument(name, "x"); err != nil {
				t.Fatal(err)
			}
		}
		err := few.PruneDocuments("a", keep, func(string) bool { return false })
		left, _ := filepath.Glob(filepath.Join(few.Root(), ".coauthor", "a*"))
		if err != nil || len(left) != want {
			t.Errorf("keep %d: %v, %v", keep, left, err)
		}
		if _, err := os.Stat(filepath.Join(few.Root(), ".coauthor", "b1")); err != nil {
			t.Error(err)
		}
	}
}

// TestWhichFolderHoldsAFile: the longest one that does, by whole names.
func TestWhichFolderHoldsAFile(t *testing.T) {
	for _, c := range []struct{ file, folders, want string }{
		{"/a/b/c", "/a /a/b /a/b/c/d", "/a/b"}, {"/a/b/c", "/a/b /a", "/a/b"}, {"/a/b", "/a/b", "/a/b"}, {"/a/bc", "/a/b", ""}, {"/a/..b", "/a", "/a"}, {"/a/...", "/a", "/a"},
		{"/a/../b", "/a", ""}, {"/b", "/a/../b/", "/b"}, {"/a", "/a/b", ""}, {"/a", "", ""}, {"/x", "/", "/"}, {"/x/y", "relative /", "/"},
	} {
		if got := workspace.FolderOf(c.file, strings.Fields(c.folders)); got != c.want {
			t.Errorf("%s in %s: %q, want %q", c.file, c.folders, got, c.want)
		}
	}
}

// TestWhatAFileIsWrittenIn is the whole rule of how bytes are read, by the setting.
func TestWhatAFileIsWrittenIn(t *testing.T) {
	for _, c := range []struct {
		setting, raw, text string
		enc                workspace.Encoding
	}{
		{"", "abc", "abc", "utf-8"}, {"UTF-8", "é", "é", "utf-8"}, {"", "\ufeffa", "\ufeffa", "utf-8"}, {"", "", "", "utf-8"},
		{"windows-1252", "abc", "abc", "windows-1252"}, {"Windows-1252", "\xe9", "é", "windows-1252"}, {"windows-1252", "é", "é", "utf-8"}, {"windows-1252", "\x80", "€", "windows-1252"},
		{"windows-1252", "\xff\xfea\x00", "\ufeffa", "utf-16le"}, {"windows-1252", "\xfe\xff\x00a", "\ufeffa", "utf-16be"}, {"windows-1252", "\xff\xfea", "ÿþa", "windows-1252"},
		{"utf-16le", "a\x00b\x00", "ab", "utf-16le"}, {"UTF-16LE", "ab", "扡", "utf-16le"}, {"utf-16be", "\x00a\x00b", "ab", "utf-16be"}, {"utf-16be", "ab", "慢", "utf-16be"}, {"utf-16be", "é", "\uc3a9", "utf-16be"},
		{"utf-16be", "\xff\xfea\x00", "\ufeffa", "utf-16le"}, {"shift_jis", "\x82\xa0", "あ", "shift_jis"}, {"shift_jis", "あ", "あ", "utf-8"}, {"", "\xff\xfe", "\ufeff", "utf-16le"},
	} {
		w := open(t, map[string]string{"f": c.raw}, workspace.Options{Encoding: c.setting})
		if doc, err := w.Snapshot().Document("f"); err != nil || doc.Text != c.text || doc.Encoding != c.enc || doc.Size != int64(len(c.raw)) {
			t.Errorf("%q by %q: %+v, %v, want %q in %s", c.raw, c.setting, doc, err, c.text, c.enc)
		}
	}
}
