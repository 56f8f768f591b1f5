package lsptest

import (
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// meta gives the meta-model, which is there wherever there is a Go command.
func meta(t *testing.T) *metaModel {
	t.Helper()
	m, err := theMetaModel()
	if err != nil {
		if _, none := exec.LookPath("go"); none != nil {
			t.Skipf("the meta-model needs the Go command: %v", err)
		}
		t.Fatal(err)
	}
	return m
}

// TestTheMetaModelIsThere: it is read, it has what 3.18 brought of that which this server uses, and what this package knows
// of the server's messages by itself agrees with it.
func TestTheMetaModelIsThere(t *testing.T) {
	m := meta(t)
	if m.messages["workspace/textDocumentContent/refresh"] == nil || m.structures["WorkspaceEditMetadata"] == nil || m.enumerations["CodeActionTag"] == nil {
		t.Error("it does not know what 3.18 brought")
	}
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		kind, d := methods[name], m.messages[name]
		if own(name) {
			if d != nil {
				t.Errorf("%s is a message of the protocol", name)
			}
			continue
		}
		if d == nil || d.Direction == "clientToServer" || d.request != kind.request {
			t.Errorf("%s: the meta-model has %+v", name, d)
			continue
		}
		if want := m.needs(name); len(kind.needs) > 0 && len(want) > 0 && !slices.Equal(kind.needs[:min(len(kind.needs), len(want))], want) {
			t.Errorf("%s needs %q, the meta-model says %q", name, kind.needs, want)
		}
	}
	for _, name := range ungated {
		if m.messages[name].Capability == "" {
			t.Errorf("%s needs no exception", name)
		}
	}
}

// samples are messages of a server as they should be, with the fields that could be left out.
var samples = []struct{ method, params, optional string }{
	{"window/showMessage", `{"type":3,"message":"m"}`, ""},
	{"window/showMessageRequest", `{"type":3,"message":"m","actions":[{"title":"t"}]}`, "actions"},
	{"window/showDocument", `{"uri":"file:///a","external":false,"takeFocus":true,"selection":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}}}`, "external takeFocus selection"},
	{"window/workDoneProgress/create", `{"token":"p"}`, ""},
	{"$/progress", `{"token":"p","value":{"kind":"begin","title":"t","cancellable":true,"message":"m","percentage":5}}`, "cancellable message percentage"},
	{"$/progress", `{"token":7,"value":{"kind":"report","message":"m"}}`, "message"},
	{"workspace/configuration", `{"items":[{"scopeUri":"file:///a","section":"coauthor"}]}`, "scopeUri section"},
	{"textDocument/publishDiagnostics", `{"uri":"file:///a","version":3,"diagnostics":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}},"severity":2,"source":"s","code":"c","message":"m","tags":[1]}]}`, "version severity source code tags"},
	{"workspace/applyEdit", `{"label":"l","edit":{"changes":{"file:///a":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}},"newText":"x"}]}}}`, "label changes file:///a"},
	{"workspace/applyEdit", `{"edit":{"documentChanges":[{"kind":"create","uri":"file:///b","options":{"overwrite":false,"ignoreIfExists":false}},
		{"textDocument":{"uri":"file:///a","version":4},"edits":[{"range":{"start":{"line":0,"character":1},"end":{"line":0,"character":2}},"newText":"x","annotationId":"n"}]},
		{"kind":"rename","oldUri":"file:///c","newUri":"file:///d"},{"kind":"delete","uri":"file:///e"}],
		"changeAnnotations":{"n":{"label":"l","needsConfirmation":true,"description":"d"}}},"metadata":{"isRefactoring":false}}`,
		"documentChanges options overwrite ignoreIfExists annotationId changeAnnotations n needsConfirmation description metadata isRefactoring"},
	{"client/registerCapability", `{"registrations":[{"id":"1","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"**/*.go","kind":7}]}}]}`, "registerOptions kind"},
	{"client/registerCapability", `{"registrations":[{"id":"1","method":"textDocument/inlayHint","registerOptions":{"documentSelector":[{"scheme":"file"}]}}]}`, "registerOptions"},
	{"workspace/textDocumentContent/refresh", `{"uri":"coauthor:/x"}`, ""},
}

// TestABrokenMessageIsRefused: a message is right as it is, and wrong with any field missing that must be there, any value of
// a kind that is not allowed, and any field too many.
func TestABrokenMessageIsRefused(t *testing.T) {
	m := meta(t)
	for _, s := range samples {
		tree, err := parseTree([]byte(s.params))
		if err != nil {
			t.Fatal(err)
		}
		judged := func(params any) (said []string) {
			msg := Message{Method: s.method, Params: params}
			if m.messages[s.method].request {
				msg.ID = []byte("1")
			}
			m.message(msg, func(f string, a ...any) { said = append(said, fmt.Sprintf(f, a...)) })
			return said
		}
		if said := judged(tree); len(said) > 0 {
			t.Errorf("%s %s: %q", s.method, s.params, said)
		}
		broken := 0
		for _, b := range breakages(tree, strings.Fields(s.optional)) {
			b.apply()
			if said := judged(tree); len(said) == 0 {
				t.Errorf("%s with %s is taken", s.method, b.what)
			}
			b.revert()
			broken++
		}
		if said := judged(tree); len(said) > 0 || broken < 3 {
			t.Errorf("%s was broken %d times, and is left as %v: %q", s.method, broken, tree, said)
		}
	}
	for method, want := range map[string]string{
		"window/other": "no message of the protocol", "textDocument/hover": "for clients to send",
		"window/showDocument": "a request has an id",
	} {
		said := ""
		m.message(Message{Method: method, Params: map[string]any{"uri": "file:///a"}}, func(f string, a ...any) { said += fmt.Sprintf(f, a...) })
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", method, said, want)
		}
	}
}

// breakage is one way to make a message wrong.
type breakage struct {
	what          string
	apply, revert func()
}

func breakages(v any, optional []string) (list []breakage) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			list = append(list, breakages(e, optional)...)
		}
	case map[string]any:
		list = append(list, breakage{"one field too many in " + fmt.Sprint(v), func() { v["surplus"] = "x" }, func() { delete(v, "surplus") }})
		for _, key := range slices.Sorted(maps.Keys(v)) {
			was := v[key]
			if !strings.HasPrefix(key, "file://") && key != "n" { // names of a map, not fields
				if !slices.Contains(optional, key) {
					list = append(list, breakage{"no " + key, func() { delete(v, key) }, func() { v[key] = was }})
				}
			}
			list = append(list, breakage{"an odd " + key, func() { v[key] = []any{[]any{}} }, func() { v[key] = was }})
			list = append(list, breakages(was, optional)...)
		}
	}
	return list
}

// TestABrokenAnswerIsRefused: what the server answers is judged, too, and what it answers of its own is not.
func TestABrokenAnswerIsRefused(t *testing.T) {
	m := meta(t)
	for _, c := range []struct {
		method, result string
		right          bool
	}{
		{"initialize", `{"capabilities":{"hoverProvider":true},"serverInfo":{"name":"n"}}`, true},
		{"initialize", `{"capabilities":{"hoverProvider":7}}`, false},
		{"initialize", `{"capabilities":{"hoversProvider":true}}`, false},
		{"textDocument/hover", `null`, true},
		{"textDocument/hover", `{"contents":{"kind":"markdown","value":"v"}}`, true},
		{"textDocument/hover", `{"contents":{"kind":"html","value":"v"}}`, false},
		{"textDocument/codeAction", `[{"title":"t","kind":"refactor.own","command":{"title":"t","command":"c","arguments":[{"any":1}]}}]`, true},
		{"textDocument/codeAction", `[{"title":"t","tags":[9]}]`, false},
		{"workspace/executeCommand", `{"anything":[1]}`, true},
		{"coauthor/getPending", `7`, true},
		{"textDocument/other", `7`, false},
		{"shutdown", `7`, false},
	} {
		tree, err := parseTree([]byte(c.result))
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		m.result(c.method, tree, func(f string, a ...any) { said = append(said, fmt.Sprintf(f, a...)) })
		if (len(said) == 0) != c.right {
			t.Errorf("%s %s: %q", c.method, c.result, said)
		}
	}
}
