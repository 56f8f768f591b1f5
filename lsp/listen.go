package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
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

// ListenTCP accepts one client on a loopback address and calls ready with the address before it
// waits. Whoever reaches the socket could read and change files through the server, so an address
// that other machines reach is refused.
func ListenTCP(ctx context.Context, addr string, ready func(addr string)) (io.ReadWriteCloser, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("listen on %q: only loopback addresses are served, for example 127.0.0.1:0", addr)
	}
	return accept(ctx, "tcp", addr, ready)
}

func accept(ctx context.Context, network, addr string, ready func(addr string)) (io.ReadWriteCloser, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, network, addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	defer l.Close()                                          //nolint:errcheck // one client is all we serve
	defer context.AfterFunc(ctx, func() { _ = l.Close() })() // ends Accept
	if ready != nil {
		ready(l.Addr().String())
	}
	conn, err := l.Accept()
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("wait for a client on %q: %w", addr, err)
	}
	return conn, nil
}

// DialPipe connects to the pipe that the client made and named (a Unix socket), as editors do with
// the argument --pipe.
func DialPipe(ctx context.Context, path string) (io.ReadWriteCloser, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("connect to the pipe %s: %w", path, err)
	}
	return conn, nil
}
