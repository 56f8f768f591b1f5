package lsp_test

import (
	"fmt"
	"strconv"

	"coauthor/lsp/lsptest"
)

// stepMarks waits until the editor shows exactly one finding of ours in a file, with its line, severity and text, or
// none.
func stepMarks(s *scene, p playStep) {
	want := "[]"
	if len(p.args) > 1 {
		want = fmt.Sprintf("[%s %s %q]", p.args[1], p.args[2], p.args[3])
	}
	got := ""
	if !s.soon(func() bool {
		list := []string{}
		s.editor.Do(func(l *lsptest.Log) {
			for _, d := range l.Found[s.editor.URI(s.place(p.args[0]))] {
				line, err := strconv.Atoi(fmt.Sprint(field(d, "range", "start", "line")))
				if err != nil {
					s.t.Error(err)
				}
				list = append(list, fmt.Sprintf("%d %v %q", line+1, field(d, "severity"), field(d, "message")))
			}
		})
		got = fmt.Sprint(list)
		return got == want
	}) {
		s.t.Errorf("line %d: %s is marked %s, want %s", p.line, p.args[0], got, want)
	}
}
