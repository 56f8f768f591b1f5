package llm

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
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

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}
