package remote_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// heard is a server that notes what it is asked.
func heard(t *testing.T, answer func(r *http.Request) (int, string)) (url string, came *[]*http.Request) {
	t.Helper()
	came = new([]*http.Request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*came = append(*came, r.Clone(r.Context()))
		status, body := answer(r)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL, came
}

const said = "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n"

// TestPlacesOfTheProviders: where a provider of the table is called, with which header, and where it is asked
// for its models.
func TestPlacesOfTheProviders(t *testing.T) {
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct{ chat, list, header string }{
		"github/openai/gpt-4.1": {"/inference/chat/completions", "/catalog/models", "Authorization"},
		"azure/dep":             {"/openai/v1/chat/completions", "/openai/v1/models", "Api-Key"},
		"claude-sonnet-4-5":     {"/v1/messages", "/v1/models", "X-Api-Key"},
		"gpt-5-pro":             {"/v1/responses", "/v1/models", "Authorization"},
		"azure/gpt-5-codex":     {"/openai/v1/responses", "/openai/v1/models", "Api-Key"},
		"fireworks_ai/accounts/fireworks/models/x": {"/inference/v1/chat/completions", "/inference/v1/models", "Authorization"},
		"vllm/x":     {"/v1/chat/completions", "/v1/models", ""},
		"lmstudio/x": {"/v1/chat/completions", "/v1/models", ""},
		"llamacpp/x": {"/v1/chat/completions", "/v1/models", ""},
	} {
		url, came := heard(t, func(r *http.Request) (int, string) {
			if r.Method == http.MethodGet {
				return http.StatusOK, `{"data":[{"id":"one"}]}`
			}
			return http.StatusOK, map[string]string{
				"messages":  "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n",
				"responses": "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n",
			}[path.Base(r.URL.Path)] + said
		})
		p := c.Resolve(name)
		p = p.Based("https://me.openai.azure.com")
		// The same paths at a server of ours.
		for _, at := range []*string{&p.APIBase, &p.ListURL} {
			if _, rest, ok := strings.Cut(*at, "://"); ok {
				_, path, _ := strings.Cut(rest, "/")
				*at = url + "/" + path
			}
		}
		client := remote.New(remote.Options{Retries: -1, HTTP: &http.Client{Transport: &http.Transport{}}, Env: func(n string) string { return "k-" + n }})
		if _, err := client.Stream(t.Context(), llm.Request{Model: p, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		list, err := client.Models(t.Context(), p)
		if err != nil || len(list) != 1 || len(*came) != 2 {
			t.Errorf("%s: %v, %v after %d requests", name, list, err, len(*came))
			continue
		}
		for i, path := range []string{want.chat, want.list} {
			r := (*came)[i]
			if r.URL.Path != path {
				t.Errorf("%s: asked at %s, want %s", name, r.URL.Path, path)
			}
			if want.header != "" && !strings.HasSuffix(r.Header.Get(want.header), "k-"+p.APIKeyEnv) {
				t.Errorf("%s: %s is %q", name, want.header, r.Header.Get(want.header))
			}
		}
		if key, version := (*came)[1].Header.Get("X-Api-Key"), (*came)[1].Header.Get("Anthropic-Version"); (key != "" && version != "") != strings.HasPrefix(name, "claude") {
			t.Errorf("%s: the list is asked for with %q, %q", name, key, version)
		}
	}
}

// TestDeploymentsOfAzure: an address with an api-version has a path for each deployment, whose name is that of the model,
// whether a variable or the user's settings hold it; without one it has the newer interface.
func TestDeploymentsOfAzure(t *testing.T) {
	url, came := heard(t, func(r *http.Request) (int, string) {
		if r.Method == http.MethodGet {
			return http.StatusOK, `{"data":[{"id":"one"}]}`
		}
		return http.StatusOK, said
	})
	c, err := model.Load(map[string]model.UserModel{
		"work":  {Model: "azure/my-gpt", APIBase: url + "?api-version=2024-10-21", APIKeyEnv: "AZURE_OPENAI_API_KEY"},
		"whole": {Model: "gpt-4o", APIBase: url + "/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21", APIKeyEnv: "AZURE_OPENAI_API_KEY"},
		"newer": {Model: "azure/my-gpt", APIBase: "https://me.openai.azure.com", APIKeyEnv: "AZURE_OPENAI_API_KEY"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if p := c.Resolve("newer"); p.APIBase != "https://me.openai.azure.com/openai/v1" || p.ID != "my-gpt" {
		t.Errorf("%+v", p)
	}
	client := remote.New(remote.Options{Retries: -1, HTTP: &http.Client{Transport: &http.Transport{}}, Env: func(n string) string { return "k-" + n }})
	for _, p := range []model.Profile{c.Resolve("work"), c.Resolve("whole"), c.Resolve("azure/my-gpt").Based(url + "/openai/?api-version=2024-10-21")} {
		*came = nil
		_, err := client.Stream(t.Context(), llm.Request{Model: p, Messages: []llm.Message{llm.Text(llm.RoleUser, "hi")}}, nil)
		_, failed := client.Models(t.Context(), p)
		if err != nil || failed != nil || len(*came) != 2 {
			t.Errorf("%s: %v, %v after %d requests", p.APIBase, err, failed, len(*came))
			continue
		}
		for i, want := range []string{"/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21", "/openai/models?api-version=2024-10-21"} {
			if r := (*came)[i]; r.URL.String() != want || r.Header.Get("Api-Key") != "k-AZURE_OPENAI_API_KEY" || r.Header.Get("Authorization") != "" {
				t.Errorf("asked at %s with %v", r.URL, r.Header)
			}
		}
	}
}

// TestAListElsewhereGetsNoKey: the list of models is asked for at the endpoint's own host alone.
func TestAListElsewhereGetsNoKey(t *testing.T) {
	url, came := heard(t, func(*http.Request) (int, string) { return http.StatusOK, "{}" })
	p := profileAt("http://127.0.0.1:1/v1")
	p.APIKeyEnv, p.ListURL = "K", url+"/models"
	var e *llm.Error
	_, err := remote.New(remote.Options{Env: func(string) string { return "key" }}).Models(t.Context(), p)
	if !errors.As(err, &e) || len(*came) > 0 {
		t.Errorf("%v, %d requests", err, len(*came))
	}
}

// TestAnAddressThatIsMissing: the user is told which variable holds it.
func TestAnAddressThatIsMissing(t *testing.T) {
	c, err := model.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = remote.New(remote.Options{}).Stream(t.Context(), llm.Request{Model: c.Resolve("azure/dep")}, nil)
	var e *llm.Error
	if !errors.As(err, &e) || !strings.Contains(e.Advice, "AZURE_OPENAI_ENDPOINT") {
		t.Errorf("%v", err)
	}
}
