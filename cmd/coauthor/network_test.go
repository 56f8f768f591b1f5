package main

import (
	"bytes"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"coauthor/agent/llm/llmtest"
)

// asking runs coauthor ask with these variables above those of somebody who configured nothing.
func asking(t *testing.T, env map[string]string, args ...string) (code int, out, errs string) {
	t.Helper()
	home := t.TempDir()
	if env["HOME"] == "" {
		env["HOME"] = home
	}
	env["XDG_STATE_HOME"] = home
	var o, e bytes.Buffer
	code = run(t.Context(), append([]string{"ask", "-m", "why?", "--root", t.TempDir(), "--model", "scripted"}, args...),
		Streams{In: strings.NewReader(""), Out: &o, Err: &e, Env: func(n string) string { return env[n] }})
	return code, o.String(), e.String()
}

// TestCertificatesOfTheirOwn: a server whose certificate the system does not know is believed only by the file
// that the user names.
func TestCertificatesOfTheirOwn(t *testing.T) {
	inner := llmtest.Start(llmtest.Say("over TLS", "over TLS"))
	defer inner.Close()
	server := httptest.NewTLSServer(inner.Handler)
	defer server.Close()
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	for name, x := range map[string]struct{ file, says string }{
		"none":          {"", "network.caFile"},
		"the right one": {good, ""},
		"from home":     {"~/ca.pem", ""},
		"not there":     {filepath.Join(dir, "no.pem"), "network.caFile"},
		"no PEM":        {write("text", []byte("hello")), "network.caFile"},
		"relative":      {"ca.pem", "absolute"},
		"a folder":      {dir, "network.caFile"},
	} {
		code, out, errs := asking(t, map[string]string{"HOME": dir, "COAUTHOR_NETWORK_CA_FILE": x.file, "COAUTHOR_API_BASE": server.URL})
		if (code == 0) != (x.says == "") || x.says == "" && !strings.Contains(out, "over TLS") || !strings.Contains(out+errs, x.says) {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, errs)
		}
	}
}

// TestTheProxyOfTheSettings: a model elsewhere is asked through it and one on this machine is not; none goes around the
// environment's, and what is no proxy asks nobody. No password is shown.
func TestTheProxyOfTheSettings(t *testing.T) {
	model := llmtest.Start(llmtest.Say("through", "through", "through", "through"))
	defer model.Close()
	var asked atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Host != "far.example" || r.Header.Get("Proxy-Authorization") != "Basic bWU6d29yZA==" {
			t.Errorf("asked for %s with %q", r.URL, r.Header.Get("Proxy-Authorization"))
		}
		model.ServeHTTP(w, r)
	}))
	defer proxy.Close()
	own := strings.Replace(proxy.URL, "http://", "http://me:word@", 1)
	gone := httptest.NewServer(nil)
	gone.Close()
	for what, x := range map[string]struct {
		proxy, base, says string
		asked             int32
	}{
		"elsewhere":       {own, "http://far.example", "", 1},
		"without scheme":  {strings.TrimPrefix(own, "http://"), "http://far.example", "", 1},
		"this machine":    {own, model.URL, "", 0},
		"none":            {"none", model.URL, "", 0},
		"not there":       {gone.URL, "http://far.example", "network.proxy", 0},
		"no address":      {"http://", "http://far.example", "network.proxy", 0},
		"another way":     {"ftp://me:word@far.example", "http://far.example", "socks5", 0},
		"a broken number": {"http://me:word@far.example:x", "http://far.example", "network.proxy", 0},
	} {
		asked.Store(0)
		code, out, errs := asking(t, map[string]string{"COAUTHOR_NETWORK_PROXY": x.proxy, "COAUTHOR_API_BASE": x.base, "COAUTHOR_API_KEY_ENV": "none", "COAUTHOR_NETWORK_ALLOW_INSECURE_HTTP": "true"})
		if (code == 0) != (x.says == "") || x.says == "" && !strings.Contains(out, "through") || !strings.Contains(out+errs, x.says) || asked.Load() != x.asked || strings.Contains(out+errs, "word") {
			t.Errorf("%s: exit %d, %d through the proxy\n%s%s", what, code, asked.Load(), out, errs)
		}
	}
}

// TestExtraFieldsOfEveryRequest: what the user wants in the requests to every model is in them.
func TestExtraFieldsOfEveryRequest(t *testing.T) {
	h := newShell(t, "-- 1.md --\nYes.\n")
	h.put("home/coauthor/config.yaml", "models: {'*': {extraBody: {seed: 7, stream_options: null}}}\n")
	h.config = filepath.Join(h.root, "home")
	if code := h.run("ask", "-m", "Is it?"); code != 0 || len(h.server.Requests()) != 1 {
		t.Fatalf("exit %d: %s", code, h.err.String())
	}
	if body := string(h.server.Requests()[0].Body); !strings.Contains(body, `"seed":7`) || strings.Contains(body, `"stream_options":`) {
		t.Errorf("sent %s", body)
	}
}

// TestKeyCommand: a real command gives the key, in the user's home folder; what it prints stays out of every
// output, also when it fails.
func TestKeyCommand(t *testing.T) {
	const key = "very-own-key-0001"
	script := llmtest.Say("with a key", "with a key")
	script.Key = key
	server := llmtest.Start(script)
	defer server.Close()
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "key.txt"), []byte(key+"\nuser: me\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for command, says := range map[string]string{
		"cat key.txt":             "",
		"cat key.txt; exit 3":     "status 3",
		"cat key.txt 1>&2":        "printed no key",
		"echo wrong-key-of-mine":  "apiKeyCommand",
		"no-such-program-at-all ": "status 127",
	} {
		code, out, errs := asking(t, map[string]string{"HOME": home, "COAUTHOR_API_KEY_COMMAND": command, "COAUTHOR_API_BASE": server.URL, "COAUTHOR_LOG_LEVEL": "debug"})
		if (code == 0) != (says == "") || says == "" && !strings.Contains(out, "with a key") || !strings.Contains(out+errs, says) {
			t.Errorf("%q: exit %d\n%s%s", command, code, out, errs)
		}
		if all := out + errs; strings.Contains(all, key) || strings.Contains(all, "wrong-key-of-mine") {
			t.Errorf("%q: the key is in the output:\n%s", command, all)
		}
	}
}

// TestFallbackModel: another model answers when the chosen one cannot be had, and the user is told.
func TestFallbackModel(t *testing.T) {
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "0.01")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer busy.Close()
	spare := llmtest.Start(llmtest.Say("from the spare one"))
	defer spare.Close()
	home := t.TempDir()
	file := filepath.Join(home, ".config", "coauthor", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("models:\n  scripted: {apiBase: '"+busy.URL+"', fallbackModel: spare}\n  spare: {apiBase: '"+spare.URL+"', model: other}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := asking(t, map[string]string{"HOME": home})
	if code != 0 || !strings.Contains(out, "from the spare one") || !strings.Contains(out+errs, "Using spare instead.") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if got := spare.Requests()[0].Model; got != "other" {
		t.Errorf("asked for %q", got)
	}
	if err := os.WriteFile(file, []byte("models:\n  scripted: {apiBase: '"+busy.URL+"', fallbackModel: spare}\n  spare: {apiBase: '"+spare.URL+"', contextWindow: 20}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := asking(t, map[string]string{"HOME": home}); code == 0 || len(spare.Requests()) != 1 {
		t.Errorf("a prompt that the spare one cannot take: exit %d\n%s%s", code, out, errs)
	}
}
