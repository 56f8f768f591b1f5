package deliver

import (
	"context"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/client"
)

// What the user leaves out in the client's own preview is refused, what is taken has landed, be it a part of a file;
// and where nothing is taken because something changed under the preview, it comes again.
func TestTakenInThePreview(t *testing.T) {
	base, goal := "a\nb\nc\nd\ne\nf\ng\n", "A\nb\nc\nd\ne\nf\nG\n"
	yes := client.Answer{Applied: true}
	for _, test := range []struct {
		name   string
		user   func(e *fakeEditor, do func() client.Answer) client.Answer
		plain  bool // not in a preview
		want   string
		whole  []string
		partly []string
	}{
		{"everything", func(_ *fakeEditor, do func() client.Answer) client.Answer { return do() }, false, "b landed, f landed, n landed", nil, nil},
		{"nothing", func(*fakeEditor, func() client.Answer) client.Answer { return client.Answer{} }, false, "b refused, f refused, n refused", []string{"f", "b", "n"}, nil},
		{"nothing, for a change in one", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.Type("f", strings.Replace(base, "d\n", "typed\n", 1))
			return client.Answer{}
		}, false, "b absent!, f absent!, n absent!", nil, nil},
		{"nothing, for a change in a closed one", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.write("b", textOf("b")+"saved\n")
			return client.Answer{}
		}, false, "b absent!, f absent!, n absent!", nil, nil},
		{"nothing, of one that answers late", func(*fakeEditor, func() client.Answer) client.Answer { return client.Answer{Null: true} }, false, "b unknown, f unknown, n unknown", nil, nil},
		{"one file", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.Put("f", goal, 2)
			return yes
		}, false, "b refused, f landed, n refused", []string{"b", "n"}, nil},
		{"one file, and a no", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.Put("f", goal, 2)
			return client.Answer{}
		}, false, "b absent, f landed, n absent", nil, nil},
		{"a part of one file", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.Put("f", "A"+base[1:], 2)
			return yes
		}, false, "b refused, f landed~, n refused", []string{"b", "n"}, []string{"f"}},
		{"a part, and something else", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.Put("f", "A"+base[1:]+"x\n", 2)
			return yes
		}, false, "b refused, f differs, n refused", []string{"b", "n"}, nil},
		{"a part of a new file", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.Put("n", "1\n", 1)
			return yes
		}, false, "b refused, f refused, n differs", []string{"f", "b"}, nil},
		{"a part, and a no", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.Put("f", "A"+base[1:], 2)
			return client.Answer{}
		}, false, "b absent, f differs, n absent", nil, nil},
		{"a part without a preview", func(e *fakeEditor, _ func() client.Answer) client.Answer {
			e.Put("f", "A"+base[1:], 2)
			return yes
		}, true, "b unknown, f differs, n unknown", nil, nil},
		{"nothing without a preview", func(*fakeEditor, func() client.Answer) client.Answer { return client.Answer{} }, true, "b absent, f absent, n absent", nil, nil},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: client.Quirks{NewFileByEdit: true}, options: Options{Native: !test.plain}, files: "b"})
			e.write("f", base)
			e.Put("f", base, 1)
			e.answer = func(_ context.Context, _ int, do func() client.Answer) (client.Answer, error) {
				return test.user(e, do), nil
			}
			steps := slices.Concat([]proposal.Step{{Change: changed("f", base, goal), Hunks: edits.Diff(base, goal)}}, plan("b +n"))
			list, err := e.a.Deliver(context.Background(), "the label", steps)
			if err != nil {
				t.Error(err)
			}
			whole, partly := e.a.LeftOut()
			if got := e.check(steps, list); got != test.want || !slices.Equal(whole, test.whole) || !slices.Equal(partly, test.partly) {
				t.Errorf("%q, want %q; left out %q and of %q", got, test.want, whole, partly)
			}
		})
	}
}
