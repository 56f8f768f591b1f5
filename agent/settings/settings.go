// Package settings is THE table of settings: every key with its type, default, scope and
// documentation, the typed struct it fills, and the layers it is read from.
//
// It reads no files and no environment by itself: callers pass contents in. From the table come the
// command-line flags, SETTINGS.md and the defaults of the editor plug-ins. The main types are
// Settings and Row; Load is the way in.
package settings

import (
	"time"

	"coauthor/agent/model"
)

// Settings is the effective value of every setting.
type Settings struct {
	Model       string
	WeakModel   string
	EditorModel string
	Models      map[string]model.UserModel
	APIBase     string
	APIKeyEnv   string

	APIKeyCommand       string
	EnvFiles            []string // absolute paths, or such that begin with ~/
	CAFile              string
	Proxy               string // "" is the environment's, none is none
	CacheKeepalivePings int
	ReasoningEffort     string // auto leaves it to the model
	ThinkingTokens      int    // 0 leaves it to the model
	ShowThinking        bool   // the user sees it while it comes

	Coder          string // a name of the table of coders
	Stepwise       bool   // the user decides on a plan before its edits, and on what each step changed
	Auto           Auto
	EditFormat     string // auto or a format's name
	Temperature    *float64
	MaxReflections int
	AddMentioned   string
	WatchComments  string // off, action or onSave
	Language       string // of answers; "" is that of the request
	Actions        []Action
	Shell          Shell
	Verify         string // a level
	Checks         Checks

	Preview      string
	Client       string
	ClientQuirks map[string]bool

	RepoMap RepoMap

	Web      Web
	Git      Git
	History  History
	Pipeline Pipeline

	RulesFiles     bool // rules files go to the model
	Encoding       string
	AllowIgnored   bool
	ReadOnly       []string // shown to the model in each request
	IgnoreFiles    []string // beside those that are always read
	RedactSecrets  bool     // models are not shown what looks like a key
	DenyGlobs      []string
	ProtectedGlobs []string

	RequestTimeout    time.Duration
	AllowInsecureHTTP bool

	Trust []string // folders, or TrustAlways or TrustNever

	Log Log

	// ExtraBody are fields of the requests to every model, of the entry * of models.
	ExtraBody map[string]any
	// EnvBase is the endpoint for OpenAI's models that the usual environment variables name.
	EnvBase string
	// EnvBases are the addresses of the user's own resources, by the variables that hold them.
	EnvBases map[string]string
	// Unchosen: no layer names a model, and Model is what the keys in the environment suggest.
	Unchosen bool
	// Trusted: the workspace file was read as a trusted one.
	Trusted bool
	// Said is what was set for the moment.
	Said Said
	// Bound keeps keys with the hosts that they are for.
	Bound Binding
	// Unread says what could not be read of the layers that may name an endpoint, while no higher layer names one; ""
	// when all was read. Nothing is sent then: it might go where the user did not mean it to.
	Unread string
}

// Said is what the user said of how much models think by a flag, or for the session: it stands above what the entry of a
// model says, as that stands above the settings.
type Said struct{ Effort, Thinking bool }

// Auto is how turns go on by themselves: what they may use, where 0 is no limit.
type Auto struct {
	Rounds int
	Time   time.Duration
	Cost   *float64 // US dollars; nil is no limit
}

// Checks are the user's own linters, formatters and tests.
type Checks struct {
	Lint, Format, Test []CheckCommand
	Visible            []string      // what they see besides
	Timeout            time.Duration // for each command that tests; linters have a fifth, generated programs two
}

// CheckCommand is a program with its arguments, and globs of the files that it is about; none is all.
type CheckCommand struct {
	Run   []string
	Files []string
}

// What stands for all folders in Trust.
const (
	TrustAlways = "always"
	TrustNever  = "never"
)

// MapByModel is the RepoMap.Tokens that leave the size to the model's context window.
const MapByModel = -1

// RepoMap configures the map of the repository.
type RepoMap struct {
	Tokens  int    // 0: no map; MapByModel: by the model's context window
	Refresh string // auto, always, files or manual
}

// Git says what is written into the repository, and by whose name.
type Git struct {
	Mode         string // what becomes of the changes of a turn: GitOff to GitCommitAll
	Hooks        bool   // the repository's hooks are run
	Attribution  string // AttributionTrailer, AttributionName or AttributionOff
	CommitPrompt string // the user's own text for who writes messages; "" is ours
}

// What is kept of conversations, for History.Mode.
const (
	HistoryOff     = "off"
	HistorySave    = "save"
	HistoryRestore = "restore"
)

// History configures what is kept of conversations.
type History struct {
	Mode   string // HistoryOff, HistorySave (a transcript on disk) or HistoryRestore (a session begins with the last of its folder)
	Tokens int    // from which on a conversation is long and its beginning summed up; 0 goes by the model
}

// Saves says whether there is a transcript on disk.
func (h History) Saves() bool { return h.Mode == HistorySave || h.Mode == HistoryRestore }

// Shell configures commands for the user's shell.
type Shell struct {
	Suggest bool     // the model may suggest some
	Allow   []string // those that run without a question
}

// LogPrompts is the Log.Level with which prompts and answers are logged.
const LogPrompts = "prompts"

// Log configures the log.
type Log struct {
	Level string
	File  string
}
