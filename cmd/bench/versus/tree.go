package versus

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is the files of a folder, by path. Those that it holds outside of the folder, which no edit may
// reach, have names with "../" before them.
type Tree map[string]string

// write makes the files below root.
func (t Tree) write(root string) error {
	for name, text := range t {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("make the tree: %w", err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return fmt.Errorf("make the tree: %w", err)
		}
	}
	return nil
}

// own are files that the programs keep for themselves in a tree; they are no part of what the answers said.
func own(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return first == ".git" || first == ".coauthor" || strings.HasPrefix(first, ".aider") || name == ".gitignore"
}

// readTree reads root, and what lies beside it: a stray file there is a part of the result, too.
func readTree(root string) (Tree, error) {
	t := Tree{}
	around := filepath.Dir(root)
	err := filepath.WalkDir(around, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir() && (own(rel) || rel == "../"+homeName):
			return fs.SkipDir
		case d.IsDir() || own(rel):
			return nil
		}
		data, err := os.ReadFile(name)
		t[rel] = string(data)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the tree: %w", err)
	}
	return t, nil
}

// differs says in a few words how a tree is not another one; "" when it is.
func (t Tree) differs(want Tree) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if _, there := want[name]; !there {
			what := "stray "
			if t[name] == "" {
				what = "empty stray "
			}
			list = append(list, what+name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		text, there := t[name]
		switch {
		case !there:
			list = append(list, "no "+name)
		case text == want[name]:
		case strings.ReplaceAll(text, "\r\n", "\n") == strings.ReplaceAll(want[name], "\r\n", "\n"):
			list = append(list, "different line endings in "+name)
		default:
			list = append(list, name+" differs")
		}
	}
	return strings.Join(list, ", ")
}
