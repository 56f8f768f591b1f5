package remote_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// refusedBy is a network on which every request ends in an error.
type refusedBy struct{ err error }

func (r refusedBy) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.Body != nil {
		_ = q.Body.Close()
	}
	return nil, r.err
}

// TestNetworkFailures: what is told of each way in which a connection fails, here and elsewhere, and whether
// it is tried again. No key and no query stands in it.
func TestNetworkFailures(t *testing.T) {
	dial := func(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
	for what, x := range map[string]struct {
		err   error
		says  string
		again bool
	}{
		"no such host":        {&net.DNSError{Err: "no such host", Name: "far.example", IsNotFound: true}, "Cannot find the host", false},
		"a slow name server":  {&net.DNSError{Err: "timeout", Name: "far.example", IsTimeout: true}, "Cannot find the host", true},
		"a busy name server":  {&net.DNSError{Err: "busy", Name: "far.example", IsTemporary: true}, "Cannot find the host", true},
		"nobody listens":      {dial(os.NewSyscallError("connect", syscall.ECONNREFUSED)), "No server is listening at ", false},
		"no answer":           {dial(os.ErrDeadlineExceeded), "timed out", true},
		"a foreign authority": {&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, "certificate of ", false},
		"closed":              {io.EOF, "closed the connection without an answer", true},
		"closed in the head":  {io.ErrUnexpectedEOF, "closed the connection without an answer", true},
		"reset":               {&net.OpError{Op: "read", Err: os.NewSyscallError("read", syscall.ECONNRESET)}, "closed the connection without an answer", true},
		"a broken pipe":       {&net.OpError{Op: "write", Err: os.NewSyscallError("write", syscall.EPIPE)}, "closed the connection without an answer", true},
		"something else":      {fmt.Errorf("proxy at https://me:word@proxy.example: %w", errors.New("bad gate\nfor "+secret)), "failed: bad gate for [key].", true},
		"a long story":        {errors.New(strings.Repeat("word ", 100)), "word …", true},
	} {
		var advice [2]string
		for i, base := range []string{"http://127.0.0.1:7/v1?version=in-the-query", "https://far.example/v1?version=in-the-query"} {
			r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = &http.Client{Transport: refusedBy{x.err}} })
			r.profile.APIBase = base
			e := r.fail(llm.Network, x.says)
			host := []string{"127.0.0.1", "far.example"}[i]
			if !strings.Contains(e.Message, host) || e.Status != 0 {
				t.Errorf("%s: %s, status %d", what, e.Message, e.Status)
			}
			if all := fmt.Sprintf("%v %v", e, e.Err); strings.Contains(all, "in-the-query") || strings.Contains(e.Message, "word@") {
				t.Errorf("%s: it tells %s", what, all)
			}
			if (len(r.waits) == 3) != x.again || !x.again && len(r.waits) > 0 {
				t.Errorf("%s: tried again %d times", what, len(r.waits))
			}
			advice[i] = e.Advice
		}
		if (advice[0] != advice[1]) != (what == "nobody listens") {
			t.Errorf("%s: here the advice is %q, elsewhere %q", what, advice[0], advice[1])
		}
	}
}

// TestKeys: which key goes where, and who is told that it is missing. No message holds a value.
func TestKeys(t *testing.T) {
	env := map[string]string{"MINE": " sk-mine-0123456789 ", "BLANK": "  "}
	for what, x := range map[string]struct {
		profile model.Profile
		missing bool
	}{
		"set":                            {model.Profile{APIKeyEnv: "MINE"}, false},
		"not set":                        {model.Profile{APIKeyEnv: "OTHER"}, true},
		"blank":                          {model.Profile{APIKeyEnv: "BLANK"}, true},
		"not set, though none is needed": {model.Profile{APIKeyEnv: "OTHER", NoKey: true}, true},
		"none is needed":                 {model.Profile{NoKey: true}, false},
		"nobody said":                    {model.Profile{}, true},
		"this machine":                   {model.Profile{APIBase: "http://localhost:1"}, false},
		"this machine, not set":          {model.Profile{APIBase: "http://localhost:1", APIKeyEnv: "OTHER"}, false},
		"a user in the URL":              {model.Profile{APIBase: "https://me:word@x.example/v1"}, false},
		"a key in the URL":               {model.Profile{APIBase: "https://x.example/v1?a=1&token=k"}, false},
		"another word in the URL":        {model.Profile{APIBase: "https://x.example/v1?api-version=2"}, true},
		"a header":                       {model.Profile{Headers: map[string]string{"X-Team": "core", "Authorization": "Basic k"}}, false},
		"the key for its name":           {model.Profile{APIKeyEnv: "sk-0123456789abcdef"}, true},
		"no endpoint":                    {model.Profile{APIBase: " ", NoKey: true}, true},
	} {
		p := x.profile
		p.Name, p.ID = "m", "m"
		if p.APIBase == "" {
			p.APIBase = "https://x.example/v1"
		}
		err := remote.KeyMissing(p, func(name string) string { return env[name] }, remote.ByEditor)
		if (err != nil) != x.missing {
			t.Errorf("%s: %v", what, err)
		}
		if err != nil && (strings.Contains(err.Error(), "0123456789") || strings.Contains(err.Error(), "word")) && what != "another word in the URL" {
			t.Errorf("%s: it tells %v", what, err)
		}
		if err != nil && p.APIKeyEnv == "OTHER" && !strings.Contains(err.Error(), "OTHER") {
			t.Errorf("%s: the variable is not named: %v", what, err)
		}
	}
	// The blanks around a key that was pasted are no part of it.
	r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.Env = func(name string) string { return env[name] } })
	r.profile.APIKeyEnv = "MINE"
	r.profile.Headers = map[string]string{"X-Team": "core"}
	u, err := url.Parse(r.profile.APIBase)
	if err != nil {
		t.Fatal(err)
	}
	u.RawQuery = "api-version=2"
	r.profile.APIBase = u.String()
	if _, err := r.stream(); err != nil {
		t.Fatal(err)
	}
	if q := r.server.Requests()[0]; q.Header.Get("Authorization") != "Bearer sk-mine-0123456789" || q.Header.Get("X-Team") != "core" || q.Header.Get("Api-Key") != "" {
		t.Errorf("the head is %v", q.Header)
	}
	if log := r.log.String(); !strings.Contains(log, "host=127.0.0.1") || !strings.Contains(log, "status=200") || strings.Contains(log, "mine-0123456789") {
		t.Errorf("the log has %s", log)
	}
}
