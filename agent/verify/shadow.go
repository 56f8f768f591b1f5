package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

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
	// Helper starts this program so that it calls ServeShadow; nil runs nothing.
	Helper []string
	// Environ is the environment of the user, as os.Environ gives it.
	Environ []string
	// Most is what commands may use; what is 0 is the usual. Time is not read: it is the tool's.
	Most Limits
}

// Shadow runs commands on a workspace as it would be with changes, and keeps what they write from it: a
// command sees the folder under its own path with the changes over it, and what it writes there, in the
// temporary folder and in the caches of compilers is gone when it ends. The rest of the disk it can only
// read. It has no network but the machine's own loopback, sees no process that is not its own, and its
// environment holds no secret that is known as one. It is safe for concurrent use.
//
// On Linux this is an overlay in namespaces of its own. Where the system does not allow that, and on others,
// nothing is run, and the error says why.
type Shadow struct {
	o ShadowOptions

	mu     sync.Mutex
	swept  bool  // guarded by mu; what killed processes left is gone
	failed error // guarded by mu; why it does not work here, once it was tried
}

// NewShadow returns a Shadow, which touches nothing before its first command.
func NewShadow(o ShadowOptions) *Shadow {
	o.Most.Output = cmp.Or(o.Most.Output, mostOutput)
	o.Most.Written = cmp.Or(o.Most.Written, mostWritten)
	o.Most.Processes = cmp.Or(o.Most.Processes, mostProcesses)
	o.Most.Memory = cmp.Or(o.Most.Memory, mostMemory())
	return &Shadow{o: o}
}

// job is one command to run.
type job struct {
	argv   Command
	root   string // absolute
	laid   []workspace.Laid
	time   time.Duration // that it may take
	limits Limits        // set by run
}

// ran is what a command did.
type ran struct {
	code     int    // its exit status; 128 and the number of the signal that ended it
	out, err string // what it wrote to its two streams; the middle is missing where it was too much
	took     time.Duration
	stopped  string // why it was ended before it was done; "" when it ended by itself
	missing  bool   // there is no such program
}

// errNoShadow says that commands cannot be run here.
var errNoShadow = errors.New("commands cannot be run apart from your files on this system")

func noShadow(why any) error { return fmt.Errorf("%w: %v", errNoShadow, why) }

// run runs a command to its end. The error means that it did not run; what the command itself does is no error.
func (s *Shadow) run(ctx context.Context, j job) (ran, error) {
	if s == nil || len(s.o.Helper) == 0 || s.o.Dir == "" {
		return ran{}, noShadow("this program was built or started without the means")
	}
	if j.root == "" {
		return ran{}, noShadow("there is no folder")
	}
	j.limits = s.o.Most
	j.limits.Time = j.time
	s.mu.Lock()
	failed, swept := s.failed, s.swept
	s.swept = true
	s.mu.Unlock()
	if failed != nil {
		return ran{}, failed
	}
	if !swept {
		sweep(s.o.Dir)
	}
	r, err := s.start(ctx, j)
	if ctx.Err() != nil {
		return ran{}, ctx.Err()
	}
	if errors.Is(err, errNoShadow) { // it will be no better the next time
		s.mu.Lock()
		s.failed = err
		s.mu.Unlock()
	}
	return r, err
}

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

// sweep removes the folders of processes that were killed.
func sweep(dir string) {
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

// lay writes files into a folder that will lie over the root, in the modes that they have there.
func lay(root, upper string, laid []workspace.Laid) error {
	for _, l := range laid {
		rel := l.Path
		// A link to another folder of the root stays one: the file goes to where it leads.
		whole := filepath.Join(root, filepath.FromSlash(rel))
		if l.Gone {
			whole = filepath.Dir(whole)
		}
		if real, err := filepath.EvalSymlinks(whole); err == nil {
			if inside, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(inside) {
				rel = inside
				if l.Gone {
					rel = filepath.Join(inside, filepath.Base(filepath.FromSlash(l.Path)))
				}
			}
		}
		if err := makeParents(root, upper, filepath.Dir(rel)); err != nil {
			return fmt.Errorf("lay out %s: %w", l.Path, err)
		}
		name := filepath.Join(upper, rel)
		if l.Gone {
			if err := whiteout(name); err != nil {
				return fmt.Errorf("leave out %s: %w", l.Path, err)
			}
			continue
		}
		mode := os.FileMode(0o644)
		if info, err := os.Stat(filepath.Join(root, rel)); err == nil {
			mode = info.Mode().Perm() | 0o600
		}
		if err := os.WriteFile(name, l.Data, mode); err != nil {
			return fmt.Errorf("lay out %s: %w", l.Path, err)
		}
		if err := os.Chmod(name, mode); err != nil { // whatever the umask is
			return fmt.Errorf("lay out %s: %w", l.Path, err)
		}
	}
	return nil
}

func makeParents(root, upper, dir string) error {
	if dir == "." || dir == "" {
		return nil
	}
	if err := makeParents(root, upper, filepath.Dir(dir)); err != nil {
		return err
	}
	mode := os.FileMode(0o755)
	if info, err := os.Stat(filepath.Join(root, dir)); err == nil && info.IsDir() {
		mode = info.Mode().Perm() | 0o700
	}
	err := os.Mkdir(filepath.Join(upper, dir), mode)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	return err
}

// below says whether a path is a folder or something in it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
