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
)

// smallRoom is the room of a model, in tokens, below which its looks show half.
const smallRoom = 16_000

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
