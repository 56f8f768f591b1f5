package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// offers serves a list of models, and writes the user's settings that name it.
func offers(t *testing.T, status int, list, settings string) (root string, env func(string) string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" {
			http.NotFound(w, r)
			return
		}
		if r.Header.Get("Authorization") != "Bearer secret-of-mine" {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
			return
		}
		w.WriteHeader(status)
		fmt.Fprint(w, list)
	}))
	t.Cleanup(server.Close)
	home := t.TempDir()
	file := filepath.Join(home, ".config", "coauthor", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("apiBase: "+server.URL+"\napiKeyEnv: MY_KEY\n"+settings), 0o600); err != nil {
		t.Fatal(err)
	}
	return t.TempDir(), func(n string) string {
		return map[string]string{"HOME": home, "XDG_STATE_HOME": home, "MY_KEY": "secret-of-mine", "OLD_KEY": "an-old-secret-of-mine"}[n]
	}
}

func listModels(t *testing.T, root string, env func(string) string, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), append([]string{"models", "--root", root}, args...), Streams{In: strings.NewReader(""), Out: &o, Err: &e, Env: env})
	if all := o.String() + e.String(); strings.Contains(all, "secret-of-mine") {
		t.Errorf("the key is in the output:\n%s", all)
	}
	return code, o.String(), e.String()
}

// TestModels: what is configured and what the endpoint offers, with window, price, format and from when
// these are.
func TestModels(t *testing.T) {
	root, env := offers(t, http.StatusOK, `{"data":[
		{"id":"vendor/big","context_length":64000,"pricing":{"prompt":"0.000002","completion":"0.000008","input_cache_read":"0.0000005"},"top_provider":{"max_completion_tokens":9000}},
		{"id":"gpt-4o"},{"id":"evil\u001b]0;owned\u0007"},{"id":5},{"id":"  "},{"id":"auto","pricing":{"prompt":"-1","completion":"-1"}}]}`, `
model: mine
model.weak: small
models:
  mine: {model: gpt-4.1, price: {in: 7, out: 9}, checked: 2026-10-10}
  small: {model: gpt-4o-mini}
  own: {apiBase: 'http://127.0.0.1:9/v1', model: qwen, contextWindow: 4000}
`)
	code, out, errs := listModels(t, root, env, "--json")
	var lists modelLists
	if err := json.Unmarshal([]byte(out), &lists); err != nil || code != 0 {
		t.Fatalf("exit %d, %v\n%s%s", code, err, out, errs)
	}
	find := func(list []listedModel, name string) listedModel {
		i := slices.IndexFunc(list, func(m listedModel) bool { return m.Name == name })
		if i < 0 {
			t.Errorf("%s is missing in %+v", name, list)
			return listedModel{}
		}
		return list[i]
	}
	var roles []string
	for _, m := range lists.InForce {
		roles = append(roles, m.Role+" "+m.Name)
	}
	if got := strings.Join(roles, ", "); got != "main mine, weak small, editor mine" {
		t.Errorf("in force: %s", got)
	}
	if m := find(lists.Yours, "mine"); m.ID != "gpt-4.1" || m.Price == nil || m.Price.In != 7 || m.Checked != "2026-10-10" || m.Format != "diff" || m.Window != 1047576 {
		t.Errorf("mine: %+v", m)
	}
	if m := find(lists.Yours, "small"); m.ID != "gpt-4o-mini" {
		t.Errorf("an alias: %+v", m)
	}
	if m := find(lists.Yours, "own"); !strings.HasPrefix(m.Endpoint, "http://127.0.0.1:9/v1") || m.Window != 4000 {
		t.Errorf("own: %+v", m)
	}
	if m := find(lists.Known, "claude-sonnet-4-5"); m.Price == nil || m.Price.Out != 15 || m.Checked == "" || m.Window == 0 || m.Format == "" {
		t.Errorf("known: %+v", m)
	}
	today := time.Now().Format(time.DateOnly)
	if m := find(lists.Offered, "vendor/big"); m.Window != 64000 || m.Output != 9000 || m.Price == nil || m.Price.In != 2 || m.Price.Out != 8 || m.Price.CacheRead != 0.5 || m.Checked != today {
		t.Errorf("offered: %+v", m)
	}
	if m := find(lists.Offered, "gpt-4o"); m.Window != 128000 || m.Checked == "" || m.Checked == today || m.Format != "diff" || m.Price != nil {
		t.Errorf("what the table knows of an offered model: %+v", m)
	}
	if m := find(lists.Offered, "auto"); m.Price != nil {
		t.Errorf("a price that is none: %+v", m.Price)
	}
	if len(lists.Offered) != 4 {
		t.Errorf("offered: %+v", lists.Offered)
	}
	code, out, errs = listModels(t, root, env)
	if code != 0 || strings.ContainsAny(out, "\x1b\x07") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for _, words := range []string{"main: mine = gpt-4.1", "weak: small = gpt-4o-mini", "$7 / $9", "2026-10-10", "vendor/big", "$2 / $8", "64k", "1.04M", today} {
		if !strings.Contains(out, words) {
			t.Errorf("%q is not said:\n%s", words, out)
		}
	}
}

// TestModelsByPattern: the part of a name, or a glob, in any list.
func TestModelsByPattern(t *testing.T) {
	root, env := offers(t, http.StatusOK, `{"data":[{"id":"Vendor/Big"},{"id":"gpt-4o"}]}`, "model: gpt-4o\n")
	for pattern, want := range map[string]struct {
		code       int
		with, lack string
	}{
		"big":        {0, "Vendor/Big", "gpt-4o"},
		"VENDOR*big": {0, "Vendor/Big", "gpt-4o"},
		"haiku":      {0, "claude-haiku-4-5", "Vendor/Big"},
		"4o":         {0, "main: gpt-4o", "Vendor/Big"},
		"nobody":     {1, "coauthor models", "Vendor/Big"},
	} {
		code, out, errs := listModels(t, root, env, pattern)
		if code != want.code || !strings.Contains(out+errs, want.with) || strings.Contains(out, want.lack) {
			t.Errorf("%s: exit %d\n%s%s", pattern, code, out, errs)
		}
	}
}

// TestModelsOfAnEndpointThatDoesNotSay: the rest is listed all the same, and the user is told why and what
// to do.
func TestModelsOfAnEndpointThatDoesNotSay(t *testing.T) {
	for _, x := range []struct {
		what, settings string
		status         int
		list, says     string
	}{
		{"no list", "", http.StatusNotFound, "nothing", "--ask-model"},
		{"no JSON", "", http.StatusOK, "<html>Log in</html>", "apiBase"},
		{"another key", "apiKeyEnv: OTHER\n", http.StatusOK, "{}", "OTHER"},
		{"an old key", "apiKeyEnv: OLD_KEY\n", http.StatusOK, "{}", "OLD_KEY"},
		{"an error", "", http.StatusInternalServerError, `{"error":{"message":"boom"}}`, "boom"},
		{"nobody", "apiBase: http://127.0.0.1:1\n", http.StatusOK, "{}", "No server is listening"},
	} {
		root, env := offers(t, x.status, x.list, "model: gpt-4o\n")
		home := env("HOME")
		if x.settings != "" {
			file := filepath.Join(home, ".config", "coauthor", "config.yaml")
			old, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(x.settings) {
				key, _, _ := strings.Cut(line, ":")
				lines := slices.DeleteFunc(strings.SplitAfter(string(old), "\n"), func(l string) bool { return strings.HasPrefix(l, key+":") })
				old = []byte(strings.Join(lines, "") + line)
			}
			if err := os.WriteFile(file, old, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		code, out, errs := listModels(t, root, env)
		if code != 1 || !strings.Contains(errs, x.says) || !strings.Contains(out, "main: gpt-4o") || !strings.Contains(out, "claude-sonnet-4-5") {
			t.Errorf("%s: exit %d\n%s\n%s", x.what, code, out, errs)
		}
		if code, out, errs := listModels(t, root, env, "--offline"); code != 0 || errs != "" || !strings.Contains(out, "main: gpt-4o") {
			t.Errorf("%s, not asked: exit %d, %s", x.what, code, errs)
		}
	}
}

// TestModelsHasATimeLimit: an endpoint that never answers holds nobody up.
func TestModelsHasATimeLimit(t *testing.T) {
	hang := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	defer server.Close()
	defer close(hang)
	home := t.TempDir()
	env := func(n string) string {
		return map[string]string{"HOME": home, "COAUTHOR_NETWORK_REQUEST_TIMEOUT": "1s"}[n]
	}
	start := time.Now()
	code, out, errs := listModels(t, t.TempDir(), env, "--model", "gpt-4o", "--api-base", server.URL)
	if code != 1 || !strings.Contains(errs, "did not list its models within 1s") || !strings.Contains(out, "main: gpt-4o") {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %s", took)
	}
}
