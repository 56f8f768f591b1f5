package strategy

import (
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// Who has to answer with one call is given no tools to look around with, and that one tool alone: the one that writes as the model
// edits best.
func TestAForcedCallIsTheOnlyTool(t *testing.T) {
	for best, want := range map[string]string{"whole": "write_file", "diff": "replace_lines", "": "write_file"} {
		catalog, err := model.Load(map[string]model.UserModel{"mine": {APIBase: "http://127.0.0.1:1", EditFormat: best}})
		if err != nil {
			t.Fatal(err)
		}
		row, err := coder.All().ByName("code")
		if err != nil {
			t.Fatal(err)
		}
		set := settings.Settings{Model: "mine"}
		s, err := Choose(catalog, set, Wanted{Format: "func"}, row, coder.HandOver{})
		if err != nil {
			t.Fatal(err)
		}
		if f := s.Forced(); f == nil || f.Name != want || s.Format.Tool() != want || len(s.Format.Tools) != 1 {
			t.Errorf("%q: %+v of %+v, want %s", best, f, s.Format.Tools, want)
		}
		if got := s.ToolForm(); got != NoTools {
			t.Errorf("%q: tools are given as %q", best, got)
		}
		s, err = Choose(catalog, set, Wanted{Format: "diff"}, row, coder.HandOver{})
		if err != nil || s.Forced() != nil || s.ToolForm() != NativeTools {
			t.Errorf("%q: a format of text is %+v with tools as %q, %v", best, s.Forced(), s.ToolForm(), err)
		}
	}
}
