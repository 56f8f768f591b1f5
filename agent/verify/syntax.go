package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// syntaxErrors finds what the changes broke: errors in changed lines, and, where the file was
// without any before, errors anywhere in it, because a lost brace shows far from where it was. Its error
// names the files at which it could not look; the findings in the others are returned beside it.
func syntaxErrors(ctx context.Context, in Input) ([]Finding, error) {
	var list []Finding
	var unchecked []error
	for _, c := range in.Changes {
		if c.Op == edits.OpDelete || c.Before == c.After {
			continue
		}
		found, err := syntaxErrorsOf(ctx, c)
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		if err != nil {
			unchecked = append(unchecked, err)
		}
		list = append(list, found...)
	}
	return list, errors.Join(unchecked...)
}

func syntaxErrorsOf(ctx context.Context, c edits.Change) ([]Finding, error) {
	path := pathOf(c)
	before, err := syntax.Errors(ctx, c.Path, []byte(c.Before))
	if err != nil {
		return nil, fmt.Errorf("could not check the syntax of %s before the change: %w", c.Path, err)
	}
	var places []syntax.Lines
	if len(before) > 0 {
		places = changed(edits.Diff(c.Before, c.After))
	}
	after, err := syntax.Errors(ctx, path, []byte(c.After), places...)
	if err != nil {
		return nil, fmt.Errorf("could not check the syntax of %s: %w", path, err)
	}
	var list []Finding
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
	return list, nil
}

// broken picks the errors of the new text that are not those of the old one: an error that begins in
// a changed line was there before if one began in the lines that it replaces; any other, if one was
// there at all.
func broken(c edits.Change, before, after []syntax.SyntaxError) []syntax.SyntaxError {
	hunks := edits.Diff(c.Before, c.After)
	inside, outside := map[string]int{}, map[string]int{}
	oldLines, newLines := strings.Split(c.Before, "\n"), strings.Split(c.After, "\n")
	for _, e := range before {
		old := outside
		if slices.ContainsFunc(hunks, func(h edits.Hunk) bool { return within(e.Line, h.OldLine, h.OldCount) }) {
			old = inside
		}
		old[identity(e, oldLines)]++
	}
	var list []syntax.SyntaxError
	for _, e := range after {
		old := outside
		if slices.ContainsFunc(hunks, func(h edits.Hunk) bool { return within(e.Line, h.NewLine, h.NewCount) }) {
			old = inside
		}
		if id := identity(e, newLines); old[id] > 0 {
			old[id]--
			continue
		}
		list = append(list, e)
	}
	return list
}

func within(line, first, count int) bool { return first <= line && line < first+count }

// identity says what an error is, wherever it stands in the file.
func identity(e syntax.SyntaxError, lines []string) string {
	line := ""
	if e.Line >= 0 && e.Line < len(lines) {
		line = strings.TrimSpace(lines[e.Line])
	}
	return e.Message + "\x00" + line
}

// changed gives the places of the new text that differ. One where lines were only taken away counts
// as the line after it.
func changed(hunks []edits.Hunk) []syntax.Lines {
	list := make([]syntax.Lines, len(hunks))
	for i, h := range hunks {
		list[i] = syntax.Lines{First: h.NewLine, Last: h.NewLine + max(h.NewCount, 1) - 1}
	}
	return list
}
