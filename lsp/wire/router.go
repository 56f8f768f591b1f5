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
	"time"

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
	// Arrived tells when the last byte of the message that is being handled was read, on the goroutine that reads. The log
	// says by it, where it holds everything, how long each message took; nil leaves that out.
	Arrived func() time.Time

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
		if err := r.decode(method, raw, p); err != nil {
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
		if err := r.decode(method, raw, p); err != nil {
			r.log.Warn("request refused", "method", method, "err", err)
			return func(context.Context) (any, error) { return nil, err }
		}
		s := capture(p)
		return func(ctx context.Context) (any, error) { return f(ctx, p, s) }
	}
}

// Handle is the jsonrpc2.Handler of the connection.
func (r *Router) Handle(reqCtx context.Context, req *jsonrpc2.Request) (any, error) {
	// reqCtx is recycled when handle returns: nothing may be derived from it.
	since := r.arrived()
	if !req.IsCall() {
		r.note(req, since)
		return nil, nil // an error here would close the connection
	}
	method := strings.Clone(req.Method())
	id := req.ID()
	if s, ok := id.StringValue(); ok {
		id = jsonrpc2.NewStringID(strings.Clone(s))
	}
	if err := r.admits(method); err != nil {
		r.log.Warn("request refused", "method", method, "err", err)
		return nil, err
	}
	f := r.calls[method]
	if f == nil {
		r.log.Info("request refused", "method", method, "err", "not supported")
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "the method %q is not supported", method)
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
	r.took("request", method, since)
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
			return jsonrpc2.Errorf(jsonrpc2.ServerNotInitialized, "received %s before initialize", method)
		}
	case Running:
		if method == protocol.MethodInitialize {
			return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "received initialize twice")
		}
	case ShutDown:
		return jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "received %s after shutdown", method)
	}
	return nil
}

// arrived is when the message came that is being handled; zero where nobody wants to know.
func (r *Router) arrived() time.Time {
	if r.Arrived == nil || !r.log.Enabled(r.conn, slog.LevelDebug) {
		return time.Time{}
	}
	return r.Arrived()
}

// took logs how long a message took from its last byte until it was carried out.
func (r *Router) took(kind, method string, since time.Time) {
	if !since.IsZero() {
		r.log.Debug(kind+" done", "method", method, "took", time.Since(since))
	}
}

func (r *Router) note(req *jsonrpc2.Request, since time.Time) {
	method := strings.Clone(req.Method())
	if phase := r.Phase(); phase != Running && method != protocol.MethodExit {
		r.dropped(phase, method)
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
	r.took("notification", method, since)
}

// dropped tells of a notification that came at a time at which none is taken. After shutdown some clients still close their
// documents.
func (r *Router) dropped(phase Phase, method string) {
	switch {
	case strings.HasPrefix(method, "$/"):
	case phase == Fresh:
		r.log.Warn("notification dropped", "method", method, "err", "received before initialize")
	default:
		r.log.Info("notification dropped", "method", method, "err", "received after shutdown")
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
		return errors.New("cancel without a request ID")
	case json.Unmarshal(p.ID, &number) == nil:
		id = jsonrpc2.NewNumberID(number)
	case json.Unmarshal(p.ID, &text) == nil:
		id = jsonrpc2.NewStringID(text)
	default:
		return fmt.Errorf("cannot cancel %.40q: not an ID", p.ID)
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
	_, err := decode(raw, v)
	return err
}

// decode is Decode that also returns why field omitted.
func decode(raw []byte, v any) (leftOut, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	err = json.Unmarshal(raw, v)
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) && wrongType.Field != "" {
		return wrongType, nil
	}
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	return nil, nil
}

// decode tells of a field that is left out.
func (r *Router) decode(method string, raw []byte, v any) error {
	leftOut, err := decode(raw, v)
	if leftOut != nil {
		r.log.Info("field omitted", "method", method, "err", leftOut)
	}
	return err
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
