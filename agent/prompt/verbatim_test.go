package prompt_test

import (
	"strings"
	"testing"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/edits"
)

// What the user and their files say is text and no template, wherever it stands in a prompt: braces that templates are made
// of arrive as they are, and what they would mean to a template is not done.
func TestTemplateSyntaxOfTheUserIsText(t *testing.T) {
	const odd = "{{.Fence.Open}} {{range}} {{ {{- end}} }} {% if %} ${x} %s %d \\n {0} {fence}"
	file := []prompt.File{{Path: "a{{.}}.tmpl", Text: odd + "\n"}}
	once := map[string]prompt.Input{
		"a file to change":         {Chat: file},
		"a file to look at":        {ReadOnly: file},
		"the request":              {Instruction: odd},
		"the map":                  {Map: odd},
		"the folders":              {Map: "a.go", Folders: odd},
		"what was said before":     {Earlier: odd},
		"the conversation":         {Done: []llm.Message{llm.Text(llm.RoleUser, odd), llm.Text(llm.RoleAssistant, "Yes.")}},
		"a round":                  {Rounds: []llm.Message{llm.Text(llm.RoleAssistant, odd)}},
		"what is selected":         {Focus: &prompt.Focus{Path: "a{{.}}", First: 1, Last: 1, Text: odd + "\n"}},
		"a problem":                {Diagnostics: []prompt.Diagnostic{{Path: "a{{.}}", Line: 1, Message: odd}}},
		"a change":                 {Diff: odd},
		"a page":                   {Pages: []prompt.Page{{URL: "https://example.org/{{.}}", Title: odd, Text: "x"}}},
		"a rule":                   {Rules: []prompt.Rule{{File: file[0]}}},
		"a name that is not there": {Missing: []string{odd}},
		"the user's machine":       {Around: prompt.Surroundings{Platform: odd, Shell: "{{.}}"}},
	}
	for name, in := range once {
		in.Coder, in.Format, in.Profile = coder.All()[0], &words, model.Profile{UseSystemPrompt: true}
		c, err := prompt.Build(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text := show(c.Messages()); strings.Count(text, odd) != 1 {
			t.Errorf("%s does not arrive as it is:\n%s", name, text)
		}
	}
	count := func(s string) int { return len(s) }
	for name, make := range map[string]func() (string, error){
		"a refused edit": func() (string, error) {
			return prompt.Reflection{Format: &words, Fence: edits.Fence{Open: "```", Close: "```"}, Questions: []prompt.Question{prompt.Refused(edits.Failure{Reason: edits.ReasonNoMatch, Path: "a{{.}}", Message: "It does not match.", Block: odd})}}.Text()
		},
		"a complaint of a check": func() (string, error) {
			return prompt.Reflection{Fence: edits.Fence{Open: "```", Close: "```"}, Questions: []prompt.Question{{Path: "a{{.}}", Why: odd}}}.Text()
		},
		"a commit": func() (string, error) {
			list, err := prompt.CommitMessages(model.Profile{}, prompt.Commit{Diff: odd, System: "{{.}}"}, 10_000, count)
			return show(list), err
		},
		"a summary": func() (string, error) {
			list, _, err := prompt.SummaryMessages(model.Profile{}, prompt.Summary{Said: []prompt.Spoken{{User: true, Text: odd}}, Tokens: 100}, 100_000, count)
			return show(list), err
		},
		"a comment": func() (string, error) {
			return prompt.Comments(true, []prompt.CommentsOf{{Path: "a{{.}}", Lines: []prompt.CommentLine{{Line: 1, Text: odd}}}})
		},
	} {
		if text, err := make(); err != nil || strings.Count(text, odd) != 1 {
			t.Errorf("%s does not arrive as it is: %v\n%s", name, err, text)
		}
	}
}
