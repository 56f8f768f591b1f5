package udiff_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/udiff"
)

// Diffs with and without numbers, with headers that look like content, and with every kind of
// operation, read as diffs that rename and as diffs that do not.
func FuzzParser(f *testing.F) {
	for _, reply := range []string{
		"```diff\n--- a.py\n+++ a.py\n@@ ... @@\n def f():\n-    return 1\n+    return 2\n```\n",
		"diff --git a/b.txt b/b.txt\nindex 1..2\n--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
		"```diff\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+1\n--- a/c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
		"diff --git a/c b/d\nsimilarity index 90%\nrename from c\nrename to d\n@@ -1 +1 @@ f()\n-x\n+y\n\\ No newline at end of file\n",
		"--- a.py\n+++ z.py\n@@ @@\n--- x\n+++ y\n\n@@ -1,9 +1,9 @@\nreturn 1\n",
	} {
		f.Add(reply, uint8(3))
	}
	f.Fuzz(func(t *testing.T, reply string, step uint8) {
		editstest.CheckParser(t, udiff.New, reply, step)
		editstest.CheckParser(t, udiff.NewRenaming, reply, step)
	})
}
