package hunks

import "testing"

// The next hunk is the one behind the lines of the user, the previous one that before them, over all files and round.
func TestHunksAreGoneToInARound(t *testing.T) {
	list := []spot{{path: "a", first: 2, last: 2}, {path: "a", first: 8, last: 8}, {path: "c", first: 0, last: 0}}
	for _, x := range []struct {
		from           spot
		next, previous int
	}{
		{spot{path: "", first: -1, last: -1}, 0, 2},  // nowhere
		{spot{path: "a", first: -1, last: -1}, 0, 2}, // before its first line
		{spot{path: "a", first: 2, last: 2}, 1, 2},
		{spot{path: "a", first: 1, last: 8}, 2, 2},
		{spot{path: "a", first: 5, last: 6}, 1, 0},
		{spot{path: "b", first: 0, last: 3}, 2, 1},
		{spot{path: "c", first: 0, last: 0}, 0, 1},
	} {
		if got := next(list, x.from); got != list[x.next] {
			t.Errorf("next of %v: %v, want %v", x.from, got, list[x.next])
		}
		if got := previous(list, x.from); got != list[x.previous] {
			t.Errorf("previous of %v: %v, want %v", x.from, got, list[x.previous])
		}
	}
}
