package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"coauthor/agent/command"
	"coauthor/agent/pipeline"
)

// loose reads a file of JSON that may have comments in lines of their own and commas before a closing bracket, as editors
// allow it.
func loose(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "editors", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\t", "  ")) {
		if !strings.HasPrefix(strings.TrimSpace(line), "//") {
			lines = append(lines, line)
		}
	}
	if err := yaml.UnmarshalWithOptions([]byte(strings.Join(lines, "")), into, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// The configurations of editors that no test can start begin our server, and nothing else stands in them than these editors
// know: a field that is misspelt is one that is ignored.
func TestConfigurationsOfEditorsThatAreNotRun(t *testing.T) {
	var sublime struct {
		Clients map[string]struct {
			Enabled  bool     `yaml:"enabled"`
			Command  []string `yaml:"command"`
			Selector string   `yaml:"selector"`
		} `yaml:"clients"`
	}
	loose(t, "sublime/LSP.sublime-settings", &sublime)
	ours, there := sublime.Clients["coauthor"]
	if !there || !ours.Enabled || ours.Selector == "" || !slices.Equal(ours.Command, []string{"coauthor", "serve"}) {
		t.Errorf("Sublime Text's client is %+v", sublime)
	}
	var coc struct {
		Servers map[string]struct {
			Command   string   `yaml:"command"`
			Args      []string `yaml:"args"`
			FileTypes []string `yaml:"filetypes"`
			Roots     []string `yaml:"rootPatterns"`
		} `yaml:"languageserver"`
	}
	loose(t, "coc/coc-settings.json", &coc)
	if one := coc.Servers["coauthor"]; one.Command != "coauthor" || !slices.Equal(one.Args, []string{"serve"}) || !slices.Equal(one.FileTypes, []string{"*"}) || len(one.Roots) == 0 {
		t.Errorf("coc.nvim's server is %+v", coc)
	}
}

// The commands in Sublime Text's palette are the server's, with fields that it takes and in the session that its
// configuration starts.
func TestCommandsInSublimeText(t *testing.T) {
	var entries []struct {
		Caption string `yaml:"caption"`
		Command string `yaml:"command"`
		Args    struct {
			Session string           `yaml:"session_name"`
			Name    string           `yaml:"command_name"`
			Args    []map[string]any `yaml:"command_args"`
		} `yaml:"args"`
	}
	loose(t, "sublime/Default.sublime-commands", &entries)
	if len(entries) < 5 {
		t.Errorf("only %d commands", len(entries))
	}
	variables := []any{"$file_uri", "$range"} // what the LSP package puts in
	for _, e := range entries {
		at := slices.IndexFunc(pipeline.Actions(), func(a command.Action) bool { return a.Command() == e.Args.Name })
		if e.Command != "lsp_execute" || e.Args.Session != "coauthor" || at < 0 || !strings.HasPrefix(e.Caption, "Coauthor: ") {
			t.Errorf("%+v", e)
			continue
		}
		row := pipeline.Actions()[at]
		for _, fields := range e.Args.Args {
			for name, value := range fields {
				if !slices.ContainsFunc(row.Args, func(a command.Arg) bool { return a.Name == name }) || !slices.Contains(variables, value) {
					t.Errorf("%s: %q is %v", e.Caption, name, value)
				}
			}
		}
	}
}
