package edits_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/edits"
)

// again applies an edit, changes the file as somebody would in between, and applies it once more.
func again(before string, e edits.Edit, between func(string) string) (string, edits.Result) {
	tree := files{"f": before}
	first := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{Remember: true})
	now := tree.After(first.Changes)
	now["f"] = between(now["f"])
	r := edits.Apply(now, []edits.Edit{e}, nil, edits.Options{Earlier: first.Landings, Remember: true})
	return now.After(r.Changes)["f"], r
}

// What landed and was taken back since lands once more; what stands is left, whatever else changed.
func TestWhatWasTakenBackLandsAgain(t *testing.T) {
	lines := make([]string, 12)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i)
	}
	before := textOf(lines)
	for at := range lines {
		old := lines[at]
		add := hunk(chunk(" "+old, "+new line"))
		change := replaceEdit(old+"\n", "another line\n")
		grow := replaceEdit(old+"\n", old+"\nand more\n")
		for what, e := range map[string]edits.Edit{"a hunk": add, "a change": change, "a block": grow, "new lines": hunk(edits.Chunk{Scopes: []string{old}, Lines: chunk("+new line").Lines})} {
			want, _ := again(before, e, func(s string) string { return s })
			if got, r := again(before, e, func(string) string { return before }); got != want || len(r.Failures) > 0 || r.Rungs[edits.RungAlready] > 0 || len(r.Landings) != 1 {
				t.Errorf("%s at %d, taken back: %q, %+v", what, at, got, r)
			}
			far := (at + 6) % len(lines)
			elsewhere := func(s string) string { return strings.Replace(s, lines[far]+"\n", "changed by hand\n", 1) }
			if got, r := again(before, e, elsewhere); got != elsewhere(want) || len(r.Failures) > 0 || r.Rungs[edits.RungAlready] != 1 || len(r.Landings) > 0 {
				t.Errorf("%s at %d, another line changed: %q, %+v", what, at, got, r)
			}
			if got, r := again(before, e, func(s string) string { return "on top\n" + s + "below\n" }); got != "on top\n"+want+"below\n" || r.Rungs[edits.RungAlready] != 1 {
				t.Errorf("%s at %d, moved: %q, %+v", what, at, got, r)
			}
		}
	}
}

// The last instruction for a file as a whole is the one that stands: one before it lands again.
func TestTheLastListingStands(t *testing.T) {
	whole := func(text string) edits.Edit {
		return edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: text}
	}
	got, results := rounds(files{"f": "zero\n"}, []edits.Edit{whole("one\n")}, []edits.Edit{whole("two\n")}, []edits.Edit{whole("one\n")}, []edits.Edit{whole("one\n")})
	if got["f"] != "one\n" || results[2].Rungs[edits.RungAlready] > 0 || results[3].Rungs[edits.RungAlready] != 1 {
		t.Errorf("%v, %+v", got, results)
	}
	// What was said of another file, or of some lines, does not count.
	other := whole("one\n")
	other.Path = "g"
	got, _ = rounds(files{"f": "zero\n", "g": "zero\n"}, []edits.Edit{whole("one\n")}, []edits.Edit{other})
	if got["g"] != "one\n" {
		t.Errorf("%v", got)
	}
	got, _ = rounds(files{"f": "zero\n"}, []edits.Edit{whole("one\n")}, []edits.Edit{replaceEdit("one\n", "two\n")}, []edits.Edit{whole("one\n")})
	if got["f"] != "two\n" {
		t.Errorf("a listing that comes again took a later change back: %v", got)
	}
}

// Two hunks that only differ in their scope, and one that comes for another file, are not the same.
func TestOtherInstructionsLand(t *testing.T) {
	add := func(scope string) edits.Edit {
		return hunk(edits.Chunk{Scopes: []string{scope}, Lines: chunk("+new").Lines})
	}
	got, results := rounds(files{"f": "one\ntwo\n"}, []edits.Edit{add("one")}, []edits.Edit{add("two")})
	if got["f"] != "one\nnew\ntwo\nnew\n" || results[1].Rungs[edits.RungAlready] > 0 {
		t.Errorf("%v", got)
	}
	e := replaceEdit("one\n", "one\nnew\n")
	there := e
	there.Path = "g"
	got, _ = rounds(files{"f": "one\n", "g": "one\n"}, []edits.Edit{e}, []edits.Edit{there})
	if got["f"] != "one\nnew\n" || got["g"] != "one\nnew\n" {
		t.Errorf("%v", got)
	}
	// A hunk that came among others may come again by itself.
	one, two := chunk(" one", "+new"), chunk(" two", "+newer")
	got, results = rounds(files{"f": "one\ntwo\n"}, []edits.Edit{hunk(one, two)}, []edits.Edit{hunk(two)}, []edits.Edit{hunk(one)})
	if got["f"] != "one\nnew\ntwo\nnewer\n" || results[1].Rungs[edits.RungAlready] != 1 || results[2].Rungs[edits.RungAlready] != 1 {
		t.Errorf("%v", got)
	}
	// Each landing counts for one repetition: what comes for two places comes twice.
	same := hunk(chunk("-same", "+same", "+new"))
	twice := []edits.Edit{same, same}
	got, results = rounds(files{"f": "same\nx\nsame\n"}, twice, twice)
	if got["f"] != "same\nnew\nx\nsame\nnew\n" || results[1].Rungs[edits.RungAlready] != 2 {
		t.Errorf("%v, %+v", got, results[1])
	}
}
