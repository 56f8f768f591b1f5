package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/pipeline"
)

// TestTheModulesCommandsExist: every `:Coauthor name` that a text tells users of is one of the Neovim module's own or of the
// server's, and each of the module's own stands in its manual, under a tag that its links find.
func TestTheModulesCommandsExist(t *testing.T) {
	module := filepath.Join("..", "..", "editors", "nvim")
	source, err := os.ReadFile(filepath.Join(module, "lua", "coauthor", "command.lua"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(source), "\nlocal subcommands = {\n")
	table, _, closed := strings.Cut(table, "\n}\n")
	if !found || !closed {
		t.Fatal("command.lua has no table of commands")
	}
	var own []string
	for _, m := range regexp.MustCompile(`(?m)^  (\w+) = \{`).FindAllStringSubmatch(table, -1) {
		own = append(own, m[1])
	}
	names := slices.Clone(own)
	for _, a := range pipeline.Actions() {
		names = append(names, a.ID)
	}
	manual, err := os.ReadFile(filepath.Join(module, "doc", "coauthor.txt"))
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	check := func(at, text string) {
		for _, m := range regexp.MustCompile(`:(?:\[range\])?Coauthor(?: |-)([A-Za-z]+)`).FindAllStringSubmatch(text, -1) {
			named++
			if !slices.Contains(names, m[1]) {
				t.Errorf("%s: the module has no :Coauthor %s", at, m[1])
			}
		}
	}
	check("coauthor.txt", string(manual))
	comment := regexp.MustCompile(`(?m)^\s*--.*$`)
	texts(t, func(at, text string, _ bool) {
		if strings.HasSuffix(at, ".lua") {
			text = comment.ReplaceAllString(text, "")
		}
		check(at, text)
	})
	if named < 60 || len(own) < 15 {
		t.Errorf("%d names in the texts, %d commands of the module's own", named, len(own))
	}
	tags := regexp.MustCompile(`\*:Coauthor-(\w+)\*`).FindAllStringSubmatch(string(manual), -1)
	tagged := func(name string) bool {
		return slices.ContainsFunc(tags, func(m []string) bool { return m[1] == name })
	}
	for _, name := range own {
		if !tagged(name) {
			t.Errorf(":Coauthor %s is not in the manual", name)
		}
	}
	for _, m := range regexp.MustCompile(`\|:Coauthor-(\w+)\|`).FindAllStringSubmatch(string(manual), -1) {
		if !tagged(m[1]) {
			t.Errorf("the manual leads to :Coauthor-%s, which has no tag", m[1])
		}
	}
}
