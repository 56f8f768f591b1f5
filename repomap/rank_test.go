package repomap

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// ranks gives the rank of each file for walks that begin at the named ones; everywhere where none is named.
func ranks(t *testing.T, x *Index, begin ...string) map[string]float64 {
	t.Helper()
	s := x.current()
	restart := make([]float64, len(s.files))
	for i, f := range s.files {
		if len(begin) == 0 || slices.Contains(begin, f.Path) {
			restart[i] = 1 / float64(max(len(begin), 1))
		}
		if len(begin) == 0 {
			restart[i] = 1 / float64(len(s.files))
		}
	}
	out := map[string]float64{}
	for i, r := range s.linked().rank(restart, &scratch{}) {
		out[s.files[i].Path] = r
	}
	return out
}

// A file that nobody uses gains nothing by using itself, however often: what others use comes before it, in the graph and
// in the map.
func TestWhatOnlyUsesItselfIsNotFirst(t *testing.T) {
	alone := "def lonely_walk(n):\n    return n\n\ndef lonely_round(n):\n    return n\n\n"
	x := open(t, newMemory(map[string]string{
		"alone.py":  alone + strings.Repeat("lonely_walk(lonely_round(lonely_walk(1)))\n", 50),
		"shared.py": "def shared_total(n):\n    return n\n",
		"use_a.py":  "def first_user():\n    return shared_total(1)\n",
		"use_b.py":  "def second_user():\n    return shared_total(2)\n",
	}), 1)
	r := ranks(t, x)
	for path, rank := range r {
		if path != "alone.py" && rank <= r["alone.py"] {
			t.Errorf("%s has %.3f, and alone.py %.3f", path, rank, r["alone.py"])
		}
	}
	if r["shared.py"] <= r["use_a.py"] || r["shared.py"] <= r["use_b.py"] {
		t.Errorf("what is used is not before its users: %v", r)
	}
	m := mapOf(t, x, Request{Budget: 1000})
	at := func(path string) int {
		return slices.IndexFunc(m.Files, func(f RankedFile) bool { return f.Path == path })
	}
	if at("shared.py") != 0 || at("alone.py") < 0 {
		t.Errorf("the map:\n%s", m.Text)
	}
}

// A walk has an end on every graph, also where it runs to and fro, in circles, or has nowhere to go, and it neither loses
// nor invents rank: no request fails for want of a rank.
func TestEveryGraphHasRanks(t *testing.T) {
	def := func(name string, uses ...string) string {
		text := "def " + name + "_defined():\n    pass\n"
		for _, u := range uses {
			text += u + "_defined()\n"
		}
		return text
	}
	circle, star, chain := map[string]string{}, map[string]string{"hub.py": def("hub")}, map[string]string{}
	for i := range 40 {
		name, next := fmt.Sprintf("n%02d", i), fmt.Sprintf("n%02d", (i+1)%40)
		circle[name+".py"], star[name+".py"] = def(name, next), def(name, "hub")
		if chain[name+".py"] = def(name, next); i == 39 {
			chain[name+".py"] = def(name)
		}
	}
	for name, files := range map[string]map[string]string{
		"to and fro":  {"a.py": def("a", "b"), "b.py": def("b", "a")},
		"one file":    {"a.py": def("a", "a")},
		"no edges":    {"a.py": def("a"), "b.py": def("b"), "c.txt": "nothing\n"},
		"no code":     {"a.txt": "a\n", "b.txt": "b\n"},
		"a circle":    circle,
		"a star":      star,
		"a long line": chain,
	} {
		x := open(t, newMemory(files), 1)
		for _, begin := range [][]string{nil, {"a.py"}, {"n00.py"}, {"n39.py", "n20.py"}} {
			if len(begin) > 0 && files[begin[0]] == "" {
				continue
			}
			sum := 0.0
			for path, rank := range ranks(t, x, begin...) {
				if rank < 0 || math.IsNaN(rank) {
					t.Errorf("%s from %v: %s has %v", name, begin, path, rank)
				}
				sum += rank
			}
			if math.Abs(sum-1) > 1e-4 {
				t.Errorf("%s from %v: the ranks are %v together", name, begin, sum)
			}
			if m := mapOf(t, x, Request{Budget: 200, Chat: begin, Message: "hub n07 a"}); m.Text == "" && len(files) > len(begin) {
				t.Errorf("%s from %v: no map", name, begin)
			}
		}
	}
}
