package formats_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

func format(tb testing.TB, name string) edits.Format {
	tb.Helper()
	f, ok := formats.ByName(name)
	if !ok {
		tb.Fatal("no format", name)
	}
	return f
}

func applyAll(f edits.Format, tree files, reply string) edits.Result {
	chat := tree.Paths()
	list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: chat})
	return edits.Apply(tree, list, problems, edits.Options{Chat: chat})
}

func TestAHundredBlocksLand(t *testing.T) {
	file := editstest.Source(10000)
	tree := files{"big.py": editstest.Lines(file)}
	for _, c := range editstest.Spoilings {
		r := applyAll(format(t, "diff"), tree, editstest.Blocks("big.py", file, 100, c.Spoil))
		n := 0
		for _, count := range r.Rungs {
			n += count
		}
		if len(r.Failures) > 0 || n != 100 || strings.Count(r.Changes[0].After, "changed_") != 100 {
			t.Errorf("%s: %d of 100 landed; %+v", c.Name, n, r.Failures[:min(3, len(r.Failures))])
		}
		if c.Name != "typos" && strings.Contains(r.Changes[0].After, "\n  def") {
			t.Errorf("%s: the new lines are not where the old ones were", c.Name)
		}
	}
}

func BenchmarkHundredBlocks(b *testing.B) {
	file := editstest.Source(10000)
	tree := files{"big.py": editstest.Lines(file)}
	for _, c := range editstest.Spoilings {
		reply := editstest.Blocks("big.py", file, 100, c.Spoil)
		b.Run(c.Name, func(b *testing.B) { measure(b, "diff", tree, reply) })
	}
}

// measure reports, beside the time, how many bytes were allocated for each byte of reply and files.
func measure(b *testing.B, name string, tree files, reply string) {
	f := format(b, name)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n := 0
	for b.Loop() {
		applyAll(f, tree, reply)
		n++
	}
	runtime.ReadMemStats(&after)
	size := float64(len(reply) + tree.Bytes())
	b.ReportMetric(size, "input-bytes")
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(n)/size, "allocated/input")
}

// adversarial are replies made to cost as much as they can.
func adversarial() map[string]struct {
	format string
	tree   files
	reply  string
} {
	type input = struct {
		format string
		tree   files
		reply  string
	}
	unclosed := func(n int) string {
		return "```diff\n--- a.py\n+++ a.py\n" + strings.Repeat("@@ -1,3 +1,4 @@\n+x\n", n)
	}
	near := make([]string, 10000)
	for i := range near {
		near[i] = fmt.Sprintf("start\n    value = %d\nend", i)
	}
	file := editstest.Source(10000)
	shuffled := append([]string(nil), file...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	block := func(old, new string) string {
		return "a.py\n```\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n```\n"
	}
	return map[string]input{
		"reply of 1 MB":              {"diff", files{"a.py": "x\n"}, strings.Repeat("Some prose about `a.py` and more.\n", 31000)},
		"22 hunks unclosed":          {"gitdiff", files{"a.py": "y\n"}, unclosed(22)},
		"2200 hunks unclosed":        {"gitdiff", files{"a.py": "y\n"}, unclosed(2200)},
		"2200 fences unclosed":       {"whole", files{"a.py": "y\n"}, strings.Repeat("```go\n", 2200)},
		"10000 near-identical":       {"diff", files{"a.py": strings.Join(near, "\n") + "\n"}, block("start\n    value = x\nend\n", "start\nend\n")},
		"many equal lines":           {"diff", files{"a.py": strings.Repeat("same\n", 10000)}, block(strings.Repeat("same\n", 500)+"other\n", "x\n")},
		"one line of 1 MB":           {"diff", files{"a.py": strings.Repeat("x", 1<<20) + "\n"}, block(strings.Repeat("x", 1<<20-1)+"y\n", "z\n")},
		"shuffled":                   {"whole", files{"a.py": strings.Join(file, "\n") + "\n"}, "a.py\n```\n" + strings.Join(shuffled, "\n") + "\n```\n"},
		"every second line":          {"whole", files{"a.py": strings.Join(file[:5000], "\n") + "\n"}, "a.py\n```\n" + strings.Join(everySecond(file[:5000]), "\n") + "\n```\n"},
		"200 absent blocks":          {"diff", files{"a.py": strings.Join(file, "\n") + "\n"}, strings.Repeat(block("    return total\n\nnothing like it\n    if total > second:\n", "x\n"), 200)},
		"udiff of equal hunks":       {"udiff", files{"a.py": strings.Repeat("a\nb\n", 5000)}, "```diff\n--- a.py\n+++ a.py\n" + strings.Repeat("@@ ... @@\n-a\n+c\n b\n", 500) + "```\n"},
		"deeply nested replacements": {"diff", files{"a.py": "x\n"}, strings.Repeat("<<<<<<< SEARCH\n", 20000)},
	}
}

func everySecond(lines []string) []string {
	out := append([]string(nil), lines...)
	for i := 0; i < len(out); i += 2 {
		out[i] += " # changed"
	}
	return out
}

// What is made to cost much ends, and never with a panic; the benchmark says how soon.
func TestAdversarialRepliesEnd(t *testing.T) {
	for _, in := range adversarial() {
		r := applyAll(format(t, in.format), in.tree, in.reply)
		for _, c := range r.Changes {
			editstest.CheckDiff(t, c.Before, c.After)
		}
	}
}

func BenchmarkAdversarial(b *testing.B) {
	all := adversarial()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		in := all[name]
		b.Run(name, func(b *testing.B) { measure(b, in.format, in.tree, in.reply) })
	}
}
