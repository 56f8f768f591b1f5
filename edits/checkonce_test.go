package edits_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/edits"
)

// TestCheckIsAskedOnce: a reply may have thousands of edits of a file, and the caller looks at the disk each time.
func TestCheckIsAskedOnce(t *testing.T) {
	const n = 200
	var text strings.Builder
	var list []edits.Edit
	for i := range n {
		fmt.Fprintf(&text, "line %d of it\n", i)
		list = append(list, edits.Edit{Kind: edits.KindReplace, Path: "a", Search: fmt.Sprintf("line %d of it\n", i), Replace: fmt.Sprintf("other %d of it\n", i)})
	}
	asked := map[string]int{}
	r := edits.Apply(files{"a": text.String(), "b": "x\n"}, append(list, edits.Edit{Kind: edits.KindReplace, Path: "b", Search: "x\n", Replace: "y\n"}), nil, edits.Options{Check: func(path string, op edits.Op) error {
		asked[path+" "+string(op)]++
		return nil
	}})
	if len(r.Failures) > 0 || len(r.Changes) != 2 {
		t.Fatalf("%v, %d changes", r.Failures, len(r.Changes))
	}
	for what, times := range asked {
		if times != 1 {
			t.Errorf("%s: asked %d times", what, times)
		}
	}
	if asked["a update"] != 1 || asked["b update"] != 1 {
		t.Errorf("asked %v", asked)
	}
}
