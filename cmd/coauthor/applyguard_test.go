package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

// linesOf is a text of numbered lines.
func linesOf(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "key%d: value%d\n", i, i)
	}
	return b.String()
}

// TestApplyRefusesLoss: in every format a change that takes most of a file away is refused where nobody can be asked,
// and the others are written. --force writes it; --yes does not.
func TestApplyRefusesLoss(t *testing.T) {
	before, after := linesOf(1, 300), "key7: value7\n"
	for _, f := range formats.All() {
		for _, c := range []struct {
			args    []string
			code    int
			written bool // what takes most away
			other   bool
		}{
			{nil, exitRefused, false, true},
			{[]string{"--yes"}, exitRefused, false, true},
			{[]string{"--json"}, exitRefused, false, true},
			{[]string{"--atomic"}, exitRefused, false, false},
			{[]string{"--dry-run"}, exitRefused, false, false},
			{[]string{"--force"}, exitApplied, true, true},
			{[]string{"--yes", "--force"}, exitApplied, true, true},
		} {
			t.Run(f.Name+"/"+strings.Join(c.args, " "), func(t *testing.T) {
				root := t.TempDir()
				put(t, root, "app.yaml", before)
				put(t, root, "b.txt", "one\ntwo\n")
				reply := editstest.Rewrite(f.Name, "app.yaml", before, after) + "\n" + editstest.Rewrite(f.Name, "b.txt", "one\ntwo\n", "one\n2\n")
				if f.Name == "func" { // one call has all files
					reply = fmt.Sprintf(`{"files":[{"path":"app.yaml","content":%q},{"path":"b.txt","content":"one\n2\n"}]}`, after)
				}
				if f.Name == "patch" {
					reply = strings.Replace(reply, "*** End Patch\n\n*** Begin Patch\n", "", 1)
				}
				want := map[string]string{"app.yaml": before, "b.txt": "one\ntwo\n"}
				if c.written {
					want["app.yaml"] = after
				}
				if c.other {
					want["b.txt"] = "one\n2\n"
				}
				var out, errs bytes.Buffer
				code := run(context.Background(), append([]string{"apply", "--root", root, "--format", f.Name}, c.args...),
					Streams{In: strings.NewReader(reply), Out: &out, Err: &errs, Env: func(string) string { return "" }})
				if code != c.code {
					t.Errorf("exit %d, want %d\n%s%s", code, c.code, out.String(), errs.String())
				}
				if diff := cmp.Diff(want, treeOf(t, root)); diff != "" {
					t.Errorf("the tree (-want +got):\n%s", diff)
				}
				if says := strings.Contains(out.String(), "removes 299 of 300 lines of app.yaml") && strings.Contains(out.String(), "loss"); says == c.written {
					t.Errorf("it says %s", out.String())
				}
			})
		}
	}
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestApplyDeletesByName: what a reply deletes by name goes, also where nobody can be asked.
func TestApplyDeletesByName(t *testing.T) {
	text := linesOf(1, 50)
	for format, reply := range map[string]string{
		"patch":   "*** Begin Patch\n*** Delete File: app.yaml\n*** End Patch\n",
		"gitdiff": "```diff\n--- a/app.yaml\n+++ /dev/null\n@@ -1,50 +0,0 @@\n-" + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n-") + "\n```\n",
	} {
		t.Run(format, func(t *testing.T) {
			root := t.TempDir()
			put(t, root, "app.yaml", text)
			var out, errs bytes.Buffer
			code := run(context.Background(), []string{"apply", "--root", root, "--format", format},
				Streams{In: strings.NewReader(reply), Out: &out, Err: &errs, Env: func(string) string { return "" }})
			if code != exitApplied || len(treeOf(t, root)) > 0 {
				t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
			}
		})
	}
}
