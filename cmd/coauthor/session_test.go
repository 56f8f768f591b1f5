package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What the commands choose holds for the requests that go on with the conversation, in other processes; a flag stands above
// it, and reset takes it back.
func TestTheSessionOnTheCommandLine(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nFine.\n")
	h.home = t.TempDir()
	h.put("b.py", "def f():\n    return 'plum'\n")
	h.put("src/c.py", "def g():\n    return 'pear'\n")
	want := func(code int, args []string, out, errs string) {
		t.Helper()
		if got := h.run(args...); got != code || !strings.Contains(h.out.String(), out) || !strings.Contains(h.err.String(), errs) {
			t.Fatalf("%v: exit %d\n%s\n%s", args, got, h.out.String(), h.err.String())
		}
	}
	want(0, []string{"ls"}, "- b.py", "")
	want(1, []string{"drop", filepath.Join(h.root, "b.py")}, "", "is not in the chat")
	want(0, []string{"add", filepath.Join(h.root, "b.py")}, "In the chat: b.py.", "")
	want(0, []string{"read-only", filepath.Join(h.root, "src", "*.py")}, "Read-only: src/c.py.", "")
	want(1, []string{"add", filepath.Join(h.root, "no.py")}, "", "file no.py not found")
	want(1, []string{"add", filepath.Join(filepath.Dir(h.root), "x")}, "", "outside")
	want(0, []string{"think-tokens", "2k"}, "2048 thinking tokens", "")
	want(0, []string{"ask", "-m", "What?"}, "Fine.", "")
	if strings.Contains(h.sent(), "plum") {
		t.Error("without --continue nothing is added")
	}
	want(0, []string{"ask", "-m", "What?", "--continue"}, "Fine.", "")
	if got := h.sent(); !strings.Contains(got, "plum") || !strings.Contains(got, "pear") {
		t.Errorf("sent\n%s", got)
	}
	want(0, []string{"drop", filepath.Join(h.root, "b.py")}, "Read-only: src/c.py.", "")
	want(0, []string{"ask", "-m", "And now?", "--continue"}, "Fine.", "")
	if got := h.sent(); strings.Contains(got, "plum") || !strings.Contains(got, "pear") {
		t.Errorf("sent\n%s", got)
	}
	want(0, []string{"model", "nobody"}, "model nobody", "")
	want(0, []string{"ask", "-m", "By the flag?", "--continue"}, "Fine.", "")
	want(0, []string{"ls", "--json"}, `"readOnly":["src/c.py"]`, "")
	want(0, []string{"tokens", "--json"}, `"tokens":`, "")
	var list struct {
		Settings []struct{ Name, Value string }
	}
	want(0, []string{"settings", "--json"}, "", "")
	if err := json.Unmarshal(h.out.Bytes(), &list); err != nil || len(list.Settings) < 40 {
		t.Errorf("%v: %s", err, h.out.String())
	}
	want(0, []string{"commands"}, "`/add`", "")
	want(0, []string{"copy"}, "Fine.", "")
	want(0, []string{"copy-context", "Why", "so?"}, "Why so?", "")
	want(0, []string{"save", "one"}, "/load one", "")
	want(0, []string{"reset"}, "", "starts a new conversation")
	want(1, []string{"ask", "-m", "And?", "--continue"}, "", "no conversation")
	want(0, []string{"ls"}, "The chat has no files", "")
	want(0, []string{"load", "one"}, "model nobody", "")
	want(2, []string{"add", "--nonsense"}, "", "unknown flag")
}

// An answer from elsewhere is taken in, undone and done again by other processes.
func TestPasteUndoRedo(t *testing.T) {
	h := newShell(t, "-- 1.md --\nNobody asked.\n")
	h.home = t.TempDir()
	want := func(code int, text, errs string, args ...string) {
		t.Helper()
		if got := h.run(args...); got != code || h.read("a.py") != text || !strings.Contains(h.err.String(), errs) {
			t.Fatalf("%v: exit %d, a.py %q\n%s\n%s", args, got, h.read("a.py"), h.out.String(), h.err.String())
		}
	}
	const one, two = "x = 1\r\nz = 1", "x = 2\r\nz = 1"
	want(1, one, "nothing to undo", "undo")
	want(0, one, "", "add", filepath.Join(h.root, "a.py"))
	want(1, one, "--yes", "paste", twoReply)
	want(0, one, "", "paste", twoReply, "--preview")
	if !strings.Contains(h.out.String(), "+x = 2") {
		t.Errorf("shown\n%s", h.out.String())
	}
	want(0, two, "", "paste", twoReply, "--yes")
	want(0, one, "", "undo")
	if h.read("new/b.py") != "absent" {
		t.Error("the file that was made is still there")
	}
	want(0, two, "", "redo", "--json")
	if !strings.Contains(h.out.String(), `"status":"applied"`) {
		t.Errorf("told %s", h.out.String())
	}
	h.put("a.py", "x = 3\r\nz = 1")
	want(1, "x = 3\r\nz = 1", "", "undo")
	if n := len(h.server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// A command of the user's runs when they say so, and its exit status is told.
func TestRunOnTheCommandLine(t *testing.T) {
	h := newShell(t, "-- 1.md --\nNobody asked.\n")
	h.home = t.TempDir()
	if code := h.run("run", "echo", "made", ">", "made.txt"); code != 1 || h.read("made.txt") != "absent" || !strings.Contains(h.err.String(), "not run") {
		t.Errorf("without a word: exit %d, %s", code, h.err.String())
	}
	if runtime.GOOS == "windows" {
		t.Skip("what follows is for a shell of POSIX")
	}
	if code := h.run("run", "--yes", "echo made | tee made.txt"); code != 0 || h.read("made.txt") != "made\n" || h.out.String() != "made\n" {
		t.Errorf("exit %d, %q, %s", code, h.out.String(), h.err.String())
	}
	if code := h.run("run", "--yes", "--json", "echo no; exit 3"); code != 1 || !strings.Contains(h.out.String(), `"code":3,"output":"no\n","added":false`) {
		t.Errorf("exit %d, %q, %s", code, h.out.String(), h.err.String())
	}
	for _, x := range []struct{ args, out string }{ // what stands behind the first word is the program's
		{"run --yes printf %s. --json -y", "--json.-y."}, {"run --yes -- printf %s. --json", "--json."}, {"git --yes version --build-options", "sizeof-"}, {"git --yes -- --version", "git version"},
	} {
		if code := h.run(strings.Fields(x.args)...); code != 0 || !strings.Contains(h.out.String(), x.out) {
			t.Errorf("%s: exit %d, %q, %s", x.args, code, h.out.String(), h.err.String())
		}
	}
	if n := len(h.server.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// A page is shown and kept for the requests that go on with the conversation, in other processes.
func TestPagesOnTheCommandLine(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nFine.\n")
	h.home = t.TempDir()
	hits := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits++
		_, _ = io.WriteString(w, "<title>A plum</title><h1>Plum</h1><p>Blue.")
	}))
	t.Cleanup(site.Close)
	want := func(code int, out, errs string, args ...string) {
		t.Helper()
		if got := h.run(args...); got != code || !strings.Contains(h.out.String(), out) || !strings.Contains(h.err.String(), errs) {
			t.Fatalf("%v: exit %d\n%s\n%s", args, got, h.out.String(), h.err.String())
		}
	}
	want(1, "", "web.privateHosts", "web", site.URL)
	config := filepath.Join(h.home, "config", "coauthor", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("web: {privateHosts: [127.0.0.1]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	want(0, "# Plum\n\nBlue.\n", "", "web", site.URL)
	want(0, "Fine.", "", "ask", "-m", "What is it?", "--continue")
	if got := h.sent(); !strings.Contains(got, "# Plum") || hits != 1 {
		t.Errorf("fetched %d times, sent\n%s", hits, got)
	}
	want(0, `"pages":["`+site.URL+`"]`, "", "ls", "--json")
	want(0, "The chat now has no files", "", "drop", site.URL)
	want(0, `"title":"A plum"`, "", "web", "--json", site.URL)
	want(2, "", "", "web", "--nonsense")
	want(0, "", "starts a new conversation", "reset")
	want(0, "Fine.", "", "ask", "-m", "See "+site.URL+"/other, please.", "--json") // nobody is there to be asked
	if got := h.sent(); strings.Contains(got, "# Plum") || hits != 2 {
		t.Errorf("fetched %d times, sent\n%s", hits, got)
	}
}
