package editor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"
)

// Conn is the client's end of a JSON-RPC connection over a pair of pipes. Safe for concurrent use.
type Conn struct {
	out     io.Writer
	handle  func(method string, params json.RawMessage) any // requests and notifications of the server
	done    chan struct{}                                   // closed when the server has hung up
	readErr error                                           // why reading ended; valid once done is closed

	mu      sync.Mutex // guards writing and the two below
	last    int
	waiting map[int]chan message
}

type message struct {
	ID     *json.RawMessage `json:"id,omitempty"`
	Method string           `json:"method,omitempty"`
	Params json.RawMessage  `json:"params,omitempty"`
	Result json.RawMessage  `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// ErrHungUp is what a call ends with when the server goes away.
var ErrHungUp = errors.New("the server hung up")

// NewConn makes a connection that writes to out; it hears nothing before somebody runs Read.
func NewConn(out io.Writer, handle func(string, json.RawMessage) any) *Conn {
	return &Conn{out: out, handle: handle, done: make(chan struct{}), waiting: map[int]chan message{}}
}

// Read dispatches until the server hangs up. Requests of the server are handled in order and
// answered at once, as a single-threaded editor does.
func (c *Conn) Read(in io.Reader) {
	defer close(c.done)
	r := bufio.NewReader(in)
	for {
		body, err := readFrame(r)
		if err != nil {
			c.readErr = err
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			c.readErr = fmt.Errorf("cannot read a server message: %w", err)
			return
		}
		if m.Method == "" {
			c.deliver(m)
			continue
		}
		result := c.handle(m.Method, m.Params)
		if m.ID != nil {
			c.reply(*m.ID, result)
		}
	}
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	head, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(head.Get("Content-Length"))
	if err != nil {
		return nil, fmt.Errorf("cannot read a server header: %w", err)
	}
	body := make([]byte, n)
	_, err = io.ReadFull(r, body)
	return body, err
}

func (c *Conn) deliver(m message) {
	if m.ID == nil {
		return
	}
	id, err := strconv.Atoi(string(*m.ID))
	if err != nil {
		return
	}
	c.mu.Lock()
	ch := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if ch != nil {
		ch <- m
	}
}

// reply answers a request of the server; UnknownMethod as result answers that the method is not
// known. A server that is gone cannot be answered, which Read notices.
func (c *Conn) reply(id json.RawMessage, result any) {
	if result == UnknownMethod {
		_ = c.send(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32601, "message": "not known here"}})
		return
	}
	_ = c.send(map[string]any{"jsonrpc": "2.0", "id": id, "result": result})
}

// UnknownMethod is what a handler returns for a method that this client does not have.
var UnknownMethod any = struct{ unknown bool }{true}

func (c *Conn) send(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// Notify sends a notification.
func (c *Conn) Notify(method string, params any) error {
	return c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Call sends a request and waits for its answer, which it decodes into result (nil: not wanted).
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	ch := make(chan message, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.waiting[id] = ch
	c.mu.Unlock()
	request := map[string]any{"jsonrpc": "2.0", "id": id, "method": method}
	if params != nil {
		request["params"] = params
	}
	if err := c.send(request); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case m := <-ch:
		return m.into(method, result)
	case <-c.done:
		select { // the answer may have been the last that was said
		case m := <-ch:
			return m.into(method, result)
		default:
			return fmt.Errorf("%s: %w", method, errors.Join(ErrHungUp, c.readErr))
		}
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// into reads what a request was answered with.
func (m message) into(method string, result any) error {
	if m.Error != nil {
		return fmt.Errorf("%s: %s (%d)", method, m.Error.Message, m.Error.Code)
	}
	if result == nil || len(m.Result) == 0 {
		return nil
	}
	return json.Unmarshal(m.Result, result)
}
