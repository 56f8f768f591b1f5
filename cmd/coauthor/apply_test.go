package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/workspace"
	"coauthor/edits/formats"
)

const goodBlock = "a.txt\n```\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n```\n"
const badBlock = "a.txt\n```\n<<<<<<< SEARCH\nnowhere to be seen\n=======\nx\n>>>>>>> REPLACE\n```\n"

func TestApplyCommand(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		args        []string
		code        int
		want        map[string]string // the tree afterwards
		says        string
	}{
		{"all applied", goodBlock, nil, exitApplied, map[string]string{"a.txt": "uno\ntwo\n"}, "update a.txt (+1 -1)"},
		{"some refused", goodBlock + badBlock, nil, exitRefused, map[string]string{"a.txt": "uno\ntwo\n"}, "no-match"},
		{"weighed and rejected", badBlock + "no, rather\n</think>\n\n" + goodBlock, nil, exitApplied, map[string]string{"a.txt": "uno\ntwo\n"}, "update a.txt (+1 -1)"},
		{"only weighed", "<think>\n" + goodBlock, nil, exitRefused, map[string]string{"a.txt": "one\ntwo\n"}, "reasoning"},
		{"text that looks like the end of thinking", strings.Replace(goodBlock, "uno", "</think>", 1), nil, exitApplied,
			map[string]string{"a.txt": "</think>\ntwo\n"}, "update a.txt (+1 -1)"},
		{"atomic", goodBlock + badBlock, []string{"--atomic"}, exitRefused, map[string]string{"a.txt": "one\ntwo\n"}, "no-match"},
		{"dry run", goodBlock, []string{"--dry-run"}, exitApplied, map[string]string{"a.txt": "one\ntwo\n"}, "update a.txt (+1 -1)"},
		{"no edits", "I would rather not.\n", nil, exitRefused, map[string]string{"a.txt": "one\ntwo\n"}, "no-edits"},
		{"unknown format", goodBlock, []string{"--format", "klingon"}, exitUsage, map[string]string{"a.txt": "one\ntwo\n"}, ""},
		{"outside the root", strings.Replace(goodBlock, "a.txt", "../a.txt", 1), nil, exitRefused, map[string]string{"a.txt": "one\ntwo\n"}, "no file below the root of the project"},
		{"protected", strings.NewReplacer("a.txt", ".git/config", "one\n", "").Replace(goodBlock), nil, exitRefused,
			map[string]string{"a.txt": "one\ntwo\n"}, "protected"},
		{"wrong name, no chat", strings.Replace(goodBlock, "a.txt", "does/not/exist.xyz", 1), nil, exitRefused,
			map[string]string{"a.txt": "one\ntwo\n"}, "no-file"},
		{"wrong name, the text nowhere", strings.Replace(badBlock, "a.txt", "does/not/exist.xyz", 1), nil, exitRefused,
			map[string]string{"a.txt": "one\ntwo\n"}, "no-file"},
		{"new file", strings.NewReplacer("a.txt", "sub/new.txt", "one\n", "").Replace(goodBlock), nil, exitApplied,
			map[string]string{"a.txt": "one\ntwo\n", "sub/new.txt": "uno\n"}, "create sub/new.txt (+1 -0)"},
		{"rename", "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-one\n+uno\n*** End Patch\n", nil, exitApplied,
			map[string]string{"b.txt": "uno\ntwo\n"}, "rename a.txt -> b.txt"},
		{"emptied by a udiff", "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +0,0 @@\n-one\n-two\n```\n", []string{"--format", "udiff"}, exitApplied,
			map[string]string{"a.txt": ""}, "update a.txt (+0 -2)"},
		{"delete", "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n", nil, exitApplied, map[string]string{}, "delete a.txt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\ntwo\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			code := run(context.Background(), append([]string{"apply", "--root", root}, c.args...),
				Streams{In: strings.NewReader(c.reply), Out: &out, Err: &errs, Env: func(string) string { return "" }})
			if code != c.code {
				t.Errorf("exit %d, want %d\n%s%s", code, c.code, out.String(), errs.String())
			}
			if !strings.Contains(out.String(), c.says) {
				t.Errorf("it says %q, not %q", out.String(), c.says)
			}
			if diff := cmp.Diff(c.want, treeOf(t, root)); diff != "" {
				t.Errorf("the tree (-want +got):\n%s", diff)
			}
		})
	}
}

func treeOf(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		out[filepath.ToSlash(rel)] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestApplyPrintsOneObject(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{"a.txt": "one\ntwo\n", "reply.md": goodBlock + badBlock} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	code := run(context.Background(), []string{"apply", "--format", "diff", "--json", "--root", root, "--chat", "a.txt", filepath.Join(root, "reply.md")},
		Streams{In: strings.NewReader(""), Out: &out, Err: &out, Env: func(string) string { return "" }})
	if code != exitRefused {
		t.Errorf("exit %d", code)
	}
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	want := map[string]any{
		"format": "diff", "edits": 2.0,
		"changes":  []any{map[string]any{"path": "a.txt", "op": "update", "added": 1.0, "removed": 1.0}},
		"failures": []any{map[string]any{"edit": 1.0, "path": "a.txt", "reason": "no-match", "message": "the lines to replace are not in a.txt"}},
		"rungs":    map[string]any{"exact": 1.0},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A protected file is changed when the user names it.
func TestApplyTakesChatFilesAsConsent(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, ".env"), []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	reply := strings.Replace(goodBlock, "a.txt", ".env", 1)
	code := run(context.Background(), []string{"apply", "--root", root, "--chat", ".env"},
		Streams{In: strings.NewReader(reply), Out: &out, Err: &out, Env: func(string) string { return "" }})
	if raw, err := os.ReadFile(filepath.Join(root, ".env")); code != exitApplied || err != nil || string(raw) != "uno\n" {
		t.Errorf("exit %d, %q, %v\n%s", code, raw, err, out.String())
	}
}

// An encoding that is set is written back; nothing is guessed.
func TestApplyKeepsTheEncoding(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "a.txt")
	if err := os.WriteFile(file, []byte("caf\xe9\none\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{{nil, exitRefused, "caf\xe9\none\n"}, {[]string{"--encoding", "windows-1252"}, exitApplied, "caf\xe9\nuno\n"}} {
		var out bytes.Buffer
		code := run(context.Background(), append([]string{"apply", "--root", root}, c.args...),
			Streams{In: strings.NewReader(goodBlock), Out: &out, Err: &out, Env: func(string) string { return "" }})
		raw, err := os.ReadFile(file)
		if code != c.code || err != nil || string(raw) != c.want {
			t.Errorf("%v: exit %d, %q, %v\n%s", c.args, code, raw, err, out.String())
		}
	}
}

// Nobody knows here what was asked for, so what a listing leaves out is told and not refused.
func TestApplyTellsWhatAListingLeavesOut(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "a.py")
	if err := os.WriteFile(file, []byte("def one():\n    return 1\n\n\ndef two():\n    return 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"apply", "--root", root, "--format", "whole"},
		Streams{In: strings.NewReader("a.py\n```\ndef one():\n    return 3\n```\n"), Out: &out, Err: &errs, Env: func(string) string { return "" }})
	if code != exitApplied || !strings.Contains(out.String(), "note: a.py no longer has two\n") {
		t.Errorf("exit %d, says %s%s", code, out.String(), errs.String())
	}
}

// Between reading and writing another program may write: its work stays, and apply says so.
func TestApplyLeavesWhatChangedMeanwhile(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("one\ntwo\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	format, _ := formats.ByName("auto")
	text := goodBlock + strings.Replace(goodBlock, "a.txt", "b.txt", 1) + strings.NewReplacer("a.txt", "new.txt", "one\n", "").Replace(goodBlock)
	report, changes, snapshot := (&ApplyCmd{}).plan(context.Background(), ws, format, text, nil)
	if len(changes) != 3 {
		t.Fatalf("%d changes: %+v", len(changes), report)
	}
	for _, name := range []string{"a.txt", "new.txt"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte("theirs\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	report.write(context.Background(), ws.Door(), workspace.Agreed(), snapshot, changes)
	if diff := cmp.Diff(map[string]string{"a.txt": "theirs\n", "b.txt": "uno\ntwo\n", "c.txt": "one\ntwo\n", "new.txt": "theirs\n"}, treeOf(t, root)); diff != "" {
		t.Errorf("the tree (-want +got):\n%s", diff)
	}
	if len(report.Failures) != 2 || report.Failures[0].Reason != reasonChanged || report.Failures[1].Reason != reasonChanged || len(report.Changes) != 1 {
		t.Errorf("%+v", report)
	}
}
