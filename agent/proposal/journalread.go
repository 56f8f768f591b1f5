package proposal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coauthor/agent/workspace"
)

// maxJournalBytes bounds what is read of one file: the texts of some hundred deliveries.
const maxJournalBytes = 256 << 20

// Records reads all records of this process, adopted ones included, in the order of their times. A
// record that cannot be read is left out; the error tells of it and the others are returned.
func (j *Journal) Records() ([]Record, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.drain()
	return j.records()
}

func (j *Journal) records() ([]Record, error) {
	return j.read(func(owner string) bool { return owner == j.owner.Name() }, func(path string, c contents) {
		if i := slices.IndexFunc(j.taken, func(t taken) bool { return t.path == path }); i >= 0 {
			j.taken[i].lines, j.taken[i].ours = c.lines, c.ours
			for n := range c.records {
				c.records[n].taken = c.ours
			}
		}
	})
}

// others reads the records of processes that run, and of other machines.
func (j *Journal) others() ([]Record, error) {
	return j.read(func(name string) bool {
		owner, ok := ParseOwner(name)
		return ok && name != j.owner.Name() && (owner.Host != j.owner.Host || j.alive(owner))
	}, func(string, contents) {})
}

// read reads the records of those owners whose names are meant, in the order of their times, and shows the contents
// of each file.
func (j *Journal) read(meant func(owner string) bool, see func(path string, c contents)) ([]Record, error) {
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
		if owner, ok := parseName(e.Name()); !ok || !meant(owner) || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(j.dir, e.Name())
		c := readContents(path)
		if c.err != nil {
			problems = append(problems, c.err)
		}
		see(path, c)
		list = append(list, c.records...)
	}
	slices.SortStableFunc(list, func(a, b Record) int { return a.Time.Compare(b.Time) })
	return list, errors.Join(problems...)
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

// contents is what was read of one file.
type contents struct {
	records []Record
	lines   int  // that are whole, readable or not
	ours    bool // all of it was read, and no line is of a later version of this program
	err     error
}

// readContents reads one file. Its last record may be cut off: that delivery had not begun.
func readContents(path string) (c contents) {
	f, info, err := workspace.OpenRegularFile(path)
	if err != nil {
		c.err = fmt.Errorf("read the journal: %w", err)
		return c
	}
	defer f.Close() // read-only
	if info.Size() > maxJournalBytes {
		c.err = fmt.Errorf("read the journal %s: its size is %d bytes; the limit is %d", filepath.Base(path), info.Size(), maxJournalBytes)
		return c
	}
	var problems []error
	c.ours = true
	in := bufio.NewReader(io.LimitReader(f, maxJournalBytes))
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) {
				c.ours = false
				problems = append(problems, fmt.Errorf("read the journal: %w", err))
			}
			c.err = errors.Join(problems...)
			return c
		}
		c.lines++
		r, err := parseRecord(line)
		if err != nil {
			c.ours = c.ours && !errors.Is(err, errLater)
			problems = append(problems, fmt.Errorf("read the journal %s, record %d: %w", filepath.Base(path), c.lines, err))
			continue
		}
		c.records = append(c.records, r)
	}
}

// errLater says that a record was written by a later version of this program.
var errLater = errors.New("a newer version of Coauthor wrote this record")

func parseRecord(line []byte) (Record, error) {
	var r Record
	err := json.Unmarshal(line, &r)
	if err == nil && r.Version == recordVersion {
		return r, nil
	}
	var v struct { // of another version all else may be otherwise
		Version int `json:"v"`
	}
	_ = json.Unmarshal(line, &v) // err tells what is wrong
	switch {
	case v.Version > recordVersion:
		return Record{}, fmt.Errorf("%w: its format is version %d; this program supports version %d", errLater, v.Version, recordVersion)
	case err == nil:
		return Record{}, fmt.Errorf("its format is version %d; this program supports version %d", v.Version, recordVersion)
	}
	return Record{}, err
}
