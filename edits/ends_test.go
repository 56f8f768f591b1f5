package edits_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/match"
)

// chunk reads lines with signs as a hunk.
func chunk(lines ...string) edits.Chunk {
	var c edits.Chunk
	for _, l := range lines {
		c.Lines = append(c.Lines, match.Line{Sign: l[0], Text: l[1:]})
	}
	return c
}

func hunk(chunks ...edits.Chunk) edits.Edit {
	return edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindHunk, Chunks: chunks}
}

// adding are edits of the file "alpha\nbeta\ngamma\n" that add lines, in every way in which that can be
// said, and what the file is then.
var adding = map[string]struct {
	edit edits.Edit
	want string
}{
	"a block in the place of a line":     {replaceEdit("beta\n", "beta 1\nbeta 2\n"), "alpha\nbeta 1\nbeta 2\ngamma\n"},
	"a block above the first line":       {replaceEdit("alpha\n", "zero\nalpha\n"), "zero\nalpha\nbeta\ngamma\n"},
	"a block below the last line":        {replaceEdit("gamma\n", "gamma\ndelta\nepsilon\n"), "alpha\nbeta\ngamma\ndelta\nepsilon\n"},
	"a block without its last line end":  {replaceEdit("gamma", "gamma\ndelta"), "alpha\nbeta\ngamma\ndelta\n"},
	"a block for the whole file":         {replaceEdit("alpha\nbeta\ngamma\n", "one\ntwo\n"), "one\ntwo\n"},
	"a block further in":                 {replaceEdit("  beta\n", "  beta\n  more\n"), "alpha\nbeta\nmore\ngamma\n"},
	"a block with a blank line too many": {replaceEdit("alpha\n\nbeta\n", "alpha\nnew\nbeta\n"), "alpha\nnew\nbeta\ngamma\n"},
	"a block with dots":                  {replaceEdit("alpha\n...\ngamma\n", "alpha\n...\nlast\nlater\n"), "alpha\nbeta\nlast\nlater\n"},
	"a block without old text":           {replaceEdit("", "delta\nepsilon\n"), "alpha\nbeta\ngamma\ndelta\nepsilon\n"},
	"a listing": {edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: "zero\nalpha\nmore\nbeta\ngamma\nlast\n"},
		"zero\nalpha\nmore\nbeta\ngamma\nlast\n"},
	"another listing":                {edits.Edit{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: "1\n2\n3\n4\n"}, "1\n2\n3\n4\n"},
	"a hunk":                         {hunk(chunk(" alpha", "-beta", "+beta 1", "+beta 2", " gamma")), "alpha\nbeta 1\nbeta 2\ngamma\n"},
	"a hunk at the end":              {hunk(chunk(" gamma", "+delta", "+epsilon")), "alpha\nbeta\ngamma\ndelta\nepsilon\n"},
	"two hunks":                      {hunk(chunk("-alpha", "+one", "+two"), chunk(" gamma", "+delta")), "one\ntwo\nbeta\ngamma\ndelta\n"},
	"a hunk of new lines by a scope": {hunk(edits.Chunk{Scopes: []string{"alpha"}, Lines: chunk("+new", "+newer").Lines}), "alpha\nnew\nnewer\nbeta\ngamma\n"},
	"a hunk of new lines by number":  {hunk(edits.Chunk{Line: 2, Lines: chunk("+new").Lines}), "alpha\nbeta\nnew\ngamma\n"},
	"a hunk of new lines, no place":  {hunk(chunk("+new", "+newer")), "alpha\nbeta\ngamma\nnew\nnewer\n"},
	"a hunk of every line again":     {hunk(edits.Chunk{Ends: true, Lines: chunk("-alpha", "-beta", "-gamma", "+one", "+two").Lines}), "one\ntwo\n"},
}

// Lines that an edit adds end as those of the file do, whatever the edit, and nothing else changes its end.
func TestAddedLinesEndAsTheFileDoes(t *testing.T) {
	const before = "alpha\nbeta\ngamma\n"
	for what, c := range adding {
		for ends, with := range map[string]string{"LF": "\n", "CRLF": "\r\n", "CR": "\r"} {
			for _, mark := range []string{"", byteOrderMark} {
				for _, final := range []bool{true, false} {
					of := func(text string) string {
						text = mark + strings.ReplaceAll(text, "\n", with)
						if !final {
							text = strings.TrimSuffix(text, with)
						}
						return text
					}
					want := of(c.want)
					if what == "a hunk of every line again" && !final {
						want += with // such hunks say that each line has its end
					}
					r := edits.Apply(files{"f": of(before)}, []edits.Edit{c.edit}, nil, edits.Options{Chat: []string{"f"}})
					if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != want {
						t.Errorf("%s, %s, final line end %v: want %q, got %+v", what, ends, final, want, r)
					}
				}
			}
		}
	}
}

// The same edits in a reply with CRLF leave no carriage return in a file that has none.
func TestLineEndsOfTheReplyDoNotCount(t *testing.T) {
	const before = "alpha\nbeta\ngamma\n"
	for what, c := range adding {
		e := c.edit
		e.Search, e.Replace = crlf(e.Search), crlf(e.Replace)
		for _, with := range []string{"\n", "\r\n"} {
			of := func(text string) string { return strings.ReplaceAll(text, "\n", with) }
			r := edits.Apply(files{"f": of(before)}, []edits.Edit{e}, nil, edits.Options{Chat: []string{"f"}})
			if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != of(c.want) {
				t.Errorf("%s: want %q, got %+v", what, of(c.want), r)
			}
		}
	}
}

// most is the line end that most lines have, the first of them on a tie.
func most(own []string) (end string) {
	count := map[string]int{}
	for _, e := range own {
		count[e]++
	}
	for _, e := range own {
		if e != "" && (end == "" || count[e] > count[end]) {
			end = e
		}
	}
	return end
}

// In a file whose lines end in several ways each line that stays keeps its end, one that is rewritten does too, and a line
// that is added ends as the one above it, in every kind of edit. Where a rewritten line and its neighbours end in three ways,
// most lines decide.
func TestLinesEndAsTheirNeighboursDo(t *testing.T) {
	ends := []string{"\n", "\r\n", "\r"}
	r := rand.New(rand.NewPCG(3, 1))
	for range 1000 {
		n := 2 + r.IntN(7)
		own := make([]string, n)
		for i := range own {
			own[i] = ends[r.IntN(3)]
		}
		if r.IntN(3) == 0 {
			own[n-1] = ""
		}
		at := r.IntN(n)
		end := own[at]
		if end == "" {
			end = own[at-1]
		} else if at > 0 && at < n-1 && own[at+1] != "" && own[at-1] != own[at+1] && end != own[at-1] && end != own[at+1] {
			end = most(own) // nothing agrees
		}
		var before, want, listing strings.Builder
		for i, own := range own {
			fmt.Fprintf(&before, "line %d%s", i, own)
			if i != at {
				fmt.Fprintf(&want, "line %d%s", i, own)
				fmt.Fprintf(&listing, "line %d\n", i)
				continue
			}
			fmt.Fprintf(&want, "new 1%snew 2%s", end, map[bool]string{true: end}[own != ""])
			listing.WriteString("new 1\nnew 2\n")
		}
		search, replace := fmt.Sprintf("line %d\n", at), "new 1\nnew 2\n"
		for _, e := range []edits.Edit{
			replaceEdit(search, replace), hunk(chunk("-"+strings.TrimSuffix(search, "\n"), "+new 1", "+new 2")),
			{Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: listing.String()},
		} {
			if got := outcome(before.String(), e); got != want.String() {
				t.Fatalf("%s of %q: got %q, want %q", e.Kind, before.String(), got, want.String())
			}
		}
		if at == n-1 {
			continue
		}
		whole, rest, _ := strings.Cut(before.String(), fmt.Sprintf("line %d", at))
		want2 := whole + fmt.Sprintf("line %d", at) + own[at] + "new" + own[at] + strings.TrimPrefix(rest, own[at])
		if got := outcome(before.String(), hunk(chunk(fmt.Sprintf(" line %d", at), "+new"))); got != want2 {
			t.Fatalf("an added line of %q: got %q, want %q", before.String(), got, want2)
		}
	}
}

// A file that had no lines takes the ends of the first text that comes into it.
func TestEndsOfEmptyFiles(t *testing.T) {
	for _, before := range []string{"", byteOrderMark} {
		for what, e := range map[string]edits.Edit{
			"block":   replaceEdit("", "one\ntwo\n"),
			"CRLF":    replaceEdit("", "one\r\ntwo\r\n"),
			"listing": {Path: "f", Op: edits.OpUpdate, Kind: edits.KindWhole, Replace: "one\ntwo\n"},
			"hunk":    hunk(chunk("+one", "+two")),
		} {
			if got := outcome(before, e); got != before+"one\ntwo\n" {
				t.Errorf("%s into %q: %q", what, before, got)
			}
		}
	}
}

// A new file has plain line ends, whatever the reply has, and what an edit adds to it as well.
func TestNewFilesHavePlainEnds(t *testing.T) {
	for _, text := range []string{"one\ntwo\n", "one\r\ntwo\r\n"} {
		for _, kind := range []edits.Kind{edits.KindWhole, edits.KindReplace} {
			made := edits.Edit{Path: "new", Op: edits.OpCreate, Kind: kind, Replace: text}
			more := edits.Edit{Index: 1, Path: "new", Op: edits.OpUpdate, Kind: edits.KindReplace, Search: "two\n", Replace: "two\r\nthree\r\n"}
			r := edits.Apply(files{}, []edits.Edit{made, more}, nil, edits.Options{})
			if len(r.Failures) > 0 || len(r.Changes) != 1 || r.Changes[0].After != "one\ntwo\nthree\n" || r.Changes[0].Op != edits.OpCreate {
				t.Errorf("%q as %s: %+v", text, kind, r)
			}
		}
	}
}

// "No newline at end of file" on one side of a hunk says whether the file ends in a line end afterwards,
// if the hunk reaches the end of the file; on both sides, or on none, the file keeps what it had.
func TestTheMarkOfAnOpenEnd(t *testing.T) {
	for _, had := range []bool{true, false} {
		for _, old := range []bool{true, false} {
			for _, new := range []bool{true, false} {
				for _, end := range []string{"\n", "\r\n"} {
					c := chunk(" alpha", "-beta", "+gamma")
					c.Lines[1].Open, c.Lines[2].Open = old, new
					before, want := "alpha"+end+"beta", "alpha"+end+"gamma"
					if had {
						before += end
					}
					if had && old == new || old && !new {
						want += end
					}
					if got := outcome(before, hunk(c)); got != want {
						t.Errorf("the old line open %v, the new one %v: %q becomes %q, want %q", old, new, before, got, want)
					}
					// The last line may go instead, and the one above it becomes the last.
					c = chunk(" alpha", "-beta")
					c.Lines[0].Open, c.Lines[1].Open = new, old
					if got := outcome(before, hunk(c)); (strings.HasSuffix(got, end)) != strings.HasSuffix(want, end) || !strings.HasPrefix(got, "alpha") {
						t.Errorf("the old line open %v, the new one %v: %q becomes %q", old, new, before, got)
					}
					c = chunk(" alpha", "-beta", "+gamma")
					c.Lines[1].Open, c.Lines[2].Open = old, new
					// Further up the marks say nothing.
					if got := outcome(before+"\ntail"+end, hunk(c)); !strings.HasSuffix(got, "tail"+end) {
						t.Errorf("the end of the file changed: %q", got)
					}
				}
			}
		}
	}
}

// A file that moves keeps its ends, also where hunks change it on the way.
func TestAMovedFileKeepsItsEnds(t *testing.T) {
	e := edits.Edit{Path: "f", To: "g", Op: edits.OpRename, Kind: edits.KindRename, Chunks: []edits.Chunk{chunk(" one", "-two", "+2", "+3")}}
	tree := files{"f": byteOrderMark + "one\r\ntwo"}
	r := edits.Apply(tree, []edits.Edit{e}, nil, edits.Options{})
	if got := tree.After(r.Changes)["g"]; got != byteOrderMark+"one\r\n2\r\n3" || len(r.Failures) > 0 {
		t.Errorf("%q, %+v", got, r)
	}
	editstest.CheckInverse(t, tree, r.Changes)
}

// A block lands in spite of what differs in the lines that it quotes, and of the whole file only the lines
// that it changes become others: all that stays keeps its blanks, characters and line ends.
func TestOnlyWhatIsChangedChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	differ := map[string]func(l string) []string{
		"nothing":    func(l string) []string { return []string{l} },
		"blanks":     func(l string) []string { return []string{l + strings.Repeat(" ", r.IntN(3))} },
		"no blanks":  func(l string) []string { return []string{strings.TrimRight(l, " ")} },
		"further in": func(l string) []string { return []string{strings.TrimRight("  "+l, " ")} },
		"quotes": func(l string) []string {
			return []string{strings.NewReplacer("'", "’", "“", "\"", "”", "\"").Replace(l)}
		},
		"lines missing": func(l string) []string { return map[bool][]string{false: {l}}[strings.TrimSpace(l) == ""] },
		"lines too many": func(l string) []string {
			return append([]string{l}, map[bool][]string{true: {""}}[strings.TrimSpace(l) == ""]...)
		},
	}
	for how, of := range differ {
		landed := 0
		for range 150 {
			var file []string
			for i := range 12 {
				file = append(file, fmt.Sprintf("%scall_%d('%c')%s", strings.Repeat(" ", 2*r.IntN(2)), i, 'a'+i, []string{"", " # “so”", "  "}[r.IntN(3)]))
				if i%3 == 2 {
					file = append(file, "")
				}
			}
			from := 4 * r.IntN(3)
			to := from + 5 + r.IntN(3)
			at := from + 1 // between two lines with something in them
			end := []string{"\n", "\r\n", "\r"}[r.IntN(3)]
			write := func(lines []string, last string) string { return strings.Join(lines, end) + last }
			var search, replace, want []string
			for i, l := range file {
				quoted := of(l)
				new := []string{l}
				if i == at {
					new = []string{l[:len(l)-len(strings.TrimLeft(l, " "))] + "other()"}
				}
				want = append(want, new...)
				if i < from || i >= to {
					continue
				}
				search = append(search, quoted...)
				if i == at {
					quoted = of(new[0])
				}
				replace = append(replace, quoted...)
			}
			last := []string{end, ""}[r.IntN(2)]
			r := edits.Apply(files{"f": write(file, last)}, swap(textOf(search), textOf(replace)), nil, edits.Options{Chat: []string{"f"}})
			if len(r.Failures) > 0 {
				continue
			}
			landed++
			if got := r.Changes[0].After; strings.TrimRight(strings.Split(got, end)[at], " ") != want[at] || strings.Replace(got, strings.Split(got, end)[at]+end, want[at]+end, 1) != write(want, last) {
				t.Fatalf("%s: search\n%s\nreplace\n%s\nbefore\n%q\nafter\n%q\nwant\n%q", how, textOf(search), textOf(replace), write(file, last), got, write(want, last))
			}
		}
		if landed < 140 {
			t.Errorf("%s: only %d of 150 landed", how, landed)
		}
	}
}
