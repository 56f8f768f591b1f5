package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/command"
	"coauthor/agent/model"
	"coauthor/agent/pipeline"
	"coauthor/agent/prompt"
	"coauthor/agent/settings"
)

// TestFilesAreUpToDate is the -check of the project itself.
func TestFilesAreUpToDate(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"-check", "-root", filepath.Join("..", "..")}, &out, &errs); code != 0 {
		t.Errorf("exit status %d\n%s", code, errs.String())
	}
}

func TestCheckSeesAChange(t *testing.T) {
	root := t.TempDir()
	var out, errs bytes.Buffer
	if code := run([]string{"-check", "-root", root}, &out, &errs); code != 1 || !strings.Contains(errs.String(), "lsp/SETTINGS.md is not up to date") {
		t.Fatalf("nothing is there: exit %d, %s", code, errs.String())
	}
	if code := run([]string{"-root", root}, &out, &errs); code != 0 || len(strings.Fields(out.String())) != len(files()) {
		t.Fatalf("exit %d, wrote %q", code, out.String())
	}
	if code := run([]string{"-check", "-root", root}, &out, &errs); code != 0 {
		t.Fatal("stale right after writing")
	}
	if err := os.WriteFile(filepath.Join(root, "lsp", "SETTINGS.md"), []byte("edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := run([]string{"-check", "-root", root}, &out, &errs); code != 1 {
		t.Error("an edited file passes the check")
	}
	if code := run([]string{"-nonsense"}, &out, &errs); code != 2 {
		t.Errorf("usage: exit %d", code)
	}
}

// TestNothingIsLeftOut: every row of the tables is in the documents.
func TestNothingIsLeftOut(t *testing.T) {
	doc, commands, list := string(settingsDoc()), string(commandsDoc()), string(neovimLists())
	doc, fields, found := strings.Cut(doc, "## Entries of `models`")
	if !found {
		t.Fatal("the page of settings does not list the fields of a model")
	}
	for _, f := range settings.ModelFieldDocs() {
		if !strings.Contains(fields, "\n- `"+f.Name+"`") {
			t.Errorf("field %s of a model is missing", f.Name)
		}
	}
	for _, r := range settings.Rows() {
		inDoc, inList := strings.Count(doc, "\n- `"+r.Name+"`: "+r.Doc) == 1, strings.Contains(list, "'"+r.Name+"'")
		if !inDoc || !inList {
			t.Errorf("setting %s: documented %v, offered %v", r.Name, inDoc, inList)
		}
	}
	for _, a := range pipeline.Actions() {
		if !strings.Contains(commands, "## `"+a.Command()+"`") || !strings.Contains(list, "id = '"+a.ID+"'") {
			t.Errorf("command %s is missing", a.ID)
		}
	}
}

// TestCommandsAreDescribedShortly: two lines for a command or a field, a group for each command, and a page that can be read.
func TestCommandsAreDescribedShortly(t *testing.T) {
	const twoLines, page = 220, 7000
	if n := len(strings.Fields(string(commandsDoc()))); n > page {
		t.Errorf("the page of commands has %d words", n)
	}
	check := func(what, doc string) {
		t.Helper()
		if len(doc) > twoLines || !strings.HasSuffix(doc, ".") {
			t.Errorf("%s (%d characters): %s", what, len(doc), doc)
		}
	}
	shapes := map[string]bool{"DocumentUri": true}
	for _, s := range command.Shapes() {
		shapes[s.Name] = true
	}
	for _, arg := range sharedArgs() {
		check(arg.Name, arg.Doc)
	}
	for _, a := range pipeline.Actions() {
		check(a.ID, a.Doc)
		if !slices.Contains(command.Groups(), a.Group) {
			t.Errorf("%s is in no group", a.ID)
		}
		for _, arg := range a.Args {
			check(a.ID+" "+arg.Name, arg.Doc)
		}
		for _, name := range regexp.MustCompile(`\b[A-Z]\w*`).FindAllString(a.Result, -1) {
			if !shapes[name] {
				t.Errorf("%s: what is %s in its result?", a.ID, name)
			}
		}
		everywhere := slices.ContainsFunc(a.Args, func(arg command.Arg) bool { return arg.Name == "uri" })
		if everywhere == (a.ID == "answer" || a.ID == "cancel") {
			t.Errorf("%s: the page says which commands take uri", a.ID)
		}
	}
}

// TestTheModelsPageIsTheTable: every row, provider and alias stands in it, and what it has users write is read
// as it is meant.
func TestTheModelsPageIsTheTable(t *testing.T) {
	doc := string(modelsDoc())
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range c.Rows() {
		line := "\n| `" + strings.Join(r.Names, "`, `") + "` |"
		_, rest, found := strings.Cut(doc, line)
		rest, _, _ = strings.Cut(rest, "\n")
		if !found || !strings.HasSuffix(rest, "| "+r.Profile.Checked+" |") {
			t.Errorf("%v: %q", r.Names, rest)
		}
		if p := r.Profile.Price; p.In > 0 && !strings.Contains(rest, prices(p)) {
			t.Errorf("%v: no price in %q", r.Names, rest)
		}
	}
	for _, p := range c.Providers() {
		if !strings.Contains(doc, "| `"+p.Provider+"/` |") || !strings.Contains(doc, p.APIBase) || !strings.Contains(doc, p.APIKeyEnv) || !strings.Contains(doc, p.BaseEnv) {
			t.Errorf("%s is not in the page", p.Provider)
		}
	}
	for alias, target := range c.Aliases() {
		if !strings.Contains(doc, "| `"+alias+"` | `"+target+"` |") {
			t.Errorf("%s is not in the page", alias)
		}
	}
	for alias, target := range c.OlderAliases() {
		if !strings.Contains(doc, "`"+alias+"` (`"+target+"`)") {
			t.Errorf("%s is not in the page", alias)
		}
	}
	_, order, _ := strings.Cut(doc, "## When a prompt is too large")
	for i, what := range prompt.Expendable() {
		line := fmt.Sprintf("\n%d. %s\n", i+1, what)
		if !strings.Contains(order, line) {
			t.Errorf("%q is not in the page", line)
		}
	}
	for _, gateway := range []string{"Bedrock", "Vertex", "only through a gateway"} {
		if !strings.Contains(doc, gateway) {
			t.Errorf("the page does not speak of %s", gateway)
		}
	}
	s, warnings := settings.Load(settings.LoadOptions{UserFile: []byte(corrected)})
	p := s.Profile(c, "sonnet")
	if len(warnings) > 0 || p.ContextWindow != 1_000_000 || p.Checked != "2026-11-01" || s.Profile(c, "fast").ID != "gemini-2.5-flash" {
		t.Errorf("%v %+v", warnings, p)
	}
}

func TestTheExampleIsRight(t *testing.T) {
	s, warnings := settings.Load(settings.LoadOptions{UserFile: []byte(example)})
	if len(warnings) != 0 || s.Model != "fast" || s.WeakModel != "work" || len(s.Models) != 2 || s.RepoMap.Tokens != 2048 {
		t.Errorf("%v %+v", warnings, s)
	}
}
