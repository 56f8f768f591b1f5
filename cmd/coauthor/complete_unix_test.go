//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/cmd/coauthor/completion"
)

// Each shell that is here is given its script, and completes what a user has begun to write. A shell that is not here is
// named in the log.
func TestCompletionInShells(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "coauthor")); err != nil {
		t.Fatal(err)
	}
	shells := map[string]func(before, word string) []string{
		"bash": func(before, word string) []string {
			return []string{"--norc", "-c", `source <(coauthor completion bash)
				COMP_WORDS=(coauthor ` + before + ` "` + word + `"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _coauthor; printf '%s\n' "${COMPREPLY[@]}"`}
		},
		// What zsh does with the words it keeps to its editor, so that alone is replaced.
		"zsh": func(before, word string) []string {
			return []string{"-f", "-c", `compdef() {}; _files() {}; _describe() { print -l -- "${(@)found%%:*}" }; source <(coauthor completion zsh)
				words=(coauthor ` + before + ` "` + word + `"); CURRENT=$#words; _coauthor`}
		},
		"fish": func(before, word string) []string {
			return []string{"--no-config", "-c", `coauthor completion fish | source; complete -C "coauthor ` + before + " " + word + `" | string replace -r '\t.*' ''; true`}
		},
	}
	for shell, call := range shells {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("not tried, because it is not here: %s", shell)
			continue
		}
		for _, c := range []struct{ before, word, want string }{
			{"", "show-con", "show-context"},
			{"edit", "--form", "--format"},
			{"completion", "po", "powershell"},
			{"edit --format diff", "--map-to", "--map-tokens"},
		} {
			cmd := exec.CommandContext(t.Context(), shell, call(c.before, c.word)...)
			cmd.Env = append(os.Environ(), asCommand+"=1", "HOME="+t.TempDir(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if got := strings.TrimSpace(string(out)); got != c.want || err != nil {
				t.Errorf("%s: coauthor %s %s is completed to %q, %v; want %q", shell, c.before, c.word, got, err, c.want)
			}
		}
	}
}

// What may come next depends on what stands before it.
func TestCompletions(t *testing.T) {
	completed := func(args ...string) (code int, out, errs string) {
		var stdout, stderr strings.Builder
		code = run(t.Context(), args, Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr, Env: func(string) string { return "" }})
		return code, stdout.String(), stderr.String()
	}
	for _, c := range []struct {
		before, word string
		want         []string // some of what is said
		not          string
	}{
		{"", "", []string{"edit\tChanges code as you ask.", "chat", "completion"}, "index-worker"},
		{"", "--v", nil, "--v"},
		{"edit", "--", []string{"--help\tShow this help.", "--format", "--yes"}, "edit"},
		{"edit --format", "", nil, "--"},
		{"edit", "--format=", nil, "ask"},
		{"completion", "", []string{"bash", "zsh", "fish", "powershell"}, "edit"},
		{"completion bash", "", nil, "zsh"},
		{"nonsense", "ed", nil, "edit"},
		{"edit", "a", nil, "ask"},
	} {
		var args []string
		if c.before != "" {
			args = strings.Fields(c.before)
		}
		code, out, _ := completed(slices.Concat([]string{"complete", "--word=" + c.word, "--"}, args)...)
		for _, want := range c.want {
			if !strings.Contains("\n"+out, "\n"+want) || code != 0 {
				t.Errorf("%s %s: %q is missing in\n%s", c.before, c.word, want, out)
			}
		}
		if strings.Contains("\n"+out, "\n"+c.not) {
			t.Errorf("%s %s: %q in\n%s", c.before, c.word, c.not, out)
		}
	}
	for _, shell := range completion.Shells() {
		if code, out, _ := completed("completion", shell); code != 0 || !strings.Contains(out, "coauthor complete ") || !strings.Contains(out, "coauthor completion "+shell) {
			t.Errorf("the script of %s: %d\n%s", shell, code, out)
		}
	}
	if code, _, _ := completed("completion", "csh"); code == 0 {
		t.Error("a script for a shell that there is none for")
	}
}
