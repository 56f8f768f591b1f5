package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/id"
	"coauthor/agent/model"
	"coauthor/agent/shell"
)

// mostKeptOutput is how much of a command's output is kept from its beginning, and from its end.
const mostKeptOutput = 32 << 10

// Ran is what became of a command that the user wanted run.
type Ran struct {
	Command string  `json:"command"`
	Status  string  `json:"status"` // ran, or skipped
	Code    int     `json:"code"`
	Output  string  `json:"output"`
	Added   bool    `json:"added"` // the output is in the conversation
	Seconds float64 `json:"seconds"`
}

// What Ran.Status can be, and the choice of the question by which a command runs.
const (
	RanDone    = "ran"
	RanSkipped = "skipped"
	RanChoice  = "run"
)

// runArgs name a program with its arguments.
type runArgs struct {
	Command string `arg:"command" also:"instruction,text" bare:"yes" doc:"The command, as typed in a shell."`
	Folder
}

// runRun runs a command in the user's shell; without one, one of those that the last answer suggests.
func runRun(ctx context.Context, s *agent.Session, c Call, args runArgs) (Answer, error) {
	if strings.TrimSpace(args.Command) == "" {
		if list := Suggested(s.Conversation.History, s.Engine.Options()); len(list) > 0 {
			c.Typed = false // the model wrote these
			return runSuggested(ctx, s, c, list)
		}
	}
	return runInShell(ctx, s, c, args.Command, true)
}

// runGit runs git with what stands behind the word.
func runGit(ctx context.Context, s *agent.Session, c Call, args runArgs) (Answer, error) {
	if args.Command == "" {
		return Answer{}, errors.New("add a git command, for example: /git status")
	}
	return runInShell(ctx, s, c, "git "+args.Command, false)
}

// runInShell asks, unless the user has just typed it, runs a command on the user's own files, and offers its output to the conversation.
func runInShell(ctx context.Context, s *agent.Session, c Call, command string, offer bool) (Answer, error) {
	if command = strings.TrimSpace(command); command == "" {
		return Answer{}, errors.New("add a command, for example: /run go vet ./cmd")
	}
	if err := canRun(s); err != nil {
		return Answer{}, err
	}
	if !c.Typed && !allows(s.Settings().Shell.Allow, command) {
		a, err := put(ctx, s, c.Ports, runQuestion(s, command))
		if err != nil {
			return Answer{}, err
		}
		if a.Choice != RanChoice {
			return notRun(command), nil
		}
	}
	return runAgreed(ctx, s, c, command, offer)
}

// canRun says why no command can run here, nil when one can.
func canRun(s *agent.Session) error {
	switch {
	case s.Workspace.Root() == "":
		return errors.New("no folder is open; open one to run commands")
	case s.Engine.Options().Environ == nil:
		return errors.New("running commands is not available here")
	}
	return nil
}

// notRun is the answer about a command that the user does not want.
func notRun(command string) Answer {
	return Answer{Text: "The command was not run.", Data: Ran{Command: command, Status: RanSkipped}, Failed: true}
}

// runAgreed is runInShell for a command that the user has agreed to.
func runAgreed(ctx context.Context, s *agent.Session, c Call, command string, offer bool) (Answer, error) {
	set := s.Settings()
	run, stop := s.Life.While(ctx)
	defer stop()
	tell, ended := c.running(oneLine(command), false, stop)
	r, err := shell.Run(run, shell.Options{Command: command, Dir: s.Workspace.Root(), Environ: s.Engine.Options().Environ, Without: set.KeyNames(s.Engine.Options().Catalog()), Most: mostKeptOutput, Out: tell})
	ended(r.Code)
	if err != nil && run.Err() != nil {
		return Answer{}, fmt.Errorf("%s was stopped", oneLine(command))
	}
	if err != nil {
		return Answer{}, err
	}
	ran := Ran{Command: command, Status: RanDone, Code: r.Code, Output: r.Output, Seconds: r.Took.Seconds()}
	answer := Answer{Text: ranText(ran), Page: Page{"output.md", outputPage(ran)}, Failed: ran.Code != 0}
	if offer && strings.TrimSpace(ran.Output) != "" {
		if err := offerOutput(ctx, s, c.Ports, &ran, &answer); err != nil {
			return Answer{}, err
		}
	}
	answer.Data = ran
	return answer, nil
}

// runQuestion asks about a command of the shell. One that is long, or has several lines, stands below the question, where
// nothing of it is cut.
func runQuestion(s *agent.Session, command string) event.Question {
	q := event.Question{
		Text:    fmt.Sprintf("Run this command in %s? It runs on your actual files, outside the sandbox.", s.Workspace.Root()),
		Choices: []string{RanChoice, "skip"}, Titles: []string{"run " + oneLine(command), "do not run it"},
	}
	if display.Short(command) {
		q.Text += "\n" + command
	} else {
		q.Body = command
	}
	return q
}

// running tells that a command runs, where anybody wants to know: tell takes its output as it comes.
func (c Call) running(what string, checks bool, stop func()) (tell func(string), ended func(code int)) {
	if c.Running == nil {
		return nil, func(int) {}
	}
	return c.Running(what, checks, stop)
}

// offerOutput asks whether the model is to see what a command said, and whether it is to fix what failed.
func offerOutput(ctx context.Context, s *agent.Session, p agent.Ports, ran *Ran, answer *Answer) error {
	set := s.Settings()
	tokens := model.NewCounter(set.Profile(s.Engine.Options().Catalog(), set.Model).Tokenizer).Count(ran.Output)
	q := event.Question{Text: fmt.Sprintf("%s Add its output (about %d tokens) to the conversation?", ranText(*ran), tokens),
		Choices: []string{"add", "skip"}, Titles: []string{"add the output to the conversation", "do not add it"}}
	if ran.Code != 0 {
		q.Choices, q.Titles = append([]string{"fix"}, q.Choices...), append([]string{"ask the model to fix the problem"}, q.Titles...)
	}
	a, err := put(ctx, s, p, q)
	if err != nil {
		return err
	}
	said := outputMessage(*ran)
	switch a.Choice {
	case "fix":
		ran.Added = true
		answer.Then = &agent.Request{Instruction: said + "\n\nFix what makes it fail.", Label: "fix " + oneLine(ran.Command), Quotes: true}
	case "add":
		ran.Added = true
		return hear(s, said)
	}
	return nil
}

// hear puts what the user showed the model into the conversation, without a call.
func hear(s *agent.Session, said string) error {
	name, err := id.New(s.Engine.Options().Random, "t")
	if err != nil {
		return err
	}
	x := history.Exchange{Turn: name, At: s.Engine.Options().Clock(), User: said, Reply: "Ok.", Prose: "Ok."}
	s.Conversation.Hear(x)
	return nil
}

// put asks the user; where the question names no default, no answer is the last choice, which does nothing.
func put(ctx context.Context, s *agent.Session, p agent.Ports, q event.Question) (event.Answer, error) {
	name, err := id.New(s.Engine.Options().Random, "q")
	if err != nil {
		return event.Answer{}, err
	}
	q.ID, q.Default = name, cmp.Or(q.Default, q.Choices[len(q.Choices)-1])
	asker := p.Ask
	if asker == nil {
		asker = event.Default()
	}
	return asker.Ask(ctx, q)
}

// allows says whether a list of the user's has a command: in its exact text, or as a beginning with a star behind it that
// more plain words follow.
func allows(list []string, command string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		if begin, star := strings.CutSuffix(entry, " *"); star {
			rest, ok := strings.CutPrefix(command, begin+" ")
			return begin != "" && ok && strings.TrimSpace(rest) != "" && !strings.ContainsAny(rest, "|&;<>()$`\\\"'*?[]{}#~!\n\r\x00")
		}
		return entry != "" && entry == command
	})
}

func ranText(r Ran) string {
	if r.Code == 0 {
		return fmt.Sprintf("%s succeeded.", oneLine(r.Command))
	}
	return fmt.Sprintf("%s failed with exit status %d.", oneLine(r.Command), r.Code)
}

// outputPage is what a command said, to look at.
func outputPage(r Ran) string {
	fence := tildes(r.Command + r.Output)
	return fmt.Sprintf("# Coauthor: command output\n\n%ssh\n%s\n%s\n\nExit status %d.\n\n%stext\n%s\n%s\n", fence, r.Command, fence, r.Code, fence, strings.TrimRight(r.Output, "\n"), fence)
}

// outputMessage is the same for the model.
func outputMessage(r Ran) string {
	fence := tildes(r.Command + r.Output)
	return fmt.Sprintf("I ran this command; its exit status is %d:\n%s\n%s\n%s\n\nIts output:\n%s\n%s\n%s", r.Code, fence, r.Command, fence, fence, strings.TrimRight(r.Output, "\n"), fence)
}

// oneLine is the beginning of a command as a name of it.
func oneLine(command string) string {
	line, more, _ := strings.Cut(command, "\n")
	runes := []rune(line)
	if len(runes) > 60 || strings.TrimSpace(more) != "" {
		return string(runes[:min(len(runes), 60)]) + "…"
	}
	return line
}
