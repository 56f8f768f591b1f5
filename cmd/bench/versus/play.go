package versus

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"coauthor/agent/llm/llmtest"
)

// Program is a coder that can be played to.
type Program interface {
	Name() string
	// Command is how a user runs it for a case, with a model behind url (without /v1). home is an
	// empty folder for its own files; the caller sets the working folder.
	Command(ctx context.Context, c Case, url, home string) (*exec.Cmd, error)
}

// Played is what came of one play.
type Played struct {
	Tree   Tree
	Calls  int           // of the model
	Wall   time.Duration // of the process, without what the model took
	Work   time.Duration // the same from the first call on: without the start of the program
	CPU    time.Duration // of the process and those that it started
	Output string
}

const (
	homeName = "home"
	treeName = "tree"
	longest  = 5 * time.Minute // one play, on a busy machine
)

// play runs one program on a fresh tree of a case.
func play(ctx context.Context, dir string, c Case, p Program) (Played, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	box, err := os.MkdirTemp(dir, c.Name+"-")
	if err != nil {
		return Played{}, err
	}
	root, home := filepath.Join(box, treeName), filepath.Join(box, homeName)
	for _, folder := range []string{root, home} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			return Played{}, err
		}
	}
	if err := c.Tree.write(root); err != nil {
		return Played{}, err
	}
	if err := commit(ctx, root); err != nil {
		return Played{}, err
	}
	script, err := c.script()
	if err != nil {
		return Played{}, err
	}
	m := serve(script)
	defer m.close()
	cmd, err := p.Command(ctx, c, m.url(), home)
	if err != nil {
		return Played{}, err
	}
	cmd.Dir = root
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	wall := time.Since(begin)
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || ctx.Err() != nil) {
		return Played{}, fmt.Errorf("run it: %w\n%s", err, out)
	}
	first, within, calls := m.took()
	if calls == 0 {
		return Played{}, fmt.Errorf("the model was never called\n%s", out)
	}
	r := Played{Calls: calls, Wall: wall - within, Work: wall - first.Sub(begin) - within,
		CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), Output: string(out)}
	r.Tree, err = readTree(root)
	return r, err
}

// commit makes a git repository of a tree, as most trees are one.
func commit(ctx context.Context, root string) error {
	for _, line := range []string{"init -q", "config core.autocrlf false", "config user.name bench", "config user.email bench@example.invalid",
		"add -A", "commit -qm start"} {
		cmd := exec.CommandContext(ctx, "git", strings.Fields(line)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w\n%s", line, err, out)
		}
	}
	return nil
}

// model is the scripted server, with a clock.
type model struct {
	script *llmtest.Server
	front  *httptest.Server

	mu     sync.Mutex
	first  time.Time     // guarded by mu: when the first call came
	within time.Duration // guarded by mu: from each call to the end of its answer
	calls  int           // guarded by mu
}

func serve(s *llmtest.Script) *model {
	m := &model{script: llmtest.Start(s)}
	m.front = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begin := time.Now()
		m.script.ServeHTTP(w, r)
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.calls == 0 {
			m.first = begin
		}
		m.calls++
		m.within += time.Since(begin)
	}))
	return m
}

func (m *model) url() string { return m.front.URL }

func (m *model) took() (first time.Time, within time.Duration, calls int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.first, m.within, m.calls
}

func (m *model) close() {
	m.front.Close()
	m.script.Close()
}
