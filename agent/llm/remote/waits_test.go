package remote

import (
	"net/http"
	"testing"
	"time"

	"coauthor/agent/llm/wire"
)

// TestAskedToWait: a server is believed wherever it says how long to wait, the head before the body; what is past or no time
// is none.
func TestAskedToWait(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for what, x := range map[string]struct {
		header map[string]string
		body   string
		other  bool // it is no refusal because of a limit
		want   time.Duration
	}{
		"nothing":                 {nil, `{"error":{"message":"slow down"}}`, false, 0},
		"seconds":                 {map[string]string{"Retry-After": "20"}, `{}`, false, 20 * time.Second},
		"a date":                  {map[string]string{"Retry-After": "Tue, 01 Jan 2030 00:01:30 GMT"}, `{}`, true, 90 * time.Second},
		"milliseconds":            {map[string]string{"Retry-After-Ms": "1500", "Retry-After": "2"}, `{}`, true, 1500 * time.Millisecond},
		"the head goes first":     {map[string]string{"Retry-After": "3"}, `{"error":{"message":"try again in 20s"}}`, false, 3 * time.Second},
		"OpenAI":                  {nil, `{"error":{"message":"Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 20s. Visit https://x for more."}}`, false, 20 * time.Second},
		"OpenAI, less":            {nil, `{"error":{"message":"Please try again in 850ms."}}`, false, 850 * time.Millisecond},
		"OpenAI, more":            {nil, `{"error":{"message":"Please try again in 6m0s."}}`, false, 6 * time.Minute},
		"Groq":                    {nil, `{"error":{"message":"Please try again in 1m26.4s. Need more tokens?"}}`, false, 86400 * time.Millisecond},
		"Azure":                   {nil, `{"error":{"code":"429","message":"Please retry after 7 seconds."}}`, false, 7 * time.Second},
		"words":                   {nil, `{"detail":"Wait 2 minutes 5 seconds"}`, false, 125 * time.Second},
		"Gemini":                  {nil, `[{"error":{"code":429,"message":"You exceeded your current quota.","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36s"}]}}]`, false, 36 * time.Second},
		"a field":                 {nil, `{"error":{"message":"slow","metadata":{"retry_after_seconds":12.5}}}`, false, 12500 * time.Millisecond},
		"behind a router":         {nil, `{"error":{"message":"Provider returned error","metadata":{"raw":"{\"error\":{\"message\":\"try again in 9s\"}}"}}}`, false, 9 * time.Second},
		"a router's limit":        {nil, `{"error":{"message":"Rate limit exceeded","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Reset":"1893456040000"}}}}`, false, 40 * time.Second},
		"the limit that is used":  {map[string]string{"X-Ratelimit-Reset-Requests": "1s", "X-Ratelimit-Remaining-Requests": "9", "X-Ratelimit-Reset-Tokens": "2m3s", "X-Ratelimit-Remaining-Tokens": "0"}, `{}`, false, 123 * time.Second},
		"limits of which none is": {map[string]string{"X-Ratelimit-Reset-Requests": "1s", "X-Ratelimit-Remaining-Requests": "9"}, `{}`, false, 0},
		"a limit of all":          {map[string]string{"X-Ratelimit-Reset": "1893456030"}, `{}`, false, 30 * time.Second},
		"Anthropic's":             {map[string]string{"Anthropic-Ratelimit-Tokens-Reset": "2030-01-01T00:00:11Z", "Anthropic-Ratelimit-Tokens-Remaining": "0"}, `{}`, false, 11 * time.Second},
		"a limit beside a fault":  {map[string]string{"X-Ratelimit-Reset": "1893456030"}, `{}`, true, 0},
		"a moment that is past":   {map[string]string{"X-Ratelimit-Reset": "1893455000"}, `{}`, false, 0},
		"no time":                 {map[string]string{"Retry-After": "soon"}, `{"error":{"message":"wait 5 bananas, try again in a while"}}`, false, 0},
		"numbers without a unit":  {nil, `{"error":{"message":"try again in 5 different ways"}}`, false, 0},
	} {
		h := http.Header{}
		for name, v := range x.header {
			h.Set(name, v)
		}
		se, _ := wire.ParseServerError([]byte(x.body))
		if got := askedToWait(h, se, !x.other, now); got != x.want {
			t.Errorf("%s: %v, want %v", what, got, x.want)
		}
	}
}

// FuzzWaits: whatever a server says, the time is none or a sensible one.
func FuzzWaits(f *testing.F) {
	for _, s := range []string{"20", "1m30s", "try again in 5s", "1893456030", "1e300", "-1", "0x1p3", "Inf", "9h9h9h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		now := time.Unix(1893456000, 0)
		if d := waitOf(s, now); d < 0 {
			t.Errorf("%q: %v", s, d)
		}
		h := http.Header{"Retry-After": {s}, "X-Ratelimit-Reset": {s}}
		if d := askedToWait(h, wire.ServerError{Message: s, Waits: []string{s}}, true, now); d < 0 {
			t.Errorf("%q: %v", s, d)
		}
	})
}
