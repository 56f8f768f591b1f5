package coder

import (
	"encoding/json"
	"regexp"
	"strings"
)

// Verdict is what a model says about its task at the end of a reply.
type Verdict struct {
	Said bool // it says anything about it
	Done bool
	Next string // what it does next; "" when it does not say
}

// The forms of a verdict: a last line, or a call of a tool "finish" written into the text.
var (
	doneLine = regexp.MustCompile(`^(?i:done|task (?:is )?(?:done|complete|completed)|all done)(?:[.!:]|\s+[-–—]|$)`)
	nextLine = regexp.MustCompile(`^(?:NEXT|Next|next)(?: step)?\s*[:：]\s*(.*)$`)
	finish   = regexp.MustCompile(`(?s)<function=finish>(.*)`)
	field    = regexp.MustCompile(`(?s)<parameter=(done|next)>\s*(.*?)\s*</parameter>`)
)

// ReadVerdict reads the end of a reply whose edits were taken out. What comes after "NEXT:" may go on over
// the last lines. A text without a verdict says nothing.
func ReadVerdict(prose string) Verdict {
	prose = strings.TrimRight(prose, " \t\r\n`~")
	if v, ok := called(prose); ok {
		return v
	}
	lines := strings.Split(prose, "\n")
	for back := range min(len(lines), verdictLines) {
		line := plain(lines[len(lines)-1-back])
		if m := nextLine.FindStringSubmatch(line); m != nil {
			next := strings.TrimSpace(strings.Join(append([]string{m[1]}, lines[len(lines)-back:]...), "\n"))
			if next = strings.Trim(next, " \t*_`"); doneLine.MatchString(next) || nothing.MatchString(next) {
				return Verdict{Said: true, Done: true}
			}
			return Verdict{Said: true, Next: next}
		}
		if back == 0 && doneLine.MatchString(line) {
			return Verdict{Said: true, Done: true}
		}
	}
	return Verdict{}
}

// verdictLines is how many lines from the end a NEXT may begin.
const verdictLines = 4

// nothing is how models say that nothing comes next.
var nothing = regexp.MustCompile(`^(?i:none|nothing(?: (?:else|more|left|remains).*)?|n/a|-)?[.!]?$`)

// plain is a line without what models put around a marker.
func plain(line string) string {
	line = strings.Trim(line, " \t\r*_`#>-")
	for _, label := range []string{"Status:", "STATUS:"} {
		line = strings.TrimSpace(strings.TrimPrefix(line, label))
	}
	return strings.ReplaceAll(strings.ReplaceAll(line, "**:", ":"), ":**", ":")
}

// called reads a call of finish that was written as text, at the end of a reply.
func called(prose string) (Verdict, bool) {
	if m := finish.FindStringSubmatch(prose); m != nil {
		v := Verdict{Said: true}
		for _, f := range field.FindAllStringSubmatch(m[1], -1) {
			if f[1] == "done" {
				v.Done = strings.EqualFold(f[2], "true")
			} else {
				v.Next = f[2]
			}
		}
		return v, true
	}
	prose = strings.TrimSpace(strings.TrimSuffix(prose, "</tool_call>"))
	at := strings.LastIndex(prose, `{"name"`)
	if at < 0 {
		return Verdict{}, false
	}
	var call struct {
		Name      string
		Arguments struct {
			Done bool
			Next string
		}
	}
	if err := json.Unmarshal([]byte(prose[at:]), &call); err != nil || call.Name != "finish" {
		return Verdict{}, false
	}
	return Verdict{Said: true, Done: call.Arguments.Done, Next: call.Arguments.Next}, true
}
