package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coauthor/agent/command"
	"coauthor/agent/llm"
	"coauthor/agent/secret"
	"coauthor/edits"
)

// Log names the log of one kind of step. The names are those that users of gpt-engineer know.
type Log string

// The logs.
const (
	LogGeneration Log = "all_output.txt"
	LogImprove    Log = "improve.txt"
	LogEntrypoint Log = "gen_entrypoint_chat.txt"
	LogDiffs      Log = "diff_errors.txt"
	LogDebug      Log = "debug_log_file.txt"
)

// LogDocs returns the logs with what each holds, for users.
func LogDocs() []command.Meaning {
	return []command.Meaning{
		{Name: string(LogGeneration), Doc: "the questions of `clarify` and the messages that generated files."},
		{Name: string(LogEntrypoint), Doc: "the messages that wrote `" + ScriptFile + "`."},
		{Name: string(LogImprove), Doc: "the messages that changed files in `improve` and `selfHeal`."},
		{Name: string(LogDiffs), Doc: "edits that did not match, and the retries."},
		{Name: string(LogDebug), Doc: "the output of each script run, the result, and the tokens of each step."},
		{Name: MadeFile, Doc: "the files made so far, if you stopped the run. `coauthor apply --format files` applies them."},
	}
}

// keptLogs is how many runs of a folder have their logs kept.
const keptLogs = 20

// Logs are those of one run. They are for people to read: a failure to write them is told once and ends nothing.
type Logs struct {
	dir   string // "" writes none
	clock func() time.Time
	err   error
}

// logFolder is where the logs of a workspace lie.
func logFolder(stateDir, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(stateDir, "pipeline", filepath.Base(root)+"-"+hex.EncodeToString(sum[:8]))
}

// newLogs makes the logs of a run: a folder of their own, beside those of earlier runs, of which the oldest go.
func newLogs(stateDir, root, run string, clock func() time.Time) *Logs {
	l := &Logs{clock: clock}
	if stateDir == "" || root == "" {
		return l
	}
	folder := logFolder(stateDir, root)
	l.dir = filepath.Join(folder, clock().UTC().Format("2006-01-02-15-04-05")+"-"+run)
	l.err = os.MkdirAll(l.dir, 0o700)
	prune(folder)
	return l
}

// prune takes the logs of the oldest runs away.
func prune(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	var runs []string
	for _, e := range entries {
		if e.IsDir() {
			runs = append(runs, e.Name())
		}
	}
	slices.Sort(runs)
	for len(runs) > keptLogs {
		_ = os.RemoveAll(filepath.Join(folder, runs[0])) // it is tried again by the next run
		runs = runs[1:]
	}
}

// Write adds a text to a log, behind the time. Keys of models are taken out of it.
func (l *Logs) Write(log Log, text string) {
	if l.dir == "" {
		return
	}
	f, err := os.OpenFile(filepath.Join(l.dir, string(log)), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, "\n%s\n%s\n", l.clock().UTC().Format(time.RFC3339), strings.TrimRight(secret.Without(text), "\n"))
		err = errors.Join(err, f.Close())
	}
	l.err = errors.Join(l.err, err)
}

// Talk adds a talk with a model to a log, each message behind its role.
func (l *Logs) Talk(log Log, messages []llm.Message, reply string) {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "## %s\n%s\n", m.Role, strings.TrimRight(m.String(), "\n"))
	}
	fmt.Fprintf(&b, "## %s\n%s\n", llm.RoleAssistant, strings.TrimRight(reply, "\n"))
	l.Write(log, b.String())
}

// MadeFile is the log with the files that a run had made when it was stopped, in the form in which models list files.
const MadeFile = "made.md"

// Made keeps the files of changes, and returns where; "" where there are none, or no logs are written.
func (l *Logs) Made(changes []edits.Change) string {
	var b strings.Builder
	for _, c := range changes {
		switch c.Op {
		case edits.OpCreate, edits.OpUpdate:
			b.WriteString(shown(c.Path, c.After))
		case edits.OpRename:
			b.WriteString(shown(c.To, c.After))
		case edits.OpDelete:
		}
	}
	if l.dir == "" || b.Len() == 0 {
		return ""
	}
	name := filepath.Join(l.dir, MadeFile)
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		l.err = errors.Join(l.err, err)
		return ""
	}
	return name
}

// Err returns why a log is not whole; nil when all of it was written.
func (l *Logs) Err() error { return l.err }
