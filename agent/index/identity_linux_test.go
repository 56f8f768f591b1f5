package index

import (
	"io/fs"
	"os"
	"syscall"
	"testing"
	"time"
)

// looked is what a look at a file told.
type looked struct {
	fs.FileInfo
	size    int64
	written time.Time
	disk    syscall.Stat_t
}

func (l looked) Size() int64        { return l.size }
func (l looked) ModTime() time.Time { return l.written }
func (l looked) Sys() any           { return &l.disk }

// Each thing that a look tells is enough to see that a file is another one: not every disk tells all of them.
func TestIdentityByEachSign(t *testing.T) {
	info, err := os.Stat(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	was := looked{info, 100, time.Unix(1_700_000_000, 5), syscall.Stat_t{Ino: 7, Ctim: syscall.Timespec{Sec: 1_700_000_001, Nsec: 6}}}
	if same := was; identity(same) != identity(was) {
		t.Error("nothing changed")
	}
	seen := map[string]string{identity(was): "as it was"}
	for what, change := range map[string]func(l *looked){
		"size":                   func(l *looked) { l.size++ },
		"written a moment later": func(l *looked) { l.written = l.written.Add(1) },
		"written a second later": func(l *looked) { l.written = l.written.Add(time.Second) },
		"number":                 func(l *looked) { l.disk.Ino++ },
		"changed a moment later": func(l *looked) { l.disk.Ctim.Nsec++ },
		"changed a second later": func(l *looked) { l.disk.Ctim.Sec++ },
	} {
		is := was
		change(&is)
		if other, ok := seen[identity(is)]; ok {
			t.Errorf("%s: the identity is that of %s", what, other)
		}
		seen[identity(is)] = what
	}
}
