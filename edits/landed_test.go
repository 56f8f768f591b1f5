package edits_test

import (
	"fmt"
	"slices"
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

// Edits of many lines are remembered like those of one.
func TestWideEditsComeAgain(t *testing.T) {
	lines := make([]string, 14)
	for i := range lines {
		lines[i] = fmt.Sprintf("line %d", i)
	}
	before := textOf(lines)
	for from := range lines {
		for to := from + 2; to <= len(lines); to += 3 {
			old := textOf(lines[from:to])
			kept := strings.Replace(old, lines[from+1]+"\n", lines[from+1]+"\nnew line\n", 1)
			for what, e := range map[string]edits.Edit{"more": replaceEdit(old, kept), "at the end": replaceEdit(old, old+"new line\n"), "others": replaceEdit(old, "one\ntwo\n"), "none": replaceEdit(old, "")} {
				want, first := again(before, e, func(s string) string { return s })
				if len(first.Failures) > 0 || first.Rungs[edits.RungAlready] != 1 || want == before {
					t.Fatalf("%s, lines %d to %d: %q, %+v", what, from, to, want, first)
				}
				if got, r := again(before, e, func(string) string { return before }); got != want || len(r.Failures) > 0 || r.Rungs[edits.RungAlready] > 0 {
					t.Errorf("%s, lines %d to %d, taken back: %q, %+v", what, from, to, got, r)
				}
			}
		}
	}
}

// How an edit found its place is told unless it stands there as it is, and nowhere else.
func TestWhatDecidedIsTold(t *testing.T) {
	const text = "alpha one\n  beta two\ngamma three\nsame\nmid\nsame\n"
	for what, c := range map[string]struct {
		e     edits.Edit
		notes int
	}{
		"as it is":        {replaceEdit("  beta two\n", "  b\n"), 0},
		"a hunk as it is": {hunk(chunk("-gamma three", "+g")), 0},
		"a blank more":    {replaceEdit("gamma three \n", "g\n"), 1},
		"another depth":   {replaceEdit("beta two\n", "b\n"), 1},
		"by its number":   {hunk(edits.Chunk{Line: 6, Lines: chunk("-same", "+other").Lines}), 1},
		"by a scope":      {hunk(edits.Chunk{Scopes: []string{"mid"}, Lines: chunk("-same", "+other").Lines}), 1},
		"at the end":      {hunk(edits.Chunk{AtEnd: true, Lines: chunk("-same", "+other").Lines}), 1},
		"only new lines":  {hunk(chunk("+new")), 1},
		"above the first": {hunk(edits.Chunk{AtTop: true, Lines: chunk("+new").Lines}, edits.Chunk{Line: 3, Lines: chunk("-gamma three", "+g").Lines}), 1},
		"below a scope":   {hunk(edits.Chunk{Scopes: []string{"mid"}, Lines: chunk("+new").Lines}), 1},
		"with a number":   {hunk(edits.Chunk{Line: 3, Lines: chunk("+new").Lines}), 1},
		"what is there":   {replaceEdit("nothing of it\n", "gamma three\nsame\n"), 1},
	} {
		r := edits.Apply(files{"f": text}, []edits.Edit{c.e}, nil, edits.Options{})
		if len(r.Failures) > 0 || len(r.Notes) != c.notes {
			t.Errorf("%s: %+v", what, r)
		}
	}
	// Whether the number of a hunk is right is seen in the file as it was before the reply.
	for what, c := range map[string]struct {
		line int
		text string
		ok   bool
	}{"right": {3, "gamma three", true}, "one too many": {4, "gamma three", false}, "one too few": {2, "gamma three", false}, "none": {0, "gamma three", false}, "the last": {6, "same", true}, "beyond the end": {7, "same", false}} {
		top, other := edits.Chunk{AtTop: true, Lines: chunk("+new").Lines}, edits.Chunk{Line: c.line, Lines: chunk("-"+c.text, "+g").Lines}
		for _, list := range [][]edits.Chunk{{top, other}, {other, top}, {top, {Line: 1, Lines: chunk(" alpha one", "+more").Lines}, other}} {
			r := edits.Apply(files{"f": text}, []edits.Edit{hunk(list...)}, nil, edits.Options{})
			atTop := len(r.Changes) == 1 && strings.HasPrefix(r.Changes[0].After, "new\nalpha")
			refused := slices.ContainsFunc(r.Failures, func(f edits.Failure) bool { return f.Reason == edits.ReasonAmbiguous })
			if atTop != c.ok || c.ok == refused {
				t.Errorf("%s: %+v", what, r)
			}
		}
	}
}
