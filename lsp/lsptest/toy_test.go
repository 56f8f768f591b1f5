package lsptest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// toy is a server that answers the handshake and then says what a test makes it say.
type toy struct {
	t    *testing.T
	conn io.ReadWriteCloser
	out  *outbox

	mu      sync.Mutex
	cond    *sync.Cond
	got     []map[string]any // everything the editor sent
	early   []string         // messages sent before initialized
	replies map[string]any   // method -> result
	gone    bool
	nextID  int
}

const toyCapabilities = `{"serverInfo":{"name":"toy"},"capabilities":{"positionEncoding":"utf-16",
	"textDocumentSync":{"openClose":true,"change":2},
	"codeActionProvider":{"codeActionKinds":["quickfix","refactor"]},
	"executeCommandProvider":{"commands":["coauthor.apply","coauthor.edit","coauthor.status"]}}}`

// run starts a toy server and an editor in front of it, with one file a.txt of three lines open.
func run(t *testing.T, profile string, change func(*Profile, *Options)) (*toy, *Editor) {
	t.Helper()
	p, err := LoadProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	write(t, filepath.Join(root, "a.txt"), "one\ntwo\nthree\n")
	o := Options{Folders: []string{root}}
	o.Report = func(string) {} // the log keeps them
	if change != nil {
		change(&p, &o)
	}
	client, server := Pipe()
	s := &toy{t: t, conn: server, out: newOutbox(server), replies: map[string]any{}}
	s.cond = sync.NewCond(&s.mu)
	go s.read()
	e := New(t, client, p, o)
	t.Cleanup(func() { _ = server.Close() })
	return s, e
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *toy) read() {
	r := bufio.NewReader(s.conn)
	for {
		raw, err := readFrame(r)
		if err != nil {
			s.mu.Lock()
			s.gone = true
			s.cond.Broadcast()
			s.mu.Unlock()
			return
		}
		var m map[string]any
		if err := json.Unmarshal(raw, &m); err != nil {
			s.t.Errorf("the editor sent %q: %v", raw, err)
			return
		}
		s.handle(m)
	}
}

func (s *toy) handle(m map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.cond.Broadcast()
	s.got = append(s.got, m)
	name, _ := m["method"].(string)
	if m["id"] == nil || name == "" {
		return
	}
	var result any
	switch name {
	case "initialize":
		result = json.RawMessage(toyCapabilities)
		for _, early := range s.early {
			s.say(early)
		}
	default:
		result = s.replies[name]
		if text, ok := result.(string); ok {
			result = json.RawMessage(text)
		}
	}
	s.out.post(map[string]any{"jsonrpc": "2.0", "id": m["id"], "result": result})
}

// say sends a body as it is.
func (s *toy) say(body string) { s.out.raw([]byte(frameHeader(len(body)) + body)) }

// ask sends a request and waits for the answer.
func (s *toy) ask(method, params string) map[string]any {
	s.t.Helper()
	id := s.post(method, params)
	return s.wait(func(m map[string]any) bool { return m["id"] == id && m["method"] == nil })
}

// post sends a request and does not wait.
func (s *toy) post(method, params string) string {
	s.mu.Lock()
	s.nextID++
	id := fmt.Sprintf("toy-%d", s.nextID)
	s.mu.Unlock()
	s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":%s}`, id, method, params))
	return id
}

// wait blocks until the editor has sent such a message.
func (s *toy) wait(match func(map[string]any) bool) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := 0; ; i++ {
		for i >= len(s.got) {
			if s.gone {
				s.t.Fatal("the editor went away")
			}
			s.cond.Wait()
		}
		if match(s.got[i]) {
			return s.got[i]
		}
	}
}

// sync makes sure that the editor has handled everything said so far.
func (s *toy) sync() {
	s.t.Helper()
	s.ask("client/registerCapability", `{"registrations":[]}`)
}

func (s *toy) edit(e *Editor, name string, version any, edits string) string {
	v, err := json.Marshal(version)
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprintf(`{"label":"Coauthor: toy","edit":{"documentChanges":[{"textDocument":{"uri":%q,"version":%s},"edits":%s}]}}`,
		e.URI(name), v, edits)
}
