package history_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/event"
	"coauthor/agent/history"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// said is a record of an exchange.
func said(n int, user, reply string) history.Record {
	return history.Record{Kind: history.KindTurn, Session: "c1", At: noon, Exchange: history.Exchange{
		Turn: fmt.Sprintf("t%d", n), Number: n, At: noon, User: user, Reply: reply, Coder: "code", Model: "gpt",
		Format: "diff", Proposal: "p", Files: []string{"a.py", "-->.py"}, ReadOnly: []string{"b\nc"},
		Usage: event.Usage{Prompt: 1200, Completion: 34, Estimated: true, Cost: 0.0125},
	}}
}

// texts are what people and models say that looks like something of the file itself, or is easily lost.
var texts = []string{
	"Make x two.", "# a heading\n> a quote\n#### more\n## 3. 2026-01-02 12:00", "<!-- coauthor: end -->", `\<!-- coauthor: reply -->`,
	"<!-- coauthor: {\"v\":1,\"kind\":\"clear\"} -->\nx", "a\r\nb\r\n", "\n\nleading and trailing\n\n\n", "no end", "nul \x00 and \xff\xfe",
	"```py\nx = 1\n```\n\na.py\n<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n", "<!--", "<!-- coauthor:", "## ", "x\n\\", "日本語\u2028line",
}

// What is written is read again to the byte, whatever was said, and a person sees the texts as they are.
func TestRecordsSurvive(t *testing.T) {
	var file []byte
	var want []history.Record
	n := 0
	for _, user := range texts {
		for _, reply := range texts {
			n++
			want = append(want, said(n, user, reply))
		}
		want = append(want, history.Record{Kind: history.KindSummary, Session: "c1", At: noon, Exchange: history.Exchange{Turn: "t1", Number: n, At: noon}, Text: user})
	}
	want = append(want, history.Record{Kind: history.KindRewind, Session: "c1", At: noon, Exchange: history.Exchange{Turn: "t2", Number: 2, At: noon}},
		history.Record{Kind: history.KindClear, Session: "c1", At: noon, Exchange: history.Exchange{At: noon}})
	for _, r := range want {
		file = append(file, r.Encode()...)
	}
	if diff := cmp.Diff(want, history.Decode(file)); diff != "" {
		t.Error(diff)
	}
	if got := string(said(7, "Make x two.", "I make it two.").Encode()); !strings.Contains(got, "\n## 7. 2026-01-02 12:00\n\nMake x two.\n\n") || !strings.Contains(got, "\n### gpt\n\nI make it two.\n\n") {
		t.Errorf("a person reads\n%s", got)
	}
}

// A file that is cut anywhere, at its end or its beginning, keeps all that is whole, and of what breaks off what was
// answered; a record behind the cut is not harmed.
func TestAFileThatIsCut(t *testing.T) {
	list := []history.Record{said(1, "one", "first answer\nof two lines"), said(2, "# two", "second\n\n<!-- coauthor: end -->\nanswer"), said(3, "three", "third answer")}
	var file []byte
	var ends []int
	for _, r := range list {
		file = append(file, r.Encode()...)
		ends = append(ends, len(file)-2) // the ends of its last lines may be missing
	}
	last := said(4, "four", "last")
	for cut := range len(file) + 1 {
		whole := 0
		for whole < len(ends) && ends[whole] <= cut {
			whole++
		}
		got := history.Decode(append(append(bytes.Clone(file[:cut]), '\n'), last.Encode()...))
		if len(got) < whole+1 || len(got) > whole+2 {
			t.Fatalf("cut at %d: %d records, %d are whole", cut, len(got), whole)
		}
		for i, r := range got {
			switch {
			case i == len(got)-1:
				if diff := cmp.Diff(last, r); diff != "" {
					t.Fatalf("cut at %d: what was written behind it: %s", cut, diff)
				}
			case i < whole:
				if diff := cmp.Diff(list[i], r); diff != "" {
					t.Fatalf("cut at %d: %s", cut, diff)
				}
			case !r.Cut || r.User != list[i].User || r.Reply == "" || !strings.HasPrefix(list[i].Reply, strings.ReplaceAll(r.Reply, `\`, "")):
				t.Fatalf("cut at %d: of record %d is left %+v", cut, i, r)
			}
		}
		back := history.Decode(file[cut:])
		for i := 1; i <= len(back); i++ {
			if diff := cmp.Diff(list[len(list)-i], back[len(back)-i]); diff != "" {
				t.Fatalf("the beginning is cut at %d: %s", cut, diff)
			}
		}
	}
}

// What is no record is passed over: a person's own words between them, and records of a later program.
func TestWhatIsNoRecord(t *testing.T) {
	one, two := said(1, "one", "first"), said(2, "two", "second")
	later := strings.Replace(string(said(9, "later", "text").Encode()), `"v":1`, `"v":2`, 1)
	odd := strings.Replace(string(said(9, "odd", "text").Encode()), `"turn"`, `"poem"`, 1)
	file := "my notes\n\n" + string(one.Encode()) + "more notes\n# of mine\n" + later + odd + "<!-- coauthor: nonsense -->\n<!-- coauthor: end -->\n" +
		strings.ReplaceAll(string(two.Encode()), " -->\n", " -->  \r\n")
	if diff := cmp.Diff([]history.Record{one, two}, history.Decode([]byte(file))); diff != "" {
		t.Error(diff)
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range texts {
		f.Add([]byte(text))
		f.Add(said(1, text, text).Encode())
	}
	f.Add([]byte("<!-- coauthor: {\"v\":1,\"kind\":\"turn\",\"files\":[],\"readOnly\":[]} -->\n0\n<!-- coauthor: reply -->\n0"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var file []byte
		list := history.Decode(text)
		for i := range list {
			list[i].Cut = false
			file = append(file, list[i].Encode()...)
		}
		if diff := cmp.Diff(list, history.Decode(file)); diff != "" {
			t.Error(diff)
		}
	})
}

// A conversation is what its records say in their order; those of other conversations are passed over.
func TestReplay(t *testing.T) {
	of := func(session string, r history.Record) history.Record { r.Session = session; return r }
	rewind := func(n int) history.Record {
		return history.Record{Kind: history.KindRewind, Session: "c1", Exchange: history.Exchange{Turn: fmt.Sprintf("t%d", n), Number: n}}
	}
	clear := history.Record{Kind: history.KindClear, Session: "c1"}
	one, two, three := said(1, "one", "1"), said(2, "two", "2"), said(3, "three", "3")
	cut := said(4, "four", "fo")
	cut.Cut = true
	for name, c := range map[string]struct {
		records []history.Record
		want    string // the requests
		last    int
		session string
	}{
		"nothing":                          {nil, "", 0, ""},
		"all":                              {[]history.Record{one, two, three}, "one two three", 3, "c1"},
		"the last conversation":            {[]history.Record{of("c0", one), one, of("c0", three), two}, "one two", 2, "c1"},
		"of a file that is read in part":   {[]history.Record{three}, "three", 3, "c1"},
		"rewound":                          {[]history.Record{one, two, three, rewind(2)}, "one", 1, "c1"},
		"rewound and gone on":              {[]history.Record{one, two, rewind(2), said(2, "else", "2")}, "one else", 2, "c1"},
		"rewound to before what is read":   {[]history.Record{two, three, rewind(1)}, "", 0, "c1"},
		"cleared":                          {[]history.Record{one, two, clear}, "", 0, "c1"},
		"cleared and begun again":          {[]history.Record{one, two, clear, said(1, "new", "1")}, "new", 1, "c1"},
		"what breaks off":                  {[]history.Record{one, cut}, "one four", 4, "c1"},
		"a rewind of another conversation": {[]history.Record{one, two, of("c0", rewind(1)), said(3, "three", "3")}, "one two three", 3, "c1"},
	} {
		got := history.Replay(c.records, "")
		var users []string
		for _, x := range got.Exchanges {
			users = append(users, x.User)
			if x.User == "four" && (got.Cut != 1 || x.Reply == "fo" || !strings.HasPrefix(x.Reply, "fo\n\n(")) {
				t.Errorf("%s: no mark on %+v", name, x)
			}
		}
		if strings.Join(users, " ") != c.want || got.Last != c.last || got.Session != c.session {
			t.Errorf("%s: %q, last %d, of %q", name, users, got.Last, got.Session)
		}
	}
}
