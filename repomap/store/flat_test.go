package store

import (
	"slices"
	"testing"
)

type entry struct {
	a uint32
	b uint16
	c [2]uint8
}

// A list comes back from its bytes; bytes that cannot be one are refused and never read.
func TestListsAndBytes(t *testing.T) {
	list := []entry{{1, 2, [2]uint8{3, 4}}, {5, 6, [2]uint8{7, 8}}, {9, 10, [2]uint8{11, 12}}}
	raw := Bytes(list)
	if len(raw) != 3*Size[entry]() || Size[entry]() != 8 {
		t.Fatalf("%d bytes, %d each", len(raw), Size[entry]())
	}
	back, ok := List[entry](slices.Clone(raw))
	if !ok || !slices.Equal(back, list) {
		t.Errorf("%v %v", back, ok)
	}
	for n := range len(raw) {
		if part, ok := List[entry](raw[:n]); ok != (n%8 == 0) || len(part) != n/8 && ok {
			t.Errorf("%d bytes: %v %v", n, part, ok)
		}
	}
	room := make([]uint64, 4)
	aligned := Bytes(room)
	for shift := range align {
		if got := Aligned(aligned[shift:]); got != (shift == 0) {
			t.Errorf("shifted by %d: aligned %v", shift, got)
		}
		if _, ok := List[uint32](aligned[shift : shift+16]); ok != (shift%4 == 0) {
			t.Errorf("shifted by %d: a list %v", shift, ok)
		}
		if _, ok := List[uint8](aligned[shift:]); !ok {
			t.Errorf("shifted by %d: bytes are no list of bytes", shift)
		}
	}
	for _, empty := range [][]byte{nil, {}} {
		if list, ok := List[entry](empty); len(list) != 0 || !ok || Text(empty) != "" {
			t.Errorf("nothing is %v %v %q", list, ok, Text(empty))
		}
	}
	if len(Bytes([]entry(nil))) != 0 || Text([]byte("größe")) != "größe" {
		t.Error("nothing, or a text")
	}
}
