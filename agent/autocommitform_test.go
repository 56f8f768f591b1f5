package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/settings"
)

// TestAnEditorsFormIsNoChange: a buffer differs from the file by byte order mark, line ends or the last line feed. A turn
// in it is one commit, of the turn alone, and what the user did change is another with git.mode commitAll.
func TestAnEditorsFormIsNoChange(t *testing.T) {
	const text, two = "x = 1\na\nb\nc\nd\ne\nf\ng\n", "x = 2\na\nb\nc\nd\ne\nf\ng\n"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	mark := func(s string) string { return "\ufeff" + s }
	open := func(s string) string { return strings.TrimRight(s, "\r\n") }
	same := func(s string) string { return s }
	mixed := func(s string) string { return strings.Replace(s, "c\n", "c\r\n", 1) }
	large := os.Getenv("COAUTHOR_LARGE") != ""
	for i, x := range []struct {
		name                string
		disk, buffer, saved func(string) string
	}{
		{"control", same, same, same},
		{"a mark in the file", mark, same, mark},
		{"CRLF in the file", crlf, same, crlf},
		{"an open last line", open, same, open},
		{"all of it", func(s string) string { return mark(crlf(open(s))) }, same, func(s string) string { return mark(crlf(open(s))) }},
		{"some CRLF", mixed, same, mixed},
		{"CRLF in the buffer", same, crlf, same},
		{"CRLF in both", crlf, crlf, crlf},
		{"a mark in the buffer", same, mark, same},
		{"the last line is ended when it is saved", open, same, same},
		{"the last line is ended only when it is saved", open, open, same},
		{"the mark is dropped when it is saved", mark, same, same},
	} {
		for _, dirty := range []bool{false, true} {
			if dirty && x.name != "control" && !large {
				continue // the commits of both settings go one way, which "control" shows
			}
			for _, typed := range []bool{false, true} { // the user has changed another line, and saved that
				if x.name != "control" && typed != (i%2 == 0) && !large {
					continue
				}
				name := x.name
				if dirty {
					name += ", all"
				}
				mine := same
				if typed {
					name, mine = name+", typed", func(s string) string { return strings.Replace(s, "g", "G", 1) }
				}
				t.Run(name, func(t *testing.T) {
					b := newGitBench(t, replies(xIsTwo, "Set x", "Set x"), map[string]string{"a.py": x.disk(text)})
					if dirty {
						b.settings.Git.Mode = settings.GitCommitAll
					}
					b.put("a.py", x.disk(mine(text)))
					b.ws.DidOpen("a.py", x.buffer(mine(text)), 1)
					rec := b.twoOfIt()
					b.save("a.py", x.saved(mine(two)))
					got := b.commits(rec)
					if len(got) != 1 || got[0].Reason != "" {
						t.Fatalf("told %+v", got)
					}
					want := []string{x.disk(text), x.saved(two)}
					if typed && dirty {
						want = []string{x.disk(text), x.disk(mine(text)), x.saved(mine(two))}
					} else if typed {
						want[1] = x.disk(two) // the rest is the user's
					}
					hashes := strings.Fields(b.git("rev-list", "--reverse", "HEAD"))
					for i, hash := range hashes {
						if text := b.git("show", hash+":a.py"); i >= len(want) || text != want[i] {
							t.Errorf("commit %d of %d has %q", i, len(want), text)
						}
					}
					if len(hashes) != len(want) {
						t.Errorf("%d commits, want %d", len(hashes), len(want))
					}
					if status := b.git("status", "--porcelain"); (status == "") != (!typed || dirty) {
						t.Errorf("afterwards %q", status)
					}
					if raw, err := os.ReadFile(filepath.Join(b.root, "a.py")); err != nil || string(raw) != x.saved(mine(two)) {
						t.Errorf("the file holds %q, %v", raw, err)
					}
				})
			}
		}
	}
}
