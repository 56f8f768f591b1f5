package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// model answers every request with one reply, all but its end at once and the end after a rest, so
// that what is timed is the way from the last byte on and not the model's speed.
type model struct {
	*httptest.Server
	reply string
	rest  time.Duration // before the last piece
	piece time.Duration // before every piece; 0 sends the reply in two

	mu    sync.Mutex
	last  time.Time // when the last byte was handed to the network
	heard time.Time // when the last request was there as a whole
}

func serveModel(reply string, rest, piece time.Duration) *model {
	m := &model{reply: reply, rest: rest, piece: piece}
	m.Server = httptest.NewServer(http.HandlerFunc(m.answer))
	return m
}

func (m *model) answer(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		http.NotFound(w, r)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body) // what is cut off has come as far as it will
	m.mu.Lock()
	m.heard = time.Now()
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	for _, part := range m.pieces() {
		select {
		case <-time.After(m.piece):
		case <-r.Context().Done():
			return
		}
		m.send(w, part, "")
	}
	select {
	case <-time.After(m.rest):
	case <-r.Context().Done():
		return
	}
	m.mu.Lock()
	m.last = time.Now()
	m.mu.Unlock()
	m.send(w, "\n", "stop")
	fmt.Fprint(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":100000,"completion_tokens":500,"total_tokens":100500}}`+"\n\n")
	fmt.Fprint(w, "data: [DONE]\n\n")
	w.(http.Flusher).Flush()
}

func (m *model) pieces() []string {
	if m.piece == 0 {
		return []string{strings.TrimSuffix(m.reply, "\n")}
	}
	return strings.SplitAfter(strings.TrimSuffix(m.reply, "\n"), " ")
}

func (m *model) send(w http.ResponseWriter, text, finish string) {
	choice := map[string]any{"index": 0, "delta": map[string]any{"content": text}}
	if finish != "" {
		choice["finish_reason"] = finish
	}
	body, _ := json.Marshal(map[string]any{"id": "1", "object": "chat.completion.chunk", "choices": []any{choice}}) // only strings inside
	fmt.Fprintf(w, "data: %s\n\n", body)
	w.(http.Flusher).Flush()
}

func (m *model) lastByte() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

// asked is when the last request was there.
func (m *model) asked() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.heard
}
