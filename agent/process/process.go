// Package process ends a command together with what it has started, as far as the system knows that.
//
// It runs nothing by itself and decides nothing: agent/verify and agent/shell, which run what the user has allowed, prepare
// their commands with it. Start at Apart.
package process

import "os/exec"

// Apart has a command that is not yet started begin a group of processes of its own, where the system has such, which ends
// as a whole.
func Apart(cmd *exec.Cmd) { apart(cmd) }

// End asks a command that was started, and what it has started, to end, or now makes it; where a system cannot ask, it is
// made to. Of one that has ended already, what is left of its group ends.
func End(cmd *exec.Cmd, now bool) { end(cmd, now) }

// Status is the exit status of a command that ended with an error: 128 and the number of the signal that ended it, where
// there are signals.
func Status(err *exec.ExitError) int { return status(err) }
