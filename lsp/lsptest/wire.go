package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
)

// Pipe gives the two ends of a connection in memory: one for the editor, one for the server.
func Pipe() (editor, server io.ReadWriteCloser) { return net.Pipe() }

// ResponseError is the error of a JSON-RPC response.
type ResponseError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error gives code and message.
func (e *ResponseError) Error() string { return fmt.Sprintf("error %d: %s", e.Code, e.Message) }

// Message is one JSON-RPC message of the server, as it came.
type Message struct {
	ID     json.RawMessage // nil for a notification
	Method string          // "" for a response
	Params any             // decoded tree
	Result any             // decoded tree of a response
	Error  *ResponseError
	Raw    []byte
}

// readFrame reads one base protocol frame and allows only what the specification does: two known header fields, CRLF
// after each, a length in bytes.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			if line != "" {
				return nil, fmt.Errorf("the stream ends inside a header: %q", line)
			}
			return nil, err
		}
		text, ok := strings.CutSuffix(line, "\r\n")
		if !ok {
			return nil, fmt.Errorf("header line %q does not end in CRLF", line)
		}
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ": ")
		if !ok {
			return nil, fmt.Errorf("%q is no header field", text)
		}
		switch name {
		case "Content-Length":
			if length >= 0 {
				return nil, fmt.Errorf("Content-Length stands twice")
			}
			if length, err = strconv.Atoi(value); err != nil || length < 0 {
				return nil, fmt.Errorf("Content-Length is %q", value)
			}
		case "Content-Type":
			if value != "application/vscode-jsonrpc; charset=utf-8" {
				return nil, fmt.Errorf("Content-Type is %q", value)
			}
		default:
			return nil, fmt.Errorf("unknown header field %q", name)
		}
	}
	if length < 0 {
		return nil, fmt.Errorf("a frame without Content-Length")
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, fmt.Errorf("the stream ends inside a message: %w", err)
	}
	return body, nil
}

// parseMessage decodes the envelope and says what is wrong with it.
func parseMessage(raw []byte) (Message, error) {
	m := Message{Raw: raw}
	tree, err := parseTree(raw)
	if err != nil {
		return m, err
	}
	top, ok := tree.(map[string]any)
	if !ok {
		return m, fmt.Errorf("the message is no object")
	}
	if top["jsonrpc"] != "2.0" {
		return m, fmt.Errorf("jsonrpc is %v, not \"2.0\"", top["jsonrpc"])
	}
	for key := range top {
		switch key {
		case "jsonrpc", "id", "method", "params", "result", "error":
		default:
			return m, fmt.Errorf("the envelope has the unknown key %q", key)
		}
	}
	if id, has := top["id"]; has {
		if m.ID, err = idBytes(id); err != nil {
			return m, err
		}
	}
	_, hasResult := top["result"]
	failure, hasError := top["error"]
	method, hasMethod := top["method"]
	if hasMethod {
		if m.Method, ok = method.(string); !ok || m.Method == "" {
			return m, fmt.Errorf("method is %v", method)
		}
		if hasResult || hasError {
			return m, fmt.Errorf("%s carries a result or an error", m.Method)
		}
		params, has := top["params"]
		switch params.(type) {
		case map[string]any, []any:
		default:
			if has {
				return m, fmt.Errorf("params of %s are neither object nor array", m.Method)
			}
		}
		m.Params = params
		return m, nil
	}
	if _, has := top["params"]; has {
		return m, fmt.Errorf("a response carries params")
	}
	if hasResult == hasError {
		return m, fmt.Errorf("a response must have either a result or an error")
	}
	m.Result = top["result"]
	if hasError {
		m.Error, err = responseError(failure)
	}
	return m, err
}

func idBytes(id any) (json.RawMessage, error) {
	switch id := id.(type) {
	case nil:
		return json.RawMessage("null"), nil
	case string:
		return json.Marshal(id)
	case json.Number:
		if _, err := strconv.ParseInt(id.String(), 10, 32); err != nil {
			return nil, fmt.Errorf("id %s is no integer of 32 bits", id)
		}
		return json.RawMessage(id), nil
	}
	return nil, fmt.Errorf("id is %v", id)
}

func responseError(v any) (*ResponseError, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("error is %v", v)
	}
	for key := range m {
		if key != "code" && key != "message" && key != "data" {
			return nil, fmt.Errorf("the error has the unknown key %q", key)
		}
	}
	code, ok := m["code"].(json.Number)
	if !ok {
		return nil, fmt.Errorf("error code is %v", m["code"])
	}
	n, err := strconv.ParseInt(code.String(), 10, 32)
	if err != nil {
		return nil, fmt.Errorf("error code %s is no integer of 32 bits", code)
	}
	text, ok := m["message"].(string)
	if !ok {
		return nil, fmt.Errorf("error message is %v", m["message"])
	}
	return &ResponseError{Code: int(n), Message: text}, nil
}

// outbox writes messages in order without ever holding up who posts them, as the pipe of an operating system with room
// in it would: the editor must be able to answer while the server is writing.
type outbox struct {
	w     io.Writer
	mu    sync.Mutex
	ready *sync.Cond
	queue [][]byte
	ended bool
	done  chan struct{}
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{w: w, done: make(chan struct{})}
	o.ready = sync.NewCond(&o.mu)
	go o.run()
	return o
}

func (o *outbox) run() {
	defer close(o.done)
	for {
		o.mu.Lock()
		for len(o.queue) == 0 && !o.ended {
			o.ready.Wait()
		}
		if len(o.queue) == 0 {
			o.mu.Unlock()
			return
		}
		next := o.queue[0]
		o.queue = o.queue[1:]
		o.mu.Unlock()
		if _, err := o.w.Write(next); err != nil {
			return // the server is gone; the reader tells
		}
	}
}

// raw posts bytes as they are, for tests that send what is no message.
func (o *outbox) raw(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.queue = append(o.queue, b)
	o.ready.Signal()
}

func (o *outbox) post(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("lsptest: marshal own message: %v", err))
	}
	o.raw(append([]byte(frameHeader(len(body))), body...))
}

func (o *outbox) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	o.ready.Signal()
}

func frameHeader(length int) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n", length) }
