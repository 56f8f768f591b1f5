package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/custom"
	"coauthor/agent/display"
	"coauthor/agent/llm"
)

// The commands that show something of the session, and those that work on what a model said.

// runTokens shows what the next prompt takes.
func runTokens(ctx context.Context, s *agent.Session, c Call, _ Place) (Answer, error) {
	p, err := s.Prompt(ctx, agent.Request{Target: c.Target}, c.Ports)
	if err != nil {
		return Answer{}, err
	}
	left := p.Model.Room - p.Tokens
	text := fmt.Sprintf("The next prompt for %s has about %d tokens. The limit is %d, which leaves %d.", p.Model.Profile.Name, p.Tokens, p.Model.Room, max(left, 0))
	if left < 0 {
		text = fmt.Sprintf("The next prompt for %s has about %d tokens. It exceeds the limit of %d by %d. Remove files with /drop, or start a new conversation with /clear.",
			p.Model.Profile.Name, p.Tokens, p.Model.Room, -left)
	}
	page := Listing{Title: "Coauthor: tokens of the next prompt", Sections: append([]Section{{Table: partsTable(p)}, {Text: text}}, leftOutSection(p)...)}
	r := Report(p)
	r.Text = page.Markdown()
	return listing("tokens.md", text, page, r), nil
}

// leftOutSection says what the model could be shown and is not; none where that is nothing.
func leftOutSection(p agent.Prompt) []Section {
	t := Table{Head: []string{"left out", "why"}}
	for _, l := range LeftOut(p) {
		t.Rows = append(t.Rows, []string{l.What, l.Why})
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return []Section{{Table: t}}
}

// runSettings shows every setting.
func runSettings(_ context.Context, s *agent.Session, _ Call, _ Folder) (Answer, error) {
	v := s.Settings()
	list := v.InForce()
	t := Table{Head: []string{"setting", "value", ""}}
	for _, x := range list {
		set := ""
		if x.Changed {
			set = "set"
		}
		t.Rows = append(t.Rows, []string{x.Name, x.Value, set})
	}
	page := Listing{Title: "Coauthor: current settings", Sections: []Section{{Text: display.Upper(s.InForce().String()) + "."}, {Table: t}}}
	if v.Model != "" {
		p := v.Profile(s.Engine.Options().Catalog(), v.Model)
		page.Sections = append(page.Sections, Section{Title: "Model " + p.Name, Text: fmt.Sprintf("ID: %s. Endpoint: %s. Context window: %d tokens. Edit format: %s.",
			p.ID, p.APIBase, p.ContextWindow, cmp.Or(p.EditFormat, "whole"))})
	}
	return listing("settings.md", "", page, map[string]any{"settings": list}), nil
}

// runCommands lists the words that can be written in the place of an instruction.
func runCommands(ctx context.Context, s *agent.Session, c Call, _ Folder) (Answer, error) {
	type line struct {
		Word  string `json:"word"`
		Doc   string `json:"doc"`
		Group Group  `json:"group"`
	}
	var list []line
	for _, g := range Groups() {
		for _, a := range c.Table {
			word, doc := a.SlashWord(), a.Doc
			if c, is := a.CoderOf(s.Engine.Options().Coders); is {
				word, doc = c.Name, c.Doc
			}
			if a.Group == g && word != "" {
				list = append(list, line{word, doc, g})
			}
		}
	}
	own, err := s.Engine.CustomCommands(s.Workspace, s.Settings()).Load(ctx)
	if err != nil {
		return Answer{}, err
	}
	t := Table{Head: []string{"command", "what it does"}}
	for i, l := range list {
		if i == 0 || l.Group != list[i-1].Group {
			t.Rows = append(t.Rows, []string{string(l.Group)})
		}
		t.Rows = append(t.Rows, []string{"/" + l.Word, l.Doc})
	}
	if len(own.List) > 0 {
		t.Rows = append(t.Rows, []string{"Your custom commands"})
	}
	for _, own := range own.List {
		t.Rows = append(t.Rows, []string{"/" + strings.TrimSpace(own.Name+" "+own.Hint), own.Doc + " (" + own.File + ")"})
	}
	page := Listing{Title: "Coauthor: commands", Sections: []Section{
		{Text: "Type a command instead of an instruction. A coder name such as `/ask` starts an instruction. On its own, it switches to that coder.", Table: t},
	}}
	problems := []string{}
	for _, p := range own.Problems {
		problems = append(problems, p.String())
	}
	if len(problems) > 0 {
		page.Sections = append(page.Sections, Section{Title: "Problems in custom command files", Text: "- " + strings.Join(problems, "\n- ")})
	}
	return listing("commands.md", "", page, map[string]any{"commands": list, "own": append([]custom.Command{}, own.List...), "problems": problems}), nil
}

// runCopy shows the last answer.
func runCopy(ctx context.Context, s *agent.Session, _ Call, _ Folder) (Answer, error) {
	if err := s.Conversation.Restore(ctx); err != nil {
		return Answer{}, err
	}
	x, ok := s.Conversation.History.Last()
	if !ok {
		return Answer{}, errors.New("no answer yet; send a request first")
	}
	return Answer{Page: Page{"answer.md", x.Reply + "\n"}, Data: map[string]any{"text": x.Reply}}, nil
}

type askedArgs struct {
	Instruction string `arg:"instruction" doc:"The request's instruction."`
	Place
}

// runCopyContext shows the prompt as one text.
func runCopyContext(ctx context.Context, s *agent.Session, c Call, args askedArgs) (Answer, error) {
	p, err := s.Prompt(ctx, agent.Request{Instruction: args.Instruction, Target: c.Target}, c.Ports)
	if err != nil {
		return Answer{}, err
	}
	var b strings.Builder
	for _, m := range p.Messages {
		if m.Role == llm.RoleAssistant {
			b.WriteString("(You answered:)\n\n")
		}
		b.WriteString(strings.TrimRight(m.String(), "\n") + "\n\n")
	}
	text := b.String()
	return Answer{Page: Page{"prompt-to-copy.md", text}, Data: map[string]any{"text": text, "tokens": p.Tokens}}, nil
}

type pasteArgs struct {
	Answer string `arg:"answer" also:"text,instruction" bare:"yes" doc:"The complete answer."`
	Place
	Format string `arg:"format"`
}

// runPaste takes an answer in that a model gave elsewhere.
func runPaste(_ context.Context, _ *agent.Session, c Call, args pasteArgs) (Answer, error) {
	if strings.TrimSpace(args.Answer) == "" {
		return Answer{}, errors.New("add the answer after the command")
	}
	return Answer{Then: &agent.Request{Instruction: "A pasted answer.", Given: args.Answer, Format: args.Format, Coder: coder.Default, Target: c.Target}}, nil
}

// goAhead is how a model is asked for the change that it spoke of.
const goAhead = "Make the change that you described. Answer with the edits, in the form that you were given."

type goAheadArgs struct {
	Instruction string `arg:"instruction" doc:"Additional instructions."`
	Folder
}

// runGoAhead asks for the change that the model described.
func runGoAhead(ctx context.Context, s *agent.Session, _ Call, args goAheadArgs) (Answer, error) {
	if err := s.Conversation.Restore(ctx); err != nil {
		return Answer{}, err
	}
	if _, ok := s.Conversation.History.Last(); !ok {
		return Answer{}, errors.New("no answer to carry out yet; send a request first")
	}
	r := &agent.Request{Instruction: strings.TrimSpace(goAhead + "\n\n" + args.Instruction), Coder: coder.Default}
	r.FollowUp = s.Turns.LastEnded()
	return Answer{Then: r}, nil
}
