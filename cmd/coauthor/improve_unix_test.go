//go:build unix

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// settings writes the settings of the user.
func (h *shell) settings(yaml string) {
	h.t.Helper()
	h.config = h.t.TempDir()
	dir := filepath.Join(h.config, "coauthor")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(yaml), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// pipeOnScreen runs a command of the pipelines on a terminal.
func (h *shell) pipeOnScreen(args ...string) *screen {
	h.env = map[string]string{"PATH": os.Getenv("PATH")}
	if h.config != "" {
		h.env["XDG_CONFIG_HOME"] = h.config
	}
	return h.onScreen(append(args, "--root", h.root, "--model", "local", "--api-base", h.server.URL)...)
}

// git runs git in the folder.
func (h *shell) git(args ...string) string {
	h.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = h.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// hash stands for all files of the folder, their names, rights and texts.
func (h *shell) hash() string {
	h.t.Helper()
	sum := sha256.New()
	err := filepath.WalkDir(h.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(h.root, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%q %v\n", rel, info.Mode())
		if d.Type().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(sum, "%q\n", data)
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

const (
	oneReply  = "I make it two.\n\n```diff\n--- text.txt\n+++ text.txt\n@@ -1,3 +1,3 @@\n 1 | one\n-2 | two\n+2 | 2\n 3 | three\n```\n"
	threeText = "one\ntwo\nthree\n"
)

// All of improve at once, as a user lives through it on a terminal: the question what to change, the files that the
// selection file names, the numbered lines, the coloured diff and its question; what is
// accepted is staged, and nothing before.
func TestImproveOnTheTerminal(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+oneReply)
	h.put("text.txt", threeText)
	h.put(".gpteng/file_selection.toml", "[files]\n\"text.txt\" = \"selected\"\n# \"a.py\" = \"selected\"\n")
	h.git("init", "-q")
	h.git("add", "-A")
	h.settings("git: {mode: stage}\n")
	before := h.hash()
	s := h.pipeOnScreen("improve")
	s.expect("What do you want to change?")
	s.types("Make it 2.\n")
	s.expect("  | 1 [ ] a.py\n  | 2 [x] text.txt\n")
	s.types("go on\n")
	s.expect("I make it two.")
	s.expect("\x1b[32m+2\x1b[")
	s.expect("Apply this change?")
	if h.hash() != before {
		t.Error("something was written before it was accepted")
	}
	s.types("y\n")
	s.exit(0)
	if text := h.read("text.txt"); text != "one\n2\nthree\n" {
		t.Errorf("%q", text)
	}
	if staged := h.git("diff", "--cached", "--name-only"); !strings.Contains(staged, "text.txt") {
		t.Errorf("staged are %q", staged)
	}
	if left := h.git("diff", "--name-only"); left != "" {
		t.Errorf("not staged are %q", left)
	}
	sent := h.server.Requests()[0].Messages[1].Content
	if !strings.Contains(sent, "text.txt\n```\n1 | one\n2 | two\n3 | three\n```") || strings.Contains(sent, "a.py") || !strings.HasSuffix(sent, "Request: Make it 2.") {
		t.Errorf("sent\n%s", sent)
	}
}

// Without the name of a file a terminal shows the files as a tree to tick, and what is ticked is kept in the selection file,
// which the next run begins with. A name that is not there changes nothing, nothing ticked sends nothing, and --preview and
// --yes write no selection.
func TestImproveTicksFiles(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+strings.ReplaceAll(oneReply, "text.txt", "src/text.txt")+"-- 2.md --\nI would.\n")
	h.put("src/text.txt", threeText)
	h.put("src/deep/more.txt", "more\n")
	h.put(".hidden", "hidden\n")
	s := h.pipeOnScreen("improve", "-m", "Make it 2.")
	s.expect("  | 1 [ ] a.py\n  | 2 [ ] src/\n  | 3   [ ] deep/\n  | 4     [ ] more.txt\n  | 5   [ ] text.txt\n")
	s.expect("Type \"go on\" to continue. Coauthor saves your selection in .gpteng/file_selection.toml.")
	s.types("2 other.txt\n")
	s.expect("  | 2 [ ] src/\n")
	s.expect("No file here matches other.txt.")
	s.types("2 src/deep\n")
	s.expect("  | 2 [-] src/\n  | 3   [ ] deep/\n  | 4     [ ] more.txt\n  | 5   [x] text.txt\n")
	s.types("\n")
	s.expect("Enter alone does nothing here.")
	s.types("go on\n")
	s.expect("Saved the selection in .gpteng/file_selection.toml.")
	s.expect("Apply this change?")
	s.types("y\n")
	s.exit(0)
	if h.read("src/text.txt") != "one\n2\nthree\n" {
		t.Errorf("%q", h.read("src/text.txt"))
	}
	if sent := h.server.Requests()[0].Messages[1].Content; !strings.Contains(sent, "src/text.txt\n") || strings.Contains(sent, "more.txt") || strings.Contains(sent, "a.py") {
		t.Errorf("sent\n%s", sent)
	}
	kept := h.read(".gpteng/file_selection.toml")
	if !strings.Contains(kept, "\n\"src/text.txt\" = \"selected\"\n") || !strings.Contains(kept, "\n# \"a.py\" = \"selected\"\n") {
		t.Errorf("kept\n%s", kept)
	}
	s = h.pipeOnScreen("improve", "-m", "More.", "--preview")
	s.expect("  | 5   [x] text.txt\n")
	s.types("none\n")
	s.expect("  | 5   [ ] text.txt\n")
	s.types("go on\n")
	s.expect("no files are selected")
	s.exit(1)
	s = h.pipeOnScreen("improve", "-m", "More.", "--preview")
	s.types("1\n")
	s.expect("  | 1 [x] a.py\n")
	s.types("go on\n")
	s.exit(1)
	if h.read(".gpteng/file_selection.toml") != kept {
		t.Errorf("--preview wrote\n%s", h.read(".gpteng/file_selection.toml"))
	}
	if sent := h.server.Requests()[1].Messages[1].Content; !strings.Contains(sent, "a.py\n") {
		t.Errorf("sent\n%s", sent)
	}
	h = newShell(t, "-- 1.md --\n"+oneReply)
	h.put("text.txt", threeText)
	s = h.pipeOnScreen("improve", "-m", "Make it 2.", "--yes")
	s.exit(0)
	if strings.Contains(s.text(), "Which files") || h.read(".gpteng/file_selection.toml") != "absent" {
		t.Errorf("--yes asks, or writes:\n%s", s.text())
	}
}

// Who declines keeps everything: nothing is written, and nothing is staged.
func TestImproveDeclined(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+oneReply)
	h.put("text.txt", threeText)
	h.git("init", "-q")
	h.settings("git: {mode: stage}\n")
	before := h.hash()
	s := h.pipeOnScreen("improve", "-m", "Make it 2.", filepath.Join(h.root, "text.txt"))
	s.expect("Apply this change?")
	s.types("n\n")
	s.exit(1)
	if h.hash() != before || !strings.Contains(s.text(), "No files changed") {
		t.Errorf("%q\n%s", h.read("text.txt"), s.text())
	}
	if status := h.git("status", "--porcelain"); strings.Contains(status, "A ") {
		t.Errorf("staged:\n%s", status)
	}
}

// Without a terminal the instruction is what is piped; an empty one is an error that says what to do. Globs choose files.
func TestImproveTakesItsInstruction(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+oneReply)
	h.put("text.txt", threeText)
	if code := h.generate("Make it 2.\nReally.\n", "improve", "--yes", filepath.Join(h.root, "*.txt")); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if sent := h.server.Requests()[0].Messages[1].Content; !strings.HasSuffix(sent, "Request: Make it 2.\nReally.") || strings.Contains(sent, "a.py") {
		t.Errorf("sent\n%s", sent)
	}
	if h.read("text.txt") != "one\n2\nthree\n" {
		t.Errorf("%q", h.read("text.txt"))
	}
	for _, in := range []string{"", " \n"} {
		h := newShell(t, "-- 1.md --\nnever asked\n")
		if code := h.generate(in, "improve", "--yes"); code != 1 || !strings.Contains(h.err.String(), "--message") || len(h.server.Requests()) > 0 {
			t.Errorf("%q: exit %d: %s", in, code, h.err.String())
		}
	}
	s := newShell(t, "-- 1.md --\nnever asked\n").pipeOnScreen("improve")
	s.expect("What do you want to change?")
	s.types("\n")
	s.exit(1)
}

// What does not fit is asked for again, and no more often than is set; what is refused then is told and costs the exit
// status, and what fits is written.
func TestImproveRefines(t *testing.T) {
	const wrong = "```diff\n--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n nothing = of\n-the = kind\n+is = there\n```\n"
	h := newShell(t, "-- 1.md --\n"+oneReply+wrong+"-- 2.md --\n"+wrong)
	h.put("text.txt", threeText)
	h.settings("turn.maxReflections: 1\n")
	code := h.generate("", "improve", "-m", "Change it.", "--yes", filepath.Join(h.root, "*"))
	if code != 1 || h.read("text.txt") != "one\n2\nthree\n" || h.read("a.py") != "x = 1\r\nz = 1" {
		t.Errorf("exit %d: %q %q\n%s", code, h.read("text.txt"), h.read("a.py"), h.err.String())
	}
	all := h.server.Requests()
	if len(all) != 2 || !strings.Contains(all[1].Messages[3].Content, "nothing = of") || strings.Contains(all[1].Messages[3].Content, "three") {
		t.Errorf("%d requests", len(all))
	}
	if told := h.err.String(); !strings.Contains(told, "Not applied: a.py") || !strings.Contains(told, "Asking again: 1 edit did not match") {
		t.Errorf("told\n%s", told)
	}
}

// A program that fails twice and then works, on a terminal: the script is asked about for each state of its files, with what changed, each attempt is listed, another
// one can be taken and put back, and the folder is as it was, by its hash, until one is accepted.
func TestSelfHealOnTheTerminal(t *testing.T) {
	const one, two = "echo Error: no config >&2\nexit 1\n", "echo Error: no port >&2\nexit 3\n"
	h := newShell(t, "-- 1.md --\n"+rewritten(one, two)+"-- 2.md --\n"+rewritten(two, "echo works\n"))
	h.put("run.sh", "sh main.sh\n")
	h.put("main.sh", one)
	before := h.hash()
	s := h.pipeOnScreen("self-heal", "-m", "Print works.", filepath.Join(h.root, "main.sh"))
	s.expect("sh main.sh")
	s.expect("Run this script?")
	s.expect("[run/skip]")
	s.types("run\n")
	s.allows("main.sh", "+exit 3")
	s.allows("main.sh", "+echo works")
	s.expect("It works")
	s.expect("Attempt 1: exit status 3, Error: no port (main.sh, +2 -2).")
	s.expect("Attempt 2: it works (main.sh, +1 -2) (shown below).")
	s.expect("+echo works")
	s.expect(",1-2,?]")
	s.types("1\n")
	s.expect("Attempt 1: exit status 3, Error: no port (main.sh, +2 -2) (shown below).")
	s.expect("+exit 3")
	s.expect(",1-2,?]")
	s.types("2\n")
	s.expect("+echo works")
	s.expect(",1-2,?]")
	if h.hash() != before {
		t.Error("something was written before it was accepted")
	}
	s.types("1\n")
	s.expect("+exit 3")
	s.expect(",1-2,?]")
	s.types("y\n")
	s.exit(0)
	if h.read("main.sh") != two || h.read("run.sh") != "sh main.sh\n" {
		t.Errorf("%q", h.read("main.sh"))
	}
	if strings.Count(s.text(), "Run this script?") != 3 || len(h.server.Requests()) != 2 {
		t.Errorf("%d requests\n%s", len(h.server.Requests()), s.text())
	}
}

// allows lets a program run again, of which a file has changed.
func (s *screen) allows(file, diff string) {
	s.t.Helper()
	s.expect(diff)
	s.expect("These files changed since you last agreed: " + file + ".")
	s.expect("[run/skip]")
	s.types("run\n")
}

// rewritten is a reply that replaces main.sh.
func rewritten(from, to string) string {
	text := "```diff\n--- main.sh\n+++ main.sh\n@@ -1,9 +1,9 @@\n"
	for _, line := range strings.Split(strings.TrimSuffix(from, "\n"), "\n") {
		text += "-" + line + "\n"
	}
	for _, line := range strings.Split(strings.TrimSuffix(to, "\n"), "\n") {
		text += "+" + line + "\n"
	}
	return text + "```\n"
}

// Programs that hang, fork or fill memory come to an end, the model hears why, and what it writes then works; nothing of the
// folder changes before it is accepted. What they start stays bounded.
func TestSelfHealOfBadPrograms(t *testing.T) {
	for name, x := range map[string]struct{ program, says string }{
		"hangs":        {"echo begun\nsleep 1000\n", "it took longer than"},
		"forks":        {"for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 1000 & done\nwait\n", "it took longer than"},
		"goes behind":  {"(sleep 1000 &)\necho left >&2\nexit 4\n", "Its exit status was 4"},
		"fills memory": {"python3 -c \"x = bytearray(200 << 20); print(len(x)); raise SystemExit(9)\" || exit 9\n", "Its exit status was 9"},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "fills memory" {
				if _, err := exec.LookPath("python3"); err != nil {
					t.Skip("no python3 here")
				}
			}
			h := newShell(t, "-- 1.md --\n"+rewritten(x.program, "echo works\n"))
			h.put("run.sh", "sh main.sh\n")
			h.put("main.sh", x.program)
			limit := "5s"
			if strings.HasPrefix(x.says, "Its exit status") {
				limit = "150s" // it ends by itself, in its own time
			}
			h.settings("verify.timeout: " + limit + "\n")
			before := h.hash()
			s := h.pipeOnScreen("self-heal", filepath.Join(h.root, "main.sh"))
			s.expect("[run/skip]")
			s.types("run\n")
			s.allows("main.sh", "+echo works")
			s.expect("It works")
			s.expect("Apply this change?")
			if h.hash() != before {
				t.Error("something was written before it was accepted")
			}
			s.types("n\n")
			s.exit(1)
			if h.hash() != before {
				t.Error("something was written although it was declined")
			}
			if sent := h.server.Requests()[0].Messages[1].Content; !strings.Contains(sent, x.says) {
				t.Errorf("sent\n%s", sent)
			}
		})
	}
}

// What cannot be healed is said, with what to do: no script and no command, and nobody who could be asked.
func TestSelfHealRefuses(t *testing.T) {
	h := newShell(t, "-- 1.md --\nnever asked\n")
	if code := h.generate("", "self-heal", "--yes"); code != 1 || !strings.Contains(h.err.String(), "there is no run.sh") || !strings.Contains(h.err.String(), "coauthor entrypoint") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	h.put("run.sh", "exit 1\n")
	before := h.hash()
	if code := h.generate("", "self-heal", "--yes"); code != 1 || !strings.Contains(h.err.String(), "you did not allow it") {
		t.Errorf("exit %d: %s", code, h.err.String())
	}
	if h.hash() != before || len(h.server.Requests()) > 0 {
		t.Errorf("%d requests", len(h.server.Requests()))
	}
}

// Who reads lines of JSON gets the attempts with the proposal.
func TestAttemptsAsJSON(t *testing.T) {
	const one, two = "exit 1\n", "exit 3\n"
	h := newShell(t, "-- 1.md --\n"+rewritten(one, two)+"-- 2.md --\n"+rewritten(two, "exit 0\n"))
	h.put("main.sh", one)
	h.put("run.sh", "sh main.sh\n")
	h.intoFile = true
	s := h.pipeOnScreen("self-heal", "--json", "--preview", filepath.Join(h.root, "main.sh"))
	for range 3 {
		s.expect("[run/skip]")
		s.types("run\n")
	}
	s.exit(0)
	found := false
	for line := range strings.Lines(h.out.String()) {
		var e struct {
			Kind     string
			Proposal struct {
				Attempt  int
				Attempts []struct {
					Label string
					Files []string
				}
			}
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if p := e.Proposal; e.Kind == "proposal" {
			found = p.Attempt == 2 && len(p.Attempts) == 2 && p.Attempts[0].Label == "exit status 3" && p.Attempts[1].Files[0] == "main.sh"
		}
	}
	if !found {
		t.Errorf("no attempts in\n%s", h.out.String())
	}
}
