//go:build unix

package demo

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestTheServerOfTheDemo: one that cannot be started, or that says why it ends, is shown with the end of its log.
func TestTheServerOfTheDemo(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), hung)
	defer cancel()
	for what, x := range map[string]struct {
		server []string
		log    string
		errs   []string
	}{
		"none":           {[]string{"/no/such/program"}, "log", []string{"start the server: ", "/no/such/program"}},
		"no log":         {[]string{"sh", "-c", "exit 0"}, "no/such/folder/log", []string{"create the server's log: "}},
		"it cannot run":  {[]string{"sh", "-c", "echo out of luck >&2; exit 3"}, "log", []string{"initialize: ", "\nthe server failed: exit status 3\n", ":\nout of luck\n"}},
		"it ends":        {[]string{"sh", "-c", "exit 0"}, "log", []string{"initialize: "}},
		"it says no bye": {[]string{"sh", "-c", "head -c 100 >&2; kill -9 $$"}, "log", []string{"initialize: ", "the server failed: signal: killed\n", "Content-Length"}},
	} {
		dir := t.TempDir()
		var out bytes.Buffer
		d := &demo{out: &out, root: filepath.Join(dir, "project")}
		if err := d.layOut(ctx); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(ctx, x.server[0], x.server[1:]...)
		err := d.with(ctx, cmd, filepath.Join(dir, x.log))
		if err == nil || strings.Contains(out.String(), "identical to the originals") || cmd.Process != nil && cmd.ProcessState == nil {
			t.Errorf("%s: %v\n%s", what, err, out.String())
			continue
		}
		for _, text := range x.errs {
			if !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %q lacks %q", what, err, text)
			}
		}
	}
}

// project is what the demo lays out.
func project() map[string]string {
	files := map[string]string{}
	for _, f := range txtar.Parse(projectArchive).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// lay writes files below a new folder.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	root, tree := t.TempDir(), fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(root, tree); err != nil {
		t.Fatal(err)
	}
	return root
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
			if err := Play(t.Context(), Options{Out: d.out, Root: root, Dir: root, Server: []string{"true"}}); err == nil {
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
}
