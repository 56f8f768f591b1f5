package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"coauthor/agent/display/displaytest"
	"coauthor/agent/llm/llmtest"
	"coauthor/cmd/coauthor/demo"
)

// demoRun is one process of the real command, which starts the real server as another.
type demoRun struct {
	t          *testing.T
	home, temp string
	code       int
	out, err   string
}

// runDemo runs the demo for somebody who has configured nothing but env, which may be the text of a file
// of settings by the name "config".
func runDemo(t *testing.T, env map[string]string, args ...string) *demoRun {
	t.Helper()
	d := startDemo(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a hang takes so long
	defer cancel()
	cmd := d.command(env, args...)
	go func() {
		<-ctx.Done()
		if cmd.Process != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			_ = cmd.Process.Kill()
		}
	}()
	d.end(cmd, cmd.Run())
	return d
}

func startDemo(t *testing.T) *demoRun {
	return &demoRun{t: t, home: t.TempDir(), temp: t.TempDir()}
}

func (d *demoRun) command(env map[string]string, args ...string) *exec.Cmd {
	cmd := startable(d.t, d.home, append([]string{"demo"}, args...)...)
	cmd.Env = append(cmd.Env, "TMPDIR="+d.temp)
	for _, name := range []string{"OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE", "COAUTHOR_MODEL", "COAUTHOR_API_BASE"} {
		cmd.Env = append(cmd.Env, name+"=")
	}
	for name, value := range env {
		if name != "config" {
			cmd.Env = append(cmd.Env, name+"="+value)
			continue
		}
		file := filepath.Join(d.home, ".config", "coauthor", "config.yaml")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			d.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(value), 0o644); err != nil {
			d.t.Fatal(err)
		}
	}
	cmd.Stdout, cmd.Stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return cmd
}

func (d *demoRun) end(cmd *exec.Cmd, err error) {
	d.code = cmd.ProcessState.ExitCode()
	d.out, d.err = cmd.Stdout.(*bytes.Buffer).String(), cmd.Stderr.(*bytes.Buffer).String()
	if err != nil && d.code <= 0 {
		d.t.Fatalf("the demo: %v\n%s%s", err, d.out, d.err)
	}
}

// holds expects texts in this order.
func (d *demoRun) holds(texts ...string) {
	d.t.Helper()
	rest := d.out
	for _, text := range texts {
		i := strings.Index(rest, text)
		if i < 0 {
			d.t.Errorf("%q is not shown, or too early, exit %d:\n%s%s", text, d.code, d.out, d.err)
			return
		}
		rest = rest[i+len(text):]
	}
}

// project is what the demo lays out.
func project(t *testing.T) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("demo", "project.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

var anID = regexp.MustCompile(`[0-9a-f]{12}|[0-9a-f]{8}-`)

// TestDemo plays the recorded answer: the request, words and diff, the question, the change and its undo
// are seen in this order, nothing is left behind, and nothing of the user's is touched.
func TestDemo(t *testing.T) {
	t.Parallel()
	elsewhere := t.TempDir()
	d := runDemo(t, map[string]string{"GIT_DIR": filepath.Join(elsewhere, ".git"), "GIT_WORK_TREE": elsewhere})
	words := project(t)["wordcount/words.py"]
	d.holds("No model is configured", "\n== Request\nAdd an option --top N to the command line that also lists the N most frequent words of each file.\n", "\n== Model\n", "I'll count the words in", "and an option `--top N` that uses it.\n",
		"\n== Pending change (no files changed yet)\n", "+++ b/wordcount/cli.py\n", "+from wordcount.words import count, most_common\n",
		"+++ b/wordcount/words.py\n", "+from collections import Counter\n", "\n== The server asks: ", "->  Apply\n", "\n== Applied\n",
		"wordcount/cli.py: 20 lines before, 23 now.\n", "wordcount/words.py: 15 lines before, 21 now.\n", "\n== Undo\n", "All files are identical to the originals. wordcount/words.py:\n"+words)
	if d.code != 0 || d.err != "" || strings.HasSuffix(strings.TrimSpace(d.out), "most_common(limit)") {
		t.Errorf("exit %d, told %s", d.code, d.err)
	}
	for _, never := range []string{"SEARCH", "REPLACE", "\x1b", "still at"} {
		if strings.Contains(d.out, never) {
			t.Errorf("%q is shown:\n%s", never, d.out)
		}
	}
	if id := anID.FindString(d.out); id != "" {
		t.Errorf("the id %s is shown:\n%s", id, d.out)
	}
	for what, dir := range map[string]string{"temporary files": d.temp, "the home": d.home, "another repository": elsewhere} {
		if left := treeOf(t, dir); len(left) > 0 {
			t.Errorf("%s has %v", what, left)
		}
	}
}

// TestDemoKeeps: with --keep the project stays, as it was laid out, and its place is told.
func TestDemoKeeps(t *testing.T) {
	t.Parallel()
	d := runDemo(t, nil, "--keep")
	kept, err := filepath.Glob(filepath.Join(d.temp, "coauthor-demo-*", "project"))
	if err != nil || len(kept) != 1 || d.code != 0 {
		t.Fatalf("exit %d, kept %v, %v\n%s%s", d.code, kept, err, d.out, d.err)
	}
	d.holds("\n== Undo\n", "\nThe project is still at ", filepath.Join("project")+"\n")
	got := map[string]string{}
	for name, text := range treeOf(t, kept[0]) {
		if !strings.HasPrefix(name, ".git/") && !strings.HasPrefix(name, ".coauthor/") {
			got[name] = text
		}
	}
	if diff := cmp.Diff(project(t), got); diff != "" {
		t.Errorf("the project (-laid out +kept):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(kept[0], ".git", "HEAD")); err != nil {
		t.Errorf("it is no repository: %v", err)
	}
}

// TestDemoWithoutGit goes on, and says so.
func TestDemoWithoutGit(t *testing.T) {
	t.Parallel()
	d := runDemo(t, map[string]string{"PATH": t.TempDir()})
	d.holds("Cannot use git here", "\n== Applied\n", "identical to the originals")
	if d.code != 0 {
		t.Errorf("exit %d\n%s", d.code, d.err)
	}
}

// TestDemoAsksTheUsersModel: a model that is named anywhere is asked in place of the recording.
func TestDemoAsksTheUsersModel(t *testing.T) {
	for what, x := range map[string]struct {
		env    map[string]string
		args   string
		model  string
		bearer string
	}{
		"flags":                    {nil, "--model mine --api-base URL", "mine", ""},
		"our variables":            {map[string]string{"COAUTHOR_MODEL": "mine", "COAUTHOR_API_BASE": "URL"}, "", "mine", ""},
		"the user's file":          {map[string]string{"config": "model: mine\napiBase: URL\n"}, "", "mine", ""},
		"a flag over the file":     {map[string]string{"config": "model: mine\napiBase: http://127.0.0.1:1\n"}, "--model other --api-base URL", "other", ""},
		"the usual variables":      {map[string]string{"OPENAI_BASE_URL": "URL", "OPENAI_API_KEY": "sk-usual-0123456789"}, "--model gpt-4o", "gpt-4o", "Bearer sk-usual-0123456789"},
		"the older usual variable": {map[string]string{"OPENAI_API_BASE": "URL", "OPENAI_API_KEY": "sk-usual-0123456789"}, "--model gpt-4o", "gpt-4o", "Bearer sk-usual-0123456789"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			script := demo.Reply()
			for i := range script.Replies {
				script.Replies[i].Delay = 0
			}
			server := llmtest.Start(script)
			defer server.Close()
			env := map[string]string{}
			for name, value := range x.env {
				env[name] = strings.ReplaceAll(value, "URL", server.URL)
			}
			d := runDemo(t, env, strings.Fields(strings.ReplaceAll(x.args, "URL", server.URL))...)
			d.holds("Asking the configured model", " at "+server.URL, "\n== Applied\n", "\n== Undo\n", "identical to the originals")
			requests := server.Requests()
			if d.code != 0 || len(requests) != 1 || strings.Contains(d.out, "recorded") {
				t.Fatalf("exit %d, %d requests\n%s%s", d.code, len(requests), d.out, d.err)
			}
			if q := requests[0]; q.Model != x.model || q.Header.Get("Authorization") != x.bearer {
				t.Errorf("the model %q was asked with the key %q", q.Model, q.Header.Get("Authorization"))
			}
		})
	}
}

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
		got, stop := x.cmd.model(Streams{Out: &out, Env: func(name string) string {
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

// TestDemoFails: what goes wrong is told in words with the status 1, and nothing is left.
func TestDemoFails(t *testing.T) {
	for what, x := range map[string]struct{ script, args, told string }{
		"the key is refused":     {"-- 1.yaml --\nstatus: 401\n-- 1.md --\nbad key \x1b[2K\n", "", "the request failed: "},
		"no change":              {"-- 1.md --\nI would rather not.\n", "", "answered without a change"},
		"no edit that fits":      {"repeat: true\n-- 1.md --\nwordcount/cli.py\n```\n<<<<<<< SEARCH\nnowhere\n=======\nx\n>>>>>>> REPLACE\n```\n", "", "demo: "},
		"the model keeps silent": {"hold: true\n-- 1.md --\nfirst half and second half\n", "--timeout 2s", "deadline exceeded"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			script, err := llmtest.Parse([]byte(x.script))
			if err != nil {
				t.Fatal(err)
			}
			server := llmtest.Start(script)
			defer server.Close()
			d := runDemo(t, nil, append(strings.Fields(x.args), "--model", "mine", "--api-base", server.URL)...)
			if d.code != 1 || !strings.Contains(d.err, x.told) || strings.Contains(d.out, "== Applied") {
				t.Errorf("exit %d\n%s%s", d.code, d.out, d.err)
			}
			if displaytest.Hidden(strings.ReplaceAll(d.out+d.err, "\n", "")) {
				t.Errorf("something hides: %q", d.out+d.err)
			}
			if left := treeOf(t, d.temp); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}
