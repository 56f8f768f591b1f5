package editstest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Lists says whether the format writes whole files out, so that what they lack is not said.
func Lists(format string) bool {
	return slices.Contains([]string{"whole", "editor-whole", "files", "func"}, format)
}

// Rewrite is a reply in which a model in that format gives a file another text: as a whole, or by one edit of all its
// lines. The texts are whole lines.
func Rewrite(format, path, before, after string) string {
	switch format {
	case "diff", "editor-diff":
		return fmt.Sprintf("%s\n```\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n```\n", path, before, after)
	case "diff-fenced", "editor-diff-fenced":
		return fmt.Sprintf("```\n%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n```\n", path, before, after)
	case "whole", "editor-whole", "files":
		return fmt.Sprintf("%s\n```\n%s```\n", path, after)
	case "udiff", "udiff-simple":
		return fmt.Sprintf("```diff\n--- %s\n+++ %s\n@@ @@\n%s%s```\n", path, path, signed('-', before), signed('+', after))
	case "gitdiff":
		return fmt.Sprintf("```diff\n--- a/%s\n+++ b/%s\n@@ -1,%d +1,%d @@\n%s%s```\n", path, path,
			strings.Count(before, "\n"), strings.Count(after, "\n"), signed('-', before), signed('+', after))
	case "patch":
		return fmt.Sprintf("*** Begin Patch\n*** Update File: %s\n@@\n%s%s*** End Patch\n", path, signed('-', before), signed('+', after))
	case "func":
		data, err := json.Marshal(map[string]any{"files": []map[string]string{{"path": path, "content": after}}})
		if err != nil {
			panic(err)
		}
		return string(data)
	}
	panic("no rewrite in the format " + format)
}

func signed(sign byte, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteByte(sign)
		b.WriteString(line)
	}
	return b.String()
}
