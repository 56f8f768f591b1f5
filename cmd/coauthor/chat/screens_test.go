package chat

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

var update = flag.Bool("update", false, "write the goldens")

// A scene is a moment of a session: what was printed by then, and what is drawn below it.
var scenes = []struct {
	name string
	play func(t *testing.T, g *stage)
}{
	{"start", func(t *testing.T, g *stage) { g.greet(t.Context()) }},
	{"start with files", func(t *testing.T, g *stage) {
		g.o.Files = []string{"calc.py", "tests/test_calc.py"}
		g.greet(t.Context())
	}},
	{"typing", func(_ *testing.T, g *stage) {
		g.types("Both functions in calc.py are wrong: the first one subtracts where it should add, ")
		g.types("and the second one multiplies.")
		g.keys("alt+enter", "alt+enter")
		g.types("Please mend them, and add a test for each of them in tests/test_calc.py.")
	}},
	{"commands", func(_ *testing.T, g *stage) { g.types("/co") }},
	{"files", func(_ *testing.T, g *stage) { g.types("Look at @calc") }},
	{"search", func(_ *testing.T, g *stage) {
		g.view.in.past = []string{"Mend both functions in calc.py.\nThen add a test.", "Say hello."}
		g.keys("ctrl+r")
		g.types("mend")
	}},
	{"waiting", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting))
		g.now = g.now.Add(11e9)
	}},
	{"streaming", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting), begins(event.TurnStreaming), says("## What is wrong\n\n**Both** functions in `calc.py` are wrong, so this answer has a sentence "+
			"that is longer than a line of sixty columns and even than one of a hundred and twenty.\n\n1. `add` subtracts where it should add, as the sum of its two arguments is asked for.\n"+
			"2. `div` multiplies.\n   - It also lets a zero through.\n\n```python\ndef add(a, b):\n    \"\"\"The sum.\"\"\"\n\n    return a + b  # a comment that is so long that it does not fit into sixty columns\n```\n\nI now men"))
	}},
	{"thinking", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting), begins(event.TurnStreaming), thinks("The user says that both functions are wrong. Let me look at what they do: the first one has a minus where a plus belongs.\n\n"),
			thinks("And the second one? 二番目の関数は掛け算をしているので、割り算に直す必要があります。"))
	}},
	{"thought", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting), begins(event.TurnStreaming), thinks("Hm."), thinks(" A minus."), says("I have read both functions.\n\nThe first "),
			thinks("And the second?"), says("one subtracts.\n\nThe second one"))
	}},
	{"edits", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting), begins(event.TurnStreaming), says("I mend both functions.\n\n"), changes("update", "calc.py"), changes("update", "calc.py"), changes("create", "tests/test_calc.py"), changes("update", "calc.py"),
			changes("delete", "a/very/long/path/of/folders/in/folders/in/folders/that/goes/on/and/on/until/it/is/wider/than/sixty/columns/old_calc.py"))
	}},
	{"looking", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting), event.Event{Kind: event.KindTool, Text: "read calc.py, lines 1-40"}, event.Event{Kind: event.KindTool, Text: "search \"def div\" in tests"},
			event.Event{Kind: event.KindRound, Round: 1, Of: 3, Text: "calc.py: the block is not in the file"},
			event.Event{Kind: event.KindNote, Note: &event.Note{Level: event.LevelWarning, Text: "The model wrote the name of the file in another form: Calc.py."}},
			begins(event.TurnVerifying))
	}},
	{"a question", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting))
		g.asks(event.Question{Text: "The model asks for tests/test_calc.py, which is not in the chat. Add it?", Choices: []string{"add", "skip"}, Default: "skip"})
	}},
	{"a question of the model", func(_ *testing.T, g *stage) {
		g.turn(false)
		g.asks(event.Question{Text: "Which Python is it to run with?\nThe tests use match, which came with 3.10.", Choices: []string{"3.9", "3.12"}, FreeText: true, Default: "3.12"})
	}},
	{"a question about a script", func(_ *testing.T, g *stage) {
		g.turn(false)
		g.asks(event.Question{Text: "Run this script?", Body: "set -e\npip install -r requirements.txt --index-url https://example.com/a/rather/long/address/of/packages\npytest\n", Choices: []string{"run", "skip"}, Default: "skip"})
	}},
	{"review", func(_ *testing.T, g *stage) {
		g.turn(false)
		g.show(reviewed(), []edits.Failure{{Path: "readme.md", Message: "The block to replace is not in the file. Add the file to the chat, and ask again."}})
		g.decides(applyQuestion(reviewed(), false, true))
	}},
	{"attempts", func(_ *testing.T, g *stage) {
		g.turn(false)
		p := reviewed()
		p.Files = p.Files[2:]
		p.Verdict, p.Attempt = "", 2
		p.Attempts = []event.AttemptRef{{Label: "3 tests fail", Files: []string{"calc.py"}, Added: 2, Removed: 2}, {Label: "tests pass", Files: []string{"old.py"}, Removed: 1}}
		g.show(p, nil)
		g.decides(applyQuestion(p, true, true))
	}},
	{"status", func(t *testing.T, g *stage) {
		if err := g.do(t.Context(), "/add calc.py"); err != nil {
			t.Error(err)
		}
	}},
	{"queued", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting))
		g.types("Then add a test.")
		g.keys("enter")
		g.types("And after that, please write a line about it into the list of changes, which is in the folder of documents.")
		g.keys("enter")
		g.types("Also")
	}},
	{"stopping", func(_ *testing.T, g *stage) {
		g.turn(false)
		g.keys("ctrl+c")
	}},
	{"an error", func(t *testing.T, g *stage) {
		g.handle(t.Context(), "/nosuch thing")
		g.handle(t.Context(), "/add nosuch.py")
	}},
	{"ended", func(_ *testing.T, g *stage) {
		v := g.turn(false)
		g.plays(v, begins(event.TurnRequesting), says("Done.\n"), changes("update", "calc.py"), event.Event{Kind: event.KindUsage, Usage: &event.Usage{Prompt: 12345, Completion: 678, Cost: 0.0123}}, event.Event{Kind: event.KindEnded})
		v.over()
		g.on.Moving(nil)
		g.on.Working(nil)
		for _, line := range Outcome(proposal.Outcome{Files: []proposal.FileOutcome{{Path: "calc.py", Op: edits.OpUpdate, State: proposal.LandLanded, Added: 2, Removed: 2}}}) {
			g.say("", line)
		}
	}},
	{"help", func(_ *testing.T, g *stage) { g.help() }},
}

// reviewed is a change of three files.
func reviewed() proposal.Proposal {
	p := change("def add(a, b):\n    return a - b\n\n\ndef div(a, b):\n    return a * b\n", "def add(a, b):\n    return a + b\n\n\ndef div(a, b):\n    return a / b\n")
	p.Files[0].Change.Path = "calc.py"
	test := "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3, \"a message that is long enough to go beyond the end of a line of sixty columns\"\n"
	p.Files = append(p.Files, proposal.File{Change: edits.Change{Path: "tests/test_calc.py", Op: edits.OpCreate, After: test}, Hunks: edits.Diff("", test)},
		proposal.File{Change: edits.Change{Path: "old.py", Op: edits.OpDelete, Before: "x = 1\n"}, Hunks: edits.Diff("x = 1\n", "")})
	p.Verdict, p.Warnings = "python, 2 files", []string{"calc.py: div does not say what happens when b is 0."}
	return p
}

// asks puts a question, until it stands there.
func (g *stage) asks(q event.Question) {
	ctx, stop := context.WithCancel(context.Background())
	g.stop = append(g.stop, stop)
	go func() { _, _ = g.Ask(ctx, q) }()
	<-g.asked
}

// decides asks what becomes of a change.
func (g *stage) decides(question string) {
	ctx, stop := context.WithCancel(context.Background())
	g.stop = append(g.stop, stop)
	go func() { _, _ = g.on.Ask(ctx, line{before: question, must: true}) }()
	<-g.asked
}

// TestScreens compares what a user sees with goldens. With -update they are written: look at each.
func TestScreens(t *testing.T) {
	for _, scene := range scenes {
		t.Run(scene.name, func(t *testing.T) {
			file := filepath.Join("testdata", "screens", strings.ReplaceAll(scene.name, " ", "-")+".txtar")
			got := &txtar.Archive{}
			for _, x := range []struct {
				name   string
				width  int
				colour bool
			}{{"60 columns", 60, false}, {"60 columns, with looks", 60, true}, {"100 columns", 100, false}, {"200 columns", 200, false}} {
				if x.colour && (scene.name == "review" || scene.name == "attempts") {
					continue // the looks of a diff have tests of their own
				}
				g := newStage(t, x.width, x.colour)
				scene.play(t, g)
				got.Files = append(got.Files, txtar.File{Name: x.name, Data: []byte(g.text())})
				g.leave()
			}
			golden(t, file, got)
		})
	}
}

// golden compares an archive with a file, or writes the file.
func golden(t *testing.T, file string, got *txtar.Archive) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(txtar.Format(got)) {
		t.Errorf("another screen than in %s (-update writes it):\n%s", file, txtar.Format(got))
	}
}

// TestDumbScreen: a terminal that cannot move its cursor gets lines alone.
func TestDumbScreen(t *testing.T) {
	got := &txtar.Archive{}
	for _, width := range []int{60, 100} {
		g := newStage(t, width, false)
		var out strings.Builder
		g.on = newLineConsole(strings.NewReader("Mend both.\na\n?\ny\n"), &out, width)
		g.greet(t.Context())
		if text, err := g.on.Read(t.Context()); err != nil || text != "Mend both." {
			t.Errorf("%q, %v", text, err)
		}
		fmt.Fprintln(&out, "Mend both.") // as the terminal shows what is typed
		g.plays(g.turn(false), begins(event.TurnRequesting), begins(event.TurnStreaming), thinks("Let me see."), says("**Both** functions are wrong.\n\n```python\ndef add(a, b):\n```\n\n"),
			changes("update", "calc.py"), changes("update", "calc.py"), event.Event{Kind: event.KindEnded})
		if a, err := g.Ask(t.Context(), event.Question{Text: "Add tests/test_calc.py?", Choices: []string{"add", "skip"}, Default: "skip"}); err != nil || a.Choice != "add" {
			t.Errorf("%+v, %v", a, err)
		}
		fmt.Fprintln(&out, "a")
		g.show(reviewed(), nil)
		for _, want := range []string{"?", "y"} {
			if answer, err := g.on.Ask(t.Context(), line{before: applyQuestion(reviewed(), false, true), must: true}); err != nil || answer != want {
				t.Errorf("%q, %v", answer, err)
			}
			fmt.Fprintln(&out, want)
		}
		if _, err := g.on.Read(t.Context()); !errors.Is(err, io.EOF) {
			t.Errorf("at the end: %v", err)
		}
		if strings.Contains(out.String(), "\x1b") {
			t.Errorf("%q", out.String())
		}
		lines := strings.Split(out.String(), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		got.Files = append(got.Files, txtar.File{Name: fmt.Sprintf("%d columns", width), Data: []byte(strings.Join(lines, "\n"))})
	}
	golden(t, filepath.Join("testdata", "screens", "dumb.txtar"), got)
}

// TestScreensFit: at every width no line is wider than the terminal, and no word that fits is broken: what each line holds is a
// row of words of what is shown where there is room for all.
func TestScreensFit(t *testing.T) {
	for _, scene := range scenes {
		whole := newStage(t, 1000, false)
		scene.play(t, whole)
		words := map[string]bool{}
		for _, word := range strings.Fields(whole.text()) {
			words[strings.Trim(word, ":")] = true // one stands behind a word where there is room for more
		}
		whole.leave()
		for width := 40; width <= 300; width += 20 {
			g := newStage(t, width, false)
			scene.play(t, g)
			for _, row := range strings.Split(g.above(), "\n") {
				if ansi.StringWidth(row) >= width {
					t.Errorf("%s: what is printed goes to the last of %d columns, whose sign is erased:\n%s", scene.name, width, ansi.Strip(row))
				}
			}
			for _, row := range strings.Split(g.above()+"\n"+g.below(), "\n") {
				if n := ansi.StringWidth(row); n > width {
					t.Errorf("%s: %d columns in %d:\n%s", scene.name, n, width, ansi.Strip(row))
				}
				for _, word := range strings.Fields(ansi.Strip(row)) {
					if !words[strings.Trim(word, ":")] && !partial(word, words, width) {
						t.Errorf("%s: the word %q is broken at %d columns:\n%s", scene.name, word, width, g.text())
					}
				}
			}
			g.leave()
		}
	}
}

// partial says whether a word may be a part of another one: of one that does not fit, or before a cut that is marked.
func partial(word string, words map[string]bool, width int) bool {
	if strings.Contains(word, "…") || strings.Trim(word, "─│>") == "" {
		return true
	}
	for whole := range words {
		if strings.Contains(whole, word) && ansi.StringWidth(whole) > width/2 {
			return true
		}
	}
	return false
}

// TestWithoutLooks: without colours no order to the terminal is in what is drawn, and none but looks with them.
func TestWithoutLooks(t *testing.T) {
	for _, scene := range scenes {
		for _, colour := range []bool{false, true} {
			g := newStage(t, 80, colour)
			scene.play(t, g)
			all := g.above() + g.below()
			if colour {
				all = lookOrder.ReplaceAllString(all, "")
			}
			if strings.Contains(all, "\x1b") {
				t.Errorf("%s: %q", scene.name, all)
			}
			g.leave()
		}
	}
}
