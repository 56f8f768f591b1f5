package vcs

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// What writes into a repository runs git the way the user would: with the user's hooks, filters, signing and
// identity. It asks nobody, and hooks get no keys: they are programs of the repository.

// writing are the settings of quiet that also hold for what the user asked to be written. Hooks are not
// switched off.
func writing(hooks bool) []string {
	var list []string
	for i := 0; i+1 < len(quiet); i += 2 {
		name, _, _ := strings.Cut(quiet[i+1], "=")
		if name == "core.hooksPath" && hooks || name == "core.untrackedCache" {
			continue
		}
		list = append(list, quiet[i], quiet[i+1])
	}
	return list
}

// ownIdentity are variables by which the user may say who they are.
var ownIdentity = []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"}

// writeEnvironment is what git, and the hooks that it runs, get of the environment.
func writeEnvironment(from []string) []string {
	var out []string
	for _, kv := range from {
		name, _, _ := strings.Cut(kv, "=")
		name = strings.ToUpper(name)
		switch {
		case slices.Contains(ownIdentity, name), name == "GIT_CONFIG_NOSYSTEM", name == "GIT_CEILING_DIRECTORIES":
		case strings.HasPrefix(name, "GIT_"), name == "SSH_ASKPASS", secret(name):
			continue
		}
		out = append(out, kv)
	}
	return append(out, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true", "GIT_EDITOR=true", "GIT_PAGER=cat")
}

// secret says whether a variable of this name, in capitals, holds a key as far as names tell.
func secret(name string) bool {
	for _, word := range []string{"SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return strings.HasSuffix(name, "_TOKEN") || strings.HasSuffix(name, "_KEY") || name == "TOKEN"
}

// heldPipe is how long what a hook has left running may keep us waiting, and how long hooks have to end when they are
// told to.
const heldPipe = 2 * time.Second

// runWriting runs git in dir with what a command that writes needs, and gives its standard output. more are variables
// beside the usual ones. With ctx, the hooks and what they have started end too.
func runWriting(ctx context.Context, dir string, hooks bool, more []string, stdin []byte, args ...string) ([]byte, error) {
	return run(ctx, func() *exec.Cmd {
		cmd := command(ctx, dir)
		cmd.Args = slices.Concat(cmd.Args[:1], writing(hooks), args)
		cmd.Env = append(writeEnvironment(os.Environ()), more...)
		if stdin != nil {
			cmd.Stdin = bytes.NewReader(stdin)
		}
		apart(cmd)
		cmd.Cancel = func() error { return endAll(cmd) }
		cmd.WaitDelay = heldPipe
		return cmd
	}, args)
}

// Said is git's own word on why it did not do something, without the name of the command; "" for another error.
func Said(err error) string {
	if f := (*failure)(nil); errors.As(err, &f) {
		return f.stderr
	}
	return ""
}
