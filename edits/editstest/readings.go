package editstest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Describe writes an edit out, with all that a parser sets but the words of its note.
func Describe(e edits.Edit) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %s %s", e.Kind, e.Op, strconv.Quote(e.Path))
	for _, name := range []struct{ what, name string }{{"from", e.From}, {"to", e.To}} {
		if name.name != "" {
			fmt.Fprintf(&out, " %s %q", name.what, name.name)
		}
	}
	fmt.Fprintf(&out, " lines %d to %d", e.First, e.Last)
	for _, flag := range []struct {
		what string
		on   bool
	}{{"listing", e.Listing}, {"note", e.Note != ""}} {
		if flag.on {
			out.WriteString(", " + flag.what)
		}
	}
	out.WriteString("\n")
	sides := func(search, replace string) {
		for _, side := range []struct{ sign, text string }{{"-", search}, {"+", replace}} {
			for l := range strings.Lines(side.text) {
				fmt.Fprintf(&out, "  %s%s\n", side.sign, strings.Trim(strconv.Quote(l), `"`))
			}
		}
	}
	sides(e.Search, e.Replace)
	for _, s := range e.Splits {
		out.WriteString("  or\n")
		sides(s.Search, s.Replace)
	}
	for _, c := range e.Chunks {
		fmt.Fprintf(&out, "  @@ %q line %d, from line %d", c.Scopes, c.Line, c.First)
		if c.AtEnd {
			out.WriteString(", at the end")
		}
		if c.Ends {
			out.WriteString(", every line ends")
		}
		out.WriteString("\n")
		for _, l := range c.Lines {
			flags := ""
			if l.Bare {
				flags += ", bare"
			}
			if l.Open {
				flags += ", open"
			}
			fmt.Fprintf(&out, "  %c%s%s\n", l.Sign, strconv.Quote(l.Text), flags)
		}
	}
	return out.String()
}

// DescribeProblem writes a problem out, with all but its words.
func DescribeProblem(p edits.Problem) string {
	return fmt.Sprintf("problem %s %q edit %d lines %d to %d\n", p.Reason, p.Path, p.Edit, p.First, p.Last)
}

// CheckReadings reads the replies of an archive and compares what each of them is read as. The files of
// the archive are pairs, "name.reply" and "name.want"; the reply of a name with "cut" in it was cut. The
// comment may hold a line "chat: names", and one "files: tree" for those of Tree to be at hand. However the
// reply is cut into pieces, the edits are the same.
func CheckReadings(t *testing.T, archive string, parser NewParser) {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	o := edits.ParseOptions{Language: Language}
	for l := range strings.Lines(string(a.Comment)) {
		if names, ok := strings.CutPrefix(l, "chat: "); ok {
			o.Chat = strings.Split(strings.TrimSpace(names), ", ")
		}
		if l == "files: tree\n" {
			o.Files = Tree()
		}
	}
	if len(a.Files) < 2 {
		t.Fatalf("%s holds no replies", archive)
	}
	for pair := range slices.Chunk(a.Files, 2) {
		name, _ := strings.CutSuffix(pair[0].Name, ".reply")
		if len(pair) < 2 || pair[1].Name != name+".want" {
			t.Fatalf("%s: %s has no want", archive, pair[0].Name)
		}
		how := edits.Ended
		if strings.Contains(name, "cut") {
			how = edits.Cut
		}
		reply := strings.NewReplacer("<CR>", "\r", "<BLANK>", " ", "<END>\n", "").Replace(string(pair[0].Data))
		t.Run(name, func(t *testing.T) {
			_, list, problems := Parse(parser, o, reply, how, Whole)
			var got strings.Builder
			for _, e := range list {
				got.WriteString(Describe(e))
			}
			for _, p := range problems {
				got.WriteString(DescribeProblem(p))
			}
			if diff := cmp.Diff(string(pair[1].Data), got.String()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			for _, n := range []int{1, 2, 7, 30} {
				CheckStream(t, parser, o, reply, how, func(int) int { return n })
			}
		})
	}
}
