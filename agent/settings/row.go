package settings

import "strings"

// Type says what values a setting takes.
type Type string

// The types of settings. Tokens are a whole number, or one with k or M behind it (8k is 8192). A duration is written "90s" or "10m", or as a number of seconds; a list also
// as one string.
const (
	String   Type = "string"
	Enum     Type = "enum"
	Bool     Type = "bool"
	Int      Type = "int"
	Number   Type = "number"
	Tokens   Type = "tokens"
	Duration Type = "duration"
	List     Type = "list"
	Switches Type = "map of booleans"
	Models   Type = "map of models"
	Commands Type = "list of commands"
	Actions  Type = "list of actions"
)

// OneLine says whether a value fits into a line, such as a flag or a variable.
func (t Type) OneLine() bool {
	return t != Switches && t != Models && t != Commands && t != Actions
}

// Scope says who may set a setting.
type Scope string

// The scopes. What only the user may set is also read from the workspace file once the workspace is
// trusted.
const (
	// User: the user file, the environment, flags, and the client where no repository can write its
	// settings.
	User Scope = "user"
	// Workspace: also the file of a workspace that nobody trusts; it can do no harm.
	Workspace Scope = "workspace"
	// WorkspaceAdds: a list to which the file of any workspace may add.
	WorkspaceAdds Scope = "workspace adds"
	// Client: the editor, the environment and flags; it describes the editor.
	Client Scope = "client"
)

// Row is one setting. Doc is one or more whole sentences, in two lines of text at most; what is used where the setting is not set
// comes from Default, and is in Doc only where that is empty.
//
// Each stands in a group. Without one are the names that users of one model write for what an entry of models says under
// the same names (apiBase, apiKeyEnv, apiKeyCommand and editFormat), where whoever moves such a line into an entry, or out
// of it, writes it as it was; models itself, whose entries are groups; and actions, whose entries are commands.
type Row struct {
	Name     string // dotted, as in "repoMap.tokens"
	Type     Type
	Default  any // of the type's Go form; nil: unset
	Scope    Scope
	Doc      string
	Enum     []string
	EnumDocs []string // what each of Enum does, a sentence each; nil where Doc or the names say it
	Min, Max float64  // of numbers, and of durations in seconds; both 0: any
	Flag     string   // command-line flag without dashes; "" has none
	Env      string   // environment variable, of the short name where there is one
	Own      bool     // no workspace may set it, not even one that is trusted
	Bare     bool     // the name of its group alone stands for it too, as in "verify: full"

	field func(*Settings) any // pointer to the field
}

// Group is what stands before the dot of the name; "" for the few without one.
func (r Row) Group() string {
	group, _, dotted := strings.Cut(r.Name, ".")
	if !dotted {
		return ""
	}
	return group
}

// Short is the name of the group where that stands for the setting, and its whole name elsewhere.
func (r Row) Short() string {
	if r.Bare {
		return r.Group()
	}
	return r.Name
}
