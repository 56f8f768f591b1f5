package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/cmd/editor"
)

// hung is a time that only something that hangs takes, also on a busy machine.
const hung = 2 * time.Minute

// oddServer is a server that the real one never is: it speaks the protocol with the demo's editor, and does
// what a scenario says.
type oddServer struct {
	t        *testing.T
	conn     *editor.Conn
	hangUp   func()
	root     string
	commands map[string]func() any // by name; what they answer
	opened   map[string]string     // what the editor told: path -> language and text
	now      map[string]string     // path -> text, as the editor should have it
	heard    []string              // requests, with what matters of their arguments
	next     []func()              // what follows the answer to the present request
}

// nothingKnown is the answer of a server that does not know a request.
var nothingKnown = func() any { return editor.UnknownMethod }

func (s *oddServer) handle(method string, params json.RawMessage) any {
	var p struct {
		RootURI      string
		ClientInfo   struct{ Name string }
		TextDocument struct{ URI, LanguageID, Text string }
		Command      string
		Arguments    []map[string]string
	}
	_ = json.Unmarshal(params, &p) // what is of another kind is of no interest
	switch method {
	case "initialize":
		s.heard = append(s.heard, method+" "+s.path(p.RootURI)+" for "+p.ClientInfo.Name)
	case "textDocument/didOpen":
		s.opened[s.path(p.TextDocument.URI)] = p.TextDocument.LanguageID + ": " + p.TextDocument.Text
		return nil
	case "workspace/executeCommand":
		method = p.Command
		said := p.Arguments[0]
		s.heard = append(s.heard, strings.TrimSpace(method+" "+s.path(said["uri"])+" "+said["instruction"]))
	}
	if answer := s.commands[method]; answer != nil {
		return answer()
	}
	return map[string]any{}
}

func pipe(t *testing.T) (from, to *os.File) {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = from.Close(), to.Close() })
	return from, to
}

func (s *oddServer) path(uri string) string {
	return strings.TrimPrefix(strings.TrimPrefix(uri, editor.URI(s.root)), "/")
}

// soon does something once the answer to the present request is written.
func (s *oddServer) soon(do ...func()) { s.next = do }

// answerPipe is the server's way to the editor.
type answerPipe struct {
	*os.File
	s *oddServer
}

// Write runs what was to follow an answer. Answers alone have a result, and what reads the requests writes them.
func (a answerPipe) Write(b []byte) (int, error) {
	n, err := a.File.Write(b)
	if bytes.Contains(b, []byte(`"result"`)) {
		do := a.s.next
		a.s.next = nil
		go func() {
			for _, f := range do {
				f()
			}
		}()
	}
	return n, err
}

// writes has the editor put a text into the place of a whole file.
func (s *oddServer) writes(texts map[string]string) func() {
	return func() {
		var list []any
		for path, text := range texts {
			list = append(list, map[string]any{"textDocument": map[string]any{"uri": editor.URI(filepath.Join(s.root, path))}, "edits": []any{map[string]any{
				"range": map[string]any{"start": map[string]any{}, "end": map[string]any{"line": strings.Count(s.now[path], "\n")}}, "newText": text}}})
			s.now[path] = text
		}
		var done struct{ Applied bool }
		// An error means that the editor is gone, which it may be before the answer is here: it goes when it has
		// seen the last change. What became of the files is compared below.
		if err := s.conn.Call(s.t.Context(), "workspace/applyEdit", map[string]any{"edit": map[string]any{"documentChanges": list}}, &done); err == nil && !done.Applied {
			s.t.Errorf("the editor does not take %v", texts)
		}
	}
}

func (s *oddServer) progress(kind, message string) func() {
	return func() {
		_ = s.conn.Notify("$/progress", map[string]any{"token": 1, "value": map[string]any{"kind": kind, "message": message}})
	}
}

// TestTheStoryOfTheDemo: what the demo asks the server for and shows of it, and what it says to a server that
// does otherwise at any step. It never ends well where the change was not seen and not undone.
func TestTheStoryOfTheDemo(t *testing.T) {
	before := map[string]string{"wordcount/cli.py": "a\nb\n", "wordcount/words.py": "w = 1\n\n"}
	after := map[string]string{"wordcount/cli.py": "a\nb\nc\n", "wordcount/words.py": "w\n"}
	started := func(s *oddServer, do ...func()) func() any {
		return func() any { s.soon(do...); return map[string]any{"status": "started"} }
	}
	undoing := func(s *oddServer, texts map[string]string, more ...func()) func() any {
		return func() any {
			s.soon(append([]func(){s.writes(texts)}, more...)...)
			return map[string]any{"status": "half"}
		}
	}
	for what, x := range map[string]struct {
		commands func(s *oddServer) map[string]func() any
		told     string // an expression; "" for a good end
	}{
		"all is well": {func(s *oddServer) map[string]func() any {
			return map[string]func() any{
				"coauthor.edit":     started(s, s.progress("begin", "reads"), s.writes(after), s.progress("end", "ready")),
				"coauthor.undoTurn": undoing(s, before)}
		}, ""},
		"another protocol": {func(*oddServer) map[string]func() any { return map[string]func() any{"initialize": nothingKnown} }, "initialize: "},
		"gone after the beginning": {func(s *oddServer) map[string]func() any {
			return map[string]func() any{"initialized": func() any { s.hangUp(); return nil }}
		}, "pipe|hung up"},
		"no such command": {func(*oddServer) map[string]func() any { return map[string]func() any{"coauthor.edit": nothingKnown} }, "not known here"},
		"not started": {func(*oddServer) map[string]func() any {
			return map[string]func() any{"coauthor.edit": func() any { return map[string]any{"status": "busy"} }}
		}, "the request did not start: map\\[status:busy]"},
		"gone before the change": {func(s *oddServer) map[string]func() any {
			return map[string]func() any{"coauthor.edit": started(s, s.hangUp)}
		}, "the change to be applied"},
		"gone before its end": {func(s *oddServer) map[string]func() any {
			return map[string]func() any{"coauthor.edit": started(s, s.progress("begin", "reads"), s.writes(after), s.hangUp)}
		}, "the progress to end"},
		"an edit of nothing": {func(s *oddServer) map[string]func() any {
			return map[string]func() any{"coauthor.edit": started(s, s.writes(nil))}
		}, "nothing changed although"},
		"no undo": {func(s *oddServer) map[string]func() any {
			return map[string]func() any{"coauthor.edit": started(s, s.writes(after)), "coauthor.undoTurn": nothingKnown}
		}, "not known here"},
		"half of an undo": {func(s *oddServer) map[string]func() any {
			return map[string]func() any{"coauthor.edit": started(s, s.writes(after)), "coauthor.undoTurn": undoing(s, map[string]string{"wordcount/cli.py": "a\nb\n"}, s.hangUp)}
		}, "the turn to be undone \\(the server said map\\[status:half]\\)"},
		"nearly an undo": {func(s *oddServer) map[string]func() any {
			return map[string]func() any{"coauthor.edit": started(s, s.writes(after)), "coauthor.undoTurn": undoing(s, map[string]string{"wordcount/cli.py": "a\nb\n", "wordcount/words.py": "w = 1\n"}, s.hangUp)}
		}, "the turn to be undone"},
	} {
		// Pipes of the system, which hold some text: both ends may be writing at a time.
		toServer, fromEditor := pipe(t)
		toEditor, fromServer := pipe(t)
		s := &oddServer{t: t, root: t.TempDir(), now: maps.Clone(before), opened: map[string]string{}}
		s.hangUp = func() { _, _ = toServer.Close(), fromServer.Close() }
		s.conn = editor.NewConn(answerPipe{fromServer, s}, s.handle)
		s.commands = x.commands(s)
		served := make(chan struct{})
		go func() { defer close(served); s.conn.Read(toServer) }()
		var out bytes.Buffer
		d := &demo{out: &out, root: s.root, before: before}
		ctx, cancel := context.WithTimeout(t.Context(), hung)
		err := d.turn(ctx, editor.New(fromEditor, toEditor, d.hooks()))
		cancel()
		s.hangUp()
		_ = fromEditor.Close()
		select {
		case <-served:
		case <-time.After(hung):
			t.Fatal("hung: the end of the server")
		}
		shown := out.String()
		if x.told != "" {
			if err == nil || !regexp.MustCompile(x.told).MatchString(err.Error()) || strings.Contains(shown, "identical to the originals") {
				t.Errorf("%s: %v\n%s", what, err, shown)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", what, err, shown)
		}
		want := "\n== Request\n" + request + "\n\n== Model\n[progress] reads\n[progress] ready\n\n== Applied\nwordcount/cli.py: 2 lines before, 3 now.\nwordcount/words.py: 2 lines before, 1 now.\n" +
			"\n== Undo\nUndid the change. All files are identical to the originals. wordcount/words.py:\nw = 1\n"
		if diff := cmp.Diff(want, shown); diff != "" {
			t.Errorf("%s (-want +shown):\n%s", what, diff)
		}
		if diff := cmp.Diff([]string{"initialize  for coauthor-demo", "coauthor.edit wordcount/cli.py " + request, "coauthor.undoTurn"}, s.heard); diff != "" {
			t.Errorf("%s (-want +asked for):\n%s", what, diff)
		}
		if diff := cmp.Diff(map[string]string{"wordcount/cli.py": "python: a\nb\n", "wordcount/words.py": "python: w = 1\n\n"}, s.opened); diff != "" {
			t.Errorf("%s (-want +opened):\n%s", what, diff)
		}
	}
}
