package client

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"coauthor/agent/display"
	"coauthor/lsp/wire"
)

// Client asks the editor. Every method is guarded by what the client declared, and none outlives
// the connection. None may be called on the goroutine that reads, except notifications.
type Client struct {
	*wire.Caller
	Caps   *Capabilities // set by initialize, as Quirks are
	Quirks *Quirks
	Plugin string // what the client calls our own plug-in in it, for example "neovim-module"; set in the same way
	// Quiet waits until the user does not type; what takes the keyboard goes out behind it.
	Quiet func(context.Context) error
}

// callQuietly is Call for what takes the keyboard.
func (c *Client) callQuietly(ctx context.Context, method string, params, result any) error {
	ctx, release := c.WithSession(ctx)
	defer release()
	if err := c.Quiet(ctx); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return c.Call(ctx, method, params, result)
}

// Answer is what the client says of an edit. It is not believed: see package deliver.
type Answer struct {
	Applied bool
	Null    bool // the client said neither yes nor no
	Reason  string
	Failed  *uint32 // index of the change that failed
}

// ApplyEdit asks the client to change documents.
func (c *Client) ApplyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (Answer, error) {
	if !c.Caps.ApplyEdit {
		return Answer{}, fmt.Errorf("workspace/applyEdit: %w", wire.ErrUnsupported)
	}
	var answer struct {
		Applied *bool   `json:"applied"`
		Reason  string  `json:"failureReason"`
		Failed  *uint32 `json:"failedChange"`
	}
	if err := c.Call(ctx, protocol.MethodWorkspaceApplyEdit, p, &answer); err != nil {
		return Answer{}, err
	}
	return Answer{
		Applied: answer.Applied != nil && *answer.Applied,
		Null:    answer.Applied == nil,
		Reason:  answer.Reason,
		Failed:  answer.Failed,
	}, nil
}

// ShowMessage shows one line to the user. A turn shows at most one, and only for an error.
func (c *Client) ShowMessage(kind protocol.MessageType, text string) {
	c.Notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: Spoken(text)})
}

// LogMessage writes to the client's log.
func (c *Client) LogMessage(kind protocol.MessageType, text string) {
	c.Notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: display.Messages(text)})
}

// askingKey holds what OnAsking notes.
type askingKey struct{}

// OnAsking returns a context under which asking is called, perhaps more than once and from any goroutine, when work begins to
// wait for the user: what is done then may take any time.
func OnAsking(ctx context.Context, asking func()) context.Context {
	return context.WithValue(ctx, askingKey{}, asking)
}

// Asking says that the work of this context waits for the user from now on.
func Asking(ctx context.Context) {
	if asking, ok := ctx.Value(askingKey{}).(func()); ok {
		asking()
	}
}

// CanAsk reports whether a dialog of the client can be hoped for.
func (c *Client) CanAsk() bool {
	return !c.Quirks.MessageRequestIfDeclared || c.Caps.ShowMessageDeclared
}

// ShowMessageRequest lets the user pick one of the choices; "" is none. The client may never
// answer, so ctx should have an end. A client that can return the first choice alone is sent no other.
func (c *Client) ShowMessageRequest(ctx context.Context, kind protocol.MessageType, text string, choices []string) (string, error) {
	return c.Dialog(ctx, kind, text, "", choices)
}

// Dialog is ShowMessageRequest with a text above the message of which nothing is cut, in lines as they are. Where the client
// shows a question only when the user looks for it, a message says what it is about and where to look.
func (c *Client) Dialog(ctx context.Context, kind protocol.MessageType, text, body string, choices []string) (string, error) {
	if !c.CanAsk() {
		return "", fmt.Errorf("window/showMessageRequest: %w", wire.ErrUnsupported)
	}
	if c.Quirks.FirstChoiceOnly && len(choices) > 1 {
		choices = choices[:1]
	}
	p := &protocol.ShowMessageRequestParams{Type: kind, Message: Spoken(text)}
	if body != "" {
		p.Message = display.Text(body) + "\n\n" + p.Message // some clients write a colon behind a message
	}
	shown := map[string]string{}
	for _, title := range choices {
		visible := display.Message(title)
		shown[visible] = title
		p.Actions = append(p.Actions, protocol.MessageActionItem{Title: visible})
	}
	var picked struct {
		Title string `json:"title"`
	}
	if c.Quirks.Waiting != "" {
		if err := c.Quiet(ctx); err != nil {
			return "", fmt.Errorf("window/showMessageRequest: %w", err)
		}
		if !strings.ContainsAny(text[max(0, len(text)-1):], ".?") {
			text += "."
		}
		c.ShowMessage(kind, text+" Answer: "+c.Quirks.Waiting+".")
	}
	Asking(ctx)
	if err := c.callQuietly(ctx, protocol.MethodWindowShowMessageRequest, p, &picked); err != nil {
		return "", err
	}
	if title, ok := shown[picked.Title]; ok {
		return title, nil
	}
	return picked.Title, nil
}

// canShow reports whether the client opens documents when it is asked to.
func (c *Client) canShow() bool {
	return (c.Caps.ShowDocument || c.Quirks.ShowDocument) && !c.Quirks.NoShowDocument
}

// CanShowVirtual reports whether the client asks the server for the text of documents that are no
// files.
func (c *Client) CanShowVirtual() bool {
	return c.canShow() && c.Caps.VirtualDocuments && !c.Quirks.NoVirtualDocuments
}

// ShowDocument opens a document in the client.
func (c *Client) ShowDocument(ctx context.Context, u string, takeFocus bool, selection *protocol.Range) (bool, error) {
	if !c.canShow() {
		return false, fmt.Errorf("window/showDocument: %w", wire.ErrUnsupported)
	}
	var answer struct {
		Success bool `json:"success"`
	}
	p := &protocol.ShowDocumentParams{URI: uri.URI(u), TakeFocus: &takeFocus, Selection: selection}
	err := c.callQuietly(ctx, protocol.MethodWindowShowDocument, p, &answer)
	return answer.Success, err
}

// refreshWithin is how long a client may take to fetch a text again.
const refreshWithin = 2 * time.Second

// RefreshContent lets the client fetch the text of a virtual document again. One that cannot shows the
// old text until it is opened again.
func (c *Client) RefreshContent(ctx context.Context, u string) {
	ctx, cancel := context.WithTimeout(ctx, refreshWithin)
	defer cancel()
	p := &protocol.TextDocumentContentRefreshParams{URI: uri.URI(u)}
	_ = c.Call(ctx, protocol.MethodWorkspaceTextDocumentContentRefresh, p, nil)
}

// RefreshLenses lets the client ask for the code lenses again. One that cannot does so when a document changes.
func (c *Client) RefreshLenses(ctx context.Context) {
	if !c.Caps.CodeLens || !c.Caps.CodeLensRefresh {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, refreshWithin)
	defer cancel()
	_ = c.Call(ctx, protocol.MethodWorkspaceCodeLensRefresh, nil, nil)
}

// RefreshHints lets the client ask for the inlay hints again. One that cannot does so when a document changes.
func (c *Client) RefreshHints(ctx context.Context) {
	if !c.Caps.InlayHint || !c.Caps.InlayHintRefresh {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, refreshWithin)
	defer cancel()
	_ = c.Call(ctx, protocol.MethodWorkspaceInlayHintRefresh, nil, nil)
}

// InputBox asks for a text; false is a box that the user closed.
func (c *Client) InputBox(ctx context.Context, p InputBoxParams) (string, bool, error) {
	if !c.Caps.InputRequest {
		return "", false, fmt.Errorf("%s: %w", MethodInputBox, wire.ErrUnsupported)
	}
	p.Prompt = Spoken(p.Prompt)
	var answer InputBoxResult
	Asking(ctx)
	if err := c.callQuietly(ctx, MethodInputBox, p, &answer); err != nil {
		return "", false, err
	}
	if answer.Value == nil {
		return "", false, nil
	}
	return *answer.Value, true, nil
}

// LookUp asks the editor's other language servers. A client that does not answer is waited for until ctx ends.
func (c *Client) LookUp(ctx context.Context, p LookUpParams) (answer LookUpResult, err error) {
	if !c.Caps.LookUp {
		return answer, fmt.Errorf("%s: %w", MethodLookUp, wire.ErrUnsupported)
	}
	err = c.Call(ctx, MethodLookUp, p, &answer)
	return answer, err
}

// Configuration asks for the client's settings; nil when it has none for us.
func (c *Client) Configuration(ctx context.Context, section string) (json.RawMessage, error) {
	if !c.Caps.Configuration {
		return nil, fmt.Errorf("workspace/configuration: %w", wire.ErrUnsupported)
	}
	var answer []json.RawMessage
	p := &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &section}}}
	if err := c.Call(ctx, protocol.MethodWorkspaceConfiguration, p, &answer); err != nil {
		return nil, err
	}
	if len(answer) == 0 || string(answer[0]) == "null" {
		return nil, nil
	}
	return answer[0], nil
}

// Register asks the client for notifications that it sends only on registration.
func (c *Client) Register(ctx context.Context, id, method string, options any) error {
	raw, err := wire.Encode(options)
	if err != nil {
		return err
	}
	p := &protocol.RegistrationParams{Registrations: []protocol.Registration{{ID: id, Method: method, RegisterOptions: protocol.LSPAny(raw)}}}
	return c.Call(ctx, protocol.MethodClientRegisterCapability, p, nil)
}

// CreateProgress asks for a progress item with a token of ours.
func (c *Client) CreateProgress(ctx context.Context, token string) error {
	if !c.Caps.Progress {
		return fmt.Errorf("window/workDoneProgress/create: %w", wire.ErrUnsupported)
	}
	return c.Call(ctx, protocol.MethodWindowWorkDoneProgressCreate, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(token)}, nil)
}

// Progress sends the begin, a report or the end of a progress item.
func (c *Client) Progress(token string, value any) {
	raw, err := wire.Encode(value)
	if err != nil {
		return // our own type always encodes
	}
	c.Notify(protocol.MethodProgress, &protocol.ProgressParams{Token: protocol.String(token), Value: protocol.LSPAny(raw)})
}
