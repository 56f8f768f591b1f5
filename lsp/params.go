package lsp

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"go.lsp.dev/protocol"
)

// The params of what clients send are read into these small types instead of package protocol's:
// that one rewrites URIs into a spelling of its own, takes a null range for the first character, and
// refuses a whole message for one number in a field that nobody reads.

// unit is a line or a character. Clients send 1.0 and 1e9 too; what is out of range is clamped.
type unit uint32

// UnmarshalJSON implements json.Unmarshaler.
func (u *unit) UnmarshalJSON(raw []byte) error {
	if n, err := strconv.ParseUint(string(raw), 10, 32); err == nil {
		*u = unit(n)
		return nil
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return fmt.Errorf("%.40q is no position", raw)
	}
	*u = unit(min(max(f, 0), math.MaxInt32))
	return nil
}

type wirePosition struct {
	Line      unit `json:"line"`
	Character unit `json:"character"`
}

// wireRange is a range of the client.
type wireRange struct {
	Start wirePosition `json:"start"`
	End   wirePosition `json:"end"`
}

func (r wireRange) protocol() protocol.Range {
	return protocol.Range{
		Start: protocol.Position{Line: uint32(r.Start.Line), Character: uint32(r.Start.Character)},
		End:   protocol.Position{Line: uint32(r.End.Line), Character: uint32(r.End.Character)},
	}
}

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

type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type foldersParams struct {
	Event struct {
		Added   []folder `json:"added"`
		Removed []folder `json:"removed"`
	} `json:"event"`
}

type initializeParams struct {
	ProcessID  *float64 `json:"processId"`
	ClientInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"clientInfo"`
	RootPath     string           `json:"rootPath"`
	RootURI      string           `json:"rootUri"`
	Folders      []folder         `json:"workspaceFolders"`
	Capabilities wireCapabilities `json:"capabilities"`
	Options      json.RawMessage  `json:"initializationOptions"`
}

type progressCancelParams struct {
	Token json.RawMessage `json:"token"`
}

type settingsParams struct {
	Settings json.RawMessage `json:"settings"`
}

type executeParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// wireDiagnostic is a complaint that the client shows. Message may be a string or a markup object.
type wireDiagnostic struct {
	Range   wireRange       `json:"range"`
	Source  string          `json:"source"`
	Message json.RawMessage `json:"message"`
}

func (d wireDiagnostic) message() string {
	var text string
	var markup struct {
		Value string `json:"value"`
	}
	if json.Unmarshal(d.Message, &text) == nil {
		return text
	}
	_ = json.Unmarshal(d.Message, &markup) // what is neither has no text
	return markup.Value
}

type codeActionParams struct {
	Document documentID `json:"textDocument"`
	Range    wireRange  `json:"range"`
	Context  struct {
		Diagnostics []wireDiagnostic `json:"diagnostics"`
		Only        []string         `json:"only"`
		Trigger     int              `json:"triggerKind"`
	} `json:"context"`
}

func fromProtocol(r protocol.Range) wireRange {
	return wireRange{
		Start: wirePosition{Line: unit(r.Start.Line), Character: unit(r.Start.Character)},
		End:   wirePosition{Line: unit(r.End.Line), Character: unit(r.End.Character)},
	}
}
