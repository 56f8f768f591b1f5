package main

import (
	"coauthor/agent"
	"coauthor/agent/event"
)

// committed tells what became of the changes of a turn in git, a line each.
func committed(e *event.Commit) []string {
	if e.Hash == "" {
		return []string{"The change was not committed. " + e.Reason}
	}
	return madeCommit(agent.Committed{Hash: e.Hash, Subject: e.Subject, Files: e.Files, Notes: e.Notes})
}

// madeCommit tells of a commit, a line each.
func madeCommit(c agent.Committed) []string { return append([]string{c.String()}, c.Notes...) }
