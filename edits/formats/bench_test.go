package formats_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"coauthor/edits"
	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

// bigFile is a file of that many lines that look like code, most of them different.
func bigFile(lines int) []string {
	r := rand.New(rand.NewPCG(9, 9))
	out := make([]string, 0, lines)
	for i := 0; len(out) < lines; i++ {
		out = append(out,
			fmt.Sprintf("def function_%d(first, second):", i),
			fmt.Sprintf("    total = compute_%d(first, %d)", i%97, r.IntN(1000)),
			"    if total > second:",
			fmt.Sprintf("        return adjust(total, %d)", i),
			"    return total",
			"")
	}
	return out[:lines]
}

// manyBlocks is a reply of n blocks of four lines each; spoil changes the old lines.
func manyBlocks(file []string, n int, spoil func(lines []string) []string) string {
	var out strings.Builder
	for i := range n {
		at := i * (len(file) / n) / 6 * 6
		old := file[at : at+4]
		new := append([]string(nil), old...)
		new[1] = fmt.Sprintf("    total = changed_%d(first, second)", i)
		if spoil != nil {
			old, new = spoil(old), spoil(new)
		}
		fmt.Fprintf(&out, "big.py\n```python\n<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n```\n\n",
			strings.Join(old, "\n"), strings.Join(new, "\n"))
	}
	return out.String()
}

func outdented(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "  " + l
	}
	return out
}

func mistyped(lines []string) []string {
	out := append([]string(nil), lines...)
	out[1] = strings.Replace(out[1], "total", "totl", 1)
	return out
}

func applyAll(b testing.TB, format string, tree files, reply string) edits.Result {
	f, ok := formats.ByName(format)
	if !ok {
		b.Fatal("no format", format)
	}
	var chat []string
	for path := range tree {
		chat = append(chat, path)
	}
	list, problems := edits.Parse(f, reply, edits.Ended, edits.ParseOptions{Chat: chat})
	return edits.Apply(tree, list, problems, edits.Options{Chat: chat})
}

func TestAHundredBlocksLand(t *testing.T) {
	file := bigFile(10000)
	tree := files{"big.py": strings.Join(file, "\n") + "\n"}
	for name, spoil := range map[string]func([]string) []string{"exact": nil, "indented": outdented, "typos": mistyped} {
		r := applyAll(t, "diff", tree, manyBlocks(file, 100, spoil))
		n := 0
		for _, c := range r.Rungs {
			n += c
		}
		if len(r.Failures) > 0 || n != 100 || strings.Count(r.Changes[0].After, "changed_") != 100 {
			t.Errorf("%s: %d of 100 landed; %+v", name, n, r.Failures[:min(3, len(r.Failures))])
		}
		if name != "typos" && strings.Contains(r.Changes[0].After, "\n  def") {
			t.Errorf("%s: the new lines are not where the old ones were", name)
		}
	}
}

func BenchmarkHundredBlocks(b *testing.B) {
	file := bigFile(10000)
	tree := files{"big.py": strings.Join(file, "\n") + "\n"}
	for _, c := range []struct {
		name  string
		spoil func([]string) []string
	}{{"exact", nil}, {"indented", outdented}, {"typos", mistyped}} {
		reply := manyBlocks(file, 100, c.spoil)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				applyAll(b, "diff", tree, reply)
			}
			b.ReportMetric(float64(len(reply)+len(tree["big.py"])), "input-bytes")
		})
	}
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
	file := bigFile(10000)
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
		r := applyAll(t, in.format, in.tree, in.reply)
		for _, c := range r.Changes {
			editstest.CheckDiff(t, c.Before, c.After)
		}
	}
}

func BenchmarkAdversarial(b *testing.B) {
	for name, in := range adversarial() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				applyAll(b, in.format, in.tree, in.reply)
			}
			size := len(in.reply)
			for _, text := range in.tree {
				size += len(text)
			}
			b.ReportMetric(float64(size), "input-bytes")
		})
	}
}
