package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
	"coauthor/agent/settings"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
	"coauthor/lsp/review"
	"coauthor/lsp/turnview"
)

// refused sends a command that is refused, and returns the proposals that its error lists.
func (r *modelHarness) refused(name, args string) []pendingResult {
	r.t.Helper()
	r.Send(`{"jsonrpc":"2.0","id":"refused","method":"workspace/executeCommand","params":{"command":"coauthor.%s","arguments":[%s]}}`, name, args)
	for {
		s := r.Next()
		var m struct {
			ID    any
			Error *struct {
				Code    int
				Message string
				Data    struct{ Pending []pendingResult }
			}
		}
		if json.Unmarshal([]byte(s), &m) != nil || m.ID != "refused" {
			continue
		}
		if m.Error == nil || m.Error.Code != -32803 || m.Error.Message == "" || m.Error.Data.Pending == nil {
			r.t.Fatalf("%s %s answers %s", name, args, s)
		}
		return m.Error.Data.Pending
	}
}

// A decision is about what it names, in whichever folder that is; about the folder of the document it names; and
// without a name about the folder in front, or the only one in which something waits.
func TestDecisionsFindTheirFolder(t *testing.T) {
	r := newModelHarness(t, llmtest.Say(reply, reply, "Good.", reply), nil)
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "window/showDocument" {
			return `{"success":true}`
		}
		return "null"
	}
	dirs := map[string]string{"A": t.TempDir(), "B": t.TempDir(), "C": t.TempDir()}
	uri := func(name string) string { return document.URIOfPath(filepath.Join(dirs[name], "a.txt")) }
	var folders []string
	for _, name := range []string{"A", "B", "C"} {
		folders = append(folders, fmt.Sprintf(`{"uri":%q,"name":%q}`, document.URIOfPath(dirs[name]), name))
		if err := os.WriteFile(filepath.Join(dirs[name], "a.txt"), []byte("one\ntwo\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.call("initialize", `{"processId":null,"rootUri":null,"workspaceFolders":[`+strings.Join(folders, ",")+`],"initializationOptions":{"preview":"diff"},
		"capabilities":`+strings.Replace(plainCaps, `{`, `{"experimental":{"coauthor":{"turn":true}},`, 1)+`}`)
	r.note("initialized", "{}")
	turns := map[string]string{}
	proposed := func(name string) {
		t.Helper()
		turns[name] = r.start(fmt.Sprintf(`{"uri":%q,"instruction":"in Spanish"}`, uri(name)))
		r.watch(func(method string, p map[string]any) bool {
			return method == turnview.MethodTurn && p["state"] == "proposed" && p["turnId"] == turns[name]
		})
		r.idle()
	}
	// waits says which folder's proposal a command finds; "" for none.
	waits := func(args string) string {
		t.Helper()
		result := r.command("showPending", `{"format":"files"`+args+`}`)
		for name := range dirs {
			if strings.Contains(result, uri(name)) {
				return name
			}
		}
		mustHold(t, result, "error")
		return ""
	}
	is := func(args, want string) {
		t.Helper()
		if got := waits(args); got != want {
			t.Errorf("%s finds %q, want %q", args, got, want)
		}
	}
	front := func(name string) { r.note("coauthor/didFocus", fmt.Sprintf(`{"uri":%q}`, uri(name))) }
	for _, name := range []string{"A", "B", "C"} {
		r.didOpen(uri(name), "one\ntwo\n")
	}
	is("", "")
	proposed("A")
	front("C")
	is("", "A") // the only one
	is(fmt.Sprintf(`,"uri":%q`, uri("C")), "")
	proposed("B")
	front("C")
	is("", "") // two
	front("B")
	is("", "B")
	front("A")
	is("", "A")
	is(fmt.Sprintf(`,"uri":%q`, uri("B")), "B")
	is(fmt.Sprintf(`,"turnId":%q`, turns["B"]), "B")
	is(fmt.Sprintf(`,"turnId":%q,"uri":%q`, turns["B"], uri("A")), "B")
	is(`,"turnId":"unknown"`, "")
	front("C")
	for _, call := range [][2]string{{"discard", ""}, {"apply", ""}, {"showPending", ""}, {"showPending", `{"format":"files"}`}, {"undoTurn", ""}, {"redoTurn", ""}} {
		if list := r.refused(call[0], call[1]); len(list) != 0 {
			t.Errorf("%s: listed are %+v", call, list)
		}
	}
	// A turn is gone on with in its own folder.
	r.command("followUp", fmt.Sprintf(`{"turnId":%q,"instruction":"Why?"}`, turns["B"]))
	in := ""
	r.watch(func(method string, p map[string]any) bool {
		if method == turnview.MethodTurn {
			in, _ = p["uri"].(string)
		}
		return method == turnview.MethodTurn && p["state"] == "answered"
	})
	if in != document.URIOfPath(dirs["B"]) {
		t.Errorf("the follow-up runs in %s", in)
	}
	r.idle()
	mustHold(t, r.command("followUp", `{"turnId":"unknown","instruction":"Why?"}`), "error")
	// Of several in one folder the newest is meant, and that is said; the others have names.
	older := turns["A"]
	proposed("A")
	mustHold(t, r.command("showPending", fmt.Sprintf(`{"format":"files","uri":%q}`, uri("A"))), turns["A"])
	mustHold(t, r.command("showPending", fmt.Sprintf(`{"format":"files","turnId":%q}`, older)), older)
	mustHold(t, r.command("discard", fmt.Sprintf(`{"uri":%q}`, uri("A"))), `"status":"discarded"`, turns["A"])
	is(fmt.Sprintf(`,"uri":%q`, uri("A")), "A")
	mustHold(t, r.command("discard", fmt.Sprintf(`{"uri":%q}`, uri("A"))), `"status":"discarded"`, older)
	is("", "B") // the only one again
	mustHold(t, r.command("undoTurn", fmt.Sprintf(`{"turnId":%q}`, turns["B"])), "error")
	mustHold(t, r.command("cancel", ""), `"cancelled":[]`)
	mustHold(t, r.command("nonsense", ""), "error -32602")
}

// An answer is shown in the way that the client has: while it came, in the document of the conversation, or by its place.
func TestWhereAnAnswerIsShown(t *testing.T) {
	const shows = `"window":{"showDocument":{"support":true}}`
	for _, test := range []struct {
		name, caps, options string
		opens               bool   // the client opens documents
		at                  string // the beginning of what is opened; "" for nothing
		told                bool   // there is a message
	}{
		{"a file", `{` + shows + `}`, "null", true, "file:", false},
		{"a client with virtual documents", `{"workspace":{"textDocumentContent":{}},` + shows + `}`, "null", true, "file:", false},
		{"virtual documents that do not work", `{"workspace":{"textDocumentContent":{}},` + shows + `}`, `{"client.quirks":{"noVirtualDocuments":true}}`, true, "file:", false},
		{"while it comes", `{` + shows + `,"experimental":{"coauthor":{"stream":true}}}`, "null", true, "", false},
		{"a client that does not open it", `{` + shows + `}`, "null", false, "file:", true},
		{"a client that opens nothing", `{}`, "null", false, "", true},
		{"a client that opens what it did not declare", `{}`, `{"client.quirks":{"showDocument":true}}`, true, "file:", false},
		{"a client that opens nothing of what it declared", `{` + shows + `}`, `{"client.quirks":{"noShowDocument":true}}`, true, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newModelHarness(t, llmtest.Say("The first.", "The second."), nil)
			opened := make(chan string, 4)
			r.Answer = func(method string, params json.RawMessage) string {
				if method != "window/showDocument" {
					return "null"
				}
				var p struct {
					URI       string
					TakeFocus *bool
				}
				if err := json.Unmarshal(params, &p); err != nil || p.TakeFocus == nil || *p.TakeFocus {
					t.Errorf("it takes the keyboard: %s", params)
				}
				opened <- p.URI
				return fmt.Sprintf(`{"success":%v}`, test.opens)
			}
			r.initialize(test.caps, test.options)
			r.open("a.txt", "one\n")
			var uris []string
			for _, says := range []string{"The first.", "The second."} {
				mustHold(t, r.command("ask", `"Is it\ngood?"`), `"started"`)
				r.idle()
				if told := r.messages(); (len(told) > 0) != test.told {
					t.Errorf("told %q", told)
				}
				if (len(opened) > 0) != (test.at != "") {
					t.Fatalf("%d documents were opened", len(opened))
				}
				if len(opened) == 0 {
					continue
				}
				uri := <-opened
				uris = append(uris, uri)
				if !strings.HasPrefix(uri, test.at) {
					t.Errorf("opened is %s", uri)
				}
				abs, _ := document.PathOfURI(uri)
				raw, err := os.ReadFile(abs)
				if err != nil {
					t.Fatal(err)
				}
				mustHold(t, string(raw), "\n\nIs it\ngood?\n\n## Coauthor", "-->\n\n"+says+"\n\nAnswered")
			}
			if len(uris) == 2 && uris[0] != uris[1] {
				t.Errorf("one is %s, the other %s", uris[0], uris[1])
			}
			mustHold(t, r.call("workspace/textDocumentContent", `{"uri":"coauthor:/nobody-knows"}`), `"text":""`)
		})
	}
}

// besideTheConversation has a client open the conversation and ask the user about each edit, so that answers have documents
// of their own.
func besideTheConversation(r *modelHarness, options string) {
	r.t.Helper()
	r.initialize(plainCaps, options)
	r.didOpen(r.uri(".coauthor/prompt-1.md"), "Half a question\n")
}

// The newest answers stay on disk, and those that are open; other documents of ours are no answers.
func TestOldAnswersGo(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("Good."), nil)
	own := filepath.Join(r.root, ".coauthor")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range review.KeptAnswerFiles + 10 {
		for _, name := range []string{fmt.Sprintf("answer-%03d.md", i), fmt.Sprintf("x-%03d.diff", i)} {
			names = append(names, name)
			abs := filepath.Join(own, name)
			at := time.Unix(1_700_000_000+int64(i), 0)
			if err := os.WriteFile(abs, []byte("old\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(abs, at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "window/showDocument" {
			return `{"success":true}`
		}
		return "null"
	}
	besideTheConversation(r, `{"client.quirks":{"asksItself":true}}`)
	r.open("a.txt", "one\n")
	r.didOpen(r.uri(".coauthor/answer-003.md"), "old\n")
	r.command("doctor", "") // its page is no answer
	r.idle()
	there := func(pattern string) (list []string) {
		all, err := filepath.Glob(filepath.Join(own, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, abs := range all {
			list = append(list, filepath.Base(abs))
		}
		return list
	}
	if got := there("*-*"); len(got) != len(names) {
		t.Errorf("%d of %d files are left before there is an answer", len(got), len(names))
	}
	mustHold(t, r.command("ask", fmt.Sprintf(`{"uri":%q,"instruction":"Is it good?"}`, r.uri("a.txt"))), `"started"`)
	r.idle()
	got := there("answer-0*")
	want := []string{"answer-003.md"}
	for i := 11; i < review.KeptAnswerFiles+10; i++ {
		want = append(want, fmt.Sprintf("answer-%03d.md", i))
	}
	if !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
	if n := len(there("answer-2*")); n != 1 { // of this year
		t.Errorf("%d new answers", n)
	}
	if n := len(there("x-*")); n != review.KeptAnswerFiles+10 {
		t.Errorf("%d others", n)
	}
}

// A document of ours is not written over one that is on disk already, of an earlier session or of somebody else.
func TestNamesOnDiskAreKept(t *testing.T) {
	at := time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)
	r := newModelHarness(t, llmtest.Say("Good.", reply), func(o *Options) { o.Clock = func() time.Time { return at } })
	own := filepath.Join(r.root, ".coauthor")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	taken := []string{"answer-2031-02-03-04.05.06.md", "2031-02-03-04.05.06-a.txt.diff"}
	for _, name := range taken {
		if err := os.WriteFile(filepath.Join(own, name), []byte("somebody's\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	opened := make(chan string, 4)
	r.Answer = func(method string, params json.RawMessage) string {
		if method != "window/showDocument" {
			return "null"
		}
		var p struct{ URI string }
		_ = json.Unmarshal(params, &p) // what is none names no document
		opened <- p.URI
		return `{"success":true}`
	}
	besideTheConversation(r, `{"preview":"diff","client.quirks":{"asksItself":true}}`)
	r.open("a.txt", "one\ntwo\n")
	r.command("ask", `"Is it good?"`)
	r.idle()
	r.start(`"in Spanish"`)
	r.idle()
	for _, name := range taken {
		uri := lsptest.Receive(t, "a document", opened)
		if ext := filepath.Ext(name); uri == document.URIOfPath(filepath.Join(own, name)) || !strings.HasPrefix(uri, document.URIOfPath(filepath.Join(own, strings.TrimSuffix(name, ext)))) || !strings.HasSuffix(uri, ext) {
			t.Errorf("%s is taken; shown is %s", name, uri)
		}
		if text, err := os.ReadFile(filepath.Join(own, name)); err != nil || string(text) != "somebody's\n" {
			t.Errorf("%s reads %q, %v", name, text, err)
		}
	}
}

// The doctor's page says what is wrong and what to do, and where it is when the client does not open it.
func TestPageOfTheDoctor(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) {
		o.Doctor = func(context.Context, string, settings.Settings, []settings.Warning, bool) []Check {
			return []Check{{Name: "first", OK: true, Message: "is well"}, {Name: "second", Message: "is not", Advice: "fix it"}}
		}
	})
	r.initialize(`{}`, `["no options"]`)
	r.open("a.txt", "one\n")
	mustHold(t, r.command("doctor", ""), `"ok":false`, `"name":"client","ok":true`, `"name":"edits"`) // it takes none
	seen := r.watch(func(method string, _ map[string]any) bool { return method == "window/logMessage" })
	place := filepath.Join(r.root, ".coauthor", "doctor.md")
	mustHold(t, seen[len(seen)-1], filepath.ToSlash(place))
	raw, err := os.ReadFile(place)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(raw), "\n")
	line := func(word string) int {
		return slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, word) })
	}
	if wrong, fix, well := line("is not"), line("fix it"), line("is well"); well < 0 || wrong < 0 || fix != wrong+1 ||
		strings.Contains(lines[well], "problem") || !strings.Contains(lines[wrong], "problem") {
		t.Errorf("the page reads\n%s", raw)
	}
	for _, l := range lines {
		if strings.TrimSpace(l) == "-" {
			t.Errorf("an advice that is none:\n%s", raw)
		}
	}
	mustHold(t, r.log.String(), "initializationOptions")
}

// What is asked for in a file of no folder is about the folder that the disk tells, open or not.
func TestAFileOfNoFolder(t *testing.T) {
	for _, open := range []bool{false, true} {
		r := newModelHarness(t, nil, nil)
		r.initialize(plainCaps, "null")
		r.open("a.txt", "one\n")
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		uri := document.URIOfPath(filepath.Join(dir, "b.txt"))
		if err := os.WriteFile(filepath.Join(dir, "b.txt"), []byte("one\ntwo\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if open {
			r.didOpen(uri, "one\ntwo\n")
		}
		got := r.command("openPrompt", fmt.Sprintf(`{"uri":%q,"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}}}`, uri))
		mustHold(t, got, document.URIOfPath(filepath.Join(dir, ".coauthor"))+"/prompt-1.md")
		raw, err := os.ReadFile(filepath.Join(dir, ".coauthor", "prompt-1.md"))
		if err != nil {
			t.Fatal(err)
		}
		mustHold(t, string(raw), "file: b.txt", "selection: 2:1-2:4")
	}
}
