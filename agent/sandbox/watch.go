package sandbox

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"time"

	"coauthor/agent/display"
)

// watch ends a command that takes too long or fills the disk.
type watch struct {
	why  atomic.Pointer[string]
	quit chan struct{}
	done chan struct{}
}

// newWatch watches over what runs with some help. ask asks it to end, kill makes it.
func newWatch(h help, ask, kill func()) *watch {
	w := &watch{quit: make(chan struct{}), done: make(chan struct{})}
	go w.run(h, ask, kill)
	return w
}

func (w *watch) run(h help, ask, kill func()) {
	defer close(w.done)
	late := time.NewTimer(h.limits.Time)
	defer late.Stop()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	var free int64
	if h.disk == "" {
		look.Stop()
	} else {
		free = freeBytes(h.disk)
	}
	for {
		why := ""
		select {
		case <-w.quit:
			return
		case <-late.C:
			why = fmt.Sprintf("it took longer than %s", display.Duration(h.limits.Time))
		case <-look.C:
			now := freeBytes(h.disk)
			if free-now <= h.limits.Written/2 { // others write, too
				continue
			}
			if written(h.disk)-h.before <= h.limits.Written {
				free = now
				continue
			}
			why = fmt.Sprintf("it wrote more than %d MB", h.limits.Written>>20)
		}
		w.why.Store(&why)
		ask()
		select {
		case <-w.quit:
		case <-time.After(termTime):
			kill()
		}
		return
	}
}

func (w *watch) end() {
	close(w.quit)
	<-w.done
}

func (w *watch) stopped() string {
	if why := w.why.Load(); why != nil {
		return *why
	}
	return ""
}

// written is what the files below a folder take, without those that cannot be seen.
func written(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += taken(info)
			}
		}
		return nil
	})
	return n
}
