package llm

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// FuzzEvents: what comes out are whole lines of JSON objects, the same however the bytes arrive, and
// nothing panics or spins.
func FuzzEvents(f *testing.F) {
	for _, s := range []string{
		"data: {\"a\":1}\n\n", "data: {\ndata: \"a\":1}\n\ndata: [DONE]\n\n", ": c\r\n\r\ndata:{}", "{\"error\":1}",
		"\ufeff{\"a\":\n1}", "data: x\n\n", "data", "<html>", "data: [1]\n\n", "{ \n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		whole := newEvents(io.NopCloser(strings.NewReader(s)))
		out, err := io.ReadAll(whole)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("error %v", err)
		}
		bytewise := newEvents(io.NopCloser(iotest.OneByteReader(strings.NewReader(s))))
		if again, _ := io.ReadAll(bytewise); string(again) != string(out) {
			t.Errorf("%q: %q byte by byte, %q at once", s, again, out)
		}
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSuffix(line, "\n")
			data, ok := strings.CutPrefix(line, "data: ")
			if line != "" && (!ok || data != "[DONE]" && (!json.Valid([]byte(data)) || data[0] != '{')) {
				t.Errorf("%q gave the line %q", s, line)
			}
		}
	})
}

func TestEventsAreLimited(t *testing.T) {
	long := newEvents(io.NopCloser(io.MultiReader(strings.NewReader("data: "), endless{})))
	if _, err := io.ReadAll(long); !errors.Is(err, errEventTooLong) {
		t.Errorf("error %v", err)
	}
}

// A body of lines that are no answer ends too, and long before it is as long as an answer may be with
// all that is around it.
func TestStreamsOfNothingAreLimited(t *testing.T) {
	for name, line := range map[string]string{
		"comments": ": wait\n", "blank lines": "\n", "what is no event": "<p>\n", "events without a blank line": "data: [1,\n",
	} {
		in := &repeated{piece: []byte(line)}
		start := time.Now()
		_, err := io.ReadAll(newEvents(io.NopCloser(in)))
		if err == nil || in.read > 40<<20 {
			t.Errorf("%s: %v after %d bytes", name, err, in.read)
		}
		if took := time.Since(start); took > 4*time.Minute { // ten times what the race detector makes of it
			t.Errorf("%s: hung, took %v", name, took)
		}
	}
}

// repeated is one piece for ever.
type repeated struct {
	piece []byte
	read  int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := 0
	for n+len(r.piece) <= len(p) {
		n += copy(p[n:], r.piece)
	}
	r.read += n
	return n, nil
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
