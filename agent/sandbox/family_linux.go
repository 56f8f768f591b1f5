package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// processes are those that the command has started and itself: all others of its namespace, or without one all
// descendants of this process.
func (o order) processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var all []int
	children := map[int][]int{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		all = append(all, pid)
		if o.Plain {
			parent := parentOf(name)
			children[parent] = append(children[parent], pid)
		}
	}
	if !o.Plain {
		return all
	}
	list := children[os.Getpid()]
	for i := 0; i < len(list); i++ {
		list = append(list, children[list[i]]...)
	}
	return list
}

// parentOf reads the parent of a process; -1 when it is gone, or dead and only not waited for.
func parentOf(pid string) int {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return -1
	}
	rest := string(text[strings.LastIndexByte(string(text), ')')+1:]) // the name before it may hold anything
	fields := strings.Fields(rest)
	if len(fields) < 2 || fields[0] == "Z" {
		return -1
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return -1
	}
	return parent
}

// signal sends a signal to all that the command has started.
func (o order) signal(what unix.Signal) {
	if !o.Plain {
		_ = unix.Kill(-1, what) // all but this process, which is the first of its namespace
		return
	}
	for _, pid := range o.processes() {
		_ = unix.Kill(pid, what)
	}
}

// endAll ends what the command has left running. In a namespace the end of this process does that. Elsewhere they are
// stopped first, so that none makes another one behind our back.
func (o order) endAll() {
	if !o.Plain {
		return
	}
	before := -1
	for range 50 {
		list := o.processes()
		if len(list) == before {
			break
		}
		before = len(list)
		for _, pid := range list {
			_ = unix.Kill(pid, unix.SIGSTOP)
		}
	}
	for range 200 {
		list := o.processes()
		if len(list) == 0 {
			return
		}
		for _, pid := range list {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		for { // the dead make room for those that they leave to us
			var status unix.WaitStatus
			if got, err := unix.Wait4(-1, &status, unix.WNOHANG, nil); got <= 0 || err != nil {
				break
			}
		}
		<-time.After(5 * time.Millisecond)
	}
}

// enterPlain prepares this thread for a command that runs where it is.
func (o order) enterPlain() error {
	if err := os.Chdir(o.Dir); err != nil {
		return fmt.Errorf("enter the folder: %w", err)
	}
	if err := limit(o); err != nil {
		return err
	}
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), 5) // of this thread and what it starts
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("set no_new_privs: %w", err)
	}
	return nil
}
