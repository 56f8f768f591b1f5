package main

import (
	"strings"
	"testing"
)

// With --run a script runs without a question, in the sandbox, and the exit status is that of the run; without the flag nobody
// could agree, and it does not run.
func TestRunRunsUnattended(t *testing.T) {
	for name, c := range map[string]struct {
		flags  []string
		script string
		code   int
		ran    bool
		told   string
	}{
		"runs":    {[]string{"--run"}, "echo $((40 + 2)) >made.txt; cat made.txt", 0, true, "run.sh ran: exit status 0"},
		"fails":   {[]string{"--run"}, "echo $((40 + 2)); exit 4", 1, true, "run.sh failed: exit status 4"},
		"unasked": {nil, "echo $((40 + 2))", 0, false, "Did not run the script, because coauthor cannot ask without a terminal."},
		"no run":  {[]string{"--run", "--no-run"}, "echo $((40 + 2))", 0, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n```sh\n"+c.script+"\n```\n")
			code := h.generate("", append([]string{"generate", "-m", "Say hi.", "--yes"}, c.flags...)...)
			if strings.Contains(h.err.String(), "this system has no sandbox") {
				t.Skip(h.err.String())
			}
			if ran := strings.Contains(h.out.String(), "\n42\n"); code != c.code || ran != c.ran || !strings.Contains(h.err.String(), c.told) {
				t.Errorf("exit %d, ran %v:\n%s\n%s", code, ran, h.out.String(), h.err.String())
			}
			if strings.Contains(h.err.String(), "Run this script?") || h.read("made.txt") != "absent" {
				t.Errorf("asked, or %q in the folder:\n%s", h.read("made.txt"), h.err.String())
			}
		})
	}
	h := newShell(t, "-- 1.md --\n"+rewritten("exit 1\n", "exit 0\n"))
	h.put("run.sh", "sh main.sh\n")
	h.put("main.sh", "exit 1\n")
	if code := h.generate("", "self-heal", "--run", "--yes"); code != 0 || h.read("main.sh") != "exit 0\n" {
		t.Errorf("exit %d, %q: %s", code, h.read("main.sh"), h.err.String())
	}
}
