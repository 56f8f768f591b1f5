package remote_test

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// refusing is a server that answers everything alike, on this machine or, for the client it returns, at
// any name in the world.
func refusing(t *testing.T, status int, header map[string]string, body string) (*httptest.Server, *http.Client) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
	near, far := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	t.Cleanup(near.Close)
	t.Cleanup(far.Close)
	var dialer net.Dialer
	return near, &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if addr != near.Listener.Addr().String() {
				addr = far.Listener.Addr().String()
			}
			return dialer.DialContext(ctx, network, addr)
		},
	}}
}

// TestShapesOfErrors: whatever shape a server gives its error, the user reads its words, once and plain.
func TestShapesOfErrors(t *testing.T) {
	for body, said := range map[string]string{
		`{"error":{"message":"out of cheese"}}`:                                        "out of cheese",
		`{"error":{"message":"out of cheese."}}`:                                       "out of cheese",
		`{"error":{"message":"out of cheese","code":null,"type":null,"param":null}}`:   "out of cheese",
		`{"error":"out of cheese"}`:                                                    "out of cheese",
		`{"error":{"detail":"out of cheese"}}`:                                         "out of cheese",
		`{"message":"out of cheese"}`:                                                  "out of cheese",
		`{"error":null,"message":"out of cheese"}`:                                     "out of cheese",
		`{"detail":"out of cheese"}`:                                                   "out of cheese",
		`{"detail":[{"msg":"out of cheese"}]}`:                                         "out of cheese",
		`[{"error":{"message":"out of cheese"}}]`:                                      "out of cheese",
		`[{"error":{"message":"out of cheese","status":"X"}},{"error":{"message":2}}]`: "out of cheese",
		`<html><style>p {}</style><body>out of <b>cheese</b></body></html>`:            "out of cheese",
		`out of cheese`:               "out of cheese",
		`{"error":["out of cheese"]}`: "out of cheese",
		`{"errors":[{"message":"out of cheese"},{"message":"and wine"}]}`:                                                                                                "out of cheese; and wine",
		`{"detail":[{"loc":["body","messages",0],"msg":"out of cheese","type":"missing"}]}`:                                                                              "out of cheese (body.messages.0)",
		`{"error":"{\"error\":{\"message\":\"out of cheese\"}}"}`:                                                                                                        "out of cheese",
		`{"error":{"message":"Error code: 400 - {\"error\": {\"message\": \"out of cheese\"}}"}}`:                                                                        "Error code: 400: out of cheese",
		`{"error":{"message":"Provider returned error","metadata":{"raw":"out of cheese"}}}`:                                                                             "Provider returned error: out of cheese",
		`{"error":{"message":"Provider returned error","metadata":{"raw":{"detail":"out of cheese"}}}}`:                                                                  "Provider returned error: out of cheese",
		`{"error":{"message":"Provider returned error","code":400,"metadata":{"provider_name":"Acme","raw":"{\"error\":\"{\\\"message\\\":\\\"out of cheese\\\"}\"}"}}}`: "Provider returned error (Acme): out of cheese",
		`{"error":{"message":"out of cheese","metadata":{"raw":"out of cheese"}}}`:                                                                                       "out of cheese",
		`{"error":{"message":"bad","innererror":{"message":"out of cheese"}}}`:                                                                                           "bad: out of cheese",
		`{"error":{"message":"bad","metadata":{"raw":"<html><body>out of <b>cheese</b></body></html>"}}}`:                                                                "bad: out of cheese",
		`{"error":false,"detail":"out of cheese"}`:                                                                                                                       "out of cheese",
		``: "",
	} {
		near, client := refusing(t, 400, nil, body)
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
		r.profile.APIBase = near.URL
		e := r.fail(llm.BadRequest)
		want := ": " + said + "."
		if said == "" {
			want = ")."
		}
		if !strings.HasSuffix(e.Message, want) || said != "" && strings.Count(e.Message, said) != 1 {
			t.Errorf("%s is told as %q", body, e.Message)
		}
		if e.Status != 400 {
			t.Errorf("%s: status %d", body, e.Status)
		}
	}
}

// TestKinds: what a caller may decide by, for every status and code of a refusal, and whether it is tried
// again. What a server on this machine needs is another advice than what one elsewhere does.
func TestKinds(t *testing.T) {
	for _, x := range []struct {
		status int
		code   string // of the error, or its message behind a colon
		kind   llm.ErrorKind
		again  bool
	}{
		{400, "", llm.BadRequest, false}, {422, "", llm.BadRequest, false}, {410, "", llm.BadRequest, false},
		{401, "", llm.Auth, false}, {403, "", llm.Auth, false}, {400, "invalid_api_key", llm.Auth, false},
		{402, "", llm.Refused, false}, {429, "", llm.RateLimit, true}, {429, "rate_limit_exceeded", llm.RateLimit, true},
		{429, "insufficient_quota", llm.Refused, false}, {429, ":insufficient credits", llm.Refused, false},
		{429, ":Insufficient Balance", llm.Refused, false}, {429, ":check your billing details", llm.Refused, false},
		{404, "model_not_found", llm.NotFound, false}, {400, "model_not_found", llm.NotFound, false}, {405, "", llm.NotFound, false}, {404, "", llm.NotFound, false},
		{408, "", llm.Overloaded, true}, {409, "", llm.Overloaded, true}, {425, "", llm.Overloaded, true},
		{500, "", llm.Overloaded, true}, {502, "", llm.Overloaded, true}, {503, "", llm.Overloaded, true}, {504, "", llm.Overloaded, true}, {599, "", llm.Overloaded, true},
		{413, "", llm.TooLong, false}, {400, "context_length_exceeded", llm.TooLong, false}, {400, "exceed_context_size_error", llm.TooLong, false},
		{400, ":maximum context length is 10", llm.TooLong, false}, {422, ":prompt is too long", llm.TooLong, false},
		{400, ":too many input tokens", llm.TooLong, false}, {400, ":it exceeds the model's maximum", llm.TooLong, false},
		{400, ":Input is too long", llm.TooLong, false}, {400, ":please reduce the length", llm.TooLong, false}, {400, ":context window full", llm.TooLong, false},
		{429, ":too many tokens in a minute", llm.RateLimit, true}, {500, ":context length", llm.Overloaded, true},
		{400, "content_policy_violation", llm.Refused, false}, {400, "content_filter", llm.Refused, false},
		{400, ":content_management policy", llm.Refused, false}, {400, "data_inspection_failed", llm.Refused, false},
		{304, "", llm.BadStream, true},
	} {
		code, message := x.code, "no"
		if m, ok := strings.CutPrefix(code, ":"); ok {
			code, message = "", m
		}
		raw, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message, "code": code}})
		if x.status == 304 {
			raw = nil
		}
		near, client := refusing(t, x.status, nil, string(raw))
		var advice [2]string
		for i, base := range []string{near.URL, "https://far.example"} {
			r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
			r.profile.APIBase = base + "/v1"
			e := r.fail(x.kind)
			advice[i] = e.Advice
			if (len(r.waits) == 3) != x.again || !x.again && len(r.waits) > 0 || len(r.retries) != len(r.waits) {
				t.Errorf("%d %s: tried again %d times, told %v", x.status, x.code, len(r.waits), r.retries)
			}
			if i == 1 && strings.Contains(e.Advice, "on this machine") {
				t.Errorf("%d %s: the advice for a server elsewhere is %q", x.status, x.code, e.Advice)
			}
		}
		if own := x.kind == llm.TooLong || x.kind == llm.Overloaded; own && advice[0] == advice[1] {
			t.Errorf("%d %s: here and elsewhere the advice is %q", x.status, x.code, advice[0])
		}
	}
}

// TestErrorsInTheStream carry the status that no longer fits the head, and are judged by their code.
func TestErrorsInTheStream(t *testing.T) {
	for body, kind := range map[string]llm.ErrorKind{
		`{"error":{"message":"x","code":429}}`:                                             llm.RateLimit,
		`{"error":{"message":"x","code":"529"}}`:                                           llm.Overloaded,
		`{"error":{"message":"x","code":"401"}}`:                                           llm.Auth,
		`{"error":{"message":"x","code":399}}`:                                             llm.BadStream,
		`{"error":{"message":"x","code":600}}`:                                             llm.BadStream,
		`{"error":{"message":"x","type":"overloaded_error"}}`:                              llm.Overloaded,
		`{"error":{"message":"rate limit reached"}}`:                                       llm.RateLimit,
		`{"error":{"message":"internal"}}`:                                                 llm.Overloaded,
		`{"error":{"message":"it is unavailable"}}`:                                        llm.Overloaded,
		`{"choices":[{"error":{"message":"x","code":503}}]}`:                               llm.Overloaded,
		`{"choices":[{"error":null,"delta":{}}],"error":{"message":"prompt is too long"}}`: llm.TooLong,
		`{"message":"rate_limit"}`:                                                         llm.RateLimit,
		`{"error":"overloaded"}`:                                                           llm.Overloaded,
	} {
		near, client := refusing(t, 200, nil, "data: "+body+"\n\n")
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP, o.Retries = client, -1 })
		r.profile.APIBase = near.URL
		r.fail(kind)
	}
}

// TestWaits: between attempts the time doubles, with up to a half of it more by chance; what the server
// asks for goes first, as far as anybody would wait.
func TestWaits(t *testing.T) {
	for _, x := range []struct {
		what    string
		header  map[string]string
		random  byte
		retries int
		want    []time.Duration // in ms
	}{
		{"doubling", nil, 0, 8, []time.Duration{500, 1000, 2000, 4000, 8000, 16000, 20000, 20000}},
		{"by chance", nil, 255, 2, []time.Duration{749, 1498}},
		{"by a little chance", nil, 128, 1, []time.Duration{625}},
		{"asked in seconds", map[string]string{"Retry-After": "2"}, 255, 2, []time.Duration{2000, 2000}},
		{"asked in parts of seconds", map[string]string{"Retry-After": "0.25"}, 0, 1, []time.Duration{250}},
		{"asked in milliseconds", map[string]string{"Retry-After-Ms": "30", "Retry-After": "9"}, 0, 1, []time.Duration{30}},
		{"asked for nothing", map[string]string{"Retry-After-Ms": "0", "Retry-After": "0"}, 0, 1, []time.Duration{500}},
		{"asked for what is past", map[string]string{"Retry-After": "-3"}, 0, 1, []time.Duration{500}},
		{"asked in words", map[string]string{"Retry-After": "soon"}, 0, 1, []time.Duration{500}},
		{"asked for a date that is past", map[string]string{"Retry-After": "Tue, 01 Jan 2030 00:00:00 GMT"}, 0, 1, []time.Duration{500}},
		{"asked for half of the time", map[string]string{"Retry-After": "300"}, 0, 1, []time.Duration{300000}},
		{"asked for more", map[string]string{"Retry-After": "301"}, 0, 1, nil},
		{"asked for more than counts", map[string]string{"Retry-After": "1e99"}, 0, 1, []time.Duration{500}},
	} {
		near, client := refusing(t, 503, x.header, "")
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) {
			o.HTTP, o.Retries, o.Rand = client, x.retries, strings.NewReader(strings.Repeat(string([]byte{x.random}), 20))
			o.Clock = func() time.Time { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) }
		})
		r.profile.APIBase = near.URL
		r.fail(llm.Overloaded)
		var got []time.Duration
		for _, d := range r.waits {
			got = append(got, d/time.Millisecond)
		}
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.what, diff)
		}
	}
}

// TestEndpoints: a base URL as people write it, and where the calls go first.
func TestEndpoints(t *testing.T) {
	for base, want := range map[string]string{
		"https://x.example":                      "https://x.example/v1/chat/completions",
		"https://x.example/":                     "https://x.example/v1/chat/completions",
		" https://x.example/v1 ":                 "https://x.example/v1/chat/completions",
		"https://x.example/v1///":                "https://x.example/v1/chat/completions",
		"https://x.example/v1/chat/completions/": "https://x.example/v1/chat/completions",
		"https://x.example/chat/completions":     "https://x.example/v1/chat/completions",
		"https://x.example/v2":                   "https://x.example/v2/chat/completions",
		"https://x.example/v1beta/openai":        "https://x.example/v1beta/openai/chat/completions",
		"https://x.example/v4/paas/more":         "https://x.example/v4/paas/more/chat/completions",
		"https://x.example/vendor":               "https://x.example/vendor/v1/chat/completions",
		"https://x.example/v1#part":              "https://x.example/v1/chat/completions",
		"https://me:word@x.example/v1?key=k":     "https://x.example/v1/chat/completions",
		"x.example":                              "https://x.example/v1/chat/completions",
		"x.example:8443/v1":                      "https://x.example:8443/v1/chat/completions",
		"localhost":                              "http://localhost/v1/chat/completions",
		"LOCALHOST:1":                            "http://LOCALHOST:1/v1/chat/completions",
		"api.localhost:1/v1":                     "http://api.localhost:1/v1/chat/completions",
		"127.0.0.1:8080":                         "http://127.0.0.1:8080/v1/chat/completions",
		"127.9.9.9/v1":                           "http://127.9.9.9/v1/chat/completions",
		"[::1]:8080/v1":                          "http://[::1]:8080/v1/chat/completions",
		"https://me.openai.azure.com/openai":     "https://me.openai.azure.com/openai/chat/completions",
		"https://x.example/openai/deployments/m": "https://x.example/openai/deployments/m/chat/completions",
		"http://10.0.0.1/v1":                     "",
		"http://localhost.example.com":           "",
		"http://127.0.0.1.example.com":           "",
		"http://":                                "",
		"https:///v1":                            "",
		"file:///v1":                             "",
		"":                                       "",
		"  ":                                     "",
	} {
		got, err := remote.Endpoint(model.Profile{APIBase: base})
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q goes to %q, %v", base, got, err)
		}
		if here := strings.HasPrefix(want, "http://"); remote.Local(model.Profile{APIBase: base}) != here {
			t.Errorf("%q: on this machine: %v", base, !here)
		}
	}
	if got, err := remote.Endpoint(model.Profile{APIBase: "http://10.0.0.1", AllowInsecure: true}); got != "http://10.0.0.1/v1/chat/completions" || err != nil {
		t.Error(got, err)
	}
}

// TestTheFirstPathIsTheRightOne: where the base says a version, or is Azure's, no other path is tried.
func TestTheFirstPathIsTheRightOne(t *testing.T) {
	for base, x := range map[string]struct {
		paths []string
		azure bool
	}{
		"https://x.example":                            {[]string{"/v1/chat/completions", "/chat/completions"}, false},
		"https://x.example/v1":                         {[]string{"/v1/chat/completions", "/chat/completions"}, false},
		"https://x.example/v1beta/openai":              {[]string{"/v1beta/openai/chat/completions"}, false},
		"https://x.example/v1/openai":                  {[]string{"/v1/openai/chat/completions"}, false},
		"https://x.example/a/v1":                       {[]string{"/a/v1/chat/completions", "/a/chat/completions"}, false},
		"https://me.openai.azure.com/openai/x":         {[]string{"/openai/x/chat/completions"}, true},
		"https://x.example/openai/deployments/m?api=2": {[]string{"/openai/deployments/m/chat/completions"}, true},
	} {
		var paths []string
		var heads []http.Header
		far := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			paths, heads = append(paths, q.URL.Path), append(heads, q.Header)
			http.NotFound(w, q)
		}))
		defer far.Close()
		var dialer net.Dialer
		client := &http.Client{Transport: &http.Transport{
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, far.Listener.Addr().String())
			},
		}}
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
		r.profile.APIBase = base
		r.fail(llm.NotFound, x.paths[0], "apiBase")
		if diff := cmp.Diff(x.paths, paths); diff != "" {
			t.Errorf("%s (-want +got):\n%s", base, diff)
		}
		for _, h := range heads {
			if (h.Get("Api-Key") == secret) != x.azure || (h.Get("Authorization") == "Bearer "+secret) == x.azure || h.Get("User-Agent") != "coauthor" {
				t.Errorf("%s: head %v", base, h)
			}
		}
	}
}

// TestModelsFail: a list that is none, and one that is refused, are errors with words; both ways of
// reading the base are tried, and what is told is the first.
func TestModelsFail(t *testing.T) {
	for _, x := range []struct {
		status int
		body   string
		kind   llm.ErrorKind
	}{
		{200, "<html>Log in</html>", llm.BadStream}, {200, `{"data":[{"id":`, llm.BadStream}, {200, `{"data":"none"}`, llm.BadStream}, {200, "", llm.BadStream},
		{401, `{"error":{"message":"no"}}`, llm.Auth}, {404, "nothing here", llm.NotFound}, {500, "", llm.Overloaded}, {400, "", llm.BadRequest},
	} {
		near, client := refusing(t, x.status, nil, x.body)
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
		r.profile.APIBase = near.URL
		list, err := r.client.Models(t.Context(), r.profile)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != x.kind || e.Message == "" || e.Advice == "" || list != nil {
			t.Errorf("%d %s: %v, %v", x.status, x.body, list, err)
		}
	}
	for body, want := range map[string][]remote.ModelInfo{
		`{"data":[]}`: nil,
		`{"object":"list","data":[{"id":"b","context_length":8},{"id":"a","context_window":4},{"id":"c","meta":{"n_ctx":2}},{"id":"d","max_model_len":3,"context_length":1}]}`: {
			{ID: "a", ContextWindow: 4}, {ID: "b", ContextWindow: 8}, {ID: "c", ContextWindow: 2}, {ID: "d", ContextWindow: 3}},
		`[{"id":"openai/gpt-4.1","limits":{"max_input_tokens":1048576,"max_output_tokens":32768}},{"id":"x","max_context_length":5}]`: { // GitHub, Mistral
			{ID: "openai/gpt-4.1", ContextWindow: 1048576, MaxOutput: 32768}, {ID: "x", ContextWindow: 5}},
		`{"data":[{"id":"r","pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_write":0.00000375},"top_provider":{"max_completion_tokens":64000}},
			{"id":"free","pricing":{"prompt":"0","completion":"0"}},{"id":"half","pricing":{"prompt":"1e-6"}},{"id":"odd","pricing":{"prompt":"NaN","completion":[]}},
			{"id":"less","context_length":-5,"pricing":{"prompt":"7","completion":"7"}}]}`: { // OpenRouter
			{ID: "free", Price: &model.Price{}}, {ID: "half"}, {ID: "less"}, {ID: "odd"},
			{ID: "r", MaxOutput: 64000, Price: &model.Price{In: 3, Out: 15, CacheWrite: 3.75}}},
		`{"data":[{"id":"a","context_length":"many"},{"id":["b"]},"c",null,{},{"id":" "}]}`: {{ID: "a"}}, // what can be read of it
	} {
		near, client := refusing(t, 200, nil, body)
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
		r.profile.APIBase = near.URL
		list, err := r.client.Models(t.Context(), r.profile)
		if diff := cmp.Diff(want, list); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", body, err, diff)
		}
	}
}

// TestWhatIsLearnedHoldsForOneModel: a field that one model of an endpoint refuses still goes to another.
func TestWhatIsLearnedHoldsForOneModel(t *testing.T) {
	var got []map[string]any
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body := map[string]any{}
		_ = json.NewDecoder(q.Body).Decode(&body)
		got = append(got, body)
		if _, has := body["temperature"]; has && body["model"] == "picky" {
			w.WriteHeader(400)
			fmt.Fprint(w, `{"error":{"message":"Unsupported value","param":"temperature"}}`)
			return
		}
		if _, has := body["stream_options"]; has && body["model"] == "old" {
			w.WriteHeader(400)
			fmt.Fprint(w, `{"error":{"message":"include_usage is not known here"}}`)
			return
		}
		fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n")
	}))
	defer server.Close()
	r := newHarness(t, "-- 1.md --\nx\n")
	r.profile.APIBase = server.URL
	for _, x := range []struct {
		model                string
		calls                int
		temperature, options bool // in the last call
	}{{"picky", 2, false, true}, {"picky", 1, false, true}, {"old", 2, true, false}, {"old", 1, true, false}, {"plain", 1, true, true}} {
		got = nil
		r.profile.ID = x.model
		if _, err := r.stream(); err != nil || len(got) != x.calls {
			t.Fatalf("%s: %d calls, %v", x.model, len(got), err)
		}
		last := got[len(got)-1]
		_, temperature := last["temperature"]
		_, options := last["stream_options"]
		if temperature != x.temperature || options != x.options || len(r.waits) > 0 {
			t.Errorf("%s: the last call was %v, waits %v", x.model, last, r.waits)
		}
	}
}

// TestTheRightPathIsLearned: once an endpoint answered at the other path, even with a refusal, it is asked
// there at once, for its models too.
func TestTheRightPathIsLearned(t *testing.T) {
	for _, refuses := range []bool{false, true} {
		var paths []string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			paths = append(paths, q.URL.Path)
			switch {
			case strings.HasPrefix(q.URL.Path, "/v1/"):
				http.NotFound(w, q)
			case refuses:
				w.WriteHeader(http.StatusBadRequest)
			case q.URL.Path == "/models":
				fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
			default:
				fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n")
			}
		}))
		defer server.Close()
		r := newHarness(t, "-- 1.md --\nx\n")
		r.profile.APIBase = server.URL
		for range 2 {
			if _, err := r.stream(); (err != nil) != refuses {
				t.Errorf("refuses %v: %v", refuses, err)
			}
		}
		if _, err := r.client.Models(t.Context(), r.profile); (err != nil) != refuses {
			t.Errorf("refuses %v: models: %v", refuses, err)
		}
		want := []string{"/v1/chat/completions", "/chat/completions", "/chat/completions", "/models"}
		if diff := cmp.Diff(want, paths); diff != "" {
			t.Errorf("refuses %v (-want +got):\n%s", refuses, diff)
		}
	}
}

// TestLongWordsOfServersAreCut: a page or a story is no message, but its beginning is.
func TestLongWordsOfServersAreCut(t *testing.T) {
	story := strings.Repeat("w", 1000)
	for what, x := range map[string]struct {
		status int
		body   string
		kind   llm.ErrorKind
		length int
	}{
		"an error":     {400, `{"error":{"message":"` + story + `"}}`, llm.BadRequest, 300},
		"a page":       {400, "<p>" + story, llm.BadRequest, 160},
		"no stream":    {200, "<p>" + story + "\n", llm.BadStream, 120},
		"a short one":  {400, `{"error":{"message":"` + story[:300] + `"}}`, llm.BadRequest, 300},
		"a short page": {400, story[:160], llm.BadRequest, 160},
	} {
		near, client := refusing(t, x.status, nil, x.body)
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP, o.Retries = client, -1 })
		r.profile.APIBase = near.URL
		e := r.fail(x.kind)
		if got := strings.Count(e.Message, "w") - strings.Count(strings.ReplaceAll(e.Message, story[:x.length], ""), "w"); got != x.length || strings.Contains(e.Message, story[:x.length+1]) || strings.Contains(e.Message, "…") == strings.Contains(what, "short") {
			t.Errorf("%s: %s", what, e.Message)
		}
	}
}

// TestReasonsBehindARouterHaveNoKey: what a provider says behind a router is redacted as everything is, however it is written.
func TestReasonsBehindARouterHaveNoKey(t *testing.T) {
	escaped := ""
	for _, c := range secret {
		escaped += fmt.Sprintf(`\\u%04x`, c)
	}
	for _, raw := range []string{`"bad key ` + secret + ` for it"`, `"{\"error\":{\"message\":\"bad key ` + escaped + ` for it\"}}"`, `{"error":{"message":"bad key ` + secret + ` for it"}}`} {
		near, client := refusing(t, 400, nil, `{"error":{"message":"Provider returned error","metadata":{"raw":`+raw+`}}}`)
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = client })
		r.profile.APIBase = near.URL
		r.fail(llm.BadRequest, "bad key [key] for it")
	}
}
