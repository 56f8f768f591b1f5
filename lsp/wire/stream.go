package wire

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
	"time"

	"go.lsp.dev/jsonrpc2"
)

// maxMessage bounds what one message of the client may make us hold in memory.
const maxMessage = 64 << 20

// Stream frames messages with Content-Length headers. A message that is too large, that is no JSON
// or that breaks the rules of JSON-RPC is logged and skipped, and the next one is read: no editor
// should lose its server to one bad message. Only a broken frame, after which nobody knows where
// the next message begins, ends the reading, and that is told: in the log, to the editor and by Serve.
//
// It implements jsonrpc2.Stream and is safe for one reader beside any number of writers.
type Stream struct {
	rwc io.ReadWriteCloser
	in  *bufio.Reader
	log *slog.Logger
	max int
	// room is how many bytes a client may leave unread before it counts as gone.
	room int
	// hangup is called once reading has failed: the connection waits for running handlers, which
	// would let a model call outlive its editor.
	hangup func()

	body     []byte     // the last message; valid until the next read
	arrived  time.Time  // when bytes were read last; of the goroutine that reads
	unframed chan error // buffered by one: the broken header that ended the reading

	mu      sync.Mutex
	message []byte        // guarded by mu; scratch
	queue   []byte        // guarded by mu; what the writer has not taken yet
	broken  error         // guarded by mu; why nothing can be written any more
	wake    chan struct{} // buffered by one: full means that there is something to take, or the end
	written chan struct{} // closed when the writer has ended; nil before the first message
	closing bool          // guarded by mu
	close   sync.Once
}

// queuedKey is where a context holds a func() that Write calls.
type queuedKey struct{}

// whenQueued returns a context with which Write calls f once the message is queued, or refused.
func whenQueued(ctx context.Context, f func()) context.Context {
	return context.WithValue(ctx, queuedKey{}, f)
}

// maxQueue is the room of every client.
const maxQueue = 256 << 20

// NewStream frames what goes over rwc. hangup is called once when the client is gone.
func NewStream(rwc io.ReadWriteCloser, log *slog.Logger, hangup func()) *Stream {
	s := &Stream{rwc: rwc, log: log, max: maxMessage, room: maxQueue, hangup: hangup, wake: make(chan struct{}, 1), unframed: make(chan error, 1)}
	s.in = bufio.NewReaderSize(timed{s}, 64<<10)
	return s
}

// timed reads from the connection of a stream, and notes when.
type timed struct{ s *Stream }

// Read implements io.Reader.
func (t timed) Read(p []byte) (int, error) {
	n, err := t.s.rwc.Read(p)
	t.s.arrived = time.Now()
	return n, err
}

// Arrived is when the last byte of the message that was read last came. Only the goroutine that reads may ask.
func (s *Stream) Arrived() time.Time { return s.arrived }

// Read returns the next message that is well-formed. The message borrows the stream's buffer.
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		body, n, err := s.frame()
		switch {
		case errors.Is(err, errTooLarge):
			s.log.Warn("message skipped", "err", err)
			continue
		case errors.Is(err, ErrFrame):
			s.log.Error("Closing the connection: the editor sent an invalid message header", "err", err)
			s.unframed <- err // once: nothing is read after it
			s.hangup()
			return nil, n, err
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

var (
	errTooLarge = errors.New("message too large")
	// ErrFrame is in what Read returns after a header that does not say where its message ends.
	ErrFrame = errors.New("invalid message header")
)

// maxHeader bounds the header of one message, in bytes.
const maxHeader = 64 << 10

// frame reads one message body. It returns errTooLarge after it has skipped a body beyond the limit.
func (s *Stream) frame() ([]byte, int64, error) {
	length, read := -1, int64(0)
	for {
		line, err := s.in.ReadSlice('\n')
		read += int64(len(line))
		if err != nil {
			if errors.Is(err, io.EOF) && read > 0 {
				err = io.ErrUnexpectedEOF
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				err = fmt.Errorf("%w: a line longer than %d bytes, starting with %.80q", ErrFrame, len(line), line)
			}
			return nil, read, err
		}
		if read > maxHeader {
			return nil, read, fmt.Errorf("%w: longer than %d bytes", ErrFrame, maxHeader)
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			if length < 0 {
				if read <= 2 { // stray line breaks between messages
					read = 0
					continue
				}
				return nil, read, fmt.Errorf("%w: missing Content-Length", ErrFrame)
			}
			break
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			return nil, read, fmt.Errorf("%w: %.80q is not a header line", ErrFrame, line)
		}
		if bytes.EqualFold(bytes.TrimSpace(name), []byte("Content-Length")) {
			length, err = strconv.Atoi(string(bytes.TrimSpace(value)))
			if err != nil || length < 0 {
				return nil, read, fmt.Errorf("%w: Content-Length is %.80q", ErrFrame, bytes.TrimSpace(value))
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

// Write queues a message and never waits for the client: some clients do not read while they write,
// and whoever waits for them on the goroutine that reads waits for ever. The context does not
// end it: what has been decided to be sent is written whole, also by a request that was cancelled. It
// may hold a function at queuedKey, which is called when the message is queued, or refused.
func (s *Stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	if queued, ok := ctx.Value(queuedKey{}).(func()); ok {
		defer queued()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.broken != nil:
		return 0, s.broken
	case s.closing:
		return 0, io.ErrClosedPipe
	case len(s.queue) > s.room:
		s.broken = errors.New("the client has stopped reading")
		s.hangup()
		return 0, s.broken
	}
	s.message = jsonrpc2.AppendMessage(s.message[:0], msg)
	before := len(s.queue)
	s.queue = append(s.queue, "Content-Length: "...)
	s.queue = strconv.AppendInt(s.queue, int64(len(s.message)), 10)
	s.queue = append(s.queue, "\r\n\r\n"...)
	s.queue = append(s.queue, s.message...)
	if cap(s.message) > 8<<20 {
		s.message = nil
	}
	if s.written == nil {
		s.written = make(chan struct{})
		go s.writer(s.written)
	}
	s.signal()
	return int64(len(s.queue) - before), nil
}

func (s *Stream) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// writer sends what is queued until the stream is closed and nothing is left.
func (s *Stream) writer(done chan<- struct{}) {
	defer close(done)
	var spare []byte
	for range s.wake {
		for {
			s.mu.Lock()
			batch, end := s.queue, s.closing
			s.queue = spare[:0]
			s.mu.Unlock()
			if len(batch) == 0 {
				if end {
					return
				}
				spare = batch
				break
			}
			if _, err := s.rwc.Write(batch); err != nil {
				s.mu.Lock()
				s.broken = err
				s.mu.Unlock()
				s.hangup()
				return
			}
			if spare = batch; cap(spare) > 8<<20 {
				spare = nil
			}
		}
	}
}

// flushWithin is how long Close waits for a client to read what was sent.
const flushWithin = time.Second

// FrameError returns the broken message header that ended the reading; nil where something else did.
func (s *Stream) FrameError() error {
	select {
	case err := <-s.unframed:
		s.unframed <- err // for whoever asks again
		return err
	default:
		return nil
	}
}

// Close sends what is queued, if the client still reads, and closes the connection.
func (s *Stream) Close() error {
	var err error
	s.close.Do(func() {
		s.mu.Lock()
		s.closing = true
		written := s.written
		s.mu.Unlock()
		s.signal()
		if written != nil {
			select {
			case <-written:
			case <-time.After(flushWithin):
			}
		}
		err = s.rwc.Close()
	})
	return err
}
