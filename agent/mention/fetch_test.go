package mention_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"coauthor/agent/mention"
)

// hung is when a test gives up; what it waits for takes a small part of it.
const hung = time.Minute

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hung)
	t.Cleanup(cancel)
	return ctx
}

// site is a server whose pages are functions, and the options with which it may be reached.
func site(t *testing.T, pages map[string]http.HandlerFunc) (base string, o mention.FetchOptions) {
	t.Helper()
	mux := http.NewServeMux()
	for path, page := range pages {
		mux.HandleFunc(path, page)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, mention.FetchOptions{Private: []string{strings.TrimPrefix(server.URL, "http://")}}
}

func sends(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		_, _ = io.WriteString(w, body)
	}
}

func leads(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

func TestFetch(t *testing.T) {
	const page = `<html><head><title> A
 page </title><base href="/sub/"><style>p {}</style></head><body><nav><a href="/">Home</a></nav>
<main id=m onclick="x()"><h1>Title</h1><p>One <b>two</b> <a href="b.html" title=x>three</a> <a href="javascript:x()">four</a> <a href="data:text/html,x">five</a>
<img src="https://evil.example/pixel"><script>alert(1)</script><svg><text>drawn</text></svg></p><p hidden>unseen</p>
<pre><code class="language-go">a := 1 &lt; 2
</code></pre><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></main></body></html>`
	base, o := site(t, map[string]http.HandlerFunc{
		"/page": sends("text/html; charset=utf-8", page),
		"/sniffed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			_, _ = io.WriteString(w, page)
		},
		"/latin":   sends("text/html; charset=iso-8859-1", "<p>caf\xe9"),
		"/meta":    sends("text/html", "<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2"),
		"/utf16":   sends("text/plain", "\xff\xfeh\x00i\x00"),
		"/plain":   sends("text/plain", "<b> stays\n"),
		"/json":    sends("application/json", `{"a": 1}`),
		"/empty":   sends("text/html", "<div id=app></div><script src=app.js></script>"),
		"/picture": sends("image/png", "\x89PNG"),
		"/binary":  sends("text/plain", "a\x00b"),
		"/packed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			_, _ = io.WriteString(w, "x")
		},
		"/deep":   sends("text/html", strings.Repeat("<div>", 100_000)),
		"/hop":    leads("/plain"),
		"/circle": leads("/circle"),
		"/secret": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, r.Cookies(), r.Header.Get("Authorization"))
		},
	})
	for path, want := range map[string]string{
		"/page":    "# Title\n\nOne **two** [three](BASE/sub/b.html) four five\n\n```go\na := 1 < 2\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |",
		"/sniffed": "# Title",
		"/latin":   "café", "/meta": "Привет", "/utf16": "hi",
		"/plain": "<b> stays\n", "/json": `{"a": 1}`, "/hop": "<b> stays\n", "/plain#part": "<b> stays\n",
		"/secret":  "[]",
		"/empty":   "!it contains no text",
		"/picture": "!it is image/png, not text",
		"/binary":  "!the server labels it as text",
		"/packed":  "!compression (br)",
		"/deep":    "!cannot read its HTML",
		"/circle":  "!in a loop",
		"/gone":    "!404 Not Found",
	} {
		p, err := mention.Fetch(deadline(t), base+path, o)
		if why, wrong := strings.CutPrefix(want, "!"); wrong {
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("%s: %q, %v", path, p.Text, err)
			}
			continue
		}
		want = strings.ReplaceAll(want, "BASE", base)
		if path == "/sniffed" {
			p.Text = p.Text[:min(len(p.Text), len(want))]
		}
		if err != nil || p.Text != want || p.Cut || p.URL != base+path {
			t.Errorf("%s: %q, cut %v, as %s, %v", path, p.Text, p.Cut, p.URL, err)
		}
		if path == "/page" && p.Title != "A page" {
			t.Errorf("its title: %q", p.Title)
		}
	}
	for _, bad := range []string{"", "go.dev", "file:///etc/passwd", "ftp://go.dev", "https://", "http://user:word@go.dev", ":"} {
		if p, err := mention.Fetch(deadline(t), bad, o); err == nil {
			t.Errorf("%q: %+v", bad, p)
		}
	}
}

// TestNothingPrivateIsFetched: whatever leads there, and nothing is sent to it.
func TestNothingPrivateIsFetched(t *testing.T) {
	hit := make(chan string, 10)
	inner := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { hit <- r.URL.Path }))
	t.Cleanup(inner.Close)
	_, port, _ := net.SplitHostPort(inner.Listener.Addr().String())
	base, o := site(t, map[string]http.HandlerFunc{"/there": leads(inner.URL + "/there"), "/named": leads("http://localhost:" + port + "/named")})
	o.Resolver = rebound(t)
	for what, address := range map[string]string{"itself": inner.URL, "a name": "http://localhost:" + port, "a name with a dot": "http://localhost.:" + port,
		"a name that leads there": "http://public.example:" + port + "/", "another one": "http://[::ffff:127.0.0.1]:" + port} {
		_, err := mention.Fetch(deadline(t), address, o)
		var private *mention.PrivateError
		if !errors.As(err, &private) || !strings.Contains(err.Error(), "web.privateHosts") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, path := range []string{"/there", "/named"} {
		_, err := mention.Fetch(deadline(t), base+path, o)
		var to *mention.RedirectError
		if !errors.As(err, &to) || !strings.HasSuffix(to.To, path) || to.To == base+path {
			t.Errorf("redirected: %v", err)
			continue
		}
		var private *mention.PrivateError
		if _, err := mention.Fetch(deadline(t), to.To, o); !errors.As(err, &private) {
			t.Errorf("where it leads: %v", err)
		}
	}
	o.Private = append(o.Private, "public.example")
	if _, err := mention.Fetch(deadline(t), "http://public.example:"+port+"/allowed", o); err != nil {
		t.Errorf("allowed: %v", err)
	}
	close(hit)
	for path := range hit {
		if path != "/allowed" {
			t.Errorf("it was asked for %s", path)
		}
	}
}

// rebound is a resolver to which every name is that of this machine.
func rebound(t *testing.T) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() { // ends when the server is closed
		buffer := make([]byte, 4096)
		for {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			q := m.Questions[0]
			m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
			if q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}}}}
			}
			if raw, err := m.Pack(); err == nil {
				_, _ = server.WriteTo(raw, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// TestPagesHaveAnEnd: a page that is too large, packed or not, is cut, and one that does not come is given up.
func TestPagesHaveAnEnd(t *testing.T) {
	var bomb bytes.Buffer
	zip := gzip.NewWriter(&bomb)
	line := bytes.Repeat([]byte("All work and no play.\n"), 1<<10)
	for range 2 << 10 {
		_, _ = zip.Write(line)
	}
	_ = zip.Close()
	stopped := make(chan struct{}, 4)
	base, o := site(t, map[string]http.HandlerFunc{
		"/bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		},
		"/endless": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			for r.Context().Err() == nil {
				if _, err := w.Write(line); err != nil {
					break
				}
			}
			stopped <- struct{}{}
		},
		"/drips": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, "a")
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(5 * time.Millisecond):
				}
			}
			stopped <- struct{}{}
		},
		"/silent": func(_ http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			stopped <- struct{}{}
		},
	})
	o.MostBytes = 1 << 16
	for _, path := range []string{"/bomb", "/endless"} {
		p, err := mention.Fetch(deadline(t), base+path, o)
		if err != nil || !p.Cut || len(p.Text) != 1<<16 {
			t.Errorf("%s: %d bytes, cut %v, %v", path, len(p.Text), p.Cut, err)
		}
	}
	o.Within = 50 * time.Millisecond
	for _, path := range []string{"/drips", "/silent"} {
		if p, err := mention.Fetch(deadline(t), base+path, o); err == nil || !strings.Contains(err.Error(), "took longer than 50ms") {
			t.Errorf("%s: %q, %v", path, p.Text, err)
		}
	}
	o.Within = 2 * hung
	ctx, cancel := context.WithCancel(deadline(t))
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := mention.Fetch(ctx, base+"/drips", o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for range 4 { // the servers see that nobody listens any more
		select {
		case <-stopped:
		case <-deadline(t).Done():
			t.Fatal("a connection stays open")
		}
	}
}

// FuzzPage: no page of a server can do harm, and what it becomes is text.
func FuzzPage(f *testing.F) {
	for _, seed := range []string{"<p>a", "<table><tr><td>a<td>b", "<a href=x><h1>", "<ol start=99999999999><li><li>", "<pre>```</pre>", "<base href=::><a href=:>", "<math><mi><svg>", "a & b &#0; <"} {
		f.Add(seed, "text/html")
		f.Add(seed, "")
	}
	f.Fuzz(func(t *testing.T, body, contentType string) {
		p, err := mention.ReadPage(context.Background(), []byte(body), contentType, "https://example.com/a/b")
		if err == nil && strings.ToValidUTF8(p.Text, "") != p.Text {
			t.Errorf("no UTF-8: %q", p.Text)
		}
	})
}
