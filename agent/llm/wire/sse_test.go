package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// lines are events as one line of JSON each.
type lines struct {
	*Events
	out bytes.Buffer
}

func newLines(body io.ReadCloser) *lines { return &lines{Events: NewEvents(body, Form{})} }

// Read implements io.Reader.
func (l *lines) Read(p []byte) (int, error) {
	for l.out.Len() == 0 {
		e, err := l.Receive()
		if err != nil {
			return 0, err
		}
		l.out.WriteString("data: ")
		if e.Done {
			l.out.WriteString("[DONE]")
		} else if err := json.Compact(&l.out, e.Data); err != nil {
			return 0, err
		}
		l.out.WriteString("\n\n")
	}
	return l.out.Read(p)
}

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
		whole := newLines(io.NopCloser(strings.NewReader(s)))
		out, err := io.ReadAll(whole)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("error %v", err)
		}
		bytewise := newLines(io.NopCloser(iotest.OneByteReader(strings.NewReader(s))))
		if again, _ := io.ReadAll(bytewise); string(again) != string(out) {
			t.Errorf("%q: %q byte by byte, %q at once", s, again, out)
		}
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSuffix(line, "\n")
			data, ok := strings.CutPrefix(line, "data: ")
			if line != "" && (!ok || data != "[DONE]" && (!json.Valid([]byte(data)) || !startsJSON([]byte(data)))) {
				t.Errorf("%q gave the line %q", s, line)
			}
		}
	})
}

func TestEventsAreLimited(t *testing.T) {
	long := newLines(io.NopCloser(io.MultiReader(strings.NewReader("data: "), endless{})))
	if _, err := io.ReadAll(long); !errors.Is(err, ErrEventTooLong) {
		t.Errorf("error %v", err)
	}
}

// A body of lines that are no answer ends too, and long before it is as long as an answer may be with
// all that is around it. The shortest lines, of which it takes millions, are sent where COAUTHOR_LARGE is set.
func TestStreamsOfNothingAreLimited(t *testing.T) {
	some := strings.Repeat("wait ", 20)
	lines := map[string]string{"comments": ": " + some + "\n", "what is no event": "<p>" + some + "\n", "events without a blank line": "data: [1," + some + "\n"}
	if os.Getenv("COAUTHOR_LARGE") != "" { // many millions of lines
		lines["blank lines"], lines["short comments"], lines["short events"], lines["short lines of no event"] = "\n", ": wait\n", "data: [1,\n", "<p>\n"
	}
	for name, line := range lines {
		in := &repeated{piece: []byte(line)}
		start := time.Now()
		_, err := io.ReadAll(newLines(io.NopCloser(in)))
		if err == nil || in.read > 40<<20 {
			t.Errorf("%s: %v after %d bytes", name, err, in.read)
		}
		if took := time.Since(start); took > 4*time.Minute { // ten times what the race detector makes of it
			t.Errorf("%s: hung, took %v", name, took)
		}
	}
}

// Servers wrap a few letters into hundreds of bytes: that is no reason to give a long answer up.
func TestWrappingIsNoReasonToGiveUp(t *testing.T) {
	event := `data: {"choices":[{"delta":{"content":"x"}}],"wrapping":"` + strings.Repeat("w", 1800) + "\"}\n\n"
	n := 2 * (MaxText + maxIdle) / len(event)
	got := 0
	in := newLines(io.NopCloser(io.LimitReader(&repeated{piece: []byte(event)}, int64(n*len(event)))))
	buf := make([]byte, 64<<10)
	for {
		k, err := in.Read(buf)
		got += k
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("given up after %d of %d bytes: %v", got, n*len(event), err)
		}
	}
	if got < n*len(event) {
		t.Errorf("%d of %d bytes came out", got, n*len(event))
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

// TestEventsOfEveryServer: what comes out is one line an event, whatever was around it; what is no stream
// is kept for the message.
func TestEventsOfEveryServer(t *testing.T) {
	const one, two = "data: {\"a\":1}\n\n", "data: {\"b\":\"x y\"}\n\n"
	lines := strings.Repeat("data:\n", 70)
	for in, want := range map[string]struct {
		out, garbage string
		err          error
	}{
		"":                            {},
		"data: {\"a\":1}\n\n":         {out: one},
		"data:{\"a\":1}\n\n":          {out: one},
		"data: {\"a\": 1 }":           {out: one},
		"data: {\"a\":1}\r\n\r\n":     {out: one},
		"\n\n\ndata: {\"a\":1}\n\n\n": {out: one},
		"data: {\"a\":1}\ndata: {\"b\":\"x y\"}\n":                     {out: one + two},
		"data: {\"a\":1}\n\ndata: {\"b\":\"x y\"}\n\ndata: [DONE]\n\n": {out: one + two + "data: [DONE]\n\n"},
		"data:  [DONE] \n":                                                {out: "data: [DONE]\n\n"},
		": wait\ndata: {\"a\":1}\n: wait\n\n:\n":                          {out: one},
		"event: x\nid: 1\nretry: 5\ndata: {\"a\":1}\n\n":                  {out: one},
		"event\nid\nretry\ndata\ndata: {\"a\":1}\n\n":                     {out: one},
		"data: {\ndata: \"a\":1\ndata: }\n\n":                             {out: one},
		"data: {\n: wait\nevent: x\ndata: \"a\":1}\n\n":                   {out: one},
		"data: {\n" + lines + "data: \"a\":1}\n\ndata: {\"b\":\"x y\"}\n": {out: one + two},
		"data:\n\ndata: {\"a\":1}\n\n":                                    {out: one},
		"data: {\"error\":{\"message\":\"x\"}}\n":                         {out: "data: {\"error\":{\"message\":\"x\"}}\n\n"},
		"{\"a\":1}":                           {out: one},
		"\ufeff {\n  \"a\":\n1\n}\n\n":        {out: one},
		"\n\t{\"a\":1}\n":                     {out: one},
		": wait\n{\"a\":1}\n":                 {out: one},
		"data: {\"a\":1}\n\n{\"b\":1}\n<p>\n": {out: one},
		"<html>\n {\"a\":1}\n":                {garbage: "<html>\n {\"a\":1}"},
		"<html>\n\n<p>\ndata: {\"a\":1}\n":    {out: one},
		"Not found":                           {garbage: "Not found"},
		"data: Not found\n\n":                 {garbage: "Not found"},
		"data: Not found":                     {}, // cut off in its line, so nobody knows what it was
		"data: [1]\n\n":                       {out: "data: [1]\n\n"},
		"data: \"x\"\n\n":                     {garbage: "\"x\""},
		"data: {\"a\":1}\n\ndata: oops\n\ndata: {\"b\":\"x y\"}\n\ndata: null\n\n": {out: one + two},
		"data: {\"a\":1}\n\ndata: b\"}\n\ndata: {\"b\":1}\n\n":                     {out: one, garbage: "b\"}", err: io.ErrUnexpectedEOF},
		"\ufeffdata: {\"a\":1}\n\n":                                                {out: one},
		"data: {\"a\":1,\"p\":[NaN,-Infinity,\"NaN\"]}\n\n":                        {out: "data: {\"a\":1,\"p\":[null,null,\"NaN\"]}\n\n"},
		"data: {\"a\":1}\n\ndata: {\"b\":\n\n":                                     {out: one, garbage: "{\"b\":", err: io.ErrUnexpectedEOF},
		"{\"a\":":                                                                  {garbage: "{\"a\":", err: io.ErrUnexpectedEOF},
		"{\"a\":1}\n{\"b\":1}":                                                     {garbage: "{\"a\":1}\n{\"b\":1}", err: io.ErrUnexpectedEOF},
	} {
		for what, body := range map[string]io.Reader{"at once": strings.NewReader(in), "byte by byte": iotest.OneByteReader(strings.NewReader(in)), "with its end": iotest.DataErrReader(strings.NewReader(in))} {
			s := newLines(io.NopCloser(body))
			out, err := io.ReadAll(s)
			if string(out) != want.out || s.Garbage() != want.garbage || !errors.Is(err, want.err) {
				t.Errorf("%q %s: %q, garbage %q, %v; want %+v", in, what, out, s.Garbage(), err, want)
			}
		}
	}
	many := newLines(io.NopCloser(strings.NewReader(strings.Repeat("<p>nothing\n", 5000))))
	if _, err := io.ReadAll(many); err != nil || len(many.Garbage()) < 1000 || len(many.Garbage()) > 5000 {
		t.Errorf("%d bytes of a page are kept, %v", len(many.Garbage()), err)
	}
}

// TestBrokenBodies: the error of the connection is what is returned, and nothing half is put out.
func TestBrokenBodies(t *testing.T) {
	torn := errors.New("torn")
	for in, want := range map[string]string{"": "", "data: {\"a\":1}\n\n": "data: {\"a\":1}\n\n", "data: {\"a\":1}": "data: {\"a\":1}\n\n", "{\"a\":1}": "", "{\"a\":\n1": "", ": x": ""} {
		s := newLines(io.NopCloser(io.MultiReader(strings.NewReader(in), iotest.ErrReader(torn))))
		if out, err := io.ReadAll(s); string(out) != want || !errors.Is(err, torn) {
			t.Errorf("%q: %q, %v", in, out, err)
		}
	}
}

// TestLongestEvent: to the byte, in one line and in several.
func TestLongestEvent(t *testing.T) {
	const around = len("data: {\"a\":\"\"}\n")
	for more, want := range map[int]error{0: nil, 1: ErrEventTooLong} {
		text := strings.Repeat("x", MaxEvent-around+more)
		out, err := io.ReadAll(newLines(io.NopCloser(strings.NewReader("data: {\"a\":\"" + text + "\"}\n\n"))))
		if !errors.Is(err, want) || (len(out) > len(text)) != (want == nil) {
			t.Errorf("%d bytes more: %d bytes came out, %v", more, len(out), err)
		}
	}
	half := strings.Repeat(" ", MaxEvent/2)
	for more, want := range map[string]error{"": nil, " ": ErrEventTooLong} {
		in := "data:{" + half[1:] + "\ndata:" + half[1:] + "}" + more + "\n\n"
		if _, err := io.ReadAll(newLines(io.NopCloser(strings.NewReader(in)))); !errors.Is(err, want) {
			t.Errorf("%q more in two lines: %v", more, err)
		}
	}
}
