package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"path/filepath"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/custom"
	"coauthor/agent/event"
	"coauthor/agent/help"
	"coauthor/agent/id"
	"coauthor/agent/lifetime"
	"coauthor/agent/llm"
	"coauthor/agent/mapper"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
)

// Options is what an Engine is made of. Settings, Client or ClientFor, and Catalog are required; everything else
// has a default.
type Options struct {
	// Settings are the settings in force for a root at this moment. A turn reads them once.
	Settings func(root string) settings.Settings
	// Client talks to the model.
	Client llm.Client
	// ClientFor is Client with what the settings in force for a turn say of the network; nil is Client for all.
	ClientFor func(s settings.Settings) llm.Client
	// Catalog knows the models and their aliases.
	Catalog func() *model.Catalog
	// StateDir is where journals of applied turns and transcripts of conversations are kept; "" keeps none.
	StateDir string
	// KeepPending has proposals that nobody decided on outlive their session, in the journal.
	KeepPending bool
	// Clock tells the time; nil is the wall clock.
	Clock func() time.Time
	// Sleep waits between what keeps a prompt in the provider's cache, and for the end of a turn's time; nil is the wall clock.
	Sleep func(ctx context.Context, d time.Duration) error
	// Around is what prompts may say of the user's machine; what the settings and Clock say of it is not read.
	Around prompt.Surroundings
	// OwnRules reads the user's own rules file, which counts in every root; without a text there is none. nil
	// has none.
	OwnRules func() (prompt.File, error)
	// OwnCommands reads the files of the commands that the user wrote for every root; nil has none.
	OwnCommands func() []custom.File
	// Random makes ids; nil is crypto/rand.
	Random io.Reader
	// Log takes what no user needs to see; nil discards.
	Log *slog.Logger
	// Sink is told what concerns turns that were started in no session of this engine: the proposals that an
	// earlier one left waiting. The events of all other turns go to the sink that they were started with. It is
	// called as an event.Sink is; nil discards.
	Sink func(ws *workspace.Workspace, e event.Event)
	// Coders are the strategies that a request may name; nil is coder.All.
	Coders coder.Table
	// Reserved says whether a custom command may not have a word, since a command of our own has it; nil reserves none beside
	// those of Coders.
	Reserved func(word string) bool
	// Checks look at what a turn is about to propose; nil is verify.Checks.
	Checks []verify.Check
	// Shadow runs the user's linters and tests; nil runs none, which is told with the change.
	Shadow *sandbox.Shadow
	// Fetch gets a page of the web; nil fetches none.
	Fetch web.Fetch
	// Environ is the environment of the commands that the user runs, as os.Environ gives it; nil runs none.
	Environ []string
	// Manual are the documents from which questions about the program are answered.
	Manual []help.Text
	// Map makes the map drawer of a root, once for each session; nil, or a nil Drawer, means no map.
	Map func(ws *workspace.Workspace) mapper.Drawer
}

// Engine holds the sessions of all roots. It is safe for concurrent use.
type Engine struct {
	o      Options
	hidden *llm.Hidden        // keys that models are not shown
	manual func() *help.Index // of Options.Manual, read when it is first asked
	locale atomic.Value       // the language that the editor shows itself in, a string
	life   *lifetime.Lifetime // ends with Close
	models modelFacts

	mu       sync.Mutex
	sessions map[string]*Session                    // guarded by mu; by root
	ending   map[*workspace.Workspace]chan struct{} // guarded by mu; closed when that session has ended
}

// ShowsIn says in which language the editor shows itself, as a tag such as "pt-br". It is for the sessions of all roots.
func (e *Engine) ShowsIn(locale string) { e.locale.Store(locale) }

// NewEngine returns an engine that is ready to run turns.
func NewEngine(o Options) *Engine {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.ClientFor == nil {
		o.ClientFor = func(settings.Settings) llm.Client { return o.Client }
	}
	hidden, open := llm.NewHidden(), o.ClientFor
	o.ClientFor = func(s settings.Settings) llm.Client {
		if s.RedactSecrets {
			return hidden.Client(open(s))
		}
		return open(s)
	}
	o.Random = id.Shared(o.Random)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Sink == nil {
		o.Sink = func(*workspace.Workspace, event.Event) {}
	}
	if o.Coders == nil {
		o.Coders = coder.All()
	}
	if o.Checks == nil {
		o.Checks = verify.Checks()
	}
	return &Engine{
		o: o, hidden: hidden, manual: sync.OnceValue(func() *help.Index { return help.New(o.Manual) }),
		life: lifetime.New(nil, ErrClosed), sessions: map[string]*Session{}, ending: map[*workspace.Workspace]chan struct{}{},
	}
}

// Options returns what the engine is made of.
func (e *Engine) Options() Options { return e.o }

// CustomCommands says where the commands stand that users wrote for themselves, with the settings of a root.
func (e *Engine) CustomCommands(ws *workspace.Workspace, set settings.Settings) custom.Sources {
	return custom.Sources{Coders: e.o.Coders, Reserved: e.o.Reserved, Settings: set, Files: e.o.OwnCommands, Workspace: ws}
}

// Session returns the session of a workspace root, and makes it when it is asked for the first time. A root
// has one session: when its folder was opened again, as another Workspace, the one before ends.
func (e *Engine) Session(ws *workspace.Workspace) *Session {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.sessions[ws.Root()]
	if before != nil && before.Workspace == ws {
		return before
	}
	var ended chan struct{}
	if before != nil {
		ended = e.end(before)
	}
	for old, ending := range e.ending { // it may be on its way out since its folder left
		if old.Root() == ws.Root() {
			ended = ending
		}
	}
	s := newSession(e, ws, ended)
	e.sessions[ws.Root()] = s
	return s
}

// Leave ends the session of a root whose folder is no longer worked in, and returns when it has ended: its
// turns are cancelled, what draws its maps is closed, and what waits for a decision is on disk.
func (e *Engine) Leave(ws *workspace.Workspace) {
	e.mu.Lock()
	if s := e.sessions[ws.Root()]; s != nil && s.Workspace == ws {
		delete(e.sessions, ws.Root())
		e.end(s)
	}
	ended := e.ending[ws]
	e.mu.Unlock()
	if ended != nil {
		<-ended
	}
}

// end has a session end in the background. The caller holds mu.
func (e *Engine) end(s *Session) chan struct{} {
	ended := make(chan struct{})
	e.ending[s.Workspace] = ended
	go func() { // whoever needs the end waits for ended
		s.end()
		e.mu.Lock()
		delete(e.ending, s.Workspace)
		e.mu.Unlock()
		close(ended)
	}()
	return ended
}

// Sessions returns all sessions, in the order of their roots.
func (e *Engine) Sessions() []*Session {
	e.mu.Lock()
	list := make([]*Session, 0, len(e.sessions))
	for _, s := range e.sessions {
		list = append(list, s)
	}
	e.mu.Unlock()
	sort.Slice(list, func(i, j int) bool { return list[i].Workspace.Root() < list[j].Workspace.Root() })
	return list
}

// Close ends every session and waits for that. No turn starts afterwards.
func (e *Engine) Close() {
	e.life.Close()
	for _, s := range e.Sessions() {
		s.Turns.Cancel("")
	}
	e.life.End()
	for _, s := range e.Sessions() {
		s.closeFiles()
	}
	e.mu.Lock()
	var ending []<-chan struct{}
	for _, ended := range e.ending {
		ending = append(ending, ended)
	}
	e.mu.Unlock()
	for _, ended := range ending {
		<-ended
	}
}

// openJournal opens the journal of a root, nil for none. A root whose journal cannot be written can still be worked on, but a
// crash in the middle of applying will not be noticed; that is said in the log.
func (e *Engine) openJournal(ws *workspace.Workspace) *proposal.Journal {
	if e.o.StateDir == "" || ws.Root() == "" {
		return nil
	}
	sum := sha256.Sum256([]byte(ws.Root()))
	dir := filepath.Join(e.o.StateDir, "journal", hex.EncodeToString(sum[:8]))
	journal, err := proposal.NewJournal(dir, proposal.ThisProcess())
	if err != nil {
		e.o.Log.Warn("no journal", "dir", dir, "error", err)
		return nil
	}
	return journal
}

// adoptLater has the session of a root take over, in the background, what an earlier one left. before is closed when the
// session that the root had before has ended, nil for none.
func (e *Engine) adoptLater(s *Session, before <-chan struct{}) {
	release, err := e.life.Hold()
	if err != nil {
		return
	}
	adopt, resume := s.Proposals.AdoptLater(), s.Commits.ResumeLater()
	go func() {
		defer release()
		if before != nil {
			<-before // what it still writes is to be read
		}
		e.adopt(adopt, s.Workspace.Root())
		resume()
	}()
}

// adopt makes what an ended server or session applied undoable here, and what it left waiting pending.
func (e *Engine) adopt(adopt func() (int, error), root string) {
	n, err := adopt()
	if err != nil {
		e.o.Log.Warn("could not read the journal", "root", root, "error", err)
	}
	if n > 0 {
		e.o.Log.Info("took over changes applied by a previous server", "root", root, "deliveries", n)
	}
}

// modelFacts is what was learned of models while they were asked. It is safe for concurrent use, and the zero value is ready.
type modelFacts struct {
	mu          sync.Mutex
	toolless    map[string]bool // guarded by mu; models whose servers take no tools
	uncacheable map[string]bool // guarded by mu; models of which the user was told that nothing keeps their cache warm
}

// noTools notes that the server of a model takes no tools.
func (f *modelFacts) noTools(model string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	first(&f.toolless, model)
}

func (f *modelFacts) hasNoTools(model string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.toolless[model]
}

// firstCold says, once for each model, that the user is to be told that nothing keeps its cache warm.
func (f *modelFacts) firstCold(model string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return first(&f.uncacheable, model)
}

// first puts a name into a set, and says whether it is new there.
func first(set *map[string]bool, name string) bool {
	if *set == nil {
		*set = map[string]bool{}
	}
	known := (*set)[name]
	(*set)[name] = true
	return !known
}
