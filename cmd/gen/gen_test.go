package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent"
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

// TestNothingIsLeftOut: every row of the tables is in the documents, and no setting that has no effect.
func TestNothingIsLeftOut(t *testing.T) {
	doc, commands, list := string(settingsDoc()), string(commandsDoc()), string(neovimLists())
	doc, fields, found := strings.Cut(doc, "## Fields of an entry")
	if !found {
		t.Fatal("the page of settings does not list the fields of a model")
	}
	for _, f := range settings.ModelFieldDocs() {
		if strings.Contains(fields, "| `"+f.Name+"` |") == f.Unread {
			t.Errorf("field %s of a model: unread %v", f.Name, f.Unread)
		}
	}
	for _, r := range settings.Rows() {
		inDoc, inList := strings.Contains(doc, "| `"+r.Name+"` |"), strings.Contains(list, "'"+r.Name+"'")
		if inDoc == r.Unread || inList == r.Unread {
			t.Errorf("setting %s: unread %v, documented %v, offered %v", r.Name, r.Unread, inDoc, inList)
		}
	}
	for _, a := range agent.Actions() {
		if !strings.Contains(commands, "## `"+a.Command()+"`") || !strings.Contains(list, "id = '"+a.ID+"'") {
			t.Errorf("command %s is missing", a.ID)
		}
	}
}

func TestTheExampleIsRight(t *testing.T) {
	s, warnings := settings.Load(settings.LoadOptions{UserFile: []byte(example)})
	if len(warnings) != 0 || s.Model != "fast" || len(s.Models) != 2 || s.RepoMap.Tokens != 2048 {
		t.Errorf("%v %+v", warnings, s)
	}
}
