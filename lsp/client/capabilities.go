package client

import (
	"encoding/json"
	"slices"
)

// Declaration are the parts of a client's declaration that matter to us.
type Declaration struct {
	Workspace struct {
		ApplyEdit bool `json:"applyEdit"`
		Edit      struct {
			DocumentChanges       bool             `json:"documentChanges"`
			ResourceOperations    []string         `json:"resourceOperations"`
			FailureHandling       string           `json:"failureHandling"`
			NormalizesLineEndings bool             `json:"normalizesLineEndings"`
			Annotations           *json.RawMessage `json:"changeAnnotationSupport"`
			Metadata              bool             `json:"metadataSupport"`
		} `json:"workspaceEdit"`
		Configuration          bool             `json:"configuration"`
		WorkspaceFolders       bool             `json:"workspaceFolders"`
		DidChangeConfiguration dynamic          `json:"didChangeConfiguration"`
		DidChangeWatchedFiles  dynamic          `json:"didChangeWatchedFiles"`
		TextDocumentContent    *json.RawMessage `json:"textDocumentContent"`
		CodeLens               refreshing       `json:"codeLens"`
		InlayHint              refreshing       `json:"inlayHint"`
	} `json:"workspace"`
	TextDocument struct {
		CodeAction *struct {
			Literals          *json.RawMessage `json:"codeActionLiteralSupport"`
			Disabled          bool             `json:"disabledSupport"`
			HonorsAnnotations bool             `json:"honorsChangeAnnotations"`
			Tags              valueSet         `json:"tagSupport"`
		} `json:"codeAction"`
		Completion *dynamic         `json:"completion"`
		CodeLens   *json.RawMessage `json:"codeLens"`
		InlayHint  *dynamic         `json:"inlayHint"`
		Hover      *struct {
			Formats []string `json:"contentFormat"`
		} `json:"hover"`
		Diagnostics struct {
			CodeDescription *json.RawMessage `json:"codeDescriptionSupport"`
		} `json:"publishDiagnostics"`
	} `json:"textDocument"`
	Window struct {
		WorkDoneProgress bool             `json:"workDoneProgress"`
		ShowMessage      *json.RawMessage `json:"showMessage"`
		ShowDocument     struct {
			Support bool `json:"support"`
		} `json:"showDocument"`
	} `json:"window"`
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	Experimental struct {
		Coauthor Extensions `json:"coauthor"`
	} `json:"experimental"`
}

type dynamic struct {
	Registration bool `json:"dynamicRegistration"`
}

type refreshing struct {
	Refresh bool `json:"refreshSupport"`
}

type valueSet struct {
	Values []int `json:"valueSet"`
}

// Capabilities is what the client can do, worked out once from what it declares. It is never changed after initialize.
type Capabilities struct {
	Name, Version string // of clientInfo; "" where the client did not say

	ApplyEdit             bool
	DocumentChanges       bool // the versioned form of an edit may be sent
	CreateFile            bool
	RenameFile            bool
	DeleteFile            bool
	FailureHandling       string // abort where the client did not say
	NormalizesLineEndings bool
	Annotations           bool // change annotations in applyEdit
	HonorsAnnotations     bool // change annotations in code actions
	EditMetadata          bool
	Configuration         bool // workspace/configuration may be asked
	WatchConfiguration    bool // didChangeConfiguration can be registered
	WatchFiles            bool // didChangeWatchedFiles can be registered
	VirtualDocuments      bool // workspace/textDocumentContent
	CodeLens              bool
	CodeLensRefresh       bool
	Hover                 bool // textDocument/hover
	HoverMarkdown         bool // which may be Markdown
	InlayHint             bool // textDocument/inlayHint
	InlayHintRefresh      bool
	RegisterInlayHint     bool
	Completion            bool // textDocument/completion
	RegisterCompletion    bool // which can be registered for some documents alone
	CodeActions           bool // the client has a menu of code actions
	ActionLiterals        bool
	DisabledActions       bool
	ActionTagLLM          bool // code actions can be marked as made by a model
	Progress              bool // window/workDoneProgress/create
	ShowMessageDeclared   bool
	ShowDocument          bool
	InputBox              bool // coauthor/inputBox, or a client command that asks before it calls
	InputRequest          bool // coauthor/inputBox itself
	Pending               bool // coauthor/pending
	Review                bool // coauthor/review
	Stream                bool // coauthor/stream
	StreamEdits           bool // with a channel for edits
	Draft                 bool // coauthor/draft
	Turn                  bool // coauthor/turn
	NoTurnProgress        bool // turns need no progress items: it shows coauthor/turn
	TellsFailures         bool // coauthor/turn is all that it needs of a turn that failed
	Question              bool // coauthor/question
	LookUp                bool // coauthor/lookUp
	// NoCodeDescriptions: the client said, without need, that it cannot show them, as Eglot does.
	NoCodeDescriptions bool
	Encodings          []string
}

// CapabilitiesOf says what a client can do that names itself so and declares d. hasInput says that it asks for an
// instruction itself before it runs a command.
func CapabilitiesOf(name, version string, d *Declaration, hasInput bool) Capabilities {
	w, t := &d.Workspace, &d.TextDocument
	ext := d.Experimental.Coauthor
	can := func(op string) bool { return slices.Contains(w.Edit.ResourceOperations, op) }
	c := Capabilities{
		Name:      name,
		Version:   version,
		ApplyEdit: w.ApplyEdit,
		// Neovim declares resource operations alone and takes document changes all the same.
		DocumentChanges:       w.Edit.DocumentChanges || len(w.Edit.ResourceOperations) > 0,
		CreateFile:            can("create"),
		RenameFile:            can("rename"),
		DeleteFile:            can("delete"),
		FailureHandling:       w.Edit.FailureHandling,
		NormalizesLineEndings: w.Edit.NormalizesLineEndings,
		Annotations:           declared(w.Edit.Annotations),
		EditMetadata:          w.Edit.Metadata,
		Configuration:         w.Configuration,
		WatchConfiguration:    w.DidChangeConfiguration.Registration,
		WatchFiles:            w.DidChangeWatchedFiles.Registration,
		VirtualDocuments:      declared(w.TextDocumentContent),
		CodeLens:              declared(t.CodeLens),
		CodeLensRefresh:       w.CodeLens.Refresh,
		Progress:              d.Window.WorkDoneProgress,
		ShowMessageDeclared:   declared(d.Window.ShowMessage),
		ShowDocument:          d.Window.ShowDocument.Support,
		InputBox:              ext.InputBox || hasInput,
		InputRequest:          ext.InputBox,
		Pending:               ext.Pending,
		Review:                ext.Review,
		InlayHintRefresh:      w.InlayHint.Refresh,
		Stream:                ext.Stream,
		StreamEdits:           ext.Stream && ext.StreamEdits,
		Draft:                 ext.Draft,
		Turn:                  ext.any(),
		NoTurnProgress:        ext.Turn && !ext.Progress,
		TellsFailures:         ext.Turn && ext.Failures,
		Question:              ext.Question,
		LookUp:                ext.LookUp,
		Encodings:             d.General.PositionEncodings,
	}
	if t.InlayHint != nil {
		c.InlayHint, c.RegisterInlayHint = true, t.InlayHint.Registration
	}
	if t.Hover != nil {
		c.Hover, c.HoverMarkdown = true, slices.Contains(t.Hover.Formats, "markdown")
	}
	if t.Completion != nil {
		c.Completion, c.RegisterCompletion = true, t.Completion.Registration
	}
	if a := t.CodeAction; a != nil {
		c.CodeActions = true
		c.ActionLiterals = declared(a.Literals)
		c.DisabledActions = a.Disabled
		c.ActionTagLLM = slices.Contains(a.Tags.Values, 1)
		c.HonorsAnnotations = a.HonorsAnnotations
	}
	if raw := t.Diagnostics.CodeDescription; raw != nil {
		c.NoCodeDescriptions = string(*raw) == "false"
	}
	if c.FailureHandling == "" {
		c.FailureHandling = "abort"
	}
	return c
}

// declared reports whether an optional object was sent at all; null and false count as not.
func declared(raw *json.RawMessage) bool {
	return raw != nil && string(*raw) != "null" && string(*raw) != "false"
}

// vsCodeFamily reports whether the client is VS Code or one of its forks, by what it can do and not
// by its name, since every fork has its own.
func (c *Capabilities) vsCodeFamily() bool {
	return c.FailureHandling == "textOnlyTransactional" && c.HonorsAnnotations
}

// oldEglot reports whether the client is Eglot as it was before it told its name.
func (c *Capabilities) oldEglot() bool {
	return c.Name == "" && c.NoCodeDescriptions && c.DocumentChanges && !c.CreateFile && !c.Progress && !c.ShowDocument
}
