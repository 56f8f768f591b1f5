package lsp

import (
	"context"
	"log/slog"
	"sync"

	"coauthor/agent"
	"coauthor/agent/proposal"
	"coauthor/lsp/client"
	"coauthor/lsp/deliver"
	"coauthor/lsp/document"
	"coauthor/lsp/review"
	"coauthor/lsp/wire"
)

// What a connection has to remember stands in layers, each on the one before it. A function has the lowest layer that has
// all it needs, so it reaches nothing above that: what shows a diagnostic can start no turn. The functions behind commands
// get the call, which holds the arguments and what there was when it came (snapshot, session, place), and the layer that
// they work in; commandRows gives them that.
//
// What a lower layer has to tell a higher one is a function that newServer puts in.

// connection is the client and what is known of it: it asks, tells and waits, and knows no file. caps, quirks, writers,
// encoding and plugin are set by initialize, before anything else reads them, and stay.
type connection struct {
	opts Options
	log  *slog.Logger
	ctx  context.Context // ends with the connection
	// untilShutdown ends with the connection, or when the client has asked for the end: it need not answer behind that,
	// and what it tells is not heard.
	untilShutdown context.Context

	router *wire.Router
	client *client.Client
	tasks  wire.Group

	caps     client.Capabilities
	quirks   client.Quirks
	writers  client.Writers // who can write what the client sends of settings
	encoding document.Encoding
	plugin   string // what the client calls our own plug-in in it, for example "neovim-module"

	actions  []agent.Action   // the table of commands and code actions
	keys     keys             // when the user typed
	landings deliver.Landings // who waits for documents to change
}

// folders are the workspace folders and other roots, with their sessions and settings, and the documents that are open.
type folders struct {
	*connection
	engine  *agent.Engine
	roots   *roots
	docs    *document.Table[*rootState]
	config  *config
	early   document.Early // only the goroutine that reads uses it
	lookups lookups
	syncing sync.Mutex // held while open documents are changed
	hints   fileHints  // what the client told of files on disk

	headroom headroom // for the garbage that changes of large documents make
}

// annotations are what stands at lines of the user's documents: diagnostics, lenses, hints, comments that ask for a change.
type annotations struct {
	*folders
	marked   marked
	refused  refusedEdits
	comments markedComments
	writing  writing
	fetched  fetched
	telling  sync.Mutex // held while the client is told what we say of a document
	lenses   onceMore   // having the client ask for the code lenses again
	hinted   bool       // the client is to mark hunks under review by inlay hints, as far as is known when it starts
	hinting  sync.Once  // inlay hints were declared
}

// window is what the user is shown and asked: reviews, questions, the conversation, documents that the server writes.
type window struct {
	*annotations
	turns     *turns
	questions questions      // what the user was asked
	origins   review.Origins // what prompt documents were opened for
	answers   review.Answers
	diffs     review.Diffs
	names     review.Names[*rootState] // of the documents that the server writes about turns
	echoes    deliver.Echoes           // documents that are told as opened and are not
	late      lateOutcomes
	// delivered is told what came of what a review delivered.
	delivered func(r *rootState, declined bool, out proposal.Outcome, meant proposal.Status)
}

// runner starts turns and follows each to its end, and starts those that what the user does asks for.
type runner struct {
	*window
	following following // what waits for proposals to be applied
}

// decisions brings into the client's documents what the user has decided.
type decisions struct {
	*runner
}

// commands finds the function of a command, with what it was made against.
type commands struct {
	*decisions
	rows map[string]commandRow // by the action's id
}

// newLayers makes the layers of a connection. The engine's hooks come from them, so it is put in last.
func newLayers(c *connection) *commands {
	f := &folders{connection: c, docs: document.NewTable[*rootState](kindOf), config: newConfig(c)}
	f.headroom.set = c.opts.GCPercent
	a := &annotations{folders: f}
	f.roots = &roots{s: f, open: map[string]*rootState{}, closing: a.endMarks, reviewed: a.reviewChanged}
	w := &window{annotations: a, turns: newTurns(c.client, c.background)}
	r := &runner{window: w}
	d := &decisions{runner: r}
	w.delivered = d.delivered
	all := &commands{decisions: d}
	all.rows = commandRows(all)
	f.engine = c.opts.Engine(Hooks{Settings: f.config.settings, Sink: r.left})
	return all
}
