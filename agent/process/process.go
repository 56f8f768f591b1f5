// Package process ends a command together with what it has started, as far as the system knows that.
//
// It runs nothing by itself and decides nothing: agent/verify and agent/shell, which run what the user has allowed, prepare
// their commands with it. Start at Apart.
package process

import (
	"crypto/rand"
	"os"
	"os/exec"
	"strings"
)

// Apart has a command that is not yet started begin a group of processes of its own, where the system has such, which ends
// as a whole.
func Apart(cmd *exec.Cmd) { apart(cmd) }

// Reading is Apart for a command that reads from the terminal: it has a session of its own, where there are such, since
// another group of ours would be stopped when it reads.
func Reading(cmd *exec.Cmd) { reading(cmd) }

// markName is the variable by which a process is known to come from a command.
const markName = "COAUTHOR_COMMAND="

// Mark has EndAll find what a command starts, where the system shows the variables of its processes. It is called once, before
// the start.
func Mark(cmd *exec.Cmd) {
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, markName+rand.Text())
}

// markOf is the variable that Mark has given to a command, with its value; "" for none.
func markOf(cmd *exec.Cmd) string {
	for _, kv := range cmd.Env {
		if strings.HasPrefix(kv, markName) && len(kv) > len(markName) {
			return kv
		}
	}
	return ""
}

// End asks a command that was started, and what it has started, to end, or now makes it; where a system cannot ask, it is
// made to. Of one that has ended already, what is left of its group ends.
func End(cmd *exec.Cmd, now bool) { end(cmd, now) }

// EndAll makes a command end that was marked before its start, with all that came from it, also what has left its group.
func EndAll(cmd *exec.Cmd) { endAll(cmd) }

// Status is the exit status of a command that ended with an error: 128 and the number of the signal that ended it, where
// there are signals.
func Status(err *exec.ExitError) int { return status(err) }
