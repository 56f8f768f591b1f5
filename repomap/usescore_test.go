package repomap

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// toolbox is a repository in which files of one folder use what a far one defines.
func toolbox() map[string]string {
	files := map[string]string{
		"shop/cart.go":    "package shop\n\nimport \"tools\"\n\nfunc Pay(c Cart) { tools.Known(c) }\n\ntype Cart struct{}\n",
		"tools/tools.go":  "package tools\n\nfunc Known(a any) {}\n\nfunc Rounded(a int) int { return a }\n\nfunc Idle(a int) int { return a }\n\nfunc hidden(a int) int { return a }\n\nfunc Twice(a int) int { return a }\n",
		"other/twice.go":  "package other\n\nfunc Twice(a int) int { return a }\n",
		"py/tools.py":     "def Snaked(a):\n    def Local(b):\n        return b\n    return a\n",
		"tools/u_test.go": "package tools\n\nfunc TestedBy(a int) int { return a }\n",
	}
	for i := range 6 { // that are like the cart and use the tools
		files[fmt.Sprintf("shop/cart%d.go", i)] = fmt.Sprintf("package shop\n\nimport \"tools\"\n\nfunc Pay%d(c Cart) { tools.Known(tools.Rounded(%d), hidden(1), Snaked, Local, TestedBy, Twice) }\n", i, i)
	}
	for i := range 40 {
		files["tools/tools.go"] = strings.Replace(files["tools/tools.go"], "\n\n", fmt.Sprintf("\n\nfunc Spare%d(a int) int { return a }\n\n", i), 1)
	}
	for i := range 60 { // that have nothing to do with it
		files[fmt.Sprintf("far/f%d.go", i)] = fmt.Sprintf("package far\n\nfunc Far%d() { Far%d() }\n", i, (i+1)%60)
	}
	return files
}

// likelyUses gives the likelihood of each definition of some files to be newly used, by its name.
func likelyUses(x *Index, r Request, paths ...string) map[string]float64 {
	q := newScoring(x.current(), r)
	scores, _ := q.scores()
	total := q.softTotal(scores)
	best, _ := q.byScore(scores, useLookAt)
	u := newUseScoring(q, scores, best, total)
	out := map[string]float64{}
	for _, p := range paths {
		i, _ := q.s.find(p)
		for n, v := range u.likely(i, shareOf(scores[i]-slices.Max(scores), total)) {
			out[q.s.names.String(q.files()[i].Defs[n].Name)] = v
		}
	}
	return out
}

// What a change will newly use is what files like the chat file use and it does not, if it can.
func TestNewUsesAreWhatNeighboursUse(t *testing.T) {
	x := open(t, newMemory(toolbox()), 1)
	paths := []string{"tools/tools.go", "tools/u_test.go", "py/tools.py"}
	got := likelyUses(x, Request{Chat: []string{"shop/cart.go"}}, paths...)
	for _, less := range []struct{ name, why string }{
		{"Idle", "nobody uses it"},
		{"Known", "the chat file uses it already"},
		{"hidden", "it is private to another folder"},
		{"Snaked", "it is of another language"},
		{"Local", "it is inside a function"},
		{"TestedBy", "only tests can use it"},
		{"Twice", "another file defines the same name"},
	} {
		if got[less.name] >= got["Rounded"] {
			t.Errorf("%s is as likely as Rounded, %g and %g, but %s", less.name, got[less.name], got["Rounded"], less.why)
		}
	}
	for name, v := range got {
		if v <= 0 || v >= 1 {
			t.Errorf("%s: %g is no likelihood", name, v)
		}
	}
	if from := likelyUses(x, Request{Chat: []string{"tools/tools.go"}}, "tools/u_test.go"); from["TestedBy"] >= got["Rounded"] {
		t.Errorf("code of the folder gets a test's helper: %g", from["TestedBy"])
	}
	if asked := likelyUses(x, Request{Chat: []string{"shop/cart.go"}, Message: "keep idle carts"}, paths...); asked["Idle"] <= got["Idle"] {
		t.Errorf("the request names Idle, which is no more likely than without: %g and %g", asked["Idle"], got["Idle"])
	}
	if free := likelyUses(x, Request{Message: "carts"}, paths...); free["Snaked"] <= got["Snaked"] {
		t.Errorf("without a chat file every language is as near: %g and %g", free["Snaked"], got["Snaked"])
	}
}

// The map itself shows it, and names it although the file where it stands is not to be changed.
func TestMapShowsNewUses(t *testing.T) {
	x := open(t, newMemory(toolbox()), 1)
	r := Request{Budget: 150, Chat: []string{"shop/cart.go"}, Message: "pay carts"}
	if m := mapOf(t, x, r); !strings.Contains(m.Text, "Rounded") {
		t.Errorf("the map lacks what all neighbours use:\n%s", m.Text)
	}
	r.Without = []string{"use"}
	if m := mapOf(t, x, r); strings.Contains(m.Text, "Rounded") {
		t.Errorf("the map has it for another reason:\n%s", m.Text)
	}
}
