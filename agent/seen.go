package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/index"
	"coauthor/agent/mapper"
	"coauthor/agent/prompt"
	"coauthor/agent/tool"
	"coauthor/edits"
)

// smallRoom is the room of a model, in tokens, below which its looks show half.
const smallRoom = 16_000

// seenLines are the lines of a file that a tool showed the model in this turn.
type seenLines struct {
	lines map[int]bool
	of    int
}

func (s seenLines) whole() bool { return len(s.lines) >= s.of }

// withSeen returns the context with more lines that the model has seen.
func (c Context) withSeen(list []tool.Shown) Context {
	if len(list) == 0 {
		return c
	}
	all := map[string]seenLines{}
	for path, s := range c.seen {
		all[path] = s
	}
	for _, s := range list {
		lines := map[int]bool{}
		for n := range all[s.Path].lines {
			lines[n] = true
		}
		for n := s.First; n <= s.Last && s.First > 0; n++ {
			lines[n] = true
		}
		all[s.Path] = seenLines{lines, s.Of}
	}
	c.seen = all
	return c
}

// seenFiles are the files that a tool showed the model, sorted.
func (c Context) seenFiles() []string {
	var list []string
	for path := range c.seen {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// unseen leaves out the files that a tool showed the model: it need not be offered them.
func (c Context) unseen(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(path string) bool { _, ok := c.seen[path]; return ok })
}

// sawEnough says whether a tool has shown the model what it has to know of a file to edit it: some of it,
// and all of it before it writes the whole file again.
func (c Context) sawEnough(path string, list []edits.Edit) bool {
	s, ok := c.seen[path]
	if !ok || slices.Contains(c.ReadOnly, path) {
		return false
	}
	whole := slices.ContainsFunc(list, func(e edits.Edit) bool { return e.Path == path && e.Kind == edits.KindWhole })
	return s.whole() || !whole
}

// box is what the model looks around in now.
func (t *turn) box() *tool.Box {
	c, door := t.at, t.s.ws.Door()
	o := tool.Options{Snapshot: c.Now, Door: door, Agreed: c.agreed, Small: c.Model.Room < smallRoom}
	if root := c.Now.Root(); root != "" {
		o.Files = func(ctx context.Context) ([]string, error) { return index.Files(ctx, root) }
	}
	if c.Map.Budget > 0 {
		o.Map = func(ctx context.Context, words string, tokens int) (string, error) {
			about := c
			about.Request, about.topic, about.Diff, about.Focus = Request{Instruction: words}, topic{}, "", nil
			m, err := drawMap(ctx, t.s.Mapper, door, about, mapView{use: mapper.Apart, tokens: tokens})
			if err == nil {
				err = m.Err
			}
			return m.Text, err
		}
	}
	for _, d := range slices.Concat(c.Request.Diagnostics, c.Request.Problems) {
		o.Diagnostics = append(o.Diagnostics, tool.Diagnostic{Path: d.Path, Line: d.Line, Severity: d.Severity, Message: d.Message, Source: d.Source})
	}
	return tool.NewBox(o)
}

// treeOf names the state of the files in a context.
func treeOf(c Context) string {
	var b strings.Builder
	for _, change := range c.Now.Changes() {
		fmt.Fprintf(&b, "%s %s %s\n%s\n", change.Op, change.Path, change.To, change.After)
	}
	return tool.Digest(b.String())
}

// forPrompt are the diagnostics that the user wants fixed.
func forPrompt(list []Diagnostic) []prompt.Diagnostic {
	var out []prompt.Diagnostic
	for _, d := range list {
		out = append(out, prompt.Diagnostic{Path: d.Path, Line: d.Line, Message: d.Message, Source: d.Source})
	}
	return out
}
