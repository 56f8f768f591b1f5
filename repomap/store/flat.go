// Package store is where the index touches raw memory: lists as the bytes of a snapshot and back, and snapshots
// as parts of files that are mapped and that the system may take back. Nothing else in repomap uses unsafe, but for
// repomap/syntax, which speaks to C. Package repomap decides what a snapshot holds; agent/index decides where it
// lies. Start at List and Pages.
package store

import "unsafe"

// align is the boundary in bytes on which every list of a snapshot begins.
const align = 8

// Size is what one T takes, in bytes.
func Size[T any]() int { return int(unsafe.Sizeof(*new(T))) }

// Bytes are the bytes of a list, which they share. T must hold no pointers and no gaps.
func Bytes[T any](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*Size[T]())
}

// List is what Bytes was given: it shares the bytes, which nobody may write to. ok is false where they do not begin
// on a boundary of T, or are no whole number of T.
func List[T any](b []byte) (list []T, ok bool) {
	start := unsafe.Pointer(unsafe.SliceData(b))
	switch size := Size[T](); {
	case len(b) == 0:
		return nil, true
	case len(b)%size != 0 || uintptr(start)%unsafe.Alignof(*new(T)) != 0:
		return nil, false
	default:
		return unsafe.Slice((*T)(start), len(b)/size), true
	}
}

// Text are bytes as a string that shares them. Nobody may write to them.
func Text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Letters are the bytes of a string, which they share. Nobody may write to them.
func Letters(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Aligned says whether bytes begin on the boundary on which lists do.
func Aligned(b []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(b)))%align == 0 }

// Room gives n elements of a list that is made larger where it must. What lies in them is rubbish.
func Room[T any](list *[]T, n int) []T {
	if cap(*list) < n {
		*list = make([]T, n+n/16)
	}
	return (*list)[:n]
}
