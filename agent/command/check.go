package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/vcs"
	"coauthor/agent/verify"
)

// The commands that run the user's linters and tests on the files as they are, unsaved text included, and offer what they
// say to the model.

// Checked is what linters or tests said, for programs.
type Checked struct {
	Status   string         `json:"status"` // ran, or skipped where none of them did
	Verdict  string         `json:"verdict"`
	Findings []CheckFinding `json:"findings"`
	Skipped  []string       `json:"skipped"` // which of them did not run, and why
}

// CheckFinding is one complaint. Lines count from 1.
type CheckFinding struct {
	Check string `json:"check"`
	Path  string `json:"path,omitempty"`
	Line  int    `json:"line,omitempty"`
	Text  string `json:"text"`
}

// Bounds of what a command is given by name: linters, and tests, which mostly take folders.
const (
	mostChecked = 500
	mostTested  = 5000
)

// runLint runs the linters on files.
func runLint(ctx context.Context, s *agent.Session, c Call, args filesArgs) (Answer, error) {
	tools := checkTools(ctx, s, false)
	if len(tools) == 0 {
		return Answer{}, errors.New("no linters configured or detected; set verify.lint")
	}
	files, err := toLint(ctx, s, args.Files)
	if err != nil {
		return Answer{}, err
	}
	return runChecks(ctx, s, c, tools, files)
}

// runTest runs the tests, or the command that is given.
func runTest(ctx context.Context, s *agent.Session, c Call, args runArgs) (Answer, error) {
	var tools []verify.Tool
	if args.Command != "" {
		argv, word, err := commandOf(args.Command)
		if err != nil {
			return Answer{}, err
		}
		if word != "" {
			return Answer{}, fmt.Errorf("%s: a test command is one program with arguments and cannot contain %s; use /run for shell commands", args.Command, word)
		}
		tools = []verify.Tool{{Argv: argv, Tests: true}}
	} else if tools = checkTools(ctx, s, true); len(tools) == 0 {
		return Answer{}, errors.New("no tests configured or detected; enter a test command or set verify.test")
	}
	var files []string
	if slices.ContainsFunc(tools, namesFiles) {
		var err error
		if files, err = index.Sendable(ctx, s.Workspace); err != nil {
			return Answer{}, err
		}
		if len(files) > mostTested {
			if files, err = toLint(ctx, s, nil); err != nil {
				return Answer{}, err
			}
		}
	}
	return runChecks(ctx, s, c, tools, files)
}

// namesFiles says that files, or their folders, stand in the command of a tool.
func namesFiles(t verify.Tool) bool {
	return slices.Contains(t.Argv, "{files}") || slices.Contains(t.Argv, "{dirs}")
}

// checkTools are the linters or the tests that the user has set, else those that the folder shows to use.
func checkTools(ctx context.Context, s *agent.Session, tests bool) []verify.Tool {
	set := agent.CheckSettings(s.Settings()).Tools
	if len(set) == 0 && s.Workspace.Root() != "" {
		set = s.Consent.Tools(ctx)
	}
	return slices.DeleteFunc(slices.Clone(set), func(t verify.Tool) bool { return t.Formats || t.Tests != tests })
}

// toLint are the files that are named, else those of the chat, else those that changed since the last commit or are not
// saved, else all.
func toLint(ctx context.Context, s *agent.Session, names []string) ([]string, error) {
	if s.Workspace.Root() == "" {
		return nil, errors.New("no folder is open; open one to check its files")
	}
	all, err := index.Sendable(ctx, s.Workspace)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range names {
		found := matching(all, strings.TrimSuffix(path.Clean(name), "/"))
		if len(found) == 0 {
			return nil, fmt.Errorf("no file to check matches %s", name)
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		list = s.Chosen.Get().Files
	}
	if len(list) == 0 {
		if list, err = changedFiles(ctx, s); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		list = all
	}
	snap := s.Workspace.Snapshot().Within(ctx)
	list = slices.DeleteFunc(slices.Clone(list), func(f string) bool { return !snap.Exists(f) })
	slices.Sort(list)
	if list = slices.Compact(list); len(list) > mostChecked {
		return nil, fmt.Errorf("%d files exceed the limit of %d for one check; name a folder", len(list), mostChecked)
	}
	return list, nil
}

// changedFiles are those that differ from the last commit, or from what is on disk. Without git there are only the latter.
func changedFiles(ctx context.Context, s *agent.Session) ([]string, error) {
	var list []string
	laid, err := s.Workspace.Snapshot().Within(ctx).Laid(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot find the changes: %w", err)
	}
	for _, l := range laid {
		list = append(list, l.Path)
	}
	place, err := vcs.Where(ctx, s.Workspace.Root())
	if errors.Is(err, vcs.ErrNotGit) {
		return list, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot find the changes: %w", err)
	}
	if place.Head == "" {
		return list, nil
	}
	d, err := vcs.OpenDiff(ctx, s.Workspace.Root(), place.Head)
	if err != nil {
		return nil, fmt.Errorf("cannot find the changes: %w", err)
	}
	paths, err := d.Paths(ctx)
	if err := errors.Join(err, d.Close()); err != nil {
		return nil, fmt.Errorf("cannot find the changes: %w", err)
	}
	return append(list, paths...), nil
}

// runChecks runs tools on the files as they are, and offers what they say to the model.
func runChecks(ctx context.Context, s *agent.Session, c Call, tools []verify.Tool, files []string) (Answer, error) {
	run, stop := s.Life.While(ctx)
	defer stop()
	tree := c.Ports.Snapshot
	if tree == nil {
		tree = s.Workspace.Snapshot()
	}
	chosen := s.Chosen.Get()
	in := verify.Input{Tree: tree.Within(run), Shown: slices.Concat(chosen.Files, chosen.ReadOnly), Settings: agent.CheckSettings(s.Settings()), Consent: s.Consent.Commands(func(ctx context.Context, q event.Question) (event.Answer, error) { return put(ctx, s, c.Ports, q) })}
	var results []verify.Result
	for _, t := range tools {
		ended := func(int) {}
		in.Running = func(name string) (line func(string)) {
			var tell func(string)
			if tell, ended = c.running(name, true, stop); tell != nil {
				line = func(text string) { tell(text + "\n") }
			}
			return line
		}
		r, err := verify.AsItIs(run, s.Engine.Options().Shadow, t, files, in)
		ended(min(len(r.Findings), 1))
		if err != nil {
			return Answer{}, fmt.Errorf("%s was stopped", t.Name())
		}
		results = append(results, r)
	}
	return offerFindings(ctx, s, c.Ports, results, goalsOf(tools, files, results))
}

// offerFindings tells what tools said, and asks whether the model is to fix it, until the goals are reached.
func offerFindings(ctx context.Context, s *agent.Session, p agent.Ports, results []verify.Result, goals []verify.Goal) (Answer, error) {
	out := Checked{Status: RanSkipped, Verdict: verify.Verdict(results), Findings: []CheckFinding{}, Skipped: []string{}}
	var findings []verify.Finding
	var names []string
	for _, r := range results {
		if r.Skipped != "" {
			out.Skipped = append(out.Skipped, r.Check+": "+r.Skipped)
			continue
		}
		out.Status = RanDone
		if len(r.Findings) > 0 {
			names = append(names, r.Check)
		}
		findings = append(findings, r.Findings...)
		for _, f := range r.Findings {
			out.Findings = append(out.Findings, CheckFinding{f.Check, f.Path, f.First, f.Text})
		}
	}
	text := display.Upper(cmp.Or(out.Verdict, "nothing was checked: no files match these tools")) + "."
	if out.Status == RanSkipped && len(out.Skipped) > 0 {
		text += " To run a command on your actual files, use /run."
	}
	answer := Answer{Text: text, Page: Page{"checks.md", checksPage(out, findings)}, Data: out, Failed: out.Status == RanSkipped || len(findings) > 0}
	if len(findings) == 0 {
		return answer, nil
	}
	const mostListed = 5
	asked := text
	for _, f := range out.Findings[:min(len(findings), mostListed)] {
		asked += "\n" + f.String()
	}
	if more := len(findings) - mostListed; more > 0 {
		asked += fmt.Sprintf("\nand %d more", more)
	}
	a, err := put(ctx, s, p, event.Question{Text: asked + "\nAsk the model to fix these problems?",
		Choices: []string{"fix", "skip"}, Titles: []string{"fix " + problemsOf(len(findings)), "do not fix them"}})
	if err == nil && a.Choice == "fix" {
		answer.Then = fixRequest(ctx, s, names, findings)
		answer.Then.Goals = goals
	}
	return answer, err
}

func problemsOf(n int) string { return display.Count(n, "problem") }

// String is the finding in one line, with its place as compilers write it.
func (f CheckFinding) String() string {
	text, _, _ := strings.Cut(strings.TrimSpace(f.Text), "\n")
	switch {
	case f.Path == "":
		return text
	case f.Line == 0:
		return f.Path + ": " + text
	}
	return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, text)
}

// checksPage shows what tools said.
func checksPage(c Checked, findings []verify.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Coauthor: check results\n\n%s.\n", display.Upper(cmp.Or(c.Verdict, "nothing ran")))
	for i, f := range c.Findings {
		_, more, _ := strings.Cut(strings.TrimSpace(f.Text), "\n")
		fmt.Fprintf(&b, "\n- %s: %s\n", f.Check, f)
		// The first line keeps its indentation: an excerpt has its numbers below each other.
		if more = strings.TrimRight(strings.TrimLeft(more+"\n"+findings[i].Excerpt, "\n"), " \n"); more != "" {
			fence := tildes(more)
			fmt.Fprintf(&b, "\n%stext\n%s\n%s\n", fence, more, fence)
		}
	}
	for _, text := range c.Skipped {
		fmt.Fprintf(&b, "\n- not run: %s\n", text)
	}
	return b.String()
}
