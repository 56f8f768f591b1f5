package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// The model of the measurement under load is a process of its own: the server is to have no more of the processors taken
// from it than by a real one on this machine, and the client that takes the times is to do nothing else.

// loadWord is how often a turn that streams gets a word.
const loadWord = 2 * time.Millisecond

// loadModel streams the first two requests without an end, and answers the others.
type loadModel struct {
	mu    sync.Mutex
	heard loadHeard // guarded by mu
}

// loadHeard is what the model was sent.
type loadHeard struct {
	Asked  int    // requests
	Prompt string // the last one
}

// serveLoadModel tells its address in a line, and serves until its input ends.
func serveLoadModel(in io.Reader, out io.Writer) error {
	server := httptest.NewServer(&loadModel{})
	defer server.Close()
	if _, err := fmt.Fprintln(out, server.URL); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, in)
	server.CloseClientConnections() // of turns that stream
	return err
}

// ServeHTTP implements http.Handler.
func (l *loadModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		l.mu.Lock()
		defer l.mu.Unlock()
		_ = json.NewEncoder(w).Encode(l.heard) // to a client that is gone nothing is to be told
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	l.mu.Lock()
	l.heard = loadHeard{l.heard.Asked + 1, string(body)}
	first := l.heard.Asked <= 2
	l.mu.Unlock()
	short := &model{reply: "Fine.\n"}
	if !first {
		r.Body = http.NoBody
		short.answer(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	tick := time.NewTicker(loadWord)
	defer tick.Stop()
	for i := 0; ; i++ { // a reply that repeats itself is not heard to its end
		select {
		case <-tick.C:
			short.send(w, fmt.Sprintf("word%d ", i), "")
		case <-r.Context().Done():
			return
		}
	}
}

// startLoadModel starts the model, and returns its address. end stops it.
func startLoadModel(ctx context.Context) (url string, end func(), err error) {
	own, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, own, "load-model")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	end = func() {
		in.Close()
		_ = cmd.Wait() // it has done what it was for
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		end()
		return "", nil, fmt.Errorf("start the model: %w", err)
	}
	return strings.TrimSpace(line), end, nil
}

// heard asks the model what it was sent.
func (l *load) heard(ctx context.Context) (h loadHeard, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, l.model, nil)
	if err != nil {
		return h, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return h, err
	}
	defer response.Body.Close()
	return h, json.NewDecoder(response.Body).Decode(&h)
}
