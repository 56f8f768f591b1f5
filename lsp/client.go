package lsp

import (
	"context"
	"encoding/json"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"coauthor/agent/display"
	"coauthor/lsp/wire"
)

// client asks the editor. Every method is guarded by what the client declared, and none outlives
// the connection. None may be called on the goroutine that reads, except notifications.
type client struct {
	*wire.Caller
	caps   *clientCaps
	quirks *quirks
	// quiet waits until the user does not type; what takes the keyboard goes out behind it.
	quiet func(context.Context) error
}

// callQuietly is call for what takes the keyboard.
func (c *client) callQuietly(ctx context.Context, method string, params, result any) error {
	ctx, release := c.WithSession(ctx)
	defer release()
	if err := c.quiet(ctx); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return c.Call(ctx, method, params, result)
}

// applyAnswer is what the client says of an edit. It is not believed (see landed.go).
type applyAnswer struct {
	Applied bool
	Null    bool // the client said neither yes nor no
	Reason  string
	Failed  *uint32 // index of the change that failed
}

// applyEdit asks the client to change documents.
func (c *client) applyEdit(ctx context.Context, p *protocol.ApplyWorkspaceEditParams) (applyAnswer, error) {
	if !c.caps.ApplyEdit {
		return applyAnswer{}, fmt.Errorf("workspace/applyEdit: %w", wire.ErrUnsupported)
	}
	var answer struct {
		Applied *bool   `json:"applied"`
		Reason  string  `json:"failureReason"`
		Failed  *uint32 `json:"failedChange"`
	}
	if err := c.Call(ctx, protocol.MethodWorkspaceApplyEdit, p, &answer); err != nil {
		return applyAnswer{}, err
	}
	return applyAnswer{
		Applied: answer.Applied != nil && *answer.Applied,
		Null:    answer.Applied == nil,
		Reason:  answer.Reason,
		Failed:  answer.Failed,
	}, nil
}

// showMessage shows one line to the user. A turn shows at most one, and only for an error.
func (c *client) showMessage(kind protocol.MessageType, text string) {
	c.Notify(protocol.MethodWindowShowMessage, &protocol.ShowMessageParams{Type: kind, Message: spoken(text)})
}

// logMessage writes to the client's log.
func (c *client) logMessage(kind protocol.MessageType, text string) {
	c.Notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: display.Text(text)})
}

// canAsk reports whether a dialog of the client can be hoped for.
func (c *client) canAsk() bool {
	return !c.quirks.NoMessageRequest && (!c.quirks.MessageRequestIfDeclared || c.caps.ShowMessageDeclared)
}

// showMessageRequest lets the user pick one of the choices; "" is none. The client may never
// answer, so ctx should have an end. A client that can return the first choice alone is sent no other.
func (c *client) showMessageRequest(ctx context.Context, kind protocol.MessageType, text string, choices []string) (string, error) {
	if !c.canAsk() {
		return "", fmt.Errorf("window/showMessageRequest: %w", wire.ErrUnsupported)
	}
	if c.quirks.FirstChoiceOnly && len(choices) > 1 {
		choices = choices[:1]
	}
	p := &protocol.ShowMessageRequestParams{Type: kind, Message: spoken(text)}
	shown := map[string]string{}
	for _, title := range choices {
		visible := display.Message(title)
		shown[visible] = title
		p.Actions = append(p.Actions, protocol.MessageActionItem{Title: visible})
	}
	var picked struct {
		Title string `json:"title"`
	}
	if err := c.callQuietly(ctx, protocol.MethodWindowShowMessageRequest, p, &picked); err != nil {
		return "", err
	}
	if title, ok := shown[picked.Title]; ok {
		return title, nil
	}
	return picked.Title, nil
}

// canShow reports whether the client opens documents when it is asked to.
func (c *client) canShow() bool {
	return (c.caps.ShowDocument || c.quirks.ShowDocument) && !c.quirks.NoShowDocument
}

// canShowVirtual reports whether the client asks the server for the text of documents that are no
// files.
func (c *client) canShowVirtual() bool {
	return c.canShow() && c.caps.VirtualDocuments && !c.quirks.NoVirtualDocuments
}

// showDocument opens a document in the client.
func (c *client) showDocument(ctx context.Context, u string, takeFocus bool, selection *protocol.Range) (bool, error) {
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

// refreshContent lets the client fetch the text of a virtual document again. One that cannot shows the
// old text until it is opened anew.
func (c *client) refreshContent(ctx context.Context, u string) {
	ctx, cancel := context.WithTimeout(ctx, showWithin)
	defer cancel()
	p := &protocol.TextDocumentContentRefreshParams{URI: uri.URI(u)}
	_ = c.Call(ctx, protocol.MethodWorkspaceTextDocumentContentRefresh, p, nil)
}

// inputBox asks for a text; false is a box that the user closed.
func (c *client) inputBox(ctx context.Context, p inputBoxParams) (string, bool, error) {
	if !c.caps.InputRequest {
		return "", false, fmt.Errorf("%s: %w", methodInputBox, wire.ErrUnsupported)
	}
	p.Prompt = spoken(p.Prompt)
	var answer inputBoxResult
	if err := c.callQuietly(ctx, methodInputBox, p, &answer); err != nil {
		return "", false, err
	}
	if answer.Value == nil {
		return "", false, nil
	}
	return *answer.Value, true, nil
}

// configuration asks for the client's settings; nil when it has none for us.
func (c *client) configuration(ctx context.Context, section string) (json.RawMessage, error) {
	if !c.caps.Configuration {
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

// register asks the client for notifications that it sends only on registration.
func (c *client) register(ctx context.Context, id, method string, options any) error {
	raw, err := wire.Encode(options)
	if err != nil {
		return err
	}
	p := &protocol.RegistrationParams{Registrations: []protocol.Registration{{ID: id, Method: method, RegisterOptions: protocol.LSPAny(raw)}}}
	return c.Call(ctx, protocol.MethodClientRegisterCapability, p, nil)
}

// createProgress asks for a progress item with a token of ours.
func (c *client) createProgress(ctx context.Context, token string) error {
	if !c.caps.Progress {
		return fmt.Errorf("window/workDoneProgress/create: %w", wire.ErrUnsupported)
	}
	return c.Call(ctx, protocol.MethodWindowWorkDoneProgressCreate, &protocol.WorkDoneProgressCreateParams{Token: protocol.String(token)}, nil)
}

// progress sends the begin, a report or the end of a progress item.
func (c *client) progress(token string, value any) {
	raw, err := wire.Encode(value)
	if err != nil {
		return // our own type always encodes
	}
	c.Notify(protocol.MethodProgress, &protocol.ProgressParams{Token: protocol.String(token), Value: protocol.LSPAny(raw)})
}
