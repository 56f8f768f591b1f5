package edits

import (
	"fmt"
	"strings"
)

// Unified returns a change as a unified diff with that many lines of context. A created or deleted
// file has /dev/null on its other side. Without any difference in content there are only headers.
func Unified(c Change, context int) string {
	var out strings.Builder
	from, to := "a/"+c.Path, "b/"+c.Path
	switch c.Op {
	case OpCreate:
		from = "/dev/null"
	case OpDelete:
		to = "/dev/null"
	case OpRename:
		to = "b/" + c.To
		fmt.Fprintf(&out, "rename from %s\nrename to %s\n", c.Path, c.To)
	case OpUpdate:
	}
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	spare := maxDiffProduct
	writeUnified(&out, splitLines(c.Before), splitLines(c.After), max(context, 0), &spare)
	return out.String()
}

func writeUnified(out *strings.Builder, a, b []string, context int, spare *int) {
	spans := diffWithin(a, b, spare)
	for len(spans) > 0 {
		// Hunks whose context lines would touch share one header.
		n := 1
		for n < len(spans) && spans[n].a0-spans[n-1].a1 <= 2*context {
			n++
		}
		first, last := spans[0], spans[n-1]
		lead := min(context, first.a0)
		tail := min(context, len(a)-last.a1)
		fmt.Fprintf(out, "@@ -%s +%s @@\n",
			position(first.a0-lead, last.a1+tail), position(first.b0-lead, last.b1+tail))
		at := first.a0 - lead
		for _, s := range spans[:n] {
			writeSigned(out, ' ', a[at:s.a0])
			writeSigned(out, '-', a[s.a0:s.a1])
			writeSigned(out, '+', b[s.b0:s.b1])
			at = s.a1
		}
		writeSigned(out, ' ', a[at:at+tail])
		spans = spans[n:]
	}
}

// position is a header's "line,count". An empty side names the line before it.
func position(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func writeSigned(out *strings.Builder, sign byte, lines []string) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
