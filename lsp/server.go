package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/event"
	"coauthor/agent/id"
	"coauthor/agent/pipeline"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/lsp/client"
	"coauthor/lsp/codeaction"
	"coauthor/lsp/deliver"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
	"coauthor/lsp/hunks"
	"coauthor/lsp/present"
	"coauthor/lsp/turnview"
	"coauthor/lsp/wire"
)

// Options are what a server is made of. Engine, Settings and Workspace are required.
type Options struct {
	// Version is told to the client.
	Version string
	// Engine makes the engine that runs the turns. It is called once for each connection and passes
	// the hooks on as the engine's options Settings and Sink.
	Engine func(Hooks) *agent.Engine
	// Settings merges the layers for a root with what the client said.
	Settings func(root string, client settings.Editor) (settings.Settings, []settings.Warning)
	// Env is the environment, in which the user may name the profile of their client; nil is empty.
	Env func(name string) string
	// Workspace opens a root; "" is the rootless one. It must look neither at the disk nor wait for the
	// settings: get reads files, and is to be called when a file is first judged or read; see
	// workspace.OpenLater and workspace.Options.Policy.
	Workspace func(root string, get func() settings.Settings) (*workspace.Workspace, error)
	// Doctor checks what the engine needs: settings, key, endpoint, model, root. The server adds what
	// it knows of the client. warnings is never nil. request says that the user allows one small request
	// to the model.
	Doctor func(ctx context.Context, root string, s settings.Settings, warnings []settings.Warning, request bool) []Check
	// Lacks says in a sentence what is missing before the model of these settings can be asked, without asking anybody: its
	// key, or its endpoint. "" is nothing; nil knows nothing.
	Lacks func(s settings.Settings) string
	// SetSecret keeps a key that the client has for the user, by the name of the variable that a setting names for it; ""
	// forgets it. nil keeps none.
	SetSecret func(name, value string)
	// Log takes what nobody needs to see on the screen; warnings and errors go to the client's log
	// too. nil discards.
	Log slog.Handler
	// Coders are those that the engine has; nil is coder.All.
	Coders coder.Table
	// Clock tells the time; nil is the wall clock.
	Clock func() time.Time
	// Sleep waits for a time of the Clock to pass, or for ctx; nil waits by the wall clock.
	Sleep func(ctx context.Context, d time.Duration) error
	// Random makes the names of questions; nil is crypto/rand.
	Random io.Reader
	// Alive reports whether the process that started the client still runs; nil asks the system.
	Alive func(pid int) bool
	// AlivePoll is the time between two such questions; 0 is three seconds.
	AlivePoll time.Duration
	// GCPercent sets how much garbage may gather, in per cent of what is alive, and gives what was set
	// before: debug.SetGCPercent, in a process that is this server's own; nil leaves the collector alone.
	GCPercent func(percent int) (previous int)

	patience float64 // scales how long the client is given, for tests; 0 is 1
	slack    float64 // scales how long a command may take before it is answered, for tests; 0 is 1
}

// within is how long a command may take for something.
func (o *Options) within(d time.Duration) time.Duration {
	if o.slack == 0 {
		return d
	}
	return time.Duration(float64(d) * o.slack)
}

// Hooks are what an engine asks and tells the server that owns it.
type Hooks struct {
	// Settings are the settings of a root as this connection's client sees them.
	Settings func(root string) settings.Settings
	// Sink is told of the proposals that an earlier session left waiting.
	Sink func(ws *workspace.Workspace, e event.Event)
}

// Check is one thing that the doctor looked at.
type Check struct {
	Name    string `json:"name"`
	OK      bool   `json:"ok"`
	Message string `json:"message"`
	Advice  string `json:"advice,omitzero"` // what to do about it
	// Untried: one small request to the model would tell more, and the user was not asked for it yet.
	Untried bool `json:"-"`
}

// ErrNoShutdown says that the client left without saying so first. Its exit status is 1.
var ErrNoShutdown = errors.New("the client left without a shutdown request")

// server is one connection: the client, what is known of it, its folders and documents, and what the user is shown and
// asked. What has a state of its own is a field with its own type; a handler is a method.
type server struct {
	opts      Options
	log       *slog.Logger
	router    *wire.Router
	client    *client.Client
	tasks     *wire.Tasks
	table     commandTable
	config    *config
	docs      documents
	folders   *folder.Table
	turns     *turnview.Table
	questions *turnview.Questions
	landings  deliver.Landings // who waits for documents to change
	own       present.Documents
	hunks     *hunks.Views
}

// commandTable is what the client can have done.
type commandTable struct {
	actions []command.Action
	rows    map[string]commandRow // how each of them is run, by its id
	offered codeaction.Table      // the code actions
}

// documents are those that are open, and how the client changes them.
type documents struct {
	*document.Table[*folder.Folder]
	client   *client.Client
	encoding document.Encoding // set by initialize, before anything else reads it
	early    document.Early    // only the goroutine that reads uses it
	echoes   deliver.Echoes    // documents that are told as opened and are not
	keys     keys              // when the user typed
	syncing  sync.Mutex        // held while open documents are changed
	headroom headroom          // for the garbage that changes of large documents make
}

// Serve talks to one client until it leaves, the connection breaks, the client's parent process
// dies or ctx ends. Then every turn is cancelled and rwc is closed. It returns ErrNoShutdown when
// the client sent exit without shutdown, and what was wrong when a broken message header ended the reading. It
// writes nothing to the log after that.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, o Options) error {
	return newServer(ctx, o).serve(rwc)
}

func (s *server) serve(rwc io.ReadWriteCloser) error {
	defer s.tasks.CloseLines(s.opts.within(endWithin))
	defer s.tasks.Cancel()
	defer s.docs.headroom.want(false)
	stream := wire.NewStream(rwc, s.log, s.tasks.Cancel)
	s.router.Arrived = stream.Arrived
	conn := jsonrpc2.NewConn(stream)
	s.client.Connect(conn)
	s.methods()
	conn.Go(context.WithoutCancel(s.tasks.Context()), s.router.Handle)
	select {
	case <-conn.Done():
	case <-s.tasks.Exited():
	case <-s.tasks.Context().Done(): // hang-up, a dead parent or ctx
	}
	err := s.close(stream)
	if broken := stream.FrameError(); broken != nil {
		return errors.Join(fmt.Errorf("read from the editor: %w", broken), err)
	}
	return err
}

func newServer(ctx context.Context, o Options) *server {
	if o.Log == nil {
		o.Log = slog.DiscardHandler
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	o.Random = id.Shared(o.Random)
	if o.Alive == nil {
		o.Alive = proposal.Running
	}
	if o.Coders == nil {
		o.Coders = coder.All()
	}
	if o.AlivePoll == 0 {
		o.AlivePoll = 3 * time.Second
	}
	s := &server{opts: o, table: commandTable{actions: pipeline.ActionsOf(o.Coders), offered: codeaction.NewTable(o.Coders)}}
	s.tasks = wire.NewTasks(ctx)
	s.docs.keys.clock, s.docs.keys.sleep = o.Clock, o.Sleep
	s.client = &client.Client{Caller: wire.NewCaller(s.tasks.Context()), Caps: &client.Capabilities{}, Quirks: &client.Quirks{}, Quiet: s.docs.keys.quiet}
	s.log = slog.New(&clientLog{next: o.Log, client: s.client, lines: &s.tasks.Lines})
	s.router = wire.NewRouter(s.tasks.Context(), s.log)
	s.tasks.Start(s.router, s.log)
	s.hunks = &hunks.Views{Client: s.client, Tasks: s.tasks, Log: s.log}
	s.landings.Scale = o.patience
	s.docs.client = s.client
	s.docs.Table, s.docs.encoding = document.NewTable[*folder.Folder](folder.KindOf), document.UTF16
	s.config = newConfig(s)
	s.docs.headroom.set = o.GCPercent
	s.folders = folder.NewTable(folder.TableOptions{
		Workspace: func(dir string) (*workspace.Workspace, error) {
			return o.Workspace(dir, func() settings.Settings { return s.config.settings(dir) })
		},
		Fill: s.fill, Documents: s.docs.Table, Syncing: &s.docs.syncing, Landings: &s.landings, Tasks: s.tasks, Log: s.log,
	})
	s.questions = &turnview.Questions{}
	s.turns = turnview.New(turnview.Options{Client: s.client, Questions: s.questions, Clock: o.Clock, Log: s.log, Background: s.tasks.Background})
	s.table.rows = commandRows(s)
	s.folders.Engine = o.Engine(Hooks{Settings: s.config.settings, Sink: func(ws *workspace.Workspace, e event.Event) { // of proposals that wait since an earlier session of their folder
		if r := s.folders.Of(ws); r != nil {
			s.decided(r, &e)
		}
	}})
	return s
}

// methods is the table of what clients may send.
func (s *server) methods() {
	r := s.router
	wire.OnNote(r, protocol.MethodCancelRequest, r.Cancel)
	wire.OnNote(r, protocol.MethodExit, s.tasks.OnExit)
	wire.OnCall(r, protocol.MethodInitialize, wire.None, s.initialize)
	wire.OnNote(r, protocol.MethodInitialized, s.initialized)
	wire.OnCall(r, protocol.MethodShutdown, s.beginShutdown, s.shutdown)

	wire.OnNote(r, protocol.MethodTextDocumentDidOpen, s.didOpen)
	wire.OnNote(r, protocol.MethodTextDocumentDidChange, s.didChange)
	wire.OnNote(r, protocol.MethodTextDocumentDidSave, s.didSave)
	wire.OnNote(r, protocol.MethodTextDocumentDidClose, s.didClose)

	wire.OnNote(r, protocol.MethodWorkspaceDidChangeWorkspaceFolders, s.didChangeFolders)
	wire.OnNote(r, protocol.MethodWorkspaceDidChangeConfiguration, s.config.didChangeConfiguration)
	wire.OnNote(r, protocol.MethodWorkspaceDidChangeWatchedFiles, s.folders.DidChangeFiles)
	wire.OnCall(r, protocol.MethodWorkspaceExecuteCommand, s.captureCommand, s.executeCommand)
	wire.OnCall(r, protocol.MethodTextDocumentCodeAction, s.captureCodeAction, s.codeAction)
	wire.OnCall(r, protocol.MethodTextDocumentCodeLens, wire.None, s.codeLenses)
	wire.OnCall(r, protocol.MethodTextDocumentHover, wire.None, s.hover)
	wire.OnCall(r, protocol.MethodTextDocumentInlayHint, wire.None, s.inlayHints)
	wire.OnCall(r, protocol.MethodTextDocumentCompletion, s.docs.captureCompletion, s.completion)
	wire.OnCall(r, protocol.MethodWorkspaceTextDocumentContent, wire.None, s.textDocumentContent)
	wire.OnNote(r, protocol.MethodWindowWorkDoneProgressCancel, s.turns.CancelProgress)

	wire.OnCall(r, methodGetReview, wire.None, s.getReview)
	wire.OnCall(r, methodGetPending, wire.None, s.getPending)
	wire.OnNote(r, methodDidFocus, s.docs.didFocus)
	wire.OnNote(r, methodDiagnostics, s.didDiagnose)
	wire.OnNote(r, methodSetTrust, s.config.didSetTrust)
	wire.OnNote(r, methodSetSecret, s.didSetSecret)
	wire.OnCall(r, methodGetTexts, wire.None, s.getTexts)
	wire.OnCall(r, methodGetTranscript, wire.None, s.getTranscript)
}
