package settings

// Warning is something wrong in the settings that did not stop them from being used.
type Warning struct {
	Source string // "user file", "workspace file", "client", "flag --x", …
	Key    string
	Line   int // 1-based; 0 when unknown
	Column int
	Text   string // a sentence that says what is wrong and what to do
}

// LoadOptions are the layers, lowest first.
type LoadOptions struct {
	Env           func(name string) string // nil: no environment
	UserPath      string                   // for messages
	UserFile      []byte                   // contents of the user file; nil when there is none
	WorkspacePath string
	WorkspaceFile []byte
	Trusted       bool              // the workspace is trusted
	Client        any               // decoded JSON: initializationOptions.settings or didChangeConfiguration
	Flags         map[string]string // setting's name -> value
}

// Load merges the layers: defaults < user file < workspace file < client < environment < flags.
// What is wrong is left out and told as a warning; the rest takes effect.
func Load(o LoadOptions) (Settings, []Warning) { return Settings{}, nil }
