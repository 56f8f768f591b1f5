package demo

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatTheDemoShows of what the server tells: its words and the model's, each on lines of its own.
func TestWhatTheDemoShows(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.diff")
	if err := os.WriteFile(file, []byte("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\x1b[2K\n c\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for what, x := range map[string]struct {
		tell   func(d *demo)
		want   string
		failed string
	}{
		"prose": {tell: func(d *demo) { d.hooks().Prose("I do "); d.hooks().Prose("it.\n") }, want: "I do it.\n"},
		"an edit in it": {tell: func(d *demo) {
			d.hooks().Prose("It.\n\n")
			d.hooks().Prose("a.py\n```\nx\n```\n\n")
			d.hooks().Prose("Done.\n")
		}, want: "It.\n\nDone.\n"},
		"a message after words": {tell: func(d *demo) { d.hooks().Prose("I do it"); d.hooks().Message(3, "Look\x1b out") }, want: "I do it\nLook<U+001B> out\n"},
		"two messages":          {tell: func(d *demo) { d.hooks().Prose("I do it"); d.hooks().Message(3, "Look"); d.hooks().Message(3, "out") }, want: "I do it\nLook\nout\n"},
		"a warning":             {tell: func(d *demo) { d.hooks().Message(2, "Careful") }, want: "Careful\n"},
		"an error":              {tell: func(d *demo) { d.hooks().Message(1, "No key") }, want: "No key\n", failed: "No key"},
		"progress": {tell: func(d *demo) {
			d.hooks().Progress("begin", "Coauthor", "reads")
			d.hooks().Progress("report", "", "asks")
		}, want: "[progress] Coauthor reads\n[progress] asks\n"},
		"progress of nothing": {tell: func(d *demo) { d.hooks().Progress("end", "", " ") }, want: ""},
		"progress amid words": {tell: func(d *demo) {
			d.hooks().Prose("I do")
			d.hooks().Progress("report", "", "writes")
			d.hooks().Prose(" it")
			d.hooks().Progress("end", "", "done")
		}, want: "I do it\n[progress] done\n"},
		"a question": {tell: func(d *demo) {
			d.hooks().Prose("I do it")
			answered(t, d, "Apply all", "Change a.py?", "Discard", "Apply all", "Apply this")
		}, want: "I do it\n\n== The server asks: Change a.py?  ->  Apply all\n"},
		"another question": {tell: func(d *demo) { answered(t, d, "", "Add it?", "Add", "Skip") }, want: ""},
		"a diff":           {tell: func(d *demo) { d.hooks().Prose("I do it"); d.hooks().Show(file) }, want: "I do it\n\n== Pending change (no files changed yet)\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b<U+001B>[2K\n c\n"},
		"a diff in colour": {tell: func(d *demo) { d.colour = true; d.hooks().Show(file) }, want: "\n\x1b[1m== Pending change (no files changed yet)\x1b[0m\n" +
			"\x1b[1mdiff --git a/x b/x\x1b[0m\n\x1b[1m--- a/x\x1b[0m\n\x1b[1m+++ b/x\x1b[0m\n\x1b[36m@@ -1 +1 @@\x1b[0m\n\x1b[31m-a\x1b[0m\n\x1b[32m+b<U+001B>[2K\x1b[0m\n c\n"},
		"no diff":              {tell: func(d *demo) { d.hooks().Show(file + "x") }, want: "(Cannot read the diff: "},
		"failed":               {tell: func(d *demo) { d.hooks().State("failed", "no credit") }, failed: "no credit"},
		"failed without words": {tell: func(d *demo) { d.hooks().State("failed", "") }, failed: "failed"},
		"cancelled":            {tell: func(d *demo) { d.hooks().State("cancelled", "") }, failed: "cancelled"},
		"the first word":       {tell: func(d *demo) { d.hooks().Message(1, "No key"); d.hooks().State("failed", "later") }, want: "No key\n", failed: "No key"},
		"streaming":            {tell: func(d *demo) { d.hooks().State("streaming", "x") }},
	} {
		var out bytes.Buffer
		d := &demo{out: &out}
		x.tell(d)
		if got := out.String(); got != x.want && (!strings.HasPrefix(x.want, "(") || !strings.HasPrefix(got, x.want) || strings.Count(got, "\n") != 1) || d.failed != x.failed {
			t.Errorf("%s: shown %q, want %q; failed %q", what, got, x.want, d.failed)
		}
	}
	d := &demo{}
	d.hooks().State("answered", "")
	if !d.answered || d.failed != "" {
		t.Error("an answer is not taken for one")
	}
}

// answered expects how the demo answers a question.
func answered(t *testing.T, d *demo, want, question string, choices ...string) {
	t.Helper()
	if got := d.hooks().Dialog(question, choices); got != want {
		t.Errorf("%s is answered with %q", question, got)
	}
}

// TestTheServersLogIsShown behind an error: its end, and nothing where there is none.
func TestTheServersLogIsShown(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	if got := serverLog(name); got != "" {
		t.Errorf("no log: %q", got)
	}
	for size, want := range map[int]string{0: "", 3: strings.Repeat("x", 3), 2000: strings.Repeat("x", 2000), 2001: "~" + strings.Repeat("x", 2000)} {
		text := strings.Repeat("x", size)
		if strings.HasPrefix(want, "~") {
			text, want = "y"+text[1:], want[1:]
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := serverLog(name); (got == "") != (size == 0) || !strings.HasSuffix(got, "\n"+want) && size > 0 {
			t.Errorf("%d bytes: %q", size, got)
		}
	}
}
