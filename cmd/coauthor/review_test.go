package main

import (
	"strings"
	"testing"
)

// TestUnreadReviewIsAnError: an answer that cannot be read as a review says nothing about the changes, whatever form it
// has; it is shown, and neither the text nor the exit status says that nothing was found.
func TestUnreadReviewIsAnError(t *testing.T) {
	const finding = `{"path": "a.py", "line": 1, "severity": "error", "code": "x = []", "message": "Three is too many."}`
	for what, x := range map[string]struct {
		answer string
		found  bool // the answer can be read
	}{
		"a list":               {"Almost.\n\n```json\n[" + finding + "]\n```\n", true},
		"an empty list":        {"All is well.\n\n```json\n[]\n```\n", true},
		"an empty list inline": {"Findings: []", true},
		"prose":                {"I would rename x, and x = 3 overflows.", false},
		"an apology":           {"I cannot help with that.", false},
		"an object":            {"```json\n" + finding + "\n```\n", false},
		"a list cut short":     {"Almost.\n\n```json\n[" + finding + ",\n {\"path\": \"a.py\", \"mess", false},
		"cut in the first":     {"[\n  {\"path\": \"a.py\", \"code\": \"x = []\", \"message\": \"Thr", false},
		"a broken list":        {"[{path: 'a.py', tags: [], message: 'Three'}]", false},
		"other files":          {`[{"path": "nowhere.py", "line": 1, "message": "Wrong."}]`, false},
	} {
		h := newGitShell(t, "repeat: true\n-- 1.md --\n"+x.answer)
		h.put("a.py", "x = 3\n")
		for _, form := range []string{"", "--json"} {
			args := []string{"review"}
			if form != "" {
				args = append(args, form)
			}
			code := h.run(args...)
			told, shown := h.err.String(), h.out.String()
			if (code == 0) != x.found || strings.Contains(told, "coauthor: cannot show the review") == x.found {
				t.Errorf("%s %s: exit %d\n%s\n%s", what, form, code, shown, told)
			}
			if form == "" && !x.found && (strings.Contains(shown, "found no problems") || !strings.Contains(shown, strings.TrimSpace(x.answer)[:10])) {
				t.Errorf("%s: shown\n%s", what, shown)
			}
		}
	}
}
