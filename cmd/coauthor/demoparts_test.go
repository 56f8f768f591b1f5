package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhoAnswersTheDemo: anything that names a model or an endpoint, or a key for the usual one, means that
// the user's model is asked; only with none of them the recorded answer is replayed.
func TestWhoAnswersTheDemo(t *testing.T) {
	const base = "http://127.0.0.1:1/v1"
	for what, x := range map[string]struct {
		cmd      DemoCmd
		env      map[string]string
		file     string
		settings map[string]string // of the server beside those that are always set; nil for the recording
		says     string
	}{
		"nothing":                 {},
		"other settings":          {env: map[string]string{"COAUTHOR_EDIT_FORMAT": "whole"}, file: "turn.maxReflections: 1\n"},
		"a model":                 {cmd: DemoCmd{Model: "m"}, settings: map[string]string{"COAUTHOR_MODEL": "m"}, says: "model m.\n"},
		"an endpoint":             {cmd: DemoCmd{APIBase: base}, settings: map[string]string{"COAUTHOR_API_BASE": base}, says: "model at " + base + ".\n"},
		"both":                    {cmd: DemoCmd{Model: "m", APIBase: base}, settings: map[string]string{"COAUTHOR_MODEL": "m", "COAUTHOR_API_BASE": base}, says: "model m at " + base + ".\n"},
		"a model in a variable":   {env: map[string]string{"COAUTHOR_MODEL": "m"}, settings: map[string]string{"COAUTHOR_MODEL": "m"}, says: "model m.\n"},
		"an endpoint in another":  {env: map[string]string{"COAUTHOR_API_BASE": base}, settings: map[string]string{"COAUTHOR_API_BASE": base}, says: "model at " + base + ".\n"},
		"a flag over a variable":  {cmd: DemoCmd{Model: "m", APIBase: base}, env: map[string]string{"COAUTHOR_MODEL": "n", "COAUTHOR_API_BASE": "http://127.0.0.1:2"}, settings: map[string]string{"COAUTHOR_MODEL": "m", "COAUTHOR_API_BASE": base}, says: "model m at " + base + ".\n"},
		"a model in the file":     {file: "model: m\n", settings: map[string]string{}, says: "model m.\n"},
		"an endpoint in the file": {file: "apiBase: " + base + "\n", settings: map[string]string{}, says: "model at " + base + ".\n"},
		"the usual variable":      {env: map[string]string{"OPENAI_BASE_URL": base}, settings: map[string]string{}, says: "model at " + base + ".\n"},
		"the older one":           {env: map[string]string{"OPENAI_API_BASE": base}, settings: map[string]string{}, says: "model at " + base + ".\n"},
		"both of them":            {env: map[string]string{"OPENAI_BASE_URL": base, "OPENAI_API_BASE": "http://127.0.0.1:2"}, settings: map[string]string{}, says: "model at " + base + ".\n"},
		"only a key":              {env: map[string]string{"OPENAI_API_KEY": "sk-0123456789"}, settings: map[string]string{}, says: "model.\n"},
		"a flag over the file":    {cmd: DemoCmd{Model: "m"}, file: "model: n\napiBase: " + base + "\n", settings: map[string]string{"COAUTHOR_MODEL": "m"}, says: "model m at " + base + ".\n"},
	} {
		home := lay(t, map[string]string{".config/coauthor/config.yaml": x.file})
		var out bytes.Buffer
		got, stop := x.cmd.model(&demo{out: &out}, Streams{Env: func(name string) string {
			if name == "HOME" {
				return home
			}
			return x.env[name]
		}})
		stop()
		want := map[string]string{"COAUTHOR_VERIFY": "syntax", "COAUTHOR_PREVIEW": "diff"}
		for name, value := range x.settings {
			want[name] = value
		}
		if x.settings == nil {
			want["COAUTHOR_MODEL"], want["COAUTHOR_EDIT_FORMAT"], want["COAUTHOR_API_BASE"] = "demo", "diff", got["COAUTHOR_API_BASE"]
			x.says = "--model NAME --api-base URL"
			if !strings.HasPrefix(got["COAUTHOR_API_BASE"], "http://127.0.0.1:") {
				t.Errorf("%s: the recording is replayed at %q", what, got["COAUTHOR_API_BASE"])
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || !strings.Contains(out.String(), x.says) || (x.settings == nil) != strings.Contains(out.String(), "recorded") {
			t.Errorf("%s: says %q, settings (-want +got):\n%s", what, out.String(), diff)
		}
	}
}

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

// TestVersionOfABuild: a version that was installed by name, else the commit, else neither.
func TestVersionOfABuild(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for want, info := range map[string]*debug.BuildInfo{
		"v1.2.3":             {Main: debug.Module{Version: "v1.2.3"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: commit}}},
		"devel-0123456789ab": {Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs", Value: "git-of-some-length"}, {Key: "vcs.revision", Value: commit}}},
		"devel-abcdefabcdef": {Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abcdefabcdef"}}},
		"devel":              {Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "short"}}},
	} {
		if got := versionOf(info); got != want {
			t.Errorf("the version is %q, want %q", got, want)
		}
	}
	if got := versionOf(nil); got != "devel" {
		t.Errorf("without build information the version is %q", got)
	}
}
