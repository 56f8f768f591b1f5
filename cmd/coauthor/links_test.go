package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linkIn    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headingIn = regexp.MustCompile("(?m)^#+ +(.+)$")
	codeIn    = regexp.MustCompile("(?s)```.*?```")
	notInSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinksLead: what a page links to is there, with the heading behind a #.
func TestLinksLead(t *testing.T) {
	root := filepath.Join("..", "..")
	links := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && slices.Contains([]string{".git", "node_modules", "testdata"}, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".md" || d.Name() == "README.copy.md":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range linkIn.FindAllStringSubmatch(codeIn.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], ":") { // another place of the web
				continue
			}
			links++
			file, heading, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			} else if heading != "" && !slices.Contains(headings(t, target), heading) {
				t.Errorf("%s links to %s, which has no such heading", name, m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if links < 50 {
		t.Errorf("only %d links found", links)
	}
}

// headings are those of a page as GitHub makes them ends of addresses.
func headings(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range headingIn.FindAllStringSubmatch(codeIn.ReplaceAllString(string(text), ""), -1) {
		list = append(list, strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}
