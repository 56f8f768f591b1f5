package review

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"coauthor/edits"
)

// Place writes an offset as line:column for people: both from 1, columns in characters.
func Place(text string, offset int) string {
	line := strings.Count(text[:offset], "\n") + 1
	begin := strings.LastIndexByte(text[:offset], '\n') + 1
	return fmt.Sprintf("%d:%d", line, utf8.RuneCountInString(text[begin:offset])+1)
}

var selectionForm = regexp.MustCompile(`^\s*(\d+)(?::(\d+))?\s*(?:-\s*(\d+)(?::(\d+))?\s*)?$`)

// ParseSelection reads "first-last" in lines, or "line:column-line:column". A missing last is the
// first; lines without columns are meant whole.
func ParseSelection(text, selection string) (start, end int, err error) {
	m := selectionForm.FindStringSubmatch(selection)
	if m == nil {
		return 0, 0, fmt.Errorf("invalid selection %q; use lines (10-20) or positions (10:1-20:5)", selection)
	}
	if m[3] == "" {
		m[3], m[4] = m[1], m[2]
	}
	lines := strings.SplitAfter(text, "\n")
	offset := func(line, column string, whole bool) int {
		n, _ := strconv.Atoi(line) // digits only; what is too large is beyond the end like others
		at := 0
		for i := 0; i < len(lines) && i < n-1; i++ {
			at += len(lines[i])
		}
		if n < 1 || n > len(lines) {
			return at
		}
		one := lines[n-1]
		if column == "" {
			if whole {
				return at + len(one)
			}
			return at
		}
		c, _ := strconv.Atoi(column)
		one = strings.TrimRight(one, "\r\n") // a column beyond the end is the end, however large it is
		for ; c > 1 && one != ""; c-- {
			_, size := utf8.DecodeRuneInString(one)
			at, one = at+size, one[size:]
		}
		return at
	}
	first, _ := strconv.Atoi(m[1])
	if first < 1 || first > len(lines) {
		return 0, 0, fmt.Errorf("the selection %q starts after the end of the file", selection)
	}
	start, end = offset(m[1], m[2], false), offset(m[3], m[4], true)
	if end <= start && len(text) > 0 {
		return 0, 0, fmt.Errorf("the selection %q is empty", selection)
	}
	return start, end, nil
}

// Follow carries a selection over to a later text. What was typed within it belongs to it.
func Follow(before, after string, start, end int) (int, int) {
	return followed(edits.Diff(before, after), after, start, end)
}

// FollowAll is Follow for several selections.
func FollowAll(before, after string, list [][2]int) [][2]int {
	typed := edits.Diff(before, after)
	now := make([][2]int, len(list))
	for i, one := range list {
		now[i][0], now[i][1] = followed(typed, after, one[0], one[1])
	}
	return now
}

// followed is Follow for who knows the difference of the texts.
func followed(typed []edits.Hunk, after string, start, end int) (int, int) {
	from, to := start, end
	for _, h := range typed {
		grown := (h.NewEnd - h.NewStart) - (h.OldEnd - h.OldStart)
		switch {
		case h.OldEnd <= start:
			from += grown
		case h.OldStart < start:
			from = h.NewStart
		}
		switch {
		case h.OldStart >= end:
		case h.OldEnd <= end:
			to += grown
		default:
			to = h.NewEnd
		}
	}
	return min(from, len(after)), max(min(from, len(after)), min(to, len(after)))
}
