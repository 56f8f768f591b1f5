package sandbox_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"coauthor/agent/sandbox"
	"coauthor/agent/verify"
	"coauthor/edits"
)

// BenchmarkCommandOn5000Files is what a turn waits for beside the user's own command: the shadow tree, which is made and taken
// down, the syntax check, the reading of what the command said, and the verdict. The command does nothing.
func BenchmarkCommandOn5000Files(b *testing.B) {
	files := map[string]string{}
	body := strings.Repeat("// A line of a comment, as long as lines of code are on average.\n", 60)
	for i := range 5000 {
		files[fmt.Sprintf("p%02d/q%d/f%04d.go", i%50, i%7, i)] = fmt.Sprintf("package q%d\n\n%sfunc f%d() int { return %d }\n", i%7, body, i, i)
	}
	y := newYard(b, files)
	const path = "p00/q0/f0000.go"
	before := files[path]
	change := edits.Change{Path: path, Op: edits.OpUpdate, Before: before, After: strings.Replace(before, "return 0", "return 1", 1)}
	shadow := y.shadow()
	set := verify.Settings{Level: verify.Full, Tools: []verify.Tool{{Argv: verify.Command{"true"}}}, LintTime: y.limit, TestTime: y.limit}
	if _, err := shadow.Way(b.Context(), y.root); err != nil { // a server finds that once
		b.Skip(err)
	}
	for b.Loop() {
		snap := y.ws.Snapshot()
		checks, err := verify.Run(b.Context(), verify.Checks(), verify.Input{Tree: snap.With([]edits.Change{change}), Base: snap,
			Changes: []edits.Change{change}, Settings: verify.Settings{Level: verify.Syntax}})
		if err != nil {
			b.Fatal(err)
		}
		ran, err := verify.Run(b.Context(), verify.Commands(shadow, set), y.input(set, []edits.Change{change}))
		if got := verify.Verdict(append(checks, ran...)); err != nil || !strings.HasPrefix(got, "syntax ✓, true ✓") {
			b.Fatalf("%q, %v", got, err)
		}
	}
}

// BenchmarkGoTestInTheShadow runs the same tests in the tree and in its shadow, both with what the build cache holds. The
// figures are those of the shadow; "ratio" is how many times the one in the tree they are. "unchanged" are changes that no
// package sees, so that all must come from the cache; "changed" is one of the package itself.
func BenchmarkGoTestInTheShadow(b *testing.B) {
	const code = "package x\n\nfunc F() int { return 1 }\n"
	y := newYard(b, map[string]string{"go.mod": "module x\n\ngo 1.24\n", "x.go": code, "notes.txt": "one\n",
		"x_test.go": "package x\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tif F() < 1 {\n\t\tt.Fatal(F())\n\t}\n}\n"})
	inTree := func() time.Duration {
		cmd := exec.Command("go", "test", "-json", "./...")
		cmd.Dir, cmd.Env = y.root, y.environ
		begin := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Skipf("go does not work here: %v\n%s", err, out)
		}
		return time.Since(begin)
	}
	inTree() // fills the cache
	shadow := y.shadow()
	set := verify.Settings{Level: verify.Full, Tools: []verify.Tool{{Argv: verify.Command{"go", "test", "./..."}, Tests: true}}, LintTime: y.limit, TestTime: y.limit}
	if _, err := shadow.Way(b.Context(), y.root); err != nil {
		b.Skip(err)
	}
	for name, change := range map[string]edits.Change{
		"unchanged": {Path: "notes.txt", Op: edits.OpUpdate, Before: "one\n", After: "two\n"},
		"changed":   {Path: "x.go", Op: edits.OpUpdate, Before: code, After: strings.Replace(code, "1", "2", 1)},
	} {
		b.Run(name, func(b *testing.B) {
			var tree, apart time.Duration
			for b.Loop() {
				b.StopTimer()
				if name == "changed" { // the same work in the tree
					y.put("x.go", strings.Replace(code, "1", fmt.Sprint(time.Now().UnixNano()), 1))
				}
				tree += inTree()
				y.put("x.go", code)
				b.StartTimer()
				begin := time.Now()
				ran, err := verify.Run(b.Context(), verify.Commands(shadow, set), y.input(set, []edits.Change{change}))
				apart += time.Since(begin)
				if got := verify.Verdict(ran); err != nil || !strings.HasPrefix(got, "1 test ✓") {
					b.Fatalf("%q, %v", got, err)
				}
			}
			b.ReportMetric(float64(tree.Milliseconds())/float64(b.N), "ms-in-tree/op")
			b.ReportMetric(float64(apart)/float64(tree), "ratio")
		})
	}
}

// processorTime is what this process has used of the processors, whatever else runs on them.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// BenchmarkShadowOf is what a command takes that does nothing, on the folder that COAUTHOR_TREE names: "overlay", and "copy"
// once there is one. What the first copy takes is told apart. "cpu-ms" is what this process takes of the processors, which
// other work beside it does not change.
func BenchmarkShadowOf(b *testing.B) {
	root := os.Getenv("COAUTHOR_TREE")
	if root == "" {
		b.Skip("COAUTHOR_TREE names no folder")
	}
	for _, way := range sandbox.Ways() {
		b.Run(string(way), func(b *testing.B) {
			y := newYard(b, nil)
			y.root, y.ways, y.limit = root, []sandbox.Way{way}, 10*time.Minute
			y.reopen()
			shadow := y.shadow()
			set := verify.Settings{Level: verify.Full, Tools: []verify.Tool{{Argv: verify.Command{"true"}}}, LintTime: y.limit, TestTime: y.limit}
			change := edits.Change{Path: "coauthor-new.txt", Op: edits.OpCreate, After: "new\n"}
			once := func() {
				ran, err := verify.Run(b.Context(), verify.Commands(shadow, set), y.input(set, []edits.Change{change}))
				if got := verify.Verdict(ran); err != nil || !strings.HasPrefix(got, "true ✓") {
					b.Fatalf("%q, %v", got, err)
				}
			}
			begin := time.Now()
			once()
			first := time.Since(begin)
			spent := processorTime(b)
			for b.Loop() {
				once()
			}
			b.ReportMetric(float64((processorTime(b)-spent).Milliseconds())/float64(b.N), "cpu-ms/op")
			b.ReportMetric(float64(first.Milliseconds()), "ms-first")
		})
	}
}
