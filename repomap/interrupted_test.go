package repomap

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"coauthor/repomap/syntax"
)

// stopping is a counting Tagger that ends everything after so many files.
type stopping struct {
	counting
	left int
	stop func()
}

func (s *stopping) Tags(ctx context.Context, path string, src []byte) ([]Tag, error) {
	tags, err := s.counting.Tags(ctx, path, src)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left--; s.left == 0 {
		s.stop()
	}
	return tags, err
}

// saving is a store that counts how often it has something to keep, and does at each save what is asked for.
type saving struct {
	*memory
	saves int
	at    func(save int) error
}

func (s *saving) Save(write func(io.Writer) error) error {
	s.saves++
	if s.at != nil {
		if err := s.at(s.saves); err != nil {
			return err
		}
	}
	return s.memory.Save(write)
}

// goOn refreshes a new index over a store, to which 20 files are many, until it is stopped after so many files, and says how
// many it has tagged.
func goOn(t *testing.T, m *saving, files int) (tagged int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	tagger := &stopping{left: files, stop: cancel}
	x := New(Options{Source: m, Tagger: tagger, Store: m, Code: syntax.Code, Workers: 2})
	x.large = 20
	if err := x.Refresh(ctx); err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return len(tagger.taken())
}

// A large index that is interrupted is gone on with from the last snapshot, of which each has twice as many files as the one before.
func TestInterruptedIndexIsGoneOnWith(t *testing.T) {
	m := &saving{memory: newMemory(project(250))}
	goOn(t, m, 130)
	if m.saves != 3 {
		t.Errorf("saved %d times, should be at 20, 40 and 80 files", m.saves)
	}
	if again, want := goOn(t, m, -1), len(m.files)-80; again != want {
		t.Errorf("%d files were tagged after that, should be %d", again, want)
	}
	fresh := newMemory(m.files)
	open(t, fresh, 2)
	if !bytes.Equal(fresh.stored, m.stored) {
		t.Errorf("the snapshot differs from a new one's: %d and %d bytes", len(m.stored), len(fresh.stored))
	}
}

// Where little is still to come, there is one snapshot: of all.
func TestNearlyReadIsNotSavedTwice(t *testing.T) {
	m := &saving{memory: newMemory(project(35))}
	if goOn(t, m, -1); m.saves != 1 {
		t.Errorf("saved %d times", m.saves)
	}
}

// A full disk costs the head start and nothing else.
func TestSavedSoFarOnAFullDisk(t *testing.T) {
	m := &saving{memory: newMemory(project(50)), at: func(int) error { return errors.New("no space left on device") }}
	noted := 0
	x := New(Options{Source: m, Tagger: syntax.Tagger{}, Store: m, Note: func(s string) { noted += strings.Count(s, "no space") }})
	x.large = 20
	if err := x.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := mapOf(t, x, Request{Budget: 300}); got.Complete != 1 || got.Text == "" || noted != 2 || m.stored != nil {
		t.Errorf("complete %v, noted %d times", got.Complete, noted)
	}
}

// What is cancelled in the middle of a snapshot keeps the one before, and complains of nothing.
func TestSavedSoFarEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &saving{memory: newMemory(project(250))}
	m.at = func(save int) error {
		if save == 2 {
			cancel()
		}
		return nil
	}
	x := New(Options{Source: m, Tagger: syntax.Tagger{}, Store: m, Note: func(s string) { t.Error(s) }})
	x.large = 20
	if err := x.Refresh(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	m.at = nil
	if again, want := goOn(t, m, -1), len(m.files)-20; again != want {
		t.Errorf("%d files were tagged after that, should be %d", again, want)
	}
}
