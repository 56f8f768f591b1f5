package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/prose"
	"coauthor/cmd/coauthor/chat"
	"coauthor/cmd/coauthor/console"
	"coauthor/edits"
)

// turnPrinter shows a turn: with --json its events, else the model's prose as it streams, then the
// change. What is no answer and no change goes to standard error. Only --json, and a diff that goes
// into a file or a program, are exact; everything else is made fit to be seen (package display).
type turnPrinter struct {
	s       Streams
	json    bool
	verbose bool                  // how the answer was read is told, too
	line    func(event.Event) any // what is printed of an event with json; nil is itself
	screen  *chat.Painter         // of the terminal that standard output is; nil for none
	width   int                   // of the terminal that standard error is; 0 for none
	raw     bool                  // everything is prose
	plain   bool                  // what comes is no Markdown
	answer  string                // of it, what is not printed: on a terminal whole blocks are
	blocks  bool                  // some were printed
	tail    func(rows []string)   // shows what is being written, until something is printed; nil for nobody

	prose        prose.Stream
	shown        display.Stream // what of the prose has come to the screen
	came, passed int            // bytes of the reply, and of those that were shown; the others were taken for edits
	telling      sync.Mutex     // a commit is told beside the outcome
	dirty        bool           // the line on standard output is not ended
	edited       []string       // edits that are told once it is
	named        []string       // what was told of this answer's edits: a file is told once
	thinking     console.Thinking
}

// sink implements event.Sink.
func (p *turnPrinter) sink(e event.Event) {
	if p.json {
		if p.line != nil {
			marshalLine(p.s.Out, p.line(e))
		} else {
			marshalLine(p.s.Out, e)
		}
		return
	}
	switch e.Kind {
	case event.KindDelta:
		if e.Channel == event.ChannelReasoning {
			if p.thinking.Begins() {
				p.flush()
			}
			p.thinking.Take(e.Text)
			return
		}
		if e.Channel == event.ChannelAnswer {
			if p.raw {
				p.words(e.Text)
				return
			}
			words, _ := p.prose.Write(e.Text)
			p.came, p.passed = p.came+len(e.Text), p.passed+len(words)
			p.words(words)
		}
	case event.KindEdit:
		if line := fmt.Sprintf("  %s %s\n", chat.OpWord(edits.Op(e.Op)), display.Path(e.Path, pathWidth)); !slices.Contains(p.named, line) {
			p.named, p.edited = append(p.named, line), append(p.edited, line)
		}
		p.tellEdits()
	case event.KindTool:
		p.flush()
		p.tell("Looking: %s", e.Text)
	case event.KindOutput:
		p.quote(e.Text + "\n")
	case event.KindRound:
		p.flush()
		p.named = nil
		if e.Of == 0 {
			p.tell("%s.", e.Text)
			break
		}
		p.tell("Retrying %d of %d: %s.", e.Round, e.Of, e.Text)
	case event.KindNote:
		if e.Note.Level == event.LevelDetail && !p.verbose {
			break
		}
		p.flush()
		for line := range strings.Lines(e.Note.Text) { // what a model assumes is a list
			p.tell("%s", line)
		}
	case event.KindUsage:
		p.flush()
		p.tell("%s", chat.Used(*e.Usage))
	case event.KindEnded:
		p.flush()
	case event.KindCommit: // while the outcome is told
		for _, line := range chat.Committed(e.Commit) {
			p.tell("%s", line)
		}
	case event.KindState, event.KindProposal, event.KindLanded:
	}
}

// pathWidth is how much of the name of a file stands in a list.
const pathWidth = 120

// tell says one line on standard error.
func (p *turnPrinter) tell(format string, args ...any) {
	p.telling.Lock()
	defer p.telling.Unlock()
	p.thinking.Fold()
	p.s.tell(display.Message(fmt.Sprintf(format, args...)))
}

// quote prints lines of a check on a terminal: none of them can be taken for ours.
func (p *turnPrinter) quote(lines string) {
	if p.width == 0 {
		return
	}
	p.flush()
	p.telling.Lock()
	defer p.telling.Unlock()
	fmt.Fprint(p.s.Err, chat.Fold(chat.Quoted(lines), p.width))
}

// words takes words of the answer: as they come, or as blocks that are done.
func (p *turnPrinter) words(text string) {
	if p.screen == nil || p.plain {
		p.print(p.shown.Write(text))
		return
	}
	if text == "" {
		return
	}
	p.thinking.Fold()
	done, rest := chat.Blocks(p.answer + text)
	p.answer = rest
	p.block(done)
	if p.tail == nil {
		return
	}
	var rows []string
	if strings.TrimSpace(rest) != "" {
		rows = strings.Split(strings.TrimSuffix(p.screen.Markdown(strings.ToValidUTF8(rest[max(0, len(rest)-mostTail):], "")), "\n"), "\n")
	}
	p.tail(rows)
}

// mostTail is how much of what is being written is drawn each time some more of it comes.
const mostTail = 8 << 10

// block prints blocks that are done, with an empty line before all but the first.
func (p *turnPrinter) block(text string) {
	rows := p.screen.Markdown(strings.Trim(text, "\n"))
	if rows == "" {
		return
	}
	if p.tail != nil {
		p.tail(nil)
	}
	if p.blocks {
		rows = "\n" + rows
	}
	p.blocks = true
	p.print(rows)
	p.writeEdits()
}

func (p *turnPrinter) print(text string) {
	if text != "" {
		p.thinking.Fold()
	}
	if line, rest, ended := strings.Cut(text, "\n"); ended && p.dirty && len(p.edited) > 0 {
		fmt.Fprint(p.s.Out, line+"\n")
		p.dirty, text = false, rest
		p.tellEdits()
	}
	if text == "" {
		return
	}
	fmt.Fprint(p.s.Out, text)
	p.dirty = !strings.HasSuffix(text, "\n")
}

// tellEdits says which files were edited, behind the line of the answer that is being written.
func (p *turnPrinter) tellEdits() {
	if p.dirty || strings.TrimSpace(p.answer) != "" {
		return
	}
	p.writeEdits()
}

func (p *turnPrinter) writeEdits() {
	if len(p.edited) > 0 {
		p.thinking.Fold()
	}
	for _, line := range p.edited {
		fmt.Fprint(p.s.Err, line)
	}
	p.edited = nil
}

// flush shows what the filter held back.
func (p *turnPrinter) flush() {
	words, _ := p.prose.End()
	p.passed += len(words)
	p.words(words)
	if p.screen != nil {
		p.block(p.answer)
		p.answer, p.blocks = "", false
	}
	p.print(p.shown.End())
	p.pause()
}

// pause ends a begun line, so that something else can be said.
func (p *turnPrinter) pause() {
	p.thinking.Fold()
	if p.dirty {
		fmt.Fprintln(p.s.Out)
		p.dirty = false
	}
	p.tellEdits()
}

// change shows a change, with what is to be known of it before.
func (p *turnPrinter) change(x proposal.Proposal, failures []edits.Failure, exact bool) {
	p.failures(failures)
	p.verdict(x.Verdict)
	p.warnings(x.Warnings)
	p.attempts(x)
	p.diff(x, exact)
}

func (p *turnPrinter) failures(list []edits.Failure) {
	if p.json {
		return // the event of the end names them
	}
	for _, f := range list {
		name := f.Path
		if name != "" {
			name += ": "
		}
		p.tell("Not applied: %s%s", name, f.Message)
	}
}

// verdict stands before the diff: what was checked, and how that went.
func (p *turnPrinter) verdict(text string) {
	if text != "" && !p.json { // the proposal's event has it
		p.tell("Checked: %s", text)
	}
}

// attempts stand before the diff: what there is to choose from, and which of them the diff shows.
func (p *turnPrinter) attempts(x proposal.Proposal) {
	if p.json || len(x.Attempts) < 2 { // the proposal's event has them
		return
	}
	for i, a := range x.Attempts {
		which := ""
		if i+1 == x.Attempt {
			which = " (shown below)"
		}
		p.tell("Attempt %d: %s%s.", i+1, a, which)
	}
}

// warnings stand before the diff: who reads on knows what to look for.
func (p *turnPrinter) warnings(list []string) {
	if p.json {
		return // the proposal's event has them
	}
	for _, w := range list {
		p.tell("Warning: %s", w)
	}
}

// diff shows a change. Exactly as it is, as programs want it, only where exact is set and no terminal
// shows it.
func (p *turnPrinter) diff(x proposal.Proposal, exact bool) {
	if p.json {
		return
	}
	switch {
	case p.screen != nil:
		fmt.Fprint(p.s.Out, p.screen.Diff(x))
	case exact:
		fmt.Fprint(p.s.Out, proposal.DiffText(x))
	default:
		fmt.Fprint(p.s.Out, proposal.ScreenDiff(x, false))
	}
	if hidden := proposal.HiddenLines(x); len(hidden) > 0 {
		p.tell("Note: The change adds hidden characters. The first is on line %d of %s: %s",
			hidden[0].Line, hidden[0].Path, hidden[0].Text)
	}
	if !exact { // else it is told what would become of them
		fmt.Fprint(p.s.Err, chat.Painter{Width: p.width}.Summary(x))
	}
}

// text prints a text of Markdown.
func (p *turnPrinter) text(text string) {
	if p.screen != nil {
		text = p.screen.Markdown(text)
	} else {
		text = display.Text(text)
	}
	fmt.Fprint(p.s.Out, text)
}

func (p *turnPrinter) files(x proposal.Proposal) {
	if p.json {
		return
	}
	for i := range x.Files {
		added, removed := x.Files[i].Counts()
		p.tell("Would %s %s (+%d -%d)", x.Files[i].Change.Op, x.Files[i].Path(), added, removed)
	}
}

// outcome tells what was written. With --json the events of the proposal have told it.
func (p *turnPrinter) outcome(o proposal.Outcome) {
	if p.json {
		return
	}
	for _, line := range chat.Outcome(o) {
		p.tell("%s", line)
	}
}

// proposalLine is an event with the change itself, when that comes to be: who reads lines of JSON has no other way to see it.
type proposalLine struct {
	event.Event
	Proposal *proposalWithDiff `json:"proposal,omitempty"`
}

type proposalWithDiff struct {
	*event.ProposalRef
	Diff string `json:"diff"` // as git and patch take it
}

// withDiff is what is printed of an event as JSON.
func withDiff(of *proposal.Store, e event.Event) any {
	if e.Kind != event.KindProposal || e.Proposal == nil || e.Proposal.State != event.ProposalPending {
		return e
	}
	p, ok := of.Get(e.Proposal.ID)
	if !ok || p.Revision != e.Proposal.Revision {
		return e
	}
	return proposalLine{e, &proposalWithDiff{e.Proposal, proposal.DiffText(p)}}
}
