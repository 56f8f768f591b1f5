package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
)

// Limits of what one answer may weigh.
const (
	MaxEvent  = 8 << 20
	MaxText   = 16 << 20  // of answer and thinking together: more than edits.MaxReply is of no use
	maxIdle   = 16 << 20  // of what is sent around the text, beside what each event may bring
	perEvent  = 2 << 10   // servers wrap a few letters into hundreds of bytes
	maxStream = 256 << 20 // whatever it is
	maxTries  = 64        // at finding the end of an event that has many lines and no blank one after it
	MaxError  = 64 << 10
	maxName   = 64 // of an event
)

// Why an answer is read no further.
var (
	ErrEventTooLong  = errors.New("one event in the stream is longer than 8 MiB")
	ErrTextTooLong   = errors.New("it is longer than 16 MiB")
	ErrStreamTooLong = errors.New("the server sent far more data than text")
)

// Events reads the events of an answer's body.
//
// go-openai's reader would pile up comments, lose an error object that follows one or is written with
// a space, read lines of any length, take an HTML page for an empty stream, and four times as long. An answer
// that is one JSON object (the server does not stream) is one event.
type Events struct {
	in    *bufio.Reader
	body  io.Closer
	ready Streamed     // the event that was read last
	has   bool         // and that nobody has taken
	data  bytes.Buffer // data lines of an event that is not complete
	name  string       // what its event line calls it
	total int
	Said  int // events that were put out
	tries int // at the event that is not complete

	// stray is the beginning of what was no event; for the message when nothing else came.
	stray string
	// broken is data that is no JSON: something of the answer is lost.
	broken string
	// odd is a word among the events that holds no text, but may say that something went wrong.
	Odd   string
	First string // the beginning of the first event; for the message when nothing in any could be read
	any   bool   // at least one event came
	begun bool   // a line was read
	form  Form
	err   error
}

// NewEvents reads the events of an answer that comes by a wire of a form.
func NewEvents(body io.ReadCloser, f Form) *Events {
	return &Events{in: bufio.NewReaderSize(body, 32<<10), body: body, form: f}
}

// Close closes the body, which for an unfinished answer closes the connection.
func (s *Events) Close() error { return s.body.Close() }

// Streamed is one event: JSON, a text and nothing else, or the word that says that no more will come.
type Streamed struct {
	plain bool
	text  string
	name  string // what the stream calls it
	Data  []byte // an object or a list; until the next event is read
	Done  bool
	Whole bool // it is all there is: the server does not stream
}

// Receive gives the next event, and the error of the body behind the last.
func (s *Events) Receive() (Streamed, error) {
	for !s.has {
		if s.err != nil {
			return Streamed{}, s.err
		}
		s.err = s.next()
	}
	s.has = false
	return s.ready, nil
}

// next reads one line and perhaps puts an event out.
func (s *Events) next() error {
	line, err := s.line()
	if err != nil && len(line) == 0 {
		if lost := s.flush(); lost != nil {
			return lost
		}
		return err
	}
	if !s.begun {
		line, s.begun = bytes.TrimPrefix(line, []byte("\ufeff")), true
	}
	text := bytes.TrimRight(line, "\r\n")
	var lost error
	field, value, colon := bytes.Cut(text, []byte(":"))
	switch {
	case len(text) == 0:
		lost = s.flush()
	case s.form.Lines && startsJSON(text) && valid(text) != nil:
		s.emit(Streamed{Data: valid(text)})
	case colon && len(field) == 0: // a comment, sent to keep the connection alive
	case colon && string(field) == "data":
		if s.data.Len()+len(value) > MaxEvent {
			return ErrEventTooLong
		}
		lost = s.add(bytes.TrimPrefix(value, []byte(" ")))
	case string(field) == "event":
		s.name = strings.TrimSpace(string(value[:min(len(value), maxName)]))
	case string(field) == "id", string(field) == "retry", string(field) == "data":
	case !s.any && s.stray == "" && startsJSON(bytes.TrimLeft(text, " \t\ufeff")):
		return s.whole(line, err)
	default:
		if len(s.stray) < 4096 {
			s.stray += string(text) + "\n"
		}
	}
	if lost != nil {
		return lost
	}
	return err
}

func (s *Events) add(value []byte) error {
	if s.data.Len() > 0 {
		s.data.WriteByte('\n')
	} else if s.form.Plain != nil {
		if text, ok := s.form.Plain(value); ok {
			s.tries = 0
			s.emit(Streamed{plain: true, text: text, Data: value})
			return nil
		}
	}
	s.data.Write(value)
	// Many servers leave the blank line out, so an event is over as soon as it makes sense.
	if s.tries++; s.tries > maxTries {
		return nil
	}
	if data := bytes.TrimSpace(s.data.Bytes()); string(data) == "[DONE]" || startsJSON(data) && valid(data) != nil {
		return s.flush()
	}
	return nil
}

// startsJSON says whether data begins as an object or a list.
func startsJSON(data []byte) bool { return len(data) > 0 && (data[0] == '{' || data[0] == '[') }

// noNumber are the words that programs write for a number that is none, which JSON does not have.
var noNumber = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b`)

// valid returns data that is JSON, nil for what is not. A number that is none is null.
func valid(data []byte) []byte {
	if json.Valid(data) {
		return data
	}
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return nil
	}
	data = noNumber.ReplaceAllFunc(data, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
	if !json.Valid(data) {
		return nil
	}
	return data
}

// flush puts the collected event out. Data that may be part of one and is none ends the stream: what follows is no
// whole answer. A single word, a number or null holds nothing that could be a text, and is passed over.
func (s *Events) flush() error {
	data := bytes.TrimSpace(s.data.Bytes())
	defer s.data.Reset()
	s.tries = 0
	whole := valid(data)
	switch {
	case len(data) == 0:
	case string(data) == "[DONE]":
		s.ready, s.has = Streamed{Done: true}, true
	case startsJSON(data) && whole != nil:
		s.emit(Streamed{Data: whole})
	case whole == nil && (bytes.ContainsAny(data, "{}[]\"<>") || len(data) > maxName):
		s.broken = string(data)
		return io.ErrUnexpectedEOF
	default:
		s.Odd = OrElse(s.Odd, string(data))
		if !s.any && len(s.stray) < 4096 {
			s.stray += string(data) + "\n"
		}
	}
	return nil
}

func (s *Events) emit(e Streamed) {
	s.any = true
	s.Said++
	if !e.plain { // such as the arguments of a call, which are passed on as they are written
		var compact bytes.Buffer
		if json.Compact(&compact, e.Data) == nil {
			e.Data = compact.Bytes()
		}
	}
	if s.Said == 1 {
		s.First = string(e.Data[:min(len(e.Data), 4096)])
	}
	e.name, s.name = s.name, ""
	s.ready, s.has = e, true
}

// whole reads a body that is one piece of JSON.
func (s *Events) whole(first []byte, err error) error {
	var all bytes.Buffer
	all.Write(first)
	for err == nil {
		var line []byte
		line, err = s.line()
		all.Write(line)
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	data := bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(all.Bytes()), []byte("\ufeff")))
	whole := valid(data)
	if whole == nil {
		s.broken = string(data)
		return io.ErrUnexpectedEOF
	}
	s.emit(Streamed{Data: whole, Whole: true})
	return io.EOF
}

// line reads one line within the limits.
func (s *Events) line() ([]byte, error) {
	var line []byte
	for {
		part, err := s.in.ReadSlice('\n')
		if line == nil && err == nil {
			line = part // nearly always; it is good until the next one is read
		} else {
			line = append(line, part...)
		}
		s.total += len(part)
		switch {
		case len(line) > MaxEvent:
			return nil, ErrEventTooLong
		case s.total > maxStream, s.total > MaxText+maxIdle+perEvent*s.Said:
			return nil, ErrStreamTooLong
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// Garbage describes what came instead of a stream; "" when there is nothing to say.
func (s *Events) Garbage() string {
	if s.broken != "" {
		return s.broken
	}
	if !s.any {
		return strings.TrimSpace(s.stray)
	}
	return ""
}
