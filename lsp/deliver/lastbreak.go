package deliver

import (
	"strings"

	"coauthor/edits"
)

// replacement is a part of a text, in byte offsets, and what comes in its place.
type replacement struct {
	start, end int
	text       string
}

func replacementsOf(hunks []edits.Hunk) []replacement {
	out := make([]replacement, 0, len(hunks))
	for _, h := range hunks {
		out = append(out, replacement{h.OldStart, h.OldEnd, h.New})
	}
	return out
}

// keepLastBreak rewrites ascending changes of a text so that none takes in or follows its last line
// break, for clients that cannot put anything there (see client.Quirks.KeepLastBreak). Such a client keeps a
// line break at the end whatever comes before it, so what the changes make is the same but for that.
func keepLastBreak(before string, list []replacement) []replacement {
	size := len(lastBreak(before))
	if size == 0 || len(list) == 0 {
		return list
	}
	last := &list[len(list)-1]
	whole := len(before)
	if last.end < whole {
		return list
	}
	bare := strings.TrimSuffix(last.text, lastBreak(last.text))
	switch {
	case last.start == whole && last.text != "": // behind the last line: its break moves to the front
		last.text = before[whole-size:] + bare
		last.start = whole - size
	case last.text == "" && last.start > 0: // the last lines go, and with them the break in front of them
		last.start -= len(lastBreak(before[:last.start]))
	default:
		last.text = bare
	}
	last.start, last.end = min(last.start, whole-size), whole-size
	if n := len(list); n > 1 && list[n-2].end >= last.start { // an empty line lay between them
		list[n-2].end, list[n-2].text = last.end, list[n-2].text+last.text
		list = list[:n-1]
	}
	return list
}

// lastBreak returns the line break at the end of a text; "" where there is none.
func lastBreak(text string) string {
	for _, end := range []string{"\r\n", "\n"} {
		if strings.HasSuffix(text, end) {
			return end
		}
	}
	return ""
}
