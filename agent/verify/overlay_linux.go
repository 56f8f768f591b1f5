package verify

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// layer is a folder that a command sees with its own writes over it.
type layer struct {
	At    string // where it lies, and where it is seen
	Upper string // what is over it
	Work  string // for the kernel
}

// order is what ServeShadow is asked to do.
type order struct {
	Argv      []string // none tries whether the rest is possible
	Plain     bool     // it runs where it is, without namespaces, and the folders below are not read
	Dir       string   // where it runs
	Env       []string
	Layers    []layer // the last is the root
	Temp      string  // a folder of ours for temporary files
	TempAt    string  // where it is seen: where the user's are, so that no tool takes their name for another input; Temp itself where that is in use
	Hidden    []string
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
func (s *Shadow) overlaid(ctx context.Context, j job) (ran, error) {
	dir, err := s.runFolder()
	if err != nil {
		return ran{}, err
	}
	defer removeAll(dir)
	r, err := helped(ctx, s.o.Helper, help{limits: j.limits, disk: dir}, func() (order, error) { return s.order(dir, j) })
	if j.argv.reports() {
		r.report = reportIn(filepath.Join(dir, tempName))
	}
	return r, err
}

// tempName is the folder for temporary files in that of a command.
const tempName = "tmp"

// tryOverlay says why there can be no overlay over a folder: it makes one and runs nothing in it.
func (s *Shadow) tryOverlay(ctx context.Context, root string) error {
	if len(s.o.Helper) == 0 {
		return errors.New("this program was started without the means for namespaces")
	}
	_, err := s.overlaid(ctx, job{root: root, limits: Limits{Time: tryTime, Output: 1 << 10, Written: mostWritten, Processes: 16}})
	return err
}

// tryTime is how long a trial may take, on the slowest machine.
const tryTime = 30 * time.Second

// helped has a helper carry out an order, which is prepared while it starts.
func helped(ctx context.Context, helper []string, h help, prepare func() (order, error)) (r ran, err error) {
	toHelper, ours, err := os.Pipe()
	if err != nil {
		return ran{}, fmt.Errorf("open a pipe: %w", err)
	}
	defer ours.Close()
	defer toHelper.Close()
	answers, fromHelper, err := os.Pipe()
	if err != nil {
		return ran{}, fmt.Errorf("open a pipe: %w", err)
	}
	defer answers.Close()
	defer fromHelper.Close()

	cmd := exec.CommandContext(ctx, helper[0], helper[1:]...)
	cmd.Dir, cmd.Env = "/", []string{"GOMAXPROCS=2", "GOGC=off", "GOMEMLIMIT=64MiB"} // it is small, and is waited for while it starts
	stdout, stderr := newSink(h.limits.Output, h.out), newSink(h.limits.Output, h.out)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.ExtraFiles = []*os.File{toHelper, fromHelper}
	cmd.WaitDelay = 10 * time.Second                      // everything that could hold the pipes is dead by then
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what ends us from a terminal is ours to pass on
	kill := func() { _ = cmd.Process.Kill() }             // the first process of its namespace takes all others with it
	if h.plain {
		kill = func() { _ = ours.Close() } // it ends what it has started before it ends itself
		cmd.Cancel = func() error { kill(); return nil }
	} else {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
		// What mounting over folders of other owners, and waking the loopback, takes.
		cmd.SysProcAttr.AmbientCaps = []uintptr{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER, unix.CAP_NET_ADMIN, unix.CAP_SYS_ADMIN}
	}
	begun := time.Now()
	if err := cmd.Start(); err != nil {
		switch {
		case ctx.Err() != nil:
			return ran{}, ctx.Err()
		case h.plain:
			return ran{}, fmt.Errorf("start %s: %w", helper[0], err)
		}
		return ran{}, fmt.Errorf("namespaces are not allowed here: %w", err)
	}
	_ = toHelper.Close()
	_ = fromHelper.Close()
	o, err := prepare()
	if err != nil {
		_ = ours.Close()
		_ = cmd.Wait() // it has nothing to do
		return ran{}, err
	}
	sent := make(chan error, 1)
	go func() { sent <- json.NewEncoder(ours).Encode(o) }()
	w := newWatch(h, func() { _ = cmd.Process.Signal(syscall.SIGTERM) }, kill)
	a := listen(answers)
	waited := cmd.Wait()
	w.end()
	unsent := <-sent
	r = ran{code: a.Code, out: stdout.String(), err: stderr.String(), took: time.Since(begun), stopped: w.stopped(), missing: a.Missing != ""}
	if r.stopped == "" {
		r.stopped = a.Stopped
	}
	switch {
	case ctx.Err() != nil:
		return ran{}, ctx.Err()
	case a.Failed != "":
		return ran{}, errors.New(a.Failed)
	case !a.Ended && r.stopped == "" && !r.missing:
		return ran{}, fmt.Errorf("run %s: its parent process ended early: %w", o.Argv, errors.Join(waited, unsent, errors.New(lastLine(r.err))))
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
func (s *Shadow) order(dir string, j job) (order, error) {
	root, err := filepath.EvalSymlinks(j.root)
	if err != nil {
		return order{}, fmt.Errorf("find the folder: %w", err)
	}
	o := order{Dir: filepath.Join(root, filepath.FromSlash(j.dir)), Temp: filepath.Join(dir, tempName), Processes: j.limits.Processes, Memory: j.limits.Memory, File: j.limits.Written}
	if err := os.Mkdir(o.Temp, 0o700); err != nil {
		return order{}, fmt.Errorf("make a temporary folder: %w", err)
	}
	at := append(caches(s.o.Environ, root, dir), root)
	for i, name := range at {
		l := layer{At: name, Upper: filepath.Join(dir, fmt.Sprint("upper", i)), Work: filepath.Join(dir, fmt.Sprint("work", i))}
		mode := os.FileMode(0o700)
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm() | 0o700
		}
		for folder, mode := range map[string]os.FileMode{l.Upper: mode, l.Work: 0o700} {
			if err := os.Mkdir(folder, mode); err != nil {
				return order{}, fmt.Errorf("make a folder for what is written: %w", err)
			}
		}
		keepTime(name, l.Upper)
		o.Layers = append(o.Layers, l)
	}
	for _, name := range append([]string{value(s.o.Environ, "XDG_RUNTIME_DIR")}, sockets...) {
		if name != "" && name != "/" && !below(name, root) && !below(name, dir) {
			o.Hidden = append(o.Hidden, name)
		}
	}
	var temp string
	o.TempAt, temp = s.tempAt(o, dir)
	o.Argv, o.Env = j.command(o.TempAt), Environment(s.o.Environ, temp)
	return o, lay(root, o.Layers[len(o.Layers)-1].Upper, j.laid)
}

// tempAt is where a command sees the folder for its temporary files, and what it is told of that: the user's own place, so that
// no tool takes the name of another one for a change of what it depends on. Where that holds something that the command needs,
// it is the folder itself.
func (s *Shadow) tempAt(o order, dir string) (at, told string) {
	at, told = "/tmp", value(s.o.Environ, "TMPDIR")
	if real, err := filepath.EvalSymlinks(told); err == nil && filepath.IsAbs(real) && isDir(real) {
		at = real
	} else {
		told = ""
	}
	inUse := []string{dir, value(s.o.Environ, "HOME")}
	for _, l := range o.Layers {
		inUse = append(inUse, l.At)
		if below(l.At, at) {
			return o.Temp, o.Temp
		}
	}
	for _, name := range inUse {
		if below(at, name) {
			return o.Temp, o.Temp
		}
	}
	for _, name := range o.Hidden {
		if below(name, at) {
			return o.Temp, o.Temp
		}
	}
	return at, told
}

// sockets are places where other processes listen that do what they are asked to, in the user's name.
var sockets = []string{"/run/user", "/run/dbus", "/run/systemd", "/run/docker.sock", "/run/containerd", "/run/podman", "/run/snapd.socket", "/tmp/.X11-unix"}

// caches are folders outside of the root that tools fill, and that are there. Each is seen as it is, and what
// a command writes to it is dropped. One that holds the root or our own folder is none.
func caches(environ []string, root, ours string) []string {
	home := value(environ, "HOME")
	if !filepath.IsAbs(home) {
		return nil
	}
	in := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	var list []string
	for _, name := range []string{
		value(environ, "XDG_CACHE_HOME"), in(".cache"), value(environ, "GOCACHE"), value(environ, "GOMODCACHE"), value(environ, "GOPATH"), in("go"),
		value(environ, "CARGO_HOME"), in(".cargo"), value(environ, "GRADLE_USER_HOME"), in(".gradle"), in(".m2"), in(".npm"),
		in(".ivy2"), in(".nuget"), in(".mix"), in(".stack"), in(".bun"),
	} {
		real, err := filepath.EvalSymlinks(name)
		if info, statErr := os.Stat(real); err != nil || statErr != nil || !info.IsDir() || !filepath.IsAbs(real) || real == "/" {
			continue
		}
		clash := below(real, root) || below(root, real) || below(real, ours) || below(ours, real)
		for _, other := range list {
			clash = clash || below(other, real) || below(real, other)
		}
		if !clash {
			list = append(list, real)
		}
	}
	return list
}
