package verify

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"coauthor/agent/sandbox"
	"coauthor/edits"
)

// Commands returns the checks that run the user's tools. Each asks for consent in the exact text of its
// command before the first run.
func Commands(shadow *sandbox.Shadow, s Settings) []Check {
	var list []Check
	for _, tests := range []bool{false, true} {
		for _, t := range s.Tools {
			if t.Tests != tests || t.Formats || len(t.Argv) == 0 {
				continue
			}
			c := &commandCheck{shadow: shadow, tool: t, name: t.Name()}
			from := Lint
			if tests {
				from = Full
			}
			list = append(list, Check{Name: c.name, From: from, command: c.run})
		}
	}
	return list
}

// Baselines remember what commands said of a workspace without the changes, as long as that is the same. The
// zero value is empty, and it is safe for concurrent use.
type Baselines struct {
	mu   sync.Mutex
	said map[string]said // guarded by mu; by the text of the command, with its files
}

// said is what one run of a tool came to.
type said struct {
	findings []Finding
	passed   int
	broken   string // it did not do its work, and why; "" when it did
	ended    bool   // it was stopped, or could not begin: that is nothing that the changes did
	begun    bool   // beside ended: it began
}

// commandCheck runs one tool.
type commandCheck struct {
	shadow *sandbox.Shadow
	tool   Tool
	name   string
	// verbose: the end of what it wrote goes into the result.
	verbose bool
}

// run runs the tool on the changes, and, where it complains, on the workspace without them: only what the
// changes broke counts.
func (c *commandCheck) run(ctx context.Context, in Input) (Result, error) {
	r := Result{Command: true, Tested: c.tool.Tests}
	files := c.files(in.Changes)
	if len(files) == 0 {
		r.Skipped = notConcerned
		return r, nil
	}
	if in.Partly {
		r.Skipped = "the change is not complete yet"
		return r, nil
	}
	if yes, err := c.may(ctx, in, &r); err != nil || !yes {
		return r, err
	}
	now, err := c.once(ctx, in, in.Tree, files, &r)
	if err != nil {
		return c.cannot(r, err)
	}
	r.Tests = now.passed
	switch {
	case now.ended:
		r.Skipped = now.broken
		return r, nil
	case now.broken == "" && len(now.findings) == 0:
		return r, nil
	}
	before, err := c.baseline(ctx, in, files, &r)
	if err != nil {
		return c.cannot(r, err)
	}
	if now.broken != "" {
		if before.broken != "" {
			r.Skipped = now.broken // it has never worked here
			return r, nil
		}
		now.findings = append(now.findings, Finding{Check: c.name, Text: now.broken})
	}
	fresh := unlike(now.findings, before.findings)
	r.Findings = settle(fresh, changedPaths(in.Changes))
	r.Compared, r.Before, r.Old = true, r.count(now.findings)-r.count(fresh), settle(unlike(now.findings, fresh), nil)
	return r, nil
}

// may says whether the tool may run on the changes; what keeps it from that stands in the result.
func (c *commandCheck) may(ctx context.Context, in Input, r *Result) (bool, error) {
	way, err := c.shadow.Way(ctx, in.Tree.Root())
	if err != nil {
		*r, err = c.cannot(*r, err)
		return false, err
	}
	yes, err := in.May(ctx, c.tool.Wanted(in.Tree, way))
	if err == nil && !yes {
		r.Skipped = notAllowed
	}
	return yes, err
}

// notAllowed is why a tool does not run that the user did not agree to.
const notAllowed = "you did not allow it"

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, x := range list {
		set[x] = true
	}
	return set
}

// notConcerned is why a tool does not run on changes of files that it is not about. It is not told.
const notConcerned = "none of its files changed"

// cannot turns an error of the shadow into a result; a ctx that ended stays an error.
func (c *commandCheck) cannot(r Result, err error) (Result, error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return r, err
	}
	r.Skipped = err.Error()
	return r, nil
}

// files are the changed files that the tool is about, as they are called after the change. A tool that is not
// given any names also runs for files that are gone.
func (c *commandCheck) files(changes []edits.Change) []string {
	named := c.named()
	var list []string
	for _, x := range changes {
		path := x.Path
		switch {
		case x.Op == edits.OpRename:
			path = x.To
		case x.Op == edits.OpDelete && named, x.Op == edits.OpUpdate && x.Before == x.After:
			continue
		}
		if c.tool.about(path) || c.tool.about(x.Path) && !named {
			list = append(list, path)
		}
	}
	return list
}

// named says whether the tool is given the names of files or folders.
func (c *commandCheck) named() bool {
	return slices.Contains(c.tool.Argv, wordFiles) || slices.Contains(c.tool.Argv, wordDirs)
}

// matches says whether a path fits one of the globs; one without a slash is about the name alone.
func matches(globs []string, path string) bool {
	for _, g := range globs {
		if !strings.Contains(g, "/") {
			g = "**/" + g
		}
		if ok, err := doublestar.Match(g, path); ok && err == nil {
			return true
		}
	}
	return false
}

func changedPaths(changes []edits.Change) map[string]bool {
	set := map[string]bool{}
	for _, x := range changes {
		if set[x.Path] = true; x.To != "" {
			set[x.To] = true
		}
	}
	return set
}

// once runs the tool on a tree, and reads what it says.
func (c *commandCheck) once(ctx context.Context, in Input, tree Tree, files []string, r *Result) (said, error) {
	got, err := c.start(ctx, in, tree, files, r)
	if err != nil {
		return said{}, err
	}
	return c.read(tree, got), nil
}

// start runs the tool on a tree, and tells that, and what it writes.
func (c *commandCheck) start(ctx context.Context, in Input, tree Tree, files []string, r *Result) (sandbox.Executed, error) {
	var tell func(string)
	if in.Running != nil {
		tell = in.Running(c.name)
	}
	over, ok := tree.(Overlaid)
	if !ok {
		return sandbox.Executed{}, fmt.Errorf("%w: Coauthor cannot find the files on disk", sandbox.ErrNone)
	}
	laid, err := over.Laid(ctx)
	if err != nil {
		return sandbox.Executed{}, err
	}
	if r.Emptied, err = c.emptied(ctx, in, tree); err != nil {
		return sandbox.Executed{}, err
	}
	most := in.Settings.LintTime
	if c.tool.Tests {
		most = in.Settings.TestTime
	}
	command, report := c.tool.Command(), ""
	if command.reports() {
		report = reportName
	}
	j := sandbox.Job{Command: func(temp string) []string { return command.reported(temp).filled(c.tool.within(files)) }, Report: report,
		Root: tree.Root(), Dir: c.tool.Dir, Laid: emptyOver(laid, r.Emptied), Time: most,
		Visible: in.Settings.Visible, Secrets: func(dir string) ([]string, error) { return c.secretsIn(ctx, in, tree, dir) }}
	if c.tool.Formats {
		j.Back = files
	}
	if tell != nil {
		j.Line = func(text string) { tell(stripped(text)) }
	}
	got, err := c.shadow.Run(ctx, j)
	if err != nil {
		return sandbox.Executed{}, err
	}
	r.Took += got.Took
	r.Way = got.Way
	if c.verbose {
		r.Output = tail(stripped(got.Out + "\n" + got.Err))
	}
	return got, nil
}

// baseline is what the tool says of the workspace without the changes. Files that the changes made are not
// there, so a tool that names them is asked about the others.
func (c *commandCheck) baseline(ctx context.Context, in Input, files []string, r *Result) (said, error) {
	if in.Base == nil {
		return said{}, nil
	}
	in.Running = nil // it would say everything twice
	var there []string
	for _, f := range files {
		if in.Base.Exists(f) {
			there = append(there, f)
		}
	}
	if script(c.tool, in.Base) != script(c.tool, in.Tree) {
		return said{}, nil // what it would run is something else, to which nobody has agreed
	}
	argv := c.tool.Command()
	if len(there) == 0 && len(argv.filled(nil)) < len(argv) {
		return said{}, nil // it has nothing to look at
	}
	key := c.tool.Dir + "\x00" + argv.filled(there).String() + "\x00" + Command(r.Emptied).String()
	if b := in.Baselines; b != nil {
		b.mu.Lock()
		got, known := b.said[key]
		b.mu.Unlock()
		if known {
			return got, nil
		}
	}
	got, err := c.once(ctx, in, in.Base, there, r)
	if err != nil {
		return said{}, err
	}
	if b := in.Baselines; b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.said == nil {
			b.said = map[string]said{}
		}
		b.said[key] = got
	}
	return got, nil
}

// read makes of a run what it says. A tool that ends with an exit status for findings and names none has its
// last lines as the one finding.
func (c *commandCheck) read(tree Tree, got sandbox.Executed) said {
	switch {
	case got.Missing:
		return said{broken: c.tool.Command()[0] + " is not installed", ended: true}
	case got.Stopped != "":
		return said{broken: got.Stopped, ended: true, begun: got.Code != sandbox.NotBegun}
	case got.Code == 128+25: // SIGXFSZ
		return said{broken: "it wrote a file larger than the limit", ended: true, begun: true}
	}
	read, statuses := c.tool.reader()
	x := &reading{name: c.name, dir: c.tool.Dir, exists: tree.Exists, out: stripped(got.Out), err: stripped(got.Err), report: got.Report}
	x.roots = []string{filepath.ToSlash(tree.Root())}
	if got.At != "" {
		x.roots = append(x.roots, filepath.ToSlash(got.At))
	}
	if real, err := filepath.EvalSymlinks(tree.Root()); err == nil && real != tree.Root() {
		x.roots = append(x.roots, filepath.ToSlash(real))
	}
	read(x)
	if got.Code == 0 {
		return said{passed: x.passed} // what it says all the same are warnings
	}
	if len(statuses) > 0 && !slices.Contains(statuses, got.Code) || got.Code > 128 && len(x.list) == 0 {
		return said{broken: fmt.Sprintf("%s failed with exit status %d: %s", c.name, got.Code, brief(last(x.out+"\n"+x.err, mostLines)))}
	}
	if len(x.list) == 0 {
		x.all(fmt.Sprintf("%s failed with exit status %d", c.name, got.Code))
	}
	return said{findings: x.list, passed: x.passed}
}

// unlike leaves out the findings that were there before, as often as they were.
func unlike(now, before []Finding) []Finding {
	count := map[string]int{}
	for _, f := range before {
		count[f.key]++
	}
	var list []Finding
	for _, f := range now {
		if count[f.key] > 0 {
			count[f.key]--
			continue
		}
		list = append(list, f)
	}
	return list
}
