package repomap

import (
	"fmt"
	"strings"
	"testing"
)

// animals is a repository of files that nothing but their words tells apart.
func animals() (files map[string]string, names []string) {
	files = map[string]string{}
	names = strings.Fields("ant bear crow deer eagle frog goat hare ibis jackal koala lemur mole newt otter panda quail rat seal tapir")
	for _, name := range names {
		files[name+".go"] = fmt.Sprintf("package zoo\n\n// Feed%s gives the %s food.\nfunc Feed%s(amount int) error { return nil }\n", name, name, name)
	}
	return files, names
}

func TestWhatIsSaidBesidesTheMessage(t *testing.T) {
	files, names := animals()
	x := open(t, newMemory(files), 1)
	scores := func(r Request) map[string]float64 {
		r.Budget = 1000
		out := map[string]float64{}
		for _, f := range mapOf(t, x, r).Files {
			out[f.Path] = f.Score
		}
		return out
	}
	crow := Request{Message: "Feed the crow."}
	alone := scores(crow)

	crow.Besides = "Feedhare comes next"
	both := scores(crow)
	if both["hare.go"] <= alone["hare.go"] || both["hare.go"] <= both["ant.go"] || both["crow.go"] <= both["ant.go"] {
		t.Errorf("beside the message: crow %v, hare %v, ant %v", both["crow.go"], both["hare.go"], both["ant.go"])
	}
	crow.Besides = ""
	for range 100 {
		for _, name := range names {
			crow.Besides += fmt.Sprintf("Feed%s: the %s, %s.go. ", name, name, name)
		}
	}
	if long := scores(crow); long["crow.go"] <= long["hare.go"] {
		t.Errorf("beside a long text: crow %v, hare %v", long["crow.go"], long["hare.go"])
	}
	crow.Besides = strings.Repeat("other words that no file has ", 1000)
	if other := scores(crow); other["crow.go"] != alone["crow.go"] {
		t.Errorf("beside words that no file has: crow %v, and alone %v", other["crow.go"], alone["crow.go"])
	}
}

func TestWhatWasAskedBefore(t *testing.T) {
	files, _ := animals()
	x := open(t, newMemory(files), 1)
	for _, c := range []struct {
		message, besides string
		earlier          []string
		want             string // what comes first
		same             bool   // as without what was asked before
	}{
		{message: "Feed the crow.", earlier: []string{"Feedhare is slow"}, want: "crow.go", same: true},
		{message: "Go on.", besides: "crow", earlier: []string{"Feedhare is slow"}, want: "crow.go", same: true},
		{message: "Go on.", earlier: []string{"Feedhare is slow"}, want: "hare.go"},
		{message: "", earlier: []string{"hare.go"}, want: "hare.go"},
		{message: "Go on.", earlier: []string{"Continue.", "And then?", "Feedhare is slow"}, want: "hare.go"},
		{message: "Go on.", earlier: []string{"Feedcrow, please", "Feedhare is slow"}, want: "crow.go"},
	} {
		r := Request{Budget: 1000, Message: c.message, Besides: c.besides, Earlier: c.earlier}
		got := mapOf(t, x, r)
		r.Earlier = nil
		without := mapOf(t, x, r)
		if got.Files[0].Path != c.want || (got.Text == without.Text) != c.same {
			t.Errorf("%q, %q after %q: %s comes first, and without what was before it %s", c.message, c.besides, c.earlier, got.Files[0].Path, without.Files[0].Path)
		}
	}
}
