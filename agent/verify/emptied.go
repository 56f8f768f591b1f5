package verify

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"coauthor/agent/workspace"
	"coauthor/repomap/syntax"
)

// Secretive is a Tree that knows which files of a folder on disk may hold secrets, by their paths in it. Without it, none
// does.
type Secretive interface {
	Secrets(ctx context.Context, dir string) ([]string, error)
}

// emptied are the files of the root that a command finds empty: those that may hold secrets, but for those that the turn has
// shown to the model or made, and those that the user lets commands see by their names.
func (c *commandCheck) emptied(ctx context.Context, in Input, tree Tree) ([]string, error) {
	list, err := c.secretsIn(ctx, in, tree, tree.Root())
	if err != nil || len(list) == 0 {
		return nil, err
	}
	known := setOf(in.Shown)
	for name := range changedPaths(in.Changes) {
		known[name] = true
	}
	list = slices.DeleteFunc(list, func(name string) bool { return known[name] })
	return list, nil
}

// secretsIn are the files of a folder that may hold secrets. Program text that belongs to the folder is what is to be checked,
// whatever its name: without it nothing could be built.
func (c *commandCheck) secretsIn(ctx context.Context, in Input, tree Tree, dir string) ([]string, error) {
	from, ok := tree.(Secretive)
	if !ok {
		return nil, nil
	}
	list, err := from.Secrets(ctx, dir)
	if err != nil {
		return nil, err
	}
	return withoutCode(ctx, list, dir, c.shadow.Lister(), in.Settings.Visible)
}

// withoutCode leaves out what commands may see all the same.
func withoutCode(ctx context.Context, list []string, dir string, names func(context.Context, string) ([]string, error), visible []string) ([]string, error) {
	list = slices.DeleteFunc(list, func(name string) bool { return isVisible(visible, name) })
	if !slices.ContainsFunc(list, syntax.Code) {
		return list, nil
	}
	if names == nil {
		return slices.DeleteFunc(list, syntax.Code), nil
	}
	all, err := names(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("list the files of the folder: %w", err)
	}
	belong := setOf(all)
	return slices.DeleteFunc(list, func(name string) bool { return syntax.Code(name) && belong[name] }), nil
}

// isVisible says whether the user lets commands see a file of the project, by its path.
func isVisible(visible []string, name string) bool {
	return slices.ContainsFunc(visible, func(v string) bool { return path.Clean(filepath.ToSlash(v)) == name })
}

// emptyOver lays empty files over some of the disk, on top of what is laid there already.
func emptyOver(laid []workspace.Laid, names []string) []workspace.Laid {
	if len(names) == 0 {
		return laid
	}
	at := map[string]int{}
	laid = slices.Clone(laid)
	for i, l := range laid {
		at[l.Path] = i
	}
	for _, name := range names {
		if i, there := at[name]; !there {
			laid = append(laid, workspace.Laid{Path: name})
		} else if !laid[i].Gone {
			laid[i].Data = nil
		}
	}
	return laid
}

// hidden says which files a command found empty, in a few words; "" for none.
func hidden(names []string) string {
	const most = 3
	if len(names) == 0 {
		return ""
	}
	text := "hidden from commands: " + strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
