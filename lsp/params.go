package lsp

import (
	"encoding/json"

	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// The params of what clients send are read into these small types instead of package protocol's:
// that one rewrites URIs into a spelling of its own, takes a null range for the first character, and
// refuses a whole message for one number in a field that nobody reads.

type documentID struct {
	URI     string   `json:"uri"`
	Version *float64 `json:"version"` // some clients leave it out
}

type didOpenParams struct {
	Document struct {
		URI        string  `json:"uri"`
		LanguageID string  `json:"languageId"`
		Version    float64 `json:"version"`
		Text       string  `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	Document documentID      `json:"textDocument"`
	Changes  json.RawMessage `json:"contentChanges"`
}

type documentParams struct {
	Document documentID `json:"textDocument"`
	Text     *string    `json:"text"`
}

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type foldersParams struct {
	Event struct {
		Added   []workspaceFolder `json:"added"`
		Removed []workspaceFolder `json:"removed"`
	} `json:"event"`
}

type initializeParams struct {
	ProcessID  *float64 `json:"processId"`
	ClientInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
	Locale       string             `json:"locale"`
	RootPath     string             `json:"rootPath"`
	RootURI      string             `json:"rootUri"`
	Folders      []workspaceFolder  `json:"workspaceFolders"`
	Capabilities client.Declaration `json:"capabilities"`
	Options      json.RawMessage    `json:"initializationOptions"`
}

type settingsParams struct {
	Settings json.RawMessage `json:"settings"`
}

type executeParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

type hoverParams struct {
	Document documentID        `json:"textDocument"`
	Position document.Position `json:"position"`
}

type inlayHintParams struct {
	Document documentID     `json:"textDocument"`
	Range    document.Range `json:"range"`
}

type codeActionParams struct {
	Document documentID     `json:"textDocument"`
	Range    document.Range `json:"range"`
	Context  struct {
		Diagnostics []document.Diagnostic `json:"diagnostics"`
		Only        []string              `json:"only"`
		Trigger     int                   `json:"triggerKind"`
	} `json:"context"`
}

type codeLensParams struct {
	Document documentID `json:"textDocument"`
}
