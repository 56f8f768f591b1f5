package auto_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// asked are formats of every form, and none in particular.
var asked = []string{formats.Auto, "diff", "whole", "udiff", "patch", "func"}

// rules are the replies of testdata/rules.txtar with the files around them.
type rules struct {
	tree    editstest.Files
	chat    []string
	replies []ruled
}

// ruled is a reply and what it is read as, by the formats for which it is read alike.
type ruled struct {
	name, reply string
	want        map[string]string
}

func (r ruled) ending() edits.Ending {
	if strings.HasSuffix(r.name, ", cut") {
		return edits.Cut
	}
	return edits.Ended
}

func (r rules) options() edits.ParseOptions {
	return edits.ParseOptions{Chat: r.chat, Files: r.tree}
}

// loadRules reads the archive. Its files are "tree/PATH"; "NAME.reply", which is cut off if its name
// ends in ", cut"; and "FORMATS.want".
func loadRules(t *testing.T) rules {
	t.Helper()
	a, err := txtar.ParseFile("testdata/rules.txtar")
	if err != nil {
		t.Fatal(err)
	}
	r := rules{tree: editstest.Files{}}
	for l := range strings.Lines(string(a.Comment)) {
		if names, ok := strings.CutPrefix(l, "chat: "); ok {
			r.chat = strings.Split(strings.TrimSpace(names), ", ")
		}
	}
	for _, f := range a.Files {
		if path, ok := strings.CutPrefix(f.Name, "tree/"); ok {
			r.tree[path] = string(f.Data)
		} else if name, ok := strings.CutSuffix(f.Name, ".reply"); ok {
			r.replies = append(r.replies, ruled{name, string(f.Data), map[string]string{}})
		} else if names, ok := strings.CutSuffix(f.Name, ".want"); ok && len(r.replies) > 0 {
			for _, name := range strings.Fields(names) {
				r.replies[len(r.replies)-1].want[name] = string(f.Data)
			}
		} else {
			t.Fatalf("%q is neither a file, nor a reply, nor what is wanted", f.Name)
		}
	}
	return r
}

// read says what a reply is read as. That it came in another form than the one that was asked for is
// left out.
func read(format, reply string, how edits.Ending, o edits.ParseOptions) string {
	f, _ := formats.ByName(format)
	list, problems := edits.Parse(f, reply, how, o)
	return described(list, problems)
}

func described(list []edits.Edit, problems []edits.Problem) string {
	var out strings.Builder
	for _, e := range list {
		e.Note = ""
		out.WriteString(editstest.Describe(e))
	}
	for _, p := range problems {
		out.WriteString(editstest.DescribeProblem(p))
	}
	return out.String()
}

// Whatever was asked for, a reply is read by these rules, however it comes in pieces.
func TestRules(t *testing.T) {
	r := loadRules(t)
	for i, c := range r.replies {
		pieces := [][]int{{1}, {2, 40}, {7, len(c.reply)}}[i%3]
		t.Run(c.name, func(t *testing.T) {
			for _, format := range asked {
				want, ok := c.want[format]
				o := r.options()
				if diff := cmp.Diff(want, read(format, c.reply, c.ending(), o)); ok && diff != "" {
					t.Errorf("%s: -want +got\n%s", format, diff)
				}
				f, _ := formats.ByName(format)
				for _, n := range pieces {
					editstest.CheckStream(t, f.New, o, c.reply, c.ending(), func(int) int { return n })
				}
			}
			for format := range c.want {
				if !slices.Contains(asked, format) {
					t.Errorf("nobody asks for %q", format)
				}
			}
			if len(c.want) == 0 {
				t.Error("nothing is wanted")
			}
		})
	}
}
