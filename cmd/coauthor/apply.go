package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/llm"
	"coauthor/agent/vcs"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/cmd/coauthor/console"
	"coauthor/edits"
	"coauthor/edits/formats"
	"coauthor/edits/match"
	"coauthor/repomap/syntax"
)

// ApplyCmd is `coauthor apply`: a model's reply becomes changes below a folder.
type ApplyCmd struct {
	Format   string   `default:"auto" help:"Edit format; auto detects it." placeholder:"F"`
	Root     string   `default:"." help:"The folder with the files." placeholder:"DIR"`
	Chat     []string `sep:"none" help:"A file the model saw, to resolve file names." placeholder:"FILE"`
	DryRun   bool     `help:"Show the changes without writing them."`
	Yes      bool     `short:"y" help:"Write without asking."`
	Force    bool     `help:"Also write changes that remove most of a file."`
	Atomic   bool     `help:"Write nothing if any edit fails."`
	JSON     bool     `name:"json" help:"Print one JSON object."`
	Verbose  bool     `help:"Also say how the answer was read."`
	Encoding string   `help:"The encoding of files that are not UTF-8." placeholder:"NAME"`
	Reply    string   `arg:"" optional:"" name:"reply-file" help:"The answer. Default: standard input."`
}

// Exit statuses of apply.
const (
	exitApplied = 0
	exitRefused = 1
	exitUsage   = 2
)

// applyReport is what --json prints.
type applyReport struct {
	Format   string             `json:"format"`
	Edits    int                `json:"edits"`
	Changes  []applyChange      `json:"changes"`
	Failures []applyFailure     `json:"failures"`
	Rungs    map[match.Rung]int `json:"rungs"`
	notes    []string
	listed   []string                      // files that the reply wrote out as a whole
	warnings []string                      // what somebody has to look at before they agree
	told     struct{ notes, failures int } // how many of them were printed
}

type applyChange struct {
	Path    string   `json:"path"`
	Op      edits.Op `json:"op"`
	To      string   `json:"to,omitempty"`
	Added   int      `json:"added"`
	Removed int      `json:"removed"`
}

type applyFailure struct {
	Edit    int            `json:"edit"`
	Path    string         `json:"path"`
	Reason  string         `json:"reason"`
	Message string         `json:"message"`
	Nearest []applyNearest `json:"nearest,omitempty"`
}

type applyNearest struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Diff string `json:"diff,omitempty"`
}

// Run applies the reply. Exit 0 means that all of it is applied, 1 that some or all was refused, 2
// that the arguments cannot be used.
func (c *ApplyCmd) Run(ctx context.Context, s Streams) (exit int, err error) {
	format, ok := formats.ByName(c.Format)
	if !ok {
		return exitUsage, fmt.Errorf("unknown edit format %q; use one of %s", c.Format, strings.Join(formats.Names(), ", "))
	}
	text, err := c.reply(s.In)
	if err != nil {
		return exitUsage, err
	}
	w := newWiring(s, nil, nil)
	ws, err := workspace.Open(c.Root, workspace.Options{Encoding: c.Encoding, Ignore: gitAnswer(c.Root), Temps: newTemps(w.user.State(), w.log)})
	if err != nil {
		return exitUsage, err
	}
	defer func() { _ = ws.Close() }() // nothing is written through it
	var chat []string
	for _, name := range c.Chat {
		chat = append(chat, relative(ws.Root(), name))
	}
	report, changes, snapshot := c.plan(ctx, ws, format, text, chat)
	var p *person
	if !c.Yes && !c.DryRun && (!c.Atomic || len(report.Failures) == 0) && len(changes) > 0 {
		if p = c.person(s); p != nil {
			defer func() { _ = p.close() }() // only read from
		}
	}
	changes = c.guard(report, changes, p != nil)
	switch {
	case c.Atomic && len(report.Failures) > 0: // none of the changes is made
	case c.DryRun || len(changes) == 0:
		if !c.JSON && console.Is(s.Out) {
			showChanges(s, s.Out, changes)
		}
		report.list(changes)
	default:
		yes, err := p.agreed(ctx, s, report, changes)
		if err != nil {
			return exitRefused, err
		}
		if !yes {
			fmt.Fprintln(s.Err, "No files changed.")
			return exitRefused, nil
		}
		report.write(ctx, ws.Door(), workspace.Agreed(chat...), snapshot, changes)
	}
	if err := report.print(s.Out, c.JSON); err != nil {
		return exitRefused, err
	}
	if len(report.Failures) > 0 {
		return exitRefused, nil
	}
	return exitApplied, nil
}

// gitAnswer asks git which paths are ignored, where there is a repository.
func gitAnswer(root string) func(context.Context, []string) (map[string]bool, error) {
	return func(ctx context.Context, paths []string) (map[string]bool, error) {
		return vcs.CheckIgnore(ctx, root, paths)
	}
}

func (c *ApplyCmd) reply(in io.Reader) (string, error) {
	if c.Reply != "" && c.Reply != "-" {
		f, err := os.Open(c.Reply)
		if err != nil {
			return "", err
		}
		defer f.Close() // read-only
		in = f
	}
	// One byte more than is allowed, so that what is too long is seen to be so.
	raw, err := io.ReadAll(io.LimitReader(in, edits.MaxReply+1))
	if err != nil {
		return "", fmt.Errorf("cannot read the answer: %w", err)
	}
	return string(raw), nil
}

// plan works everything out in memory.
func (c *ApplyCmd) plan(ctx context.Context, ws *workspace.Workspace, format edits.Format, text string, chat []string) (*applyReport, []edits.Change, *workspace.Snapshot) {
	snapshot := ws.Snapshot()
	_, text, thought := llm.Thinking(text, llm.ThinkTags(""))
	place := edits.Place{Root: ws.Root()}
	list, problems := edits.Parse(format, text, edits.Ended, edits.ParseOptions{Chat: chat, Files: snapshot, Place: place, Language: syntax.LanguageOf})
	// Who names a file on the command line consents to its change, also when it is a protected one.
	var examples []string
	if len(chat) > 0 { // without, the reply may as well make such a file
		examples = format.ExampleFiles()
	}
	result := edits.Apply(snapshot, list, problems, edits.Options{Chat: chat, Place: place, Examples: examples,
		Check: ws.Door().Guard(ctx, chat...)})
	report := &applyReport{Format: format.Name, Edits: len(list), Changes: []applyChange{}, Failures: []applyFailure{},
		Rungs: result.Rungs, notes: slices.Clone(result.Notes), listed: result.Listed}
	if c.Verbose {
		report.notes = slices.Concat(result.Reading, result.Notes)
	}
	if result.Rungs[edits.RungWhole] > 0 {
		report.notes = append(report.notes, lostNotes(ctx, snapshot, result.Changes)...)
	}
	for _, f := range result.Failures {
		out := applyFailure{Edit: f.Edit, Path: f.Path, Reason: f.Reason, Message: f.Message}
		for _, n := range f.Nearest {
			out.Nearest = append(out.Nearest, applyNearest{n.Path, n.Line, n.Text, n.Diff})
		}
		report.Failures = append(report.Failures, out)
	}
	if len(list) == 0 && len(problems) == 0 {
		report.Failures = append(report.Failures, applyFailure{Edit: -1, Reason: edits.ReasonNoEdits,
			Message: noEdits(format, thought)})
	}
	return report, result.Changes, snapshot
}

// lostNotes names the definitions that listings left out. No request is known here that would say
// whether that was wanted, so it is told and not refused.
func lostNotes(ctx context.Context, before *workspace.Snapshot, changes []edits.Change) []string {
	found, _ := verify.Lost().Run(ctx, verify.Input{Tree: before.With(changes), Changes: changes}) // what cannot be parsed has no definitions to name
	var list []string
	for _, f := range found {
		list = append(list, f.String())
	}
	return list
}

// noEdits says why a reply holds no edits.
func noEdits(format edits.Format, thought bool) string {
	if thought {
		return "the answer contains only unfinished reasoning and no edit; ask the model again"
	}
	return "the answer contains no " + format.Name + " edit"
}

// write puts the changes on disk, each file for itself; what cannot be written, or was changed by
// another program since it was read, is a failure.
func (r *applyReport) write(ctx context.Context, door *workspace.Door, consent workspace.Consent, before *workspace.Snapshot, changes []edits.Change) {
	for _, ch := range changes {
		if err := carryOut(ctx, door, consent, before, ch, ""); err != nil {
			message := err.Error()
			if errors.Is(err, workspace.ErrChanged) {
				message = "another program changed the file; run the command again"
			}
			r.Failures = append(r.Failures, applyFailure{Edit: -1, Path: ch.Path, Reason: reasonOfWrite(err), Message: message})
			continue
		}
		r.list([]edits.Change{ch})
	}
}

// reasonChanged: another program changed the file between reading and writing. Nothing of its work is
// lost, since nothing was written.
const reasonChanged = "changed-on-disk"

func reasonOfWrite(err error) string {
	switch {
	case errors.Is(err, workspace.ErrChanged):
		return reasonChanged
	case errors.Is(err, workspace.ErrUndecodable):
		return edits.ReasonUndecodable
	case errors.Is(err, workspace.ErrRefused):
		return edits.ReasonRefused
	}
	return edits.ReasonUnreadable
}

// list adds changes to the report.
func (r *applyReport) list(changes []edits.Change) {
	for _, ch := range changes {
		out := applyChange{Path: ch.Path, Op: ch.Op, To: ch.To}
		for _, h := range edits.Diff(ch.Before, ch.After) {
			out.Added += h.NewCount
			out.Removed += h.OldCount
		}
		r.Changes = append(r.Changes, out)
	}
}

func (r *applyReport) print(w io.Writer, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(r)
	}
	var out strings.Builder
	for _, ch := range r.Changes {
		name := ch.Path
		if ch.To != "" {
			name += " -> " + ch.To
		}
		fmt.Fprintf(&out, "%s %s (+%d -%d)\n", ch.Op, display.Path(name, 2*pathWidth), ch.Added, ch.Removed)
	}
	for _, w := range r.warnings {
		fmt.Fprintf(&out, "warning: %s\n", display.Message(w))
	}
	r.warnings = nil
	for _, note := range r.notes[r.told.notes:] {
		fmt.Fprintf(&out, "note: %s\n", display.Message(note))
	}
	for _, f := range r.Failures[r.told.failures:] {
		fmt.Fprintf(&out, "refused: %s\n", display.Message(fmt.Sprintf("%s: %s [%s]", orReply(f.Path), f.Message, f.Reason)))
		for _, n := range f.Nearest {
			fmt.Fprintf(&out, "  nearest at %s:%d\n", display.Path(n.Path, pathWidth), n.Line)
		}
	}
	r.told.notes, r.told.failures = len(r.notes), len(r.Failures)
	_, err := io.WriteString(w, display.Text(out.String()))
	return err
}

func orReply(path string) string {
	if path == "" {
		return "the reply"
	}
	return path
}
