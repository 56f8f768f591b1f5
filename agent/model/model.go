// Package model knows language models by name: where they answer, what they can take, what they
// cost, and how they like to be talked to.
//
// It knows neither HTTP nor prompts. Package settings hands it the user's own models, package agent
// asks it for the profile of a turn's model, package llm takes that profile as it is. The main types
// are Catalog and Profile.
package model

// Profile is everything the rest of the program needs to know about one model.
type Profile struct {
	Name           string            // as the user wrote it
	ID             string            // as it goes over the wire
	Provider       string            // key of the provider table; "" for a model of the user's own endpoint
	APIBase        string            // with or without /v1
	API            string            // the interface that is spoken there: one of APIs; "" is chat
	APIKeyCommand  string            // what prints the key; "" has none, else it stands above APIKeyEnv
	APIKeyEnv      string            // name of the environment variable that holds the key; "" needs none
	Headers        map[string]string // extra request headers
	ContextWindow  int               // tokens of prompt and answer together; 0 unknown
	MaxOutput      int               // tokens of one answer; 0 unknown
	EditFormat     string            // name of the edit format it handles best
	WeakModel      string            // for summaries and commit messages; "" is the model itself
	EditorModel    string            // carries out an architect's plan; "" is the model itself
	FallbackModel  string            // answers while this one is unavailable; "" has none
	EditorFormat   string            // how EditorModel writes the edits of a plan; "" leaves it to that model
	Temperature    *float64          // what to send when the request names none; nil sends 0
	UseTemperature bool              // false: the model refuses the parameter
	Streaming      bool              // false: the endpoint cannot stream

	UseSystemPrompt  bool   // false: the system text goes as a user message
	SystemPrefix     string // the first line of every system text, by which the model is switched; "" for none
	ExamplesAsSystem bool   // examples stand in the system text instead of as messages
	Short            bool   // small: it gets the short form of prompts
	CacheMarks       bool   // the endpoint understands marks for its cache; others may refuse them
	Lazy             bool   // tends to leave code out
	Overeager        bool   // tends to change more than was asked
	Reminder         string // where the format's reminder is repeated: user, sys or none
	Tools            string // how it is given tools to look around with: native, text or never; "" is native
	ReasoningTag     string // name of the tag that wraps thinking inside the answer's text
	Tokenizer        string // a name for NewCounter
	ExtraBody        map[string]any
	Price            Price
	Checked          string   // the day from which window, output and price are, as 2006-01-02; "" unknown
	Vision           bool     // takes images
	PDF              bool     // takes PDFs
	Efforts          []string // values of reasoningEffort that the model takes; nil none that we know
	ReasoningEffort  string   // what to send; "" leaves it to the model
	ThinkingTokens   int      // what to send; 0 leaves it to the model
	Unsent           string   // a sentence about settings that do not suit the model; "" when all do
	TakesThinking    bool     // the model takes a budget of tokens to think with
	Prefill          string   // how to have it go on with an answer that was cut off: plain, prefix, partial, continue; "" cannot

	BaseEnv   string // variable with the address of the user's own resource, where APIBase is ""
	BasePath  string // what follows that address
	WholeBase bool   // calls begin right behind APIBase, without /v1
	ListURL   string // where the models are listed; "" is below APIBase
	Local     bool   // the name says which server runs on this machine, and no more

	NoKey         bool // the user said that the server needs no key
	AllowInsecure bool // plain http to a host that is not this machine is allowed

	KeptKey string // the variable of a key that is not sent, since nothing says that it is meant for APIBase; "" for none

	Withheld string // what cannot be read of the settings, which may name another endpoint: nothing is sent; "" for nothing
}

// CachesByItself says that the provider is known to keep prompts in a cache without being told: it has a price for what
// it reads there, and no marks.
func (p Profile) CachesByItself() bool { return !p.CacheMarks && p.Price.CacheRead > 0 }

// Small says whether the model is known to be small, or is one of the user's own machine that nobody knows.
func (p Profile) Small() bool { return p.Short || p.Unknown() }

// Unknown says whether the model is one of the user's own machine that nobody knows: the small ones, and those for which another
// format than whole files is best, are in the table.
func (p Profile) Unknown() bool { return p.Local && p.EditFormat == "whole" && !p.Short }

// Takes says whether the model is known to take a file of a type as it is.
func (p Profile) Takes(mime string) bool {
	if mime == "application/pdf" {
		return p.PDF
	}
	return p.Vision
}

// The interfaces that models are asked through.
const (
	Chat      = "chat"      // OpenAI's chat completions, which nearly every server has
	Responses = "responses" // OpenAI's Responses
	Anthropic = "anthropic" // Anthropic's Messages
	Ollama    = "ollama"    // Ollama's own, in which a request says how large a window it needs
)

// APIs lists the interfaces.
func APIs() []string { return []string{Chat, Responses, Anthropic, Ollama} }

// Through returns the profile for another interface; "" is the one that it has.
func (p Profile) Through(api string) Profile {
	if api == "" || api == p.API || api == Chat && p.API == "" {
		return p
	}
	p.CacheMarks = api == Anthropic || p.CacheMarks && p.API != Anthropic
	if p.Provider == "anthropic" && api != Anthropic {
		p.Efforts = nil // its OpenAI-compatible interface passes the word over
	}
	if p.API = api; api == Chat {
		p.API = ""
	}
	return p
}

// AssumedWindow stands for a context window that nobody knows, in tokens. Most hosted models take as
// much; a server that takes less says so in its answer. It is a guard against the request that no model
// takes, not a guess about this one.
const AssumedWindow = 128_000

// Price is in US dollars for a million tokens; 0 is unknown or free.
type Price struct {
	In         float64 `json:"in" yaml:"in"`
	Out        float64 `json:"out" yaml:"out"`
	CacheRead  float64 `json:"cacheRead" yaml:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite" yaml:"cacheWrite"`
}
