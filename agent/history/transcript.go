package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"coauthor/agent/workspace"
)

// What of a transcript is ever read, and how many records wait for a slow disk.
const (
	readBytes   = 2 << 20
	mostWaiting = 1000
)

// Transcript is the memory on disk of what was said in a folder: one Markdown file to which records are
// appended. Several programs may write to it at a time. Nothing is written, nor any file made, before the first
// record. It is safe for concurrent use.
type Transcript struct {
	name string // of the file

	mu     sync.Mutex
	file   *os.File // guarded by mu; nil until the first record
	closed bool     // guarded by mu

	queue   sync.Mutex // taken after mu where both are
	later   [][]byte   // guarded by queue; records that nobody waits for, oldest first
	writing bool       // guarded by queue; somebody is about to write them
	err     error      // guarded by queue; of the last record
}

// NewTranscript returns the transcript in a file, whose folder is made if need be. It touches no disk.
func NewTranscript(file string) *Transcript { return &Transcript{name: file} }

// Append has a record written in the background, behind those before it. It waits for no disk; what goes wrong
// says Err.
func (t *Transcript) Append(r Record) {
	line := r.Encode()
	t.queue.Lock()
	defer t.queue.Unlock()
	if len(t.later) == mostWaiting {
		t.err = fmt.Errorf("write the transcript %s: the disk is not responding", t.name)
		return
	}
	t.later = append(t.later, line)
	if !t.writing {
		t.writing = true
		go func() { // Close and Read wait for it, by mu
			t.mu.Lock()
			defer t.mu.Unlock()
			t.drain()
		}()
	}
}

// Err returns why the last record could not be written, nil if it was or still waits.
func (t *Transcript) Err() error {
	t.queue.Lock()
	defer t.queue.Unlock()
	return t.err
}

// Flush returns when all records are written, with what went wrong with the last of them.
func (t *Transcript) Flush() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drain()
	return t.Err()
}

// drain writes what waits. The caller holds mu.
func (t *Transcript) drain() {
	for {
		t.queue.Lock()
		lines := t.later
		t.later = nil
		if len(lines) == 0 {
			t.writing = false
			t.queue.Unlock()
			return
		}
		t.queue.Unlock()
		err := t.write(bytes.Join(lines, nil))
		t.queue.Lock()
		t.err = err
		t.queue.Unlock()
	}
}

// write appends to the file in one piece, so that what several programs write does not mix. The caller holds mu.
func (t *Transcript) write(text []byte) error {
	if t.closed {
		return fmt.Errorf("write the transcript %s: %w", t.name, fs.ErrClosed)
	}
	if t.file == nil {
		f, err := openTranscript(t.name)
		if err != nil {
			return fmt.Errorf("write the transcript %s: %w", t.name, err)
		}
		t.file = f
		if info, err := f.Stat(); err == nil && info.Size() > 0 && !endsLine(f, info.Size()) {
			text = append([]byte("\n"), text...) // what is there was cut off
		}
	}
	if _, err := t.file.Write(text); err != nil {
		_ = t.file.Close() // the next record opens it again, and ends the line that was begun
		t.file = nil
		return fmt.Errorf("write the transcript %s: %w", t.name, err)
	}
	return nil
}

func endsLine(f *os.File, size int64) bool {
	last := make([]byte, 1)
	_, err := f.ReadAt(last, size-1)
	return err == nil && last[0] == '\n'
}

// The rights of what is made: a conversation is the user's alone.
const (
	ownFile   = 0o600
	ownFolder = 0o700
	appending = os.O_CREATE | os.O_APPEND | os.O_RDWR
)

// openTranscript opens the file for appending, and makes it and its folder if need be.
func openTranscript(name string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(name), ownFolder); err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	f, err := os.OpenFile(name, appending, ownFile)
	if err != nil {
		return nil, err
	}
	return f, keepPrivate(f)
}

// keepPrivate takes a file that others may read away from them.
func keepPrivate(f *os.File) error {
	info, err := f.Stat()
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		_ = f.Chmod(ownFile) // some file systems have no rights
	}
	return err
}

// Read returns the last records of the transcript, oldest first: as many as have room in what is ever read of
// one. There are none where there is no file.
func (t *Transcript) Read() ([]Record, error) {
	_ = t.Flush() // what could not be written is told where it was said
	text, err := tail(t.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the transcript %s: %w", t.name, err)
	}
	return Decode(text), nil
}

func tail(name string) ([]byte, error) {
	f, info, err := workspace.OpenRegularFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only
	from := max(0, info.Size()-readBytes)
	return io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
}

// Close writes what waits and closes the file; the transcript then takes no records.
func (t *Transcript) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drain()
	t.closed = true
	err := t.Err()
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
		t.file = nil
	}
	return err
}
