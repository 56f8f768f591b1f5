package help_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"coauthor/agent/help"
)

func count(s string) int { return (len(s) + 3) / 4 }

func TestPassagesKeepTheirHeadings(t *testing.T) {
	x := help.New([]help.Text{{Name: "a.md", Text: "Before.\n# One\nalpha\n\n## Two\r\nbeta\n```\n# no heading, gamma\n```\n### Three\n#hash delta\n## Four\n\n# Five\nepsilon\n"}})
	for word, want := range map[string]string{
		"before": "", "alpha": "One", "beta": "One › Two", "gamma": "One › Two", "delta": "One › Two › Three", "epsilon": "Five",
	} {
		got := x.Best(word, 1000, count)
		if len(got) != 1 || got[0].Heading != want || got[0].Name != "a.md" || !strings.Contains(strings.ToLower(got[0].Text), word) {
			t.Errorf("%s: %+v", word, got)
		}
	}
}

func TestBest(t *testing.T) {
	var rows strings.Builder
	for i := range 300 {
		fmt.Fprintf(&rows, "| `setting%d` | what number %d does |\n", i, i)
	}
	x := help.New([]help.Text{
		{Name: "settings.md", Text: "# Settings\n" + rows.String() + "| `repoMap.maxTokens` | the size of the map |\n"},
		{Name: "commands.md", Text: "# Commands\n## undoTurn\nTakes a change back.\n## cancel\nStops a running turn, and another turn, and each turn.\n"},
	})
	for question, want := range map[string]string{
		"How do I undo?":                 "Takes a change back.",
		"stop what is running":           "Stops a running turn",
		"What is MAX TOKENS of the map?": "the size of the map",
		"setting217":                     "what number 217 does",
		"settings for maps":              "the size of the map",
	} {
		got := x.Best(question, 2000, count)
		if len(got) == 0 || !strings.Contains(got[0].Text, want) {
			t.Errorf("%s: %+v", question, got)
		}
		if again := x.Best(question, 2000, count); !reflect.DeepEqual(got, again) {
			t.Errorf("%s: another answer the second time", question)
		}
	}
	for _, nothing := range []string{"", "?!", "zebra", "#"} {
		if got := x.Best(nothing, 2000, count); len(got) != 0 {
			t.Errorf("%q: %+v", nothing, got)
		}
	}
	for _, most := range []int{0, 10, 100, 500, 4096} {
		size := 0
		for _, p := range x.Best("what does number do", most, count) {
			size += count(p.Name + p.Heading + p.Text)
		}
		if size > most || most >= 500 && size < most/3 {
			t.Errorf("of %d tokens %d are used", most, size)
		}
	}
	if got := help.New(nil).Best("undo", 100, count); len(got) != 0 {
		t.Errorf("of no documents: %+v", got)
	}
}

// Whatever the documents hold, no line of text is lost, doubled or longer than it has to be.
func FuzzPassages(f *testing.F) {
	f.Add("# a\nb\n```\n# c\n```\n## d\ne")
	f.Add("####### x\n#\n# \n~~~\n```\n~~~\n\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		x := help.New([]help.Text{{Name: "n", Text: text + "\nneedle"}})
		found := 0
		for _, p := range x.Best("needle", 1<<30, count) {
			found += strings.Count(p.Text, "needle")
		}
		if want := strings.Count(text, "needle") + 1; found > want || found == 0 && !strings.Contains(strings.ToLower(text), "needle") {
			t.Errorf("%d of %d", found, want)
		}
	})
}
