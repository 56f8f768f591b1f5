package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"coauthor/cmd/editor"
)

// soakOptions are those of a long session.
type soakOptions struct {
	Binary string `help:"The coauthor program to measure. Default: a new build."`
	Turns  int    `default:"1000" help:"Number of turns in the session."`
}

// run has one server go through many turns: changes that are applied, discarded and undone, questions, and turns that are
// stopped. It tells what the process holds meanwhile, where the system shows that.
func (o *soakOptions) run(ctx context.Context, out io.Writer) error {
	dir, err := benchFolder(ctx, &o.Binary)
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := &soak{begun: make(chan struct{}, 1), ended: make(chan string, 8)}
	m := &model{}
	m.Server = httptest.NewServer(s)
	defer m.Close()
	text := "x = 0\n" + strings.Repeat("y = 'some text that would be seen to stay'\n", 400)
	p, err := launch(ctx, options{Binary: o.Binary}, dir, map[string]string{"a.py": text}, settings(m.URL, "diff"), editor.Hooks{
		State: func(state, _ string) {
			switch state {
			case "proposed", "answered", "failed", "cancelled":
				select {
				case s.ended <- state:
				default:
				}
			}
		},
	})
	if err != nil {
		return err
	}
	name := filepath.Join(p.root, "a.py")
	if err := p.Open(name, "python", text); err != nil {
		return err
	}
	fmt.Fprintf(out, "| turns | resident | descriptors | threads |\n|---|---|---|---|\n")
	for n := 1; n <= o.Turns; n++ {
		if err := s.turn(ctx, p, name, n); err != nil {
			return fmt.Errorf("turn %d: %w\n%s", n, err, p.log.String())
		}
		if n == 1 || n%max(1, o.Turns/10) == 0 {
			fmt.Fprintf(out, "| %d | %s |\n", n, holds(p.cmd.Process.Pid))
		}
	}
	return p.end(ctx)
}

// soak is the model of a long session, which knows what the file reads.
type soak struct {
	begun chan struct{} // a turn that is to be stopped has begun
	ended chan string   // how a turn ended

	mu    sync.Mutex
	value int // of x in the file; guarded by mu
}

// ServeHTTP changes x where it is asked for a change, goes on until it is stopped where it is asked to, and else says a word.
func (s *soak) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	var request struct{ Messages []struct{ Content any } }
	_ = json.Unmarshal(body, &request) // what is no request is answered with a word
	asked := ""
	if n := len(request.Messages); n > 0 {
		asked = fmt.Sprint(request.Messages[n-1].Content)
	}
	short := &model{reply: "Fine.\n"}
	switch {
	case strings.Contains(asked, "change x"):
		s.mu.Lock()
		short.reply = fmt.Sprintf("a.py\n```python\n<<<<<<< SEARCH\nx = %d\n=======\nx = %d\n>>>>>>> REPLACE\n```\n", s.value, s.value+1)
		s.mu.Unlock()
	case strings.Contains(asked, "until you are stopped"):
		w.Header().Set("Content-Type", "text/event-stream")
		short.send(w, "One moment", "")
		s.begun <- struct{}{}
		<-r.Context().Done()
		return
	}
	r.Body = http.NoBody
	short.answer(w, r)
}

// turn is one turn of a kind that goes by its number.
func (s *soak) turn(ctx context.Context, p *process, name string, n int) error {
	command, instruction := "coauthor.edit", "change x"
	switch n % 5 {
	case 3:
		command, instruction = "coauthor.ask", "what is x?"
	case 4:
		command, instruction = "coauthor.ask", "talk until you are stopped"
	}
	if _, err := p.Command(ctx, command, map[string]any{"uri": editor.URI(name), "instruction": instruction}); err != nil {
		return err
	}
	if n%5 == 4 {
		select {
		case <-s.begun:
		case <-ctx.Done():
			return ctx.Err()
		}
		if _, err := p.Command(ctx, "coauthor.cancel", map[string]any{}); err != nil {
			return err
		}
	}
	select {
	case state := <-s.ended:
		if want := map[int]string{3: "answered", 4: "cancelled"}[n%5]; state != want && want != "" || state == "failed" {
			return fmt.Errorf("it ended %s", state)
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	if n%5 < 3 { // what was never shown is not decided on
		if _, err := p.Command(ctx, "coauthor.showPending", map[string]any{"uri": editor.URI(name)}); err != nil {
			return err
		}
	}
	var decisions []string
	switch n % 5 {
	case 0:
		decisions = []string{"apply", "undoTurn"}
	case 1:
		decisions = []string{"apply"}
	case 2:
		decisions = []string{"discard"}
	}
	for _, decision := range decisions {
		result, err := p.Command(ctx, "coauthor."+decision, map[string]any{"uri": editor.URI(name)})
		if err != nil {
			return err
		}
		want := map[string]string{"apply": "applied", "undoTurn": "undone", "discard": "discarded"}[decision]
		if result["status"] != want {
			return fmt.Errorf("%s: %v", decision, result)
		}
	}
	if n%5 == 1 {
		s.mu.Lock()
		s.value++
		s.mu.Unlock()
	}
	return nil
}

// holds tells what a process has, in the columns of the table.
func holds(pid int) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return "not available on this system | | "
	}
	field := func(name string) string {
		_, rest, _ := strings.Cut(string(status), "\n"+name+":")
		line, _, _ := strings.Cut(rest, "\n")
		return strings.TrimSpace(line)
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return field("VmRSS") + " | not shown | " + field("Threads")
	}
	return fmt.Sprintf("%s | %d | %s", field("VmRSS"), len(files), field("Threads"))
}
