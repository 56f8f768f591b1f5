package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"time"

	"coauthor/cmd/editor"
)

func settings(url, format string) map[string]any {
	return map[string]any{"model": "bench", "apiBase": url, "editFormat": format, "verify": "off",
		"preview": "diff", "repoMap": map[string]any{"enabled": false}}
}

// actions measures code actions while a turn streams.
func actions(ctx context.Context, o options, dir string) ([]time.Duration, error) {
	var words strings.Builder
	for i := range 100000 { // a reply that repeats itself is not heard to its end
		fmt.Fprintf(&words, "word%d ", i)
	}
	m := serveModel(words.String(), 0, 2*time.Millisecond)
	defer m.Close()
	prose := 0
	p, err := launch(ctx, o, dir, map[string]string{"a.py": "x = 1\n"}, settings(m.URL, "diff"), editor.Hooks{Prose: func(string) { prose++ }})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(p.root, "a.py")
	if err := p.Open(name, "python", "x = 1\n"); err != nil {
		return nil, err
	}
	if _, err := p.Command(ctx, "coauthor.edit", map[string]any{"uri": editor.URI(name), "instruction": "go on"}); err != nil {
		return nil, err
	}
	if err := p.WaitFor(ctx, "the first words", func() bool { return prose > 0 }); err != nil {
		return nil, err
	}
	var samples []time.Duration
	for range 2000 {
		begin := time.Now()
		titles, err := p.CodeActions(ctx, name, 1)
		if err != nil {
			return nil, err
		}
		samples = append(samples, time.Since(begin))
		if len(titles) == 0 {
			return nil, fmt.Errorf("the server offered no code action during the turn")
		}
	}
	if _, err := p.Command(ctx, "coauthor.cancel", map[string]any{}); err != nil {
		return nil, err
	}
	return samples, p.end(ctx)
}

// changes measures a change in a large document together with a request that the server can only
// answer after it, so the figure is an upper bound of the change itself.
func changes(ctx context.Context, o options, dir string) ([]time.Duration, error) {
	line := strings.Repeat("x", 63) + "\n"
	text := strings.Repeat(line, 1<<20/len(line))
	p, err := launch(ctx, o, dir, nil, map[string]any{"repoMap": map[string]any{"enabled": false}}, editor.Hooks{})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(p.root, "big.txt")
	if err := p.Open(name, "plaintext", text); err != nil {
		return nil, err
	}
	var samples []time.Duration
	for i := range 2000 {
		begin := time.Now()
		if err := p.ReplaceLine(name, (i*7919)%(1<<14), fmt.Sprintf("line %d", i)); err != nil {
			return nil, err
		}
		if _, err := p.CodeActions(ctx, name, 0); err != nil {
			return nil, err
		}
		samples = append(samples, time.Since(begin))
	}
	return samples, p.end(ctx)
}

// cancels measures the way from the command that stops a turn to the end of the connection at the model's side.
func cancels(ctx context.Context, o options, dir string) ([]time.Duration, error) {
	begun, gone := make(chan struct{}, 1), make(chan time.Time, 1)
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // what is cut off has come as far as it will
		w.Header().Set("Content-Type", "text/event-stream")
		m.send(w, "One moment", "")
		begun <- struct{}{}
		<-r.Context().Done()
		gone <- time.Now()
	}))
	defer m.Close()
	p, err := launch(ctx, o, dir, map[string]string{"a.py": "x = 1\n"}, settings(m.URL, "diff"), editor.Hooks{})
	if err != nil {
		return nil, err
	}
	name := filepath.Join(p.root, "a.py")
	if err := p.Open(name, "python", "x = 1\n"); err != nil {
		return nil, err
	}
	var samples []time.Duration
	for range o.Rounds {
		if _, err := p.Command(ctx, "coauthor.ask", map[string]any{"uri": editor.URI(name), "instruction": "go on"}); err != nil {
			return nil, err
		}
		select {
		case <-begun:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		stopped := time.Now()
		if _, err := p.Command(ctx, "coauthor.cancel", map[string]any{}); err != nil {
			return nil, err
		}
		select {
		case at := <-gone:
			samples = append(samples, at.Sub(stopped))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return samples, p.end(ctx)
}

const fileLines = 5000

// bigFile has lines that differ, as source does; edited(i) says which of them the reply changes.
func bigFile(edited func(i int) bool) (before, after []string) {
	for i := range fileLines {
		l := fmt.Sprintf("value_%d = compute(%d, %q)", i, i*37%101, fmt.Sprint("item ", i))
		before = append(before, l)
		if edited(i) {
			l = strings.Replace(l, "compute", "recompute", 1)
		}
		after = append(after, l)
	}
	return before, after
}

// fewPlaces: 20 SEARCH/REPLACE blocks, spread over the file.
func fewPlaces(ctx context.Context, o options, dir string) ([]time.Duration, error) {
	before, after := bigFile(func(i int) bool { return i%250 == 100 })
	var b strings.Builder
	for i := range before {
		if before[i] != after[i] {
			fmt.Fprintf(&b, "big.py\n```python\n<<<<<<< SEARCH\n%s\n%s\n=======\n%s\n%s\n>>>>>>> REPLACE\n```\n\n",
				before[i-1], before[i], before[i-1], after[i])
		}
	}
	return proposals(ctx, o, dir, "diff", strings.Join(before, "\n")+"\n", b.String())
}

// halfTheLines: the whole file again, every second line changed.
func halfTheLines(ctx context.Context, o options, dir string) ([]time.Duration, error) {
	before, after := bigFile(func(i int) bool { return i%2 == 1 })
	reply := "big.py\n```python\n" + strings.Join(after, "\n") + "\n```\n"
	return proposals(ctx, o, dir, "whole", strings.Join(before, "\n")+"\n", reply)
}

// proposals times the way from the model's last byte to the editor's hearing of the proposal.
func proposals(ctx context.Context, o options, dir, format, text, reply string) ([]time.Duration, error) {
	m := serveModel(reply, 300*time.Millisecond, 0)
	defer m.Close()
	var samples []time.Duration
	for range o.Rounds {
		var proposed time.Time
		failed := ""
		p, err := launch(ctx, o, dir, map[string]string{"big.py": text}, settings(m.URL, format), editor.Hooks{
			State: func(state, message string) {
				switch state {
				case "proposed", "pending":
					if proposed.IsZero() {
						proposed = time.Now()
					}
				case "failed", "answered":
					failed = state + " " + message
				}
			},
		})
		if err != nil {
			return nil, err
		}
		name := filepath.Join(p.root, "big.py")
		if err := p.Open(name, "python", text); err != nil {
			return nil, err
		}
		if _, err := p.Command(ctx, "coauthor.edit", map[string]any{"uri": editor.URI(name), "instruction": "change it"}); err != nil {
			return nil, err
		}
		if err := p.WaitFor(ctx, "the proposal", func() bool { return !proposed.IsZero() || failed != "" }); err != nil {
			return nil, err
		}
		if failed != "" {
			return nil, fmt.Errorf("no proposal arrived: %s", failed)
		}
		samples = append(samples, proposed.Sub(m.lastByte()))
		if err := p.end(ctx); err != nil {
			return nil, err
		}
	}
	return samples, nil
}
