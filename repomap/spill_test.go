package repomap

import (
	"fmt"
	"runtime"
	"testing"

	"coauthor/repomap/record"
)

// spilling is a store whose memory is the test's.
type spilling struct {
	Store
	kept int
}

func (s *spilling) Page() ([]byte, func(), error) { return nil, nil, nil }

func (s *spilling) Spill(data []byte) ([]byte, func(), error) {
	s.kept += len(data)
	return append([]byte(nil), data...), func() {}, nil
}

func (s *spilling) Rest() {}

// However little comes between two states, next to nothing of a large tree stays on the heap, and it is told soon.
func TestLittleAtATimeIsSpilled(t *testing.T) {
	for _, each := range []int{1 << 10, 200 << 10, spillLeast + 8, spillAt + 8} {
		to := &spilling{}
		x := New(Options{Source: newMemory(nil), Store: to})
		in := intake{x: x}
		sum, waiting := 0, 0
		for n := 0; sum < 5*spillAt; n++ {
			r := &record.Record{Path: fmt.Sprint(n), Signatures: string(make([]byte, each))}
			in.add(r)
			if sum += r.Size(); in.ripe() { // as after each publishEvery
				in.take()
			}
			waiting = max(waiting, in.size)
		}
		in.take()
		if onHeap := sum - to.kept; onHeap > spillAt+spillLeast {
			t.Errorf("%d at a time: %d MB stay on the heap", each, onHeap>>20)
		}
		if waiting > spillLeast+each {
			t.Errorf("%d at a time: %d MB wait", each, waiting>>20)
		}
	}
}

// Also where no state is published meanwhile, no more than one piece waits.
func TestAPieceIsSpilledByItself(t *testing.T) {
	to := &spilling{}
	in := intake{x: New(Options{Source: newMemory(nil), Store: to})}
	for n := range 5 * spillAt / (1 << 20) {
		in.add(&record.Record{Path: fmt.Sprint(n), Signatures: string(make([]byte, 1<<20))})
		if in.size > spillAt {
			t.Fatalf("%d MB wait", in.size>>20)
		}
	}
	if to.kept < 4*spillAt {
		t.Errorf("%d MB were moved", to.kept>>20)
	}
}

// What reading leaves behind is collected now and then, not with each file.
func TestGarbageOfReading(t *testing.T) {
	in := intake{x: New(Options{Source: newMemory(nil)})}
	collected := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumForcedGC
	}
	before := collected()
	for range 3*garbageAt/(1<<20) + 3 {
		in.leave(1 << 20)
	}
	if n := collected() - before; n != 3 {
		t.Errorf("%d collections", n)
	}
}
