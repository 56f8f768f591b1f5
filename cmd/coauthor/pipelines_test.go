package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
)

const (
	generatedReply = "I make it.\n\nhi.py\n```python\nprint('hi')\n```\n"
	scriptReply    = "```sh\necho ran > ran.txt; cat ran.txt\n```\n"
)

// generate runs a command of the pipelines with what is typed, or piped, into it.
func (h *shell) generate(in string, args ...string) int {
	h.t.Helper()
	return h.runWith(in, append(args, "--root", h.root)...)
}

// inFolder is generate with the folder of the shell as the one that the command runs in.
func (h *shell) inFolder(in string, args ...string) int {
	h.t.Helper()
	h.t.Chdir(h.root)
	return h.runWith(in, args...)
}

func (h *shell) runWith(in string, args ...string) int {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute) // only a hang takes so long
	defer cancel()
	h.out.Reset()
	h.err.Reset()
	home := h.home
	if home == "" {
		home = h.t.TempDir()
	}
	env := map[string]string{"HOME": home, "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config"), "PATH": os.Getenv("PATH")}
	if h.config != "" {
		env["XDG_CONFIG_HOME"] = h.config
	}
	if command := args[0]; command != "history" && command != "rewind" { // these ask no model
		args = append(args, "--model", "local", "--api-base", h.server.URL)
	}
	return run(ctx, args, Streams{In: strings.NewReader(in), Out: &h.out, Err: &h.err, Env: func(name string) string { return env[name] }})
}

func TestGenerateWritesWithYes(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply)
	if code := h.generate("", "generate", "-m", "Say hi.", "--yes"); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if h.read("hi.py") != "print('hi')\n" || !strings.HasPrefix(h.read("run.sh"), "echo ran") || h.read("ran.txt") != "absent" {
		t.Errorf("%q %q %q", h.read("hi.py"), h.read("run.sh"), h.read("ran.txt"))
	}
	if out := h.out.String(); !strings.Contains(out, "I make it.") || !strings.Contains(out, "+print('hi')") {
		t.Errorf("shown: %s", out)
	}
	if told := h.err.String(); !strings.Contains(told, "Created hi.py") || !strings.Contains(told, "Used: generate") {
		t.Errorf("told: %s", told)
	}
}

// Nothing is written unasked: not without a terminal, and not by --preview.
func TestGenerateWritesNothingUnasked(t *testing.T) {
	for _, args := range [][]string{{}, {"--preview"}, {"--dry-run"}} {
		h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply)
		code := h.generate("", append([]string{"generate", "-m", "Say hi."}, args...)...)
		if want := 1 - min(len(args), 1); code != want {
			t.Errorf("%q: exit %d: %s", args, code, h.err.String())
		}
		if h.read("hi.py") != "absent" || h.read("run.sh") != "absent" {
			t.Errorf("%q: something was written", args)
		}
		if n := len(h.server.Requests()); (n > 0) != (len(args) > 0) { // without a terminal nobody could agree
			t.Errorf("%q: the model was asked %d times", args, n)
		}
	}
}

// The prompt comes from a file, from standard input, or from the file of that name in the folder; questions are answered
// by lines of standard input, whose end lets the model decide.
func TestGenerateTakesItsPrompt(t *testing.T) {
	said := filepath.Join(t.TempDir(), "said.txt")
	if err := os.WriteFile(said, []byte("Say hi.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	clarified := "-- 1.md --\nIn which language?\n-- 2.md --\nNothing to clarify\n-- 3.md --\n" + generatedReply + "-- 4.md --\n" + scriptReply
	assumed := "-- 1.md --\nIn which language?\n-- 2.md --\nFrench.\n-- 3.md --\n" + generatedReply + "-- 4.md --\n" + scriptReply
	plain := "-- 1.md --\n" + generatedReply + "-- 2.md --\n" + scriptReply
	for name, test := range map[string]struct {
		script, in string
		args       []string
		want       string // in what the model was sent
	}{
		"a flag":         {plain, "", []string{"generate", "-m", "Say hi."}, "Request: Say hi."},
		"a file":         {plain, "", []string{"generate", "--prompt-file", said}, "Request: Say hi."},
		"standard input": {plain, "Say hi.\n", []string{"generate", "-m", "-"}, "Request: Say hi."},
		"the folder":     {plain, "", []string{"generate"}, "Request: From the folder."},
		"an answer":      {clarified, "French\n", []string{"generate", "--clarify", "-m", "Say hi."}, "French\n\nIs something"},
		"no answer":      {assumed, "", []string{"generate", "--clarify", "-m", "Say hi."}, "Make your own assumptions"},
		"an empty line":  {assumed, "\n", []string{"clarify", "-m", "Say hi."}, "Make your own assumptions"},
		"a script":       {"-- 1.md --\n" + scriptReply, "", []string{"entrypoint", "--entrypoint-prompt", said}, "Say hi."},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, test.script)
			h.put("prompt", "From the folder.\n")
			if code := h.generate(test.in, append(test.args, "--yes")...); code != 0 {
				t.Fatalf("exit %d: %s", code, h.err.String())
			}
			found := false
			for _, r := range h.server.Requests() {
				for _, m := range r.Messages {
					found = found || strings.Contains(m.Content, test.want)
				}
			}
			if !found {
				t.Errorf("%q was not sent", test.want)
			}
			// Whoever reads the log of a pipe sees what was asked, and what was taken for the answer.
			if asks, shown := strings.Contains(test.script, "language?"), h.err.String(); asks && (!strings.Contains(shown, "In which language?") || !strings.Contains(shown, strings.TrimSpace(test.in)+"\n")) {
				t.Errorf("the question is not shown:\n%s", shown)
			}
		})
	}
}

// What cannot be used is said before the model is asked.
func TestGenerateRefuses(t *testing.T) {
	dir := t.TempDir()
	binary, empty := filepath.Join(dir, "binary"), filepath.Join(dir, "empty")
	for name, text := range map[string]string{binary: "a\x00\xff", empty: "\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"both modes":       {[]string{"generate", "-m", "x", "--clarify", "--lite"}, 2, "there is no generate with clarify and lite"},
		"no prompt":        {[]string{"generate"}, 1, "The prompt is missing."},
		"missing":          {[]string{"generate", "--prompt-file", filepath.Join(dir, "none")}, 1, "read the prompt"},
		"a folder":         {[]string{"generate", "--prompt-file", dir}, 1, "is a folder"},
		"binary":           {[]string{"generate", "--prompt-file", binary}, 1, "is not UTF-8"},
		"empty":            {[]string{"generate", "--prompt-file", empty}, 1, "is empty"},
		"two prompts":      {[]string{"generate", "-m", "x", "--prompt-file", binary}, 1, "use either --message or --prompt-file"},
		"nothing piped":    {[]string{"generate", "-m", "-"}, 1, "standard input is empty"},
		"missing script":   {[]string{"entrypoint", "--entrypoint-prompt", filepath.Join(dir, "none")}, 1, "read the prompt"},
		"no image":         {[]string{"generate", "-m", "x", "--image", "a.py"}, 1, "a.py is neither an image nor a folder with images."},
		"a blind model":    {[]string{"generate", "-m", "x", "--image", "a.png"}, 1, "a.png is an image, but local is not known to support this file type"},
		"no texts":         {[]string{"generate", "-m", "x", "--preprompts", "none"}, 1, "The folder none contains no prompts"},
		"texts, no slot":   {[]string{"generate", "-m", "x", "--preprompts", "mine"}, 1, "mine/generate.md lacks the line FILE_FORMAT"},
		"no such text":     {[]string{"preprompts", "eject", "none"}, 1, `there is no prompt "none"`},
		"no word":          {[]string{"preprompts"}, 1, "preprompts eject"},
		"no flag of it":    {[]string{"clarify", "-m", "x", "--lite"}, 2, "unknown flag --lite"},
		"flag of the next": {[]string{"entrypoint", "--clarify"}, 2, "unknown flag --clarify"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, "-- 1.md --\nnever asked\n")
			h.put("a.png", "\x89PNG\r\n\x1a\n")
			h.put("mine/generate.md", "Write it.\n")
			t.Chdir(h.root)
			args := test.args
			if args[0] != "preprompts" {
				args = append(args, "--preview")
			}
			code := h.generate("", args...)
			if told := h.err.String() + h.out.String(); code != test.code || !strings.Contains(told, test.want) {
				t.Errorf("exit %d: %s", code, told)
			}
			if n := len(h.server.Requests()); n > 0 {
				t.Errorf("the model was asked %d times", n)
			}
		})
	}
}

// The built-in texts are written into a folder, once, and a changed one is used.
func TestOwnTexts(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply)
	if code := h.generate("", "preprompts", "eject", "generate", "philosophy", "--yes"); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if text := h.read("preprompts/generate.md"); !strings.Contains(text, "FILE_FORMAT") || h.read("preprompts/clarify.md") != "absent" {
		t.Fatalf("%q", text)
	}
	h.put("preprompts/philosophy.md", "Write in Forth.\n")
	h.put("preprompts/notes.txt", "Not for models.\n")
	if code := h.generate("", "generate", "-m", "Say hi.", "--preprompts", "preprompts", "--yes"); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	sent := h.server.Requests()[0].Messages[0].Content
	if !strings.Contains(sent, "Write in Forth.") || strings.Contains(sent, "Not for models.") || strings.Contains(sent, "requirements.txt") {
		t.Errorf("sent\n%s", sent)
	}
	if told := h.err.String(); !strings.Contains(told, "preprompts/notes.txt") {
		t.Errorf("told: %s", told)
	}
	if code := h.generate("", "preprompts", "eject", "philosophy", "--yes"); code == 0 || h.read("preprompts/philosophy.md") != "Write in Forth.\n" {
		t.Errorf("exit %d, %q", code, h.read("preprompts/philosophy.md"))
	}
}

// With --json each line is an event, and nothing else is printed: the turn, its one proposal with its diff, and that it was
// applied.
func TestGenerateAsJSON(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply)
	if code := h.generate("", "generate", "-m", "Say hi.", "--yes", "--json"); code != 0 || h.err.Len() > 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	var fate, steps []string
	turns := map[string]bool{}
	used := false
	for line := range strings.Lines(h.out.String()) {
		var e struct {
			event.Event
			Diff string `json:"diff"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		turns[e.Turn] = true
		switch {
		case e.Landed != nil:
			fate = append(fate, fmt.Sprintf("%s %d", e.Landed.Action, len(e.Landed.Files)))
		case e.Kind == event.KindEnded:
			fate = append(fate, "ended "+string(e.Ended.State))
		case e.Proposal != nil:
			fate = append(fate, string(e.Proposal.State))
			if e.Proposal.State == event.ProposalPending && (!strings.Contains(line, "+print('hi')") || !strings.Contains(line, "+++ b/run.sh")) {
				t.Errorf("the proposal comes without its diff: %s", line)
			}
		case e.Kind == event.KindRound:
			steps = append(steps, e.Text)
		case e.Kind == event.KindNote:
			used = used || strings.HasPrefix(e.Note.Text, "Used: generate ")
		}
	}
	if got := strings.Join(fate, ", "); got != "pending, ended proposed, applying, apply 2, applied" || len(turns) != 1 {
		t.Errorf("told: %s, of %d turns", got, len(turns))
	}
	if got := strings.Join(steps, ", "); got != "Generating the files, Writing run.sh" || !used {
		t.Errorf("steps: %s, use told: %v", got, used)
	}
}

// With --use-cache the same request is answered once, in this and the next run of the program.
func TestGenerateFromTheStore(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply+"-- 3.md --\n"+generatedReply+"-- 4.md --\n"+scriptReply)
	h.home = t.TempDir()
	for i, want := range []struct {
		flags    []string
		requests int
		told     bool
	}{{[]string{"--use-cache"}, 2, false}, {[]string{"--use-cache"}, 2, true}, {nil, 4, false}} {
		if code := h.generate("", append([]string{"generate", "-m", "Say hi.", "--preview"}, want.flags...)...); code != 0 {
			t.Fatalf("exit %d: %s", code, h.err.String())
		}
		if n := len(h.server.Requests()); n != want.requests {
			t.Errorf("run %d: the model was asked %d times by then, want %d", i+1, n, want.requests)
		}
		if told := strings.Contains(h.err.String(), "Reused a stored answer"); told != want.told || !strings.Contains(h.out.String(), "print('hi')") {
			t.Errorf("run %d: told %s\nshown %s", i+1, h.err.String(), h.out.String())
		}
	}
}

// A folder of images is sent as its images.
func TestGenerateFromImages(t *testing.T) {
	h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply)
	h.put("ui/a.png", "\x89PNG\r\n\x1a\n1")
	h.put("ui/b.png", "\x89PNG\r\n\x1a\n2")
	h.home = t.TempDir()
	config := filepath.Join(h.home, "config", "coauthor")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.yaml"), []byte("models:\n  local:\n    vision: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(h.root)
	if code := h.generate("", "generate", "-m", "Like this.", "--image", "ui", "--yes"); code != 0 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if got := h.server.Requests()[0].Messages[1].Content; got != "Request: Like this.[image_url][image_url]" {
		t.Errorf("sent %q", got)
	}
}
