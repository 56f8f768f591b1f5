package patch_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/patch"
)

// Patches with every operation, wrappers, several envelopes, and lines that fit nothing.
func FuzzParser(f *testing.F) {
	for _, reply := range []string{
		"*** Begin Patch\n*** Update File: a.py\n@@ def f():\n-    return 1\n+    return 2\n*** End Patch\n",
		"```\n*** Begin Patch\n*** Add File: n\n+1\n*** Delete File: c\n*** Update File: b.txt\n*** Move to: d/b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n*** End of File\n```\n",
		"*** Update File: d/e.go\n@@ package e\n@@\n same\n*** End Patch\n*** Begin Patch\n*** What: c\n*** Update File:\n",
		"*** add file : m ***\nplain\n*** Update File: c\n*** Move to: c\n",
	} {
		f.Add(reply, uint8(3))
	}
	f.Fuzz(func(t *testing.T, reply string, step uint8) { editstest.CheckParser(t, patch.New, reply, step) })
}
