package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"coauthor/agent/coder"
	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
)

// What a text names of the program: a call of it, a command of the language server, a flag.
var (
	callIn    = regexp.MustCompile("(?m)(?:`|^(?:\\$ |    )?)(?:\\./)?coauthor ([a-z][a-z-]*)((?: [^`\n|]*)?)")
	commandIn = regexp.MustCompile(`\bcoauthor\.([a-z][A-Za-z]*)\b`)
	quoted    = regexp.MustCompile(`"[^"]*"`)
	flagIn    = regexp.MustCompile(`(?:^|[ "(\[=])--([a-z][a-z-]*)`)
)

// TestTextsNameWhatThereIs: the commands and flags that documents and messages tell users of exist.
func TestTextsNameWhatThereIs(t *testing.T) {
	parser := grammar(coder.All(), "", kong.Writers(io.Discard, io.Discard))
	flags, every := map[string][]string{}, []string{"help"}
	for _, command := range parser.Model.Children {
		flags[command.Name] = []string{"help"}
		for _, flag := range command.Flags {
			flags[command.Name] = append(flags[command.Name], flag.Name)
		}
		every = append(every, flags[command.Name]...)
		for _, also := range command.Aliases {
			flags[also] = flags[command.Name]
		}
	}
	var ids []string
	for _, a := range pipeline.Actions() {
		ids = append(ids, a.ID)
	}
	for _, r := range settings.Rows() { // coauthor.model is how editors spell a setting
		name, _, _ := strings.Cut(r.Name, ".")
		ids = append(ids, name)
	}
	modules, err := filepath.Glob(filepath.Join("..", "..", "editors", "nvim", "lua", "coauthor", "*.lua"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range modules { // require("coauthor.state")
		ids = append(ids, strings.TrimSuffix(filepath.Base(m), ".lua"))
	}
	named := map[string]int{}
	texts(t, func(at, text string, ours bool) {
		for _, m := range callIn.FindAllStringSubmatch(text, -1) {
			named["calls"]++
			if _, ok := flags[m[1]]; !ok {
				t.Errorf("%s: there is no command: coauthor %s", at, m[1])
				continue
			}
			for _, f := range flagIn.FindAllStringSubmatch(quoted.ReplaceAllString(m[2], ""), -1) {
				named["flags"]++
				if !slices.Contains(flags[m[1]], f[1]) {
					t.Errorf("%s: coauthor %s takes no --%s", at, m[1], f[1])
				}
			}
		}
		for _, m := range commandIn.FindAllStringSubmatch(text, -1) {
			named["commands"]++
			if !slices.Contains(ids, m[1]) && !slices.Contains(notCommands, m[1]) {
				t.Errorf("%s: there is no command or setting coauthor.%s", at, m[1])
			}
		}
		if !ours {
			return
		}
		for _, f := range flagIn.FindAllStringSubmatch(text, -1) { // in a message of our own command line
			named["flags"]++
			if !slices.Contains(every, f[1]) && !slices.Contains(notOurs, f[1]) {
				t.Errorf("%s: no command takes --%s", at, f[1])
			}
		}
	})
	for _, what := range []string{"calls", "commands", "flags"} {
		if named[what] < 10 {
			t.Errorf("only %d %s found in the texts", named[what], what)
		}
	}
}

// notCommands stand behind "coauthor." too: endings of files, a field of experimental capabilities, a
// function of the Neovim module and a namespace in it, a group of settings of the extension of VS Code.
var notCommands = []string{"lua", "el", "json", "kak", "rb", "vim", "protocol", "setup", "keys", "server"}

// notOurs are flags of other programs: of the one that the demo changes, and of git at the head of a diff.
var notOurs = []string{"top", "git"}

// texts gives every text that users may read: documents, and the literals of the program. ours says
// that it is a message of the command line.
func texts(t *testing.T, each func(at, text string, ours bool)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" || rel == "cmd/bench"):
			return filepath.SkipDir
		case d.IsDir() || strings.HasSuffix(name, "_test.go"):
		case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".lua"), strings.HasSuffix(name, ".tmpl"), strings.HasSuffix(name, ".toml"):
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			each(rel, string(text), false)
		case strings.HasSuffix(name, ".go"):
			return literals(name, func(line int, text string) {
				if strings.Contains(text, " ") {
					each(rel+":"+strconv.Itoa(line), text, strings.HasPrefix(rel, "cmd/coauthor/"))
				}
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
