package pipeline

import (
	"fmt"
	"strings"
	"testing"
)

func TestSignature(t *testing.T) {
	type run struct {
		code           int
		stdout, stderr string
	}
	for name, test := range map[string]struct {
		a, b run
		same bool
	}{
		"lines and paths": {run{1, "", "File \"/tmp/a1/main.py\", line 12, in <module>\nNameError: x\n"}, run{1, "", "File \"/tmp/b22/main.py\", line 7, in <module>\nNameError: x\n"}, true},
		"windows":         {run{1, "", `C:\tmp\a\main.go:3:4: undefined: x`}, run{1, "", `C:\tmp\b\main.go:33:14: undefined: x`}, true},
		"addresses":       {run{1, "", "panic at 0xc000012 goroutine 7"}, run{1, "", "panic at 0xdeadbeef goroutine 19"}, true},
		"hashes":          {run{1, "", "commit 0123abcdef is bad"}, run{1, "", "commit ffff00001111 is bad"}, true},
		"times":           {run{1, "", "12:30:01 failed after 0.1s"}, run{1, "", "12:31:44 failed after 12.25s"}, true},
		"blanks":          {run{1, "", "  x   failed\n\n"}, run{1, "", "x failed"}, true},
		"another code":    {run{1, "", "x"}, run{2, "", "x"}, false},
		"another name":    {run{1, "", "NameError: x"}, run{1, "", "NameError: y"}, false},
		"the end counts":  {run{1, "", "first\n" + strings.Repeat("same\n", 20)}, run{1, "", "other\n" + strings.Repeat("same\n", 20)}, true},
		"the 20th line":   {run{1, "", "first\n" + strings.Repeat("same\n", 19)}, run{1, "", "other\n" + strings.Repeat("same\n", 19)}, false},
		"only stdout":     {run{1, "failed: x", " \n"}, run{1, "failed: y", ""}, false},
		"stdout beside":   {run{1, "progress a", "failed"}, run{1, "progress b", "failed"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := signature(test.a.code, test.a.stdout, test.a.stderr), signature(test.b.code, test.b.stdout, test.b.stderr)
			if (a == b) != test.same {
				t.Errorf("%q\n%q", a, b)
			}
		})
	}
}

func TestReturns(t *testing.T) {
	for in, want := range map[string]int{"": 0, "a": 1, "a a": 2, "a b a": 1, "b a a a": 3} {
		if got := returns(strings.Fields(in)); got != want {
			t.Errorf("%q: %d", in, got)
		}
	}
}

func TestNumbered(t *testing.T) {
	for in, want := range map[string]string{"": "", "a\n": "1 | a\n", "a": "1 | a", "a\n\n b\r\n": "1 | a\n2 |\n3 |  b\r\n"} {
		if got := numbered(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	if got := numbered(strings.Repeat("x\n", 12)); !strings.HasSuffix(got, fmt.Sprintf("%d | x\n", 12)) {
		t.Error(got)
	}
}
