//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm/llmtest"
)

// TestTheServerOfTheDemo: one that cannot be started, that says why it ends, or that ends badly when all was
// done is told with the end of its log.
func TestTheServerOfTheDemo(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script, err := llmtest.Parse(demoReply)
	if err != nil {
		t.Fatal(err)
	}
	for i := range script.Replies {
		script.Replies[i].Delay = 0
	}
	model := llmtest.Start(script)
	defer model.Close()
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	for what, x := range map[string]struct {
		server []string
		log    string
		told   []string
		done   bool
	}{
		"none":           {[]string{"/no/such/program"}, "log", []string{"start the server: ", "/no/such/program"}, false},
		"no log":         {[]string{"sh", "-c", "exit 0"}, "no/such/folder/log", []string{"create the server's log: "}, false},
		"it cannot run":  {[]string{"sh", "-c", "echo out of luck >&2; exit 3"}, "log", []string{"initialize: ", "\nthe server failed: exit status 3\n", ":\nout of luck\n"}, false},
		"it ends":        {[]string{"sh", "-c", "exit 0"}, "log", []string{"initialize: "}, false},
		"it ends badly":  {[]string{"sh", "-c", `"$0" serve; echo too late >&2; exit 4`, self}, "log", []string{"the server failed: exit status 4\n", "too late\n"}, true},
		"it says no bye": {[]string{"sh", "-c", `head -c 100 >&2; kill -9 $$`, self}, "log", []string{"initialize: ", "the server failed: signal: killed\n", "Content-Length"}, false},
	} {
		dir := lay(t, nil)
		var out bytes.Buffer
		d := &demo{out: &out, root: filepath.Join(dir, "project")}
		if err := d.layOut(ctx); err != nil {
			t.Fatal(err)
		}
		settings, _ := (&DemoCmd{Model: "demo", APIBase: model.URL}).model(d, Streams{Env: noEnvironment(t)})
		cmd := exec.CommandContext(ctx, x.server[0], x.server[1:]...)
		cmd.Env = append(os.Environ(), asCommand+"=1", "HOME="+dir, "XDG_STATE_HOME=", "XDG_CONFIG_HOME=", "COAUTHOR_EDIT_FORMAT=diff")
		for name, value := range settings {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		err := d.with(ctx, cmd, filepath.Join(dir, x.log))
		if err == nil || strings.Contains(out.String(), "identical to the originals") != x.done || cmd.Process != nil && cmd.ProcessState == nil {
			t.Errorf("%s: %v\n%s", what, err, out.String())
			continue
		}
		for _, text := range x.told {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %q lacks %q", what, err, text)
			}
		}
	}
}

// TestTheProjectOfTheDemo is whole, or what is in its way is told.
func TestTheProjectOfTheDemo(t *testing.T) {
	for name, text := range project() {
		for _, inTheWay := range []string{name + "/x", filepath.Dir(name)} {
			if inTheWay == "." {
				continue
			}
			root := lay(t, map[string]string{inTheWay: text})
			d := &demo{out: &bytes.Buffer{}, root: root}
			if err := d.layOut(t.Context()); err == nil || !strings.Contains(err.Error(), filepath.Join(root, filepath.FromSlash(filepath.Dir(name)))) {
				t.Errorf("%s: %v", inTheWay, err)
			}
			if err := d.play(t.Context(), root, nil); err == nil {
				t.Errorf("%s: it is played all the same", inTheWay)
			}
		}
	}
	d := &demo{out: &bytes.Buffer{}, root: lay(t, nil)}
	if err := d.layOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(project(), d.before); diff != "" {
		t.Errorf("remembered (-want +got):\n%s", diff)
	}
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	if r := runLine(t, nil, "", "demo"); r.code != 1 || r.out != "" || !strings.HasPrefix(r.err, "coauthor: cannot create a folder for the demo: ") {
		t.Errorf("without a place for it: exit %d\n%s%s", r.code, r.out, r.err)
	}
}
