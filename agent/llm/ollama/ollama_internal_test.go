package ollama

import (
	"strings"
	"testing"

	"coauthor/agent/model"
)

// Who asks an Ollama through chat hears of the name by which it is asked through its own interface; who uses that name has
// chosen chat.
func TestTheAdviceForAWindowThatIsTooSmall(t *testing.T) {
	for provider, named := range map[string]bool{"": true, "local": true, "ollama": false} {
		text := DroppedBy(model.Profile{Name: "mine", ID: "qwen3:8b", Provider: provider}, 4096, 9000)
		if strings.Contains(text, "Use the model ollama/qwen3:8b,") != named || !strings.Contains(text, "tart Ollama with OLLAMA_CONTEXT_LENGTH=32768, and set contextWindow: 32768 ") || strings.Contains(text, "%!") {
			t.Errorf("of provider %q: %s", provider, text)
		}
	}
}
