package remote_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"coauthor/agent/llm"
)

// TestOllamaDropsWhatDoesNotFit: a request that is longer than the window that Ollama runs the model with is told with
// both sizes and with what to do, once for each window; one that fits, was read or is asked elsewhere is not.
func TestOllamaDropsWhatDoesNotFit(t *testing.T) {
	for what, x := range map[string]struct {
		words, window, read int
		provider, running   string
		told                int
	}{
		"too long":                   {7000, 4096, 4000, "ollama", "scripted:latest", 1},
		"too long, nobody counts":    {7000, 4096, 0, "ollama", "scripted", 1},
		"it fits":                    {7000, 16384, 0, "ollama", "scripted", 0},
		"it was read":                {7000, 4096, 9000, "ollama", "scripted", 0},
		"short":                      {100, 64, 50, "ollama", "scripted", 0},
		"another model is running":   {7000, 4096, 0, "ollama", "another", 0},
		"an old Ollama":              {7000, 0, 0, "ollama", "scripted", 0},
		"another server":             {7000, 4096, 0, "llamacpp", "scripted", 0},
		"no such page":               {7000, -1, 0, "ollama", "scripted", 0},
		"several times the same one": {7000, 4096, 4000, "ollama", "scripted", 1},
	} {
		usage := fmt.Sprintf("prompt-tokens: %d\n", x.read)
		if x.read == 0 {
			usage = "usage: false\n"
		}
		r := newHarness(t, "repeat: true\n-- 1.md --\nok\n-- 1.yaml --\n"+usage)
		pages := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			switch {
			case q.URL.Path != "/api/ps":
				r.server.ServeHTTP(w, q)
			case x.window < 0:
				pages++
				http.NotFound(w, q)
			default:
				pages++
				if q.Header.Get("Authorization") != "" {
					t.Errorf("%s: a key went along", what)
				}
				fmt.Fprintf(w, `{"models":[{"name":%q,"context_length":%d}]}`, x.running, x.window)
			}
		}))
		t.Cleanup(server.Close)
		r.profile.APIBase, r.profile.Provider = server.URL+"/v1", x.provider
		told := 0
		for range 2 {
			reply, err := r.stream(llm.Text(llm.RoleUser, strings.Repeat("word ", x.words)))
			if err != nil {
				t.Fatal(what, err)
			}
			for _, note := range reply.Notes {
				if strings.Contains(note, "a context window of 4096 tokens") && strings.Contains(note, "OLLAMA_CONTEXT_LENGTH=32768") {
					told++
				}
			}
		}
		if told != x.told || x.provider != "ollama" && pages > 0 {
			t.Errorf("%s: told %d times, %d pages", what, told, pages)
		}
	}
}
