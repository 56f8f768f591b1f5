package llm

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/model"
)

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
			if string(out) != want.out || s.garbage() != want.garbage || !errors.Is(err, want.err) {
				t.Errorf("%q %s: %q, garbage %q, %v; want %+v", in, what, out, s.garbage(), err, want)
			}
		}
	}
	many := newLines(io.NopCloser(strings.NewReader(strings.Repeat("<p>nothing\n", 5000))))
	if _, err := io.ReadAll(many); err != nil || len(many.garbage()) < 1000 || len(many.garbage()) > 5000 {
		t.Errorf("%d bytes of a page are kept, %v", len(many.garbage()), err)
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
	for more, want := range map[int]error{0: nil, 1: errEventTooLong} {
		text := strings.Repeat("x", maxEvent-around+more)
		out, err := io.ReadAll(newLines(io.NopCloser(strings.NewReader("data: {\"a\":\"" + text + "\"}\n\n"))))
		if !errors.Is(err, want) || (len(out) > len(text)) != (want == nil) {
			t.Errorf("%d bytes more: %d bytes came out, %v", more, len(out), err)
		}
	}
	half := strings.Repeat(" ", maxEvent/2)
	for more, want := range map[string]error{"": nil, " ": errEventTooLong} {
		in := "data:{" + half[1:] + "\ndata:" + half[1:] + "}" + more + "\n\n"
		if _, err := io.ReadAll(newLines(io.NopCloser(strings.NewReader(in)))); !errors.Is(err, want) {
			t.Errorf("%q more in two lines: %v", more, err)
		}
	}
}

// TestSplitting: what is thinking and what is answer while a reply arrives, in pieces of any size.
func TestSplitting(t *testing.T) {
	tags := ThinkTags("ponder")
	for in, want := range map[string]struct {
		answer, thinking string
		unclosed         bool
	}{
		"":                                 {},
		" \n ":                             {},
		"plain":                            {answer: "plain"},
		" \n plain\n":                      {answer: " \n plain\n"},
		"<think>a</think>\r\n\n b":         {answer: " b", thinking: "a"},
		"\t<think>a</think>b":              {answer: "b", thinking: "a"},
		"<thinking>a</think>b</thinking>c": {answer: "c", thinking: "a</think>b"},
		"<ponder>a</ponder>b":              {answer: "b", thinking: "a"},
		"[THINK]a[/THINK]b":                {answer: "b", thinking: "a"},
		"<think>a</think> <thought>b</thought>\nc": {answer: "c", thinking: "ab"},
		"<think></think>b":                         {answer: "b"},
		"<think>a":                                 {thinking: "a", unclosed: true},
		"<think>a</thi":                            {thinking: "a</thi", unclosed: true},
		"<think>":                                  {unclosed: true},
		"<think>a</</think>b":                      {answer: "b", thinking: "a</"},
		"<thi":                                     {answer: "<thi"},
		" <thi":                                    {answer: " <thi"},
		"<thinner>a":                               {answer: "<thinner>a"},
		"a <think>b</think>":                       {answer: "a <think>b</think>"},
		"<think>a</think>\n":                       {thinking: "a"},
		"<think>a</think>b<think>c</think>":        {answer: "b<think>c</think>", thinking: "a"},
	} {
		for size := 1; size <= max(1, len(in)); size++ {
			var answer, thinking strings.Builder
			s := newSplitter(tags, func(thought bool, text string) {
				if text == "" {
					t.Errorf("%q in pieces of %d: an empty piece", in, size)
				}
				if thought {
					thinking.WriteString(text)
				} else {
					answer.WriteString(text)
				}
			})
			for rest := in; rest != ""; {
				n := min(size, len(rest))
				s.write(rest[:n])
				rest = rest[n:]
			}
			if unclosed := s.finish(); answer.String() != want.answer || thinking.String() != want.thinking || unclosed != want.unclosed {
				t.Errorf("%q in pieces of %d: answer %q, thinking %q, unclosed %v", in, size, answer.String(), thinking.String(), unclosed)
			}
		}
	}
	// White space is held back for a while only.
	for blanks, held := range map[int]bool{4095: true, 4096: false} {
		answer := ""
		s := newSplitter(tags, func(_ bool, text string) { answer += text })
		s.write(strings.Repeat(" ", blanks))
		if (answer == "") != held {
			t.Errorf("%d blanks: %d bytes are shown", blanks, len(answer))
		}
	}
}

// TestSecrets: which parts of a head are taken for keys, the longest first, so that none is left in part.
func TestSecrets(t *testing.T) {
	for _, x := range []struct {
		key     string
		headers map[string]string
		want    []string
	}{
		{"k", nil, []string{"k"}},
		{"", map[string]string{"Authorization": " Bearer  token "}, []string{"Bearer  token", "token", ""}},
		{"0123456789", map[string]string{"X-Token": "01"}, []string{"0123456789", "01"}},
		{"01", map[string]string{"Cookie": "0123456789"}, []string{"0123456789", "01"}},
		{"k", map[string]string{"X-Team": "nineteen-characters", "X-Title": "a title of more than twenty", "Referer": "https://example.com/a/b"}, []string{"k"}},
		{"k", map[string]string{"X-Odd": "twenty-characters-xx"}, []string{"twenty-characters-xx", "k"}},
		{"k", map[string]string{"X-Signature": "s1"}, []string{"s1", "k"}},
		{"k", map[string]string{"My-Password": "s1"}, []string{"s1", "k"}},
		{"k", map[string]string{"My-Secret": "s1"}, []string{"s1", "k"}},
		{"k", map[string]string{"My-Credential": "s1"}, []string{"s1", "k"}},
	} {
		if diff := cmp.Diff(x.want, []string(secretsOf(x.key, x.headers))); diff != "" {
			t.Errorf("%v (-want +got):\n%s", x.headers, diff)
		}
	}
	for key, want := range map[string]string{"": "abc abcd", "abc": "abc abcd", "abcd": "abc [key]"} {
		if got := redact("abc abcd", key); got != want {
			t.Errorf("without %q: %q", key, got)
		}
	}
	for raw, want := range map[string]string{
		"https://me:word@x.example/v1?key=1#p": "https://x.example/v1#p", "https://x.example/sk-0123456789": "https://x.example/[key]",
		"https://[::1?key=abc": "https://[::1?key=[key]", "sk-0123456789": "[key]",
	} {
		if got := redactURL(raw); got != want {
			t.Errorf("%s is shown as %s", raw, got)
		}
	}
}

// TestShortening makes one line of so many characters, and cuts none of them.
func TestShortening(t *testing.T) {
	for in, want := range map[string]string{"": "", " a\n\t b ": "a b", "äöüß": "äöüß", "äöüßx": "äöüß…"} {
		if got := shorten(in, 4); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
	if got := stripTags(strings.Repeat("x", 5000)); len(got) != 4096 {
		t.Errorf("%d bytes are left", len(got))
	}
}

// TestDefaults: what is not said is sensible, and what is said holds.
func TestDefaults(t *testing.T) {
	o := New(Options{}).o
	if o.Connect != 15*time.Second || o.FirstToken != 5*time.Minute || o.Idle != 2*time.Minute || o.Total != 10*time.Minute || o.Retries != 3 || o.linger != 10*time.Second {
		t.Errorf("%+v", o)
	}
	if o.HTTP == nil || o.Env == nil || o.Clock == nil || o.Sleep == nil || o.Rand == nil || o.Log == nil {
		t.Errorf("something is missing: %+v", o)
	}
	if o := New(Options{Total: time.Hour}).o; o.FirstToken != 30*time.Minute || o.Idle != 12*time.Minute {
		t.Errorf("who has an hour waits %v for the first piece and %v for the next", o.FirstToken, o.Idle)
	}
	o = New(Options{Connect: 1, FirstToken: 2, Idle: 3, Total: 4, Retries: 5, linger: 6}).o
	if o.Connect != 1 || o.FirstToken != 2 || o.Idle != 3 || o.Total != 4 || o.Retries != 5 || o.linger != 6 {
		t.Errorf("%+v", o)
	}
	if o := New(Options{Retries: -1}).o; o.Retries != 0 {
		t.Errorf("%d retries", o.Retries)
	}
	c := New(Options{Rand: iotest.ErrReader(errors.New("no chance"))})
	for attempt, want := range map[int]time.Duration{0: 500 * time.Millisecond, 1: time.Second, 5: 16 * time.Second, 6: 20 * time.Second, 1000: 20 * time.Second} {
		if got := c.wait(attempt, 0); got != want {
			t.Errorf("attempt %d: %v", attempt, got)
		}
	}
}

// TestStreamsThatStayOpen: a reply is complete once it said why it stopped, with the usage that comes soon
// after; one that holds no data any more is given up at once.
func TestStreamsThatStayOpen(t *testing.T) {
	const last = "data: {\"choices\":[{\"delta\":{\"content\":\"all\"},\"finish_reason\":\"stop\"}]}\n\n"
	for what, x := range map[string]struct {
		sent     string
		streamed bool
		prompt   int // counted by the server
		failed   bool
	}{
		"nothing more":         {last, true, 0, false},
		"usage":                {last + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":77,\"completion_tokens\":1}}\n\n", true, 77, false},
		"comments":             {last + ": wait\n\n", true, 0, false},
		"not streamed":         {strings.Replace(last, "\"stop\"}]", "\"stop\"}],\"usage\":{\"prompt_tokens\":77,\"completion_tokens\":1}", 1), false, 77, false},
		"no data":              {"data: {\"choices\":[{\"delta\":{\"content\":\"all\"}}]}\n\ndata: <html>\n\n", true, 0, true},
		"no data behind it":    {last + "data: <html>\n\n", true, 0, true},
		"no data, at the head": {"data: <html>\n\n", true, 0, true},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			_, _ = io.Copy(io.Discard, q.Body)
			fmt.Fprint(w, x.sent)
			w.(http.Flusher).Flush()
			<-q.Context().Done()
		}))
		c := New(Options{Env: func(string) string { return "" }, Retries: -1, linger: 50 * time.Millisecond, Idle: 30 * time.Second, FirstToken: 30 * time.Second})
		reply, err := c.Stream(t.Context(), Request{Model: model.Profile{ID: "m", APIBase: server.URL, Streaming: x.streamed}, Messages: []Message{Text(RoleUser, "hi")}}, nil)
		var e *Error
		switch {
		case x.failed && (!errors.As(err, &e) || e.Kind != BadStream || !strings.Contains(e.Message, "Cannot read the answer")):
			t.Errorf("%s: %+v, %v", what, reply, err)
		case !x.failed && (err != nil || reply.Text != "all" || reply.Finish != FinishStop || reply.Usage.Estimated != (x.prompt == 0) || x.prompt > 0 && reply.Usage.Prompt != x.prompt):
			t.Errorf("%s: %+v, %v", what, reply, err)
		}
		server.Close()
	}
}
