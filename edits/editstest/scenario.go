package editstest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/edits"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// Scenario is a reply with the files around it. Its archive begins with a line that says what it
// shows, and lines "format: …", "chat: …", "ending: cut".
type Scenario struct {
	Format        string
	Chat          []string
	Ending        edits.Ending
	Reply         string
	Before, After map[string]string // After has what changes; a file that goes away holds "gone\n"
	Failures      string            // "reason path" a line
	Rungs         string            // "rung count" a line, sorted; "" for any
}

// Scenarios are the names of the archives in a folder.
func Scenarios(t *testing.T, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal("no scenarios", err)
	}
	return names
}

// unescape lets archives show what txtar cannot hold.
func unescape(text string) string {
	return strings.NewReplacer(`\r`, "\r", `\n!`+"\n", "", `\ufeff`, "\ufeff", `\xff`, "\xff", `\f`, "\f", `\s`, " ", `\t`, "\t").Replace(text)
}

// LoadScenario reads an archive.
func LoadScenario(t *testing.T, name string) Scenario {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := Scenario{Ending: edits.Ended, Before: map[string]string{}, After: map[string]string{}}
	escaped := false
	for line := range strings.Lines(string(a.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "format":
			s.Format = value
		case "chat":
			s.Chat = strings.Fields(value)
		case "ending":
			s.Ending = edits.Ending(value)
		case "escaped":
			escaped = true
		}
	}
	for _, f := range a.Files {
		text := string(f.Data)
		if escaped {
			text = unescape(text)
		}
		switch kind, path, _ := strings.Cut(f.Name, "/"); kind {
		case "before":
			s.Before[path] = text
		case "after":
			s.After[path] = text
		case "reply":
			s.Reply = text
		case "failures":
			s.Failures = text
		case "rungs":
			s.Rungs = text
		}
	}
	return s
}

// ParseOptions are those of a turn with these files.
func (s Scenario) ParseOptions() edits.ParseOptions {
	return edits.ParseOptions{Chat: s.Chat, Files: Files(s.Before)}
}

// Want are the files as the edits shall leave them.
func (s Scenario) Want() map[string]string {
	want := map[string]string{}
	for path, text := range s.Before {
		want[path] = text
	}
	for path, text := range s.After {
		want[path] = text
		if text == "gone\n" {
			delete(want, path)
		}
	}
	return want
}

// Check reads and applies the reply and compares what comes of it.
func (s Scenario) Check(t *testing.T, f edits.Format) {
	t.Helper()
	list, problems := edits.Parse(f, s.Reply, s.Ending, s.ParseOptions())
	r := edits.Apply(Files(s.Before), list, problems, edits.Options{Chat: s.Chat})
	if diff := cmp.Diff(s.Want(), map[string]string(Files(s.Before).After(r.Changes))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	var got strings.Builder
	for _, x := range r.Failures {
		fmt.Fprintf(&got, "%s %s\n", x.Reason, x.Path)
		if x.Message == "" {
			t.Errorf("the failure %+v says nothing", x)
		}
	}
	if diff := cmp.Diff(s.Failures, got.String()); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
	if s.Rungs == "" {
		return
	}
	var rungs []string
	for rung, n := range r.Rungs {
		rungs = append(rungs, fmt.Sprintf("%s %d\n", rung, n))
	}
	slices.Sort(rungs)
	if diff := cmp.Diff(s.Rungs, strings.Join(rungs, "")); diff != "" {
		t.Errorf("rungs (-want +got):\n%s", diff)
	}
}
