//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/llm/llmtest"
	"coauthor/cmd/coauthor/demo"
)

// TestTheServerOfTheDemoEndsBadly: when it does after all was done, that is an error with the end of its log.
func TestTheServerOfTheDemoEndsBadly(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := demo.Reply()
	for i := range script.Replies {
		script.Replies[i].Delay = 0
	}
	model := llmtest.Start(script)
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	dir := lay(t, nil)
	var out bytes.Buffer
	env, _ := (&DemoCmd{Model: "demo", APIBase: model.URL}).model(Streams{Out: &out, Env: noEnvironment(t)})
	for name, value := range map[string]string{asCommand: "1", "HOME": dir, "XDG_CONFIG_HOME": "", "COAUTHOR_EDIT_FORMAT": "diff"} {
		env[name] = value
	}
	err = demo.Play(ctx, demo.Options{Out: &out, Root: filepath.Join(dir, "project"), Dir: dir, Env: env,
		Server: []string{"sh", "-c", `"$0" serve; echo too late >&2; exit 4`, self}})
	if err == nil || !strings.Contains(out.String(), "identical to the originals") {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, text := range []string{"the server failed: exit status 4\n", "too late\n"} {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%q lacks %q", err, text)
		}
	}
}

// TestDemoWithoutAPlace: without a folder for temporary files there is no demo.
func TestDemoWithoutAPlace(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	if r := runLine(t, nil, "", "demo"); r.code != 1 || r.out != "" || !strings.HasPrefix(r.err, "coauthor: cannot create a folder for the demo: ") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
}
