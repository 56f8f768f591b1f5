package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/llm/remote"
	"coauthor/agent/mapper"
	"coauthor/agent/mention"
	"coauthor/agent/model"
	"coauthor/agent/pipeline"
	"coauthor/agent/prompt"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
	"coauthor/cmd/coauthor/console"
	"coauthor/cmd/coauthor/userfiles"
)

// wiring makes the parts of the product out of the environment, the settings files and the flags.
// The server and the commands that run a turn share it. It is safe for concurrent use.
type wiring struct {
	env    func(string) string
	log    *slog.Logger
	flags  map[string]string // names of settings -> values given on the command line
	coders coder.Table
	words  func() []command.Action // the commands, made once: a menu asks for each custom command whether one of them has its name
	temps  lateTemps
	user   *userfiles.Files
	// texts are the files of settings as they were read.
	texts settings.Texts

	mu      sync.Mutex
	indexes map[*workspace.Workspace]*index.Index // guarded by mu; each has the door of its workspace
	catalog *model.Catalog                        // guarded by mu; the table alone
	starter remote.Starter
}

func newWiring(s Streams, flags map[string]string, log *slog.Logger) *wiring {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	w := &wiring{starter: remote.ByShell, env: s.Env, log: log, user: userfiles.New(s.Env, log), flags: flags, coders: s.coders(), indexes: map[*workspace.Workspace]*index.Index{}}
	w.words = sync.OnceValue(w.actions)
	w.temps = lateTemps{sync.OnceValue(func() workspace.Temps { return newTemps(w.user.State(), w.log) })}
	return w
}

// settings merges the layers for a root.
func (w *wiring) settings(root string, client settings.Editor) (settings.Settings, []settings.Warning) {
	o := settings.LoadOptions{Env: w.env, Flags: w.flags, ClientOwn: client.Own, Texts: &w.texts,
		Catalog: func(user map[string]model.UserModel) (*model.Catalog, error) { return w.models(user), nil }}
	if len(client.Settings) > 0 {
		o.Client = client.Settings
	}
	o.UserPath, o.WorkspacePath = settings.Files(w.env, w.user.Home(), root)
	o.UserFile, o.UserError = w.user.Settings()
	o.Trusted = o.Trusts(root, client.Trusted)
	if root != "" {
		o.WorkspaceFile, o.WorkspaceError = workspace.ReadBelow(root, relative(root, o.WorkspacePath), settings.MaxFileBytes)
		if errors.Is(o.WorkspaceError, fs.ErrNotExist) {
			o.WorkspaceFile, o.WorkspaceError = nil, nil
		}
	}
	v, warnings := settings.Load(o)
	unread := w.user.Unread(v.EnvFiles)
	v.Unchosen, v.Model = v.Model == "", v.DefaultModel(w.models(v.Models), w.keys(v))
	if v.Unchosen && len(unread) > 0 && v.Unread == "" && v.APIBase == "" { // the model is one that there is a key for
		v.Unread = unread[0].String()
	}
	return v, append(warnings, unread...)
}

// keys is the environment with the keys that the user keeps elsewhere.
func (w *wiring) keys(s settings.Settings) func(name string) string {
	var names []string
	if len(s.EnvFiles) > 0 {
		names = s.KeyNames(w.models(s.Models))
	}
	return w.user.Keys(s.EnvFiles, names)
}

// models returns the catalogue with the user's models over it.
func (w *wiring) models(user map[string]model.UserModel) *model.Catalog {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.catalog == nil {
		c, err := model.Load(nil)
		if err != nil { // the embedded table is broken, which its own test excludes
			panic(err)
		}
		w.catalog = c
	}
	return w.catalog.With(user)
}

// actions are the commands that users can write.
func (w *wiring) actions() []command.Action { return pipeline.ActionsOf(w.coders) }

// reserved says whether a command of our own has a word.
func (w *wiring) reserved(word string) bool {
	_, _, ok := command.CommandOf(w.words(), "/"+word)
	return ok
}

// engine makes an engine. get returns the settings in force for a root; sink is told of the proposals that an
// earlier session left waiting. nil is for a command: it keeps none, and takes none over.
func (w *wiring) engine(get func(root string) settings.Settings, sink func(*workspace.Workspace, event.Event)) *agent.Engine {
	return agent.NewEngine(agent.Options{
		Sink:        sink,
		Coders:      w.coders,
		Reserved:    w.reserved,
		Manual:      manual(),
		Settings:    get,
		ClientFor:   (&callers{wiring: w}).of,
		Catalog:     func() *model.Catalog { return w.models(get("").Models) },
		StateDir:    w.user.State(),
		KeepPending: sink != nil,
		Log:         w.log,
		Map:         w.mapper,
		Around:      prompt.SurroundingsOf(w.env, runtime.GOOS, runtime.GOARCH, console.Language()),
		OwnRules:    w.user.Rules,
		OwnCommands: w.user.Commands,
		Shadow:      w.shadow(),
		Environ:     environ(w.env),
		Fetch:       w.fetch,
	})
}

// fetch gets a page of the web.
func (w *wiring) fetch(ctx context.Context, address string, s settings.Settings) (mention.Page, error) {
	roots, err := w.user.Roots(s.CAFile)
	if err != nil {
		return mention.Page{}, err
	}
	return mention.Fetch(ctx, address, mention.FetchOptions{Private: s.Web.PrivateHosts, Roots: roots})
}

// mapper opens the index of a root, which fills in the background.
func (w *wiring) mapper(ws *workspace.Workspace) mapper.Drawer {
	x, err := w.index(ws)
	if err != nil {
		w.log.Warn("could not build the repository map", "root", ws.Root(), "error", err)
		return nil
	}
	return &rootIndex{x, w, ws}
}

// rootIndex is the index of a root until the root is left.
type rootIndex struct {
	*index.Index
	w  *wiring
	ws *workspace.Workspace
}

// Close closes the index. The next session of the same root gets another, with the door of its own workspace.
func (r *rootIndex) Close() {
	r.w.mu.Lock()
	if r.w.indexes[r.ws] == r.Index {
		delete(r.w.indexes, r.ws)
	}
	r.w.mu.Unlock()
	r.Index.Close()
}

func (w *wiring) index(ws *workspace.Workspace) (*index.Index, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if x, ok := w.indexes[ws]; ok {
		return x, nil
	}
	l := &lister{door: ws.Door(), clock: time.Now}
	x, err := index.Open(context.Background(), ws.Root(), index.Options{StateDir: w.user.State(), Log: w.log, Door: l.allows, Worker: workerCommand()})
	if err != nil {
		return nil, err
	}
	w.indexes[ws] = x
	return x, nil
}

// lister judges the paths of an index. It is safe for concurrent use. What it knows of the ignore files is at most
// keepLister old.
type lister struct {
	door  *workspace.Door
	clock func() time.Time

	mu   sync.Mutex
	idle []judge // guarded by mu; each is used by one goroutine at a time
}

// judge is a judge of the door's, and when it was made.
type judge struct {
	allows func(path string) bool
	made   time.Time
}

const keepLister = 5 * time.Second

func (l *lister) allows(path string) bool {
	j := l.take(l.clock())
	allowed := j.allows(path)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = append(l.idle, j)
	return allowed
}

// take gives a judge that nobody uses, a new one if need be.
func (l *lister) take(now time.Time) judge {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.idle) > 0 {
		last := len(l.idle) - 1
		j := l.idle[last]
		if l.idle = l.idle[:last]; now.Sub(j.made) <= keepLister {
			return j
		}
	}
	return judge{l.door.Lister(context.Background()), now}
}

// workspace opens the files of a root; "" is the rootless one.
func (w *wiring) workspace(root string, s settings.Settings) (*workspace.Workspace, error) {
	w.temps.get() // what killed processes left goes first
	return workspace.Open(root, workspace.Options{
		Ignore:   vcs.NewIgnore(root, nil).Check,
		Encoding: s.Encoding, AllowIgnored: s.AllowIgnored, IgnoreFiles: s.IgnoreFiles, DenyGlobs: s.DenyGlobs, ProtectedGlobs: s.ProtectedGlobs,
		Log: w.log, Temps: w.temps,
	})
}

// later is workspace with a folder that is opened, and settings that are read, when the first file is judged.
func (w *wiring) later(root string, get func() settings.Settings) (*workspace.Workspace, error) {
	return workspace.OpenLater(root, workspace.Options{
		Ignore: vcs.NewIgnore(root, nil).Check,
		Policy: func() workspace.Policy {
			s := get()
			return workspace.Policy{
				Encoding: s.Encoding, AllowIgnored: s.AllowIgnored, IgnoreFiles: s.IgnoreFiles, DenyGlobs: s.DenyGlobs, ProtectedGlobs: s.ProtectedGlobs,
			}
		},
		Log: w.log, Temps: w.temps,
	})
}

// newTemps removes what killed processes left, and remembers what this one makes; nil without a home.
func newTemps(dir string, log *slog.Logger) workspace.Temps {
	if dir == "" {
		return nil
	}
	temps, err := proposal.NewTemps(filepath.Join(dir, "temporary"), proposal.ThisProcess())
	if err != nil {
		log.Warn("temporary files", "error", err)
	}
	return temps
}

// lateTemps are the temporaries, made by whoever needs them first: what killed processes left may lie in a
// folder that does not answer.
type lateTemps struct{ get func() workspace.Temps }

// Begin implements workspace.Temps.
func (l lateTemps) Begin(abs string) (done func(), err error) {
	if t := l.get(); t != nil {
		return t.Begin(abs)
	}
	return nil, nil
}

// close stops the work in the background.
func (w *wiring) close() {
	w.mu.Lock()
	indexes := w.indexes
	w.indexes = map[*workspace.Workspace]*index.Index{}
	w.mu.Unlock()
	for _, x := range indexes {
		x.Close()
	}
}

// warn prints what is wrong in the settings, once a command.
func warn(s Streams, warnings []settings.Warning) {
	for _, w := range warnings {
		s.tell("coauthor: " + display.Message(w.String()))
	}
}

// plain returns the settings of a root without an editor's. Whoever starts has shown the warnings.
func (w *wiring) plain(root string) settings.Settings {
	v, _ := w.settings(root, settings.Editor{})
	return v
}
