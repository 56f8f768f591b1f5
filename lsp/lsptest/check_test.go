package lsptest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const first = `[{"range":{"start":{"line":0,"character":0},"end":{"line":1,"character":0}},"newText":"ONE\n"}]`

// TestViolations sends one message each that breaks one rule, and expects that rule to be named and no other.
func TestViolations(t *testing.T) {
	progress := func(kind string) string {
		title := ""
		if kind == "begin" {
			title = `,"title":"t"`
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"p","value":{"kind":%q%s}}}`, kind, title)
	}
	created := func(s *toy) { s.ask("window/workDoneProgress/create", `{"token":"p"}`) }
	tests := []struct {
		name    string
		profile string
		change  func(*Profile, *Options)
		do      func(*toy, *Editor)
		want    string // "" for a message that is right
	}{
		{"unknown method", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"window/other"}`)
		}, "no message of this server"},
		{"diagnostics", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[]}}`)
		}, ""},
		{"a diagnostic without a range", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[{"message":"m"}]}}`)
		}, "range"},
		{"a diagnostic of a severity that is none", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"textDocument/publishDiagnostics","params":{"uri":"file:///a","diagnostics":[{"severity":9,"message":"m","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}}]}}`)
		}, "severity"},
		{"what only the meta-model knows", "sublime", nil, func(s *toy, e *Editor) {
			s.ask("client/registerCapability", `{"registrations":[{"id":"1","method":"workspace/didChangeConfiguration","registerOptions":{"section":7}}]}`)
		}, "registerOptions"},
		{"an answer that only the meta-model knows", "generic", nil, func(s *toy, e *Editor) {
			s.replies["textDocument/hover"] = `{"contents":{"kind":"html","value":"v"}}`
			_, _ = e.Request("textDocument/hover", map[string]any{})
		}, "contents"},
		{"request without id", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"window/showDocument","params":{"uri":"file:///a"}}`)
		}, "without an id"},
		{"double key", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"type":3,"message":"m"}}`)
		}, "stands twice"},
		{"unknown field", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":"m","extra":1}}`)
		}, `unknown field "extra"`},
		{"message type 5", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":5,"message":"m"}}`)
		}, "type 5"},
		{"result of nothing", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","id":4711,"result":null}`)
		}, "no open request"},
		{"result and error", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"m"}}`)
		}, "either a result or an error"},
		{"our methods need our client", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"coauthor/turn","params":{"turnId":"t","state":"streaming"}}`)
		}, "did not announce"},
		{"our client", "generic", announce, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"coauthor/turn","params":{"turnId":"t","state":"streaming"}}`)
		}, ""},
		{"progress not declared", "minimal", nil, func(s *toy, e *Editor) { created(s) }, "did not declare window.workDoneProgress"},
		{"configuration not declared", "minimal", nil, func(s *toy, e *Editor) {
			s.ask("workspace/configuration", `{"items":[{"section":"coauthor"}]}`)
		}, "did not declare workspace.configuration"},
		{"showDocument not declared", "minimal", nil, func(s *toy, e *Editor) {
			s.ask("window/showDocument", fmt.Sprintf(`{"uri":%q}`, e.URI("a.txt")))
		}, "did not declare window.showDocument"},
		{"showDocument outside", "generic", nil, func(s *toy, e *Editor) {
			s.ask("window/showDocument", `{"uri":"file:///elsewhere/x.diff"}`)
		}, "outside every workspace folder"},
		{"virtual document", "neovim", nil, func(s *toy, e *Editor) {
			s.ask("window/showDocument", `{"uri":"coauthor:/x.diff"}`)
		}, "did not declare textDocumentContent"},
		{"registration", "neovim", nil, func(s *toy, e *Editor) {
			s.ask("client/registerCapability", `{"registrations":[{"id":"1","method":"workspace/didChangeWatchedFiles"}]}`)
		}, "dynamic registration"},

		{"progress", "generic", nil, func(s *toy, e *Editor) {
			created(s)
			s.say(progress("begin"))
			s.say(progress("report"))
			s.say(progress("end"))
		}, ""},
		{"progress without create", "generic", nil, func(s *toy, e *Editor) { s.say(progress("begin")) }, "never created"},
		{"progress too soon", "generic", agreesLate, func(s *toy, e *Editor) {
			s.post("window/workDoneProgress/create", `{"token":"p"}`)
			s.say(progress("begin"))
		}, "before the client has answered"},
		{"report without begin", "generic", nil, func(s *toy, e *Editor) {
			created(s)
			s.say(progress("report"))
		}, "before its begin"},
		{"two begins", "generic", nil, func(s *toy, e *Editor) {
			created(s)
			s.say(progress("begin"))
			s.say(progress("begin"))
		}, "second begin"},
		{"report after end", "generic", nil, func(s *toy, e *Editor) {
			created(s)
			s.say(progress("begin"))
			s.say(progress("end"))
			s.say(progress("report"))
		}, "after its end"},
		{"token twice", "generic", nil, func(s *toy, e *Editor) {
			created(s)
			created(s)
		}, "created twice"},
		{"never ended", "generic", nil, func(s *toy, e *Editor) {
			created(s)
			s.say(progress("begin"))
			s.sync()
			e.Do(func(*Log) { e.check.closing() })
		}, "never ended"},

		{"edit", "generic", shown, asks(func(s *toy, e *Editor) string { return s.edit(e, "a.txt", 0, first) }), ""},
		{"edit of an unknown version", "generic", shown, asks(func(s *toy, e *Editor) string { return s.edit(e, "a.txt", 9, first) }), "version 9"},
		{"edit of an open file without version", "generic", shown, asks(func(s *toy, e *Editor) string { return s.edit(e, "a.txt", nil, first) }), "without a version"},
		{"edit of a closed file with version", "generic", shown, func(s *toy, e *Editor) {
			e.Close("a.txt")
			s.ask("workspace/applyEdit", s.edit(e, "a.txt", 0, first))
		}, "not open"},
		{"edit in another spelling", "generic", shown, asks(func(s *toy, e *Editor) string {
			return strings.ReplaceAll(s.edit(e, "a.txt", 0, first), "a.txt", "%61.txt")
		}), "has open as"},
		{"edit outside", "generic", shown, asks(func(s *toy, e *Editor) string { return s.edit(e, "/elsewhere/a.txt", nil, first) }), "outside every workspace folder"},
		{"edit past the end", "generic", shown, asks(func(s *toy, e *Editor) string {
			return s.edit(e, "a.txt", 0, strings.Replace(first, `"line":1`, `"line":7`, 1))
		}), "past the last line"},
		{"edits not sorted", "generic", shown, asks(func(s *toy, e *Editor) string {
			return s.edit(e, "a.txt", 0, `[{"range":{"start":{"line":2,"character":0},"end":{"line":3,"character":0}},"newText":"x\n"},`+first[1:])
		}), "touches the one before it"},
		{"edits touching", "generic", shown, asks(func(s *toy, e *Editor) string {
			return s.edit(e, "a.txt", 0, strings.TrimSuffix(first, "]")+`,{"range":{"start":{"line":1,"character":0},"end":{"line":2,"character":0}},"newText":"x\n"}]`)
		}), "touches the one before it"},
		{"edit that changes nothing", "generic", shown, asks(func(s *toy, e *Editor) string { return s.edit(e, "a.txt", 0, strings.Replace(first, "ONE", "one", 1)) }), "changes nothing"},
		{"whole text", "generic", shown, asks(func(s *toy, e *Editor) string {
			return s.edit(e, "a.txt", 0, `[{"range":{"start":{"line":0,"character":0},"end":{"line":3,"character":0}},"newText":"ONE\ntwo\nthree\n"}]`)
		}), "whole text is replaced"},
		{"carriage returns", "generic", shown, asks(func(s *toy, e *Editor) string {
			return s.edit(e, "a.txt", 0, strings.Replace(first, `ONE\n`, `ONE\r\n`, 1))
		}), `brings \r\n`},
		{"snippet", "generic", shown, asks(func(s *toy, e *Editor) string {
			return s.edit(e, "a.txt", 0, strings.Replace(first, `"newText":"ONE\n"`, `"newText":"x\n","snippet":{"kind":"snippet","value":"x"}`, 1))
		}), "snippet"},
		{"create not declared", "generic", shown, asks(func(s *toy, e *Editor) string {
			return create(e.URI("n.txt"), `{"overwrite":false,"ignoreIfExists":false}`)
		}), "operation create"},
		{"create over a file", "neovim", shown, asks(func(s *toy, e *Editor) string {
			return create(e.URI("b.txt"), `{"overwrite":false,"ignoreIfExists":false}`)
		}), "which exists"},
		{"changes to a client that takes versions", "neovim", shown, asks(func(s *toy, e *Editor) string {
			return fmt.Sprintf(`{"label":"Coauthor: toy","edit":{"changes":{%q:%s}}}`, e.URI("a.txt"), first)
		}), "without versions"},
		{"documentChanges not declared", "minimal", shown, asks(func(s *toy, e *Editor) string { return s.edit(e, "a.txt", 0, first) }), "documentChanges, which"},
		{"create that ignores a file", "neovim", shown, asks(func(_ *toy, e *Editor) string {
			return create(e.URI("n.txt"), `{"overwrite":false,"ignoreIfExists":true}`)
		}), "no file is overwritten"},
		{"create without options", "neovim", shown, asks(func(_ *toy, e *Editor) string { return create(e.URI("n.txt"), `{}`) }), "no file is overwritten"},
		{"create that leaves one out", "neovim", shown, asks(func(_ *toy, e *Editor) string { return create(e.URI("n.txt"), `{"overwrite":false}`) }), "no file is overwritten"},
		{"rename without options", "neovim", shown, asks(func(s *toy, e *Editor) string {
			return strings.NewReplacer(`"create","uri"`, `"rename","newUri":"`+e.URI("c.txt")+`","oldUri"`).Replace(create(e.URI("b.txt"), `{}`))
		}), "no file is overwritten"},
		{"somebody's label", "generic", shown, asks(func(s *toy, e *Editor) string {
			return strings.Replace(s.edit(e, "a.txt", 0, first), "Coauthor: ", "", 1)
		}), "the label"},
		{"metadata not declared", "generic", shown, asks(func(s *toy, e *Editor) string { return metadata(s.edit(e, "a.txt", 0, first), "false") }), "metadata"},
		{"no metadata", "coc", shown, asks(func(s *toy, e *Editor) string { return s.edit(e, "a.txt", 0, first) }), "metadata"},
		{"a refactoring", "coc", shown, asks(func(s *toy, e *Editor) string { return metadata(s.edit(e, "a.txt", 0, first), "true") }), "metadata"},
		{"no refactoring", "coc", shown, asks(func(s *toy, e *Editor) string { return metadata(s.edit(e, "a.txt", 0, first), "false") }), ""},
		{"annotated for Neovim", "neovim", shown, asks(func(s *toy, e *Editor) string {
			return annotated(s.edit(e, "a.txt", 0, first), `"needsConfirmation":false`)
		}), "no preview for it"},
		{"annotated", "vscode", shown, asks(func(s *toy, e *Editor) string {
			return metadata(annotated(s.edit(e, "a.txt", 0, first), `"needsConfirmation":false`), "false")
		}), ""},
		{"annotated without a word on asking", "vscode", shown, asks(func(s *toy, e *Editor) string {
			return metadata(annotated(s.edit(e, "a.txt", 0, first), `"description":"d"`), "false")
		}), "not described"},
		{"annotated in part", "vscode", shown, func(s *toy, e *Editor) {
			two := strings.TrimSuffix(first, "]") + `,{"range":{"start":{"line":2,"character":0},"end":{"line":2,"character":0}},"newText":"x\n"}]`
			s.ask("workspace/applyEdit", metadata(annotated(s.edit(e, "a.txt", 0, two), `"needsConfirmation":false`), "false"))
		}, "a part is annotated"},
		{"to confirm, and a change", "vscode", shown, func(s *toy, e *Editor) {
			s.post("workspace/applyEdit", metadata(annotated(s.edit(e, "a.txt", 0, first), `"needsConfirmation":true`), "false"))
		}, "needs confirmation changes something"},
		{"edit without consent", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"window/showMessage","params":{"type":3,"message":"a.txt\n+ONE\n"}}`)
			s.ask("workspace/applyEdit", s.edit(e, "a.txt", 0, first))
		}, "agreed to nothing"},
		{"edit not shown", "generic", nil, func(s *toy, e *Editor) {
			_, _ = e.Command("coauthor.apply")
			s.ask("workspace/applyEdit", s.edit(e, "a.txt", 0, first))
		}, "in nothing that the user was shown"},
		{"other lines than shown", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"window/showMessage","params":{"type":3,"message":"a.txt\n+OTHER\n"}}`)
			_, _ = e.Command("coauthor.apply")
			s.ask("workspace/applyEdit", s.edit(e, "a.txt", 0, first))
		}, `puts the line "ONE"`},
		{"shown and agreed", "generic", nil, func(s *toy, e *Editor) {
			s.say(`{"jsonrpc":"2.0","method":"window/showMessage","params":{"type":3,"message":"a.txt\n+ONE\n"}}`)
			s.sync()
			_, _ = e.Command("coauthor.apply")
			s.ask("workspace/applyEdit", s.edit(e, "a.txt", 0, first))
		}, ""},

		{"action with an unknown command", "generic", nil, actions(`[{"title":"t","kind":"refactor","command":{"title":"t","command":"coauthor.other"}}]`), "executeCommandProvider"},
		{"action of another kind", "generic", nil, actions(`[{"title":"t","kind":"source","command":{"title":"t","command":"coauthor.edit"}}]`), "codeActionKinds"},
		{"preferred action", "generic", nil, actions(`[{"title":"t","kind":"refactor","isPreferred":true,"command":{"title":"t","command":"coauthor.edit"}}]`), "preferred"},
		{"disabled action", "generic", nil, actions(`[{"title":"t","kind":"refactor","disabled":{"reason":"r"},"command":{"title":"t","command":"coauthor.edit"}}]`), "disabled"},
		{"disabled action where declared", "neovim", nil, actions(`[{"title":"t","kind":"refactor","disabled":{"reason":"r"}}]`), ""},
		{"tagged action", "generic", nil, actions(`[{"title":"t","kind":"refactor","tags":[1],"command":{"title":"t","command":"coauthor.edit"}}]`), "tags"},
		{"literal not declared", "minimal", nil, actions(`[{"title":"t","kind":"refactor","command":{"title":"t","command":"coauthor.edit"}}]`), "literal"},
		{"command not asked for", "minimal", nil, actions(`[{"title":"t","command":"coauthor.edit"}]`), ""},
		{"light bulb", "generic", nil, func(s *toy, e *Editor) {
			s.replies["textDocument/codeAction"] = `[{"title":"t","kind":"refactor","command":{"title":"t","command":"coauthor.edit"}}]`
			e.AutomaticActions()
		}, "without being asked for"},
		{"kinds asked for", "generic", nil, func(s *toy, e *Editor) {
			s.replies["textDocument/codeAction"] = `[{"title":"t","kind":"refactor","command":{"title":"t","command":"coauthor.edit"}}]`
			e.CodeActions("quickfix")
		}, "were asked for"},
		{"odd status", "generic", nil, func(s *toy, e *Editor) {
			s.replies["workspace/executeCommand"] = `{"status":"odd"}`
			_, _ = e.Command("coauthor.edit")
		}, "not one of"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, e := run(t, tt.profile, tt.change)
			e.Initialize()
			e.Open("a.txt")
			write(t, e.Path("b.txt"), "b\n")
			tt.do(s, e)
			s.sync()
			var got []string
			e.Do(func(l *Log) { got = l.Violations })
			switch {
			case tt.want == "" && len(got) > 0:
				t.Errorf("violations of what is right: %v", got)
			case tt.want != "" && len(got) == 0:
				t.Errorf("nothing was found, want %q", tt.want)
			case tt.want != "" && !strings.Contains(strings.Join(got, "\n"), tt.want):
				t.Errorf("violations %v, want %q", got, tt.want)
			case len(got) > 1:
				t.Errorf("more than one violation: %v", got)
			}
		})
	}
}

// asks sends one edit.
func asks(edit func(*toy, *Editor) string) func(*toy, *Editor) {
	return func(s *toy, e *Editor) { s.ask("workspace/applyEdit", edit(s, e)) }
}

// create is an edit that creates one file.
func create(uri, options string) string {
	return fmt.Sprintf(`{"label":"Coauthor: toy","edit":{"documentChanges":[{"kind":"create","uri":%q,"options":%s}]}}`, uri, options)
}

// annotated annotates the first text edit of a request.
func annotated(edit, description string) string {
	edit = strings.Replace(edit, `"newText"`, `"annotationId":"a","newText"`, 1)
	return strings.Replace(edit, `"edit":{`, `"edit":{"changeAnnotations":{"a":{"label":"l",`+description+`}},`, 1)
}

func metadata(edit, refactoring string) string {
	return strings.Replace(edit, `"edit":{`, `"metadata":{"isRefactoring":`+refactoring+`},"edit":{`, 1)
}

func announce(_ *Profile, o *Options) { o.Announce = map[string]any{"turn": true} }

func agreesLate(_ *Profile, o *Options) { o.AgreesAfter = time.Second }

func shown(_ *Profile, o *Options) { o.Unreviewed = true }

func actions(reply string) func(*toy, *Editor) {
	return func(s *toy, e *Editor) {
		s.replies["textDocument/codeAction"] = reply
		e.CodeActions()
	}
}

// TestTooEarly sends before the handshake is over.
func TestTooEarly(t *testing.T) {
	tests := []struct{ message, want string }{
		{`{"jsonrpc":"2.0","method":"window/logMessage","params":{"type":3,"message":"m"}}`, ""},
		{`{"jsonrpc":"2.0","id":"x","method":"workspace/configuration","params":{"items":[]}}`, "came before the initialize response"},
	}
	for _, tt := range tests {
		s, e := run(t, "generic", nil)
		s.early = []string{tt.message}
		e.Initialize()
		s.sync()
		e.Do(func(l *Log) {
			got := strings.Join(l.Violations, "\n")
			if (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%s: violations %q, want %q", tt.message, got, tt.want)
			}
		})
	}
}
