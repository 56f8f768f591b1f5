package repomap

import (
	"slices"
	"strings"
	"testing"
)

func TestImportsInBothDirections(t *testing.T) {
	x := open(t, newMemory(map[string]string{
		"shop/cart.py":         "from shop.prices import total\n\ndef pay(): pass\n",
		"shop/prices.py":       "def total(): pass\n",
		"shop/till.py":         "import shop.cart\n",
		"shop/window.py":       "def dress(): pass\n",
		"web/index.ts":         "import { a } from './date-picker'\n",
		"web/date-picker.ts":   "export const a = 1\n",
		"web/date-range.ts":    "export const b = 1\n",
		"go/bank/account.go":   "package bank\n\nfunc Open() {}\n",
		"go/bank/vault.go":     "package bank\n\nfunc Lock() {}\n",
		"go/branch/counter.go": "package branch\n\nimport \"example.com/bank\"\n",
	}), 1)
	for chat, want := range map[string]map[string]float64{
		"shop/cart.py":         {"shop/prices.py": 1, "shop/till.py": 0.7},
		"shop/till.py":         {"shop/cart.py": 1},
		"web/index.ts":         {"web/date-picker.ts": 1},
		"web/date-picker.ts":   {"web/index.ts": 0.7},
		"go/branch/counter.go": {"go/bank/account.go": 0.5, "go/bank/vault.go": 0.5},
		"go/bank/vault.go":     {"go/branch/counter.go": 0.7, "go/bank/account.go": 1},
	} {
		q := newScoring(x.current(), Request{Chat: []string{chat}})
		for i, v := range importSignal(q) {
			if p := q.files()[i].Path; v != want[p] {
				t.Errorf("%s and %s: %v, want %v", chat, p, v, want[p])
			}
		}
	}
}

// Every signal that has something to say about a request changes the scores; none is left unplugged.
func TestEverySignalIsPluggedIn(t *testing.T) {
	files := project(20)
	files["pkg0/data.go"] = "package p0\n\nimport \"example.com/p/pkg1\"\n\n// Around is one.\nfunc Around() {}\n\nconst One = 1\n\nvar many = []int{\n\t1,\n\t2,\n\t3,\n\t4,\n\t5,\n}\n\nfunc CallsNode1(n *Node1) { run1(n, 1) }\n\nfunc Idle() {}\n\nfunc run3() {}\n\ntype Thing struct{}\n\nfunc (t *Thing) run1() {}\n"
	m := newMemory(files)
	m.commits = []Commit{{Paths: []string{"pkg1/file1.go", "pkg0/data.go"}}, {Paths: []string{"pkg2/file2.go"}}}
	m.write("go.mod", "module example.com/p\n")
	m.write("web/pkg1.py", "import pkg1.file1\n\n\ndef around():\n    def inside():\n        pass\n")
	x := open(t, m, 1)
	r := Request{Budget: 1000, Chat: []string{"pkg1/file1.go"}, Message: "node around the idle one, and its dependency", MentionedIdents: []string{"Idle"}, Recent: []string{"pkg3/file3.go"},
		Selection: &Selection{Path: "pkg1/file1.go", First: 6, Last: 6}}
	q := newScoring(x.current(), r)
	all, _ := q.scores()
	data, ok := q.s.find("pkg0/data.go")
	if !ok {
		t.Fatal("data.go is not indexed")
	}
	script, ok := q.s.find("web/pkg1.py")
	if !ok {
		t.Fatal("pkg1.py is not indexed")
	}
	scores := func(q *scoring) []float64 {
		d := newDefScoring(q)
		return slices.Concat(d.scores(data, &defMemory{}), d.scores(script, &defMemory{}))
	}
	defs := scores(q)
	for _, sig := range signals {
		r.Without = []string{sig.name}
		less, _ := newScoring(x.current(), r).scores()
		if slices.Equal(all, less) {
			t.Errorf("without %s the scores of files are the same", sig.name)
		}
	}
	for _, sig := range defSignals {
		if sig.weight == 0 {
			continue // of an overview, see TestOverviewShowsTypes
		}
		r.Without = []string{sig.name}
		if slices.Equal(defs, scores(newScoring(x.current(), r))) {
			t.Errorf("without %s the scores of definitions are the same", sig.name)
		}
	}
	uses := func(r Request) []float64 {
		q := newScoring(x.current(), r)
		files, _ := q.scores()
		best, _ := q.byScore(files, useLookAt)
		u := newUseScoring(q, files, best, q.softTotal(files))
		return slices.Concat(u.likely(data, 0), u.likely(script, 0))
	}
	r.Without = nil
	used := uses(r)
	for _, sig := range useSignals {
		r.Without = []string{sig.name}
		if slices.Equal(used, uses(r)) {
			t.Errorf("without %s the likelihoods of new uses are the same", sig.name)
		}
	}
}

// With no request and no file in the chat, the map shows what a repository is made of.
func TestOverviewShowsTypes(t *testing.T) {
	x := open(t, newMemory(map[string]string{
		"store.go": "package s\n\ntype Store struct{}\n\nfunc (s *Store) Put(key string) {}\n\nfunc helper() {}\n\nfunc OpenStore() *Store { return nil }\n",
		"a.go":     "package s\n\nfunc a() { OpenStore().Put(\"a\") }\n",
		"b.go":     "package s\n\nfunc b() { OpenStore() }\n",
	}), 1)
	order := func(r Request) string {
		q := newScoring(x.current(), r)
		i, _ := q.s.find("store.go")
		var names []string
		for _, p := range q.picks(q.files()[i], newDefScoring(q).scores(i, &defMemory{}), 9) {
			names = append(names, p.Name)
		}
		return strings.Join(names, " ")
	}
	if got := order(Request{}); got != "OpenStore Store helper Put" {
		t.Errorf("an overview has %s", got)
	}
	if got := order(Request{Without: []string{"def.used"}}); got != "Store Put helper OpenStore" {
		t.Errorf("without looking at uses an overview has %s", got)
	}
	if got := order(Request{Message: "put a key"}); !strings.HasPrefix(got, "Put ") {
		t.Errorf("for a request it has %s", got)
	}
	if got := mapOf(t, x, Request{Budget: 20}).Text; !strings.Contains(got, " type Store struct\n") || !strings.Contains(got, " func OpenStore() *Store\n") {
		t.Errorf("the map:\n%s", got)
	}
}
