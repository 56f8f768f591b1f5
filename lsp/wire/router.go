package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// CodeRequestFailed says that a well-formed request could not be done; its message is for the user.
const CodeRequestFailed jsonrpc2.Code = -32803

// Phase is where the conversation with the client stands.
type Phase int32

// The phases.
const (
	Fresh    Phase = iota // before initialize
	Running               // after initialize
	ShutDown              // after shutdown
)

// Router maps methods to handlers. It keeps notifications in the order of the wire, lets calls run
// beside each other, and survives what its handlers do. Fill it before serving; then it is read-only.
type Router struct {
	log   *slog.Logger
	notes map[string]func(context.Context, []byte) error
	calls map[string]func([]byte) func(context.Context) (any, error)
	now   atomic.Int32 // the phase
	// conn is the context of handlers; it ends with the hang-up.
	conn context.Context

	mu      sync.Mutex
	running map[jsonrpc2.ID]context.CancelFunc // guarded by mu
}

// NewRouter returns a router without methods. Its handlers' contexts end with ctx.
func NewRouter(ctx context.Context, log *slog.Logger) *Router {
	return &Router{
		log:     log,
		conn:    ctx,
		notes:   map[string]func(context.Context, []byte) error{},
		calls:   map[string]func([]byte) func(context.Context) (any, error){},
		running: map[jsonrpc2.ID]context.CancelFunc{},
	}
}

// Enter says that the conversation has come to a phase.
func (r *Router) Enter(p Phase) { r.now.Store(int32(p)) }

// Phase returns where the conversation stands.
func (r *Router) Phase() Phase { return Phase(r.now.Load()) }

// OnNote registers a notification. f runs on the goroutine that reads, in wire order, so it must be
// quick and must never wait for the client.
func OnNote[P any](r *Router, method string, f func(context.Context, *P) error) {
	r.notes[method] = func(ctx context.Context, raw []byte) error {
		p := new(P)
		if err := Decode(raw, p); err != nil {
			return err
		}
		return f(ctx, p)
	}
}

// OnCall registers a request. capture runs on the goroutine that reads and fixes what the request
// was made against; f runs on a goroutine of its own.
func OnCall[P, S any](r *Router, method string, capture func(*P) S, f func(context.Context, *P, S) (any, error)) {
	r.calls[method] = func(raw []byte) func(context.Context) (any, error) {
		p := new(P)
		if err := Decode(raw, p); err != nil {
			return func(context.Context) (any, error) { return nil, err }
		}
		s := capture(p)
		return func(ctx context.Context) (any, error) { return f(ctx, p, s) }
	}
}

// Handle is the jsonrpc2.Handler of the connection.
func (r *Router) Handle(reqCtx context.Context, req *jsonrpc2.Request) (any, error) {
	// reqCtx is recycled when handle returns: nothing may be derived from it.
	if !req.IsCall() {
		r.note(req)
		return nil, nil // an error here would close the connection
	}
	method := strings.Clone(req.Method())
	id := req.ID()
	if s, ok := id.StringValue(); ok {
		id = jsonrpc2.NewStringID(strings.Clone(s))
	}
	if err := r.admits(method); err != nil {
		return nil, err
	}
	f := r.calls[method]
	if f == nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "the method %q is not offered", method)
	}
	var run func(context.Context) (any, error)
	if err := r.Guard(method, func() error { run = f(req.Params()); return nil }); err != nil {
		return nil, wireError(err)
	}
	ctx, cancel := context.WithCancel(r.conn)
	defer cancel()
	r.mu.Lock()
	r.running[id] = cancel
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.running, id)
		r.mu.Unlock()
	}()
	if method != protocol.MethodInitialize {
		// From here on later messages may overtake. Shutdown needs that too: it waits for turns that
		// may wait for the client's answer to a question sent before.
		jsonrpc2.Async(reqCtx)
	}
	var res any
	err := r.Guard(method, func() (err error) { res, err = run(ctx); return err })
	if err != nil {
		return nil, wireError(err)
	}
	raw, err := Encode(res)
	if err != nil {
		r.log.Error("result cannot be encoded", "method", method, "err", err)
		return nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "%s: %v", method, err)
	}
	return raw, nil
}

// admits refuses calls that come before initialize or after shutdown.
func (r *Router) admits(method string) error {
	switch r.Phase() {
	case Fresh:
		if method != protocol.MethodInitialize {
			return jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "%s came before initialize", method)
		}
	case Running:
		if method == protocol.MethodInitialize {
			return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "initialize came twice")
		}
	case ShutDown:
		return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "%s came after shutdown", method)
	}
	return nil
}

func (r *Router) note(req *jsonrpc2.Request) {
	method := strings.Clone(req.Method())
	if r.Phase() != Running && method != protocol.MethodExit {
		return
	}
	f := r.notes[method]
	if f == nil {
		if !strings.HasPrefix(method, "$/") {
			r.log.Debug("notification ignored", "method", method)
		}
		return
	}
	if err := r.Guard(method, func() error { return f(r.conn, req.Params()) }); err != nil {
		r.log.Warn("notification failed", "method", method, "err", err)
	}
}

// cancelParams names a call by number or string.
type cancelParams struct {
	ID json.RawMessage `json:"id"`
}

// Cancel ends the context of a running call. The call still answers.
func (r *Router) Cancel(_ context.Context, p *cancelParams) error {
	var id jsonrpc2.ID
	var number int64
	var text string
	switch {
	case string(p.ID) == "null": // into a number it would read as 0, which is a call of somebody's
		return errors.New("cancel names no call")
	case json.Unmarshal(p.ID, &number) == nil:
		id = jsonrpc2.NewNumberID(number)
	case json.Unmarshal(p.ID, &text) == nil:
		id = jsonrpc2.NewStringID(text)
	default:
		return fmt.Errorf("cancel names %.40q, which is no id", p.ID)
	}
	r.mu.Lock()
	cancel := r.running[id]
	r.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil
}

// Guard turns a panic of f into an error for this one message.
func (r *Router) Guard(method string, f func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			r.log.Error("handler panicked", "method", method, "panic", x, "stack", string(debug.Stack()))
			err = jsonrpc2.Errorf(jsonrpc2.InternalError, "%s: internal error: %v", method, x)
		}
	}()
	return f()
}

// Decode reads params into v. Absent and null params leave v as it is. A field of a type that v
// does not expect is left out rather than refused: clients differ, and what matters to us is checked
// where it is used.
func Decode(raw []byte, v any) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	err := json.Unmarshal(raw, v)
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) && wrongType.Field != "" {
		return nil
	}
	if err != nil {
		return jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	return nil
}

// Encode writes a result. What package protocol defines is written by it, since its unions need it.
func Encode(v any) (jsonrpc2.RawMessage, error) {
	switch v := v.(type) {
	case nil:
		return jsonrpc2.RawMessage("null"), nil
	case json.RawMessage:
		return jsonrpc2.RawMessage(v), nil
	}
	raw, err := protocol.Marshal(v)
	return jsonrpc2.RawMessage(raw), err
}

// wireError gives every error the code that clients expect; a plain error would go out with code 0,
// which some show in a dialog.
func wireError(err error) error {
	var wire *jsonrpc2.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wire):
		return &jsonrpc2.Error{Code: wire.Code, Message: err.Error(), Data: wire.Data}
	case errors.Is(err, context.Canceled):
		return jsonrpc2.NewError(protocol.CodeRequestCancelled, "cancelled")
	default:
		return jsonrpc2.NewError(CodeRequestFailed, err.Error())
	}
}

// None is the capture of a request that was made against nothing in particular.
func None[P any](*P) struct{} { return struct{}{} }

// Empty are params that nobody reads.
type Empty struct{}
