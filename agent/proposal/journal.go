package proposal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent/workspace"
)

// keepJournals is how long the journal of a dead process is kept.
const keepJournals = 30 * 24 * time.Hour

const journalSuffix = ".jsonl"

// maxJournalBytes bounds what is read of one file: the texts of some hundred deliveries.
const maxJournalBytes = 256 << 20

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
	return &Journal{dir: dir, owner: owner, alive: Owner.Alive}, nil
}

// Append writes a record and returns when the disk has it. After an error nothing of it is left.
func (j *Journal) Append(r Record) error { return j.write(r, (*os.File).Sync) }

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
		return fmt.Errorf("write the journal: %w", err)
	}
	j.size += int64(len(line))
	return nil
}

// ready opens the file and cuts off what a failed write left behind. The caller holds mu.
func (j *Journal) ready() error {
	if j.closed {
		return fs.ErrClosed
	}
	if j.file == nil {
		if err := os.MkdirAll(j.dir, 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(j.fresh(), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
		if err != nil {
			return err
		}
		j.file = f
		return syncDir(j.dir)
	}
	if j.dirty {
		if err := j.file.Truncate(j.size); err != nil {
			return err
		}
		j.dirty = false
	}
	return nil
}

// fresh returns a file name of ours that does not exist.
func (j *Journal) fresh() string {
	for n := 1; ; n++ {
		name := filepath.Join(j.dir, fmt.Sprintf("%s-%d%s", j.owner.name(), n, journalSuffix))
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
	err := j.file.Close()
	j.file = nil
	return err
}

// Records reads all records of this process, adopted ones included, in the order of their times. A
// record that cannot be read is left out; the error tells of it and the others are returned.
func (j *Journal) Records() ([]Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drain()
	return j.records()
}

func (j *Journal) records() ([]Record, error) {
	entries, err := os.ReadDir(j.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	var list []Record
	var problems []error
	for _, e := range entries {
		if owner, ok := parseName(e.Name()); !ok || owner != j.owner.name() || !e.Type().IsRegular() {
			continue
		}
		records, err := readJournal(filepath.Join(j.dir, e.Name()))
		if err != nil {
			problems = append(problems, err)
		}
		list = append(list, records...)
	}
	slices.SortStableFunc(list, func(a, b Record) int { return a.Time.Compare(b.Time) })
	return list, errors.Join(problems...)
}

// AdoptDead makes the files of processes that no longer run ours and returns all records that are
// ours then. The files of living processes, and of other machines, are left alone.
func (j *Journal) AdoptDead() ([]Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drain()
	entries, err := os.ReadDir(j.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	var problems []error
	for _, e := range entries {
		name, ok := parseName(e.Name())
		if !ok || name == j.owner.name() || !e.Type().IsRegular() {
			continue
		}
		owner, ok := parseOwner(name)
		if !ok || owner.Host != j.owner.Host || j.alive(owner) {
			continue
		}
		// Renaming is the claim: of two processes that try, one finds the file gone.
		if err := j.claim(e); err != nil && !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err)
		}
	}
	records, err := j.records()
	return records, errors.Join(append(problems, err)...)
}

func (j *Journal) claim(e fs.DirEntry) error {
	old := filepath.Join(j.dir, e.Name())
	info, err := e.Info()
	if err != nil {
		return err
	}
	if time.Since(info.ModTime()) > keepJournals {
		return os.Remove(old)
	}
	return os.Rename(old, j.fresh())
}

// parseName returns the owner's part of a journal's file name.
func parseName(name string) (owner string, ok bool) {
	base, ok := strings.CutSuffix(name, journalSuffix)
	i := strings.LastIndexByte(base, '-')
	if !ok || i < 0 {
		return "", false
	}
	return base[:i], true
}

// readJournal reads the records of one file. The last one may be cut off: its delivery had not begun.
func readJournal(path string) ([]Record, error) {
	f, info, err := workspace.OpenRegularFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the journal: %w", err)
	}
	defer f.Close() // read-only
	if info.Size() > maxJournalBytes {
		return nil, fmt.Errorf("read the journal %s: it has %d bytes, the limit is %d", filepath.Base(path), info.Size(), maxJournalBytes)
	}
	var list []Record
	var problems []error
	in := bufio.NewReader(io.LimitReader(f, maxJournalBytes))
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return list, errors.Join(problems...)
		}
		if err != nil {
			return list, errors.Join(append(problems, fmt.Errorf("read the journal: %w", err))...)
		}
		r, err := parseRecord(line)
		if err != nil {
			problems = append(problems, fmt.Errorf("read the journal %s, record %d: %w", filepath.Base(path), n, err))
			continue
		}
		list = append(list, r)
	}
}

func parseRecord(line []byte) (Record, error) {
	var v struct {
		Version int `json:"v"`
	}
	line = bytes.TrimSpace(line)
	if err := json.Unmarshal(line, &v); err != nil {
		return Record{}, err
	}
	if v.Version != recordVersion {
		return Record{}, fmt.Errorf("it has version %d, this program knows %d", v.Version, recordVersion)
	}
	var r Record
	err := json.Unmarshal(line, &r)
	return r, err
}
