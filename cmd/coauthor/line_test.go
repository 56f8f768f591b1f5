package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm/llmtest"
)

// ran is what a command line left behind.
type ran struct {
	code     int
	out, err string
}

// runLine runs a command line in this process, with a home of its own and nothing in the environment but
// env.
func runLine(t *testing.T, env map[string]string, in string, args ...string) ran {
	t.Helper()
	home := t.TempDir()
	var out, errs bytes.Buffer
	code := run(t.Context(), args, Streams{In: strings.NewReader(in), Out: &out, Err: &errs, Env: func(name string) string {
		if value, set := env[name]; set {
			return value
		}
		return map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config")}[name]
	}})
	return ran{code, out.String(), errs.String()}
}

// lay writes files below a new folder.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := shell{t: t, root: root}
	for name, text := range files {
		h.put(name, text)
	}
	return root
}

// TestCommandLine: what the first words mean, and with which status it ends.
func TestCommandLine(t *testing.T) {
	for args, x := range map[string]struct {
		code     int
		out, err string
	}{
		"":                          {0, "serve", ""},
		"--help":                    {0, "doctor", ""},
		"apply --help":              {0, "--atomic", ""},
		"version":                   {0, "coauthor ", ""},
		"--version":                 {0, "coauthor ", ""},
		"nonsense":                  {2, "", "coauthor --help"},
		"apply --nonsense":          {2, "", "--nonsense"},
		"edit":                      {2, "", "add -m"},
		"map --tokens many":         {2, "", "--tokens"},
		"edit -m x --yes --preview": {2, "", "--preview"},
		"serve --stdio --listen=1":  {2, "", "--listen"},
	} {
		r := runLine(t, nil, "", strings.Fields(args)...)
		if r.code != x.code || !strings.Contains(r.out, x.out) || !strings.Contains(r.err, x.err) || (x.err == "") != (r.err == "") {
			t.Errorf("%q: exit %d\n%s\n%s", args, r.code, r.out, r.err)
		}
		if strings.Contains(r.out, "index-worker") || strings.Contains(r.out, "fake-model") {
			t.Errorf("%q shows what is not for users:\n%s", args, r.out)
		}
	}
	if out := runLine(t, nil, "", "version").out; !regexp.MustCompile(`^coauthor \S+ \(go\S+, \w+/\w+\)\n$`).MatchString(out) {
		t.Errorf("the version is told as %q", out)
	}
}

// breaking is a screen that breaks the program.
type breaking struct{}

func (breaking) Write([]byte) (int, error) { panic("the pipe \x1b[2K burst") }

// TestBugsAreToldAsBugs: a panic ends with a status and says what to do, and hides nothing.
func TestBugsAreToldAsBugs(t *testing.T) {
	var errs bytes.Buffer
	code := run(t.Context(), []string{"version"}, Streams{Out: breaking{}, Err: &errs, Env: noEnvironment(t)})
	if told := errs.String(); code != 1 || !strings.Contains(told, "internal error: the pipe <U+001B>[2K burst") || !strings.Contains(told, "version.go") || !strings.Contains(told, "report this") {
		t.Errorf("exit %d\n%s", code, told)
	}
}

// TestApplyReadsTheReply from a file, or from standard input, and refuses what it cannot read before
// anything is changed.
func TestApplyReadsTheReply(t *testing.T) {
	for what, x := range map[string]struct {
		args, in string
		code     int
		want     string
	}{
		"a file":                {"reply.md", "", 0, "uno\ntwo\n"},
		"standard input":        {"", goodBlock, 0, "uno\ntwo\n"},
		"a dash":                {"-", goodBlock, 0, "uno\ntwo\n"},
		"a file, not input":     {"reply.md", "nothing", 0, "uno\ntwo\n"},
		"no such file":          {"absent.md", goodBlock, 2, "one\ntwo\n"},
		"no such encoding":      {"--encoding klingon", goodBlock, 2, "one\ntwo\n"},
		"a good encoding":       {"--encoding latin1", goodBlock, 0, "uno\ntwo\n"},
		"a name in other words": {"--chat ./sub/../a.txt", goodBlock, 0, "uno\ntwo\n"},
		"an absolute name":      {"--chat ROOT/a.txt", goodBlock, 0, "uno\ntwo\n"},
		"an empty reply":        {"", "", 1, "one\ntwo\n"},
	} {
		root := lay(t, map[string]string{"a.txt": "one\ntwo\n"})
		replies := lay(t, map[string]string{"reply.md": goodBlock})
		args := []string{"apply", "--root", root}
		for _, arg := range strings.Fields(strings.ReplaceAll(x.args, "ROOT", root)) {
			if strings.HasSuffix(arg, ".md") {
				arg = filepath.Join(replies, arg)
			}
			args = append(args, arg)
		}
		r := runLine(t, nil, x.in, args...)
		h := shell{root: root}
		if r.code != x.code || h.read("a.txt") != x.want || r.code == 2 && r.err == "" {
			t.Errorf("%s: exit %d, a.txt is %q\n%s%s", what, r.code, h.read("a.txt"), r.out, r.err)
		}
	}
	if r := runLine(t, nil, goodBlock, "apply", "--root", filepath.Join(t.TempDir(), "absent")); r.code != 2 || r.err == "" {
		t.Errorf("no root: exit %d, %s", r.code, r.err)
	}
}

// TestApplyTellsWhatIsNearest to a block that does not stand there, in words and as data.
func TestApplyTellsWhatIsNearest(t *testing.T) {
	files := map[string]string{"a.txt": "zero\nthe <b>first</b> line & all of it\nthe second line of it\nthe third line of it\nend\n"}
	reply := "a.txt\n```\n<<<<<<< SEARCH\nthe <b>first</b> line & all of it\nsome other words\nthat nobody wrote\n=======\nx\n>>>>>>> REPLACE\n```\n"
	root := lay(t, files)
	r := runLine(t, nil, reply, "apply", "--root", root)
	if r.code != 1 || !strings.Contains(r.out, "refused: a.txt: ") || !strings.Contains(r.out, "  nearest at a.txt:2\n") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
	r = runLine(t, nil, reply, "apply", "--json", "--root", root)
	var got applyReport
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || len(got.Failures) != 1 || len(got.Failures[0].Nearest) == 0 {
		t.Fatalf("%v\n%s", err, r.out)
	}
	if n := got.Failures[0].Nearest[0]; n.Path != "a.txt" || n.Line != 2 || !strings.Contains(n.Text, "second") || n.Diff == "" || !strings.Contains(r.out, "<b>first</b> line & all") {
		t.Errorf("nearest %+v", n)
	}
	if diff := cmp.Diff(files, treeOf(t, root)); diff != "" {
		t.Errorf("changed:\n%s", diff)
	}
}

// TestDoctorOnTheCommandLine: each line has its mark and what to do, the model is asked only with the
// flag, and the root is the repository around the folder.
func TestDoctorOnTheCommandLine(t *testing.T) {
	good := llmtest.Start(&llmtest.Script{Models: []string{"scripted"}, Prefix: "/v1", Replies: []llmtest.Reply{{Number: 1, Text: "ready", Delivery: llmtest.Delivery{Repeat: true}}}})
	defer good.Close()
	bad := llmtest.Start(&llmtest.Script{Models: []string{"scripted"}, Prefix: "/v1", Replies: []llmtest.Reply{{Number: 1, Text: "no credit", Delivery: llmtest.Delivery{Status: 402, Repeat: true}}}})
	defer bad.Close()
	root := lay(t, map[string]string{"sub/a.txt": "x\n"})
	if out, err := exec.Command("git", "-C", root, "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, x := range []struct {
		server *llmtest.Server
		ask    bool
		code   int
		says   string
	}{{good, false, 0, "endpoint ok "}, {good, true, 0, "request ok "}, {bad, false, 0, "endpoint ok "}, {bad, true, 1, "request problem "}} {
		before := len(x.server.Requests())
		args := []string{"doctor", "--root", root, "--model", "scripted", "--api-base", x.server.URL}
		if x.ask {
			args = append(args, "--ask-model")
		}
		r := runLine(t, nil, "", args...)
		asked := len(x.server.Requests()) - before
		if r.code != x.code || !strings.Contains(unwrapped(r.out), x.says) || (asked == 1) != x.ask || asked > 1 || (x.code == 1) != strings.Contains(r.out, " -> Add credit") {
			t.Errorf("asked %v: exit %d, %d requests\n%s%s", x.ask, r.code, asked, r.out, r.err)
		}
	}
	t.Chdir(filepath.Join(root, "sub"))
	for args, want := range map[string]string{"": root, "--root .": filepath.Join(root, "sub")} {
		r := runLine(t, nil, "", append([]string{"doctor", "--model", "scripted", "--api-base", good.URL}, strings.Fields(args)...)...)
		if !strings.Contains(unwrapped(r.out), "root ok "+want+" git ") {
			t.Errorf("%q: exit %d\n%s", args, r.code, r.out)
		}
	}
	if r := runLine(t, nil, "", "doctor", "--root", "a.txt"); r.code != 2 || !strings.Contains(r.err, "--root") {
		t.Errorf("a file as root: exit %d, %s", r.code, r.err)
	}
	t.Chdir(t.TempDir())
	r := runLine(t, nil, "", "doctor", "--json", "--local-server", good.URL+"/v1")
	var got struct {
		OK     bool
		Checks []struct{ Name, Text, Advice string }
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || got.OK || r.code != 1 {
		t.Fatalf("exit %d, %v\n%s", r.code, err, r.out)
	}
	local := 0
	for _, c := range got.Checks {
		if c.Name == "local" && strings.Contains(c.Text, "scripted") && strings.Contains(c.Advice, good.URL) {
			local++
		}
	}
	if local != 1 {
		t.Errorf("the server on this machine is told %d times:\n%s", local, r.out)
	}
}

// TestTurnFlags: what the flags of a turn change in what the model gets.
func TestTurnFlags(t *testing.T) {
	for what, x := range map[string]struct {
		args  []string
		in    string
		holds []string
		lacks []string
		body  map[string]any
	}{
		"plain":            {[]string{"-m", "What is x?", "a.py"}, "", []string{"What is x?", "x = 1", "def helper"}, []string{"inside"}, map[string]any{"temperature": 0.0}},
		"read from input":  {[]string{"-m", "-", "a.py"}, "Is it a question?", []string{"Is it a question?", "x = 1"}, nil, nil},
		"a file to read":   {[]string{"-m", "x", "--read", "sub/b.py", "a.py"}, "", []string{"x = 1", "inside", "sub/b.py"}, nil, nil},
		"no map":           {[]string{"-m", "x", "--map-tokens", "0", "a.py"}, "", []string{"x = 1"}, []string{"def helper"}, nil},
		"a map":            {[]string{"-m", "x", "--map-tokens", "500", "a.py"}, "", []string{"def helper"}, nil, nil},
		"warmer":           {[]string{"-m", "x", "--temperature", "0.5", "a.py"}, "", nil, nil, map[string]any{"temperature": 0.5}},
		"an absolute name": {[]string{"-m", "x", "ROOT/a.py"}, "", []string{"x = 1"}, nil, nil},
		"through a link":   {[]string{"-m", "x", "link/b.py"}, "", []string{"inside"}, nil, nil},
	} {
		h := newShell(t, "repeat: true\n-- 1.md --\nfine\n")
		h.put("a.py", "x = 1\n")
		h.put("sub/b.py", "def inner():\n    return 'inside'\n")
		h.put("lib.py", "def helper(a):\n    return a\n\n\ndef again(b):\n    return helper(b)\n")
		if err := os.Symlink("sub", filepath.Join(h.root, "link")); err != nil {
			t.Fatal(err)
		}
		t.Chdir(h.root)
		args := []string{"ask", "--root", h.root, "--model", "local", "--api-base", h.server.URL}
		for _, arg := range x.args {
			args = append(args, strings.ReplaceAll(arg, "ROOT", h.root))
		}
		r := runLine(t, nil, x.in, args...)
		if r.code != 0 || r.out != "fine\n" || len(h.server.Requests()) != 1 {
			t.Errorf("%s: exit %d\n%s%s", what, r.code, r.out, r.err)
			continue
		}
		q := h.server.Requests()[0]
		if q.Model != "local" {
			t.Errorf("%s: the model %q was asked", what, q.Model)
		}
		all := ""
		for _, m := range q.Messages {
			all += m.Content + "\n"
		}
		for _, word := range x.holds {
			if !strings.Contains(all, word) {
				t.Errorf("%s: the model does not get %q:\n%s", what, word, all)
			}
		}
		for _, word := range x.lacks {
			if strings.Contains(all, word) {
				t.Errorf("%s: the model gets %q:\n%s", what, word, all)
			}
		}
		var body map[string]any
		if err := json.Unmarshal(q.Body, &body); err != nil {
			t.Fatal(err)
		}
		for name, want := range x.body {
			if body[name] != want {
				t.Errorf("%s: %s is %v", what, name, body[name])
			}
		}
	}
}

// TestEveryOperationIsTold: new, changed, moved and deleted files, while the reply comes, in a preview and
// when they are written.
func TestEveryOperationIsTold(t *testing.T) {
	const reply = "*** Begin Patch\n*** Add File: new.py\n+n = 1\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n*** Delete File: gone.py\n" +
		"*** Update File: from.py\n*** Move to: to.py\n@@\n-f = 1\n+f = 2\n*** End Patch\n"
	for _, write := range []bool{true, false} {
		h := newShell(t, "-- 1.md --\n"+reply)
		for name, text := range map[string]string{"a.py": "x = 1\n", "gone.py": "g = 1\n", "from.py": "f = 1\n"} {
			h.put(name, text)
		}
		args := []string{"edit", "-m", "Do it: delete gone.py.", "--format", "patch", "--preview"}
		want := []string{"Would create new.py (+1 -0)", "Would update a.py (+1 -1)", "Would delete gone.py (+0 -1)", "Would rename "}
		tree := map[string]string{"a.py": "x = 1\n", "gone.py": "g = 1\n", "from.py": "f = 1\n"}
		if write {
			args[len(args)-1] = "--yes"
			want = []string{"Created new.py (+1 -0)", "Changed a.py (+1 -1)", "Deleted gone.py (+0 -1)", "Moved from.py to to.py (+1 -1)"}
			tree = map[string]string{"a.py": "x = 2\n", "new.py": "n = 1\n", "to.py": "f = 2\n"}
		}
		for _, name := range []string{"a.py", "gone.py", "from.py"} {
			args = append(args, filepath.Join(h.root, name))
		}
		code := h.run(args...)
		told := h.err.String()
		for _, line := range append(want, "  edit a.py\n", "  delete gone.py\n", "  move from.py\n", "tokens in") {
			if !strings.Contains(told, line) {
				t.Errorf("write %v: %q is not told:\n%s", write, line, told)
			}
		}
		if diff := cmp.Diff(tree, treeOf(t, h.root)); code != 0 || diff != "" {
			t.Errorf("write %v: exit %d\n%s\n%s", write, code, diff, told)
		}
	}
}

// TestYesDoesNotConsent: a protected file needs a person, whatever the flags; the others are written.
func TestYesDoesNotConsent(t *testing.T) {
	h := newShell(t, "-- 1.md --\n.envrc\n```\n<<<<<<< SEARCH\n=======\ny\n>>>>>>> REPLACE\n```\n\n"+twoReply+"-- 2.md --\nno\n-- 3.md --\nno\n-- 4.md --\nno\n")
	code := h.edit("--yes", "--force")
	if code != 1 || h.read(".envrc") != "absent" || h.read("a.py") != "x = 2\r\nz = 1" || h.read("new/b.py") != "y = 1\n" {
		t.Errorf("exit %d, .envrc is %q\n%s", code, h.read(".envrc"), h.err.String())
	}
	if told := h.err.String(); strings.Count(told, "Not written: .envrc: ") != 1 || !strings.Contains(told, "Changed a.py (+1 -1)\n") {
		t.Errorf("told %s", told)
	}
}

// TestSettingsFilesOnTheCommandLine: what is wrong in them is told with its place, and a file that cannot
// be one is named; the rest goes on.
func TestSettingsFilesOnTheCommandLine(t *testing.T) {
	h := newShell(t, "repeat: true\n-- 1.md --\nfine\n")
	config := lay(t, map[string]string{"coauthor/config.yaml": "modelx: x\n"})
	h.put(".coauthor/config.yaml/not-a-file", "x\n")
	r := runLine(t, map[string]string{"XDG_CONFIG_HOME": config}, "", "ask", "-m", "x", "--root", h.root, "--model", "local", "--api-base", h.server.URL)
	if r.code != 0 || r.out != "fine\n" || !strings.Contains(r.err, "config.yaml:1:1: there is no setting modelx") || !strings.Contains(r.err, "cannot read this file") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
	// A relative place is none, by the rules of the base directories.
	t.Chdir(t.TempDir())
	home := t.TempDir()
	runLine(t, map[string]string{"HOME": home, "XDG_STATE_HOME": "relative", "XDG_CONFIG_HOME": "relative"}, "", "ask", "-m", "x", "--root", h.root, "--model", "local", "--api-base", h.server.URL)
	if _, err := os.Stat("relative"); err == nil {
		t.Error("a relative XDG_STATE_HOME was used")
	}
	if _, err := os.Stat(filepath.Join(home, ".local", "state", "coauthor")); err != nil {
		t.Errorf("nothing is kept below the home: %v", err)
	}
}

// TestServeLogs where the settings say, as much as they say; a file that cannot be opened is told at once.
func TestServeLogs(t *testing.T) {
	for _, x := range []struct {
		level   string
		verbose bool
		debug   bool
	}{{"debug", false, true}, {"warn", false, false}, {"warn", true, true}} {
		home := t.TempDir()
		log := filepath.Join(home, "server.log")
		config := lay(t, map[string]string{"coauthor/config.yaml": "log: {file: " + log + ", level: " + x.level + "}\n"})
		args := []string{"serve"}
		if x.verbose {
			args = append(args, "--verbose")
		}
		var in bytes.Buffer
		frame(&in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		frame(&in, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		frame(&in, `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
		frame(&in, `{"jsonrpc":"2.0","method":"exit"}`)
		r := runLine(t, map[string]string{"XDG_CONFIG_HOME": config}, in.String(), args...)
		text, err := os.ReadFile(log)
		if r.code != 0 || err != nil || strings.Contains(string(text), "level=INFO") != x.debug || r.err != "" {
			t.Errorf("%+v: exit %d, %v\n%s\n%s", x, r.code, err, r.err, text)
		}
	}
	config := lay(t, map[string]string{"coauthor/config.yaml": "log.file: " + filepath.Join(t.TempDir(), "no", "such", "folder") + "\n"})
	if r := runLine(t, map[string]string{"XDG_CONFIG_HOME": config}, "", "serve"); r.code != 1 || !strings.Contains(r.err, "log.file") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
	var in bytes.Buffer
	frame(&in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	frame(&in, `{"jsonrpc":"2.0","method":"exit"}`)
	if r := runLine(t, nil, in.String(), "serve"); r.code != 1 || r.err != "" { // it did not say shutdown
		t.Errorf("exit %d, %s", r.code, r.err)
	}
}

// TestMapTakesTheRequest from the flag, a file or standard input, and ranks by it.
func TestMapTakesTheRequest(t *testing.T) {
	files := map[string]string{"request.txt": "please fix Wanted"}
	for i := range 12 {
		files[fmt.Sprintf("f%02d.go", i)] = fmt.Sprintf("package a\n\nfunc Name%02d() {}\n", i)
	}
	files["z.go"] = "package a\n\nfunc Wanted() {}\n"
	root := lay(t, files)
	for what, x := range map[string]struct {
		in   string
		args []string
	}{
		"the flag":       {"", []string{"--message", "please fix Wanted"}},
		"a file":         {"", []string{"--message-file", filepath.Join(root, "request.txt")}},
		"standard input": {"please fix Wanted", []string{"--message-file", "-"}},
		"a mention":      {"", []string{"--mention", "x, Wanted ,"}},
	} {
		r := runLine(t, nil, x.in, append([]string{"map", "--root", root, "--tokens", "12"}, x.args...)...)
		if r.code != 0 || !strings.Contains(r.out, "Wanted") || r.err != "" {
			t.Errorf("%s: exit %d\n%s%s", what, r.code, r.out, r.err)
		}
	}
	if r := runLine(t, nil, "", "map", "--root", root, "--no-wait"); r.code != 0 || (r.out == "") != strings.Contains(r.err, "indexed ") && r.out == "" {
		t.Errorf("without waiting: exit %d\n%s%s", r.code, r.out, r.err)
	}
}
