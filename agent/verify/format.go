package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"coauthor/agent/sandbox"
	"coauthor/edits"
)

// Formatted are files that a formatter rewrote.
type Formatted struct {
	Tool    string
	Changes []edits.Change
}

// String says what was done to which files, for the user.
func (f Formatted) String() string {
	var files []string
	for _, c := range f.Changes {
		files = append(files, c.Path)
	}
	return "Formatted with " + f.Tool + ": " + strings.Join(files, ", ")
}

// Format runs the formatters among the tools, each in the shadow and with consent, and returns what they make of the files
// that the changes make or update. A file that was not formatted before the changes stays as it is: to format it would hide
// them. The results are those of formatters that did not run; the error is that of a ctx that ended.
func Format(ctx context.Context, shadow *sandbox.Shadow, in Input) (list []Formatted, results []Result, err error) {
	if in.Partly || !in.Settings.Level.runs(Lint) {
		return nil, nil, nil
	}
	for _, t := range in.Settings.Tools {
		if !t.Formats || len(t.Argv) == 0 {
			continue
		}
		c := &commandCheck{shadow: shadow, tool: t, name: t.Name()}
		r := Result{Check: c.name, Command: true}
		texts, err := c.format(ctx, in, &r)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			r.Skipped = err.Error()
		}
		if r.Skipped != "" {
			results = append(results, r)
		}
		f := Formatted{Tool: c.name}
		for _, file := range slices.Sorted(maps.Keys(texts)) {
			if now, err := in.Tree.Read(file); err == nil {
				f.Changes = append(f.Changes, edits.Change{Path: file, Op: edits.OpUpdate, Before: now, After: texts[file]})
			}
		}
		if len(f.Changes) > 0 {
			list = append(list, f)
		}
	}
	return list, results, nil
}

// format returns the texts of the changed files that the formatter rewrites, and may.
func (c *commandCheck) format(ctx context.Context, in Input, r *Result) (map[string]string, error) {
	files := c.files(slices.DeleteFunc(slices.Clone(in.Changes), func(x edits.Change) bool {
		return x.Op != edits.OpCreate && x.Op != edits.OpUpdate
	}))
	if len(files) == 0 {
		return nil, nil
	}
	if yes, err := c.may(ctx, in, r); err != nil || !yes {
		return nil, err
	}
	texts, err := c.rewritten(ctx, in, in.Tree, files, r)
	if err != nil {
		return nil, err
	}
	before := slices.DeleteFunc(slices.Sorted(maps.Keys(texts)), func(file string) bool { return in.Base == nil || !in.Base.Exists(file) })
	if len(before) == 0 {
		return texts, nil
	}
	in.Running = nil
	was, err := map[string]string(nil), error(nil)
	if script(c.tool, in.Base) == script(c.tool, in.Tree) { // else it is something to which nobody has agreed
		was, err = c.rewritten(ctx, in, in.Base, before, r)
	}
	for _, file := range before {
		if _, unformatted := was[file]; unformatted || was == nil || err != nil {
			delete(texts, file)
		}
	}
	return texts, nil //nolint:nilerr // a formatter that could not read the files before leaves them as they are
}

// rewritten are the texts of those of the files that the formatter changes on a tree. It is not nil without an error.
func (c *commandCheck) rewritten(ctx context.Context, in Input, tree Tree, files []string, r *Result) (map[string]string, error) {
	got, err := c.start(ctx, in, tree, files, r)
	switch {
	case err != nil:
		return nil, err
	case got.Missing:
		return nil, fmt.Errorf("%s is not installed", c.tool.Command()[0])
	case got.Stopped != "":
		return nil, fmt.Errorf("%s", got.Stopped)
	case got.Code != 0:
		return nil, fmt.Errorf("it failed with exit status %d: %s", got.Code, brief(last(stripped(got.Out+"\n"+got.Err), mostLines)))
	}
	texts := map[string]string{}
	for file, text := range got.Back {
		if now, err := tree.Read(file); err == nil && text != now {
			texts[file] = text
		}
	}
	return texts, nil
}
