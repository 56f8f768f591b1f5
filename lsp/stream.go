package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// maxMessage bounds what one message of the client may make us hold in memory.
const maxMessage = 64 << 20

// stream frames messages with Content-Length headers. A message that is too large, that is no JSON
// or that breaks the rules of JSON-RPC is logged and skipped, and the next one is read: no editor
// should lose its server to one bad message. Only a broken frame, after which nobody knows where
// the next message begins, ends the reading.
//
// It implements jsonrpc2.Stream and is safe for one reader beside any number of writers.
type stream struct {
	rwc io.ReadWriteCloser
	in  *bufio.Reader
	log *slog.Logger
	max int
	// hangup is called once reading has failed: the connection waits for running handlers, which
	// would let a model call outlive its editor.
	hangup func()

	body    []byte // the last message; valid until the next read
	write   sync.Mutex
	message []byte // guarded by write
	out     []byte // guarded by write
}

func newStream(rwc io.ReadWriteCloser, log *slog.Logger, hangup func()) *stream {
	return &stream{rwc: rwc, in: bufio.NewReaderSize(rwc, 64<<10), log: log, max: maxMessage, hangup: hangup}
}

// Read returns the next message that is well-formed. The message borrows the stream's buffer.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		body, n, err := s.frame()
		switch {
		case errors.Is(err, errTooLarge):
			s.log.Warn("message skipped", "err", err)
			continue
		case err != nil:
			s.hangup()
			return nil, n, err
		}
		msg, err := jsonrpc2.DecodeMessage(body)
		if err != nil {
			s.log.Warn("message skipped", "err", err, "bytes", len(body))
			continue
		}
		return msg, n, nil
	}
}

var errTooLarge = errors.New("message too large")

// frame reads one message body. It returns errTooLarge after it has skipped a body beyond the limit.
func (s *stream) frame() ([]byte, int64, error) {
	length, read := -1, int64(0)
	for {
		line, err := s.in.ReadSlice('\n')
		read += int64(len(line))
		if err != nil {
			if errors.Is(err, io.EOF) && read > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, read, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			if length < 0 {
				if read <= 2 { // stray line breaks between messages
					read = 0
					continue
				}
				return nil, read, errors.New("message header without Content-Length")
			}
			break
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			return nil, read, fmt.Errorf("malformed header line %.80q", line)
		}
		if bytes.EqualFold(bytes.TrimSpace(name), []byte("Content-Length")) {
			length, err = strconv.Atoi(string(bytes.TrimSpace(value)))
			if err != nil || length < 0 {
				return nil, read, fmt.Errorf("malformed Content-Length %.80q", value)
			}
		}
	}
	if length > s.max {
		if _, err := io.CopyN(io.Discard, s.in, int64(length)); err != nil {
			return nil, read, unexpected(err)
		}
		return nil, read, fmt.Errorf("%w: %d bytes, the limit is %d", errTooLarge, length, s.max)
	}
	if cap(s.body) < length || cap(s.body) > 8<<20 && length < 1<<20 { // one large message is not kept for ever
		s.body = make([]byte, length)
	}
	s.body = s.body[:length]
	n, err := io.ReadFull(s.in, s.body)
	return s.body, read + int64(n), unexpected(err)
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// Write sends a message. The context does not matter: what has been decided to be sent is written
// whole, also by a request that has just been cancelled.
func (s *stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	s.write.Lock()
	defer s.write.Unlock()
	s.message = jsonrpc2.AppendMessage(s.message[:0], msg)
	s.out = append(s.out[:0], "Content-Length: "...)
	s.out = strconv.AppendInt(s.out, int64(len(s.message)), 10)
	s.out = append(s.out, "\r\n\r\n"...)
	s.out = append(s.out, s.message...)
	n, err := s.rwc.Write(s.out)
	if cap(s.out) > 8<<20 {
		s.out, s.message = nil, nil
	}
	return int64(n), err
}

// Close closes the connection.
func (s *stream) Close() error { return s.rwc.Close() }
