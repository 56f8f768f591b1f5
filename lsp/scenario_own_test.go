package lsp_test

import (
	"encoding/json"
	"slices"
	"strings"

	"coauthor/lsp/lsptest"
)

// The steps about our own methods.

// stepRequest sends a request of ours, and keeps its answer as that of a command.
func stepRequest(s *scene, p playStep) {
	method, rest, _ := strings.Cut(p.rest, " ")
	var params any
	if err := json.Unmarshal([]byte(s.expand(rest)), &params); err != nil {
		s.t.Fatalf("line %d: %v", p.line, err)
	}
	s.result, s.failed = s.editor.Request(method, params)
}

// inJSON says whether a message holds texts, one behind the other.
func inJSON(v any, texts []string) bool {
	raw, err := json.Marshal(v)
	rest := string(raw)
	for _, text := range texts {
		_, behind, found := strings.Cut(rest, text)
		if !found {
			return false
		}
		rest = behind
	}
	return err == nil
}

// stepReviewed waits for what is under review to be told so.
func stepReviewed(s *scene, p playStep) {
	s.editor.Wait("word of what is under review", func(l *lsptest.Log) bool {
		if len(l.Reviews) == 0 {
			return false
		}
		last := l.Reviews[len(l.Reviews)-1]
		files, _ := field(last, "files").([]any)
		return len(p.args) == 0 && len(files) == 0 || len(p.args) > 0 && inJSON(last, p.args)
	})
}

// stepDrafted waits for a change that grows to have grown so far.
func stepDrafted(s *scene, p playStep) {
	s.editor.Wait("a change that grows", func(l *lsptest.Log) bool {
		return slices.ContainsFunc(l.Drafts, func(v any) bool { return inJSON(v, p.args) })
	})
}

// stepMoved waits for word that the texts of a file have moved, and forgets it.
func stepMoved(s *scene, p playStep) {
	s.editor.Wait("word of moved texts", func(l *lsptest.Log) bool {
		i := slices.IndexFunc(l.Moved, func(v any) bool { return field(v, "uri") == s.editor.URI(s.place(p.args[0])) })
		if i >= 0 {
			l.Moved = slices.Delete(l.Moved, i, i+1)
		}
		return i >= 0
	})
}
