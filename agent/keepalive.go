package agent

import (
	"context"
	"fmt"
	"slices"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/lifetime"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/settings"
)

// keepaliveEvery is a little less than the five minutes for which providers keep a prompt in their cache.
const keepaliveEvery = 5*time.Minute - 5*time.Second

// keepAlive keeps prompts of a session in the provider's cache.
type keepAlive struct {
	o      *Options
	models *modelFacts
	life   *lifetime.Lifetime // of the session
	turns  *Queue
	tell   func(event.Note) // with the next turn
}

// prompt sends the beginning of the prompt that a turn ended with again from time to time, so that it stays in
// the provider's cache: as often as the settings say, until the next turn, and never to a model that caches by
// itself or not at all.
func (k keepAlive) prompt(p Prompt, set settings.Settings) {
	left := set.CacheKeepalivePings
	if left == 0 || len(p.Messages) == 0 {
		return
	}
	begun := cached(p.Messages)
	if begun == nil {
		if m := p.Model.Profile; !m.CacheMarks && k.models.firstCold(m.Name) { // else this prompt is too short to have a mark
			k.tell(coldWords(m))
		}
		return
	}
	release, err := k.life.Hold()
	if err != nil {
		return
	}
	client := k.o.ClientFor(set)
	ctx, cancel, ok := k.turns.keepAlive(k.life.Context)
	if !ok {
		release()
		return
	}
	r := llm.Request{Model: p.Model.Profile, Role: p.Model.Role, Messages: begun, Tool: p.Forced(), Tools: p.Offered(), MaxTokens: 1}
	go func() {
		defer release()
		defer cancel()
		for ; left > 0; left-- {
			if k.o.Sleep(ctx, keepaliveEvery) != nil {
				return
			}
			reply, err := client.Stream(ctx, r, nil)
			k.turns.spend(p.Model.Costs(begun, reply, err))
			if err != nil {
				if ctx.Err() == nil {
					k.o.Log.Warn("could not keep the prompt in the provider's cache", "error", err)
				}
				return
			}
		}
	}()
}

// coldWords says that nothing is kept warm for a model, though the settings want that.
func coldWords(m model.Profile) event.Note {
	why := fmt.Sprintf("its server might not support cache markers. If it does, set models.%s.cacheMarks to true.", m.Name)
	if m.CachesByItself() {
		why = "its provider caches prompts automatically and ignores cache markers."
	}
	return event.Info(fmt.Sprintf("model.cacheKeepalivePings has no effect on %s: %s", m.Name, why))
}

// cached is the beginning of a prompt up to the last mark for the cache; nil without one.
func cached(list []llm.Message) []llm.Message {
	for i, m := range slices.Backward(list) {
		for j, p := range slices.Backward(m.Parts) {
			if !p.Cache {
				continue
			}
			begun := slices.Clone(list[:i+1])
			begun[i].Parts = m.Parts[: j+1 : j+1]
			if m.Role != llm.RoleUser { // nobody answers a system text
				begun = append(begun, llm.Text(llm.RoleUser, "Ok?"))
			}
			return begun
		}
	}
	return nil
}

// sleep waits, or ends with ctx's error.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
