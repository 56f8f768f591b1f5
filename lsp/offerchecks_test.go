package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/sandbox"
	"coauthor/lsp/lsptest"
)

// The linters that a folder shows to use are offered when a change has landed there, and not before; who says no is asked
// no more.
func TestChecksAreOfferedAfterAChange(t *testing.T) {
	edit := func(before, after string) string {
		return "a.go\n```\n<<<<<<< SEARCH\n" + before + "\n=======\n" + after + "\n>>>>>>> REPLACE\n```\n"
	}
	var r *modelHarness
	state := t.TempDir()
	r = newModelHarness(t, llmtest.Say(edit("package a", "package b"), edit("package b", "package c")), func(o *Options) {
		o.Engine = func(h Hooks) *agent.Engine {
			return agent.NewEngine(agent.Options{
				Settings: h.Settings, Sink: h.Sink, StateDir: state, Catalog: func() *model.Catalog { c, _ := model.Load(nil); return c },
				Client: remote.New(remote.Options{Env: func(string) string { return "key" }, Retries: -1}),
				Shadow: sandbox.NewShadow(sandbox.ShadowOptions{Dir: t.TempDir()}),
			})
		}
	})
	for name, text := range map[string]string{"go.mod": "module a\n", "a.go": "package a\n"} {
		if err := os.WriteFile(filepath.Join(r.root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	asked := make(chan string, 10)
	version := 1
	r.Answer = func(method string, params json.RawMessage) string {
		switch method {
		case "window/showMessageRequest":
			if text := string(params); strings.Contains(text, "Format and check every change with them") {
				asked <- text
				return `{"title":"no"}`
			}
		case "workspace/applyEdit":
			version++
			text := []string{"", "", "package b\n", "package c\n"}[version]
			r.Send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"text":%q}]}}`, r.uri("a.go"), version, text)
			return `{"applied":true}`
		}
		return "null"
	}
	r.initialize(strings.Replace(plainCaps, `"window":{`, `"window":{"showMessage":{"messageActionItem":{}},`, 1), "null")
	r.open("a.go", "package a\n")
	for i := range 2 {
		r.start(`{"instruction":"rename"}`)
		r.untilEnd()
		if len(asked) > 0 {
			t.Errorf("asked before anything has landed: %s", <-asked)
		}
		r.command("showPending", `{"format":"diff"}`)
		mustHold(t, r.command("apply", ""), `"status":"applied"`)
		if i == 0 {
			mustHold(t, lsptest.Receive(t, "the question", asked), `go vet \"{dirs}\"`, `to format: gofmt -w \"{files}\"`, `{"title":"check"},{"title":"no"}`)
		}
	}
	file, err := filepath.Glob(filepath.Join(state, "refused", "*"))
	if err != nil || len(file) != 1 {
		t.Errorf("%v, %v", file, err)
	}
}
