package wire

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"time"

	"go.lsp.dev/protocol"
)

// pair is one connection of two streams.
type pair struct {
	io.Reader
	io.Writer
	in, out io.Closer // either may be nil
}

// Close closes both ends.
func (p *pair) Close() error {
	var errs []error
	for _, c := range []io.Closer{p.in, p.out} {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// Streams makes a connection of an input and an output. Both are closed with it where they can be.
func Streams(in io.Reader, out io.Writer) io.ReadWriteCloser {
	p := &pair{Reader: in, Writer: out}
	p.in, _ = in.(io.Closer)
	p.out, _ = out.(io.Closer)
	return p
}

// ListenTCP waits on a loopback address for one client that knows the token, and calls ready with the
// address before it waits. Whoever reaches the socket could read and change files through the server,
// and every program and every page in a browser of this machine does: so an address that other
// machines reach is refused, and so is a client whose initialize does not bring the token in
// initializationOptions.token.
func ListenTCP(ctx context.Context, addr, token string, ready func(addr string)) (io.ReadWriteCloser, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("listen on %q: only loopback addresses are served, for example 127.0.0.1:0", addr)
	}
	if token == "" {
		return nil, fmt.Errorf("listen on %q: a token is required", addr)
	}
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()                                           // hangs up on those that are still being asked
	defer context.AfterFunc(ctx, func() { _ = l.Close() })() // ends Accept
	defer l.Close()                                          //nolint:errcheck // one client is all we serve
	if ready != nil {
		ready(l.Addr().String())
	}
	failed := make(chan error, 1)
	found := make(chan io.ReadWriteCloser)
	go func() {
		slots := make(chan struct{}, maxStrangers)
		for {
			conn, err := l.Accept()
			if err != nil {
				failed <- err
				return
			}
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				if c, ok := admit(ctx, conn, token); ok {
					select {
					case found <- c:
						return
					case <-ctx.Done():
					}
				}
				_ = conn.Close() // it was told, or says nothing
			}()
		}
	}()
	select {
	case c := <-found:
		return c, nil
	case err := <-failed:
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("wait for a client on %q: %w", addr, err)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

const (
	maxStrangers = 16               // clients that are asked for the token at a time
	askWithin    = 10 * time.Second // how long each may take
	maxFirst     = 4 << 20          // bytes of the first message
)

// admit reads a client's first message and says whether it brings the token. The connection that it
// returns gives that message once more.
func admit(ctx context.Context, conn net.Conn, token string) (io.ReadWriteCloser, bool) {
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	_ = conn.SetDeadline(time.Now().Add(askWithin)) // without one it still ends with ctx
	var first bytes.Buffer
	s := NewStream(Streams(io.TeeReader(conn, &first), io.Discard), slog.New(slog.DiscardHandler), func() {})
	s.max = maxFirst
	body, _, err := s.frame()
	if err != nil {
		return nil, false
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Options struct {
				Token string `json:"token"`
			} `json:"initializationOptions"`
		} `json:"params"`
	}
	if err := json.Unmarshal(body, &m); err != nil || m.Method != protocol.MethodInitialize ||
		subtle.ConstantTimeCompare([]byte(m.Params.Options.Token), []byte(token)) != 1 {
		if len(m.ID) == 0 {
			m.ID = json.RawMessage("null")
		}
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":%q}}`, m.ID, badToken)
		_, _ = fmt.Fprintf(conn, "Content-Length: %d\r\n\r\n%s", len(answer), answer) // as far as it still listens
		return nil, false
	}
	if conn.SetDeadline(time.Time{}) != nil {
		return nil, false
	}
	return &pair{Reader: io.MultiReader(&first, conn), Writer: conn, in: conn}, true
}

const badToken = "This server requires a token. Send the token it printed as initializationOptions.token in initialize."

// DialPipe connects to the pipe that the client made and named (a Unix socket), as editors do with
// the argument --pipe.
func DialPipe(ctx context.Context, path string) (io.ReadWriteCloser, error) {
	if strings.HasPrefix(path, `\\.\pipe\`) {
		return nil, fmt.Errorf("connect to the pipe %s: Windows named pipes are not supported; start the server with --stdio, or with --listen 127.0.0.1:0", path)
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("connect to the pipe %s: %w", path, err)
	}
	return conn, nil
}
