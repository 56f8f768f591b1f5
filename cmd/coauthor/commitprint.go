package main

import (
	"coauthor/agent/commit"
	"coauthor/agent/event"
)

// committed tells what became of the changes of a turn in git, a line each.
func committed(e *event.Commit) []string {
	if e.Hash == "" {
		return []string{"The change was not committed. " + e.Reason}
	}
	return madeCommit(commit.Committed{Hash: e.Hash, Subject: e.Subject, Files: e.Files, Notes: e.Notes})
}

// madeCommit tells of a commit, a line each.
func madeCommit(c commit.Committed) []string { return append([]string{c.String()}, c.Notes...) }
