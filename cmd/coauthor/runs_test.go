package main

import (
	"strings"
	"testing"
)

// A run is a conversation, also when its prompt comes from a file: it is listed, counted, and taken back.
func TestEveryRunIsAConversation(t *testing.T) {
	for name, test := range map[string]struct {
		args   []string
		listed string
	}{
		"a message": {[]string{"generate", "-m", "Say hi."}, "Say hi."},
		"a file":    {[]string{"generate"}, "Greet the world."},
		"a script":  {[]string{"entrypoint"}, "entrypoint"},
	} {
		t.Run(name, func(t *testing.T) {
			replies := "-- 1.md --\n" + generatedReply + "-- 2.md --\n" + scriptReply
			if name == "a script" {
				replies = "-- 1.md --\n" + scriptReply
			}
			h := newShell(t, replies)
			h.home = t.TempDir()
			h.put("prompt", "Greet the world.\nAnd more.\n")
			if code := h.generate("", append(test.args, "--yes")...); code != 0 {
				t.Fatalf("exit %d: %s", code, h.err.String())
			}
			for command, want := range map[string]string{"history": test.listed, "usage": "tokens"} {
				if code := h.generate("", command); code != 0 || !strings.Contains(h.out.String()+h.err.String(), want) {
					t.Errorf("%s: exit %d: %s%s", command, code, h.out.String(), h.err.String())
				}
			}
			if code := h.generate("", "rewind", "1", "--yes"); code != 0 || h.read("run.sh") != "absent" {
				t.Errorf("rewind: exit %d: %s%s", code, h.out.String(), h.err.String())
			}
		})
	}
}
