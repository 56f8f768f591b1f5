package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/rules"
	"coauthor/agent/settings"
	"coauthor/agent/strategy"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
)

// start is where a talk sets out: what the user has, and what earlier turns and talks have left.
type start struct {
	at        Context  // the files in it passed the door before; its request, settings and strategy are not read
	added     []string // added to the chat before; shown as far as they fit and may be sent
	reference []string // the same, to look at
	pages     []string // addresses of pages that are shown already
	moved     bool     // time passed since the request, so what was selected may stand elsewhere
	view      mapView
	drawn     *Map // of the talk before that goes on; nil draws one
}

// gather decides on which files a talk works, and draws the map of the rest. It reads files, passes
// them through the door and may ask the user; nothing else happens, so that what only shows a prompt or
// a map calls it too. Its Notes count also when it fails.
func gather(ctx context.Context, d gatherDeps, r Request, from start, set settings.Settings, by strategy.Strategy) (Context, error) {
	if by.Coder.Manual { // what the user looks at is not what the question is about
		r.Target, from.added, from.reference = nil, nil, nil
	}
	g := newGathering(d, r, from, set, by)
	err := g.choose(ctx, from)
	if err == nil {
		habits(ctx, d, &g.c) // last, when what draws the map may have read all files
	}
	return g.c, err
}

// choose takes in what the model is shown.
func (g *gathering) choose(ctx context.Context, from start) error {
	if g.c.Request.Job != nil { // it says itself what else the model is shown
		return g.named(ctx)
	}
	if err := g.named(ctx); err != nil {
		return err
	}
	g.addedBefore(ctx, from.added, &g.c.Chat)
	g.addedBefore(ctx, from.reference, &g.c.ReadOnly)
	if !g.c.Coder.Manual {
		g.alwaysShown(ctx)
	}
	if g.c.Focus == nil {
		g.chooseFocus()
	}
	if g.c.Coder.Manual {
		g.manual()
		return ctx.Err()
	}
	if err := g.mentioned(ctx); err != nil {
		return err
	}
	if err := g.webPages(ctx, from.pages); err != nil {
		return err
	}
	if err := g.openDocuments(ctx); err != nil {
		return err
	}
	if err := g.rules(ctx); err != nil {
		return err
	}
	g.reviewed()
	if from.drawn != nil {
		g.c.Map = *from.drawn
		return ctx.Err()
	}
	var err error
	g.c.Map, err = drawMap(ctx, g.d.maps, g.d.door, g.c, from.view)
	if m := g.c.Map; m.Err == nil && m.Budget > 0 && m.Complete < 1 {
		g.note(event.Info(fmt.Sprintf("Coauthor is still indexing the repository. The repository map covers %.0f%% of the files.", 100*m.Complete)))
	}
	if !g.d.looking && g.c.Map.Budget > 0 {
		if n, large := g.d.maps.TooLarge(g.c.Settings.RepoMap, g.c.Model.Profile.Name, g.c.Model.Profile.ContextWindow, g.c.tools != strategy.NoTools); large {
			g.note(n)
		}
	}
	return err
}

// newGathering begins a Context with what is known before any file is looked at.
func newGathering(d gatherDeps, r Request, from start, set settings.Settings, by strategy.Strategy) *gathering {
	c := from.at
	c.Request, c.Settings, c.Strategy, c.tools, c.Around = r, set, by, by.ToolForm(), d.around
	c.Chat, c.ReadOnly, c.Missing, c.agreed = slices.Clone(c.Chat), slices.Clone(c.ReadOnly), slices.Clone(c.Missing), slices.Clone(c.agreed)
	g := &gathering{d: d, find: finder{door: d.door, maps: d.maps, base: c.Base, now: c.Now}, moved: from.moved, c: c}
	g.c.Around.Language, g.c.Around.Commands = prompt.LanguageName(set.Language), set.Shell.Suggest
	g.c.Media = slices.DeleteFunc(slices.Clone(c.Media), func(m prompt.Media) bool { return !by.Model.Profile.Takes(m.MIME) })
	return g
}

// mostManual is how many tokens the passages of our own documentation take at most.
const mostManual = 4096

// manual takes in what our own documentation says about the question.
func (g *gathering) manual() {
	for _, p := range g.d.manual().Best(g.c.Request.Instruction, min(mostManual, g.c.Model.Room/2), g.c.Model.Counter.Count) {
		g.c.Manual = append(g.c.Manual, prompt.Passage(p))
	}
}

// gathering is a Context in the making.
type gathering struct {
	d     gatherDeps
	find  finder
	c     Context
	moved bool
}

func (g *gathering) note(n event.Note) { g.c.Notes = append(g.c.Notes, n) }

// named takes in the files that the user names, each through the door. One that may not be sent ends
// the turn, because the user would expect the model to know it.
func (g *gathering) named(ctx context.Context) error {
	named := g.c.Request.Files
	if target := g.c.Request.Target; target != nil && target.Path != "" {
		named = append([]string{target.Path}, named...)
	}
	for _, path := range named {
		if err := g.admit(ctx, path, &g.c.Chat); err != nil {
			return err
		}
	}
	if err := g.paste(g.c.Request.Pictures); err != nil {
		return err
	}
	for _, path := range g.c.Request.ReadOnly {
		if err := g.admit(ctx, path, &g.c.ReadOnly); err != nil {
			return err
		}
	}
	return nil
}

// admit puts a file that the user named into a list of files to show, or tells why not.
func (g *gathering) admit(ctx context.Context, path string, list *[]string) error {
	if mime := prompt.MediaType(path); mime != "" {
		return g.admitMedia(ctx, path, mime)
	}
	path, in, err := g.passes(ctx, path, workspace.OpSend)
	if err != nil || !in {
		return err
	}
	if slices.Contains(*list, path) {
		return nil
	}
	if _, err := g.c.Now.Read(path); errors.Is(err, fs.ErrNotExist) {
		if !slices.Contains(g.c.Missing, path) {
			g.c.Missing = append(g.c.Missing, path)
			g.missing(path)
		}
		return nil
	} else if err != nil {
		return event.CannotRead(path, err)
	}
	*list = append(*list, path)
	return nil
}

// missing tells that a file which the user named is not there. They may have meant a new one.
func (g *gathering) missing(path string) {
	if g.c.Request.Job != nil {
		return // it says so itself
	}
	n := event.Warning(fmt.Sprintf("There is no file %s.", path))
	if g.c.Coder.Proposes() {
		n = event.Info(n.Text + " The model can create it.")
	}
	g.note(n)
}

// passes takes a file that the user named through the door. It returns the file as the workspace spells it, and
// whether it may be shown: false where only a question could let it, and nobody is asked.
func (g *gathering) passes(ctx context.Context, path string, op workspace.Operation) (string, bool, error) {
	d := g.d.door.Check(ctx, path, op)
	if g.d.looking && d.Verdict == workspace.Ask {
		g.withhold(path, d)
		return path, false, nil
	}
	if err := g.consent(ctx, path, d); err != nil {
		return path, false, err
	}
	if d.Path != "" {
		path = d.Path
	}
	return path, true, nil
}

// withhold is admit where nobody is asked: what a turn would ask about is left out and named.
func (g *gathering) withhold(path string, d workspace.Decision) {
	g.leave(path, d.Reason+"; sending the request asks you first")
	if t := g.c.Request.Target; t != nil && t.Path == path {
		g.c.Request.Target = nil // nothing of its text is shown either
	}
}

func (g *gathering) consent(ctx context.Context, path string, d workspace.Decision) error {
	notSent := fmt.Sprintf("%s was not sent to the model: %s.", path, strings.TrimSuffix(d.Reason, "."))
	switch d.Verdict {
	case workspace.Allow:
	case workspace.Ask:
		if slices.Contains(g.c.agreed, path) {
			return nil
		}
		yes, err := g.d.put.first(ctx, event.Question{Text: fmt.Sprintf("%s is protected (%s). Send it to the model?", path, d.Reason),
			Choices: []string{"send", "cancel"}, Titles: []string{"send " + path + " to the model", "cancel and send nothing"}})
		if err != nil {
			return err
		}
		if !yes {
			return &event.Problem{Message: notSent, Advice: "Remove it from the request, or agree to send it."}
		}
		g.c.agreed = append(g.c.agreed, path)
	case workspace.Refuse:
		return &event.Problem{Message: notSent, Advice: "Remove it from the request, or change the rule that blocks it."}
	}
	return nil
}

// addedBefore takes in what was added earlier. The user did not name it now, so what cannot be shown is no
// reason to ask or to stop; but they count on the model knowing it, so they are told.
func (g *gathering) addedBefore(ctx context.Context, added []string, list *[]string) {
	for _, path := range added {
		if g.c.inChat(path) || slices.Contains(*list, path) || slices.Contains(g.c.mediaPaths(), path) || ctx.Err() != nil {
			continue
		}
		why := g.take(ctx, path, list)
		if why == "" {
			continue
		}
		g.leave(path, why)
		left := g.c.LeftOut[len(g.c.LeftOut)-1]
		g.note(event.Warning(fmt.Sprintf("%s is in the chat but was not sent to the model: %s.", left.What, left.Why)))
	}
}

// take puts a file of the chat into a list of files to show, or says why it cannot be shown.
func (g *gathering) take(ctx context.Context, path string, list *[]string) (why string) {
	if isMedia(path) {
		m, why := see(ctx, g.d.door, g.c.Model.Profile, path)
		if why == "" {
			g.c.Media = append(slices.Clone(g.c.Media), m)
		}
		return why
	}
	if why = g.c.unfit(ctx, g.d.door, path); why == "" {
		*list = append(*list, path)
	}
	return why
}

// maySend says whether the content of a file may leave the machine without another question.
func maySend(ctx context.Context, door *workspace.Door, path string) bool {
	return door.Check(ctx, path, workspace.OpSend).Verdict == workspace.Allow
}

// unfit says why a file of the chat cannot be shown, "" when it can. A file that the turn has taken away, which
// the user still has, counts as shown.
func (c Context) unfit(ctx context.Context, door *workspace.Door, path string) string {
	if d := door.Check(ctx, path, workspace.OpSend); d.Verdict != workspace.Allow {
		return d.Reason
	}
	if !c.Now.Exists(path) {
		if c.Base.Exists(path) {
			return ""
		}
		return "the file does not exist"
	}
	if _, err := c.Now.Read(path); err != nil {
		return "cannot read the file: " + err.Error()
	}
	if tokens, ok := c.fits(path); !ok {
		return fmt.Sprintf("its size of about %d tokens exceeds the model's limit", tokens)
	}
	return ""
}

// unknownRoom is the room for open documents, in tokens, when nobody knows how much the model can take.
const unknownRoom = 16384

// chatRoom is how many tokens more the files of the chat may take.
func (c Context) chatRoom() int {
	room := unknownRoom
	if c.Model.Profile.ContextWindow > 0 {
		room = c.Model.Room / 2
	}
	for _, path := range c.Chat {
		if text, err := c.Now.Read(path); err == nil {
			room -= c.Model.Counter.Count(text)
		}
	}
	return room
}

// MostFiles is how many files a request has at most, beside those that the user names; mostChanged is how many a turn changes
// without a warning.
const MostFiles, mostChanged = 40, 20

// openDocuments adds the documents that are open in the editor, those that the user sees first and then the most
// recently changed, while all chat files together fit half of the room. The rest are named.
func (g *gathering) openDocuments(ctx context.Context) error {
	budget := g.c.chatRoom()
	for _, d := range g.sendable(ctx) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		size := budget + 1
		if len(g.c.Chat) < MostFiles {
			size = g.c.Model.Counter.Count(d.Text)
		}
		if size > budget {
			g.c.Unshown = append(g.c.Unshown, d.Path)
			continue
		}
		budget -= size
		g.c.Chat = append(g.c.Chat, d.Path)
	}
	if len(g.c.Unshown) > 0 {
		g.note(event.Info("Open files not sent because the context window is full: " + strings.Join(g.c.Unshown, ", ")))
	}
	return nil
}

// sendable returns the open documents that are not in the talk yet and may leave the machine.
func (g *gathering) sendable(ctx context.Context) []*workspace.Document {
	docs := slices.DeleteFunc(slices.Clone(g.c.Base.Open()), func(d *workspace.Document) bool {
		return g.c.inChat(d.Path) || slices.Contains(g.c.ReadOnly, d.Path)
	})
	var list []*workspace.Document
	visible := func(d *workspace.Document) bool { return slices.Contains(g.c.Request.Visible, d.Path) }
	docs = slices.Concat(slices.DeleteFunc(slices.Clone(docs), func(d *workspace.Document) bool { return !visible(d) }), slices.DeleteFunc(docs, visible))
	for i, d := range g.d.door.CheckAll(ctx, pathsOf(docs), workspace.OpSend) {
		if d.Verdict == workspace.Allow {
			list = append(list, docs[i])
		} else {
			g.leave(docs[i].Path, d.Reason)
		}
	}
	return list
}

// rules takes in the rules files that count for the files of the chat.
func (g *gathering) rules(ctx context.Context) error {
	if !g.c.Settings.RulesFiles {
		return nil
	}
	chosen, err := rules.Choose(ctx, rules.Options{
		Door: g.d.door, Base: g.c.Base, Chat: slices.Concat(g.c.Chat, g.c.Missing), Given: slices.Concat(g.c.Chat, g.c.ReadOnly),
		Own: g.d.own, Trusted: g.c.Settings.Trusted, Looking: g.d.looking, Once: g.d.consents.Once, Ask: g.d.put.first,
	})
	g.c.Rules, g.c.Optional = append(g.c.Rules, chosen.Rules...), append(g.c.Optional, chosen.Optional...)
	g.c.Notes = append(g.c.Notes, chosen.Notes...)
	for _, l := range chosen.Left {
		g.leave(l.What, l.Why)
	}
	return err
}

// LeftOut is something that a prompt could hold and does not.
type LeftOut struct {
	What string // a path, or a part of the prompt
	Why  string // the end of a sentence
}

// leave notes what the model is not shown. why may be the reason of a decision.
func (g *gathering) leave(what, why string) {
	g.c.LeftOut = append(g.c.LeftOut, LeftOut{what, strings.TrimSuffix(strings.TrimPrefix(why, what+" "), ".")})
}

func pathsOf(docs []*workspace.Document) []string {
	paths := make([]string, len(docs))
	for i, d := range docs {
		paths[i] = d.Path
	}
	return paths
}

// habits has the prompt say how the user works here: whether with git, and with which linters and tests. Those are what the
// user has set, or has taken of what was offered.
func habits(ctx context.Context, d gatherDeps, c *Context) {
	set, around := CheckSettings(c.Settings), &c.Around
	around.Git = d.maps != nil && d.maps.InGit(ctx)
	lint, tests, alone := verify.Habits(slices.Concat(set.Tools, d.taken.of(ctx, set)), set.Level, d.sandbox != nil)
	around.Lint, around.Tests, around.Alone = allOf(lint), allOf(tests), allOf(alone)
	around.Languages = allOf(d.maps.Languages(ctx))
}

// allOf lists words in a sentence.
func allOf(list []string) string {
	if n := len(list) - 1; n > 0 {
		return strings.Join(list[:n], ", ") + " and " + list[n]
	}
	return strings.Join(list, "")
}
