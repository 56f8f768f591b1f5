package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// said gives what `go test -json` says of a package with these tests, and of one that has none.
func said(t *testing.T, env []string, args []string, code string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module coauthor\n\ngo 1.26\n", "hall/hall.go": "package hall\n", "room/room_test.go": "package room\n\nimport (\"os\"; \"testing\")\n\nvar _ = os.Getenv\nvar _ *testing.T\n\n" + code} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-json", "-vet=off"}, append(args, "./...")...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), append([]string{"GOFLAGS=", "GOWORK=off"}, env...)...)
	out, err := cmd.CombinedOutput()
	if len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

const wobbly = `
func TestWobbly(t *testing.T) {
	t.Run("stands", func(t *testing.T) {})
	t.Run("falls over", func(t *testing.T) {
		if os.Getenv("FALLS") != "" {
			t.Error("it fell (over)")
		}
	})
}
`

func TestWhatBecameOfAStep(t *testing.T) {
	again := "COAUTHOR_LARGE=1 go test"
	for name, c := range map[string]struct {
		code, tries string   // tries: a letter for each, f fails
		o           options  //
		ok          bool     // what is decided
		last        []string // what the last words have
		shown       []string // what all of it has
	}{
		"good":             {wobbly, "p", options{}, true, nil, []string{"ok   ./room"}},
		"a part fails":     {wobbly, "f", options{}, false, []string{"1 failed:", "./room TestWobbly/falls_over", "it fell (over)", again + " -count=1 -run '^TestWobbly$/^falls_over$' ./room"}, []string{"--- FAIL: ./room TestWobbly/falls_over"}},
		"fails each time":  {wobbly, "ff", options{most: 3}, false, []string{"1 failed:"}, nil},
		"passes later":     {wobbly, "fp", options{most: 3}, true, nil, []string{"passed on a later try: ./room TestWobbly/falls_over", "--- try 1: fail", "it fell (over)", "--- try 2: pass"}},
		"too many later":   {wobbly, "fp", options{most: 0}, false, []string{"1 tests passed only on a later try, and 0 may:", "./room TestWobbly/falls_over"}, nil},
		"panics":           {"func TestBad(t *testing.T) { var m map[string]int; m[\"\"] = 1 }", "p", options{}, false, []string{"./room TestBad", "panic: assignment to entry in nil map", "-run '^TestBad$' ./room"}, nil},
		"ends the process": {"func TestBad(t *testing.T) { os.Exit(3) }", "p", options{}, false, []string{"./room"}, nil},
		"does not build":   {"func TestBad(t *testing.T) { undefined() }", "p", options{}, false, []string{"1 failed:", "undefined: undefined", "go test -count=1 ./room"}, nil},
		"no test":          {"", "p", options{}, false, []string{"no test ran"}, nil},
		"may be skipped":   {wobbly + "func TestOff(t *testing.T) { t.Skip(\"no disk\") }", "p", options{maySkip: regexp.MustCompile(`(?:^| )(?:TestOff)\b`)}, true, nil, []string{"--- SKIP: ./room TestOff"}},
		"without tests":    {wobbly, "p", options{maySkip: regexp.MustCompile(`(?:^| )(?:none)\b`)}, true, nil, []string{"skip ./hall"}},
		"may not":          {wobbly + "func TestOff(t *testing.T) { t.Skip(\"no disk\") }", "p", options{maySkip: regexp.MustCompile(`(?:^| )(?:TestOf)\b`)}, false, []string{"skipped, but it should have run here: ./room TestOff"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var events strings.Builder
			for _, f := range c.tries {
				env := []string{"FALLS="}
				if f == 'f' {
					env = []string{"FALLS=1"}
				}
				events.WriteString(said(t, env, nil, c.code))
			}
			var out strings.Builder
			c.o.again = again
			ok, err := judge(strings.NewReader(events.String()), &out, c.o)
			if err != nil || ok != c.ok {
				t.Errorf("%v, %v", ok, err)
			}
			lines := strings.Split(out.String(), "\n")
			last := strings.Join(lines[max(0, len(lines)-50):], "\n")
			for _, want := range c.last {
				if !strings.Contains(last, want) {
					t.Errorf("the last lines have no %q", want)
				}
			}
			for _, want := range c.shown {
				if !strings.Contains(out.String(), want) {
					t.Errorf("no %q", want)
				}
			}
			if ok && strings.Contains(out.String(), "failed:") {
				t.Error("it speaks of failures")
			}
			if t.Failed() {
				t.Log(out.String())
			}
		})
	}
}

// However many fail, the last fifty lines begin with how many, and the first of them is told whole.
func TestTheLastWordsAreShort(t *testing.T) {
	for _, n := range []int{1, 2, 5, 9, 15, 40, 300} {
		var code strings.Builder
		for i := range n {
			fmt.Fprintf(&code, "func TestBad%d(t *testing.T) { for range 30 { t.Error(\"bad\") } }\n", i)
		}
		var out strings.Builder
		if ok, err := judge(strings.NewReader(said(t, nil, nil, code.String())), &out, options{again: "go test"}); ok || err != nil {
			t.Errorf("%d: %v, %v", n, ok, err)
		}
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		last := strings.Join(lines[max(0, len(lines)-50):], "\n")
		for _, want := range []string{fmt.Sprintf("\n%d failed:\n./room TestBad0\n", n), "room_test.go:", "go test -count=1 -run '^TestBad0$' ./room"} {
			if !strings.Contains(last, want) {
				t.Errorf("%d: no %q in\n%s", n, want, last)
			}
		}
	}
}

// The tries of all steps are counted together.
func TestLaterTriesAreCounted(t *testing.T) {
	events := said(t, []string{"FALLS=1"}, nil, wobbly) + said(t, []string{"FALLS="}, nil, wobbly)
	o := options{tries: filepath.Join(t.TempDir(), "tries"), most: 3}
	for n := 1; n <= 4; n++ {
		ok, err := judge(strings.NewReader(events), &strings.Builder{}, o)
		if err != nil || ok != (n <= 3) {
			t.Errorf("step %d: %v, %v", n, ok, err)
		}
	}
}
