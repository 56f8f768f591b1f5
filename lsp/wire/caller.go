package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// ErrUnsupported is returned for what this client cannot do; the caller takes another way.
var ErrUnsupported = errors.New("the client does not support this")

// Caller sends requests and notifications to the client. No request is sent before open or after shut,
// and none outlives the connection. It is safe for concurrent use once it is connected.
type Caller struct {
	conn    jsonrpc2.Conn
	session context.Context // ends with the connection
	// begun says that the client has sent initialized; requests may be sent from then on.
	begun atomic.Bool
	// sending is held for reading between the look at begun and the queueing of a request.
	sending sync.RWMutex

	early  sync.Mutex
	opened bool   // guarded by early; Open was called
	held   []held // guarded by early; what may only be sent then
}

// held is a notification that waits for the client's initialized.
type held struct {
	method string
	params jsonrpc2.RawMessage
}

// maxHeld bounds what is kept for a client that never finishes its start.
const maxHeld = 1000

// NewCaller returns a caller whose requests end with session. Connect it before anything is sent.
func NewCaller(session context.Context) *Caller { return &Caller{session: session} }

// Connect says which connection the messages go to. It is called once, before the first message.
func (c *Caller) Connect(conn jsonrpc2.Conn) { c.conn = conn }

// Open lets requests be sent, and sends the notifications that waited for it.
func (c *Caller) Open() {
	c.begun.Store(true)
	c.early.Lock()
	defer c.early.Unlock()
	c.opened = true
	for _, h := range c.held {
		c.notify(h.method, h.params)
	}
	c.held = nil
}

// waits reports whether a notification is kept until the client has finished its start: the protocol allows none before but
// messages to the user and the log.
func (c *Caller) waits(method string, params jsonrpc2.RawMessage) bool {
	switch method {
	case protocol.MethodWindowShowMessage, protocol.MethodWindowLogMessage, protocol.MethodTelemetryEvent:
		return false
	}
	c.early.Lock()
	defer c.early.Unlock()
	if !c.opened && len(c.held) < maxHeld {
		c.held = append(c.held, held{method, params})
	}
	return !c.opened
}

// IsOpen reports whether requests may be sent.
func (c *Caller) IsOpen() bool { return c.begun.Load() }

// Shut has no more requests sent: when it returns, those that will be sent are queued.
func (c *Caller) Shut() {
	c.sending.Lock()
	defer c.sending.Unlock()
	c.begun.Store(false)
}

// WithSession returns ctx, ended by the end of the connection too. The function releases it.
func (c *Caller) WithSession(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(c.session, cancel)
	return ctx, func() { stop(); cancel() }
}

// Call sends a request and waits for its answer, for ctx or for the hang-up. It must not be called on
// the goroutine that reads. A null answer leaves result as it is. A method that the client does not
// know is errUnsupported.
func (c *Caller) Call(ctx context.Context, method string, params, result any) error {
	c.sending.RLock()
	queued := sync.OnceFunc(c.sending.RUnlock)
	defer queued() // where it does not come so far
	if !c.IsOpen() {
		return fmt.Errorf("%s: the client is still starting, or shutting down: %w", method, ErrUnsupported)
	}
	ctx, release := c.WithSession(ctx)
	defer release()
	raw, err := Encode(params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	var answer jsonrpc2.RawMessage
	if _, err := c.conn.Call(whenQueued(ctx, queued), method, raw, &answer); err != nil {
		var wire *jsonrpc2.Error
		if errors.As(err, &wire) && wire.Code == jsonrpc2.MethodNotFound {
			return fmt.Errorf("%s: %w", method, ErrUnsupported)
		}
		return fmt.Errorf("%s: %w", method, err)
	}
	if result == nil || len(answer) == 0 || string(answer) == "null" {
		return nil
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("%s: read the answer: %w", method, err)
	}
	return nil
}

// Notify sends a notification, from any goroutine; what must not come before initialized is sent then. A client that is gone hears nothing; that is found
// out elsewhere.
func (c *Caller) Notify(method string, params any) {
	raw, err := Encode(params)
	if err == nil && !c.waits(method, raw) {
		c.notify(method, raw)
	}
}

func (c *Caller) notify(method string, params jsonrpc2.RawMessage) {
	_ = c.conn.Notify(context.WithoutCancel(c.session), method, params) // a broken connection ends the reading too
}
