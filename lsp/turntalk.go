package lsp

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/lsp/annotate"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// turnTalk is what one turn says in the conversation of its root: what was asked, the answer while it comes where the
// document is open, and how it ended. Its methods may be called from any goroutine, and wait for nothing but End.
type turnTalk struct {
	s       *server
	root    *rootState
	name    string // of the document; "" is found at the end
	said    string // what the user ran in it; "" for a request from elsewhere
	asked   string // what stands as said
	streams bool   // the words of the reply are shown while they come; those of a job show themselves

	mu    sync.Mutex
	turn  string          // guarded by mu
	text  strings.Builder // guarded by mu; of the reply so far
	wake  chan struct{}   // buffered by one: full means that there is something to write
	over  chan struct{}   // closed when the turn ends
	wrote chan struct{}   // closed when what goes before the end is written

	// The rest belongs to whoever writes.
	put string // what the section read when it was written last
}

// talkStep is how much time is between two steps of an answer that comes.
const talkStep = 700 * time.Millisecond

// newTurnTalk makes what a turn says; nil where it is to say nothing: our own plug-ins show the answer themselves.
func (s *server) newTurnTalk(r *rootState, req agent.Request, from talkFrom) *turnTalk {
	if r.dir == "" || s.client.Caps.Stream && from.said == "" {
		return nil
	}
	t := &turnTalk{s: s, root: r, name: from.name, said: from.said, asked: from.said, wake: make(chan struct{}, 1),
		over: make(chan struct{}), wrote: make(chan struct{})}
	if t.asked == "" {
		t.asked = req.Instruction
	}
	if t.asked == "" {
		t.asked = req.Label
	}
	t.streams = req.Job == nil
	return t
}

// talkFrom is the document in which a request was run, and what stands there.
type talkFrom struct{ name, said string }

// Begin has the document say what was asked, and then what comes of it.
func (t *turnTalk) Begin(turn string) {
	t.mu.Lock()
	t.turn = turn
	t.mu.Unlock()
	if t.said != "" {
		t.root.talk.use(t.name, turn)
		t.signal()
	}
	if !t.s.tasks.Background(t.write) {
		close(t.wrote)
	}
}

// Delta takes a piece of the words of the reply.
func (t *turnTalk) Delta(piece string) {
	t.mu.Lock()
	t.text.WriteString(piece)
	t.mu.Unlock()
	if t.streams {
		t.signal()
	}
}

// Round says that another reply begins.
func (t *turnTalk) Round() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text.Len() > 0 {
		t.text.WriteString("\n\n")
	}
}

func (t *turnTalk) signal() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// write writes what has come, whole lines of it, one step after the other, until the turn ends.
func (t *turnTalk) write(ctx context.Context) {
	defer close(t.wrote)
	for {
		select {
		case <-t.wake:
		case <-t.over:
			return
		case <-ctx.Done():
			return
		}
		t.step(ctx)
		pause := time.NewTimer(t.s.delivery.landings.Scaled(talkStep))
		select {
		case <-pause.C:
		case <-t.over:
		case <-ctx.Done():
		}
		pause.Stop()
	}
}

// step writes what has come so far, where the document is open: nobody sees the others before the end.
func (t *turnTalk) step(ctx context.Context) {
	t.mu.Lock()
	text := t.text.String()
	t.mu.Unlock()
	if !t.streams {
		text = ""
	}
	now := review.AnswerText(text[:strings.LastIndexByte(text, '\n')+1])
	if name := t.openName(ctx); name != "" && (t.said != "" || now != "") {
		t.writes(ctx, name, review.Section{Text: now}, false)
	}
}

// openName is the document where it is open and can be written; "" where it is not.
func (t *turnTalk) openName(ctx context.Context) string {
	if t.name == "" {
		name := t.s.openTalk(ctx, t.root)
		if name == "" || t.s.leavesClean(ctx, t.root, name) {
			return ""
		}
		return name
	}
	if _, open := t.s.docs.document(t.root, t.name); !open || !t.s.editsTalk() {
		return ""
	}
	return t.name
}

func (t *turnTalk) section() review.Section {
	t.mu.Lock()
	defer t.mu.Unlock()
	return review.Section{Kind: review.SectionAnswer, ID: t.turn, Title: "Coauthor"}
}

// writes has a document say what one has said and what the answer is now.
func (t *turnTalk) writes(ctx context.Context, name string, now review.Section, last bool) bool {
	one := t.section()
	one.Text = now.Text
	if now.Title != "" {
		one.Title = now.Title
	}
	used, put := "", t.put
	if last {
		used = strings.TrimPrefix(turnview.WithUsage("", t.root.session.Turns.Usage()), " · ")
	}
	change := func(doc string) string {
		if !review.HasSection(doc, one) {
			doc = review.WithSaid(doc, t.asked)
		}
		return review.WithUsed(review.WithMore(doc, one, put), used)
	}
	if last && t.said == "" && t.s.leavesClean(ctx, t.root, name) {
		t.root.talk.postpone(name, change)
		t.s.catchUp(t.root, name) // the user may have typed there in this moment, and nothing comes behind it
		return false
	}
	t.s.awaitCalm(ctx, t.root, name)
	done := t.s.writeTalk(ctx, t.root, name, change)
	if done {
		t.put = one.Text
	}
	return done
}

// End writes how the turn ended, and opens the document where it was asked for elsewhere and answered. It returns what to
// tell the user of an answer that could not be opened, and waits no longer than showWithin.
func (t *turnTalk) End(ctx context.Context, e turnview.End, otherwise func(ctx context.Context, answer string) string) string {
	close(t.over)
	told := make(chan string) // taken below, or by nobody
	late := make(chan struct{})
	defer close(late)
	if !t.s.tasks.Background(func(ctx context.Context) {
		<-t.wrote
		elsewhere := t.ends(ctx, e, otherwise)
		select {
		case told <- elsewhere:
		case <-late:
			if elsewhere != "" && ctx.Err() == nil {
				t.s.client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
			}
		}
	}) {
		return ""
	}
	wait, cancel := context.WithTimeout(ctx, showWithin)
	defer cancel()
	select {
	case elsewhere := <-told:
		return elsewhere
	case <-wait.Done():
		return ""
	}
}

func (t *turnTalk) ends(ctx context.Context, e turnview.End, otherwise func(ctx context.Context, answer string) string) string {
	text, title := t.lastText(e)
	name, writable := t.name, true
	if name == "" {
		name, writable = t.s.talkDocument(ctx, t.root)
	}
	if name == "" && writable {
		if text == "" {
			return ""
		}
		name = t.s.prompts(t.root).Free()
	}
	_, open := t.s.docs.document(t.root, name)
	if !writable || !t.writes(ctx, name, review.Section{Title: title, Text: text}, true) {
		if e.Answer != "" && ctx.Err() == nil {
			return otherwise(ctx, e.Answer)
		}
		return ""
	}
	if t.said == "" {
		t.root.talk.use(name, "")
	}
	if e.Result.Proposal != nil { // it may be decided on already
		t.s.writeBecame(ctx, t.root)
	}
	if e.Answer == "" || t.said != "" && open {
		return ""
	}
	return t.s.showTalk(ctx, t.root, name, t.section())
}

// lastText is what the turn says in the end, and its title.
func (t *turnTalk) lastText(e turnview.End) (text, title string) {
	t.mu.Lock()
	reply, turn := t.text.String(), t.turn
	t.mu.Unlock()
	prose := e.Result.Answer
	title = "Coauthor"
	if x, ok := t.root.session.Conversation.History.Find(turn); ok {
		prose = x.Prose
		for _, one := range []string{x.Coder, x.Model} {
			if one != "" {
				title += " · " + one
			}
		}
	}
	if strings.TrimSpace(prose) == "" && t.streams {
		prose = reply
	}
	var list []string
	if prose = review.AnswerText(prose); prose != "" {
		list = append(list, prose)
	}
	if p := e.Result.Proposal; p != nil {
		var lines []string
		for _, f := range p.Files {
			added, removed := f.Counts()
			lines = append(lines, fmt.Sprintf("- `%s`: %s, +%d -%d", strings.ReplaceAll(display.Message(f.Path()), "`", "'"), f.Change.Op, added, removed))
		}
		list = append(list, strings.Join(lines, "\n"))
	}
	if len(e.Failures) > 0 {
		lines := []string{"Not applied:", ""}
		for _, f := range e.Failures {
			lines = append(lines, "- "+review.Harmless(display.Message(annotate.RejectedText(f))))
		}
		list = append(list, strings.Join(lines, "\n"))
	}
	if len(list) == 0 && t.said == "" && e.State != event.TurnFailed {
		return "", title
	}
	last := review.Harmless(display.Message(e.Line))
	if link := t.s.linkOf(t.root, e.Result.Proposal); link != "" {
		last += " · [diff](" + link + ")"
	}
	return strings.Join(append(list, last), "\n\n"), title
}

// linkOf is the document with the diff of a proposal, as a link from another document of ours; "" where there is none.
func (s *server) linkOf(r *rootState, p *proposal.Proposal) string {
	views := s.views()
	if p == nil || s.client.CanShowVirtual() || views.Choose(s.settings(r).Preview, len(p.Warnings) > 0) != review.ViewDiff {
		return ""
	}
	return url.PathEscape(s.review(r).DiffName(p))
}
