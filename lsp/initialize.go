package lsp

import (
	"context"
	"errors"
	"io"
	"math"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/settings"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// initialize answers at once: it reads nothing from disk and loads nothing that is large.
func (s *server) initialize(_ context.Context, p *initializeParams, _ struct{}) (any, error) {
	var o initOptions
	if len(p.Options) > 0 {
		if err := wire.Decode(p.Options, &o); err != nil {
			s.log.Warn("initializationOptions are not understood", "err", err)
		}
	}
	s.client.Plugin = o.Client
	s.folders.Engine.ShowsIn(p.Locale)
	*s.client.Caps = client.CapabilitiesOf(p.ClientInfo.Name, p.ClientInfo.Version, &p.Capabilities, o.HasInput)
	s.config.writers = client.WritersOf(s.client.Caps)
	s.config.start(p.Options, o)
	s.chooseQuirks(o)
	enc, err := document.ChooseEncoding(s.client.Caps.Encodings, s.client.Quirks.PreferUTF16)
	if err != nil {
		s.log.Warn("position encoding", "err", err)
	}
	s.docs.encoding = enc
	folders := paths(p.Folders)
	if len(folders) == 0 && p.RootURI != "" {
		folders = paths([]workspaceFolder{{URI: p.RootURI}})
	}
	if len(folders) == 0 && p.RootPath != "" {
		folders = []string{p.RootPath}
	}
	s.folders.Change(folders, nil)
	if p.ProcessID != nil && *p.ProcessID > 0 && *p.ProcessID <= math.MaxInt32 {
		s.tasks.Parent = int(*p.ProcessID)
	}
	s.router.Enter(wire.Running)
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "coauthor", Version: protocol.NewOptional(s.opts.Version)},
	}, nil
}

// chooseQuirks finds the profile of the client. Only what the client and the environment say counts:
// the profile belongs to the connection, not to a root.
func (s *server) chooseQuirks(o initOptions) {
	layers := settings.LoadOptions{Env: s.opts.Env}
	if raw := s.config.own(); len(raw) > 0 {
		layers.Client = raw
	}
	own, _ := settings.Load(layers) // what is wrong in the settings is told by the settings
	q, err := client.Detect(own.Client, o.Client, s.client.Caps)
	if err != nil {
		s.log.Warn("client profile", "err", err)
	}
	for _, name := range q.Override(own.ClientQuirks) {
		s.log.Warn("setting ignored", "key", "client.quirks."+name, "problem", "unknown quirk")
	}
	*s.client.Quirks = q
}

// capabilities is what the server offers to this client.
func (s *server) capabilities() protocol.ServerCapabilities {
	yes, no := true, false
	incremental := protocol.TextDocumentSyncKindIncremental
	c := protocol.ServerCapabilities{
		PositionEncoding: protocol.PositionEncodingKind(s.docs.encoding),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: &yes,
			Change:    &incremental,
			Save:      &protocol.SaveOptions{IncludeText: &no},
		},
		CodeActionProvider: &protocol.CodeActionOptions{
			CodeActionKinds: s.table.offered.Kinds(),
			ResolveProvider: &no,
		},
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: commandNames(s.table.actions)},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported: &yes, ChangeNotifications: protocol.Boolean(true),
			},
		},
	}
	if s.client.Caps.Hover {
		c.HoverProvider = protocol.Boolean(true)
	}
	if s.client.Caps.InlayHint && !s.client.Caps.RegisterInlayHint && s.hunks.Marking() == "hints" {
		c.InlayHintProvider = protocol.Boolean(true)
	}
	if o := s.completionOptions(); o != nil {
		c.CompletionProvider = o
	}
	if s.client.Caps.CodeLens {
		c.CodeLensProvider = &protocol.CodeLensOptions{ResolveProvider: &no}
	}
	if s.client.CanShowVirtual() {
		c.Workspace.TextDocumentContent = &protocol.TextDocumentContentOptions{Schemes: []string{section}}
	}
	if s.client.Caps.Turn {
		c.Experimental = protocol.LSPAny(`{"coauthor":{"protocol":1}}`)
	}
	return c
}

// initialized opens the way to the client: requests to it may be sent from now on.
func (s *server) initialized(context.Context, *wire.Empty) error {
	s.client.Open()
	s.log.Info("client", "name", s.client.Caps.Name, "version", s.client.Caps.Version, "profile", s.client.Quirks.Client, "encoding", s.docs.encoding)
	s.tasks.Background(func(ctx context.Context) {
		_, _ = s.config.pullConfiguration(ctx) // what is wrong is in the log
		s.config.once.Do(func() { close(s.config.asked) })
	})
	s.tasks.Background(s.config.watchConfiguration)
	s.tasks.Background(s.watchFiles)
	s.tasks.Background(s.registerCompletion)
	if s.tasks.Parent != 0 {
		s.tasks.Background(func(ctx context.Context) { s.tasks.WatchParent(ctx, s.opts.AlivePoll, s.opts.Alive) })
	}
	return nil
}

// beginShutdown runs on the goroutine that reads: whatever comes after it is refused.
func (s *server) beginShutdown(*wire.Empty) struct{} {
	s.router.Enter(wire.ShutDown)
	s.client.Shut() // a client that waits for the end answers nothing more
	s.turns.Close()
	s.tasks.EndWaits()
	s.keepDocumentsSoon() // one that does not kills the server next
	return struct{}{}
}

// keepDocuments writes the prompt documents that are open when the client is gone to their files.
func (s *server) keepDocuments() {
	for _, doc := range s.docs.All() {
		doc.Root.Chat.KeepOpen(context.Background(), shown(doc))
	}
}

// keepWithin is how long the end of a session waits for the disk.
const keepWithin = 500 * time.Millisecond

// keepDocumentsSoon is keepDocuments for whoever cannot wait for a disk that hangs.
func (s *server) keepDocumentsSoon() {
	kept := make(chan struct{})
	if !s.tasks.Background(func(context.Context) {
		defer close(kept)
		s.keepDocuments()
	}) {
		return
	}
	limit := time.NewTimer(keepWithin)
	defer limit.Stop()
	select {
	case <-kept:
	case <-limit.C:
	}
}

// shutdown cancels every turn and waits a moment for their last words. A progress that has not ended by then ends
// without one: behind the answer it never would.
func (s *server) shutdown(ctx context.Context, _ *wire.Empty, _ struct{}) (any, error) {
	for _, r := range s.folders.Open() {
		r.Session.Turns.Cancel("")
	}
	moment, cancel := context.WithTimeout(ctx, lastWords)
	defer cancel()
	s.turns.Wait(moment)
	s.turns.EndItems(ctx)
	return nil, nil
}

// lastWords is how long the answer to a shutdown waits for what turns still have to say.
const lastWords = time.Second

// endWithin is how long the end of a session waits for what still runs; then the process ends anyway.
const endWithin = 2 * time.Second

// close ends everything that runs for the client, within endWithin.
func (s *server) close(rwc io.Closer) error {
	var err error
	select {
	case <-s.tasks.Exited():
		if s.router.Phase() != wire.ShutDown {
			err = ErrNoShutdown
		}
	default:
	}
	done := make(chan struct{})
	go func() { // outlives this function only when something hangs, and then the process ends
		defer close(done)
		s.turns.Wait(s.tasks.Context()) // after a shutdown their last words are still on the way
		s.tasks.Cancel()
		s.folders.Engine.Close()
		s.tasks.Close()
		s.keepDocuments()
		for _, r := range s.folders.Open() {
			s.folders.Close(r)
		}
	}()
	if errors.Is(err, ErrNoShutdown) {
		s.tasks.Cancel()
	}
	select {
	case <-done:
	case <-time.After(s.opts.within(endWithin)):
		s.tasks.Cancel()
		s.log.Warn("work still running after the end of the session")
	}
	if cerr := rwc.Close(); cerr != nil {
		s.log.Debug("connection not closed", "err", cerr)
	}
	return err
}

// watchFiles asks to be told of changes on disk, where that costs the user nothing.
func (s *server) watchFiles(ctx context.Context) {
	if !s.client.Caps.WatchFiles || !s.client.Quirks.WatchTree {
		return
	}
	type watcher struct {
		Glob string `json:"globPattern"`
	}
	err := s.client.Register(ctx, "coauthor-files", protocol.MethodWorkspaceDidChangeWatchedFiles,
		map[string][]watcher{"watchers": {{Glob: "**/*"}}})
	if err != nil {
		s.log.Info("not watching files for changes", "err", err)
	}
}
