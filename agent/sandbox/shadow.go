// Package sandbox runs commands apart from the user's files: on a folder as it would be with changes, or where they are and
// under limits.
//
// There are two ways for a folder: an overlay in namespaces of Linux (overlay_linux.go prepares it, serve_linux.go carries it
// out in a process of its own), and a copy that is kept (copy.go). The package knows no checks and no tools: it is given a
// command, and returns what that wrote. It asks nobody for consent; who calls it has that. The main types are Shadow, Job and
// Execution.
package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"coauthor/agent/workspace"
)

// Limits bound what a command may use. Bytes, but for the time and the number of processes.
type Limits struct {
	Time      time.Duration
	Output    int   // of each of its two streams: as much from the beginning and from the end is kept
	Written   int64 // to disk, all files together
	Processes int   // at one time
	Memory    int64 // of all its processes together; 0 is no limit
}

// The limits of a command.
const (
	mostOutput    = 1 << 20
	mostWritten   = 8 << 30
	mostProcesses = 4096
	termTime      = 2 * time.Second // between the request to end and the end
)

// ShadowOptions say where and by whom commands are run.
type ShadowOptions struct {
	// Dir is a folder of ours outside of every workspace, where what commands write lies until they end.
	Dir string
	// Helper starts this program so that it calls ServeShadow; nil does without what that takes.
	Helper []string
	// List names the files of a folder that belong to it, with slashes: what a copy is made of. nil is every file.
	List func(ctx context.Context, root string) ([]string, error)
	// Ways are those that may be taken; nil is every one that works here.
	Ways []Way
	// Environ is the environment of the user, as os.Environ gives it.
	Environ []string
	// Most is what commands may use; what is 0 is the usual. Time is not read: it is the tool's.
	Most Limits
}

// Shadow runs commands on a workspace as it would be with changes, and keeps what they write from it: the
// environment of a command holds no secret that is known as one, and what it writes to the folder is gone when
// it is over. It is safe for concurrent use.
//
// With the way Overlay a command sees the folder under its own path with the changes over it, and of the user's home only the
// folders of tools (visible_linux.go); the rest of the disk it can only read. It has no network but the machine's own
// loopback, and reaches no process that is not its own. That takes namespaces of Linux. Where the system does not allow them, and on others, commands run in a copy (copy.go).
type Shadow struct {
	o ShadowOptions

	mu    sync.Mutex
	swept bool              // guarded by mu; what killed processes left is gone
	ways  map[string]chosen // guarded by mu; by root
	tried *bool             // guarded by mu; whether there is a sandbox for what runs on files of its own; nil when that is not known
}

// NewShadow returns a Shadow, which touches nothing before its first command.
func NewShadow(o ShadowOptions) *Shadow {
	o.Most = o.Most.usual()
	return &Shadow{o: o}
}

// Job is a command to run on a folder as that would be with changes.
type Job struct {
	// Command is what is run, where its folder for temporary files is seen at temp.
	Command func(temp string) []string
	Report  string // the file in that folder to which it writes a report; "" for none
	Root    string // absolute
	Dir     string // where it runs, relative to Root with slashes; "" is Root
	Laid    []workspace.Laid
	// Visible are more places that it sees, as in Execution.
	Visible []string
	// Secrets lists the files that may hold secrets in a folder, relative to it; nil knows of none.
	Secrets func(dir string) ([]string, error)
	Back    []string      // files of Root of which the text comes back as the command left it
	Time    time.Duration // that it may take
	// Line is told each line that it writes, of both of its streams, as soon as that is whole; nil is not. What is very much, or
	// a very long line, is not told to its end. It is as the command wrote it: who shows it has to make it fit for that.
	Line func(text string)

	stays  bool   // what it writes to Root stays
	limits Limits // set by Run
	told   *lines // set by Run; nil where there is no Line

	// Set by prepare.
	root string // Root without links
	dir  string // of ours, for as long as it runs
}

// prepare finds the root of a job, and makes the folder of ours that it has, which is to be removed.
func (s *Shadow) prepare(j *Job) (err error) {
	if j.root, err = filepath.EvalSymlinks(j.Root); err != nil {
		return fmt.Errorf("find the folder: %w", err)
	}
	if j.dir, err = s.runFolder(); err != nil {
		return err
	}
	if err := os.Mkdir(j.temp(), 0o700); err != nil {
		removeAll(j.dir)
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	return nil
}

// temp is its folder for temporary files.
func (j Job) temp() string { return filepath.Join(j.dir, "tmp") }

// argv is what is run where the folder for temporary files is seen at temp; none tries whether the rest is possible.
func (j Job) argv(temp string) []string {
	if j.Command == nil {
		return nil
	}
	return j.Command(temp)
}

// mostReport is how long a report may be, in bytes. A longer one is passed over.
const mostReport = 16 << 20

// report reads the report that a command has left.
func (j Job) report() string {
	if j.Report == "" {
		return ""
	}
	text, err := workspace.ReadBelow(j.temp(), j.Report, mostReport)
	if err != nil || !utf8.Valid(text) {
		return "" // its words have to do
	}
	return string(text)
}

// textsIn are the texts of files of a root as they lie in a folder that holds what was written, without those that are no
// text. A name that leads out of it is none.
func textsIn(dir, root string, files []string) map[string]string {
	texts := map[string]string{}
	for _, file := range files {
		data, err := workspace.ReadBelow(dir, resolved(root, workspace.Laid{Path: file}), mostReport)
		if err == nil && utf8.Valid(data) && !bytes.Contains(data, []byte{0}) {
			texts[file] = strings.TrimPrefix(string(data), "\ufeff")
		}
	}
	return texts
}

// Lister is what lists the files that belong to a folder; nil where all do.
func (s *Shadow) Lister() func(ctx context.Context, root string) ([]string, error) { return s.o.List }

// runFolder makes a folder for one command. Its name holds our process, so that another one knows when
// nobody needs it any more.
func (s *Shadow) runFolder() (string, error) {
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return "", fmt.Errorf("make a folder for commands: %w", err)
	}
	dir, err := os.MkdirTemp(s.o.Dir, fmt.Sprintf("run-%d-", os.Getpid()))
	if err != nil {
		return "", fmt.Errorf("make a folder for a command: %w", err)
	}
	return dir, nil
}

// sweep removes the folders of processes that were killed, and the copies that nobody has used for long. It does so
// once.
func (s *Shadow) sweep() {
	s.mu.Lock()
	swept := s.swept
	s.swept = true
	s.mu.Unlock()
	if !swept {
		sweepRuns(s.o.Dir)
		sweepCopies(s.o.Dir, time.Now())
	}
}

func sweepRuns(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // none yet
	}
	for _, e := range entries {
		var pid int
		if _, err := fmt.Sscanf(e.Name(), "run-%d-", &pid); err == nil && pid != os.Getpid() && !alive(pid) {
			removeAll(filepath.Join(dir, e.Name()))
		}
	}
}

// removeAll removes a folder with everything in it, also what a command made unreadable. What stays is tried
// again when the next process sweeps.
func removeAll(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	_ = filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
			if err != nil { // it could not be listed before
				unlock(name)
			}
		}
		return nil
	})
	_ = os.RemoveAll(dir)
}

func unlock(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			name := filepath.Join(dir, e.Name())
			_ = os.Chmod(name, 0o700)
			unlock(name)
		}
	}
}

// below says whether a path is a folder or something in it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
