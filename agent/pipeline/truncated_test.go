package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
)

// truncated is an answer whose first diff is whole and whose second one, of so many new lines, is never closed.
func truncated(lines int) string {
	return diff("--- text.txt", "+++ text.txt", "@@ -1,3 +1,3 @@", " one", "-two", "+2", " three") +
		"```diff\n--- calc.py\n+++ calc.py\n@@ -5,2 +5,2 @@\n def sub(a, b):\n-    return a + b\n" + strings.Repeat("+    a = a - b\n", lines)
}

// An answer that ends in an open block loses no whole edit, however long that block is. The block is asked for again,
// whatever the server says of the end.
func TestImproveOfATruncatedAnswer(t *testing.T) {
	for _, lines := range []int{22, 2200} {
		disk := map[string]string{"calc.py": calc, "text.txt": "one\ntwo\nthree\n"}
		for _, finish := range []string{"stop", "length"} {
			b := improving(t, disk, truncated(lines))
			b.deliver(1, "finish: "+finish+"\nchunk: 4096\n")
			b.settings.MaxReflections = 0
			r := b.run("improve", pipeline.Args{Instruction: "Change it.", Files: []string{"calc.py", "text.txt"}})
			got := files(r)
			if r.State != event.TurnProposed || got["text.txt"] != "one\n2\nthree\n" {
				t.Fatalf("%d, %s: %s %v %v", lines, finish, r.State, r.Err, got)
			}
			came := strings.Count(got["calc.py"], "a = a - b")
			if came != 0 || len(r.Failures) != 1 {
				t.Errorf("%d, %s: %d lines, %v", lines, finish, came, r.Failures)
			}
		}
		for _, finish := range []string{"stop", "length"} {
			b := improving(t, disk, truncated(lines), diff("--- calc.py", "+++ calc.py", "@@ -5,2 +5,2 @@", " def sub(a, b):", "-    return a + b", "+    return a - b"))
			b.deliver(1, "finish: "+finish+"\nchunk: 4096\n")
			r := b.run("improve", pipeline.Args{Instruction: "Change it.", Files: []string{"calc.py", "text.txt"}})
			if r.State != event.TurnProposed || len(r.Failures) > 0 || len(b.server.Requests()) != 2 {
				t.Errorf("%d: %s %v %v", lines, r.State, r.Err, r.Failures)
			}
			same(t, files(r), map[string]string{"text.txt": "one\n2\nthree\n", "calc.py": strings.Replace(calc, "sub(a, b):\n    return a + b", "sub(a, b):\n    return a - b", 1)})
		}
	}
}

// BenchmarkTruncated is improve with such an answer, from the request to the proposal: what a user waits for beside the model.
func BenchmarkTruncated(b *testing.B) {
	for _, lines := range []int{22, 2200} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			x := improving(b, map[string]string{"calc.py": calc, "text.txt": "one\ntwo\nthree\n"}, truncated(lines))
			x.deliver(1, "repeat: true\nchunk: 4096\n")
			x.settings.MaxReflections = 0
			for b.Loop() {
				if r := x.run("improve", pipeline.Args{Instruction: "Change it.", Files: []string{"calc.py", "text.txt"}}); r.State != event.TurnProposed {
					b.Fatal(r.Err)
				}
			}
		})
	}
}
