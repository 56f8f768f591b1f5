package deliver

import (
	"context"
	"testing"

	"coauthor/lsp/client"
)

// Where only the client can say whether a change is there, its word counts: what it was sent is then what the user
// has, and the user is told of which documents that holds.
func TestTheWordOfTheClient(t *testing.T) {
	hidden, unopened := client.Quirks{HiddenUntold: true}, client.Quirks{NoDidOpen: true}
	for _, test := range []struct {
		name   string
		quirks client.Quirks
		files  string
		plan   string
		play   string
		want   string
		reads  map[string]string
	}{
		{"hidden ones", hidden, "a: b: c", "a b c", "lie", "a landed*(word), b landed*(word), c landed*(word)", map[string]string{"a": goalOf("a"), "b": goalOf("b"), "c": goalOf("c")}},
		{"hidden ones, of which it says no", hidden, "a: b:", "a b", "no", "a absent, b absent", map[string]string{"a": textOf("a")}},
		{"a hidden one that is emptied", client.Quirks{HiddenUntold: true, OperationsApart: true}, "a!", "-a", "lie", "a landed*(word)", map[string]string{"a": ""}},
		{"a hidden one before its rename", client.Quirks{HiddenUntold: true, OperationsApart: true}, "a:", "a>>b", "lie", "a unknown", map[string]string{"a": textOf("a")}},
		{"a hidden rename", hidden, "a:", "a>b", "lie", "a unknown", map[string]string{"a": textOf("a")}},
		{"one that is not told", unopened, "a: b", "a b", "lie", "a unknown, b landed(word)", map[string]string{"a": textOf("a"), "b": goalOf("b")}},
		{"a new one that is not told", client.Quirks{NoDidOpen: true, NewFileByEdit: true}, "a:", "+n", "lie", "n landed(word)", map[string]string{"n": "-"}},
		{"one that is not told, of which it says no", unopened, "b", "b", "why", "b absent", map[string]string{"b": textOf("b")}},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: test.quirks, files: test.files})
			e.play(test.play)
			if got := e.deliver(test.plan); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			for name, want := range test.reads {
				got := "-"
				if text, err := e.a.Current().Text(name); err != nil {
					t.Error(err)
				} else if text != nil {
					got = *text
				}
				if got != want {
					t.Errorf("%s reads %q, want %q", name, got, want)
				}
			}
		})
	}
	inTime(t, "lines that end themselves", func(t *testing.T) {
		e := newFakeEditor(t, situation{quirks: client.Quirks{HiddenUntold: true, NewFileEndsLine: true}, files: "a:"})
		e.play("lie")
		steps := plan("a")
		steps[0].Change.After = "no end"
		if _, err := e.a.Deliver(context.Background(), "the label", steps); err != nil {
			t.Error(err)
		}
		if text, err := e.a.Current().Read("a"); err != nil || text != "no end\n" {
			t.Errorf("%q, %v", text, err)
		}
	})
	for want, names := range map[string][]string{"a": {"a", "a"}, "a and b": {"b", "a"}, "a, b and c": {"c", "a", "b", "a"}} {
		if got := listed(names); got != want {
			t.Errorf("%q is listed as %q", names, got)
		}
	}
}
