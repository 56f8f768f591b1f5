package proposal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

const journalSuffix = ".jsonl"

// Journal is the memory on disk of what was delivered: one folder with one file for each process,
// one JSON record a line. A process writes only to its own file; that of a dead one is adopted by
// renaming it. It is safe for concurrent use.
type Journal struct {
	dir   string
	owner Owner
	alive func(Owner) bool // a parameter for the tests of this package

	mu     sync.Mutex
	file   *os.File // guarded by mu; nil until the first record
	size   int64    // guarded by mu; the end of the last whole record
	dirty  bool     // guarded by mu; bytes of a broken record lie behind size
	closed bool     // guarded by mu
	err    error    // guarded by mu; of the last record that was written lazily
	taken  []taken  // guarded by mu; files of dead processes that are ours and not yet compact

	queue   sync.Mutex // taken after mu where both are
	later   [][]byte   // guarded by queue; records that nobody waits for, oldest first
	writing bool       // guarded by queue; somebody is about to write them
}

// NewJournal returns the journal of a process in a folder, which is made with the first record. One
// folder for each root keeps reading cheap.
func NewJournal(dir string, owner Owner) (*Journal, error) {
	if dir == "" {
		return nil, errors.New("a journal needs a folder")
	}
	if !owner.valid() {
		return nil, fmt.Errorf("a journal needs the process that owns it, not %+v", owner)
	}
	return &Journal{dir: dir, owner: owner, alive: Owner.alive}, nil
}

// append writes a record and returns when the disk has it. After an error nothing of it is left.
func (j *Journal) append(r Record) error { return j.write(r, (*os.File).Sync) }

// appendLazily has a record written in the background, before any that comes later. It waits for no disk.
func (j *Journal) appendLazily(r Record) {
	line, err := j.line(r)
	if err != nil {
		return // a record is texts and names, which can always be encoded
	}
	j.queue.Lock()
	defer j.queue.Unlock()
	j.later = append(j.later, line)
	if !j.writing {
		j.writing = true
		go func() {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.drain()
		}()
	}
}

// drain writes what waits. The caller holds mu.
func (j *Journal) drain() {
	j.queue.Lock()
	lines := j.later
	j.later, j.writing = nil, false
	j.queue.Unlock()
	for _, line := range lines {
		j.err = j.put(line, func(*os.File) error { return nil })
	}
}

// Err returns why the last result could not be written, nil if it was. Nothing is lost by that but
// the memory of having seen a change arrive.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drain()
	return j.err
}

func (j *Journal) write(r Record, sync func(*os.File) error) error {
	line, err := j.line(r)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drain()
	return j.put(line, sync)
}

// line is a record as it stands in the file.
func (j *Journal) line(r Record) ([]byte, error) {
	r.Version, r.Owner = recordVersion, j.owner
	r.withoutKeys()
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("write the journal: %w", err)
	}
	return append(line, '\n'), nil
}

// put writes a line behind the last. The caller holds mu.
func (j *Journal) put(line []byte, sync func(*os.File) error) error {
	if err := j.ready(); err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	_, err := j.file.WriteAt(line, j.size)
	if err == nil {
		err = sync(j.file)
	}
	if err != nil {
		j.dirty = true
		return errors.Join(fmt.Errorf("write the journal: %w", err), j.clean())
	}
	j.size += int64(len(line))
	return nil
}

// clean cuts off what a failed write left behind. The caller holds mu.
func (j *Journal) clean() error {
	if !j.dirty {
		return nil
	}
	if err := j.file.Truncate(j.size); err != nil {
		return fmt.Errorf("remove a broken record from the journal: %w", err)
	}
	j.dirty = false
	return nil
}

// ready opens the file and sees to it that it ends with a whole record. The caller holds mu.
func (j *Journal) ready() error {
	if j.closed {
		return fs.ErrClosed
	}
	if j.file == nil {
		if err := os.MkdirAll(j.dir, 0o700); err != nil {
			return err
		}
		f, err := j.create()
		if err != nil {
			return err
		}
		j.file = f
		return syncDir(j.dir)
	}
	return j.clean()
}

func (j *Journal) create() (*os.File, error) {
	return os.OpenFile(j.fresh(), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
}

// fresh returns a file name of ours that does not exist.
func (j *Journal) fresh() string {
	for n := 1; ; n++ {
		name := filepath.Join(j.dir, fmt.Sprintf("%s-%d%s", j.owner.Name(), n, journalSuffix))
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name
		}
	}
}

// Close closes the file; the journal then refuses records.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drain()
	j.closed = true
	if j.file == nil {
		return nil
	}
	err := errors.Join(j.clean(), j.file.Close())
	j.file = nil
	return err
}
