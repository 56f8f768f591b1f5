package repomap

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"coauthor/repomap/syntax"
)

// journaled is a memory that keeps a journal. A part is whatever its writer had written by any moment.
type journaled struct {
	*memory
	parts []*piece
	full  bool // nothing more can be saved or written
}

type piece struct {
	bytes.Buffer
	ends []int // of each frame, the header being the first
	open bool
	full *bool
}

func (p *piece) Write(b []byte) (int, error) {
	if *p.full {
		return 0, errors.New("no space left on device")
	}
	n, err := p.Buffer.Write(b)
	p.ends = append(p.ends, p.Len())
	return n, err
}

func (p *piece) Close() error {
	p.open = false
	return nil
}

func (j *journaled) Append() (io.WriteCloser, error) {
	p := &piece{open: true, full: &j.full}
	j.parts = append(j.parts, p)
	return p, nil
}

func (j *journaled) Parts(read func(io.Reader) error) error {
	for _, p := range slices.Clone(j.parts) {
		if err := read(bytes.NewReader(p.Bytes())); err != nil {
			return err
		}
	}
	return nil
}

func (j *journaled) Clear() {
	j.parts = slices.DeleteFunc(j.parts, func(p *piece) bool { return !p.open })
}

func (j *journaled) Save(write func(io.Writer) error) error {
	if j.full {
		return errors.New("no space left on device")
	}
	return j.memory.Save(write)
}

// A full disk costs the head start and nothing else.
func TestJournalOnAFullDisk(t *testing.T) {
	j := &journaled{memory: newMemory(project(50))}
	j.full = true
	var mu sync.Mutex
	noted := 0
	x := New(Options{Source: j, Tagger: syntax.Tagger{}, Store: j, Workers: 2, Note: func(s string) {
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(s, "no space") {
			noted++
		}
	}})
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := mapOf(t, x, Request{Budget: 300}); m.Complete != 1 || m.Text == "" || noted != 2 {
		t.Errorf("complete %v, noted %d times", m.Complete, noted)
	}
}

// A journal of other grammars, or of another version, is not used.
func TestForeignJournals(t *testing.T) {
	j := &journaled{memory: newMemory(project(40))}
	x := New(Options{Source: j, Tagger: syntax.Tagger{}, Store: &unsaved{j}, Code: syntax.Code, Fingerprint: "others"})
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, tagged := goOn(t, j, -1); len(tagged) != len(j.files) {
		t.Errorf("%d of %d files were tagged", len(tagged), len(j.files))
	}
	sameSnapshot(t, "after it", j)
}

// Whatever a frame holds, its record can be worked with or is refused.
func FuzzJournalFrame(f *testing.F) {
	j := &journaled{memory: newMemory(project(3))}
	for i := range journalFrom {
		j.write("plain"+strings.Repeat("x", i), "some words")
	}
	x := New(Options{Source: j, Tagger: syntax.Tagger{}, Store: &unsaved{j}, Code: syntax.Code})
	if err := x.Refresh(f.Context()); err != nil {
		f.Fatal(err)
	}
	ends := j.parts[0].ends
	for i, end := range ends[:len(ends)-1] {
		f.Add(j.parts[0].Bytes()[end+frameHead : ends[i+1]])
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		x := New(Options{})
		words := journalWords{symbols: x.symbols}
		r, ok := words.record(frame)
		if !ok {
			return
		}
		x.base.add(r)
		x.listed, x.indexed = 1, 1
		x.publish()
		mapOf(t, x, Request{Budget: 200, Message: "words"})
		if err := x.WriteSnapshot(io.Discard); err != nil {
			t.Error(err)
		}
	})
}
