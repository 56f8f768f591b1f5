package chat

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/prose"
	"coauthor/agent/verify"
)

// request runs a request as a turn, and decides on what it proposes.
func (s *session) request(ctx context.Context, r agent.Request) error {
	resolved, err := s.o.Session.Resolve(r)
	if err != nil {
		return err
	}
	return s.turn(ctx, resolved)
}

// turn is request for one of which it is known who answers it.
func (s *session) turn(ctx context.Context, resolved agent.Resolved) error {
	v := newTurnView(s, !resolved.Proposes())
	before := s.o.Session.Chosen.Get()
	started, err := s.o.Session.Start(resolved, agent.Ports{Sink: v.sink, Ask: s})
	switch {
	case err != nil:
		return err
	case started.Status == agent.StatusSwitched:
		s.say("", display.Message("Now using: "+started.InForce.String()+"."))
		return command.KeepChoice(s.o.Session)
	case started.Status == agent.StatusBusy:
		return agent.ErrRunning
	}
	s.on.Moving(v.rows)
	result, err := s.o.Session.Turns.Wait(ctx, started.Turn)
	if err != nil {
		s.o.Session.Turns.Cancel(started.Turn)
		result, err = s.o.Session.Turns.Wait(context.WithoutCancel(ctx), started.Turn)
	}
	v.over()
	s.on.Moving(nil)
	if err == nil && !reflect.DeepEqual(before, s.o.Session.Chosen.Get()) {
		err = command.KeepChoice(s.o.Session)
	}
	switch {
	case err != nil:
		return err
	case result.State == event.TurnCancelled:
		return context.Canceled
	case result.State == event.TurnFailed:
		return result.Err
	}
	return s.became(ctx, result)
}

// became decides on what a turn proposes, and goes on with what follows from it.
func (s *session) became(ctx context.Context, r agent.Result) error {
	applied := r.Proposal == nil
	if r.Proposal == nil {
		s.failures(r.Failures)
		if failing := verify.Failing(r.Findings); len(failing) > 0 {
			s.say(lookYellow, "Still failing: "+display.Message(strings.Join(failing, ", "))+".")
		}
		if coder.Asks(r.Answer) {
			s.say(lookDim, "The model asks you something. Type your answer.")
		}
	}
	for i, p := range r.Proposals {
		failures := r.Failures
		if i < len(r.Proposals)-1 {
			failures = nil // they are told with the last
		}
		yes, err := s.decide(ctx, p, failures)
		if err != nil {
			return err
		}
		if applied = yes; !yes && i < len(r.Proposals)-1 {
			s.say(lookDim, "Later steps build on this one, so their changes are discarded, too.")
			for _, later := range r.Proposals[i+1:] {
				discard(s.o.Session.Proposals, later.ID)
			}
			break
		}
	}
	if r.Then != nil && applied {
		return s.request(ctx, *r.Then)
	}
	return s.suggested(ctx)
}

// suggested offers the commands that the last answer suggests, one by one.
func (s *session) suggested(ctx context.Context) error {
	for _, one := range command.Suggested(s.o.Session.Conversation.History, s.o.Session.Engine.Options()) {
		answer, err := command.OfferSuggested(ctx, s.o.Session, s.call(command.Call{}), one, func(ctx context.Context, text string) (string, error) {
			return s.on.Ask(ctx, line{before: "Command:", text: text})
		})
		if err != nil {
			return err
		}
		if ran, ok := answer.Data.(command.Ran); ok && ran.Status == command.RanSkipped {
			continue
		}
		if err := s.answered(ctx, answer); err != nil {
			return err
		}
		if answer.Then != nil {
			return nil // its answer has suggestions of its own
		}
	}
	return nil
}

// turnView shows a turn: whole blocks of the answer are printed as they are done, and below them moves what is being written.
type turnView struct {
	s     *session
	md    markdown
	clock func() time.Time
	raw   bool // everything is prose

	// Of the goroutine that tells events.
	prose    prose.Stream
	text     string // of the answer that is not printed
	thought  string
	thinking display.Stream
	since    time.Time // of the first thought; zero for none
	folded   []string  // lines for thoughts that are to be printed
	drawn    time.Time
	blocks   bool // something of the answer was printed

	mu       sync.Mutex
	progress event.Progress // guarded by mu
	tail     string         // guarded by mu; the answer that is being written
	dim      string         // guarded by mu; what is being thought
	gap      bool           // guarded by mu; a block stands above tail
	edits    []editLine     // guarded by mu
}

// editLine is a file that is edited, and how often it was by now.
type editLine struct {
	op, path string
	times    int
}

func newTurnView(s *session, raw bool) *turnView {
	return &turnView{s: s, md: markdown{s.style, s.on.Width()}, clock: time.Now, raw: raw}
}

// sink implements event.Sink. It holds no lock while it prints: what draws asks for the rows meanwhile.
func (v *turnView) sink(e event.Event) {
	if e.Kind != event.KindOutput { // which is printed: there it would stand twice
		v.mu.Lock()
		v.progress.Take(&e, v.clock())
		v.mu.Unlock()
	}
	switch e.Kind {
	case event.KindDelta:
		v.delta(e)
		return
	case event.KindEdit:
		v.fold()
		v.edit(e)
	case event.KindTool:
		v.flush()
		v.say(lookDim, "Looking: "+e.Text)
	case event.KindOutput:
		v.flush()
		v.s.quote(e.Text + "\n")
	case event.KindRound:
		v.flush()
		if e.Of == 0 {
			v.say(lookDim, e.Text+".")
			break
		}
		v.say(lookDim, fmt.Sprintf("Retrying %d of %d: %s.", e.Round, e.Of, e.Text))
	case event.KindNote:
		if e.Note.Level == event.LevelDetail && !v.s.o.Verbose {
			break
		}
		v.flush()
		look := lookDim
		if e.Note.Level != event.LevelInfo {
			look = lookYellow
		}
		for line := range strings.Lines(e.Note.Text) { // what a model assumes is a list
			v.say(look, line)
		}
	case event.KindUsage:
		v.flush()
		v.say(lookDim, Used(*e.Usage))
	case event.KindEnded:
		v.flush()
	case event.KindCommit:
		for _, line := range Committed(e.Commit) {
			v.say("", line)
		}
	case event.KindState, event.KindProposal, event.KindLanded:
	}
	v.s.on.Changed()
}

// say prints one line of ours, in which names of others may stand.
func (v *turnView) say(look, text string) { v.s.say(look, display.Message(text)) }

// redraw is how often the screen is drawn while pieces of an answer come.
const redraw = 40 * time.Millisecond

// delta takes a piece of the answer, or of the thoughts before it.
func (v *turnView) delta(e event.Event) {
	switch e.Channel {
	case event.ChannelReasoning:
		if !v.s.o.Session.Settings().ShowThinking {
			break
		}
		v.think(e.Text)
	case event.ChannelAnswer:
		if strings.TrimSpace(e.Text) != "" { // it has begun, also where it is an edit
			v.fold()
		}
		words := e.Text
		if !v.raw {
			words, _ = v.prose.Write(e.Text)
		}
		v.take(words)
	case event.ChannelEdit:
		v.fold()
	}
	v.show(v.clock())
}

// mostThought is how much of the thoughts is kept to be shown.
const mostThought = 4 << 10

// think takes a piece of the thoughts. They may come in the middle of an answer, whose last paragraph then goes on behind
// them: it is not printed in two parts.
func (v *turnView) think(piece string) {
	if v.since.IsZero() {
		if whole(v.text+"x") == len(v.text) { // whatever comes is another block
			v.print(v.text)
			v.text = ""
		}
		v.since = v.clock()
	}
	v.thought += v.thinking.Write(piece)
	if len(v.thought) > 2*mostThought { // seldom, and at a word: the rows that are seen move on only when there is a new one
		v.thought = v.thought[len(v.thought)-mostThought:]
		if i := strings.IndexAny(v.thought, "\n "); i >= 0 {
			v.thought = v.thought[i+1:]
		}
	}
}

// show has the screen drawn, not more often than is seen: what comes last is drawn with the clock.
func (v *turnView) show(now time.Time) {
	v.mu.Lock()
	v.tail, v.dim, v.gap = v.text, strings.ToValidUTF8(v.thought, ""), v.blocks
	v.mu.Unlock()
	if now.Sub(v.drawn) < redraw {
		return
	}
	v.drawn = now
	v.s.on.Changed()
}

// take takes words of the answer and prints the blocks that are whole.
func (v *turnView) take(words string) {
	v.text += words
	if n := whole(v.text); n > 0 {
		v.print(v.text[:n])
		v.text = v.text[n:]
		v.folds()
	}
}

// print prints whole blocks, with an empty line between two.
func (v *turnView) print(text string) {
	if text = strings.Trim(text, "\n"); strings.TrimSpace(text) == "" {
		return
	}
	rows := v.md.render(text)
	if len(rows) == 0 {
		return
	}
	if v.blocks {
		rows = append([]string{""}, rows...)
	}
	v.blocks = true
	v.s.on.Print(strings.Join(rows, "\n"))
}

// fold puts one line in the place of what was thought; behind the paragraph that is being written, if one is.
func (v *turnView) fold() {
	if v.since.IsZero() {
		return
	}
	v.folded = append(v.folded, thoughtFor(v.clock().Sub(v.since)))
	v.thought, v.since, v.thinking = "", time.Time{}, display.Stream{}
	v.mu.Lock()
	v.dim = ""
	v.mu.Unlock()
	if strings.TrimSpace(v.text) == "" {
		v.folds()
	}
}

// folds prints the lines that stand for thoughts.
func (v *turnView) folds() {
	for _, line := range v.folded {
		v.say(lookDim, line)
	}
	v.folded = nil
}

// thoughtFor is the line that stands for thoughts.
func thoughtFor(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("Thought for %.1f s.", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("Thought for %d s.", int(d.Seconds()))
	}
	return fmt.Sprintf("Thought for %d min %d s.", int(d.Minutes()), int(d.Seconds())%60)
}

// edit counts an edit of a file.
func (v *turnView) edit(e event.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for i := range v.edits {
		if v.edits[i].path == e.Path && v.edits[i].op == e.Op {
			v.edits[i].times++
			return
		}
	}
	v.edits = append(v.edits, editLine{e.Op, e.Path, 1})
}

// flush prints all that came.
func (v *turnView) flush() {
	if !v.raw {
		words, _ := v.prose.End()
		v.text += words
	}
	v.fold()
	v.print(v.text)
	v.folds()
	v.text, v.blocks = "", false
	v.mu.Lock()
	list := v.edits
	v.edits, v.tail, v.dim = nil, "", ""
	v.mu.Unlock()
	for _, one := range list {
		v.s.on.Print(v.s.style.paint(lookDim, one.row(v.s.on.Width())))
	}
}

// over ends the view; commits are told also after it.
func (v *turnView) over() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tail, v.dim, v.edits = "", "", nil
}

// row is a file that is edited, as a line of so many columns.
func (e editLine) row(width int) string {
	word := map[string]string{"create": "new", "update": "edit", "rename": "move"}[e.op]
	begin, end := "  "+firstOf(word, e.op)+" ", ""
	if e.times > 1 {
		end = fmt.Sprintf(" (%d edits)", e.times)
	}
	return fit(begin+display.Path(e.path, max(width-len(begin)-len(end), 8))+end, width)
}

// mostDrawn is how long an answer may be that is drawn as Markdown each time a piece of it comes.
const mostDrawn = 16 << 10

// writing are the rows of what is being written.
func (v *turnView) writing(tail string, width int) []string {
	if len(tail) > mostDrawn {
		return wrap(display.Text(strings.ToValidUTF8(tail[len(tail)-mostDrawn:], "")), width, "")
	}
	return markdown{v.s.style, width}.render(tail)
}

// stopKey says how what runs is stopped.
const stopKey = "Ctrl+C: stop"

// thoughtRows is how many lines of thoughts are seen at a time.
const thoughtRows = 6

// rows are what moves: the end of what is thought or written, what is edited, and what the turn does.
func (v *turnView) rows(width, most int) []string {
	v.mu.Lock()
	tail, dim, gap, list, line := v.tail, v.dim, v.gap, slices.Clone(v.edits), v.progress.Line(v.clock())
	v.mu.Unlock()
	var rows []string
	if strings.TrimSpace(tail) != "" {
		if gap {
			rows = append(rows, "")
		}
		rows = append(rows, v.writing(tail, width)...)
	}
	if dim = strings.TrimSpace(dim); dim != "" { // the bar tells them from an answer also where nothing can be dimmed
		thoughts := wrap(dim, width-2, "")
		for _, row := range thoughts[max(0, len(thoughts)-thoughtRows):] {
			rows = append(rows, v.s.style.paint(lookDim, "│ "+row))
		}
	}
	for _, one := range list {
		rows = append(rows, v.s.style.paint(lookDim, one.row(width)))
	}
	if line != "" {
		rows = append(rows, v.s.style.paint(lookDim, fit(display.Line(line), width-len(" . "+stopKey))+" · "+stopKey))
	}
	return rows[max(0, len(rows)-most):]
}
