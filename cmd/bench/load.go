package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/cmd/editor"
)

// loadOptions are those of the measurement under load.
type loadOptions struct {
	Binary    string        `help:"The coauthor program to measure. Default: a new build."`
	For       time.Duration `default:"30s" help:"How long to type."`
	Documents int           `default:"4" help:"Number of documents."`
	Rate      int           `default:"30" help:"Changes per second in each document."`
}

// loadLines is how many lines each document has; changes go round them.
const loadLines = 80

// run types into several documents at once while one turn that edits and one that only asks are streamed, and asks for code
// actions meanwhile. At the end the prompt of a last turn shows whether the server has every change, in its order.
func (o *loadOptions) run(ctx context.Context, out io.Writer) error {
	dir, err := benchFolder(ctx, &o.Binary)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	url, end, err := startLoadModel(ctx)
	if err != nil {
		return err
	}
	defer end()
	l := &load{loadOptions: o, model: url}
	files := map[string]string{}
	for n := range o.Documents {
		files[l.name(n)] = l.text(n, nil)
	}
	set := settings(url, "diff")
	set["history"] = map[string]any{"summarize": false} // of the long answers, which would be asked for beside the turns
	p, err := launch(ctx, options{Binary: o.Binary, verbose: true}, dir, files, set, editor.Hooks{})
	if err != nil {
		return err
	}
	debug.SetGCPercent(800) // the client's own pauses are none of the server's
	if err := l.play(ctx, p); err != nil {
		return fmt.Errorf("%w\n%s", err, p.log.String())
	}
	if err := p.end(ctx); err != nil { // its log is whole then
		return err
	}
	inServer := l.took(p.log.String())
	fmt.Fprintf(out, "| measured, with %d documents typed into at %d changes a second and two turns streaming | promise | rounds | median | p99 | worst |\n|---|---|---|---|---|---|\n", o.Documents, o.Rate)
	for _, row := range []struct {
		what, promise string
		samples       []time.Duration
	}{
		{"a change in the server, from its last byte until the document has it", "p99 2 ms", inServer["textDocument/didChange"]},
		{"a change and the round trip of a following request", "", slices.Concat(l.changes...)},
		{"a code action in the server, from its last byte until it is answered", "", inServer["textDocument/codeAction"]},
		{"a code action, round trip", "p99 20 ms", l.actions},
	} {
		n := len(row.samples)
		if n == 0 {
			return fmt.Errorf("%s: no measurements", row.what)
		}
		slices.Sort(row.samples)
		fmt.Fprintf(out, "| %s | %s | %d | %s | %s | %s |\n", row.what, row.promise, n, show(row.samples[n/2]), show(row.samples[n*99/100]), show(row.samples[n-1]))
	}
	fmt.Fprintf(out, "\nAll %d changes arrived in order: the last prompt contains every document as typed.\n", len(slices.Concat(l.changes...)))
	return nil
}

// took reads from the server's log how long each message took it, by method, in the time in which the client measured.
func (l *load) took(log string) map[string][]time.Duration {
	all := map[string][]time.Duration{}
	for line := range strings.Lines(log) {
		_, rest, ok := strings.Cut(line, " done\" method=")
		method, took, both := strings.Cut(strings.TrimSpace(rest), " took=")
		if d, err := time.ParseDuration(took); ok && both && err == nil {
			all[method] = append(all[method], d)
		}
	}
	return all
}

// load is one run: what was measured, and the model of it.
type load struct {
	*loadOptions
	model string // its address

	actions []time.Duration
	changes [][]time.Duration // by document
}

func (l *load) name(n int) string { return fmt.Sprintf("doc%d.txt", n) }

// text is a document after some changes, each of which wrote over one line.
func (l *load) text(n int, changes []string) string {
	lines := make([]string, loadLines)
	for i := range lines {
		lines[i] = fmt.Sprintf("document %d, line %d", n, i)
	}
	for i, with := range changes {
		lines[i%loadLines] = with
	}
	return strings.Join(lines, "\n") + "\n"
}

func (l *load) play(ctx context.Context, p *process) error {
	for n := range l.Documents {
		if err := p.Open(filepath.Join(p.root, l.name(n)), "plaintext", l.text(n, nil)); err != nil {
			return err
		}
	}
	front := filepath.Join(p.root, l.name(0))
	ask := map[string]any{"uri": editor.URI(front), "instruction": "go on"}
	for i, command := range []string{"coauthor.edit", "coauthor.ask"} {
		if _, err := p.Command(ctx, command, ask); err != nil {
			return err
		}
		if _, err := l.wait(ctx, i+1); err != nil { // until both are streaming
			return err
		}
	}
	typing, stop := context.WithTimeout(ctx, l.For)
	defer stop()
	written := make([][]string, l.Documents)
	l.changes = make([][]time.Duration, l.Documents)
	failed := make([]error, l.Documents)
	var all sync.WaitGroup
	for n := range l.Documents {
		all.Go(func() { written[n], l.changes[n], failed[n] = l.types(ctx, typing, p, n) })
	}
	err := l.asks(ctx, typing, p, front)
	all.Wait()
	if err := errors.Join(append(failed, err)...); err != nil {
		return err
	}
	heard, err := l.heard(ctx)
	if err != nil {
		return err
	}
	if heard.Asked != 2 {
		return fmt.Errorf("the model got %d requests instead of two", heard.Asked)
	}
	if _, err := p.Command(ctx, "coauthor.cancel", map[string]any{}); err != nil {
		return err
	}
	return l.compare(ctx, p, ask, written)
}

// wait returns what the model was sent when it was asked so many times.
func (l *load) wait(ctx context.Context, times int) (loadHeard, error) {
	for {
		h, err := l.heard(ctx)
		if err != nil || h.Asked >= times {
			return h, err
		}
		select {
		case <-ctx.Done():
			return h, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// types changes one line after the other of a document at the rate, until typing ends.
func (l *load) types(ctx, typing context.Context, p *process, n int) (written []string, times []time.Duration, err error) {
	tick := time.NewTicker(time.Second / time.Duration(l.Rate))
	defer tick.Stop()
	name := filepath.Join(p.root, l.name(n))
	for i := 0; ; i++ {
		select {
		case <-tick.C:
		case <-typing.Done():
			return written, times, nil
		}
		with := fmt.Sprintf("document %d, change %d", n, i)
		begin := time.Now()
		if err := p.ReplaceLine(name, i%loadLines, with); err != nil {
			return nil, nil, err
		}
		if err := p.Sync(ctx); err != nil {
			return nil, nil, err
		}
		times = append(times, time.Since(begin))
		written = append(written, with)
	}
}

// asks asks for code actions as fast as one types, until typing ends.
func (l *load) asks(ctx, typing context.Context, p *process, front string) error {
	tick := time.NewTicker(time.Second / time.Duration(l.Rate))
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-typing.Done():
			return nil
		}
		begin := time.Now()
		titles, err := p.CodeActions(ctx, front, 1)
		if err != nil {
			return err
		}
		l.actions = append(l.actions, time.Since(begin))
		if len(titles) == 0 {
			return errors.New("the server offered no code action during the turns")
		}
	}
}

// compare asks once more, and looks for every document in what the model is sent.
func (l *load) compare(ctx context.Context, p *process, ask map[string]any, written [][]string) error {
	if _, err := p.Command(ctx, "coauthor.ask", ask); err != nil {
		return err
	}
	heard, err := l.wait(ctx, 3) // behind the two that were stopped
	if err != nil {
		return err
	}
	var request struct{ Messages []struct{ Content any } }
	if err := json.Unmarshal([]byte(heard.Prompt), &request); err != nil {
		return err
	}
	var all strings.Builder
	for _, m := range request.Messages {
		fmt.Fprintln(&all, m.Content)
	}
	for n, changes := range written {
		if want := l.text(n, changes); !strings.Contains(all.String(), want) {
			return fmt.Errorf("the prompt does not contain %s as typed:\n%.4000s", l.name(n), all.String())
		}
	}
	return nil
}
