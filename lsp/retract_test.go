package lsp

import (
	"context"
	"encoding/json"
	"testing"

	"coauthor/lsp/lsptest"
)

// TestASettingThatIsTakenBack goes through the ways in which clients take settings back, and those in which
// they only say nothing.
func TestASettingThatIsTakenBack(t *testing.T) {
	const caps, noPull = plainCaps, `{"workspace":{"applyEdit":true}}`
	const usual = "of nobody's choice"
	type step struct {
		push   string // settings of didChangeConfiguration
		answer string // to workspace/configuration, where it is asked
		want   string // the preview that is in force then
	}
	for name, test := range map[string]struct {
		caps, options, first string // first is the answer at the start
		steps                []step
	}{
		"the section is emptied": {caps, `null`, `[null]`, []step{
			{`{"coauthor":{"preview":"none"}}`, ``, "none"}, {`{"coauthor":{}}`, ``, usual}, {`{"coauthor":{"preview":"diff"}}`, ``, "diff"}}},
		"the section is emptied, without pull": {noPull, `null`, ``, []step{
			{`{"coauthor":{"preview":"none"}}`, ``, "none"}, {`{"coauthor":{}}`, ``, usual}}},
		"the section of the start is emptied": {caps, `{"preview":"diff"}`, `[null]`, []step{{`{"coauthor":{}}`, ``, usual}}},
		"one of two goes": {caps, `null`, `[null]`, []step{
			{`{"coauthor":{"preview":"none","mapTokens":17}}`, ``, "none"}, {`{"coauthor":{"mapTokens":17}}`, ``, usual}}},
		"all is emptied": {caps, `null`, `[null]`, []step{
			{`{"preview":"none"}`, ``, "none"}, {`{}`, `[null]`, usual}}},
		"all is emptied, without pull": {noPull, `null`, ``, []step{
			{`{"preview":"none"}`, ``, "none"}, {`{}`, ``, usual}}},
		"all is emptied, and the answer is full": {caps, `null`, `[null]`, []step{
			{`{"preview":"none"}`, ``, "none"}, {`{}`, `[{"preview":"inline"}]`, "inline"}}},
		"the answer is emptied": {caps, `null`, `[{"preview":"none"}]`, []step{
			{`null`, `[{"preview":"none"}]`, "none"}, {`null`, `[{}]`, usual}, {`null`, `[{"preview":"diff"}]`, "diff"}}},
		"the section of the answer is emptied": {caps, `null`, `[{"preview":"none"}]`, []step{{`null`, `[{"coauthor":{}}]`, usual}}},
		"the answer is gone":                   {caps, `null`, `[{"preview":"none"}]`, []step{{`null`, `[null]`, usual}}},
		"the answer replaces the options":      {caps, `{"preview":"diff"}`, `[{"preview":"none"}]`, []step{{`null`, `[{}]`, usual}}},
		// What follows says nothing.
		"Eglot at the start":                       {caps, `{"preview":"diff"}`, `[null]`, []step{{`{}`, `[null]`, "diff"}}},
		"lsp-mode at the start":                    {caps, `{"preview":"diff"}`, `[{}]`, []step{{`null`, `[{}]`, "diff"}}},
		"an empty push, without pull, and options": {noPull, `{"preview":"diff"}`, ``, []step{{`{}`, ``, "diff"}, {`null`, ``, "diff"}}},
		"pushed, and no answer":                    {caps, `null`, `[null]`, []step{{`{"preview":"none"}`, ``, "none"}, {`null`, `[null]`, "none"}}},
		"no object":                                {caps, `{"preview":"diff"}`, `[7]`, []step{{`{"coauthor":null}`, ``, "diff"}, {`{"coauthor":[]}`, ``, "diff"}, {`[]`, `["x"]`, "diff"}, {`null`, `[]`, "diff"}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newModelHarness(t, nil, nil)
			answers := make(chan string, 1)
			r.Answer = func(method string, _ json.RawMessage) string {
				if method != "workspace/configuration" {
					return "null"
				}
				select {
				case answer := <-answers:
					return answer
				default:
					t.Error("asked for the settings without need")
					return "null"
				}
			}
			// settled returns when all that was sent is read, and every question that follows from it is answered.
			settled := func() {
				t.Helper()
				r.command("status", "")
				ctx, cancel := context.WithTimeout(t.Context(), lsptest.Hung)
				defer cancel()
				if r.s.tasks.Wait(ctx); ctx.Err() != nil || len(answers) > 0 {
					t.Fatal("hung: the client was not asked for its settings")
				}
			}
			none := r.s.config.settings(r.root).Preview
			if test.first != "" {
				answers <- test.first
			}
			r.initialize(test.caps, test.options)
			settled()
			for i, s := range test.steps {
				if s.answer != "" {
					answers <- s.answer
				}
				r.note("workspace/didChangeConfiguration", `{"settings":`+s.push+`}`)
				settled()
				want := s.want
				if want == usual {
					want = none
				}
				if got := r.s.config.settings(r.root).Preview; got != want {
					t.Errorf("step %d: preview is %q, want %q: %s", i, got, want, r.s.config.own())
				}
			}
		})
	}
}
