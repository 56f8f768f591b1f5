package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/wire"
)

// editor is the other end of a client: it notes what comes, and answers with what is written.
type editor struct {
	*Client
	peer   *lsptest.Peer
	answer string // JSON; "" is none
	refuse error
	quiet  error
	pauses int

	mu    sync.Mutex
	asked []string // guarded by mu; methods with their parameters
}

func newEditor(t *testing.T, caps Capabilities, q Quirks) *editor {
	t.Helper()
	a, b := net.Pipe()
	session, cancel := context.WithCancel(t.Context())
	conn := jsonrpc2.NewConn(wire.NewStream(a, slog.New(slog.DiscardHandler), cancel))
	caller := wire.NewCaller(session)
	e := &editor{Client: &Client{Caller: caller, Caps: &caps, Quirks: &q}, answer: "null"}
	e.Quiet = func(context.Context) error { e.pauses++; return e.quiet }
	e.peer = lsptest.NewPeer(t, b)
	e.peer.Serve = func(method string, params json.RawMessage) (any, error) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.asked = append(e.asked, method+" "+string(params))
		if e.answer == "" {
			return nil, lsptest.ErrSilent
		}
		return json.RawMessage(e.answer), e.refuse
	}
	caller.Connect(conn)
	conn.Go(context.Background(), func(context.Context, *jsonrpc2.Request) (any, error) { return nil, nil })
	caller.Open()
	return e
}

// took returns what was asked since the last call.
func (e *editor) took() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := e.asked
	e.asked = nil
	return list
}

// able is a client that can be asked everything.
var able = Capabilities{ApplyEdit: true, Configuration: true, Progress: true, ShowDocument: true, VirtualDocuments: true, ShowMessageDeclared: true, InputRequest: true, LookUp: true}

// Each request is sent where the client can answer it and nowhere else; those that take the keyboard wait until the
// user does not type, and are not sent to who gave up. A client's error is an error.
func TestWhatAClientIsAsked(t *testing.T) {
	none := func(*Capabilities, *Quirks) {}
	for _, test := range []struct {
		name   string
		call   func(ctx context.Context, e *editor) error
		method string
		cannot func(c *Capabilities, q *Quirks)
		quiet  bool
	}{
		{"edit", func(ctx context.Context, e *editor) error {
			_, err := e.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{})
			return err
		}, "workspace/applyEdit", func(c *Capabilities, _ *Quirks) { c.ApplyEdit = false }, false},
		{"question", func(ctx context.Context, e *editor) error {
			_, err := e.ShowMessageRequest(ctx, protocol.MessageTypeInfo, "?", []string{"a"})
			return err
		}, "window/showMessageRequest", func(c *Capabilities, q *Quirks) { c.ShowMessageDeclared, q.MessageRequestIfDeclared = false, true }, true},
		{"document", func(ctx context.Context, e *editor) error {
			_, err := e.ShowDocument(ctx, "file:///a", true, nil)
			return err
		}, "window/showDocument", func(c *Capabilities, _ *Quirks) { c.ShowDocument = false }, true},
		{"box", func(ctx context.Context, e *editor) error {
			_, _, err := e.InputBox(ctx, InputBoxParams{Prompt: "?"})
			return err
		}, MethodInputBox, func(c *Capabilities, _ *Quirks) { c.InputRequest = false }, true},
		{"other servers", func(ctx context.Context, e *editor) error {
			_, err := e.LookUp(ctx, LookUpParams{What: "hover"})
			return err
		}, MethodLookUp, func(c *Capabilities, _ *Quirks) { c.LookUp = false }, false},
		{"settings", func(ctx context.Context, e *editor) error {
			_, err := e.Configuration(ctx, "coauthor")
			return err
		}, "workspace/configuration", func(c *Capabilities, _ *Quirks) { c.Configuration = false }, false},
		{"progress", func(ctx context.Context, e *editor) error { return e.CreateProgress(ctx, "token") },
			"window/workDoneProgress/create", func(c *Capabilities, _ *Quirks) { c.Progress = false }, false},
		{"registration", func(ctx context.Context, e *editor) error {
			return e.Register(ctx, "id", "method", map[string]int{"n": 3})
		},
			"client/registerCapability", none, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := newEditor(t, able, Quirks{})
			if err := test.call(t.Context(), e); err != nil {
				t.Error(err)
			}
			if got := e.took(); len(got) != 1 || !strings.HasPrefix(got[0], test.method+" ") || (e.pauses == 1) != test.quiet {
				t.Errorf("asked %q after %d pauses", got, e.pauses)
			}
			e.refuse = &lsptest.ResponseError{Code: -32603, Message: "its own words"}
			if err := test.call(t.Context(), e); err == nil || errors.Is(err, wire.ErrUnsupported) {
				t.Errorf("refused: %v", err)
			}
			e.took()
			e.quiet, e.refuse = errors.New("still typing"), nil
			if err := test.call(t.Context(), e); errors.Is(err, e.quiet) != test.quiet || (len(e.took()) == 0) != test.quiet {
				t.Errorf("while the user types: %v", err)
			}
			caps, q := able, Quirks{}
			if test.cannot(&caps, &q); caps.ApplyEdit && caps.ShowDocument && caps.InputRequest && caps.Configuration && caps.Progress && !q.MessageRequestIfDeclared {
				return
			}
			e = newEditor(t, caps, q)
			if err := test.call(t.Context(), e); !errors.Is(err, wire.ErrUnsupported) || len(e.took()) > 0 || e.pauses > 0 {
				t.Errorf("where it cannot: %v", err)
			}
		})
	}
}

// What a client says of an edit is read as it says it; neither yes nor no is neither.
func TestAnswersToAnEdit(t *testing.T) {
	third := uint32(3)
	e := newEditor(t, able, Quirks{})
	for answer, want := range map[string]Answer{
		`{"applied":true}`:  {Applied: true},
		`{"applied":false}`: {},
		`{"applied":false,"failureReason":"why","failedChange":3}`: {Reason: "why", Failed: &third},
		`{"applied":true,"failureReason":"why"}`:                   {Applied: true, Reason: "why"},
		`null`:                                                     {Null: true},
		`{}`:                                                       {Null: true},
		`{"applied":null}`:                                         {Null: true},
	} {
		e.answer = answer
		got, err := e.ApplyEdit(t.Context(), &protocol.ApplyWorkspaceEditParams{})
		if failed := got.Failed; err != nil || got.Applied != want.Applied || got.Null != want.Null || got.Reason != want.Reason || (failed != nil) != (want.Failed != nil) || failed != nil && *failed != *want.Failed {
			t.Errorf("%s: %+v, %v", answer, got, err)
		}
	}
	e.answer = `"yes"`
	if got, err := e.ApplyEdit(t.Context(), &protocol.ApplyWorkspaceEditParams{}); err == nil || got.Applied {
		t.Errorf("%+v, %v", got, err)
	}
}

// Where questions wait until the user looks for them, a message says what is asked and how to look, when the user does not
// type.
func TestQuestionsThatWait(t *testing.T) {
	for text, want := range map[string]string{
		"Run this?":        "Run this? Answer: :next.",
		"It was changed.":  "It was changed. Answer: :next.",
		"Change (2 files)": "Change (2 files). Answer: :next.",
	} {
		e := newEditor(t, able, Quirks{Waiting: ":next"})
		if _, err := e.ShowMessageRequest(t.Context(), protocol.MessageTypeWarning, text, []string{"a"}); err != nil {
			t.Fatal(err)
		}
		if told := e.peer.Next(); !strings.Contains(told, `"window/showMessage"`) || !strings.Contains(told, want) || len(e.took()) != 1 {
			t.Errorf("%q: told %s", text, told)
		}
		e.quiet = context.Canceled
		if _, err := e.ShowMessageRequest(t.Context(), protocol.MessageTypeWarning, text, []string{"a"}); err == nil || len(e.took()) != 0 {
			t.Errorf("%q is asked of a user who types: %v", text, err)
		}
	}
}

// A question shows the choices as they can be read, and what is picked is the choice that was meant.
func TestQuestions(t *testing.T) {
	hidden := "Ap\u202eply"
	for _, test := range []struct {
		quirks  Quirks
		choices []string
		answer  string
		shown   []string
		want    string
	}{
		{Quirks{}, []string{"a", "b"}, `{"title":"b"}`, []string{"a", "b"}, "b"},
		{Quirks{}, []string{"a", "b"}, `null`, []string{"a", "b"}, ""},
		{Quirks{}, []string{"a", "b"}, `{"title":"other"}`, []string{"a", "b"}, "other"},
		{Quirks{FirstChoiceOnly: true}, []string{"a", "b"}, `{"title":"a"}`, []string{"a"}, "a"},
		{Quirks{FirstChoiceOnly: true}, []string{"a"}, `{"title":"a"}`, []string{"a"}, "a"},
		{Quirks{FirstChoiceOnly: true}, nil, `null`, nil, ""},
		{Quirks{}, []string{hidden}, fmt.Sprintf(`{"title":%q}`, display.Message(hidden)), []string{display.Message(hidden)}, hidden},
	} {
		e := newEditor(t, able, test.quirks)
		e.answer = test.answer
		got, err := e.ShowMessageRequest(t.Context(), protocol.MessageTypeWarning, "What "+hidden+"?", test.choices)
		if err != nil || got != test.want {
			t.Errorf("%q, %s: %q, %v", test.choices, test.answer, got, err)
		}
		var asked struct {
			Type    int
			Message string
			Actions []struct{ Title string }
		}
		_, params, _ := strings.Cut(strings.Join(e.took(), ""), " ")
		if err := json.Unmarshal([]byte(params), &asked); err != nil {
			t.Fatal(err)
		}
		var titles []string
		for _, a := range asked.Actions {
			titles = append(titles, a.Title)
		}
		if asked.Type != 2 || asked.Message != Spoken("What "+hidden+"?") || strings.Contains(asked.Message, hidden) || !slices.Equal(titles, test.shown) {
			t.Errorf("asked %+v", asked)
		}
	}
}

// What a client can be hoped to do follows from what it declared and what is known of it.
func TestWhatCanBeHopedFor(t *testing.T) {
	for _, declared := range []bool{true, false} {
		for bits := range 16 {
			on := func(i int) bool { return bits>>i&1 == 1 }
			caps := Capabilities{ShowMessageDeclared: declared, ShowDocument: declared, VirtualDocuments: on(3)}
			q := Quirks{MessageRequestIfDeclared: on(1), ShowDocument: on(0), NoShowDocument: on(1), NoVirtualDocuments: on(2)}
			c := &Client{Caps: &caps, Quirks: &q}
			if got, want := c.CanAsk(), declared || !on(1); got != want {
				t.Errorf("%+v, %q: can ask: %v", caps, q.Switches(), got)
			}
			shows := (declared || on(0)) && !on(1)
			if got := c.canShow(); got != shows {
				t.Errorf("%+v, %q: can show: %v", caps, q.Switches(), got)
			}
			if got := c.CanShowVirtual(); got != (shows && on(3) && !on(2)) {
				t.Errorf("%+v, %q: can show what is no file: %v", caps, q.Switches(), got)
			}
		}
	}
}

// A document is shown with focus and selection as they were asked for, and the client says whether it was.
func TestShowingADocument(t *testing.T) {
	e := newEditor(t, able, Quirks{})
	for _, focus := range []bool{true, false} {
		for answer, want := range map[string]bool{`{"success":true}`: true, `{"success":false}`: false, `null`: false} {
			e.answer = answer
			shown, err := e.ShowDocument(t.Context(), "file:///a", focus, &protocol.Range{End: protocol.Position{Line: 7}})
			got := strings.Join(e.took(), "")
			if shown != want || err != nil || !strings.Contains(got, fmt.Sprintf(`"takeFocus":%v`, focus)) || !strings.Contains(got, `"uri":"file:///a"`) || !strings.Contains(got, `"line":7`) {
				t.Errorf("%s: %v, %v; asked %s", answer, shown, err, got)
			}
		}
	}
}

// A box that was closed gives no text; an empty text is one.
func TestInputBox(t *testing.T) {
	e := newEditor(t, able, Quirks{})
	for _, test := range []struct {
		answer, want string
		given        bool
	}{{`{"value":"text"}`, "text", true}, {`{"value":""}`, "", true}, {`{"value":null}`, "", false}, {`{}`, "", false}, {`null`, "", false}} {
		e.answer = test.answer
		got, given, err := e.InputBox(t.Context(), InputBoxParams{Prompt: "a\u202eb", Value: "v", History: []string{"h"}})
		if got != test.want || given != test.given || err != nil {
			t.Errorf("%s: %q, %v, %v", test.answer, got, given, err)
		}
		if asked := strings.Join(e.took(), ""); strings.Contains(asked, "\u202e") || !strings.Contains(asked, `"value":"v"`) || !strings.Contains(asked, `"history":["h"]`) {
			t.Errorf("asked %s", asked)
		}
	}
}

// Settings are asked for by their section; a client that has none says nothing or null.
func TestConfiguration(t *testing.T) {
	e := newEditor(t, able, Quirks{})
	for answer, want := range map[string]string{`[{"a":1}]`: `{"a":1}`, `[false,2]`: `false`, `[null]`: "", `[]`: "", `null`: ""} {
		e.answer = answer
		got, err := e.Configuration(t.Context(), "section")
		if string(got) != want || err != nil || (got == nil) != (want == "") {
			t.Errorf("%s: %s, %v", answer, got, err)
		}
		if asked := strings.Join(e.took(), ""); !strings.Contains(asked, `"section":"section"`) {
			t.Errorf("asked %s", asked)
		}
	}
}

// What is told reaches the client in its form, and what cannot be written is not sent.
func TestWhatAClientIsTold(t *testing.T) {
	e := newEditor(t, able, Quirks{})
	next := func(words ...string) {
		t.Helper()
		got := e.peer.Next()
		for _, w := range words {
			if !strings.Contains(got, w) {
				t.Errorf("told %s, want %s", got, w)
			}
		}
		if strings.Contains(got, "\u202e") || strings.Contains(got, `\u202e`) {
			t.Errorf("told %s", got)
		}
	}
	e.ShowMessage(protocol.MessageTypeError, "one\u202e\ntwo")
	next(`"window/showMessage"`, `"type":1`, `\ntwo"`)
	e.LogMessage(protocol.MessageTypeWarning, "one\u202e\ntwo")
	next(`"window/logMessage"`, `"type":2`, `two`)
	e.Progress("token", make(chan int)) // nothing
	e.Progress("token", map[string]string{"kind": "end"})
	next(`"$/progress"`, `"token":"token"`, `"value":{"kind":"end"}`)
	if err := e.Register(t.Context(), "i", "m", make(chan int)); err == nil || len(e.took()) > 0 {
		t.Errorf("registered: %v", err)
	}
	if err := e.Register(t.Context(), "i", "m", map[string]int{"n": 3}); err != nil {
		t.Error(err)
	}
	if got := strings.Join(e.took(), ""); !strings.Contains(got, `"id":"i"`) || !strings.Contains(got, `"method":"m"`) || !strings.Contains(got, `"registerOptions":{"n":3}`) {
		t.Errorf("asked %s", got)
	}
	if err := e.CreateProgress(t.Context(), "token"); err != nil {
		t.Error(err)
	}
	if got := strings.Join(e.took(), ""); !strings.Contains(got, `"token":"token"`) {
		t.Errorf("asked %s", got)
	}
}

// A document's text is asked to be fetched again; who gives up does not wait for the answer.
func TestRefreshing(t *testing.T) {
	e := newEditor(t, able, Quirks{})
	e.RefreshContent(t.Context(), "coauthor:/a")
	if got := strings.Join(e.took(), ""); !strings.HasPrefix(got, "workspace/textDocumentContent/refresh ") || !strings.Contains(got, `"coauthor:/a"`) || e.pauses > 0 {
		t.Errorf("asked %s", got)
	}
	e.answer = ""
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	lsptest.Within(t, "a refresh that nobody waits for", func() { e.RefreshContent(ctx, "coauthor:/a") })
}
