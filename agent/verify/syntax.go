package verify

import (
	"context"
	"fmt"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// syntaxErrors finds what the changes broke: errors in changed lines, and, where the file was
// without any before, errors anywhere in it, because a lost brace shows far from where it was.
func syntaxErrors(ctx context.Context, changes []edits.Change) ([]Finding, error) {
	var list []Finding
	for _, c := range changes {
		path := c.Path
		if c.Op == edits.OpRename {
			path = c.To
		}
		if c.Op == edits.OpDelete || c.Before == c.After {
			continue
		}
		after, err := syntax.Errors(ctx, path, []byte(c.After))
		if err != nil {
			return list, fmt.Errorf("check the syntax of %s: %w", path, err)
		}
		if len(after) == 0 {
			continue
		}
		before, err := syntax.Errors(ctx, c.Path, []byte(c.Before))
		if err != nil {
			return list, fmt.Errorf("check the syntax of %s: %w", c.Path, err)
		}
		for _, e := range broken(c, before, after) {
			text := e.Message
			if text == "" {
				text = "syntax error"
			}
			if e.Scope != "" {
				text += " in " + e.Scope
			}
			list = append(list, Finding{Check: "syntax", Path: path, First: e.Line + 1, Last: e.EndLine + 1,
				Text: fmt.Sprintf("line %d: %s", e.Line+1, text)})
		}
	}
	return list, nil
}

// broken picks the errors of the new text that are not those of the old one.
func broken(c edits.Change, before, after []syntax.SyntaxError) []syntax.SyntaxError {
	old := map[string]int{}
	oldLines := strings.Split(c.Before, "\n")
	for _, e := range before {
		old[identity(e, oldLines)]++
	}
	hunks := edits.Diff(c.Before, c.After)
	newLines := strings.Split(c.After, "\n")
	var list []syntax.SyntaxError
	for _, e := range after {
		if id := identity(e, newLines); old[id] > 0 {
			old[id]-- // it was there before
			continue
		}
		if len(before) == 0 || touches(hunks, e.Line, e.EndLine) {
			list = append(list, e)
		}
	}
	return list
}

// identity says what an error is, wherever it stands in the file.
func identity(e syntax.SyntaxError, lines []string) string {
	line := ""
	if e.Line >= 0 && e.Line < len(lines) {
		line = strings.TrimSpace(lines[e.Line])
	}
	return e.Message + "\x00" + line
}

// touches says whether the lines first to last meet a changed place. A place where lines were only
// taken away counts as the line after it.
func touches(hunks []edits.Hunk, first, last int) bool {
	for _, h := range hunks {
		if first <= h.NewLine+max(h.NewCount, 1)-1 && last >= h.NewLine {
			return true
		}
	}
	return false
}
