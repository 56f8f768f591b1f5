package id_test

import (
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
	"testing"

	"coauthor/agent/id"
)

// TestIDsCanBeTypedAndAreNeverTheSame: from crypto/rand where nothing else is given.
func TestIDsCanBeTypedAndAreNeverTheSame(t *testing.T) {
	form, seen := regexp.MustCompile(`^q[a-z2-7]{16}$`), map[string]bool{}
	for range 1000 {
		got, err := id.New(nil, "q")
		if err != nil || !form.MatchString(got) || seen[got] {
			t.Fatalf("%q, %v, seen %v", got, err, seen[got])
		}
		seen[got] = true
	}
	a, err := id.New(strings.NewReader("0123456789"), "")
	b, errB := id.New(strings.NewReader("0123456789"), "")
	if a != b || len(a) != 16 || err != nil || errB != nil {
		t.Errorf("%q, %v and %q, %v", a, err, b, errB)
	}
}

func TestWithoutRandomnessThereIsNoID(t *testing.T) {
	if got, err := id.New(strings.NewReader("012345678"), "t"); got != "" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%q, %v", got, err)
	}
}

// counting is a source that two readers at a time would break.
type counting struct{ n byte }

func (c *counting) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = c.n
	}
	return len(p), nil
}

// TestManyMayShareASource: 250 bytes from 25 goroutines are every number once.
func TestManyMayShareASource(t *testing.T) {
	if id.Shared(nil) != nil {
		t.Error("no source became one")
	}
	shared := id.Shared(&counting{})
	var mu sync.Mutex
	seen := map[byte]bool{}
	var all sync.WaitGroup
	for range 25 {
		all.Go(func() {
			p := make([]byte, 10)
			_, err := io.ReadFull(shared, p)
			mu.Lock()
			defer mu.Unlock()
			for _, n := range p {
				seen[n] = true
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(seen) != 250 {
		t.Errorf("%d different bytes", len(seen))
	}
}
