package agent

import (
	"context"
	"fmt"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/prompt"
)

// nearlyFull is from which share of its room on a prompt is told to be large, in percent.
const nearlyFull = 85

// sized tells the user what the size of a prompt makes necessary, once a turn: what was left out of it, or that
// it is near the limit. A prompt that is still too large is sent only if the user wants that.
func (t *turn) sized(ctx context.Context, p Prompt) error {
	switch {
	case len(p.Dropped) > 0:
		if !t.warned.size {
			t.note(event.Warning(fmt.Sprintf("Left out to fit the limit of %s (%d tokens): %s.", p.Model.Profile.Name, p.Model.Room, strings.Join(p.Dropped, ", "))))
		}
		t.warned.size = true
	case p.Over == 0 && p.Tokens*100 >= p.Model.Room*nearlyFull && !t.warned.size:
		t.note(event.Warning(fmt.Sprintf("The prompt uses about %d of the %d tokens that %s accepts (%d%%). A larger prompt would lose some parts. Name fewer files or close documents.",
			p.Tokens, p.Model.Room, p.Model.Profile.Name, p.Tokens*100/p.Model.Room)))
		t.warned.size = true
	}
	if p.Over == 0 || t.warned.oversize {
		return nil
	}
	needs := fmt.Sprintf("The request needs about %d tokens", p.Tokens)
	if f := p.largest(); f.Tokens*4 > p.Tokens {
		needs += fmt.Sprintf(", and %s alone needs %d tokens", f.Path, f.Tokens)
	}
	yes, err := t.puts().first(ctx, event.Question{
		Text:    fmt.Sprintf("%s; the limit of %s is %d. Send it anyway?", needs, p.Model.Profile.Name, p.Model.Room),
		Choices: []string{"send", "cancel"}, Titles: []string{"send it, although the model may refuse it or ignore its beginning", "cancel and send nothing"},
	})
	switch {
	case err != nil:
		return err
	case !yes:
		return p.Model.noRoom(needs, "Name fewer or smaller files")
	}
	t.warned.oversize = true
	return nil
}

// largest is the file with the most tokens.
func (p Prompt) largest() prompt.Sized {
	var most prompt.Sized
	for _, part := range p.Parts {
		for _, f := range part.Files {
			if f.Tokens > most.Tokens {
				most = f
			}
		}
	}
	return most
}
