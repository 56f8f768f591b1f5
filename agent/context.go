package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/repomap"
)

// Sizes of the map and of the history, in tokens, by what the model can take.
const (
	leastMap, mostMap         = 1024, 4096
	leastHistory, mostHistory = 1024, 8192
	mapWithoutFiles           = 2 // the map may be this much larger when it is all there is
)

// drawMap asks for the map of the rest of the repository. Without one the turn goes on.
func (t *turn) drawMap(ctx context.Context) error {
	mapper := t.s.mapper()
	budget := t.mapBudget()
	if mapper == nil || budget <= 0 {
		return nil
	}
	r := repomap.Request{
		Chat:            slices.Concat(t.chat, t.readOnly),
		MentionedFiles:  slices.DeleteFunc(mention.Words(t.r.Instruction), func(w string) bool { return !t.base.Exists(w) }),
		MentionedIdents: mention.Identifiers(t.r.Instruction),
		Message:         t.r.Instruction,
		Budget:          budget,
		Counter:         t.counter,
		Overlays:        map[string]string{},
	}
	for _, d := range t.base.Open() {
		r.Recent = append(r.Recent, d.Path)
		r.Overlays[d.Path] = d.Text
	}
	if t.focus != nil && t.focus.First > 0 {
		r.Selection = &repomap.Selection{Path: t.focus.Path, First: t.focus.First - 1, Last: t.focus.Last - 1}
	}
	t.s.mu.Lock()
	r.Previous = t.s.lastMap
	t.s.mu.Unlock()
	m, err := mapper.Map(ctx, r)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.s.e.o.Log.Warn("no repository map", "root", t.s.ws.Root(), "error", err)
		return nil
	}
	for _, f := range m.Files {
		t.listed = append(t.listed, f.Path)
	}
	t.mapText = m.Text
	t.s.mu.Lock()
	t.s.lastMap = m.Text
	t.s.mu.Unlock()
	return nil
}

// mapBudget is the setting, or an eighth of what the model can take within bounds.
func (t *turn) mapBudget() int {
	if !t.settings.RepoMap.Enabled {
		return 0
	}
	window := t.profile.ContextWindow
	budget := t.settings.RepoMap.Tokens
	if budget < 0 {
		return 0
	}
	if budget == 0 {
		budget = min(max(window/8, leastMap), mostMap)
	}
	if len(t.chat) == 0 && window > 0 {
		budget = max(min(budget*mapWithoutFiles, window-4096), min(budget, window/8))
	}
	return budget
}

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
		return &Problem{
			Message: fmt.Sprintf("The request needs about %d tokens; %s takes %d.", fitted.Tokens, t.profile.Name, t.room),
			Advice:  "Name fewer or smaller files, or choose a model with a larger context window."}
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
