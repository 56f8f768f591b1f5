package sandbox

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// order is what ServeShadow is asked to do.
type order struct {
	Argv  []string // none tries whether the rest is possible
	Plain bool     // it runs where it is, without namespaces, and there is no world of its own
	Dir   string   // where it runs
	Env   []string
	world
	Network   bool   // it reaches the machine's network
	Reads     bool   // it reads what the helper has as its input
	Temp      string // a folder of ours for temporary files
	TempAt    string // where it is seen: where the user's are, so that no tool takes their name for another input; Temp itself where that is in the root
	Processes int
	Memory    int64
	File      int64 // the largest file that it may write
}

// answer is what ServeShadow says: first that the command runs, then how it ended.
type answer struct {
	Failed  string // there is no shadow, and why
	Missing string // there is no such program
	Ended   bool
	Code    int
	Stopped string
}

// overlaid runs a command in namespaces of its own. Our own program is its parent there: it mounts the folders,
// gives up every right that it needed for that, and ends everything when the command ends, when it is told
// to, or when this process is gone.
func (s *Shadow) overlaid(ctx context.Context, j Job) (Executed, error) {
	var made order
	r, err := helped(ctx, s.o.Helper, help{limits: j.limits, disk: j.dir, out: j.told.out()}, func() (_ order, err error) {
		made, err = s.order(j)
		return made, err
	})
	if err == nil {
		r.Back = textsIn(made.upper(j.root), j.root, j.Back)
	}
	return r, err
}

// upper is the folder of ours that lies over another one.
func (o order) upper(at string) string {
	i := slices.IndexFunc(o.Mounts, func(m mount) bool { return m.At == at })
	return o.Mounts[max(i, 0)].Upper
}

// tryOverlay says why there can be no overlay over a folder: it makes one and runs nothing in it.
func (s *Shadow) tryOverlay(ctx context.Context, root string) error {
	if len(s.o.Helper) == 0 {
		return errors.New("this program runs without support for namespaces")
	}
	j := Job{Root: root, limits: trial}
	if err := s.prepare(&j); err != nil {
		return err
	}
	defer removeAll(j.dir)
	_, err := s.overlaid(ctx, j)
	return err
}

// apart runs a command in namespaces of its own, in a folder where what it writes stays.
func (s *Shadow) apart(ctx context.Context, x Execution, h help) (Executed, error) {
	j := Job{Command: func(string) []string { return x.Argv }, Root: x.Dir, stays: true, Visible: x.Visible, limits: h.limits}
	if err := s.prepare(&j); err != nil {
		return Executed{}, err
	}
	defer removeAll(j.dir)
	h.network = true
	return helped(ctx, s.o.Helper, h, func() (order, error) {
		o, err := s.order(j)
		o.Network, o.Reads = true, x.In != nil
		o.Env = slices.DeleteFunc(slices.Clone(x.Environ), func(kv string) bool { return strings.HasPrefix(kv, "TMPDIR=") })
		if o.TempAt != "/tmp" {
			o.Env = append(o.Env, "TMPDIR="+o.TempAt)
		}
		return o, err
	})
}

// helped has a helper carry out an order, which is prepared while it starts.
func helped(ctx context.Context, helper []string, h help, prepare func() (order, error)) (r Executed, err error) {
	toHelper, ours, err := os.Pipe()
	if err != nil {
		return Executed{}, fmt.Errorf("open a pipe: %w", err)
	}
	defer ours.Close()
	defer toHelper.Close()
	answers, fromHelper, err := os.Pipe()
	if err != nil {
		return Executed{}, fmt.Errorf("open a pipe: %w", err)
	}
	defer answers.Close()
	defer fromHelper.Close()

	cmd := exec.CommandContext(ctx, helper[0], helper[1:]...)
	cmd.Dir, cmd.Env = "/", []string{"GOMAXPROCS=2", "GOGC=off", "GOMEMLIMIT=64MiB"} // it is small, and is waited for while it starts
	stdout, stderr := h.sink(), h.sink()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if h.in != nil {
		cmd.Stdin = h.in
	}
	cmd.ExtraFiles = []*os.File{toHelper, fromHelper}
	cmd.WaitDelay = 10 * time.Second                      // everything that could hold the pipes is dead by then
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what ends us from a terminal is ours to pass on
	kill := func() { _ = cmd.Process.Kill() }             // the first process of its namespace takes all others with it
	if h.plain {
		kill = func() { _ = ours.Close() } // it ends what it has started before it ends itself
		cmd.Cancel = func() error { kill(); return nil }
	} else {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
		if !h.network {
			cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWNET
		}
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		// What mounting over folders of other owners, and waking the loopback, takes.
		cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER, unix.CAP_NET_ADMIN, unix.CAP_SYS_ADMIN}
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		switch {
		case ctx.Err() != nil:
			return Executed{}, ctx.Err()
		case h.plain:
			return Executed{}, fmt.Errorf("start %s: %w", helper[0], err)
		}
		return Executed{}, fmt.Errorf("this system does not allow namespaces: %w", err)
	}
	_ = toHelper.Close()
	_ = fromHelper.Close()
	o, err := prepare()
	if err != nil {
		_ = ours.Close()
		_ = cmd.Wait() // it has nothing to do
		return Executed{}, err
	}
	sent := make(chan error, 1)
	go func() { sent <- json.NewEncoder(ours).Encode(o) }()
	w := newWatch(h, func() { _ = cmd.Process.Signal(syscall.SIGTERM) }, kill)
	a := listen(answers)
	waited := cmd.Wait()
	w.end()
	unsent := <-sent
	r = Executed{Code: a.Code, Out: stdout.String(), Err: stderr.String(), Took: time.Since(begun), Stopped: w.stopped(), Missing: a.Missing != ""}
	if r.Stopped == "" {
		r.Stopped = a.Stopped
	}
	switch {
	case ctx.Err() != nil:
		return Executed{}, ctx.Err()
	case a.Failed != "":
		return Executed{}, errors.New(a.Failed)
	case !a.Ended && r.Stopped == "" && !r.Missing:
		return Executed{}, fmt.Errorf("run %s: its parent process ended early: %w", o.Argv, errors.Join(waited, unsent, errors.New(lastLine(r.Err))))
	}
	return r, nil
}

// listen reads answers until there are no more, and returns the last.
func listen(from *os.File) (a answer) {
	in := json.NewDecoder(bufio.NewReader(from))
	for {
		var next answer
		if in.Decode(&next) != nil {
			return a
		}
		a = next
	}
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// order prepares the folders of a run.
func (s *Shadow) order(j Job) (order, error) {
	o := order{Dir: filepath.Join(j.root, filepath.FromSlash(j.Dir)), Temp: j.temp(), Processes: j.limits.Processes, Memory: j.limits.Memory, File: j.limits.Written}
	upper, err := s.world(&o, j)
	if err != nil {
		return order{}, err
	}
	temp := value(s.o.Environ, "TMPDIR") // in the user's words, so that no tool takes it for another input
	if real, err := filepath.EvalSymlinks(temp); o.TempAt == o.Temp || temp != "" && (err != nil || real != o.TempAt) {
		temp = o.TempAt
	}
	o.Argv, o.Env = j.argv(o.TempAt), append(Environment(s.o.Environ, temp), "GIT_DISCOVERY_ACROSS_FILESYSTEM=1") // what is laid over a folder is one by itself
	if j.stays {
		return o, nil
	}
	return o, lay(j.root, upper, j.Laid)
}

// bounded runs a command where it is, below a helper that watches over it.
func bounded(ctx context.Context, helper []string, x Execution, h help) (Executed, error) {
	if len(helper) == 0 {
		return direct(ctx, x, h)
	}
	h.plain = true
	return helped(ctx, helper, h, func() (order, error) {
		return order{Plain: true, Reads: x.In != nil, Argv: x.Argv, Dir: x.Dir, Env: x.Environ,
			Processes: h.limits.Processes, Memory: h.limits.Memory, File: h.limits.Written}, nil
	})
}

// mostMemory is what a command may take of the machine's memory.
func mostMemory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit) / 4 * 3
}
