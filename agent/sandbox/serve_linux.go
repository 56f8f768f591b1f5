package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The two pipes of a helper, beside its standard streams, which are the command's.
const (
	ordersFD  = 3
	answersFD = 4
)

// ServeShadow is the other half of a Shadow: a process that Shadow started as the first one of its namespaces
// runs one command, and returns when that is over, which ends whatever else still runs there. It answers its
// parent; the error is that of a process that has none.
func ServeShadow() error {
	unix.CloseOnExec(ordersFD)
	unix.CloseOnExec(answersFD)
	orders, answers := os.NewFile(ordersFD, "orders"), os.NewFile(answersFD, "answers")
	var o order
	if err := json.NewDecoder(orders).Decode(&o); err != nil {
		return fmt.Errorf("read the command to check with: %w; only coauthor itself starts this command", err)
	}
	if !o.Plain && os.Getpid() != 1 {
		return errors.New("only coauthor itself starts this command, to run checks")
	}
	if o.Plain {
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return fmt.Errorf("adopt orphaned processes: %w", err)
		}
	}
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM) // before anything is started: who died of it would leave that behind
	say := json.NewEncoder(answers)
	started := make(chan answer, 1)
	var pid int
	go func() { // rights belong to a thread: this one gives up its own, starts the command, and ends
		runtime.LockOSThread()
		var a answer
		pid, a = begin(o)
		started <- a
	}()
	if a := <-started; pid == 0 {
		return say.Encode(a)
	}
	gone := make(chan struct{})
	go func() { // our parent has no other order, so this ends with it; what of the order was not read yet is blank
		_, _ = io.Copy(io.Discard, orders)
		close(gone)
	}()
	done := make(chan int, 1)
	go func() { done <- reap(pid) }()
	ticker := time.NewTicker(20 * time.Millisecond) // processes multiply fast
	defer ticker.Stop()
	rounds := 0
	for {
		select {
		case code := <-done:
			o.endAll()
			return say.Encode(answer{Ended: true, Code: code})
		case <-gone:
			o.endAll()
			return nil
		case <-term:
			o.signal(unix.SIGTERM)
		case <-ticker.C:
			rounds++
			if o.Plain && rounds%5 > 0 { // all processes of the machine are looked at then
				continue
			}
			if why := o.excess(rounds%5 == 0); why != "" {
				o.endAll()
				return say.Encode(answer{Ended: true, Code: 137, Stopped: why})
			}
		}
	}
}

// begin makes the world of the command and starts it there. Without a process it says why there is none.
func begin(o order) (pid int, a answer) {
	if err := enter(o); err != nil {
		return 0, answer{Failed: err.Error()}
	}
	if len(o.Argv) == 0 {
		return 0, answer{Ended: true}
	}
	path, err := lookPath(o)
	if err != nil {
		return 0, answer{Missing: o.Argv[0]}
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, answer{Failed: err.Error()}
	}
	defer func() { _ = null.Close() }()
	in := null.Fd()
	if o.Reads {
		in = 0
	}
	pid, err = syscall.ForkExec(path, o.Argv, &syscall.ProcAttr{Dir: o.Dir, Env: o.Env, Files: []uintptr{in, 1, 2}, Sys: &syscall.SysProcAttr{Setsid: true}})
	if err != nil {
		return 0, answer{Ended: true, Code: 126, Stopped: "it did not start: " + err.Error()}
	}
	return pid, answer{}
}

// reap waits for the command, and for all that lost their parents meanwhile, and returns how the command ended.
func reap(pid int) int {
	for {
		var status unix.WaitStatus
		got, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return 126
		case got == pid && status.Signaled():
			return 128 + int(status.Signal())
		case got == pid && status.Exited():
			return status.ExitStatus()
		}
	}
}

// excess says what the processes of this namespace use too much of; "" for nothing. Their memory takes longer
// to find.
func (o order) excess(memory bool) string {
	list := o.processes()
	var used int64
	if memory && len(list) <= o.Processes && o.Memory > 0 {
		for _, pid := range list {
			used += resident(strconv.Itoa(pid))
		}
	}
	switch {
	case len(list) > o.Processes:
		return fmt.Sprintf("it started more than %d processes", o.Processes)
	case o.Memory > 0 && used > o.Memory:
		return fmt.Sprintf("it used more than %d MB of memory", o.Memory>>20)
	}
	return ""
}

// resident is the memory of a process that it shares with no other, in bytes.
func resident(pid string) int64 {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "statm"))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return 0
	}
	all, _ := strconv.ParseInt(fields[1], 10, 64)
	shared, _ := strconv.ParseInt(fields[2], 10, 64)
	return (all - shared) * int64(os.Getpagesize())
}

func lookPath(o order) (string, error) {
	if err := os.Setenv("PATH", value(o.Env, "PATH")); err != nil {
		return "", err
	}
	return exec.LookPath(o.Argv[0])
}

// enter makes the world that the command sees, and gives up the rights that this took.
func enter(o order) error {
	if o.Plain {
		return o.enterPlain()
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make the mounts private: %w", err)
	}
	writable, err := o.mounts()
	if err != nil {
		return err
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("make the disk read-only: %w", err)
	}
	for _, name := range writable {
		if err := unix.MountSetattr(unix.AT_FDCWD, name, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return fmt.Errorf("make %s writable: %w", name, err)
		}
	}
	if !o.Network {
		wakeLoopback()
	}
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // short of memory, the system ends this first
	if err := os.Chdir(o.Dir); err != nil {
		return fmt.Errorf("enter the folder: %w", err)
	}
	if err := limit(o); err != nil {
		return err
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), 5) // of this thread and what it starts; who watches it stays as it is
	if o.Network {
		if err := unreachable(); err != nil {
			return err
		}
	}
	return dropRights()
}

// mounts makes what the command sees, and returns what may be written to.
func (o order) mounts() (writable []string, err error) {
	if writable, err = o.make(); err != nil {
		return nil, err
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return nil, fmt.Errorf("mount /proc: %w", err)
	}
	if shared := "/dev/shm"; !o.uses(shared) && isDir(shared) {
		if err := unix.Mount("tmpfs", shared, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=256m,mode=1777"); err != nil {
			return nil, fmt.Errorf("mount %s: %w", shared, err)
		}
		writable = append(writable, shared)
	}
	if terminals := "/dev/pts"; isDir(terminals) { // the user's own terminals are not the command's to write to
		err := unix.Mount("devpts", terminals, "devpts", unix.MS_NOSUID|unix.MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0600")
		if err == nil {
			err = unix.Mount("/dev/pts/ptmx", "/dev/ptmx", "", unix.MS_BIND, "")
			writable = append(writable, terminals)
		}
		if err != nil { // then there are none
			o.Hidden = append(o.Hidden, terminals)
		}
	}
	return writable, o.hide()
}

// uses says whether something that the command needs lies below a folder.
func (o order) uses(dir string) bool {
	return below(dir, o.TempAt) || slices.ContainsFunc(o.Mounts, func(m mount) bool { return below(dir, m.At) || below(dir, m.Upper) })
}

// hide covers what is not to be seen and that nothing else takes away.
func (o order) hide() error {
	for _, name := range o.Hidden {
		info, err := os.Stat(name)
		switch {
		case err != nil: // there is none, or it cannot be reached
			continue
		case info.IsDir():
			err = unix.Mount("tmpfs", name, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=64k,mode=0755")
		default:
			err = unix.Mount(os.DevNull, name, "", unix.MS_BIND, "")
		}
		if err != nil {
			return fmt.Errorf("hide %s: %w", name, err)
		}
	}
	return nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// wakeLoopback lets the command's processes talk to each other, as tests of servers do. Where that is not
// possible those tests fail, and nothing else.
func wakeLoopback() {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	_ = unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// limit sets what the kernel watches itself. The number of processes is counted for each user in each
// namespace, but not for root, so excess counts them too.
func limit(o order) error {
	limits := map[int]uint64{unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: uint64(o.File)}
	if !o.Plain { // elsewhere, all that the user runs is counted
		limits[unix.RLIMIT_NPROC] = uint64(o.Processes)
	}
	for what, most := range limits {
		var now unix.Rlimit
		if err := unix.Getrlimit(what, &now); err != nil {
			return fmt.Errorf("read a limit: %w", err)
		}
		most = min(most, now.Max)
		if err := unix.Setrlimit(what, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("set a limit: %w", err)
		}
	}
	return nil
}

// The bits that keep user 0 from having rights for being user 0, and from changing that.
const noRoot = 1<<0 | 1<<1 | 1<<2 | 1<<3 // SECBIT_NOROOT, SECBIT_NO_SETUID_FIXUP, and their locks

// dropRights takes from this thread, and so from what it starts, every right over the namespaces.
func dropRights() error {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	if _, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0); err != nil && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) { // the user's has their keys
		return fmt.Errorf("leave the user's keyring: %w", err)
	}
	if os.Getuid() == 0 {
		if err := unix.Prctl(unix.PR_SET_SECUREBITS, noRoot, 0, 0, 0); err != nil {
			return fmt.Errorf("drop root privileges: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("clear ambient capabilities: %w", err)
	}
	var none [2]unix.CapUserData
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}
