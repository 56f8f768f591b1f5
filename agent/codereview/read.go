package codereview

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/workspace"
)

// What a model found stands in its answer as a list in JSON. Nothing of it is believed: files are those of the changes,
// lines are looked for by their text and end with the file, and messages are one line.

// The bounds of a review.
const (
	mostFindings = 100
	longestFound = 600 // characters of a message
)

// Read takes the findings out of an answer.
func Read(answer string, c Changes, now *workspace.Snapshot) Review {
	r := Review{About: c.About, Findings: []Finding{}}
	list, before, ok := findList(answer)
	r.Summary = strings.TrimSpace(before)
	if !ok {
		r.Summary, r.Unread = strings.TrimSpace(answer), "the answer does not contain a valid list of findings"
		return r
	}
	for _, f := range list {
		if found, ok := f.checked(c, now); ok && !slices.Contains(r.Findings, found) && len(r.Findings) < mostFindings {
			r.Findings = append(r.Findings, found)
		}
	}
	if len(r.Findings) == 0 && len(list) > 0 {
		r.Summary, r.Unread = strings.TrimSpace(answer), "none of its findings are in the changed files"
	}
	return r
}

// written is a finding as the model wrote it.
type written struct {
	Path     string `json:"path"`
	File     string `json:"file"`
	Line     any    `json:"line"`
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
}

// anObject is where an object of JSON begins, or a list of what may be some.
var anObject = regexp.MustCompile(`\{\s*"|\[\s*\{`)

// mostLists is how many places of an answer are tried.
const mostLists = 500

// findList finds the list of findings in an answer, the first that holds any, and what stands before it. An empty list
// counts where there is no other, and no object: the brackets may be those of a line of code that a finding quotes which
// cannot be read.
func findList(answer string) (list []written, before string, ok bool) {
	at, empty := 0, -1
	for range mostLists {
		open := strings.IndexByte(answer[at:], '[')
		if open < 0 {
			break
		}
		open += at
		var one []written
		if err := json.NewDecoder(strings.NewReader(answer[open:])).Decode(&one); err == nil {
			if len(one) > 0 {
				return one, unfenced(answer[:open]), true
			}
			empty = open
		}
		at = open + 1
	}
	if empty >= 0 && !anObject.MatchString(answer) {
		return nil, unfenced(answer[:empty]), true
	}
	return nil, "", false
}

// unfenced is a text without the line that opens a fence at its end.
func unfenced(text string) string {
	text = strings.TrimRight(text, " \t\n")
	last := strings.LastIndexByte(text, '\n') + 1
	if line := strings.TrimSpace(text[last:]); strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		text = text[:last]
	}
	return strings.TrimSpace(text)
}

// checked is the finding in a file of the changes, on a line that the file has.
func (f written) checked(c Changes, now *workspace.Snapshot) (Finding, bool) {
	path := strings.TrimPrefix(strings.TrimSpace(f.Path+f.File), "b/")
	if !slices.Contains(c.Files, path) || slices.Contains(c.Hidden, path) {
		return Finding{}, false
	}
	text, err := now.Read(path)
	if err != nil { // it is gone, or no text
		return Finding{}, false
	}
	message := display.Line(strings.Join(strings.Fields(f.Message), " "))
	if runes := []rune(message); len(runes) > longestFound {
		message = string(runes[:longestFound]) + "…"
	}
	if message == "" {
		return Finding{}, false
	}
	severity := strings.ToLower(strings.TrimSpace(f.Severity))
	switch severity {
	case "error", "warning", "information":
	case "info", "hint", "note":
		severity = "information"
	default:
		severity = "warning"
	}
	return Finding{Path: path, Line: placed(f.number(), f.Code, text), Severity: severity, Message: message}, true
}

// number is the line that the model wrote, 0 for none.
func (f written) number() int {
	switch n := f.Line.(type) {
	case float64:
		if n >= 1 && n < 1e9 {
			return int(n)
		}
	case string:
		var line int
		if _, err := fmt.Sscanf(n, "%d", &line); err == nil && line >= 1 {
			return line
		}
	}
	return 0
}

// placed is the line of a text that is meant: of those that read as the model says, the one nearest to its number;
// else that number, as far as the text goes.
func placed(number int, code, text string) int {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	best := 0
	if code = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(code), "+")); code != "" {
		for i, line := range lines {
			if strings.TrimSpace(line) == code && (best == 0 || abs(i+1-number) < abs(best-number)) {
				best = i + 1
			}
		}
	}
	if best > 0 {
		return best
	}
	return min(max(number, 1), len(lines))
}

func abs(n int) int { return max(n, -n) }

// Text is the review for who reads it.
func (r Review) Text() string {
	var b strings.Builder
	if r.Summary != "" {
		b.WriteString(r.Summary + "\n\n")
	}
	switch {
	case r.Unread != "":
		fmt.Fprintf(&b, "The model did not return a usable review: %s.\n", r.Unread)
	case len(r.Findings) == 0:
		b.WriteString("No findings.\n")
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "- %s\n", f)
	}
	return b.String()
}
