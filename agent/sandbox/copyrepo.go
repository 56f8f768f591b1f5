package sandbox

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// repository gives the copy a repository of its own, which borrows the objects of the user's: tools that ask git what is
// tracked, what has changed or where they are hear the same as in the folder, and what they write is the copy's. It is made
// for each command, so that none finds what another one left. Where that fails, the copy has no repository.
func (c *replica) repository(ctx context.Context) {
	_ = c.tree.RemoveAll(".git")
	if err := c.borrow(ctx); err != nil {
		_ = c.tree.RemoveAll(".git")
	}
}

func (c *replica) borrow(ctx context.Context) error {
	if _, err := os.Lstat(filepath.Join(c.root, ".git")); err != nil {
		return err // the folder is none, or only a part of one
	}
	told, err := git(ctx, c.root, "rev-parse", "--path-format=absolute", "--git-path", "objects", "--git-path", "index", "--show-object-format")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(told), "\n")
	if len(lines) != 3 {
		return os.ErrInvalid
	}
	objects, index, format := lines[0], lines[1], lines[2]
	if _, err := git(ctx, c.path(), "init", "-q", "--template=", "--object-format="+format, "--", c.path()); err != nil {
		return err
	}
	refs, err := git(ctx, c.root, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes", "refs/tags")
	if err != nil {
		return err
	}
	head, err := git(ctx, c.root, "symbolic-ref", "-q", "HEAD")
	if err == nil {
		head = "ref: " + head
	} else if head, err = git(ctx, c.root, "rev-parse", "-q", "--verify", "HEAD"); err != nil {
		return err
	}
	for name, text := range map[string]string{
		".git/objects/info/alternates": objects + "\n",
		".git/packed-refs":             "# pack-refs with:\n" + refs,
		".git/HEAD":                    head,
	} {
		if err := c.write(name, []byte(text)); err != nil {
			return err
		}
	}
	// The index tells sizes and times of the user's files, which those of the copy have where they are the same.
	for _, kv := range [][2]string{{"core.checkStat", "minimal"}, {"core.trustctime", "false"}, {"gc.auto", "0"}} {
		if _, err := git(ctx, c.path(), "config", kv[0], kv[1]); err != nil {
			return err
		}
	}
	shared, err := filepath.Glob(filepath.Join(filepath.Dir(index), "sharedindex.*"))
	if err != nil {
		return err
	}
	for _, from := range append(shared, index) {
		data, err := os.ReadFile(from)
		if os.IsNotExist(err) { // nothing was ever added
			continue
		}
		if err != nil {
			return err
		}
		if err := c.write(".git/"+filepath.Base(from), data); err != nil {
			return err
		}
	}
	return nil
}

func (c *replica) write(name string, data []byte) error {
	if err := c.tree.MkdirAll(filepath.ToSlash(filepath.Dir(name)), 0o700); err != nil {
		return err
	}
	return c.tree.WriteFile(name, data, 0o600)
}

// git runs git in a folder, so that no program of the repository's own settings is run.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
		"-c", "protocol.allow=never", "-c", "core.quotePath=false", "-c", "color.ui=false"}, args...)...)
	cmd.Dir = dir
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "LC_ALL=C")
	cmd.WaitDelay = 5 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, io.Discard
	err := cmd.Run()
	return out.String(), err
}
