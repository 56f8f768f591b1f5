package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/sandbox"
)

// What runs a command for itself, and compares it with nothing: the user's own look at the files as they are, and the goal
// of a turn.

// Goal is a command that has to pass before a turn is done. Whatever it complains of counts, also what was there before.
type Goal struct {
	Tool Tool
	// Files are those that its words for files stand for, beside those that change.
	Files []string
}

// Goals returns the checks of goals. They run whatever the level of the settings is, also where nothing has changed yet, and
// behind the other checks: what is not complete is not worth a run of tests.
func Goals(shadow *sandbox.Shadow, list []Goal) []Check {
	var checks []Check
	for _, g := range list {
		c := &commandCheck{shadow: shadow, tool: g.Tool, name: g.Tool.Name(), verbose: true}
		checks = append(checks, Check{Name: c.name, always: true, command: func(ctx context.Context, in Input) (Result, error) {
			return c.goal(ctx, in, g.Files)
		}})
	}
	return checks
}

// Beside leaves those of the user's tools out that are goals already.
func Beside(goals []Goal, tools []Tool) []Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
		return slices.ContainsFunc(goals, func(g Goal) bool {
			return g.Tool.Dir == t.Dir && g.Tool.Tests == t.Tests && slices.Equal(g.Tool.Argv, t.Argv)
		})
	})
}

// goal runs the command of a goal. A run that was stopped, as one that never ends is, has not passed.
func (c *commandCheck) goal(ctx context.Context, in Input, files []string) (Result, error) {
	r := Result{Command: true, Tested: c.tool.Tests, Goal: true}
	if in.Partly {
		r.Skipped = "the change is not complete yet"
		return r, nil
	}
	files = append(c.files(in.Changes), files...)
	slices.Sort(files)
	files = slices.DeleteFunc(slices.Compact(files), func(f string) bool { return !in.Tree.Exists(f) })
	now, err := c.alone(ctx, in, files, &r)
	if err == nil && now.ended && now.begun {
		r.Skipped, r.Findings = "", []Finding{{Check: c.name, Text: fmt.Sprintf("%s did not end by itself: %s", c.name, now.broken)}}
	}
	for i := range r.Findings {
		r.Findings[i].Goal = cmp.Or(c.tool.Spoken(), c.name)
	}
	return r, err
}

// Unmet says for the user why nobody can tell whether a goal is reached; "" where it was run.
func (r Result) Unmet() string {
	if !r.Goal || r.Skipped == "" {
		return ""
	}
	return fmt.Sprintf("%s did not run (%s), so Coauthor cannot tell whether it passes.", r.Check, r.Skipped)
}

// Met names the goals among results, as one speaks of them, where each of them passes; nil where one does not, or was not run.
func Met(results []Result) []string {
	var names []string
	for _, r := range results {
		switch {
		case !r.Goal:
		case r.Err != nil || r.Skipped != "" || len(r.Findings) > 0:
			return nil
		default:
			names = append(names, r.Check)
		}
	}
	return names
}

// Failing names the goals that findings keep from being reached, as one speaks of them.
func Failing(findings []Finding) []string {
	var names []string
	for _, f := range findings {
		if f.Goal != "" && !slices.Contains(names, f.Goal) {
			names = append(names, f.Goal)
		}
	}
	return names
}

// Allowed says whether the user lets a tool run on a tree, and asks where that is not known.
func Allowed(ctx context.Context, shadow *sandbox.Shadow, t Tool, in Input) (bool, error) {
	c := &commandCheck{shadow: shadow, tool: t, name: t.Name()}
	var r Result
	yes, err := c.may(ctx, in, &r)
	if err == nil && !yes && r.Skipped != notAllowed {
		err = errors.New(r.Skipped)
	}
	return yes, err
}

// AsItIs runs a tool on the tree of in as that is, with what is open and not saved, and compares it with nothing: all that
// it complains of counts. files are what its words for files stand for. It asks for consent as a check does, and its result
// also has the end of what it wrote.
func AsItIs(ctx context.Context, shadow *sandbox.Shadow, t Tool, files []string, in Input) (Result, error) {
	c := &commandCheck{shadow: shadow, tool: t, name: t.Name(), verbose: true}
	r := Result{Check: c.name, Command: true, Tested: t.Tests}
	_, err := c.alone(ctx, in, files, &r)
	for i, f := range r.Findings {
		r.Findings[i].Excerpt, r.Findings[i].Line = excerptOf(in.Tree, f)
	}
	return r, err
}

// alone runs the tool on the tree of in as that is.
func (c *commandCheck) alone(ctx context.Context, in Input, files []string, r *Result) (said, error) {
	if len(c.tool.Argv) == 0 {
		return said{}, errors.New("the command is empty")
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !c.tool.about(f) })
	if c.named() && len(files) == 0 {
		r.Skipped = notConcerned
		return said{}, nil
	}
	if yes, err := c.may(ctx, in, r); err != nil || !yes {
		return said{}, err
	}
	now, err := c.once(ctx, in, in.Tree, files, r)
	if err != nil {
		*r, err = c.cannot(*r, err)
		return said{}, err
	}
	r.Tests, r.Findings = now.passed, settle(now.findings, setOf(files))
	switch {
	case now.ended:
		r.Skipped = now.broken
	case now.broken != "":
		r.Findings = append(r.Findings, Finding{Check: c.name, Text: strings.TrimSpace(now.broken)})
	}
	return now, nil
}
