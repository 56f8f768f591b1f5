package store

import "runtime"

// Lent is memory that is not the program's own, until nothing leads to it any more. Who reads what lies in it holds on to what has
// the Lent.
type Lent struct{ _ byte } // of a size, so that each has an address of its own

// Lend calls free, which may be nil, when nothing leads to the memory.
func Lend(free func()) *Lent {
	l := new(Lent)
	if free != nil {
		runtime.AddCleanup(l, func(free func()) { free() }, free)
	}
	return l
}
