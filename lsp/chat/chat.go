package chat

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
	"coauthor/lsp/client"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
	"coauthor/lsp/wire"
)

// Options are what a conversation is made of. All are required.
type Options struct {
	Client    *client.Client
	Dir       string // OS path of the folder; "" has no documents, and nothing is written
	Workspace *workspace.Workspace
	Session   *agent.Session
	Questions *turnview.Questions
	Origins   *review.Origins
	Coders    []string // the names that a document may have in its head
	// Open finds an open document of the folder by its path.
	Open func(path string) (deliver.Document, bool)
	// Documents are those of the folder that are open.
	Documents func() []deliver.Document
	// Deliver has the client make one change of a document of ours.
	Deliver func(ctx context.Context, step proposal.Step) ([]proposal.Landed, error)
	// Link is the document with the diff of a proposal, as a link from another document of ours; "" where there is none.
	Link  func(p *proposal.Proposal) string
	Tasks *wire.Tasks
	// Landings scales how long the user and the client are waited for.
	Landings *deliver.Landings
	Quiet    func(ctx context.Context) error // waits until the user does not type
	Clock    func() time.Time
	Sleep    func(ctx context.Context, d time.Duration) error
	Log      *slog.Logger
}

// Chat is the conversation of one folder. It is safe for concurrent use.
type Chat struct {
	// Prompts makes, opens and reads the documents.
	Prompts *review.Prompts

	o     Options
	used  used
	write writer
	heads wire.Coalesced // the changes of the heads of documents
}

// New returns the conversation of a folder.
func New(o Options) *Chat {
	c := &Chat{o: o, Prompts: &review.Prompts{Editor: o.Client, Dir: o.Dir, Workspace: o.Workspace, Origins: o.Origins, Log: o.Log,
		Text: func(path string) (string, bool) {
			doc, open := o.Open(path)
			if !open {
				return "", false
			}
			return doc.Text, true
		}}}
	c.write = writer{o: o, used: &c.used}
	return c
}

// mostTalk is how long a document may be that a conversation goes on in.
const mostTalk = 1 << 20

// document is that of the conversation: the one that was used last, else the newest that there is, as after a restart; ""
// where there is none, or the newest is one that the repository brought. writable is false where it is open in a client that
// cannot be asked to change it.
func (c *Chat) document(ctx context.Context) (path string, writable bool) {
	if c.o.Dir == "" {
		return "", false
	}
	path, _ = c.used.now()
	if path == "" || !c.has(path) {
		path = c.Prompts.Last()
		if path != "" && c.alien(ctx, path) {
			path = ""
		}
	}
	if path == "" {
		return "", true
	}
	doc, open := c.o.Open(path)
	if open && len(doc.Text) > mostTalk {
		return "", true
	}
	return path, !open || c.write.edits()
}

// alien says whether git tracks a prompt document that this server has not used yet, or may: then it is of the repository,
// which could put words into the user's mouth there, and to write into it would be seen by everybody.
func (c *Chat) alien(ctx context.Context, path string) bool {
	if alien, known := c.used.alien(path); known {
		return alien
	}
	alien, err := vcs.Tracks(ctx, c.o.Dir, path)
	if err != nil {
		c.o.Log.Info("not touching an existing prompt document", "path", path, "err", err)
		return true
	}
	c.used.setAlien(path, alien)
	return alien
}

// has says whether a prompt document is there, open or on disk.
func (c *Chat) has(path string) bool {
	_, open := c.o.Open(path)
	return open || c.o.Workspace.Door().OnDisk(path)
}

// open is the document of the conversation where it is open and can be written; "" where it is not.
func (c *Chat) open(ctx context.Context) string {
	if c.o.Dir == "" || !c.write.edits() {
		return ""
	}
	name, writable := c.document(ctx)
	if _, open := c.o.Open(name); !open || !writable {
		return ""
	}
	return name
}

// CatchUp writes what was postponed, once the user has changed the document or closed it. It returns at once.
func (c *Chat) CatchUp(name string) { c.write.catchUp(name) }

// Keep writes a prompt document that the client has closed to its file, where answers stand in it that the file lacks, and
// the file holds nothing that it lacks itself. So whoever leaves their editor need not save a document that is not theirs.
func (c *Chat) Keep(ctx context.Context, doc deliver.Document) {
	c.write.writing.Lock()
	defer c.write.writing.Unlock()
	if _, open := c.o.Open(doc.Path); !open { // else it was opened again
		c.write.keep(ctx, doc)
	}
}

// KeepOpen is Keep for a document that is open when the client is gone.
func (c *Chat) KeepOpen(ctx context.Context, doc deliver.Document) { c.write.keep(ctx, doc) }

// Write has a prompt document read as change makes it. It says whether that is so now.
func (c *Chat) Write(ctx context.Context, name string, change func(text string) string) bool {
	return c.write.write(ctx, name, change)
}

// Run notes that a request is run in a document, and returns the turn that it goes on with: the one that was run before it in
// the same document, if it changes files and runs or waits for the user; "" for none.
func (c *Chat) Run(path string, req agent.Request) (followUp string) {
	last, turn := c.used.now()
	if last != path {
		turn = ""
	}
	c.used.use(path, turn)
	if turn == "" || req.FollowUp != "" {
		return req.FollowUp
	}
	if resolved, err := c.o.Session.Resolve(req); err != nil || !resolved.Coder.Proposes() || strings.HasPrefix(req.Instruction, "/") {
		return ""
	}
	waits := slices.ContainsFunc(c.o.Session.Proposals.Pending(), func(p proposal.Proposal) bool { return p.Turn == turn })
	if waits || slices.ContainsFunc(c.o.Session.Turns.List(), func(t agent.TurnStatus) bool { return t.ID == turn }) {
		return turn
	}
	return ""
}

// Said has what was run in a document stand as said there. It returns at once.
func (c *Chat) Said(from From) {
	if _, open := c.o.Open(from.Name); open && !c.write.edits() {
		return
	}
	c.o.Tasks.Background(func(ctx context.Context) {
		c.Write(ctx, from.Name, func(doc string) string { return review.WithSaid(doc, from.Said) })
	})
}

// UpdateHeads has the open prompt documents say what is in the session now. It returns at once.
//
// The head of a prompt document says that. Where a command changes it while the document is open, the line is changed there
// too: by an edit of that one line, made of the version that the client has, so that what the user types goes before it. It
// is a courtesy: what cannot be changed so stays, and each command has told the new state anyway.
func (c *Chat) UpdateHeads() {
	q := *c.o.Client.Quirks
	if c.o.Dir == "" || !c.o.Client.Caps.ApplyEdit || q.AsksItself || q.ChangesLate || q.HiddenUntold || q.RebasesEdits || q.IgnoresVersions {
		return // the client would ask the user, or could put the line into what they type meanwhile
	}
	c.o.Tasks.Coalesce(&c.heads, func(ctx context.Context) {
		now := c.o.Session.Chosen.Get().String()
		for _, doc := range c.o.Documents() {
			if !review.IsPrompt(doc.Path) || ctx.Err() != nil || c.write.leavesClean(ctx, doc.Path) {
				continue
			}
			if !c.Write(ctx, doc.Path, func(text string) string { text, _ = review.WithNow(text, now); return text }) {
				c.o.Log.Info("head of a prompt document not updated", "path", doc.Path)
			}
		}
	})
}

// Became has the conversation say what became of a change since its answer was written there. It returns at once.
func (c *Chat) Became(state event.ProposalState) {
	if path, _ := c.used.now(); path != "" && state != event.ProposalApplying {
		c.o.Tasks.Background(c.writeBecame)
	}
}

// writeBecame writes what has become of changes by now. A document that has nothing unsaved is left so where its user would
// be asked about it: it is brought up to date with what is written there next.
func (c *Chat) writeBecame(ctx context.Context) {
	path, _ := c.used.now()
	if path == "" || !c.has(path) || c.write.leavesClean(ctx, path) {
		return
	}
	if doc, open := c.o.Open(path); open {
		if c.write.withBecame(doc.Text) == doc.Text {
			return
		}
		c.write.awaitCalm(ctx, path)
	}
	c.Write(ctx, path, func(doc string) string { return doc })
}

// show opens a document of the conversation at a section, where the client does not show it already. It returns what to
// tell the user where it could not be opened.
func (c *Chat) show(ctx context.Context, name string, at review.Section) string {
	ctx, release := c.o.Tasks.WhileAnswered(ctx)
	defer release()
	doc := c.Prompts.At(name)
	if open, is := c.o.Open(name); is { // to move the cursor there would be in the way of whoever writes
		doc.URI = open.URI
		if shown, err := c.o.Client.ShowDocument(ctx, doc.URI, false, nil); !shown {
			c.o.Log.Info("conversation not shown by the client", "uri", doc.URI, "err", err)
			return "open " + doc.Abs
		}
		return ""
	}
	var place *protocol.Range
	if text, err := c.o.Workspace.Door().DiskText(ctx, name); err == nil {
		if line, ok := review.LineOf(text, at); ok {
			there := protocol.Position{Line: uint32(line)}
			place = &protocol.Range{Start: there, End: there}
		}
	}
	shown, err := c.o.Client.ShowDocument(ctx, doc.URI, false, place)
	if shown {
		return ""
	}
	c.o.Log.Info("conversation not opened by the client", "uri", doc.URI, "err", err)
	return "open " + doc.Abs
}
