package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
	"coauthor/cmd/editor"
)

// What follows runs the program as its users do, on whichever system it was built for. By itself that is
// this one. .ci/systems runs the same tests with a binary for Windows under Wine and one for another
// processor under qemu:
//
//	COAUTHOR_SYSTEM   the binary's GOOS/GOARCH
//	COAUTHOR_RUN      how to start it: the words of a command, with blanks between them
//	COAUTHOR_HOLD     how to start testdata/hold, built for the same system
type program struct {
	goos, arch string
	argv, hold []string // nothing: this test binary, and no such program
	home       string
}

func newProgram(t testing.TB) *program {
	t.Helper()
	p := &program{goos: runtime.GOOS, arch: runtime.GOARCH, home: t.TempDir()}
	if system := os.Getenv("COAUTHOR_SYSTEM"); system != "" {
		p.goos, p.arch, _ = strings.Cut(system, "/")
		p.argv, p.hold = strings.Fields(os.Getenv("COAUTHOR_RUN")), strings.Fields(os.Getenv("COAUTHOR_HOLD"))
		if len(p.argv) == 0 {
			t.Fatal("COAUTHOR_RUN is not set")
		}
	}
	return p
}

// name is how the program's system names a file of this machine. Wine shows the root of ours as a drive.
func (p *program) name(abs string) string {
	if p.goos == "windows" && runtime.GOOS != "windows" {
		return "Z:" + strings.ReplaceAll(abs, "/", `\`)
	}
	return abs
}

func (p *program) command(ctx context.Context, t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := startable(t, p.home, args...)
	if len(p.argv) > 0 {
		cmd = exec.CommandContext(ctx, p.argv[0], append(slices.Clone(p.argv[1:]), args...)...)
		cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+p.name(filepath.Join(p.home, "state")), "XDG_CONFIG_HOME="+p.name(filepath.Join(p.home, "config")))
	}
	cmd.Env = append(cmd.Env, "COAUTHOR_VERIFY=syntax", "COAUTHOR_PREVIEW=diff")
	cmd.Dir = dir
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// run runs the program to its end and returns its exit status and what it wrote.
func (p *program) run(t testing.TB, dir, input string, args ...string) (code int, out, errs string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := p.command(ctx, t, dir, args...)
	cmd.Stdin = strings.NewReader(input)
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	if cmd.ProcessState == nil || ctx.Err() != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, o.String(), e.String())
	}
	return cmd.ProcessState.ExitCode(), o.String(), e.String()
}

// layOut puts files below a new folder whose name has a blank and capitals.
func layOut(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(dir, "My Project")
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// holds checks files below a root to the byte, and that nothing else is there.
func holds(t testing.TB, root string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".coauthor":
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(root, name) // both are absolute
		got[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %q, want %q", name, got[name], want[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("there are %q, want %q", got, want)
	}
}

func TestProgramVersion(t *testing.T) {
	p := newProgram(t)
	code, out, errs := p.run(t, t.TempDir(), "", "version")
	if code != 0 || !strings.Contains(out, p.goos+"/"+p.arch) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// block is a SEARCH/REPLACE block.
func block(name, before, after string) string {
	return name + "\n<<<<<<< SEARCH\n" + before + "=======\n" + after + ">>>>>>> REPLACE\n\n"
}

// TestProgramApplies applies a reply to files with the line ends of Windows, by every way in which the
// program's system writes names.
func TestProgramApplies(t *testing.T) {
	p := newProgram(t)
	files := map[string]string{"Sub/a.txt": "one\r\ntwo\r\nthree\r\n", "unix.txt": "x\ny\n", "bom.txt": "\uFEFFa\r\nb"}
	want := map[string]string{"Sub/a.txt": "one\r\n2\r\nthree\r\n", "unix.txt": "x\nY\n", "bom.txt": "\uFEFFA\r\nb", "New/n.txt": "n\n"}
	same := func(s string) string { return s }
	spellings := map[string]func(string) string{"plain": same, "a slash at the end": func(s string) string { return s + "/" }, "the current folder": func(string) string { return "." }}
	name := "Sub/a.txt"
	if p.goos == "windows" {
		spellings["slashes"] = func(s string) string { return strings.ReplaceAll(s, `\`, "/") }
		spellings["small"] = strings.ToLower
		spellings["large"] = func(s string) string { return strings.ToUpper(s) + `\` }
		name = `Sub\a.txt`
	}
	for what, spell := range spellings {
		root := layOut(t, files)
		reply := block(name, "two\n", "2\n") + block("unix.txt", "y\n", "Y\n") + block("bom.txt", "a\n", "A\n") + block("New/n.txt", "", "n\n")
		code, out, errs := p.run(t, root, reply, "apply", "--yes", "--format", "diff", "--root", spell(p.name(root)), "--json")
		if code != 0 {
			t.Errorf("%s: exit %d: %s%s", what, code, out, errs)
		}
		holds(t, root, want)
	}
}

// TestProgramEdits runs a whole turn with a scripted model.
func TestProgramEdits(t *testing.T) {
	p := newProgram(t)
	files := map[string]string{"Sub/a.py": "def f():\r\n    return 1\r\n", "b.py": "x = 1\n"}
	given := []string{"Sub/a.py", "b.py"}
	if p.goos == "windows" {
		given = []string{`Sub\a.py`, `.\b.py`}
	}
	for _, absolute := range []bool{false, true} {
		script, err := llmtest.Parse([]byte("-- 1.md --\nHere.\n\n" + block("Sub/a.py", "    return 1\n", "    return 2\n") + block("b.py", "x = 1\n", "x = 2\n")))
		if err != nil {
			t.Fatal(err)
		}
		server := llmtest.Start(script)
		root := layOut(t, files)
		args := []string{"edit", "--yes", "-m", "Return 2", "--model", "scripted", "--api-base", server.URL, "--format", "diff", "--map-tokens", "0"}
		if absolute {
			args = append(args, "--root", p.name(root), p.name(filepath.Join(root, "Sub", "a.py")), p.name(filepath.Join(root, "b.py")))
		} else {
			args = append(append(args, "--root", "."), given...)
		}
		code, out, errs := p.run(t, root, "", args...)
		if code != 0 {
			t.Errorf("exit %d: %s%s", code, out, errs)
		}
		holds(t, root, map[string]string{"Sub/a.py": "def f():\r\n    return 2\r\n", "b.py": "x = 2\n"})
		server.Close()
	}
}

// served is a language server and the editor that has started it.
type served struct {
	cmd   *exec.Cmd
	in    io.Closer
	ended chan error
	*editor.Editor
	log strings.Builder
}

func (p *program) serve(ctx context.Context, t testing.TB, root, api string) *served {
	t.Helper()
	s := &served{cmd: p.command(ctx, t, root, "serve"), ended: make(chan error, 1)}
	s.cmd.Env = append(s.cmd.Env, "COAUTHOR_MODEL=scripted", "COAUTHOR_API_BASE="+api, "COAUTHOR_EDIT_FORMAT=diff")
	s.cmd.Stderr = &s.log
	in, err := s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.in = in
	s.Editor = editor.New(in, out, editor.Hooks{Dialog: func(_ string, choices []string) string {
		if i := slices.IndexFunc(choices, func(c string) bool { return strings.HasPrefix(c, "Apply") }); i >= 0 {
			return choices[i]
		}
		return ""
	}})
	if p.goos != runtime.GOOS {
		s.Elsewhere("Z:")
	}
	go func() { s.ended <- s.cmd.Wait() }()
	t.Cleanup(func() { _ = s.cmd.Process.Kill() }) // it has ended where the test went well
	if err := s.Initialize(ctx, root, "systems", nil); err != nil {
		t.Fatalf("initialize: %v\n%s", err, &s.log)
	}
	return s
}

// kill ends the server as a crash does.
func (s *served) kill(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.ended
}

// TestProgramServes is a session of an editor: a change over two files is proposed, shown, applied and undone;
// then the server is killed after another change, and the next server undoes that one.
func TestProgramServes(t *testing.T) {
	p := newProgram(t)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	reply := "Here.\n\n" + block("Sub/a.py", "    return 1\n", "    return 2\n") + block("b.py", "x = 1\n", "x = 2\n")
	script, err := llmtest.Parse([]byte("-- 1.md --\n" + reply + "-- 2.md --\n" + reply))
	if err != nil {
		t.Fatal(err)
	}
	model := llmtest.Start(script)
	defer model.Close()
	before := map[string]string{"Sub/a.py": "def f():\r\n    return 1\r\n", "b.py": "x = 1\n"}
	after := map[string]string{"Sub/a.py": "def f():\r\n    return 2\r\n", "b.py": "x = 2\n"}
	root := layOut(t, before)
	abs := func(path string) string { return filepath.Join(root, filepath.FromSlash(path)) }
	show := func(s *served, texts map[string]string) {
		for path, text := range texts {
			if err := s.Open(abs(path), "python", text); err != nil {
				t.Fatal(err)
			}
		}
	}
	wait := func(s *served, what string, want map[string]string) {
		t.Helper()
		if err := s.WaitFor(ctx, what, func() bool { return len(s.Changed) == len(want) || want == nil && len(s.Changed) == 0 }); err != nil {
			t.Fatalf("%v\n%s", err, &s.log)
		}
		for path, text := range want {
			if got := s.Text(abs(path)); got != text {
				t.Errorf("%s: %s is %q, want %q", what, path, got, text)
			}
		}
	}
	ask := func(s *served) {
		t.Helper()
		started, err := s.Command(ctx, "coauthor.edit", map[string]any{"uri": s.URI(abs("b.py")), "instruction": "Return 2"})
		if err != nil || started["status"] != "started" {
			t.Fatalf("%v %v\n%s", started, err, &s.log)
		}
		wait(s, "the change", after)
		if err := s.WaitFor(ctx, "the progress to end", func() bool { return s.Progress == 0 }); err != nil {
			t.Fatal(err)
		}
	}
	s := p.serve(ctx, t, root, model.URL)
	show(s, before)
	if titles, err := s.CodeActions(ctx, abs("Sub/a.py"), 1); err != nil || len(titles) == 0 {
		t.Errorf("code actions %q, %v", titles, err)
	}
	ask(s)
	if undone, err := s.Command(ctx, "coauthor.undoTurn", map[string]any{}); err != nil {
		t.Fatalf("%v %v\n%s", undone, err, &s.log)
	}
	wait(s, "the undo", nil)
	ask(s)
	holds(t, root, before) // an editor that has not saved

	s.kill(t)
	s = p.serve(ctx, t, root, model.URL)
	show(s, after)
	if undone, err := s.Command(ctx, "coauthor.undoTurn", map[string]any{}); err != nil {
		t.Fatalf("after the kill: %v %v\n%s", undone, err, &s.log)
	}
	wait(s, "the undo after the kill", before)
	if err := s.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	_ = s.in.Close() // the server may have gone first
	if err := <-s.ended; err != nil {
		t.Errorf("the server ended with %v\n%s", err, &s.log)
	}
}

// TestProgramLeavesWhatIsHeld: on Windows a program can keep others from a file. The others are changed, that one
// stays as it is, and nothing is left lying about.
func TestProgramLeavesWhatIsHeld(t *testing.T) {
	p := newProgram(t)
	if len(p.hold) == 0 {
		return // only Windows has such locks, and .ci/systems brings the program that holds one
	}
	files := map[string]string{"held.txt": "one\r\n", "free.txt": "one\r\n"}
	root := layOut(t, files)
	reply := block("held.txt", "one\n", "two\n") + block("free.txt", "one\n", "two\n")
	for _, share := range []string{"read", "none"} {
		holder := exec.Command(p.hold[0], append(slices.Clone(p.hold[1:]), share, p.name(filepath.Join(root, "held.txt")))...)
		in, err := holder.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := holder.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := holder.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, len("held"))); err != nil {
			t.Fatal(err)
		}
		code, said, errs := p.run(t, root, reply, "apply", "--yes", "--format", "diff", "--root", p.name(root))
		if code != 1 || !strings.Contains(said+errs, "held.txt") || !strings.Contains(said+errs, "another program") {
			t.Errorf("%s: exit %d: %s%s", share, code, said, errs)
		}
		_ = in.Close() // so it lets go
		if err := holder.Wait(); err != nil {
			t.Error(err)
		}
		holds(t, root, map[string]string{"held.txt": "one\r\n", "free.txt": "two\r\n"})
		if err := os.WriteFile(filepath.Join(root, "free.txt"), []byte("one\r\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if code, said, errs := p.run(t, root, reply, "apply", "--yes", "--format", "diff", "--root", p.name(root)); code != 0 {
		t.Errorf("exit %d: %s%s", code, said, errs)
	}
	holds(t, root, map[string]string{"held.txt": "two\r\n", "free.txt": "two\r\n"})
}

// TestProgramTellsSpellingsApart: where the disk does not tell capitals from small letters, a name in another
// spelling is not a second file.
func TestProgramTellsSpellingsApart(t *testing.T) {
	p := newProgram(t)
	root := layOut(t, map[string]string{"Sub/a.txt": "one\n"})
	code, out, errs := p.run(t, root, block("SUB/A.txt", "", "new\n"), "apply", "--yes", "--format", "diff", "--root", p.name(root))
	_, err := os.Stat(filepath.Join(root, "SUB", "A.txt"))
	if p.goos != "windows" && runtime.GOOS != "darwin" {
		if code != 0 || err != nil {
			t.Errorf("exit %d, %v: %s%s", code, err, out, errs)
		}
		return
	}
	if code != 1 || !strings.Contains(out+errs, "Sub/a.txt") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	holds(t, root, map[string]string{"Sub/a.txt": "one\n"})
}
