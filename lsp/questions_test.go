package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/event"
	"coauthor/lsp/client"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/turnview"
)

// A question comes in the best form that the client has, and what the user does there is the answer; where they
// cannot see it, or do not answer, the default is, and they are told unless they know.
func TestHowAQuestionIsPut(t *testing.T) {
	choice := event.Question{ID: "q1", Text: "Add it?", Choices: []string{"No", "Yes", "All"}, Default: "No"}
	text := event.Question{ID: "q1", Text: "What?", FreeText: true, Default: "d"}
	both := event.Question{ID: "q1", Text: "Which?", Choices: []string{"No", "Yes"}, Default: "No", FreeText: true}
	box := func(c *client.Capabilities, _ *client.Quirks) { c.InputRequest = true }
	usual := func(*client.Capabilities, *client.Quirks) {}
	for _, test := range []struct {
		name   string
		q      event.Question
		caps   func(*client.Capabilities, *client.Quirks)
		box    any // what the input box answers
		failed error
		pick   string // in a dialog; "-" knows none
		want   event.Answer
		shown  []string // choices of a dialog
		told   int
		doc    bool // a document for the answer was opened
	}{
		{"a box", text, box, map[string]any{"value": "mine"}, nil, "-", event.Answer{Text: "mine"}, nil, 0, false},
		{"a box that was closed", text, box, map[string]any{"value": nil}, nil, "-", text.DefaultAnswer(), nil, 0, false},
		{"a box that fails", text, box, nil, errors.New("no"), "-", event.Answer{Text: "Yes"}, nil, 0, true},
		{"no box", text, usual, nil, nil, "-", event.Answer{Text: "Yes"}, nil, 0, true},
		{"a dialog", choice, box, nil, nil, "All", event.Answer{Choice: "All"}, []string{"No", "Yes", "All"}, 0, false},
		{"a dialog that was closed", choice, usual, nil, nil, "", choice.DefaultAnswer(), []string{"No", "Yes", "All"}, 0, false},
		{"no answer to it", choice, usual, nil, nil, "Perhaps", choice.DefaultAnswer(), []string{"No", "Yes", "All"}, 0, false},
		{"the first choice alone", choice, func(_ *client.Capabilities, q *client.Quirks) { q.FirstChoiceOnly = true }, nil, nil, "Yes", event.Answer{Choice: "Yes"}, []string{"Yes"}, 0, false},
		{"one's own words", both, usual, nil, nil, turnview.OwnWords, event.Answer{Choice: "Yes"}, []string{"No", "Yes", turnview.OwnWords}, 0, true},
		{"one's own words in a box", both, box, map[string]any{"value": "mine"}, nil, turnview.OwnWords, event.Answer{Text: "mine"}, []string{"No", "Yes", turnview.OwnWords}, 0, false},
		{"code actions", choice, usual, nil, nil, "-", event.Answer{Choice: "Yes"}, nil, 1, false},
		{"code actions of a menu", choice, func(_ *client.Capabilities, q *client.Quirks) { q.Menu = "the menu" }, nil, nil, "-", event.Answer{Choice: "Yes"}, nil, 1, false},
		{"no way to ask", choice, func(c *client.Capabilities, q *client.Quirks) {
			c.CodeActions, q.MessageRequestIfDeclared = false, true
		}, nil, nil, "-", choice.DefaultAnswer(), nil, 1, false},
		{"nothing at all", choice, func(c *client.Capabilities, _ *client.Quirks) { c.CodeActions = false }, nil, nil, "-", choice.DefaultAnswer(), nil, 1, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, nil, test.caps)
			d.s.landings.Scale = 1
			answer := func() { // as soon as the user sees how
				if _, err := d.s.questions.Answer("", "", "Yes"); err != nil {
					t.Error(err)
				}
			}
			d.listen(func(method string, _ json.RawMessage) {
				if method == protocol.MethodWindowShowMessage {
					answer()
				}
			})
			var shown []string
			if test.pick != "-" {
				d.pick = func(_ string, choices []string) string {
					shown = choices
					return test.pick
				}
			}
			usual := d.Serve
			d.Serve = func(method string, params json.RawMessage) (any, error) {
				if method == client.MethodInputBox {
					return test.box, test.failed
				}
				if method == protocol.MethodWindowShowDocument {
					defer answer()
				}
				return usual(method, params)
			}
			var got event.Answer
			var waits atomic.Bool // what was asked has said so
			lsptest.Within(t, "the answer", func() {
				var err error
				if got, err = d.root.Shown.Asker().Ask(client.OnAsking(t.Context(), func() { waits.Store(true) }), test.q); err != nil {
					t.Error(err)
				}
			})
			if now := waits.Load(); now && test.name == "no way to ask" || !now && (len(test.shown) > 0 || test.box != nil) {
				t.Errorf("it waits for the user: %v", now)
			}
			if got != test.want || !slices.Equal(shown, test.shown) || len(d.said()) != test.told || (len(d.documents()) > 0) != test.doc {
				t.Errorf("%+v, want %+v; shown %q, told %q, documents %q", got, test.want, shown, d.said(), d.documents())
			}
			if left := d.s.questions.In(d.root.Session); len(left) > 0 {
				t.Errorf("%d questions are left", len(left))
			}
		})
	}
}

// What is asked about is seen whole, in its lines: in the dialog, and where it has several lines in a document, too,
// because many dialogs have one line. What is long is only there, and where there is none, it is in the dialog all the same.
// A question whose text cannot be seen whole has its default.
func TestWhatIsAskedAboutIsSeenWhole(t *testing.T) {
	word := strings.Repeat("x", 300)
	few, long := "set -e\nrun "+word, strings.Repeat("run it\n", 30)
	usual := func(*client.Capabilities, *client.Quirks) {}
	noDocuments := func(c *client.Capabilities, _ *client.Quirks) { c.ShowDocument = false }
	for _, test := range []struct {
		name, body string
		caps       func(*client.Capabilities, *client.Quirks)
		dialogs    bool
		message    string // ends so
		doc        bool
		want       event.Answer
	}{
		{"a line", "run " + word, usual, true, "run " + word + "\n\nCoauthor: Run this?", false, event.Answer{Choice: "run"}},
		{"a few lines", few, usual, true, few + "\n\nCoauthor: Run this?", true, event.Answer{Choice: "run"}},
		{"many lines", long, usual, true, "Run this? The full text (30 lines) is open in a document.", true, event.Answer{Choice: "run"}},
		{"many lines, no documents", long, noDocuments, true, strings.TrimSpace(long) + "\n\nCoauthor: Run this?", false, event.Answer{Choice: "run"}},
		{"no dialogs", "run it", usual, false, "Run this?\n\nrun it\nAnswer with the code action \"Coauthor: run (Run this?)\" or \"Coauthor: skip (Run this?)\".", false, event.Answer{Choice: "run"}},
		{"none declared, long lines", "run " + word, func(_ *client.Capabilities, q *client.Quirks) { q.MessageRequestIfDeclared = true }, false, "Run this? The full text is open in a document. Answer with the code action \"Coauthor: run (Run this?)\" or \"Coauthor: skip (Run this?)\".", true, event.Answer{Choice: "run"}},
		{"none declared, no documents", "run " + word, func(c *client.Capabilities, q *client.Quirks) {
			q.MessageRequestIfDeclared, c.ShowDocument = true, false
		}, false, "used the default: skip. (Run this?)", false, event.Answer{Choice: "skip", Defaulted: true}},
		{"no dialogs, long lines", "run " + word, usual, false, "used the default: skip. (Run this?)", false, event.Answer{Choice: "skip", Defaulted: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, nil, test.caps)
			d.s.landings.Scale = 1
			d.listen(func(method string, _ json.RawMessage) {
				if method == protocol.MethodWindowShowMessage {
					_, _ = d.s.questions.Answer("", "run", "") // there may be none any more
				}
			})
			message := ""
			if test.dialogs {
				d.pick = func(text string, _ []string) string {
					message = text
					return "run"
				}
			}
			var got event.Answer
			lsptest.Within(t, "the answer", func() {
				var err error
				if got, err = d.root.Shown.Asker().Ask(t.Context(), event.Question{ID: "q1", Text: "Run this?", Body: test.body, Choices: []string{"run", "skip"}, Default: "skip"}); err != nil {
					t.Error(err)
				}
			})
			if said := d.said(); message == "" && len(said) == 1 {
				message = said[0]
			}
			if docs := d.documents(); got != test.want || !strings.HasSuffix(message, test.message) || (len(docs) > 0) != test.doc {
				t.Errorf("%+v; the message is %q; documents %q", got, message, docs)
			}
			if test.doc {
				found, err := filepath.Glob(filepath.Join(d.root.Dir, ".coauthor", "answer-to-read-*.md"))
				if err != nil || len(found) != 1 {
					t.Fatal(found, err)
				}
				if text, err := os.ReadFile(found[0]); err != nil || !strings.Contains(string(text), "```\n"+strings.TrimSpace(test.body)+"\n```\n") {
					t.Errorf("%q %v", text, err)
				}
			}
		})
	}
}

// Who gives up gets no answer, neither the default nor another.
func TestAQuestionThatIsGivenUp(t *testing.T) {
	d := newBufferHarness(t, nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	d.pick = func(string, []string) string {
		cancel()
		return noAnswer
	}
	q := event.Question{Text: "Add it?", Choices: []string{"No", "Yes"}, Default: "No"}
	for range 2 { // the second time before it is asked
		if got, err := d.root.Shown.Asker().Ask(ctx, q); !errors.Is(err, context.Canceled) || got != (event.Answer{}) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	if len(d.said()) > 0 {
		t.Errorf("told %q", d.said())
	}
}

// A question that stands before the user waits for them: told to a plug-in of ours, shown by one, or written in a document. One
// that was a message for a moment has its default in the end.
func TestAQuestionThatStandsHasNoTimeOut(t *testing.T) {
	choice := event.Question{ID: "q1", Text: "Add it?", Choices: []string{"No", "Yes"}, Default: "No"}
	text := event.Question{ID: "q1", Text: "What?", FreeText: true}
	told := func(c *client.Capabilities, _ *client.Quirks) { c.Question, c.Turn = true, true }
	shown := func(c *client.Capabilities, _ *client.Quirks) { c.Turn = true }
	usual := func(*client.Capabilities, *client.Quirks) {}
	closes := func(c *client.Capabilities, _ *client.Quirks) { c.Name = closer }
	for _, test := range []struct {
		name   string
		q      event.Question
		caps   func(*client.Capabilities, *client.Quirks)
		stands bool // in the conversation
		want   event.Answer
	}{
		{"told", choice, told, false, event.Answer{Choice: "Yes"}},
		{"told, a text", text, told, false, event.Answer{Text: "Yes"}},
		{"a plug-in's dialog", choice, shown, false, event.Answer{Choice: "Yes"}},
		{"the conversation", choice, usual, true, event.Answer{Choice: "Yes"}},
		{"a document", text, usual, false, event.Answer{Text: "Yes"}},
		{"the conversation, and a dialog that is closed", choice, closes, true, event.Answer{Choice: "Yes"}},
		{"a dialog that is closed", choice, closes, false, choice.DefaultAnswer()},
		{"a dialog", choice, usual, false, choice.DefaultAnswer()},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newBufferHarness(t, nil, test.caps)
			d.pick = func(string, []string) string {
				if d.s.client.Caps.Name == closer {
					return ""
				}
				return noAnswer
			}
			a := d.root.Shown.Asker()
			a.Limit = func(event.Question) time.Duration { return 0 } // it is late as soon as it is asked
			a.Tells = func(context.Context, event.Question) (func(event.Answer), bool) {
				return func(event.Answer) {}, test.stands
			}
			for range 10 { // which of two that are ready comes first is chance
				a.Questions = &turnview.Questions{}
				asked := make(chan struct{})
				a.Waiting = func(event.Question) func() {
					close(asked)
					return func() {}
				}
				answered := make(chan struct{})
				go func() {
					defer close(answered)
					<-asked
					if !test.want.Defaulted {
						_, _ = a.Questions.Answer("q1", "", "Yes")
					}
				}()
				lsptest.Within(t, "the answer", func() {
					if got, err := a.Ask(t.Context(), test.q); err != nil || got != test.want {
						t.Errorf("%+v, want %+v, %v", got, test.want, err)
					}
				})
				lsptest.Receive(t, "the end", answered)
			}
		})
	}
}

// closer is a client whose user closes every dialog.
const closer = "closer"

// heldBack is a reply with an edit of a file that the model was not shown.
const heldBack = reply + "\nb.txt\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n"

// A client that shows questions itself is told what is asked and how that ended, and of what was left out at the end of the
// turn, which it can have asked for again.
func TestAQuestionIsTold(t *testing.T) {
	again := "b.txt\n```\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n```\n"
	r := newModelHarness(t, script(t, "-- 1.md --\n"+heldBack+"-- 2.md --\n"+again+"-- 2.yaml --\nrequires: [You are shown it now]\n"), nil)
	r.initialize(`{"experimental":{"coauthor":{"turn":true,"question":true,"pending":true}}}`, "null")
	if err := os.WriteFile(filepath.Join(r.root, "b.txt"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.open("a.txt", "one\ntwo\n")
	mustHold(t, r.command("edit", `{"instruction":"Change it."}`), `"status":"started"`)
	id := ""
	seen := r.watch(func(method string, p map[string]any) bool {
		if method != turnview.MethodQuestion {
			return false
		}
		id, _ = p["id"].(string)
		choices, err := json.Marshal(p["choices"])
		if err != nil || p["state"] != "open" || p["turnId"] == nil || string(choices) != `[{"choice":"add","title":"add b.txt to the chat"},{"choice":"skip","default":true,"title":"skip it"}]` {
			t.Errorf("asked %v, %s", p, choices)
		}
		return true
	})
	if strings.Contains(strings.Join(seen, "\n"), protocol.MethodWindowShowMessageRequest) {
		t.Error("there is a dialog, too")
	}
	mustHold(t, r.command("answer", `{"questionId":"`+id+`","choice":"skip"}`), `"status":"answered"`)
	r.watch(func(method string, p map[string]any) bool {
		return method == turnview.MethodQuestion && p["id"] == id && p["state"] == "answered" && p["answer"] == "skip it"
	})
	turn := ""
	r.watch(func(method string, p map[string]any) bool {
		if method != turnview.MethodTurn || p["state"] != "proposed" {
			return false
		}
		turn, _ = p["turnId"].(string)
		left, err := json.Marshal(p["refused"])
		if err != nil || string(left) != `[{"askable":true,"hunk":1,"message":"b.txt is not one of the files of this request","path":"b.txt"}]` {
			t.Errorf("left out: %s", left)
		}
		return true
	})
	mustHold(t, r.command("askAgain", `{"turnId":"`+turn+`"}`), `"status":"started"`)
	r.watch(func(method string, p map[string]any) bool {
		if method != turnview.MethodTurn || p["state"] != "proposed" {
			return false
		}
		if p["refused"] != nil {
			t.Errorf("left out again: %v", p["refused"])
		}
		return true
	})
	mustHold(t, r.call(methodGetPending, `{}`), `"uri":"`+r.uri("a.txt")+`"`, `"uri":"`+r.uri("b.txt")+`"`)
}

// What is queued behind a request that asks says what it waits for.
func TestTheQueueSaysWhatItWaitsFor(t *testing.T) {
	r := newModelHarness(t, script(t, "-- 1.md --\n"+heldBack+"-- 2.md --\nDone.\n"), nil)
	r.initialize(`{"experimental":{"coauthor":{"turn":true,"question":true}}}`, "null")
	if err := os.WriteFile(filepath.Join(r.root, "b.txt"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.open("a.txt", "one\ntwo\n")
	mustHold(t, r.command("edit", `{"instruction":"Change it."}`), `"status":"started"`)
	id := ""
	r.watch(func(method string, p map[string]any) bool {
		id, _ = p["id"].(string)
		return method == turnview.MethodQuestion && p["state"] == "open"
	})
	mustHold(t, r.command("followUp", `{"instruction":"And that."}`), `"status":"queued"`)
	waits := func(p map[string]any) bool {
		line, _ := p["message"].(string)
		return strings.HasPrefix(line, "Waiting for you to answer the previous request's question")
	}
	r.watch(func(method string, p map[string]any) bool {
		return method == turnview.MethodTurn && p["state"] == "queued" && waits(p)
	})
	mustHold(t, r.command("answer", `{"questionId":"`+id+`","choice":"skip"}`), `"status":"answered"`)
	r.watch(func(method string, p map[string]any) bool {
		return method == turnview.MethodTurn && p["state"] == "answered"
	})
}

// Who stops a turn takes its question back.
func TestAQuestionIsWithdrawn(t *testing.T) {
	r := newModelHarness(t, script(t, "-- 1.md --\n"+heldBack), nil)
	r.initialize(`{"experimental":{"coauthor":{"question":true}}}`, "null")
	if err := os.WriteFile(filepath.Join(r.root, "b.txt"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.open("a.txt", "one\ntwo\n")
	mustHold(t, r.command("edit", `{"instruction":"Change it."}`), `"status":"started"`)
	r.watch(func(method string, p map[string]any) bool {
		return method == turnview.MethodQuestion && p["state"] == "open"
	})
	r.command("cancel", `{}`)
	r.watch(func(method string, p map[string]any) bool {
		return method == turnview.MethodQuestion && p["state"] == "withdrawn"
	})
}
