package lsp

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"coauthor/agent/llm/llmtest"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

// TestTheEditorsLanguageReachesTheModel: what an editor says of its language is what the model falls back on.
func TestTheEditorsLanguageReachesTheModel(t *testing.T) {
	r := newModelHarness(t, llmtest.Say("Yes."), nil)
	r.call("initialize", fmt.Sprintf(`{"processId":null,"locale":"da","rootUri":%q,"capabilities":%s,
		"initializationOptions":{"models":{"scripted":{"apiBase":%q,"editFormat":"diff"}}}}`, document.URIOfPath(r.root), plainCaps, r.model.URL))
	r.note("initialized", "{}")
	r.call("workspace/executeCommand", `{"command":"coauthor.ask","arguments":[{"instruction":"Is it good?"}]}`)
	ctx, cancel := context.WithTimeout(t.Context(), lsptest.Hung)
	defer cancel()
	if err := r.model.WaitRequest(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if text := r.model.Requests()[0].Messages[0].Content; !strings.Contains(text, "Danish") {
		t.Errorf("the model is told\n%s", text)
	}
}
