package llmtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
)

// Message is one message of a recorded request, its parts joined.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Recorded is one request as it came in, or, with Closed, the news that the client of request
// Number hung up while the reply was on its way.
type Recorded struct {
	Number   int             `json:"number"` // counts chat requests from 1; 0 for other requests
	Method   string          `json:"method,omitempty"`
	Path     string          `json:"path,omitempty"`
	Query    string          `json:"query,omitempty"`
	Header   http.Header     `json:"-"`
	Body     json.RawMessage `json:"body,omitempty"`
	Model    string          `json:"model,omitempty"`
	Messages []Message       `json:"-"`
	Closed   bool            `json:"closed,omitempty"`
}

// Handler answers by a script. It is safe for concurrent use.
type Handler struct {
	script  *Script
	observe func(Recorded)
	done    <-chan struct{}

	mu       sync.Mutex
	used     map[int]bool  // guarded by mu: numbers of the replies given
	requests []Recorded    // guarded by mu
	closed   int           // guarded by mu
	held     int           // guarded by mu: replies that hold now
	release  chan struct{} // guarded by mu: closed and replaced by Release
	news     chan struct{} // guarded by mu: closed and replaced whenever something was recorded
}

// newHandler returns a handler. observe, which may be nil, is told of everything in order; done
// ends replies that hold.
func newHandler(s *Script, observe func(Recorded), done <-chan struct{}) *Handler {
	return &Handler{
		script: s, observe: observe, done: done,
		used: map[int]bool{}, release: make(chan struct{}), news: make(chan struct{}),
	}
}

// Requests returns the chat requests so far, in order.
func (h *Handler) Requests() []Recorded {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Recorded(nil), h.requests...)
}

// Closed counts the connections that clients closed while a reply was on its way.
func (h *Handler) Closed() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.closed
}

// Release lets the replies that hold now go on. A reply that comes to its hold later waits for the
// next Release; WaitHeld tells when it has.
func (h *Handler) Release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.release)
	h.release = make(chan struct{})
}

// WaitRequest waits until n chat requests came in.
func (h *Handler) WaitRequest(ctx context.Context, n int) error {
	return h.wait(ctx, fmt.Sprintf("request %d", n), func() bool { return len(h.requests) >= n })
}

// WaitClosed waits until clients closed n connections in the middle of a reply.
func (h *Handler) WaitClosed(ctx context.Context, n int) error {
	return h.wait(ctx, fmt.Sprintf("%d closed connections", n), func() bool { return h.closed >= n })
}

// WaitHeld waits until at least n replies hold.
func (h *Handler) WaitHeld(ctx context.Context, n int) error {
	return h.wait(ctx, fmt.Sprintf("%d held replies", n), func() bool { return h.held >= n })
}

func (h *Handler) wait(ctx context.Context, what string, ok func() bool) error {
	for {
		h.mu.Lock()
		good, news := ok(), h.news
		h.mu.Unlock()
		if good {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", what, ctx.Err())
		}
	}
}

// change runs f under the lock and wakes whoever waits.
func (h *Handler) change(f func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f()
	close(h.news)
	h.news = make(chan struct{})
}

func (h *Handler) record(r Recorded) {
	h.change(func() {
		if r.Closed {
			h.closed++
		}
		if h.observe != nil {
			h.observe(r)
		}
	})
}

// recordChat numbers and records a chat request.
func (h *Handler) recordChat(r Recorded) (number int) {
	h.change(func() {
		r.Number = len(h.requests) + 1
		h.requests = append(h.requests, r)
		if h.observe != nil {
			h.observe(r)
		}
	})
	return r.Number
}

// Server is a Handler that listens.
type Server struct {
	*Handler
	URL string // http://127.0.0.1:PORT, without /v1

	http   *http.Server
	cancel context.CancelFunc
	served sync.WaitGroup
}

// Start serves a script on a free port of 127.0.0.1. It panics when there is none, which on a
// working machine does not happen.
func Start(s *Script) *Server {
	var lc net.ListenConfig
	l, err := lc.Listen(context.Background(), "tcp", "127.0.0.1:0") // takes no time
	if err != nil {
		panic(fmt.Sprintf("llmtest: listen on loopback: %v", err))
	}
	return Serve(l, s, nil)
}

// Serve serves a script on l, which it owns, until Close.
func Serve(l net.Listener, s *Script, observe func(Recorded)) *Server {
	ctx, cancel := context.WithCancel(context.Background())
	h := newHandler(s, observe, ctx.Done())
	srv := &Server{
		Handler: h,
		URL:     "http://" + l.Addr().String(),
		http:    &http.Server{Handler: h},
		cancel:  cancel,
	}
	srv.served.Go(func() {
		_ = srv.http.Serve(l) // ends with ErrServerClosed, by Close
	})
	return srv
}

// Close ends all replies and connections and waits for the server.
func (s *Server) Close() {
	s.cancel()
	_ = s.http.Close() // the connections are of no further use
	s.served.Wait()
}
