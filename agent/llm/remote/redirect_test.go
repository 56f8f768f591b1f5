package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
)

// doors is example.com at its usual ports, one with TLS and one without, and all other hosts of the
// world. Each door notes who came, and whether a key was with them.
type doors struct {
	secure, plain, elsewhere *httptest.Server
	status                   int
	moved                    map[string]string // from a path of the secure door to a URL

	mu  sync.Mutex
	got []string // guarded by mu; "https POST /v1/chat/completions with a key"
}

func newDoors(t *testing.T) *doors {
	d := &doors{moved: map[string]string{}}
	d.secure = httptest.NewTLSServer(d.door("https"))
	d.plain = httptest.NewServer(d.door("http"))
	d.elsewhere = httptest.NewTLSServer(d.door("elsewhere"))
	for _, s := range []*httptest.Server{d.secure, d.plain, d.elsewhere} {
		t.Cleanup(s.Close)
	}
	return d
}

func (d *doors) door(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := "without a key"
		for _, values := range r.Header {
			if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, secret) }) {
				key = "with a key"
			}
		}
		d.mu.Lock()
		d.got = append(d.got, fmt.Sprintf("%s %s %s %s", name, r.Method, r.URL.Path, key))
		d.mu.Unlock()
		to, moved := d.moved[r.URL.Path]
		switch {
		case moved && name == "https":
			w.Header().Set("Location", to)
			w.WriteHeader(d.status)
		case strings.HasSuffix(r.URL.Path, "/models"):
			fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
		default:
			fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n")
		}
	})
}

// client goes to a door by the port that it wants.
func (d *doors) client() *http.Client {
	var dialer net.Dialer
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: d.secure.Client().Transport.(*http.Transport).TLSClientConfig.Clone(),
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			to := d.elsewhere
			switch addr {
			case "example.com:443":
				to = d.secure
			case "example.com:80":
				to = d.plain
			}
			return dialer.DialContext(ctx, network, to.Listener.Addr().String())
		},
	}}
}

// The key goes to the server that it is for, over https if that was said, in the kind of request that was
// made. A redirect to anything else ends the call; what is there is not even asked.
func TestRedirectsTakeTheKeyNowhere(t *testing.T) {
	const here, chat = "https://example.com", "/v1/chat/completions"
	d := newDoors(t)
	headers := map[string]func(*model.Profile){
		"bearer": func(*model.Profile) {},
		"azure":  func(p *model.Profile) { p.APIBase = here + "/openai/deployments/m" },
		"header": func(p *model.Profile) {
			p.APIKeyEnv, p.Headers = "", map[string]string{"X-Gateway-Token": secret}
		},
	}
	for _, x := range []struct {
		what   string
		to     string // the path of the call stands for PATH
		status []int
		good   bool
	}{
		{"the same server", here + "/moved", []int{307, 308}, true},
		{"the same server, by its path", "/moved", []int{307, 308}, true},
		{"the same server, as a GET", here + "/moved", []int{301, 302, 303}, false},
		{"the same path, as a GET", here + "PATH?again=1", []int{301, 302, 303}, false},
		{"no TLS", "http://example.com/moved", []int{301, 302, 303, 307, 308}, false},
		{"no TLS at the same path", "http://example.comPATH", []int{307, 308}, false},
		{"another port", "https://example.com:8443/moved", []int{307, 308}, false},
		{"another host", "https://example.org/moved", []int{303, 307, 308}, false},
		{"a host below", "https://api.example.com/moved", []int{307, 308}, false},
		{"a host with a user", "https://example.com@example.org/moved", []int{307, 308}, false},
	} {
		for _, status := range x.status {
			for how, set := range headers {
				d.got, d.moved = nil, map[string]string{}
				r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = d.client() })
				r.profile.APIBase = here + "/v1"
				set(&r.profile)
				path := strings.TrimPrefix(r.profile.APIBase, here) + "/chat/completions"
				d.status = status
				d.moved[path] = strings.ReplaceAll(x.to, "PATH", path)
				want := []string{"https POST " + path + " with a key"}
				if x.good {
					want = append(want, "https POST /moved with a key")
					if reply, err := r.stream(); err != nil || reply.Text != "x" {
						t.Errorf("%s, %d, %s: %+v, %v", x.what, status, how, reply, err)
					}
				} else {
					e := r.fail(llm.BadRequest, "apiBase")
					if strings.Contains(e.Error(), "again=1") {
						t.Errorf("%s, %d: the query is told, which may hold a key: %v", x.what, status, e)
					}
				}
				if diff := cmp.Diff(want, d.got); diff != "" {
					t.Errorf("%s, %d, %s: who came (-want +got):\n%s", x.what, status, how, diff)
				}
				if len(r.waits) > 0 {
					t.Errorf("%s, %d: it was tried again", x.what, status)
				}
			}
		}
	}
}

// A redirect that is allowed leads on to one that is not.
func TestRedirectsAreJudgedEachTime(t *testing.T) {
	d := newDoors(t)
	r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = d.client() })
	r.profile.APIBase = "https://example.com/v1"
	d.status = http.StatusPermanentRedirect
	d.moved["/v1/chat/completions"], d.moved["/a"], d.moved["/b"] = "/a", "/b", "http://example.com/c"
	r.fail(llm.BadRequest, "redirects to http://example.com/c")
	if n := len(d.got); n != 3 || strings.Contains(strings.Join(d.got, "\n"), "http ") {
		t.Errorf("who came: %q", d.got)
	}
}

// The list of models, which is asked for with the key too, may move on the same server only.
func TestListsOfModelsAreRedirectedAlike(t *testing.T) {
	d := newDoors(t)
	for to, good := range map[string]bool{
		"/moved/models": true, "https://example.com/moved/models": true,
		"http://example.com/moved/models": false, "https://example.org/moved/models": false, "https://example.com:8443/models": false,
	} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			d.got = nil
			r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = d.client() })
			r.profile.APIBase = "https://example.com/v1"
			d.status = status
			d.moved["/v1/models"] = to
			list, err := r.client.Models(t.Context(), r.profile)
			var e *llm.Error
			if good && (err != nil || len(list) != 1) || !good && (!errors.As(err, &e) || e.Kind != llm.BadRequest) {
				t.Errorf("%d to %s: %v, %v", status, to, list, err)
			}
			if came := strings.Join(d.got, "\n"); !good && len(d.got) != 1 || strings.Contains(came, "http ") || strings.Contains(came, "elsewhere") {
				t.Errorf("%d to %s: who came: %q", status, to, d.got)
			}
		}
	}
}

// A server may send us on a few times, and not for ever.
func TestRedirectsEnd(t *testing.T) {
	for steps, good := range map[int]bool{1: true, 4: true, 5: false, 100: false} {
		d := newDoors(t)
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.HTTP = d.client() })
		r.profile.APIBase = "https://example.com/v1"
		d.status = http.StatusTemporaryRedirect
		d.moved["/v1/chat/completions"] = "/1"
		for i := 1; i < steps; i++ {
			d.moved[fmt.Sprintf("/%d", i)] = fmt.Sprintf("/%d", i+1)
		}
		if !good {
			r.fail(llm.BadRequest, "too many times")
		} else if reply, err := r.stream(); err != nil || reply.Text != "x" {
			t.Errorf("%d steps: %+v, %v", steps, reply, err)
		}
		if n := len(d.got); n != min(steps+1, 5) {
			t.Errorf("%d steps: asked %d times", steps, n)
		}
	}
}
