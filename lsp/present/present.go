package present

import (
	"context"
	"io"
	"log/slog"
	"net/url"
	"path"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/chat"
	"coauthor/lsp/client"
	"coauthor/lsp/deliver"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
	"coauthor/lsp/wire"
)

// Options are what a Presenter is made of. All are required.
type Options struct {
	Client    *client.Client
	Dir       string // OS path of the folder; "" is none
	URI       string // of the folder; "" is none
	Workspace *workspace.Workspace
	Session   *agent.Session
	Marks     *annotate.Marks
	Documents *Documents // of all folders
	Turns     *turnview.Table
	Questions *turnview.Questions
	Tasks     *wire.Tasks
	Landings  *deliver.Landings // scales how long the user is waited for
	Clock     func() time.Time
	Random    io.Reader // makes the names of questions
	Log       *slog.Logger

	// Chat is the conversation of the folder.
	Chat func() *chat.Chat
	// Open finds an open document of the folder by its path.
	Open func(path string) (deliver.Document, bool)
	// InFront is the path of the document that the user is in; "" for one of another folder.
	InFront func() string
	// Titles are those of the code actions, by their commands.
	Titles map[string]string
	// Mode is the setting that says how proposals are shown.
	Mode func() string
	// Quiet waits until the user does not type; Asked marks what they ask for at this moment.
	Quiet func(ctx context.Context) error
	Asked func(ctx context.Context) context.Context
	// Review delivers what the user accepts in a dialog, by the client's own preview where native is set; Deliver makes one
	// change of a document of ours.
	Review  func(native bool) review.Delivery
	Deliver func(ctx context.Context, step proposal.Step) ([]proposal.Landed, error)
	// Decided is told what becomes of the proposal of a turn; Draft shows what a turn has changed so far.
	Decided func(e *event.Event)
	Draft   func(turn string, changes []edits.Change)
}

// Presenter shows the user what happens in one folder. It is safe for concurrent use.
type Presenter struct {
	o     Options
	diffs pending // whose documents are to be brought up to date
}

// New returns the presenter of a folder.
func New(o Options) *Presenter { return &Presenter{o: o} }

// Review returns how the proposals of the folder are shown and decided.
func (p *Presenter) Review() *review.Review {
	return &review.Review{
		Editor: p.o.Client,
		Root: review.Root{
			Dir: p.o.Dir, Workspace: p.o.Workspace, Proposals: p.o.Session.Proposals,
			Open: func(path string) bool { _, open := p.o.Open(path); return open },
		},
		Views: Views(p.o.Client), Words: p.Words(), AsksItself: p.o.Client.Quirks.AsksItself, DialogBlocks: p.o.Client.Quirks.DialogBlocks,
		DialogTime: p.o.Landings.Scaled(review.DialogTime), Diffs: &p.o.Documents.diffs, Log: p.o.Log,
		Quiet: p.o.Quiet, Asked: p.o.Asked,
		Deliver: p.o.Review,
		Origin:  p.Origin,
		Refused: p.o.Turns.Refused,
		Name: func(one *proposal.Proposal, about string) string {
			return p.o.Documents.names.Of(key{Root: p, Turn: one.Turn, Proposal: one.ID, Attempt: one.Attempt}, p.free, "", p.o.Clock(), about, ".diff")
		},
	}
}

// Views is what a client can show of a proposal.
func Views(c *client.Client) review.Views {
	return review.Views{
		Native:  c.Quirks.NativePreview && c.Caps.Annotations && c.Caps.DocumentChanges,
		Pending: c.Caps.Pending, Plugin: c.Plugin != "", NoActions: !c.Caps.CodeActions && !c.Caps.Review,
	}
}

// Words is what messages have to know of the client.
func (p *Presenter) Words() review.Words {
	q := p.o.Client.Quirks
	return review.Words{Plugin: p.o.Client.Plugin, Menu: q.Menu, Titles: p.o.Titles, SavesHidden: q.SavesHidden}
}

// Origin is the path of the file that a turn came from: that of its request, else the one that the user is in; "" for none.
func (p *Presenter) Origin(turn string) string {
	if v := p.o.Turns.Find(turn); v != nil && v.Request().Target != nil {
		return v.Request().Target.Path
	}
	return p.o.InFront()
}

// Link is the document with the diff of a proposal, as a link from another document of ours; "" where there is none.
func (p *Presenter) Link(one *proposal.Proposal) string {
	views := Views(p.o.Client)
	if one == nil || p.o.Client.CanShowVirtual() || views.Choose(p.o.Mode(), len(one.Warnings) > 0) != review.ViewDiff {
		return ""
	}
	return url.PathEscape(p.Review().DiffName(one))
}

// Page opens a document that the user only reads: see review.Review.ShowMarkdown.
func (p *Presenter) Page(ctx context.Context, name, text string) string {
	return p.Review().ShowMarkdown(ctx, &p.o.Documents.Answers, name, text)
}

// free reports whether a name of a document can be had.
func (p *Presenter) free(name string) bool {
	return !p.o.Workspace.Door().OnDisk(path.Join(review.OwnFolder, name))
}
