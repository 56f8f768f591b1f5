package mention

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// Page is a page of the web as a model is shown it.
type Page struct {
	URL   string // as it was asked for
	Title string // "" for none
	Text  string // Markdown where the page was HTML, else its text
	Cut   bool   // it went on
}

// FetchOptions say how pages are fetched. The zero value fetches nothing that is private.
type FetchOptions struct {
	// Private are hosts, with a port or without, that may lie on this machine or in a private network.
	Private []string
	// Within is how long a page may take; 0 is 20 seconds.
	Within time.Duration
	// MostBytes is how much of a page is read, unpacked; 0 is 2 MiB.
	MostBytes int64
	// Roots are the certificates that are trusted; nil are the system's.
	Roots *x509.CertPool
	// Resolver finds the addresses of hosts; nil is the system's.
	Resolver *net.Resolver
}

const (
	fetchWithin   = 20 * time.Second
	fetchBytes    = 2 << 20
	mostText      = 1 << 20 // of a page that is kept; no model is shown more
	mostRedirects = 5
)

// RedirectError says that an address leads to another place, which nobody has agreed to.
type RedirectError struct{ From, To string }

func (e *RedirectError) Error() string {
	return fmt.Sprintf("%s redirects to %s, which Coauthor did not fetch", e.From, e.To)
}

// Fetch gets a page. It sends no cookies and no key, goes through no proxy, follows redirects within the same host alone,
// and connects to no address that is not public, whatever a name or a redirect leads to. Its errors are ends of sentences.
func Fetch(ctx context.Context, address string, o FetchOptions) (Page, error) {
	if o.Within <= 0 {
		o.Within = fetchWithin
	}
	if o.MostBytes <= 0 {
		o.MostBytes = fetchBytes
	}
	u, err := pageURL(address)
	if err != nil {
		return Page{}, err
	}
	if Private(u.Host, o.Private) {
		return Page{}, &PrivateError{Host: u.Host}
	}
	within, stop := context.WithTimeout(ctx, o.Within)
	defer stop()
	page, err := o.fetch(within, u)
	switch {
	case ctx.Err() != nil:
		return Page{}, ctx.Err()
	case within.Err() != nil:
		return Page{}, fmt.Errorf("it took longer than %v", o.Within)
	case err != nil:
		return Page{}, err
	}
	page.URL = address
	return page, nil
}

// pageURL reads an address that can be fetched.
func pageURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "":
		return nil, fmt.Errorf("%q is not a URL", address)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("only URLs that begin with http:// or https:// can be fetched")
	case u.User != nil:
		return nil, fmt.Errorf("it contains a password; Coauthor does not fetch pages that need one")
	}
	u.Fragment = ""
	return u, nil
}

func (o FetchOptions) fetch(ctx context.Context, u *url.URL) (Page, error) {
	transport := &http.Transport{
		DialContext:            o.dial,
		ForceAttemptHTTP2:      true,
		DisableKeepAlives:      true,
		TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
		MaxResponseHeaderBytes: 64 << 10,
	}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, CheckRedirect: sameHost}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Page{}, err
	}
	req.Header.Set("User-Agent", "coauthor")
	req.Header.Set("Accept", "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5")
	resp, err := client.Do(req)
	if err != nil {
		return Page{}, plainError(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Page{}, fmt.Errorf("the server returned %s", strings.TrimSpace(fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))))
	}
	if packed := resp.Header.Get("Content-Encoding"); packed != "" && packed != "identity" {
		return Page{}, fmt.Errorf("the server used unexpected compression (%s)", packed)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, o.MostBytes+1)) // of what it unpacked
	if err != nil {
		return Page{}, plainError(err)
	}
	cut := int64(len(data)) > o.MostBytes
	data = data[:min(int64(len(data)), o.MostBytes)]
	page, err := readPage(ctx, data, resp.Header.Get("Content-Type"), resp.Request.URL)
	page.Cut = cut
	if len(page.Text) > mostText {
		page.Text, page.Cut = strings.ToValidUTF8(page.Text[:mostText], ""), true
	}
	return page, err
}

// dial connects to a host. The address is looked at when it is known, and before anything is sent there, so that neither
// a name nor a redirect leads anywhere else.
func (o FetchOptions) dial(ctx context.Context, network, host string) (net.Conn, error) {
	d := net.Dialer{Resolver: o.Resolver}
	if name, port := splitHost(host); !listed(o.Private, name, port) {
		d.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return err
			}
			if !public(at.Addr()) {
				return &PrivateError{Host: name, IP: at.Addr().String()}
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, host)
}

// sameHost lets redirects stay where the user wanted to go: at the same host and port, or at its usual encrypted one.
func sameHost(req *http.Request, via []*http.Request) error {
	from, to := via[len(via)-1].URL, req.URL
	secured := from.Scheme == "http" && to.Scheme == "https" && from.Port() == "" && to.Port() == ""
	switch {
	case len(via) > mostRedirects:
		return errors.New("it redirects in a loop")
	case !strings.EqualFold(from.Hostname(), to.Hostname()), from.Port() != to.Port(), from.Scheme != to.Scheme && !secured, to.User != nil:
		return &RedirectError{From: via[0].URL.String(), To: to.Redacted()}
	}
	return nil
}

// plainError takes off the layers of an error that repeat the address and say nothing to a user.
func plainError(err error) error {
	var redirect *RedirectError
	var private *PrivateError
	var dns *net.DNSError
	var u *url.Error
	switch {
	case errors.As(err, &redirect):
		return redirect
	case errors.As(err, &private):
		return private
	case errors.As(err, &dns) && dns.IsNotFound:
		return fmt.Errorf("cannot find the host %s", dns.Name)
	case errors.As(err, &u):
		return u.Err
	}
	return err
}

// readPage makes a page of what a server sent.
func readPage(ctx context.Context, data []byte, contentType string, at *url.URL) (Page, error) {
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil || kind == "" {
		contentType = http.DetectContentType(data)
		kind, _, _ = mime.ParseMediaType(contentType) // it is well-formed
	}
	html := kind == "text/html" || kind == "application/xhtml+xml"
	if !html && !isText(kind) {
		return Page{}, fmt.Errorf("it is %s, not text", kind)
	}
	text := decode(data, contentType)
	if strings.IndexByte(text[:min(len(text), 8000)], 0) >= 0 {
		return Page{}, fmt.Errorf("the server labels it as text, but it is not")
	}
	if !html {
		return Page{Text: printable(strings.ToValidUTF8(text, "\uFFFD"))}, nil
	}
	return markdown(ctx, text, at)
}

// isText says whether what a media type names can be read as it is.
func isText(kind string) bool {
	if strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml") && kind != "image/svg+xml" || strings.HasSuffix(kind, "+yaml") {
		return true
	}
	switch kind {
	case "application/json", "application/xml", "application/yaml", "application/x-yaml", "application/toml", "application/javascript",
		"application/x-javascript", "application/ecmascript", "application/typescript", "application/sql", "application/graphql",
		"application/x-sh", "application/x-httpd-php", "application/x-ndjson", "application/jsonl":
		return true
	}
	return false
}
