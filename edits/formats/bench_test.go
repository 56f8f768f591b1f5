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

// measure reports, beside the time, the time on a processor, which says more on a busy machine, and how
// many bytes were allocated for each byte of reply and files.
func measure(b *testing.B, name string, tree files, reply string) {
	f := format(b, name)
	size := float64(len(reply) + tree.Bytes())
	n, from, spent := 0, allocated(), cpuTime()
	for b.Loop() {
		applyAll(f, tree, reply)
		n++
	}
	b.ReportMetric(float64((cpuTime()-spent).Microseconds())/1000/float64(n), "cpu-ms/op")
	b.ReportMetric(size, "input-bytes")
	b.ReportMetric(float64(allocated()-from)/float64(n)/size, "allocated/input")
}

// allocated is how many bytes the process has allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// What is made to cost much, and what is only large, takes at most 20 bytes for each byte of the
// reply and the files.
func TestAllocationIsBounded(t *testing.T) {
	if raced {
		return
	}
	const limit = 20
	all := adversarial()
	file := editstest.Source(10000)
	for _, s := range editstest.Spoilings {
		all["100 blocks, "+s.Name] = input{"diff", files{"big.py": editstest.Lines(file)}, editstest.Blocks("big.py", file, 100, s.Spoil)}
	}
	for name, in := range all {
		f := format(t, in.format)
		from := allocated()
		applyAll(f, in.tree, in.reply)
		if size := uint64(len(in.reply) + in.tree.Bytes()); allocated()-from > limit*size {
			t.Errorf("%s: %d bytes for %d", name, allocated()-from, size)
		}
	}
}

// replyOf is a reply of about that many bytes, of one format's own example and prose around it.
func replyOf(tb testing.TB, f edits.Format, size int) string {
	tb.Helper()
	one := fill(tb, f.Examples[0].Assistant, edits.Fences[0])
	if f.Name == "func" { // one call, with as many entries
		var out strings.Builder
		for i := 0; out.Len() < size; i++ {
			fmt.Fprintf(&out, `{"path": "f%d.py", "original_lines": ["a\n", "b %d\n"], "updated_lines": ["\u00e9\n", "c\n"]},`+"\n", i, i)
		}
		return `{"explanation": "many", "edits": [` + strings.TrimSuffix(out.String(), ",\n") + "]}"
	}
	return strings.Repeat(one+"\nAnd then, because of the change above, the next one.\n\n", size/len(one)+1)
}

// inPieces parses a reply as it streams, about a dozen tokens at a time.
func inPieces(f edits.Format, reply string) int {
	p := f.New(edits.ParseOptions{})
	for rest := reply; rest != ""; {
		n := min(48, len(rest))
		p.Write(rest[:n])
		rest = rest[n:]
	}
	list, _ := p.Close(edits.Ended)
	return len(list)
}

// BenchmarkParse shows for two sizes what a byte of a growing reply costs: the same.
func BenchmarkParse(b *testing.B) {
	for _, f := range formats.All() {
		for _, size := range []int{256 << 10, 1 << 20} {
			reply := replyOf(b, f, size)
			b.Run(fmt.Sprintf("%s/%dKB", f.Name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(reply)))
				n, spent := 0, cpuTime()
				for b.Loop() {
					inPieces(f, reply)
					n++
				}
				b.ReportMetric(float64((cpuTime()-spent).Nanoseconds())/float64(n*len(reply)), "cpu-ns/byte")
			})
		}
	}
}

// BenchmarkFences shows for two numbers of small edits, each between fences below a name, what a byte of them costs: the same.
func BenchmarkFences(b *testing.B) {
	for what, one := range map[string]string{
		"own":   "a.py\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n",
		"other": "n.md\n```\n--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x\n+y\n```\n",
	} {
		for _, n := range []int{5000, 20000} {
			reply := strings.Repeat(one, n)
			b.Run(fmt.Sprintf("%s/%d", what, n), func(b *testing.B) {
				b.SetBytes(int64(len(reply)))
				for b.Loop() {
					inPieces(format(b, "diff"), reply)
				}
			})
		}
	}
}

// Four times the reply takes four times the memory to parse; copying what was there already, which is
// how a parser becomes slow with the square of the reply, would take sixteen times.
func TestParsingIsLinear(t *testing.T) {
	if raced {
		return
	}
	for _, f := range formats.All() {
		cost := func(size int) float64 {
			reply := replyOf(t, f, size)
			from := allocated()
			if inPieces(f, reply) == 0 {
				t.Fatalf("%s: the reply has no edits", f.Name)
			}
			return float64(allocated()-from) / float64(len(reply))
		}
		cost(1 << 10) // what is made only once
		if small, large := cost(128<<10), cost(512<<10); large > 1.6*small {
			t.Errorf("%s: a byte of a large reply takes %.1f, of a small one %.1f", f.Name, large, small)
		}
	}
}

// A text in braces that turns out to be no tool call is looked at once, however much follows it.
func TestBracesThatAreNoCallCostOnce(t *testing.T) {
	if raced {
		return
	}
	for _, name := range []string{formats.Auto, "diff", "whole"} {
		cost := func(lines int) float64 {
			reply := "{\"name\": \"x\"}\n" + strings.Repeat("words\n", lines)
			from := allocated()
			edits.Parse(format(t, name), reply, edits.Ended, edits.ParseOptions{})
			return float64(allocated()-from) / float64(len(reply))
		}
		cost(10) // what is made only once
		if small, large := cost(500), cost(2000); large > 1.6*small {
			t.Errorf("%s: a byte of a large reply takes %.1f, of a small one %.1f", name, large, small)
		}
	}
}

type input struct {
	format string
	tree   files
	reply  string
}

// adversarial are replies made to cost as much as they can.
func adversarial() map[string]input {
	unclosed := func(n int) string {
		return "```diff\n--- a.py\n+++ a.py\n" + strings.Repeat("@@ -1,3 +1,4 @@\n+x\n", n)
	}
	some := files{"a.py": editstest.Lines(editstest.Source(1000))}
	near := make([]string, 10000)
	for i := range near {
		near[i] = fmt.Sprintf("start\n    value = %d\nend", i)
	}
	file := editstest.Source(10000)
	shuffled := append([]string(nil), file...)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	renamed := make([]string, len(file))
	for i, l := range file {
		renamed[i] = strings.Replace(l, "def convert_", "def other_", 1)
	}
	var scopes strings.Builder
	for i := range 2500 {
		fmt.Fprintf(&scopes, "@@ def nothing_%d(x)\n+x\n", i)
	}
	block := func(old, new string) string {
		return "a.py\n```\n<<<<<<< SEARCH\n" + old + "=======\n" + new + ">>>>>>> REPLACE\n```\n"
	}
	return map[string]input{
		"reply of 1 MB":           {"diff", some, strings.Repeat("Some prose about `a.py` and more.\n", 31000)},
		"22 hunks unclosed":       {"gitdiff", some, unclosed(22)},
		"2200 hunks unclosed":     {"gitdiff", some, unclosed(2200)},
		"2200 fences unclosed":    {"whole", some, strings.Repeat("```go\n", 2200)},
		"10000 near-identical":    {"diff", files{"a.py": editstest.Lines(near)}, block("start\n    value = x\nend\n", "start\nend\n")},
		"many equal lines":        {"diff", files{"a.py": strings.Repeat("same\n", 10000)}, block(strings.Repeat("same\n", 500)+"other\n", "x\n")},
		"one line of 1 MB":        {"diff", files{"a.py": strings.Repeat("x", 1<<20) + "\n"}, block(strings.Repeat("x", 1<<20-1)+"y\n", "z\n")},
		"shuffled":                {"whole", files{"a.py": editstest.Lines(file)}, "a.py\n```\n" + strings.Join(shuffled, "\n") + "\n```\n"},
		"every second line":       {"whole", files{"a.py": editstest.Lines(file[:5000])}, "a.py\n```\n" + strings.Join(everySecond(file[:5000]), "\n") + "\n```\n"},
		"200 absent blocks":       {"diff", files{"a.py": editstest.Lines(file)}, strings.Repeat(block("    return round(total / scale, 3)\n\nnothing like it\n    if strict and total > MAXIMUM_OF_THE_SENSOR * scale:\n", "x\n"), 200)},
		"udiff of equal hunks":    {"udiff", files{"a.py": strings.Repeat("    take(first)\n    give(second)\n", 5000)}, "```diff\n--- a.py\n+++ a.py\n" + strings.Repeat("@@ ... @@\n-    take(first)\n+    take(other)\n     give(second)\n", 500) + "```\n"},
		"20000 unclosed heads":    {"diff", some, strings.Repeat("<<<<<<< SEARCH\n    total = 0\n", 20000)},
		"all definitions renamed": {"whole", files{"a.py": editstest.Lines(file)}, "a.py\n```\n" + editstest.Lines(renamed) + "```\n"},
		"2500 absent scopes":      {"patch", files{"a.py": editstest.Lines(file)}, "*** Begin Patch\n*** Update File: a.py\n" + scopes.String() + "*** End Patch\n"},
		"1000 blocks with typos":  {"diff", files{"a.py": editstest.Lines(file)}, editstest.Blocks("a.py", file, 1000, editstest.Mistyped)},
		"5000 listings":           {"diff", files{"a.py": editstest.Lines(file)}, strings.Repeat("a.py\n```\n"+strings.Repeat("something = other\n", 20)+"```\n", 5000)},
		"1600 changes of form":    {"whole", some, strings.Repeat("none.py\n<<<<<<< SEARCH\nx\n=======\n"+strings.Repeat("something = other\n", 40)+">>>>>>> REPLACE\n*** Begin Patch\n*** Update File: none.py\n-x\n"+strings.Repeat("+something = other\n", 40)+"*** End Patch\n--- none.py\n+++ none.py\n@@ -1 +1 @@\n-x\n"+strings.Repeat("+something = other\n", 40)+"\n```\nz\n```\n", 400)},
		"markup in a listing":     {"whole", some, "a.py\n```\nx = `\n" + strings.Repeat("@@ -1,12 +1,12 @@ func something() {\n", 20000) + "```\n"},
		"20000 held lines":        {"udiff", some, strings.Repeat("--- x\n", 20000)},
		"20000 lines below {}":    {"diff", some, "{\"name\": \"x\"}\n" + strings.Repeat("words\n", 20000)},
		"20000 nested heads":      {"diff", some, strings.Repeat("<<<<<<< SEARCH\n", 20000)},
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
