package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/agent/verify"
	"coauthor/edits"
)

// diffFormat is the edit format of changes to what is there.
const diffFormat = "gitdiff"

// diffExamples are the files of the examples in our text file_format_diff. Nobody else has some of these names.
func diffExamples() []string { return []string{exampleFile, "src/tea_kettle.py"} }

// improve changes files that are there.
func (f *flow) improve(ctx context.Context) error {
	if f.brief.spec = strings.TrimSpace(f.w.Request.Instruction); f.brief.spec == "" {
		return agent.Problem("Describe what to change, for example: coauthor improve -m \"Add a test.\"", "The instruction is missing.")
	}
	if err := f.files.choose(ctx); err != nil {
		return err
	}
	f.w.Step("Changing the files", 0, 0)
	done, err := f.change(ctx, StepImprove, f.brief.message())
	f.failed = append(f.failed, done.refused...)
	if err != nil {
		return err
	}
	if !done.changed && len(done.refused) == 0 && done.text != "" {
		f.answered(done.text, "The answer contains no change.")
	}
	return nil
}

// changed is what became of asking for a change.
type changed struct {
	changed bool            // some file
	refused []edits.Failure // edits that the model could not correct
	text    string          // the last answer
}

// change asks for a change in the files of the chat, and asks again for the edits that were refused, as often as the
// setting says. Every time the model sees the files as they are by then.
func (f *flow) change(ctx context.Context, step StepName, request llm.Message) (done changed, err error) {
	most := f.w.Settings.MaxReflections
	var talk []said
	for round := 1; ; round++ {
		first, err := f.shownFiles(request)
		if err != nil {
			return done, err
		}
		called, err := f.calls.ask(ctx, step, LogImprove, agent.ModelRequest{Messages: f.talked(first, talk), Format: diffFormat, Examples: diffExamples(), Looks: true})
		done.text = called.Text
		done.changed = done.changed || len(called.Changed) > 0
		asked := done.refused
		done.refused = outstanding(done.refused, called)
		if err != nil {
			return done, err
		}
		if asks(called) {
			a, err := f.w.Ask(event.Question{Text: coder.WithoutSign(called.Text), FreeText: true})
			if err != nil || strings.TrimSpace(a.Text) == "" {
				return done, err
			}
			talk = append(talk, said{called, a.Text})
			round--
			continue
		}
		news, why, err := f.news(called, asked, done.refused)
		if err != nil || news == "" {
			return done, err
		}
		f.logs.Write(LogDiffs, news)
		if round > most {
			if goal := unreached(called.Findings); goal != "" {
				f.w.Note(event.LevelWarning, fmt.Sprintf("%s still fails after the maximum of %d retries.", goal, most))
			} else if most > 0 {
				text := "The model still gave no change"
				if len(done.refused) > 0 {
					text = "Some edits still do not match"
				}
				f.w.Note(event.LevelWarning, fmt.Sprintf("%s after the maximum of %d retries (turn.maxReflections).", text, most))
			}
			return done, nil
		}
		f.w.Step("Asking again: "+why, round, most)
		talk = append(talk, said{called, news})
	}
}

// said is an answer, and what the model was told about it.
type said struct {
	reply agent.ModelReply
	news  string
}

// talked is a talk as the model gets it. What it looked at before an answer stands before that while there is room, the last
// look the longest.
func (f *flow) talked(first []llm.Message, talk []said) []llm.Message {
	room := f.w.Model.Room * 6 / 10
	take := func(list []llm.Message) {
		for _, m := range list {
			room -= prompt.Tokens(m, f.w.Model.Counter.Count)
		}
	}
	take(first)
	behind := []llm.Message{}
	for _, s := range slices.Backward(talk) {
		spoken := []llm.Message{assistant(s.reply.Text), user(s.news)}
		looked := s.reply.Looks()
		if take(spoken); room > 0 {
			if take(looked); room > 0 {
				spoken = slices.Concat(looked, spoken)
			}
		}
		behind = slices.Concat(spoken, behind)
	}
	return slices.Concat(first, behind)
}

// unreached is the first goal that findings keep from being reached; "" for none.
func unreached(list []verify.Finding) string {
	for _, f := range list {
		if f.Goal != "" {
			return f.Goal
		}
	}
	return ""
}

// asks says whether an answer holds no edit and waits for the user's.
func asks(called agent.ModelReply) bool {
	return len(called.Edits) == 0 && len(called.Failures) == 0 && !called.Cut && coder.Asks(called.Text)
}

// shownFiles is how a request for a change begins: what the model is told, and the files with the request behind them.
func (f *flow) shownFiles(request llm.Message) ([]llm.Message, error) {
	var b strings.Builder
	for _, file := range f.w.Chat() {
		if !f.w.Now().Exists(file) {
			continue
		}
		content, err := f.w.Now().Read(file)
		if err != nil {
			return nil, agent.Problem("Remove it from the files and try again.", "Cannot read %s: %v.", file, err)
		}
		b.WriteString(shown(file, numbered(content)))
	}
	facts, err := f.w.Around.Facts()
	if err != nil {
		return nil, err
	}
	now, err := f.w.Around.Now()
	if err != nil {
		return nil, err
	}
	files := "These are the files, as they are now.\n\n" + b.String()
	if b.Len() == 0 {
		files = "There are no files yet.\n\n"
	}
	if now != "" {
		files = now + "\n\n" + files
	}
	message := llm.Message{Role: llm.RoleUser, Parts: slices.Concat([]llm.Part{{Kind: llm.PartText, Text: files}}, request.Parts)}
	return []llm.Message{system(f.pre.system("improve", "file_format_diff") + f.pre["line_numbers"] + "\n" + facts), message}, nil
}

// numbered puts the number of each line before it. A line break at the end of the text begins no further line.
func numbered(text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		if strings.TrimRight(line, "\r\n") == "" {
			fmt.Fprintf(&b, "%d |%s", n, line)
			continue
		}
		fmt.Fprintf(&b, "%d | %s", n, line)
	}
	return b.String()
}

// outstanding are the refusals that hold after a call: its own, and those before it of files that it did not come back
// to. What was refused for its name comes again under another one.
func outstanding(before []edits.Failure, called agent.ModelReply) []edits.Failure {
	again := map[string]bool{}
	for _, e := range called.Edits {
		again[e.Path] = true
	}
	var list []edits.Failure
	for _, x := range before {
		if !again[x.Path] && !x.Renamed(called.Edits) {
			list = append(list, x)
		}
	}
	return append(list, called.Failures...)
}

// news is what the model must hear about an answer; "" for nothing. why is the same for the user, in a few words. asked are the
// refused edits that it was asked about, which it may leave out.
func (f *flow) news(called agent.ModelReply, asked, refused []edits.Failure) (news, why string, err error) {
	nothing := len(called.Edits) == 0 && len(called.Failures) == 0
	if nothing && !called.Cut && len(asked) > 0 {
		f.w.Note(event.LevelInfo, prompt.Withdrawn(asked))
		nothing, refused = false, nil
	}
	text, reason, err := f.w.Feedback(called, refused)
	if err != nil || !nothing && text == "" {
		return "", "", err
	}
	var parts, reasons []string
	if nothing && !called.Cut {
		parts, reasons = append(parts, strings.TrimSpace(f.pre["improve_again"])), append(reasons, "the answer holds no diff")
	}
	if text != "" {
		parts, reasons = append(parts, strings.TrimSpace(text)), append(reasons, reason)
	}
	return strings.Join(parts, "\n\n"), strings.Join(reasons, ", "), nil
}
