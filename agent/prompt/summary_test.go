package prompt_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/model"
	"coauthor/agent/prompt"
)

func TestSummaryGoldens(t *testing.T) {
	names, err := filepath.Glob("testdata/summary/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no goldens", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var in struct {
				Before       string
				NoSystem     bool
				Room, Tokens int
				Said         []prompt.Spoken
			}
			if err := yaml.UnmarshalWithOptions(a.Files[0].Data, &in, yaml.Strict()); err != nil {
				t.Fatal(err)
			}
			list, rest, err := prompt.SummaryMessages(model.Profile{UseSystemPrompt: !in.NoSystem},
				prompt.Summary{Before: in.Before, Said: in.Said, Tokens: in.Tokens}, in.Room, func(s string) int { return len(s) })
			if err != nil {
				t.Fatal(err)
			}
			compare(t, name, a, show(list)+fmt.Sprintf("rest: %+v\n", rest))
		})
	}
}

// However small the window, request after request takes all that was said, each of them as much as fits; only where
// next to nothing fits it is an error.
func TestNothingIsLeftOutOfASummary(t *testing.T) {
	count := func(s string) int { return (len(s) + 3) / 4 }
	var said []prompt.Spoken
	var all string
	for i := range 30 {
		text := fmt.Sprintf("<%d>", i) + strings.Repeat(fmt.Sprintf("wörd %d\n", i), i*i)
		said = append(said, prompt.Spoken{User: i%2 == 0, Text: text})
		all += text
	}
	said = append(said, prompt.Spoken{Text: strings.Repeat("日本", 4000)})
	all += said[len(said)-1].Text
	for _, room := range []int{800, 1000, 3000, 20000, 1 << 20} {
		var got strings.Builder
		rest := said
		for calls := 0; len(rest) > 0; calls++ {
			list, left, err := prompt.SummaryMessages(model.Profile{UseSystemPrompt: true}, prompt.Summary{Before: "notes", Said: rest, Tokens: 500}, room, count)
			if err != nil || calls > 1000 {
				t.Fatalf("room %d, call %d: %v", room, calls, err)
			}
			size := 0
			for _, m := range list {
				size += count(m.String())
				if !utf8.ValidString(m.String()) {
					t.Fatalf("room %d: a character is cut", room)
				}
			}
			if size > room {
				t.Fatalf("room %d: %d tokens", room, size)
			}
			taken := len(rest) - len(left)
			for _, one := range rest[:taken] {
				got.WriteString(one.Text)
			}
			if len(left) > 0 && left[0] != rest[taken] { // the text is cut
				part, ok := strings.CutSuffix(rest[taken].Text, left[0].Text)
				if !ok || left[0].User != rest[taken].User {
					t.Fatalf("room %d: %q is no end of %q", room, left[0].Text, rest[taken].Text)
				}
				got.WriteString(part)
			}
			rest = left
		}
		if got.String() != all {
			t.Errorf("room %d: not all was said", room)
		}
	}
	if _, _, err := prompt.SummaryMessages(model.Profile{}, prompt.Summary{Said: said}, 300, count); err == nil {
		t.Error("no room, and no error")
	}
}
