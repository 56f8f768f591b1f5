//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"coauthor/lsp/lsptest"
)

// git runs git in the root.
func (s *scene) git(args ...string) {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.root, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func utf16le(text string) string {
	b := []byte{0xFF, 0xFE}
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// secretCode is code whose every line would stand in a map.
func secretCode(name string) string {
	return "def withheld_" + name + "(x):\n    return x\n\ndef withheld_more_" + name + "(x):\n    return withheld_" + name + "(x)\n"
}

var withheldWord = regexp.MustCompile("withheld_[a-z0-9_]+")

// TestNothingWithheldReachesTheModel opens files in the editor that no model may see, for every reason
// that there is, and looks at each byte that the scripted model received.
func TestNothingWithheldReachesTheModel(t *testing.T) {
	hidden := map[string]string{ // file -> what hides it
		"ignored.py":        ".gitignore",
		"excluded.py":       ".git/info/exclude",
		"nested/hid.py":     "nested/.gitignore",
		"unsaved.py":        "a .gitignore that is open and not saved",
		"later.py":          "a .coauthorignore that is written while the server runs",
		"dir/later2.py":     "the same, by the folder",
		"link.py":           "it is a link to a secret",
		"out.py":            "it is a link to a file outside the root",
		"tolater.py":        "it is a link to a file that is ignored",
		"wide/u16.py":       "a .gitignore in UTF-16",
		"bom/b.py":          "a .coauthorignore with a byte order mark",
		"pipe/p.py":         "a .gitignore that is a pipe",
		"pipe/deep/p2.py":   "the same, further up",
		"pipes/p3.py":       "an .aiderignore that is a pipe",
		"endless/e.py":      "an .aiderignore of 9 MB",
		"blank/trailing.py": "a rule with blanks behind it",
		"undone/u.py":       "a rule of ours that a .gitignore takes back",
		".envrc":            "its name",
		"ID_RSA.py":         "its name in other letters",
	}
	files := map[string]string{
		"a.py": "from lib import visible_helper\n\nvisible_helper(1)\n", "lib.py": "def visible_helper(x):\n    return x\n\ndef visible_too(x):\n    return x\n",
		".gitignore": "ignored.py\n", "nested/.gitignore": "hid.py\n",
		"wide/.gitignore": utf16le("u16.py\nother\n"), "bom/.coauthorignore": "\uFEFFb.py\nother\n",
		"endless/.aiderignore": strings.Repeat("no such file\n", 9<<20/13), "blank/.coauthorignore": "trailing.py   \n",
		"undone/.gitignore": "!u.py\n", "undone/.coauthorignore": "u.py\n",
	}
	s := newScene(t, files)
	s.git("init", "-q")
	secrets := map[string]string{}
	for name := range hidden {
		switch name {
		case "link.py", "out.py", "tolater.py":
		default:
			secrets[name] = secretCode(strings.Trim(regexp.MustCompile("[^a-z0-9]+").ReplaceAllString(strings.ToLower(name), "_"), "_"))
		}
	}
	secrets[".env"] = secretCode("env")
	s.write(secrets)
	s.write(map[string]string{".git/info/exclude": "excluded.py\n", "../outside/secret.py": secretCode("outside")})
	for name, target := range map[string]string{"link.py": ".env", "out.py": "../outside/secret.py", "tolater.py": "later.py"} {
		if err := os.Symlink(target, filepath.Join(s.root, name)); err != nil {
			t.Fatal(err)
		}
	}
	s.git("add", "a.py", "lib.py", "bom", "endless", "blank", "undone", "wide/.gitignore", "later.py", "dir")
	s.git("commit", "-qm", "x")
	s.user("model: a\napiBase: MODEL\nrepoMap.tokens: 20000\n")
	s.start("neovim", lsptest.Options{Settings: map[string]any{"turn.coder": "ask"}})
	s.editor.Open("a.py")
	for name := range hidden {
		if name == ".envrc" || !strings.Contains(name, "pipe") {
			s.editor.Open(name)
		}
	}
	s.waitForMap("visible_helper")
	// From here on the index has read what was allowed until now, and rules come.
	for _, dir := range []string{"pipe/.gitignore", "pipes/.aiderignore"} {
		if err := syscall.Mkfifo(filepath.Join(s.root, dir), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name := range hidden {
		if strings.Contains(name, "pipe") {
			s.editor.Open(name)
		}
	}
	s.write(map[string]string{".coauthorignore": "later.py\n/dir/\n"})
	s.editor.Open(".gitignore")
	s.editor.SetText(".gitignore", "ignored.py\nunsaved.py\n")
	for _, refresh := range []string{"first", "second"} {
		start := time.Now()
		s.ask("a.py", "What does visible_too do? "+refresh)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("the turn took %v", took)
		}
	}
	got := received(s.mine)
	if !strings.Contains(got, "visible_too(x)") {
		t.Errorf("the map does not show what it may:\n%s", got)
	}
	for _, word := range withheldWord.FindAllString(got, -1) {
		t.Errorf("the model received %s", word)
	}
	if strings.Contains(got, "visible_helper(1)") == false {
		t.Error("the file that was asked about is missing")
	}
}

// waitForMap waits until the map of a request shows a word.
func (s *scene) waitForMap(word string) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); ; s.editor.Pause() {
		m, failed := s.editor.Command("coauthor.showRepoMap", map[string]any{"uri": s.editor.URI("a.py"), "tokens": 20000, "refresh": true})
		if result, _ := m.(map[string]any); failed == nil && fmt.Sprint(result["complete"]) == "1" {
			if text, _ := result["text"].(string); strings.Contains(text, word) {
				return
			}
		}
		if time.Now().After(end) {
			s.t.Fatalf("hung: %s never stands in the map: %v %v", word, m, failed)
		}
	}
}

// TestAHostileSettingsFileStopsNothing opens the first document of repositories whose settings would
// never end, and expects an answer at once.
func TestAHostileSettingsFileStopsNothing(t *testing.T) {
	for what, lay := range map[string]func(name string) error{
		"a pipe":           func(name string) error { return syscall.Mkfifo(name, 0o644) },
		"a link to a disk": func(name string) error { return os.Symlink("/dev/zero", name) },
		"a link out of the root": func(name string) error {
			outside := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(name))), "outside.yaml")
			return errors.Join(os.WriteFile(outside, []byte("turn.coder: ask\n"), 0o600), os.Symlink(outside, name))
		},
		"a folder": func(name string) error { return os.Mkdir(name, 0o755) },
		"50 MB": func(name string) error {
			return os.WriteFile(name, []byte(strings.Repeat("# nothing\n", 5<<20)), 0o644)
		},
		"brackets":  func(name string) error { return os.WriteFile(name, []byte(strings.Repeat("[", 80_000)), 0o644) },
		"documents": func(name string) error { return os.WriteFile(name, []byte(strings.Repeat("---\n", 50_000)), 0o644) },
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newScene(t, map[string]string{"a.py": "x = 1\n", ".coauthor/.gitignore": "*\n"})
			if err := lay(filepath.Join(s.root, ".coauthor", "config.yaml")); err != nil {
				t.Fatal(err)
			}
			s.user("model: a\napiBase: MODEL\n")
			s.start("neovim", lsptest.Options{})
			start := time.Now()
			s.editor.Open("a.py")
			doctor, failed := s.editor.Command("coauthor.doctor")
			if took := time.Since(start); failed != nil || took > 10*time.Second {
				t.Errorf("took %v: %v", took, failed)
			}
			if !strings.Contains(fmt.Sprint(doctor), "config.yaml") {
				t.Errorf("the doctor does not name the file: %v", doctor)
			}
			s.ask("a.py", "What is this?")
			if len(s.mine.Requests()) != 1 {
				t.Error("the model was not asked")
			}
		})
	}
}
