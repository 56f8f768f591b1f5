package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The request is what is piped in, or what the files of a folder say; an argument names the folder, which is made a
// repository.
func TestGenerateInANewFolder(t *testing.T) {
	const reply = "-- 1.md --\n" + generatedReply + "-- 2.md --\n" + scriptReply
	for name, test := range map[string]struct {
		in     string
		before map[string]string
		args   []string
		want   string // what the model is sent
		git    bool
	}{
		"a pipe":                  {"Say hi.\n", nil, nil, "Request: Say hi.", true},
		"a pipe before the file":  {"Say hi.\n", map[string]string{"prompt": "From the file."}, nil, "Request: Say hi.", true},
		"an empty pipe":           {"", map[string]string{"prompt": "From the file."}, nil, "Request: From the file.", true},
		"a folder":                {"", map[string]string{"prompt/b.md": "Say hi.\n", "prompt/a.md": "In French.\n"}, nil, "Request: In French.\n\nSay hi.", true},
		"no repository":           {"Say hi.\n", nil, []string{"--no-git"}, "Request: Say hi.", false},
		"a folder with something": {"Say hi.\n", map[string]string{"notes.txt": "x"}, nil, "Request: Say hi.", false},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, reply)
			for file, text := range test.before {
				h.put("apps/new/"+file, text)
			}
			if code := h.inFolder(test.in, append([]string{"generate", "apps/new", "--yes"}, test.args...)...); code != 0 {
				t.Fatalf("exit %d: %s", code, h.err.String())
			}
			sent := h.server.Requests()[0].Messages[1].Content
			if sent != test.want || h.read("apps/new/hi.py") != "print('hi')\n" {
				t.Errorf("sent %q, told %s", sent, h.err.String())
			}
			if _, err := os.Stat(filepath.Join(h.root, "apps", "new", ".git")); (err == nil) != test.git {
				t.Errorf("repository: %v; told %s", err, h.err.String())
			}
		})
	}
}

// What goes wrong leaves no folder behind.
func TestGenerateLeavesNoFolder(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"nobody to ask": {[]string{"generate", "a/b", "-m", "x"}, "nothing sent, because coauthor cannot ask"},
		"no prompt":     {[]string{"generate", "a/b", "--yes"}, "The prompt is missing."},
		"only shown":    {[]string{"generate", "a/b", "-m", "x", "--preview"}, ""},
		"a file":        {[]string{"generate", "taken/b", "-m", "x", "--yes"}, "taken is a file"},
		"two folders":   {[]string{"generate", "a/b", "--root", "c", "-m", "x", "--yes"}, "use either the folder argument or --root"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newShell(t, "-- 1.md --\n"+generatedReply+"-- 2.md --\n"+scriptReply)
			h.put("taken", "x")
			code := h.inFolder("", test.args...)
			if told := h.err.String() + h.out.String(); code != 1-min(1, strings.Count(strings.Join(test.args, " "), "--preview")) || !strings.Contains(told, test.want) {
				t.Errorf("exit %d: %s", code, told)
			}
			if _, err := os.Stat(filepath.Join(h.root, "a")); err == nil {
				t.Error("the folder is there")
			}
		})
	}
}
