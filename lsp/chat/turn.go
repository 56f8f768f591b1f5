package chat

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/lsp/annotate"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// Turn is what one turn says in the conversation of its folder: what was asked, the answer while it comes where the
// document is open, and how it ended. Its methods may be called from any goroutine, and wait for nothing but End.
type Turn struct {
	chat    *Chat
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

// ShowWithin is how long the end of a turn waits for the client to open the answer.
const ShowWithin = 2 * time.Second

// answerStep is how much time is between two steps of an answer that comes.
const answerStep = 700 * time.Millisecond

// NewTurn makes what a turn says; nil where it is to say nothing: our own plug-ins show the answer themselves.
func (c *Chat) NewTurn(req agent.Request, from From) *Turn {
	if c.o.Dir == "" || c.o.Client.Caps.Stream && from.Said == "" {
		return nil
	}
	t := &Turn{chat: c, name: from.Name, said: from.Said, asked: from.Said, wake: make(chan struct{}, 1),
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

// From is the document in which a request was run, and what stands there; the zero value is a request from elsewhere.
type From struct{ Name, Said string }

// Begin has the document say what was asked, and then what comes of it.
func (t *Turn) Begin(turn string) {
	t.mu.Lock()
	t.turn = turn
	t.mu.Unlock()
	if t.said != "" {
		t.chat.used.use(t.name, turn)
		t.signal()
	}
	if !t.chat.o.Tasks.Background(t.write) {
		close(t.wrote)
	}
}

// Delta takes a piece of the words of the reply.
func (t *Turn) Delta(piece string) {
	t.mu.Lock()
	t.text.WriteString(piece)
	t.mu.Unlock()
	if t.streams {
		t.signal()
	}
}

// Round says that another reply begins.
func (t *Turn) Round() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text.Len() > 0 {
		t.text.WriteString("\n\n")
	}
}

func (t *Turn) signal() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// write writes what has come, whole lines of it, one step after the other, until the turn ends.
func (t *Turn) write(ctx context.Context) {
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
		pause := time.NewTimer(t.chat.o.Landings.Scaled(answerStep))
		select {
		case <-pause.C:
		case <-t.over:
		case <-ctx.Done():
		}
		pause.Stop()
	}
}

// step writes what has come so far, where the document is open: nobody sees the others before the end.
func (t *Turn) step(ctx context.Context) {
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
func (t *Turn) openName(ctx context.Context) string {
	if t.name == "" {
		name := t.chat.open(ctx)
		if name == "" || t.chat.write.leavesClean(ctx, name) {
			return ""
		}
		return name
	}
	if _, open := t.chat.o.Open(t.name); !open || !t.chat.write.edits() {
		return ""
	}
	return t.name
}

func (t *Turn) section() review.Section {
	t.mu.Lock()
	defer t.mu.Unlock()
	return review.Section{Kind: review.SectionAnswer, ID: t.turn, Title: "Coauthor"}
}

// writes has a document say what one has said and what the answer is now.
func (t *Turn) writes(ctx context.Context, name string, now review.Section, last bool) bool {
	one := t.section()
	one.Text = now.Text
	if now.Title != "" {
		one.Title = now.Title
	}
	used, put := "", t.put
	if last {
		used = strings.TrimPrefix(turnview.WithUsage("", t.chat.o.Session.Turns.Usage()), " · ")
	}
	change := func(doc string) string {
		if !review.HasSection(doc, one) {
			doc = review.WithSaid(doc, t.asked)
		}
		return review.WithUsed(review.WithMore(doc, one, put), used)
	}
	if last && t.said == "" && t.chat.write.leavesClean(ctx, name) {
		t.chat.used.postpone(name, change)
		t.chat.CatchUp(name) // the user may have typed there in this moment, and nothing comes behind it
		return false
	}
	t.chat.write.awaitCalm(ctx, name)
	done := t.chat.Write(ctx, name, change)
	if done {
		t.put = one.Text
	}
	return done
}

// End writes how the turn ended, and opens the document where it was asked for elsewhere and answered. It returns what to
// tell the user of an answer that could not be opened, and waits no longer than ShowWithin.
func (t *Turn) End(ctx context.Context, e turnview.End, otherwise func(ctx context.Context, answer string) string) string {
	close(t.over)
	told := make(chan string) // taken below, or by nobody
	late := make(chan struct{})
	defer close(late)
	if !t.chat.o.Tasks.Background(func(ctx context.Context) {
		<-t.wrote
		elsewhere := t.ends(ctx, e, otherwise)
		select {
		case told <- elsewhere:
		case <-late:
			if elsewhere != "" && ctx.Err() == nil {
				t.chat.o.Client.ShowMessage(protocol.MessageTypeInfo, "Coauthor: "+elsewhere)
			}
		}
	}) {
		return ""
	}
	wait, cancel := context.WithTimeout(ctx, ShowWithin)
	defer cancel()
	select {
	case elsewhere := <-told:
		return elsewhere
	case <-wait.Done():
		return ""
	}
}

func (t *Turn) ends(ctx context.Context, e turnview.End, otherwise func(ctx context.Context, answer string) string) string {
	text, title := t.lastText(e)
	name, writable := t.name, true
	if name == "" {
		name, writable = t.chat.document(ctx)
	}
	if name == "" && writable {
		if text == "" {
			return ""
		}
		name = t.chat.Prompts.Free()
	}
	_, open := t.chat.o.Open(name)
	if !writable || !t.writes(ctx, name, review.Section{Title: title, Text: text}, true) {
		if e.Answer != "" && ctx.Err() == nil {
			return otherwise(ctx, e.Answer)
		}
		return ""
	}
	if t.said == "" {
		t.chat.used.use(name, "")
	}
	if e.Result.Proposal != nil { // it may be decided on already
		t.chat.writeBecame(ctx)
	}
	if e.Answer == "" || t.said != "" && open {
		return ""
	}
	return t.chat.show(ctx, name, t.section())
}

// lastText is what the turn says in the end, and its title.
func (t *Turn) lastText(e turnview.End) (text, title string) {
	t.mu.Lock()
	reply, turn := t.text.String(), t.turn
	t.mu.Unlock()
	prose := e.Result.Answer
	title = "Coauthor"
	if x, ok := t.chat.o.Session.Conversation.History.Find(turn); ok {
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
	if link := t.chat.o.Link(e.Result.Proposal); link != "" {
		last += " · [diff](" + link + ")"
	}
	return strings.Join(append(list, last), "\n\n"), title
}
