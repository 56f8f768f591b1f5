package mapper

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/repomap"
)

// drawn draws the names of its files, one a line, and knows where names are defined.
type drawn struct {
	files   []string
	defined map[string][]string // the files by name
	calls   int
	walks   int // of all paths
}

func (d *drawn) Map(_ context.Context, r repomap.Request) (repomap.Map, error) {
	d.calls++
	m := repomap.Map{Complete: 1, Listing: uint64(len(d.files))}
	for _, path := range d.files {
		if r.Hidden != nil && r.Hidden(path) {
			continue
		}
		m.Files = append(m.Files, repomap.RankedFile{Path: path, Shown: true})
		m.Text += path + "\n"
	}
	return m, nil
}

func (d *drawn) EachPath(f func(path string) bool) {
	d.walks++
	for _, path := range d.files {
		if !f(path) {
			return
		}
	}
}

func (d *drawn) Defined(name string, _ int) (list []repomap.Definition) {
	for _, path := range d.defined[name] {
		list = append(list, repomap.Definition{Path: path})
	}
	return list
}

func (d *drawn) Beginning(string, int) []repomap.Definition { return nil }

// mapped is a Mapper of a folder with these files.
func mapped(t *testing.T, d *drawn) (k *Mapper, stale *[]string) {
	t.Helper()
	root := t.TempDir()
	for _, path := range d.files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, path), []byte("x = 1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	stale = new([]string)
	return New(Options{
		Context: t.Context(), Workspace: ws, Log: slog.New(slog.DiscardHandler),
		Open:   func(*workspace.Workspace) Drawer { return d },
		Closed: func() bool { return false }, Wanted: func() bool { return true },
		Hold:  func() (func(), error) { return func() {}, nil },
		Stale: func(path string) { *stale = append(*stale, path) },
	}), stale
}

// TestDrawLeavesOutWhatMayNotBeSent: although what draws the map still knows it.
func TestDrawLeavesOutWhatMayNotBeSent(t *testing.T) {
	k, stale := mapped(t, &drawn{files: []string{"a.py", ".env", "b.py"}})
	m, err := k.Draw(t.Context(), repomap.Request{Budget: 100}, "always", Turn)
	if err != nil || m.Text != "a.py\nb.py\n" || !slices.Equal(*stale, []string{".env"}) {
		t.Errorf("%q, %v, stale %q", m.Text, err, *stale)
	}
}

// TestDrawKeepsTheMap: as long as the setting says, but not where a new one is wanted.
func TestDrawKeepsTheMap(t *testing.T) {
	d := &drawn{files: []string{"a.py"}}
	k, _ := mapped(t, d)
	draw := func(refresh string, use Use, files ...string) string {
		t.Helper()
		d.files = files
		m, err := k.Draw(t.Context(), repomap.Request{Budget: 100}, refresh, use)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(strings.ReplaceAll(m.Text, "\n", " "))
	}
	for _, c := range []struct {
		refresh string
		use     Use
		files   []string
		want    string
	}{
		{"manual", Turn, []string{"a.py"}, "a.py"},
		{"manual", Turn, []string{"a.py", "b.py"}, "a.py"},
		{"manual", Apart, []string{"a.py", "b.py"}, "a.py b.py"},
		{"manual", Turn, []string{"a.py", "b.py"}, "a.py"}, // drawn apart, that one stays for itself
		{"files", Turn, []string{"b.py"}, "a.py"},          // as many files as before
		{"files", Turn, []string{"a.py", "b.py"}, "a.py b.py"},
		{"manual", Anew, []string{"b.py"}, "b.py"},
		{"manual", Turn, []string{"a.py"}, "b.py"},
	} {
		if got := draw(c.refresh, c.use, c.files...); got != c.want {
			t.Errorf("%s, use %d, of %q: %q, want %q", c.refresh, c.use, c.files, got, c.want)
		}
	}
}

// TestDefiner: one file alone, by the last part of a name.
func TestDefiner(t *testing.T) {
	k, _ := mapped(t, &drawn{defined: map[string][]string{"Start": {"a.go", "a.go"}, "Stop": {"a.go", "b.go"}}})
	for name, want := range map[string]string{"Session.Start": "a.go", "Start": "a.go", "Stop": "", "Nothing": ""} {
		if got := k.Definer(name); got != want {
			t.Errorf("%s is defined in %q, want %q", name, got, want)
		}
	}
}

// TestTooLarge: it is told once.
func TestTooLarge(t *testing.T) {
	k, _ := mapped(t, &drawn{})
	set := settings.RepoMap{Tokens: 8192}
	if _, told := k.TooLarge(set, "m", 32768, false); told {
		t.Error("twice what the window gives is not too large")
	}
	set.Tokens++
	if n, told := k.TooLarge(set, "m", 32768, false); !told || !strings.Contains(n.Text, "4096 is the default for m") {
		t.Errorf("%v, %+v", told, n)
	}
	if _, told := k.TooLarge(set, "m", 32768, false); told {
		t.Error("told twice")
	}
}

// reading is a drawer that has not read the folder yet.
type reading struct {
	*drawn
	waited bool
}

func (r *reading) Wait(ctx context.Context) error {
	_, r.waited = ctx.Deadline()
	return nil
}

// TestAwait: what draws the map is waited for, for a time; what cannot be waited for is not.
func TestAwait(t *testing.T) {
	k, _ := mapped(t, &drawn{})
	k.Await(t.Context())
	slow := &reading{drawn: &drawn{}}
	k.drawer = func() Drawer { return slow }
	if k.Await(t.Context()); !slow.waited {
		t.Error("not waited for")
	}
}

// named is a drawer that knows in which files a name stands.
type named struct {
	drawn
	complete bool
}

func (n *named) Naming(context.Context, string) (list []repomap.Naming, complete bool) {
	for _, path := range n.files {
		list = append(list, repomap.Naming{Path: path})
	}
	return list, n.complete
}

func (n *named) Outline(string) ([]repomap.Definition, bool) { return nil, false }

// TestUsing: the program text in which a name stands, with what is typed and not saved; nothing where a file is missing, or may
// not be sent.
func TestUsing(t *testing.T) {
	for _, c := range []struct {
		name     string
		files    []string
		complete bool
		want     []string
		ok       bool
	}{
		{"all", []string{"a.py", "open.py", "notes.txt"}, true, []string{"a.py", "open.py"}, true},
		{"an open document that the index does not know of", []string{"a.py"}, true, []string{"a.py", "open.py"}, true},
		{"a secret that is no program text", []string{"a.py", ".env"}, true, []string{"a.py", "open.py"}, true},
		{"a file that may not be sent", []string{"a.py", "id_users.py"}, true, nil, false},
		{"files that are not known yet", []string{"a.py"}, false, nil, false},
	} {
		d := &named{drawn: drawn{files: c.files}, complete: c.complete}
		k, _ := mapped(t, &d.drawn)
		k.o.Open = func(*workspace.Workspace) Drawer { return d }
		k.ws.DidOpen("open.py", "load()\n", 1)
		k.ws.DidOpen("other.py", "x = 1\n", 1)
		if got, ok := k.Using(t.Context(), k.ws.Snapshot(), "load"); !slices.Equal(got, c.want) || ok != c.ok {
			t.Errorf("%s: %q, %v", c.name, got, ok)
		}
	}
	k, _ := mapped(t, &drawn{files: []string{"a.py"}})
	if got, ok := k.Using(t.Context(), k.ws.Snapshot(), "load"); ok || got != nil {
		t.Errorf("without names: %q, %v", got, ok)
	}
}

// TestSizeByWhatTheModelCanDo: with tools the map is of 2,000 to 3,000 tokens, but for a small window; without as it was.
func TestSizeByWhatTheModelCanDo(t *testing.T) {
	on := settings.RepoMap{Tokens: settings.MapByModel}
	for _, c := range []struct {
		window       int
		alone, looks bool
		want         int
	}{
		{0, false, false, 1024},
		{0, true, true, 1024},
		{8_000, false, false, 1024},
		{8_000, false, true, 1024},
		{16_000, false, true, 2000},
		{32_000, false, false, 4000},
		{32_000, false, true, 2000},
		{40_000, false, true, 2500},
		{48_000, false, true, 3000},
		{200_000, false, false, 4096},
		{200_000, false, true, 3000},
		{200_000, true, false, 8192},
		{200_000, true, true, 3000},
		{16_000, true, true, 3000},
		{8_000, true, true, 2048},
	} {
		if got := Budget(on, c.window, c.alone, c.looks); got != c.want {
			t.Errorf("a window of %d, alone %v, with tools %v: %d tokens, want %d", c.window, c.alone, c.looks, got, c.want)
		}
	}
	if got := Budget(settings.RepoMap{Tokens: 5000}, 200_000, false, true); got != 5000 {
		t.Errorf("a setting of 5000 gives %d with tools", got)
	}
	if got := Budget(settings.RepoMap{}, 200_000, true, true); got != 0 {
		t.Errorf("no map has %d tokens", got)
	}
}
