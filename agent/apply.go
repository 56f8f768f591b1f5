package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// apply carries the reply's edits out in memory. What does not fit, or may not be, becomes
// failures beside the good ones.
func apply(ctx context.Context, t *turn) error {
	t.news = prompt.Reflection{Fence: t.chunks.Fence, Format: t.format}
	before := t.open
	t.open, t.findings = nil, nil
	if t.format == nil {
		t.current.Reply(t.reply.Text, t.reply.Text)
		return nil
	}
	t.enter(event.TurnVerifying)
	t.closeTwice()
	t.current.Reply(t.reply.Text, prose(t.reply.Text, t.edits, t.problems))
	if len(t.edits) == 0 && len(t.problems) == 0 {
		t.given = append(t.given, before...) // the model does not try again
		return t.offerMentioned(ctx)
	}
	t.sawEdits = true
	t.edits = t.nameless(t.edits)
	result := t.applyEdits(ctx, t.edits, t.problems)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	held, rest := t.split(result.Failures)
	t.sort(rest)
	again := map[string]bool{}
	for _, e := range t.edits {
		again[e.Path] = true
	}
	for _, f := range before {
		if !again[f.Path] {
			t.open = append(t.open, f) // the model passed over it
		}
	}
	t.take(result)
	if len(held) > 0 {
		return t.offerHeld(ctx, held)
	}
	return nil
}

// nameless gives blocks without a file name to the one file that they can mean. Their text must stand
// there like that of any other block; now a miss is told with the nearest place.
func (t *turn) nameless(list []edits.Edit) []edits.Edit {
	if len(t.chat) != 1 || len(t.missing) > 0 {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		if e := &list[i]; e.Path == "" && e.Kind == edits.KindReplace && strings.TrimSpace(e.Search) != "" {
			e.Path = t.chat[0]
		}
	}
	return list
}

func (t *turn) applyEdits(ctx context.Context, list []edits.Edit, problems []edits.Problem) edits.Result {
	return edits.Apply(shown{t}, list, problems, edits.Options{
		Chat:    slices.Concat(t.chat, t.missing),
		Earlier: t.landed, Remember: true,
		Markup:   t.speaksOfMarkup(),
		Examples: t.examples(),
		Check:    t.permits(ctx, list).may,
		Stop:     func() bool { return ctx.Err() != nil },
		Selected: t.selected(),
	})
}

// take puts the changes of a result on top of what the turn has so far.
func (t *turn) take(result edits.Result) {
	for _, note := range result.Notes {
		t.tell(event.LevelInfo, note)
	}
	if len(result.Changes) == 0 {
		return
	}
	t.now = t.now.With(result.Changes)
	t.landed = append(t.landed, result.Landings...)
	chat, applied, made := setOf(t.chat), setOf(t.news.Applied), map[string]bool{}
	for _, c := range result.Changes {
		path := c.Path
		if c.Op == edits.OpRename {
			path = c.To
		}
		if !chat[path] && c.Op != edits.OpDelete {
			chat[path] = true
			t.chat = append(t.chat, path)
		}
		made[path] = true
		if !applied[path] {
			applied[path] = true
			t.news.Applied = append(t.news.Applied, path)
		}
	}
	t.missing = slices.DeleteFunc(t.missing, func(m string) bool { return made[m] })
}

// refusal is why an edit may not be carried out, with the stable code of its failure.
type refusal struct{ reason, message string }

func (r refusal) Error() string  { return r.message }
func (r refusal) Reason() string { return r.reason }

// held says why an existing file is out of the model's reach, nil when it is not.
func (t *turn) held(path string) error {
	switch {
	case !t.base.Exists(path) || t.inChat(path):
		return nil
	case slices.Contains(t.readOnly, path):
		return refusal{edits.ReasonRefused, path + " was given for reference only"}
	}
	return refusal{edits.ReasonNotInChat, path + " was not shown to the model"}
}

func reasonOf(code string) string {
	switch code {
	case edits.ReasonReadOnly, edits.ReasonBinary, edits.ReasonUndecodable:
		return code
	}
	return edits.ReasonRefused
}

// shown is what Apply may read: the files of the chat and what the turn made itself. Texts of other
// files must not come back to the model in the words of a failure.
type shown struct{ t *turn }

func (s shown) Exists(path string) bool { return s.t.now.Exists(path) }

func (s shown) Read(path string) (string, error) {
	if err := s.t.held(path); err != nil {
		return "", err
	}
	return s.t.now.Read(path)
}

// split takes the held-back edits out of the failures: their files can be offered.
func (t *turn) split(failures []edits.Failure) (held, rest []edits.Failure) {
	for _, f := range failures {
		if f.Reason == edits.ReasonNotInChat {
			held = append(held, f)
		} else {
			rest = append(rest, f)
		}
	}
	return held, rest
}

// sort puts failures where they belong: those that another round may mend, and those that nothing
// will.
func (t *turn) sort(failures []edits.Failure) {
	for _, f := range failures {
		switch f.Reason {
		case edits.ReasonRefused, edits.ReasonReadOnly, edits.ReasonBinary, edits.ReasonUndecodable,
			edits.ReasonUnreadable, edits.ReasonTooLong:
			t.refused = append(t.refused, f)
		default:
			t.open = append(t.open, f)
		}
	}
}

// offerHeld offers the files of held-back edits. An edit of a file that the user adds is taken at
// once if its text stands there exactly; else the model is shown the file and asked again.
func (t *turn) offerHeld(ctx context.Context, held []edits.Failure) error {
	var paths []string
	of := map[string][]edits.Failure{}
	editsOf := map[string]map[int]bool{}
	for _, f := range held {
		if of[f.Path] == nil {
			paths = append(paths, f.Path)
			editsOf[f.Path] = map[int]bool{}
		}
		of[f.Path] = append(of[f.Path], f)
		editsOf[f.Path][f.Edit] = true
	}
	added, err := t.offer(ctx, paths, "The model wants to change %s, which it was not shown. Add to the chat?")
	if err != nil {
		return err
	}
	for _, path := range paths {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !slices.Contains(added, path) {
			t.news.Declined = append(t.news.Declined, path)
			message := path + " is not one of the files of this request" + t.whyNot(ctx, path)
			for _, f := range of[path] {
				f.Message = message
				t.refused = append(t.refused, f)
			}
			continue
		}
		list := slices.DeleteFunc(slices.Clone(t.edits), func(e edits.Edit) bool { return !editsOf[path][e.Index] })
		result := t.applyEdits(ctx, list, nil)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if exactly(list, result) {
			t.take(result)
			continue
		}
		t.news.Added = append(t.news.Added, path)
		t.open = append(t.open, of[path]...)
	}
	return nil
}

// exactly says whether edits that were written blind fit the file to the letter. A whole new text
// written blind never does: it would drop what the model has not seen.
func exactly(list []edits.Edit, r edits.Result) bool {
	fits := 0
	for rung, n := range r.Rungs {
		if rung != edits.RungExact {
			return false
		}
		fits += n
	}
	for _, e := range list {
		switch e.Kind {
		case edits.KindReplace:
			if strings.TrimSpace(e.Search) == "" {
				return false
			}
		case edits.KindHunk, edits.KindDelete, edits.KindRename:
		case edits.KindWhole:
			return false
		}
	}
	return len(r.Failures) == 0 && len(r.Changes) > 0
}

// offerMentioned offers files that a reply without edits speaks of: models ask for files that way.
func (t *turn) offerMentioned(ctx context.Context) error {
	if t.reply.Finish != llm.FinishStop {
		return nil
	}
	known := slices.Concat(t.listed, t.unshown)
	for _, w := range mention.Words(t.reply.Text) {
		if t.base.Exists(w) {
			known = append(known, w)
		}
	}
	known = slices.DeleteFunc(known, func(path string) bool {
		return t.inChat(path) || slices.Contains(t.readOnly, path)
	})
	added, err := t.offer(ctx, mention.Files(t.reply.Text, known), "The model asks for %s. Add to the chat?")
	t.news.Added = added
	return err
}

// offer puts files to the user, by the setting addMentioned, and returns those that were added.
// What may not be sent is never offered.
func (t *turn) offer(ctx context.Context, paths []string, question string) ([]string, error) {
	var open []string
	for i, d := range t.s.ws.Door().CheckAll(ctx, paths, workspace.OpSend) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if path := paths[i]; d.Verdict == workspace.Allow && !t.offered[path] && t.readable(path) {
			open = append(open, path)
		}
	}
	paths = open
	if len(paths) == 0 || t.settings.AddMentioned == "never" {
		return nil, nil
	}
	for _, path := range paths {
		t.offered[path] = true
	}
	if t.settings.AddMentioned != "always" {
		names := strings.Join(paths, ", ")
		it := "it"
		if len(paths) > 1 {
			it = "them"
		}
		yes, err := t.ask(ctx, event.Question{Text: fmt.Sprintf(question, names), Choices: []string{"add", "skip"},
			Titles: []string{"add " + names + " to the chat", "skip " + it}})
		if err != nil || !yes {
			return nil, err
		}
	}
	t.tell(event.LevelInfo, "Added to the chat: "+strings.Join(paths, ", "))
	t.chat = append(t.chat, paths...)
	t.unshown = slices.DeleteFunc(t.unshown, t.inChat)
	t.s.mu.Lock()
	t.s.added = append(t.s.added, paths...)
	t.s.mu.Unlock()
	return paths, nil
}

// readable says whether a file could be shown: its text is there, and not too large for the model.
func (t *turn) readable(path string) bool {
	_, err := t.now.Read(path)
	_, ok := t.fits(path)
	return err == nil && ok
}

// whyNot says why a file could not even be offered; "" when it could.
func (t *turn) whyNot(ctx context.Context, path string) string {
	if d := t.s.ws.Door().Check(ctx, path, workspace.OpSend); d.Verdict != workspace.Allow {
		return ": " + strings.TrimSuffix(d.Reason, ".")
	}
	if _, err := t.now.Read(path); err != nil {
		return ": " + err.Error()
	}
	if tokens, ok := t.fits(path); !ok {
		return fmt.Sprintf(": it is about %d tokens, too many for the model", tokens)
	}
	return ""
}

// ask puts a question with two choices; the second is the default.
func (t *turn) ask(ctx context.Context, q event.Question) (bool, error) {
	id, err := t.s.e.newID("q")
	if err != nil {
		return false, err
	}
	q.ID, q.Turn, q.Default = id, t.id, q.Choices[1]
	a, err := t.p.Ask.Ask(ctx, q)
	return a.Choice == q.Choices[0], err
}
