package loss_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/loss"
)

// numbered is a text of so many lines, each different.
func numbered(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func update(path, before, after string) edits.Change {
	return edits.Change{Path: path, Op: edits.OpUpdate, Before: before, After: after}
}

func TestTrips(t *testing.T) {
	long := strings.Repeat("x", 999)
	cases := []struct {
		name          string
		before, after string
		diff, listing bool
		says          string
	}{
		{"one line of 300 stays", numbered(1, 300), "line 7\n", true, true, "removes 299 of 300 lines of f"},
		{"another text in the place of all", numbered(1, 300), "hello\n", true, true, "removes 300 of 300 lines of f and adds 1"},
		{"emptied", numbered(1, 10), "", true, true, "removes 10 of 10 lines of f"},
		{"emptied, but short", numbered(1, 9), "", false, false, "removes 9 of 9 lines of f"},
		{"emptied, short with long lines", long + "\n", "", true, true, "removes 1 of 1 line of f"},
		{"emptied, short and a byte below", long[1:] + "\n", "", false, false, "removes 1 of 1 line of f"},
		{"one long line for another", long + "\n", "y\n", false, false, "removes 1 of 1 line of f and adds 1"},
		{"exactly half", numbered(1, 20), numbered(1, 10), false, true, "removes 10 of 20 lines of f"},
		{"more than half", numbered(1, 20), numbered(1, 9), true, true, "removes 11 of 20 lines of f"},
		{"more than half, half as many new", numbered(1, 20), numbered(1, 8) + numbered(101, 106), false, true, "removes 12 of 20 lines of f and adds 6"},
		{"more than half, fewer than half as many new", numbered(1, 20), numbered(1, 8) + numbered(101, 105), true, true, "removes 12 of 20 lines of f and adds 5"},
		{"rewritten", numbered(1, 100), numbered(101, 200), false, false, "removes 100 of 100 lines of f and adds 100"},
		{"a fifth", numbered(1, 100), numbered(1, 40) + numbered(51, 90), false, true, "removes 20 of 100 lines of f"},
		{"less than a fifth", numbered(1, 100), numbered(1, 40) + numbered(51, 59) + numbered(61, 99), false, false, "removes 12 of 100 lines of f"},
		{"twenty in one run", numbered(1, 1000), numbered(1, 500) + numbered(521, 1000), false, true, "removes 20 of 1000 lines of f"},
		{"twenty in two runs", numbered(1, 1000), numbered(1, 500) + numbered(511, 600) + numbered(611, 1000), false, false, "removes 20 of 1000 lines of f"},
		{"twenty in one run with one in their place", numbered(1, 1000), numbered(1, 500) + "new\n" + numbered(521, 1000), false, false, "removes 20 of 1000 lines of f and adds 1"},
		{"new lines elsewhere are not in their place", numbered(1, 1000), numbered(1, 500) + numbered(521, 1000) + numbered(2001, 2020), false, true, "removes 20 of 1000 lines of f and adds 20"},
		{"moved within the file", numbered(1, 100), numbered(51, 100) + numbered(1, 50), false, false, ""},
		{"moved lines are not in the place of others", numbered(1, 100), numbered(41, 60) + numbered(81, 100) + numbered(61, 80), false, true, "removes 40 of 100 lines of f"},
		{"blank lines", "a\n" + strings.Repeat("\n", 300), "a\n", false, false, ""},
		{"blanks do not count", numbered(1, 20) + strings.Repeat("\n", 100), numbered(1, 9) + strings.Repeat("\n", 100), true, true, "removes 11 of 20 lines of f"},
		{"indented", numbered(1, 50), "\t" + strings.ReplaceAll(numbered(1, 50), "\n", "\n\t"), false, false, ""},
		{"other line ends", numbered(1, 50), strings.ReplaceAll(numbered(1, 50), "\n", "\r\n"), false, false, ""},
		{"no last line end", numbered(1, 50), strings.TrimSuffix(numbered(1, 50), "\n"), false, false, ""},
		{"the same line many times", strings.Repeat("a\n", 100), "a\n", true, true, "removes 99 of 100 lines of f"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			list := loss.Of([]edits.Change{update("f", c.before, c.after)})
			if len(list) == 0 {
				if c.says != "" || c.diff || c.listing {
					t.Error("nothing was lost")
				}
				return
			}
			l := list[0]
			if l.Trips(false) != c.diff || l.Trips(true) != c.listing || l.String() != c.says {
				t.Errorf("trips as diff %t, as listing %t: %s (%+v)", l.Trips(false), l.Trips(true), l, l)
			}
		})
	}
}

func TestOtherFiles(t *testing.T) {
	all := numbered(1, 100)
	create := func(path, text string) edits.Change { return edits.Change{Path: path, Op: edits.OpCreate, After: text} }
	cases := []struct {
		name    string
		changes []edits.Change
		want    []string
	}{
		{"split in two", []edits.Change{update("a", all, numbered(1, 5)), create("b", numbered(6, 50)), create("c", numbered(51, 100))}, nil},
		{"half of it moved", []edits.Change{update("a", all, ""), create("b", numbered(1, 40))}, []string{"removes 60 of 100 lines of a"}},
		{"one line that moved counts once", []edits.Change{update("a", strings.Repeat("x\n", 20), ""), create("b", "x\n")}, []string{"removes 19 of 20 lines of a"}},
		{"what stood there already is not gained", []edits.Change{update("a", all, ""), update("b", all, all+"more\n")}, []string{"removes 100 of 100 lines of a"}},
		{"two give the same lines to a third", []edits.Change{update("a", all, ""), update("b", all, ""), create("c", all)}, nil},
		{"swapped", []edits.Change{update("a", all, numbered(101, 200)), update("b", numbered(101, 200), all)}, nil},
		{"renamed with its text", []edits.Change{{Path: "a", Op: edits.OpRename, To: "b", Before: all, After: all}}, nil},
		{"renamed and emptied", []edits.Change{{Path: "a", Op: edits.OpRename, To: "b", Before: all}}, []string{"removes 100 of 100 lines of a"}},
		{"deleted", []edits.Change{{Path: "a", Op: edits.OpDelete, Before: all}}, []string{"deletes a, which has 100 lines"}},
		{"deleted with a text behind it", []edits.Change{{Path: "a", Op: edits.OpDelete, Before: all, After: all}}, []string{"deletes a, which has 100 lines"}},
		{"deleted, and all of it is elsewhere", []edits.Change{{Path: "a", Op: edits.OpDelete, Before: all}, create("b", all)}, nil},
		{"made", []edits.Change{create("a", "")}, nil},
		{"made over a text", []edits.Change{{Path: "a", Op: edits.OpCreate, Before: all}}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range loss.Of(c.changes) {
				if l.Trips(false) {
					got = append(got, l.String())
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestInvariants: what is no loss stays none, and what is one is told alike, however the texts are written.
func TestInvariants(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 18))
		before, after := randomText(r), randomText(r)
		l := of(update("f", before, after))
		if p := permuted(r, before); of(update("f", before, p)).Gone != 0 {
			t.Fatalf("seed %d: lines in another order are lost: %q, %q", seed, before, p)
		}
		for name, write := range map[string]func(string) string{
			"CRLF":   func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"blanks": func(s string) string { return strings.ReplaceAll(s, "\n", "  \n\n\t") },
		} {
			for _, other := range []loss.Loss{of(update("f", write(before), after)), of(update("f", before, write(after)))} {
				if other.Gone != l.Gone || other.Came != l.Came || other.Bare != l.Bare || other.Run != l.Run || other.Lines != l.Lines {
					t.Fatalf("seed %d, %s: %+v, and as it was %+v", seed, name, other, l)
				}
			}
		}
		// What goes to a new file is not lost, wherever it came from.
		moved := loss.Of([]edits.Change{update("f", before, after), {Path: "g", Op: edits.OpCreate, After: permuted(r, before)}})
		if len(moved) > 0 {
			t.Fatalf("seed %d: moved lines are lost: %+v", seed, moved)
		}
		check(t, l)
		if back := of(update("f", after, before)); l.Gone > 0 && back.Gone > 0 && (back.Gone != l.Came || back.Came != l.Gone) {
			t.Fatalf("seed %d: there %+v, and back %+v", seed, l, back)
		}
	}
}

// of counts one change; what loses nothing is zero but for the number of lines, which is not told then.
func of(c edits.Change) loss.Loss {
	if list := loss.Of([]edits.Change{c}); len(list) > 0 {
		return list[0]
	}
	return loss.Loss{}
}

func check(t *testing.T, l loss.Loss) {
	t.Helper()
	if l.Gone > l.Lines || l.Bare > l.Gone || l.Run > l.Bare || l.Bare < l.Gone-max(l.Came, 0) {
		t.Fatalf("counts that cannot be: %+v", l)
	}
	if l.Trips(false) && !l.Trips(true) {
		t.Fatalf("a diff trips where a listing does not: %+v", l)
	}
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteString([]string{"a\n", "b\n", "c\n", "}\n", "\n"}[r.IntN(5)])
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "line %d\n", r.IntN(30))
		}
	}
	return b.String()
}

func permuted(r *rand.Rand, text string) string {
	list := slices.Collect(strings.Lines(text))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return strings.Join(list, "")
}

func FuzzOf(f *testing.F) {
	f.Add(numbered(1, 30), numbered(5, 9), numbered(1, 3))
	f.Add("a\r\nb\rc", "", "\x00\xff\n")
	f.Fuzz(func(t *testing.T, before, after, other string) {
		if len(before)+len(after)+len(other) > 1<<16 {
			return
		}
		changes := []edits.Change{update("f", before, after), {Path: "g", Op: edits.OpCreate, After: other}, {Path: "h", Op: edits.OpDelete, Before: other}}
		list := loss.Of(changes)
		for _, l := range list {
			check(t, l)
		}
		if !slices.Equal(list, loss.Of(changes)) {
			t.Error("the same changes are counted in two ways")
		}
	})
}
