package proposal

import (
	"context"
	"maps"
	"testing"

	"coauthor/edits"
)

// A follow-up starts from what applying the proposal now would make, whatever became of the file since; what
// could not be applied is stale.
func TestOnTopIsWhatApplyingMakes(t *testing.T) {
	ten := numbered(10)
	goal := ten + "more\n"
	typed := "typed\n" + ten
	for op, c := range map[string]edits.Change{
		"create":       {Path: "a", Op: edits.OpCreate, After: goal},
		"create empty": {Path: "a", Op: edits.OpCreate},
		"update":       update("a", ten, goal),
		"update empty": update("a", "", goal),
		"delete":       {Path: "a", Op: edits.OpDelete, Before: ten},
		"delete empty": {Path: "a", Op: edits.OpDelete},
		"rename":       {Path: "a", Op: edits.OpRename, To: "b", Before: ten, After: goal},
	} {
		for _, a := range []string{gone, "", "\n", ten, typed, goal, "else\n"} {
			for _, b := range []string{gone, "", "else\n"} {
				if b != gone && c.Op != edits.OpRename {
					continue
				}
				now := map[string]string{"other": "x\n"}
				if a != gone {
					now["a"] = a
				}
				if b != gone {
					now["b"] = b
				}
				ed, s := newEditor(t, now), newStore(t)
				p := add(t, s, c)
				base := ed.ws.Snapshot()
				changes, stale := OnTop(p.Files, base)
				made := base.With(changes)
				got := map[string]string{}
				for _, path := range []string{"a", "b", "other"} {
					if text, err := made.Read(path); err == nil {
						got[path] = text
					}
				}
				out, err := s.Apply(context.Background(), Selector{}, ed)
				if err != nil {
					t.Fatal(err)
				}
				if landed := out.Status != StatusConflict; landed == (len(stale) > 0) || !maps.Equal(got, ed.files) {
					t.Errorf("%s where a is %.12q and b %.12q: %s makes %.40q, on top it is %.40q, stale %q", op, a, b, out.Status, ed.files, got, stale)
				}
			}
		}
	}
}
