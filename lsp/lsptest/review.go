package lsptest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// review keeps what the user has seen and agreed to, to judge whether an edit may come.
type review struct {
	trusting bool     // the setting says: apply without preview
	consents int      // times the user said yes since the last turn was asked for
	seen     []string // every text the user was shown: diffs, dialogs, messages, buffers
	lines    map[string]bool
}

// show notes a text that came before the user's eyes.
func (r *review) show(text string) {
	if r.lines == nil {
		r.lines = map[string]bool{}
	}
	r.seen = append(r.seen, text)
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		r.lines[line] = true
		// A diff marks its lines in the first column.
		if rest, ok := strings.CutPrefix(line, "+"); ok {
			r.lines[strings.TrimSpace(rest)] = true
		}
		if rest, ok := strings.CutPrefix(line, "-"); ok {
			r.lines[strings.TrimSpace(rest)] = true
		}
	}
}

// asked notes that the user started a new turn: what was agreed to before is spent.
func (r *review) asked() { r.consents = 0 }

func (r *review) consent() { r.consents++ }

// named reports whether a path was named in something the user was shown.
func (r *review) named(rel string) bool {
	for _, s := range r.seen {
		if strings.Contains(s, rel) {
			return true
		}
	}
	return false
}

// reviewed judges the texts that one document gets by an edit.
func (c *checker) reviewed(root, abs string, before string, edits []TextEdit) {
	if c.review.trusting {
		return
	}
	if c.review.consents == 0 {
		c.say("workspace/applyEdit of %s, but the user has agreed to nothing", abs)
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil {
		return
	}
	rel = filepath.ToSlash(rel)
	if !c.review.named(rel) {
		c.say("workspace/applyEdit of %s, which was in nothing that the user was shown", rel)
		return
	}
	known := map[string]bool{"": true}
	for line := range strings.Lines(before) {
		known[strings.TrimSpace(line)] = true
	}
	for _, e := range edits {
		for line := range strings.Lines(e.NewText) {
			line = strings.TrimSpace(line)
			if !known[line] && !c.review.lines[line] {
				c.say("workspace/applyEdit puts the line %q into %s, which the user was not shown", line, rel)
				return
			}
		}
	}
}

// Saw reports whether a text was in something the user was shown.
func (e *Editor) Saw(text string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.check.review.named(text)
}

// Seen gives everything the user was shown, for a failing test.
func (e *Editor) Seen() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.check.review.seen, "\n----\n")
}

var promptDocument = regexp.MustCompile(`/\.coauthor/prompt-[0-9]+\.md$`)

// own judges an edit of a document of the server's own: it may bring the head of a prompt document up to date and write what
// is said in the conversation, and touches nothing that the user wrote.
func (c *checker) own(abs, before string, edits []TextEdit) {
	if strings.HasSuffix(abs, ".diff") {
		c.ownDiff(abs, before, edits)
		return
	}
	if !promptDocument.MatchString(filepath.ToSlash(abs)) {
		c.say("workspace/applyEdit of %s, which the server shows and the user reads", abs)
		return
	}
	lines := strings.Split(before, "\n")
	users := make([]bool, len(lines)) // which of the lines are the user's
	head, own := lines[0] == "---", true
	for n, line := range lines {
		switch {
		case head:
			head = n == 0 || !strings.HasPrefix(line, "---")
		case strings.HasPrefix(line, "## ") && strings.Contains(line, "<!-- coauthor: "):
			own = strings.Contains(line, "<!-- coauthor: you -->")
		default:
			users[n] = own && strings.TrimSpace(line) != ""
		}
	}
	for _, e := range edits {
		if e.Range.Start == e.Range.End {
			continue
		}
		last := int(e.Range.End.Line)
		if e.Range.End.Character == 0 && last > int(e.Range.Start.Line) {
			last--
		}
		for n := int(e.Range.Start.Line); n <= min(last, len(lines)-1); n++ {
			if users[n] && !slices.Contains(strings.Split(strings.ReplaceAll(e.NewText, "\r", ""), "\n"), strings.TrimSuffix(lines[n], "\r")) && !keepsEnd(e, n, lines[n]) {
				c.say("workspace/applyEdit of line %d of %s, which is the user's", n+1, abs)
				return
			}
		}
	}
}

// keepsEnd says whether an edit begins only behind the text of a line, such as one that goes on behind the last one.
func keepsEnd(e TextEdit, n int, line string) bool {
	return n == int(e.Range.Start.Line) && int(e.Range.Start.Character) >= len(strings.TrimRight(line, " \r"))
}

// ownDiff judges an edit of the document with a diff: it may take out what was decided on, and brings nothing but a new head
// and new headers of hunks.
func (c *checker) ownDiff(abs, before string, edits []TextEdit) {
	there := map[string]bool{}
	for line := range strings.Lines(before) {
		there[line] = true
	}
	for _, e := range edits {
		for line := range strings.Lines(e.NewText) {
			if !there[line] && !strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "@@ ") && strings.TrimSpace(line) != "" {
				c.say("workspace/applyEdit puts %q into %s, which was not in it", line, abs)
			}
		}
	}
}
