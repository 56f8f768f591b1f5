package sandbox

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// mount is a folder or a file as a command sees it.
type mount struct {
	At   string // where it is seen, without links in its path
	From string // what is seen there
	// Upper is what lies over From, and takes what is written; "" lets From itself be seen. Work is for the kernel.
	Upper, Work string
	Writable    bool // From itself is written to
	Tool        bool // where nothing can be laid over it, it can only be read
}

// link is a symbolic link that leads to something that is seen.
type link struct{ At, To string }

// world is what a command sees of this machine. Everything that it does not speak of can be read and not be written.
type world struct {
	Mounts []mount // in the order in which they are made: what is in one comes after it
	Links  []link  // in places that are empty but for them
	Hidden []string
}

// build is a world in the making.
type build struct {
	world
	dir     string // of the run, in which the folders for it are made
	root    string
	emptied []string
	n       int
}

// world makes what a command sees: the root with its changes, which are laid over it later; the folders of its tools, over
// which everything that is written is dropped; and folders of its own in the place of those where people keep what is theirs
// and where programs listen. at is where the folder for temporary files is seen.
func (s *Shadow) world(o *order, j Job) (rootUpper string, err error) {
	root := j.root
	b := &build{dir: j.dir, root: root}
	temp := o.Temp
	for _, name := range s.emptied() {
		if !below(root, name) { // else the root shows it
			b.emptied = append(b.emptied, name)
		}
	}
	o.TempAt = "/tmp"
	if real, err := filepath.EvalSymlinks(value(s.o.Environ, "TMPDIR")); err == nil && filepath.IsAbs(real) && isDir(real) {
		o.TempAt = real
	}
	if below(root, o.TempAt) {
		o.TempAt = temp
		b.Mounts = append(b.Mounts, mount{At: temp, From: temp, Writable: true})
	}
	for _, name := range b.emptied {
		from := temp
		if name != o.TempAt {
			if from, err = b.folder("place", 0o755); err != nil {
				return "", err
			}
		}
		b.Mounts = append(b.Mounts, mount{At: name, From: from, Writable: true})
	}
	if !slices.ContainsFunc(b.Mounts, func(m mount) bool { return m.At == o.TempAt }) {
		b.Mounts = append(b.Mounts, mount{At: o.TempAt, From: temp, Writable: true})
	}
	if err := b.tools(s, j); err != nil {
		return "", err
	}
	if j.stays {
		b.Mounts = append(b.Mounts, mount{At: root, From: root, Writable: true})
	} else if rootUpper, err = b.overlay(root, false); err != nil {
		return "", err
	}
	b.links(j.Root)
	b.links(value(s.o.Environ, "HOME"))
	b.links(value(s.o.Environ, "TMPDIR"))
	b.sockets()
	slices.SortStableFunc(b.Mounts, func(x, y mount) int { return cmp.Compare(len(x.At), len(y.At)) })
	o.world = b.world
	return rootUpper, nil
}

// folder makes a folder in that of the run.
func (b *build) folder(name string, mode os.FileMode) (string, error) {
	b.n++
	dir := filepath.Join(b.dir, fmt.Sprint(name, b.n))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", fmt.Errorf("make a folder for a command: %w", err)
	}
	return dir, os.Chmod(dir, mode|0o700)
}

// overlay lays a folder of ours over one of the user's, and returns it.
func (b *build) overlay(real string, tool bool) (upper string, err error) {
	mode := os.FileMode(0o700)
	if info, err := os.Stat(real); err == nil {
		mode = info.Mode().Perm()
	}
	if upper, err = b.folder("upper", mode); err != nil {
		return "", err
	}
	work, err := b.folder("work", 0o700)
	if err != nil {
		return "", err
	}
	keepTime(real, upper)
	b.Mounts = append(b.Mounts, mount{At: real, From: real, Upper: upper, Work: work, Tool: tool})
	return upper, nil
}

// isEmptied says whether a place is among what is emptied, or in it.
func (b *build) isEmptied(real string) bool {
	return slices.ContainsFunc(b.emptied, func(place string) bool { return below(place, real) })
}

// tools adds what is shown of the places that are emptied, and what tools fill.
func (b *build) tools(s *Shadow, j Job) error {
	always, hidden := shown(s.o.Environ, Environment(s.o.Environ, ""), outside(j.Visible))
	for i, name := range append(always, hidden...) {
		if !filepath.IsAbs(name) {
			continue
		}
		real, err := filepath.EvalSymlinks(name)
		if err != nil {
			continue // there is none
		}
		b.links(name)
		if i >= len(always) && !b.isEmptied(real) || !b.mayShow(s, real) {
			continue
		}
		if err := b.show(real); err != nil {
			return err
		}
	}
	return b.repositories(s, j)
}

// mayShow says whether something can be shown by itself: it is no part of the root, of what is shown already, or of our own
// state, and it holds no place that is to be empty.
func (b *build) mayShow(s *Shadow, real string) bool {
	state, err := filepath.EvalSymlinks(s.o.Dir)
	if err != nil || real == "/" || below(b.root, real) || below(real, state) || below(state, real) {
		return false
	}
	for _, place := range b.emptied {
		if below(real, place) && place != state {
			return false
		}
	}
	return !slices.ContainsFunc(b.Mounts, func(m mount) bool { return m.Tool && below(m.At, real) })
}

// show shows a folder with what tools keep secret in it taken away, or a file.
func (b *build) show(real string) error {
	b.Mounts = slices.DeleteFunc(b.Mounts, func(m mount) bool { return m.Tool && below(real, m.At) }) // it is shown with the whole
	info, err := os.Stat(real)
	if err != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return nil //nolint:nilerr // it has gone, or is nothing to read
	}
	if !info.IsDir() {
		b.Mounts = append(b.Mounts, mount{At: real, From: real, Tool: true})
		return nil
	}
	upper, err := b.overlay(real, true)
	if err != nil {
		return err
	}
	for _, name := range toolSecrets {
		if info, err := os.Lstat(filepath.Join(real, name)); err != nil || info.IsDir() {
			continue
		}
		if err := makeParents(real, upper, filepath.Dir(name)); err != nil {
			return fmt.Errorf("hide %s: %w", name, err)
		}
		if err := whiteout(filepath.Join(upper, name)); err != nil {
			return fmt.Errorf("hide %s: %w", name, err)
		}
		keepTime(filepath.Join(real, filepath.Dir(name)), filepath.Join(upper, filepath.Dir(name)))
		b.Hidden = append(b.Hidden, filepath.Join(real, name)) // where nothing can be laid over it
	}
	return nil
}

// repositories shows the repository that the root is a part of, where that lies elsewhere: the folder around it, and git's own.
func (b *build) repositories(s *Shadow, j Job) error {
	for _, real := range enclosing(b.root, homes(s.o.Environ)) {
		if !b.isEmptied(real) || !b.mayShow(s, real) {
			continue
		}
		if err := b.show(real); err != nil {
			return err
		}
		if j.Secrets == nil || filepath.Base(real) == ".git" {
			continue
		}
		list, err := j.Secrets(real)
		if err != nil {
			return err
		}
		upper := b.Mounts[len(b.Mounts)-1].Upper
		for _, name := range list {
			if below(b.root, filepath.Join(real, name)) {
				continue
			}
			if err := makeParents(real, upper, filepath.Dir(name)); err != nil {
				return fmt.Errorf("hide %s: %w", name, err)
			}
			if err := os.WriteFile(filepath.Join(upper, name), nil, 0o600); err != nil {
				return fmt.Errorf("hide %s: %w", name, err)
			}
		}
	}
	return nil
}

// enclosing are the folder of the repository that holds a folder, and that of git where it lies elsewhere.
func enclosing(root string, homes []string) (list []string) {
	dir := root
	for ; ; dir = filepath.Dir(dir) {
		if slices.Contains(homes, dir) && dir != root || dir == filepath.Dir(dir) {
			return nil
		}
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			break
		}
	}
	if dir != root {
		list = append(list, dir)
	}
	named := func(file, prefix, from string) string { // the folder that a file names
		text, ok := strings.CutPrefix(strings.TrimSpace(beginning(file)), prefix)
		if !ok || text == "" {
			return ""
		}
		if !filepath.IsAbs(text) {
			text = filepath.Join(from, text)
		}
		return filepath.Clean(text)
	}
	git := named(filepath.Join(dir, ".git"), "gitdir: ", dir)
	if git == "" {
		return list
	}
	// The file belongs to the repository and could name any folder: what it names must name it, or be where git keeps submodules.
	if named(filepath.Join(git, "gitdir"), "", git) == filepath.Join(dir, ".git") {
		if common := named(filepath.Join(git, "commondir"), "", git); common != "" && below(common, git) {
			list = append(list, common)
		}
	}
	for above := filepath.Dir(dir); above != filepath.Dir(above); above = filepath.Dir(above) {
		if modules := filepath.Join(above, ".git", "modules"); below(modules, git) {
			list = append(list, git)
		}
	}
	return list
}

// links adds the symbolic links on the way to a name that lie in places which are emptied.
func (b *build) links(name string) {
	if !filepath.IsAbs(name) {
		return
	}
	done, rest := "/", strings.TrimPrefix(filepath.Clean(name), "/")
	for followed := 0; rest != "" && followed < 40; {
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		next := filepath.Join(done, part)
		to, err := os.Readlink(next)
		if err != nil {
			done = next
			continue
		}
		followed++
		if b.isEmptied(next) && !slices.Contains(b.Links, link{next, to}) {
			b.Links = append(b.Links, link{next, to})
		}
		if filepath.IsAbs(to) {
			done = "/"
		}
		rest = strings.TrimPrefix(filepath.Join(to, rest), "/")
		for strings.HasPrefix(rest, "../") || rest == ".." {
			done, rest = filepath.Dir(done), strings.TrimPrefix(strings.TrimPrefix(rest, ".."), "/")
		}
		if rest == "." {
			rest = ""
		}
	}
}

// sockets hides the places where other processes listen now and that nothing else takes away: over an overlay nobody is
// reached.
func (b *build) sockets() {
	f, err := os.Open("/proc/net/unix")
	if err != nil {
		return
	}
	defer f.Close()
	seen := map[string]bool{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.SplitN(lines.Text(), " /", 2)
		if len(fields) < 2 {
			continue
		}
		real, err := filepath.EvalSymlinks("/" + fields[1])
		if err != nil || seen[real] || b.isEmptied(real) || below(b.root, real) {
			continue
		}
		seen[real] = true
		if info, err := os.Stat(real); err == nil && info.Mode()&os.ModeSocket != 0 {
			b.Hidden = append(b.Hidden, real)
		}
	}
}

// make lays the folders over each other and returns what may be written to.
func (w world) make() (writable []string, err error) {
	type opened struct{ from, upper, work int }
	fds := make([]opened, len(w.Mounts))
	for i, m := range w.Mounts { // all are opened before one of them hides another; a number needs no escaping
		for name, fd := range map[string]*int{m.From: &fds[i].from, m.Upper: &fds[i].upper, m.Work: &fds[i].work} {
			if name == "" {
				continue
			}
			if *fd, err = unix.Open(name, unix.O_PATH|unix.O_CLOEXEC, 0); err != nil {
				return nil, fmt.Errorf("open %s: %w", name, err)
			}
		}
	}
	for i, m := range w.Mounts {
		if err := point(m.At, fds[i].from); err != nil {
			return nil, fmt.Errorf("make a mount point for %s: %w", m.At, err)
		}
		if m.Upper != "" {
			// What is written is dropped, so nobody waits until it is on the disk: without volatile the end of the namespace does,
			// for all that was written to that file system by anybody.
			options := fmt.Sprintf("lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d,userxattr,volatile", fds[i].from, fds[i].upper, fds[i].work)
			err := unix.Mount("overlay", m.At, "overlay", unix.MS_NOSUID|unix.MS_NODEV, options)
			if err == nil {
				writable = append(writable, m.At)
				continue
			}
			if !m.Tool {
				return nil, fmt.Errorf("mount an overlay on %s: %w", m.At, err)
			}
		}
		if err := unix.Mount(fmt.Sprintf("/proc/self/fd/%d", fds[i].from), m.At, "", unix.MS_BIND, ""); err != nil {
			return nil, fmt.Errorf("mount %s: %w", m.At, err)
		}
		if m.Writable {
			writable = append(writable, m.At)
		}
	}
	for _, l := range w.Links { // where it is there already, or its place is none of ours, nothing is missing
		_ = os.MkdirAll(filepath.Dir(l.At), 0o755)
		_ = os.Symlink(l.To, l.At)
	}
	return writable, nil
}

// point makes the folder or the file over which something is mounted, where an emptied place lacks it.
func point(at string, from int) error {
	if _, err := os.Lstat(at); err == nil {
		return nil
	}
	var info unix.Stat_t
	if err := unix.Fstat(from, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT == unix.S_IFDIR {
		return os.MkdirAll(at, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, nil, 0o644)
}
