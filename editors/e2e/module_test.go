package e2e

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestModule runs the module's own tests, which are Lua, against a server that is Lua too.
func TestModule(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		script, err := filepath.Abs("testdata/module.lua")
		if err != nil {
			t.Fatal(err)
		}
		w := &world{t: t, dir: realTemp(t), own: realTemp(t)}
		args := []string{"nvim", "--headless", "--clean", "-l", script, pluginDir(t), w.dir}
		env := append(w.env(), nvimEnv(w, prefix)...)
		if filepath.Base(prefix) == oldest { // which has no -l
			args = []string{"nvim", "--headless", "--clean", "-c", "luafile " + script}
			env = append(env, "COAUTHOR_TEST_ARGS="+pluginDir(t)+"\n"+w.dir)
		}
		cmd := exec.CommandContext(w.ctx(), filepath.Join(prefix, "run"), args...)
		cmd.Dir = w.dir
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
	})
}
