package agent

import (
	"context"
	"fmt"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/prompt"
)

// The size of the history, in tokens, by what the model can take.
const leastHistory, mostHistory = 1024, 8192

// assemble puts the prompt together and makes it fit.
func assemble(ctx context.Context, t *turn) error {
	limit := min(max(t.profile.ContextWindow/16, leastHistory), mostHistory)
	t.s.history.Trim(limit, t.counter.Count)
	in := prompt.Input{
		Profile: t.profile, Coder: t.coder, Format: t.format,
		Missing: t.missing, Unshown: t.unshown, Map: t.mapText,
		Done: t.s.history.Messages(t.formatName()), Rounds: t.current.Rounds(),
		Note: t.note, Instruction: t.r.Instruction, Focus: t.focus,
	}
	var err error
	if in.Chat, err = t.texts(t.chat); err != nil {
		return err
	}
	if in.ReadOnly, err = t.texts(t.readOnly); err != nil {
		return err
	}
	for _, d := range t.r.Diagnostics {
		in.Diagnostics = append(in.Diagnostics, prompt.Diagnostic(d))
	}
	if t.chunks, err = prompt.Build(in); err != nil {
		return err
	}
	fitted := t.chunks.Fit(t.room, t.counter.Count)
	if len(fitted.Dropped) > 0 && t.round == 0 {
		t.tell(event.LevelInfo, "Left out to fit the model's context window: "+strings.Join(fitted.Dropped, ", ")+".")
	}
	if fitted.Over > 0 {
		return t.noRoom(fmt.Sprintf("The request needs about %d tokens", fitted.Tokens), "Name fewer or smaller files")
	}
	t.messages = t.chunks.Messages()
	return ctx.Err()
}

func (t *turn) formatName() string {
	if t.format == nil {
		return ""
	}
	return t.format.Name
}

// texts reads files as they are with the edits so far. One that a round has taken away is left out.
func (t *turn) texts(paths []string) ([]prompt.File, error) {
	var list []prompt.File
	for _, path := range paths {
		if !t.now.Exists(path) {
			continue
		}
		text, err := t.now.Read(path)
		if err != nil {
			return nil, &Problem{Message: fmt.Sprintf("%s cannot be read: %v.", path, err), Advice: "Leave it out of the request.", Err: err}
		}
		list = append(list, prompt.File{Path: path, Text: text})
	}
	return list, nil
}

// sent counts the tokens of the prompt, for servers that do not.
func (t *turn) sent() int {
	n := 0
	for _, m := range t.messages {
		n += t.counter.Count(m.String())
	}
	return n
}
