package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func bytesReader(b []byte) io.Reader { return bytes.NewReader(b) }

// hung is how long a condition may take before the test is said to hang, on a machine that has much else to
// do. Nothing is measured by it.
const hung = time.Minute

// nvim is a running Neovim with a screen, driven as a terminal would drive it: keys go in, cells
// come out. Requests answer questions that a screen cannot (buffer texts).
type nvim struct {
	t     testing.TB
	cmd   *exec.Cmd
	stdin io.WriteCloser
	older bool // Neovim 0.7

	mu      sync.Mutex
	next    int
	waiting map[int]chan reply // guarded by mu
	screen  *screen            // guarded by mu
	dead    error              // guarded by mu
	done    chan struct{}      // closed when Neovim's output has ended
}

type reply struct {
	value any
	err   error
}

// startNvim starts the Neovim of a cache folder (nvim07, nvim010, nvim012) in the project, with nothing of
// the user's own configuration but init, a Lua file of testdata.
func startNvim(w *world, prefix, init string) *nvim {
	t := w.t
	t.Helper()
	init, err := filepath.Abs(filepath.Join("testdata", init))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(prefix, "run"), "nvim", "--embed", "-n", "-i", "NONE", "-u", init)
	cmd.Dir = w.dir
	cmd.Env = append(w.env(), nvimEnv(w, prefix)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start Neovim: %v", err)
	}
	n := &nvim{t: t, cmd: cmd, stdin: in, waiting: map[int]chan reply{}, screen: newScreen(110, 32), done: make(chan struct{}), older: filepath.Base(prefix) == oldest}
	go n.listen(bufio.NewReader(out))
	t.Cleanup(n.stop)
	n.call("nvim_ui_attach", 110, 32, map[string]any{"rgb": true, "ext_linegrid": true})
	return n
}

// nvimEnv is what the init files read, and where an unpacked Neovim finds its own files.
func nvimEnv(w *world, prefix string) []string {
	return []string{
		"VIMRUNTIME=" + filepath.Join(prefix, "root/usr/share/nvim/runtime"),
		"COAUTHOR_TEST_PARSERS=" + filepath.Join(prefix, "root/usr/lib/nvim"),
		"COAUTHOR_TEST_PLUGIN=" + pluginDir(w.t),
		"COAUTHOR_TEST_PLAIN=" + w.plain(),
	}
}

// stop ends Neovim as a user would, so that its server is told to go, and then for good.
func (n *nvim) stop() {
	n.input("<C-\\><C-n><Esc><Esc>:qa!<CR>")
	select {
	case <-n.done:
	case <-time.After(hung):
		n.t.Errorf("Neovim does not quit; its screen:\n%s", n.text())
		_ = n.cmd.Process.Kill() // it hangs already
	}
	_ = n.cmd.Wait() // how it ended was seen above
}

func (n *nvim) listen(in *bufio.Reader) {
	defer close(n.done)
	for {
		v, err := unpack(in)
		if err != nil {
			n.mu.Lock()
			n.dead = fmt.Errorf("Neovim is gone: %w", err)
			for _, c := range n.waiting {
				c <- reply{err: n.dead}
			}
			n.waiting = nil
			n.mu.Unlock()
			return
		}
		n.take(v)
	}
}

func (n *nvim) take(v any) {
	m, ok := v.([]any)
	if !ok || len(m) < 3 {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	switch kind, _ := m[0].(int64); {
	case kind == 1 && len(m) == 4:
		id, _ := m[1].(int64)
		r := reply{value: m[3]}
		if m[2] != nil {
			r.err = fmt.Errorf("%v", m[2])
		}
		if c := n.waiting[int(id)]; c != nil {
			delete(n.waiting, int(id))
			c <- r
		}
	case kind == 2 && m[1] == "redraw":
		events, _ := m[2].([]any)
		for _, e := range events {
			n.screen.draw(e)
		}
	}
}

func (n *nvim) request(method string, args ...any) (any, error) {
	if args == nil {
		args = []any{}
	}
	n.mu.Lock()
	if n.dead != nil {
		defer n.mu.Unlock()
		return nil, n.dead
	}
	n.next++
	answer := make(chan reply, 1) // one reply ever comes
	n.waiting[n.next] = answer
	_, err := n.stdin.Write(pack(nil, []any{0, n.next, method, args}))
	n.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case r := <-answer:
		return r.value, r.err
	case <-time.After(hung):
		return nil, errors.New(method + ": no answer")
	}
}

func (n *nvim) call(method string, args ...any) any {
	n.t.Helper()
	v, err := n.request(method, args...)
	if err != nil {
		n.t.Fatalf("%s: %v\n%s", method, err, n.text())
	}
	return v
}

// newerVim gives a piece of Lua, and nothing else in Neovim 0.7, two functions that it lacks.
const newerVim = `local vim = (function(real)
  local lsp = {}
  function lsp.get_clients(filter)
    local bufnr = filter and filter.bufnr
    bufnr = bufnr == 0 and real.api.nvim_get_current_buf() or bufnr
    return real.tbl_filter(function(c)
      return (not bufnr or real.lsp.buf_is_attached(bufnr, c.id)) and (not (filter and filter.name) or c.name == filter.name)
    end, real.lsp.get_active_clients())
  end
  function lsp.start(config, opts)
    real.lsp.buf_attach_client(opts and opts.bufnr or 0, real.lsp.start_client(config))
  end
  return setmetatable({ lsp = setmetatable(lsp, { __index = real.lsp }) }, { __index = real })
end)(vim)
`

// lua runs a piece of Lua in Neovim and returns what it returns.
func (n *nvim) lua(code string, args ...any) any {
	n.t.Helper()
	if args == nil {
		args = []any{}
	}
	if n.older {
		code = newerVim + code
	}
	return n.call("nvim_exec_lua", code, args)
}

// input types keys, as a user does: Neovim takes them when it comes to it, also in a prompt.
func (n *nvim) input(keys string) {
	_, _ = n.request("nvim_input", keys) // a dead Neovim shows itself in the next question
}

// keys types and waits until Neovim has taken all of it and can be asked again.
func (n *nvim) keys(keys string) {
	n.t.Helper()
	n.input(keys)
	n.call("nvim_eval", "1")
}

// pressEnter goes on behind a message that takes more than a line. Before Neovim asks for it the key would
// go elsewhere, and Neovim would then answer nothing; so what leads to such a message is typed with input.
func (n *nvim) pressEnter() {
	n.t.Helper()
	n.see("Press ENTER")
	n.input("<CR>")
}

// text is the screen, one string a row.
func (n *nvim) text() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.screen.text()
}

// see waits until the screen shows a text.
func (n *nvim) see(want string) {
	n.t.Helper()
	n.until("the screen shows "+want, func() bool { return strings.Contains(n.text(), want) })
}

// seePending waits until the statusline says that so much waits. In the preview Neovim 0.7 has other lines there.
func (n *nvim) seePending(files string) {
	n.t.Helper()
	want := "coauthor: " + files + " pending"
	n.until("the statusline says "+want, func() bool {
		if n.older {
			said, _ := n.lua("return require('coauthor').statusline()").(string)
			return strings.HasPrefix(said, want)
		}
		return strings.Contains(n.text(), want)
	})
}

// until waits for a condition.
func (n *nvim) until(what string, ok func() bool) {
	n.t.Helper()
	if !wait(ok) {
		n.t.Fatalf("never happened: %s. The screen:\n%s\nmessages:\n%v", what, n.text(), n.messages())
	}
}

func (n *nvim) messages() any {
	mode, err := n.request("nvim_get_mode")
	if m, _ := mode.(map[string]any); err != nil || m["blocking"] == true {
		return "(waiting for a key)"
	}
	v, _ := n.request("nvim_exec_lua", "return vim.fn.execute('messages')", []any{})
	return v
}

// wait polls, because a condition in another process sends no signal.
func wait(ok func() bool) bool { return waitFor(hung, ok) }

// wait1 gives a condition a moment, where the keys that lead to it may be pressed again.
func wait1(ok func() bool) bool { return waitFor(2*time.Second, ok) }

// waitFor looks at a condition ever less often. One that needs a program to be looked at, as a screen of tmux does, would else take a good part of a processor.
func waitFor(limit time.Duration, ok func() bool) bool {
	deadline := time.Now().Add(limit)
	for pause := 10 * time.Millisecond; !ok(); pause = min(pause*3/2, 50*time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}

// buffer is the text of the buffer of a file, or "" and false where there is none.
func (n *nvim) buffer(path string) (string, bool) {
	n.t.Helper()
	v := n.lua(`
		local b = vim.fn.bufnr('^' .. vim.fn.fnameescape(...) .. '$')
		if b < 0 or not vim.api.nvim_buf_is_loaded(b) then return vim.NIL end
		return table.concat(vim.api.nvim_buf_get_lines(b, 0, -1, false), '\n') .. '\n'`, path)
	s, ok := v.(string)
	return s, ok
}

// wantBuffer waits until the buffer of a file holds exactly this text.
func (n *nvim) wantBuffer(path, want string) {
	n.t.Helper()
	var got string
	if !wait(func() bool { got, _ = n.buffer(path); return got == want }) {
		n.t.Fatalf("buffer %s holds\n%s\nwant\n%s\nscreen:\n%s\nmessages:\n%v", filepath.Base(path), got, want, n.text(), n.messages())
	}
}
