package remote_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// TestRefusals: every way a server has of saying no, and whether it is asked again.
func TestRefusals(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		for _, x := range []struct {
			name, script string
			kind         llm.ErrorKind
			retried      bool
			says         []string
		}{
			{"401", "status: 401\n-- 1.md --\nIncorrect API key provided: " + secret, llm.Auth, false, []string{"TEST_KEY", "[key]"}},
			{"403", "status: 403\n-- 1.md --\nno access", llm.Auth, false, []string{"TEST_KEY", "has access to this model"}},
			{"404 model", "status: 404\nerror-code: model_not_found\n-- 1.md --\nThe model `scripted` does not exist", llm.NotFound, false, []string{"scripted", "model setting", "coauthor models"}},
			{"429", "status: 429\n-- 1.md --\nslow down", llm.RateLimit, true, []string{"slow down", "Try again"}},
			{"429 no credit", "status: 429\nerror-code: insufficient_quota\n-- 1.md --\nno money", llm.Refused, false, []string{"credit"}},
			{"402", "status: 402\n-- 1.md --\npay", llm.Refused, false, []string{"credit"}},
			{"500", "status: 500\n-- 1.md --\noops", llm.Overloaded, true, []string{"status 500", "oops", "log of your local server"}},
			{"503", "status: 503\n-- 1.md --\nLoading model", llm.Overloaded, true, []string{"Loading model"}},
			{"529", "status: 529\n-- 1.md --\noverloaded", llm.Overloaded, true, nil},
			{"too long", "status: 400\nerror-code: context_length_exceeded\n-- 1.md --\nmaximum context length is 8192 tokens", llm.TooLong, false, []string{"8192", "repoMap.tokens"}},
			{"too long, llama.cpp", "status: 400\nerror-type: exceed_context_size_error\n-- 1.md --\nthe request exceeds the available context size", llm.TooLong, false, nil},
			{"413", "status: 413\n-- 1.md --\nx", llm.TooLong, false, nil},
			{"400", "status: 400\n-- 1.md --\nwrong shape", llm.BadRequest, false, []string{"wrong shape"}},
			{"policy", "status: 400\nerror-code: content_policy_violation\n-- 1.md --\nnot that", llm.Refused, false, []string{"Rephrase"}},
			{"HTML page of a proxy", "raw: true\nstatus: 502\ntype: text/html\n-- 1.md --\n<html><body>Bad <b>Gateway</b></body></html>", llm.Overloaded, true, []string{"Bad Gateway"}},
			{"error in the stream, before anything", "raw: true\n-- 1.md --\n: processing\n\ndata: {\"error\":{\"message\":\"upstream is down\",\"code\":502}}\n\n", llm.Overloaded, true, []string{"upstream is down"}},
			{"error with status 200 and no stream", "raw: true\ntype: application/json\n-- 1.md --\n{\n \"error\": \"model exploded\"}", llm.BadStream, true, []string{"model exploded"}},
			{"HTML with status 200", "raw: true\n-- 1.md --\n<html><title>Log in</title></html>", llm.BadStream, false, []string{"Log in", "apiBase"}},
			{"broken JSON", "raw: true\n-- 1.md --\ndata: {\"choices\":[{\"delta\":{\"cont\n\n", llm.BadStream, false, []string{"Cannot read the answer"}},
			{"wrong shape", "raw: true\n-- 1.md --\ndata: {\"type\":5,\"choices\":\"none\"}\n\n", llm.BadStream, false, []string{"Cannot read the answer"}},
			{"nothing at all", "raw: true\n-- 1.md --\n", llm.BadStream, true, []string{"before the answer began"}},
			{"cut before the first token", "cut: 0\n-- 1.md --\ntext", llm.BadStream, true, nil},
		} {
			if api == model.Anthropic && (x.name == "429 no credit" || x.name == "policy") {
				continue // it has no codes: what it says instead is in its own test
			}
			t.Run(x.name, func(t *testing.T) {
				t.Parallel()
				head, files, _ := strings.Cut(x.script, "-- 1.md --")
				r := newHarness(t, head+"repeat: true\n-- 1.md --"+files+"\n")
				r.profile.API = api
				e := r.fail(x.kind, x.says...)
				if n := len(r.server.Requests()); (n == 4) != x.retried || n > 4 {
					t.Errorf("%d requests: %v", n, e)
				}
				if len(r.deltas) > 0 || e.Partial.Text != "" {
					t.Errorf("a refusal is no answer: %+v", r.deltas)
				}
			})
		}
	})
}

// A server that wants a key and got none does not refuse a key.
func TestNoKeyWasSent(t *testing.T) {
	r := newHarness(t, "key: "+secret+"\n-- 1.md --\nx\n")
	r.profile.APIKeyEnv = ""
	r.fail(llm.Auth, "requires an API key, and none was sent", "apiKeyEnv")
}

// TestNothingGoesWithoutAKeyThatSomebodyNamed: a server elsewhere is asked only with a key that is meant
// for it, or when the user said that it needs none.
func TestNothingGoesWithoutAKeyThatSomebodyNamed(t *testing.T) {
	for _, x := range []struct {
		what   string
		change func(*model.Profile)
		missed bool
	}{
		{"no key", func(*model.Profile) {}, true},
		{"none is needed", func(p *model.Profile) { p.NoKey = true }, false},
		{"a key in a header", func(p *model.Profile) { p.Headers = map[string]string{"X-Api-Key": "k"} }, false},
		{"a header that is no key", func(p *model.Profile) { p.Headers = map[string]string{"X-Team": "core"} }, true},
		{"a key in the URL", func(p *model.Profile) { p.APIBase += "?api-key=1" }, false},
		{"this machine", func(p *model.Profile) { p.APIBase = "http://localhost:1" }, false},
	} {
		p := model.Profile{Name: "m", ID: "m", APIBase: "https://api.example.invalid/v1"}
		x.change(&p)
		err := remote.KeyMissing(p, func(string) string { return "a key for somebody else" }, remote.ByEditor)
		if (err != nil) != x.missed || err != nil && !strings.Contains(err.Error(), "apiKeyEnv") {
			t.Errorf("%s: %v", x.what, err)
		}
	}
}

// TestKeysInHeadersAreRedacted has a server repeat what it got in the extra headers.
func TestKeysInHeadersAreRedacted(t *testing.T) {
	const bearer, plain, odd = "tok-0123456789", "pw12345", "0123456789abcdef0123456789abcdef"
	r := newHarness(t, "repeat: true\n-- 1.yaml --\nstatus: 400\n-- 1.md --\nbad head: Bearer "+bearer+" or just "+bearer+", "+plain+", "+odd+" of team core\n")
	r.profile.APIKeyEnv = ""
	r.profile.Headers = map[string]string{"Authorization": "Bearer " + bearer, "X-Gateway-Token": plain, "X-Odd": odd, "X-Team": "core"}
	e := r.fail(llm.BadRequest, "bad head", "team core")
	for _, key := range []string{bearer, plain, odd} {
		if all := fmt.Sprintf("%v %+v %v %s", e, e, e.Err, r.log.String()); strings.Contains(all, key) {
			t.Errorf("the key leaked: %s", all)
		}
	}
}

func TestRetries(t *testing.T) {
	t.Run("until it works", func(t *testing.T) {
		r := newHarness(t, "-- 1.yaml --\nstatus: 500\n-- 2.yaml --\nstatus: 429\nretry-after: 7\n-- 3.yaml --\nstatus: 503\n-- 4.md --\nat last\n")
		reply, err := r.stream()
		if err != nil || reply.Text != "at last\n" {
			t.Fatalf("%+v, %v", reply, err)
		}
		want := []time.Duration{500 * time.Millisecond, 7 * time.Second, 2 * time.Second}
		if len(r.waits) != 3 || r.waits[0] != want[0] || r.waits[1] != want[1] || r.waits[2] != want[2] {
			t.Errorf("waits %v, want %v", r.waits, want)
		}
	})
	t.Run("not when asked to wait for long", func(t *testing.T) {
		r := newHarness(t, "-- 1.yaml --\nstatus: 429\nretry-after: 3600\n")
		e := r.fail(llm.RateLimit, "1h0m0s")
		if e.RetryAfter != time.Hour || len(r.waits) != 0 {
			t.Errorf("%v, waits %v", e.RetryAfter, r.waits)
		}
	})
	t.Run("until a date", func(t *testing.T) {
		now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		r := newHarness(t, "-- 1.yaml --\nstatus: 429\nretry-after: Tue, 01 Jan 2030 00:00:09 GMT\n-- 2.md --\nx\n",
			func(o *remote.Options) { o.Clock = func() time.Time { return now } })
		if _, err := r.stream(); err != nil || len(r.waits) != 1 || r.waits[0] != 9*time.Second {
			t.Errorf("%v, waits %v", err, r.waits)
		}
	})
	t.Run("as often as the settings say", func(t *testing.T) {
		r := newHarness(t, "repeat: true\n-- 1.yaml --\nstatus: 500\n", func(o *remote.Options) { o.Retries = -1 })
		r.fail(llm.Overloaded)
		if len(r.server.Requests()) != 1 {
			t.Error("tried again")
		}
	})
	t.Run("cancelled while waiting", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := newHarness(t, "repeat: true\n-- 1.yaml --\nstatus: 500\n", func(o *remote.Options) {
			o.Sleep = nil // the real one
		})
		_, err := r.client.Stream(ctx, llm.Request{
			Model: r.profile, OnRetry: func(int, time.Duration, *llm.Error) { cancel() },
		}, nil)
		var e *llm.Error
		if !errors.As(err, &e) || e.Kind != llm.Canceled {
			t.Error(err)
		}
	})
}

// TestCut: whatever ends a reply in the middle, what came is kept apart and nothing is tried again.
func TestCut(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		const text = "0123456789012345678901234567890123456789\n"
		for _, x := range []struct {
			name, head string
			kind       llm.ErrorKind
			says       string
		}{
			{"connection lost", "cut: 20\nchunk: 4\n", llm.BadStream, "Nothing was changed"},
			{"no end", "finish: none\ndone: false\n", llm.BadStream, "ended in the middle"},
			{"error object", "error: upstream died\nchunk: 4\n", llm.BadStream, "upstream died"},
			{"error object that looks like a refusal", "error: overloaded\nerror-code: 529\nchunk: 4\n", llm.Overloaded, "overloaded"},
		} {
			t.Run(x.name, func(t *testing.T) {
				r := newHarness(t, x.head+"-- 1.md --\n"+text)
				r.profile.API = api
				e := r.fail(x.kind, x.says)
				if e.Partial.Text == "" || !strings.HasPrefix(text, e.Partial.Text) || e.Partial.Usage.Completion == 0 {
					t.Errorf("partial %+v", e.Partial)
				}
				if len(r.server.Requests()) != 1 {
					t.Error("tried again after the first token")
				}
			})
		}
	})
}

func TestTimeouts(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		t.Run("first token", func(t *testing.T) {
			r := newHarness(t, "first-delay: 1h\n-- 1.md --\nx\n", func(o *remote.Options) { o.FirstToken = 20 * time.Millisecond })
			r.profile.API = api
			r.fail(llm.Timeout, "did not start", "network.requestTimeout")
		})
		t.Run("first token, with the head there", func(t *testing.T) {
			r := newHarness(t, "delay: 1h\n-- 1.md --\nx\n", func(o *remote.Options) { o.FirstToken = 20 * time.Millisecond })
			r.profile.API = api
			r.fail(llm.Timeout, "did not start")
		})
		t.Run("idle", func(t *testing.T) {
			r := newHarness(t, "hold: true\nkeepalive: true\n-- 1.md --\nfirst half, second half, and more\n", func(o *remote.Options) { o.Idle = 20 * time.Millisecond })
			r.profile.API = api
			e := r.fail(llm.Timeout, "network.requestTimeout")
			if e.Partial.Text == "" {
				t.Error("the first half is lost")
			}
		})
		t.Run("total", func(t *testing.T) {
			r := newHarness(t, "hold: true\n-- 1.md --\nfirst half, second half, and more\n", func(o *remote.Options) { o.Total = 50 * time.Millisecond })
			r.profile.API = api
			r.fail(llm.Timeout, "network.requestTimeout")
		})
		t.Run("not streamed: only the total counts", func(t *testing.T) {
			r := newHarness(t, "first-delay: 60ms\n-- 1.md --\nx\n", func(o *remote.Options) { o.FirstToken = time.Millisecond })
			r.profile.API = api
			r.profile.Streaming = false
			if reply, err := r.stream(); err != nil || reply.Text != "x\n" {
				t.Errorf("%+v, %v", reply, err)
			}
		})
		t.Run("the caller's own", func(t *testing.T) {
			r := newHarness(t, "hold: true\n-- 1.md --\nx\n")
			r.profile.API = api
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, err := r.client.Stream(ctx, llm.Request{Model: r.profile}, nil)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	})
}

// TestAdapts: a field that the endpoint refuses is left out, and stays out.
func TestAdapts(t *testing.T) {
	r := newHarness(t, "reject: stream_options, temperature, max_tokens\nrepeat: true\n-- 1.md --\nx\n")
	for range 2 {
		reply, err := r.client.Stream(t.Context(), llm.Request{Model: r.profile, MaxTokens: 9, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}}, nil)
		if err != nil || reply.Text != "x\n" || !reply.Usage.Estimated {
			t.Fatalf("%+v, %v", reply, err)
		}
	}
	reqs := r.server.Requests()
	if len(reqs) != 5 || !strings.Contains(string(reqs[4].Body), `"max_completion_tokens":9`) {
		t.Errorf("%d requests, the last %s", len(reqs), reqs[len(reqs)-1].Body)
	}
	if len(r.waits) != 0 {
		t.Error("waited for nothing")
	}
	r = newHarness(t, "reject: messages\n-- 1.md --\nx\n")
	r.fail(llm.BadRequest, "messages")
}

// TestAnEndpointThatDoesNotStream: a model that is not streamed to this account is asked for its answer in one piece, through
// every interface, the user is told once, and other refusals that speak of streams are none of this.
func TestAnEndpointThatDoesNotStream(t *testing.T) {
	everyAPI(t, func(t *testing.T, api string) {
		for _, said := range []string{
			"Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.",
			"Unsupported value: 'stream' does not support true with this model. Only the default (false) value is supported.",
			"This model does not support streaming.",
			"Streaming is not supported for this deployment.",
		} {
			r := newHarness(t, fmt.Sprintf("-- 1.yaml --\nforbids: ['\"stream\": ?true']\ncomplaint: %q\nrepeat: true\n-- 1.md --\nhere\n", said), func(o *remote.Options) { o.FirstToken = time.Minute })
			r.profile.API = api
			for i := range 2 {
				reply, err := r.stream()
				if err != nil || reply.Text != "here\n" || (len(reply.Notes) == 1) != (i == 0) {
					t.Fatalf("%s: %+v, %v", said, reply, err)
				}
				if i == 0 && (!strings.Contains(reply.Notes[0], "does not stream scripted") || !strings.Contains(reply.Notes[0], said[:20])) {
					t.Errorf("%s: told %q", said, reply.Notes)
				}
			}
			if n := len(r.server.Requests()); n != 3 {
				t.Errorf("%s: %d requests", said, n)
			}
		}
		for _, said := range []string{"The upstream does not support this.", "No stream of consciousness, please."} {
			r := newHarness(t, fmt.Sprintf("-- 1.yaml --\nforbids: ['\"stream\": ?true']\ncomplaint: %q\nrepeat: true\n-- 1.md --\nhere\n", said))
			r.profile.API = api
			r.fail(llm.BadRequest, strings.TrimRight(said, "."))
		}
	})
}

// TestAnAnswerInOnePieceHasTime: where the endpoint was found not to stream, all of the answer's time is before its beginning.
func TestAnAnswerInOnePieceHasTime(t *testing.T) {
	r := newHarness(t, "-- 1.yaml --\nforbids: ['\"stream\": ?true']\ncomplaint: This model does not support streaming.\nfirst-delay: 700ms\n-- 1.md --\nhere\n",
		func(o *remote.Options) { o.FirstToken = 500 * time.Millisecond })
	if reply, err := r.stream(); err != nil || reply.Text != "here\n" {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestUnreachable(t *testing.T) {
	r := newHarness(t, "-- 1.md --\nx\n")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close() // now nobody listens there
	r.profile.APIBase = "http://" + addr + "/v1"
	r.fail(llm.Network, "No server is listening at "+addr, "apiBase")
	if len(r.waits) > 0 {
		t.Error("a server that is not there was asked again")
	}
	r.profile.APIBase = "https://no-such-host.invalid/v1"
	r.fail(llm.Network, "no-such-host.invalid")

	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of the client that does not trust it
	tls.StartTLS()
	defer tls.Close()
	r.profile.APIBase = tls.URL
	r.fail(llm.Network, "certificate")
}

func TestKeysAndTransport(t *testing.T) {
	r := newHarness(t, "repeat: true\n-- 1.md --\nx\n")
	for _, x := range []struct {
		base, keyEnv string
		insecure     bool
		kind         llm.ErrorKind
		says         string
	}{
		{"https://api.example.invalid/v1", "NOT_SET", false, llm.NoKey, "NOT_SET"},
		{"http://api.example.invalid/v1", "TEST_KEY", false, llm.BadRequest, "network.allowInsecureHttp"},
		{"http://api.example.invalid/v1", "TEST_KEY", true, llm.Network, "api.example.invalid"},
		{"https://[::1", "", false, llm.BadRequest, "apiBase"},
		{"ftp://x/", "", false, llm.BadRequest, "apiBase"},
		{"", "", false, llm.BadRequest, "No endpoint"},
		{"https://user:" + secret + "@/v1", "", false, llm.BadRequest, "apiBase"},
	} {
		r.profile.APIBase, r.profile.APIKeyEnv, r.profile.AllowInsecure = x.base, x.keyEnv, x.insecure
		r.fail(x.kind, x.says)
	}
	if len(r.server.Requests()) != 0 {
		t.Error("something was sent")
	}
	r.profile.APIBase, r.profile.APIKeyEnv = r.server.URL, "NOT_SET"
	if _, err := r.stream(); err != nil {
		t.Errorf("this machine needs no key: %v", err)
	}
	if h := r.server.Requests()[0].Header.Get("Authorization"); h != "" {
		t.Errorf("sent %q", h)
	}
}

func TestBaseURLs(t *testing.T) {
	for _, x := range []struct{ prefix, base string }{
		{"/v1", ""}, {"/v1", "/"}, {"/v1", "/v1"}, {"/v1", "/v1/"}, {"/v1", "/v1/chat/completions"},
		{"", ""}, {"", "/v1"}, {"/llm", "/llm"}, {"/llm/v1", "/llm"}, {"/api/v1", "/api/"},
		{"/v1beta/openai", "/v1beta/openai/"}, {"/openai/deployments/gpt", "/openai/deployments/gpt?api-version=2"},
	} {
		r := newHarness(t, "repeat: true\nprefix: "+x.prefix+"\n-- 1.md --\nx\n")
		r.profile.APIBase += x.base
		for range 2 {
			if reply, err := r.stream(); err != nil || reply.Text != "x\n" {
				t.Errorf("%+v: %v", x, err)
				break
			}
		}
		for _, q := range r.server.Requests() {
			azure := strings.Contains(x.base, "deployments")
			if azure != (q.Query == "api-version=2") || azure != (q.Header.Get("Api-Key") == secret) || azure == (q.Header.Get("Authorization") != "") {
				t.Errorf("%+v: %s?%s %v", x, q.Path, q.Query, q.Header)
			}
		}
	}
	r := newHarness(t, "prefix: /elsewhere\n-- 1.md --\nx\n")
	r.profile.APIBase += "/there"
	r.fail(llm.NotFound, "/there/v1/chat/completions", "apiBase")
	if e, err := remote.Endpoint(model.Profile{APIBase: "localhost:8080"}); err != nil || e != "http://localhost:8080/v1/chat/completions" {
		t.Error(e, err)
	}
}

func TestRedirects(t *testing.T) {
	other := newHarness(t, "-- 1.md --\nstolen\n")
	r := newHarness(t, "repeat: true\n-- 1.yaml --\nredirect: "+other.server.URL+"/v1/chat/completions\n")
	r.fail(llm.BadRequest, "redirects to "+other.server.URL, "apiBase")
	if len(other.server.Requests()) != 0 {
		t.Error("the other host was asked")
	}
	same := newHarness(t, "-- 1.yaml --\nredirect: /v1/chat/completions\n-- 2.md --\nhere\n")
	if reply, err := same.stream(); err != nil || reply.Text != "here\n" {
		t.Errorf("same host: %+v, %v", reply, err)
	}
	circle := newHarness(t, "repeat: true\n-- 1.yaml --\nredirect: /v1/chat/completions\n")
	circle.fail(llm.BadRequest, "too many times")
}
