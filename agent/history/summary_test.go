package history_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/history"
)

func size(s string) int { return len(s) }

// tens are so many exchanges of ten letters each.
func tens(n int) *history.History {
	h := &history.History{}
	for i := range n {
		h.Add(history.Exchange{Turn: fmt.Sprint("t", i+1), User: "uuuuu", Reply: "rrrrr"})
	}
	return h
}

func turns(list []history.Exchange) string {
	var out []string
	for _, x := range list {
		out = append(out, x.Turn)
	}
	return strings.Join(out, " ")
}

// What is too long is summed up but for its newest part, which is less than half of what there may be; the newest
// exchange stays whatever its size.
func TestPlan(t *testing.T) {
	long := tens(3)
	long.Add(history.Exchange{Turn: "long", User: "u", Reply: strings.Repeat("r", 500)})
	for name, c := range map[string]struct {
		h     *history.History
		limit int
		head  string
	}{
		"it fits":                    {tens(10), 100, ""},
		"one letter too much":        {tens(10), 99, "t1 t2 t3 t4 t5 t6"},
		"half is not less than half": {tens(10), 80, "t1 t2 t3 t4 t5 t6 t7"},
		"a long newest one":          {long, 100, "t1 t2 t3"},
		"only one":                   {tens(1), 5, ""},
		"no room at all":             {tens(2), 0, "t1"},
		"nothing":                    {tens(0), 0, ""},
	} {
		p, ok := c.h.Plan(c.limit, size)
		if got := turns(p.Head); got != c.head || ok != (c.head != "") || ok && p.Tokens != 10*len(p.Head) {
			t.Errorf("%s: %q, %d tokens, %v", name, got, p.Tokens, ok)
		}
	}
	h := tens(10)
	p, _ := h.Plan(99, size)
	h.Install(p, strings.Repeat("s", 60))
	if p, ok := h.Plan(100, size); ok {
		t.Errorf("a summary that fits: %+v", p)
	}
	if p, ok := h.Plan(99, size); ok { // a summary of a larger model, and all of the rest is short enough
		t.Errorf("nothing to sum up: %+v", p)
	}
	if p, ok := h.Plan(70, size); !ok || len(p.Before.Text) != 60 || turns(p.Head) != "t7" || p.Tokens != 70 {
		t.Errorf("with a summary before: %+v, %v", p, ok)
	}
}

// A summary takes its place whatever was said meanwhile, and only where what it stands for is still the beginning.
func TestInstall(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(h *history.History, p history.Plan)
		sent      string // "" is that it is not installed
	}{
		"nothing happened":     {func(*history.History, history.Plan) {}, "t7 t8 t9 t10"},
		"more was said":        {func(h *history.History, _ history.Plan) { h.Add(history.Exchange{Turn: "new", User: "u", Reply: "r"}) }, "t7 t8 t9 t10 new"},
		"the end was rewound":  {func(h *history.History, _ history.Plan) { h.Rewind("t9") }, "t7 t8"},
		"the head was rewound": {func(h *history.History, _ history.Plan) { h.Rewind("t6") }, ""},
		"all behind the head":  {func(h *history.History, _ history.Plan) { h.Rewind("t7") }, ""},
		"it was forgotten":     {func(h *history.History, _ history.Plan) { h.Forget() }, ""},
		"it was summed up":     {func(h *history.History, p history.Plan) { h.Install(p, "other") }, ""},
		"the oldest is gone":   {func(h *history.History, _ history.Plan) { h.Trim(99, size) }, ""},
		"another conversation": {func(h *history.History, _ history.Plan) { h.Restore(history.Told{Exchanges: tens(9).Done()}) }, "t7 t8 t9"},
		"the same numbers again": {func(h *history.History, _ history.Plan) {
			h.Rewind("t1")
			for i := range 10 {
				h.Add(history.Exchange{Turn: fmt.Sprint("n", i), User: "u", Reply: "r"})
			}
		}, ""},
	} {
		h := tens(10)
		p, ok := h.Plan(99, size)
		if !ok {
			t.Fatal("no plan")
		}
		c.meanwhile(h, p)
		before, list := h.Sent()
		sum, ok := h.Install(p, "the summary")
		now, after := h.Sent()
		switch {
		case ok != (c.sent != ""):
			t.Errorf("%s: installed %v", name, ok)
		case ok && (turns(after) != c.sent || now.Text != "the summary" || now.Turn != "t6" || now.Number != 6 || now != sum):
			t.Errorf("%s: %+v, %s", name, now, turns(after))
		case !ok && (now != before || turns(after) != turns(list)):
			t.Errorf("%s: not installed, and now %+v, %s", name, now, turns(after))
		}
	}
}

func summed(n int) history.Record {
	return history.Record{Kind: history.KindSummary, Session: "c1", At: noon, Exchange: history.Exchange{Turn: fmt.Sprintf("t%d", n), Number: n}, Text: fmt.Sprint("up to ", n)}
}

func back(n int) history.Record {
	return history.Record{Kind: history.KindRewind, Session: "c1", At: noon, Exchange: history.Exchange{Turn: fmt.Sprintf("t%d", n), Number: n}}
}

// A transcript tells which summary counts, and what stays behind it.
func TestReplayOfSummaries(t *testing.T) {
	one := func(n int) history.Record { return said(n, "u", "r") }
	for name, c := range map[string]struct {
		records   []history.Record
		sum, rest string
	}{
		"one":                      {[]history.Record{one(1), one(2), one(3), summed(2), one(4)}, "up to 2", "t3 t4"},
		"of all":                   {[]history.Record{one(1), summed(1)}, "up to 1", ""},
		"the newest counts":        {[]history.Record{one(1), one(2), summed(1), one(3), summed(2)}, "up to 2", "t3"},
		"rewound behind it":        {[]history.Record{one(1), one(2), one(3), summed(1), back(2)}, "up to 1", ""},
		"rewound into it":          {[]history.Record{one(1), one(2), one(3), summed(2), back(2)}, "", "t1"},
		"rewound between two":      {[]history.Record{one(1), one(2), summed(1), one(3), summed(2), back(2)}, "up to 1", ""},
		"cleared":                  {[]history.Record{one(1), one(2), summed(1), {Kind: history.KindClear, Session: "c1"}, one(1)}, "", "t1"},
		"late after a rewind":      {[]history.Record{one(1), one(2), one(3), back(2), summed(2)}, "", "t1"},
		"late, with another since": {[]history.Record{one(1), one(2), back(1), said(1, "u", "r"), summed(2)}, "", "t1"},
		"late after a clear":       {[]history.Record{one(1), {Kind: history.KindClear, Session: "c1"}, summed(1)}, "", ""},
		"the file begins behind":   {[]history.Record{one(7), one(8), summed(5)}, "up to 5", "t7 t8"},
		"the file begins with it":  {[]history.Record{summed(5), one(6)}, "up to 5", "t6"},
		"rewound to before what is read, behind it": {[]history.Record{summed(3), one(8), back(6)}, "up to 3", ""},
		"rewound to before what is read, into it":   {[]history.Record{summed(6), one(8), back(6)}, "", ""},
	} {
		told := history.Replay(c.records, "c1")
		var h history.History
		h.Restore(told)
		sum, list := h.Sent()
		if sum.Text != c.sum || turns(list) != c.rest || turns(told.Rest().Exchanges) != c.rest {
			t.Errorf("%s: %q, %s", name, sum.Text, turns(list))
		}
	}
}

// Whatever happens in a conversation, who reads its transcript goes on with what was in memory.
func TestATranscriptTellsWhatWasInMemory(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var h history.History
		var file []byte
		var all []history.Exchange // that can be gone back to
		write := func(rec history.Record) {
			rec.Session, rec.At = "c1", noon
			file = append(file, rec.Encode()...)
		}
		var plans []history.Plan
		for step := range 40 {
			switch r.IntN(8) {
			case 0:
				if p, ok := h.Plan(40, size); ok {
					plans = append(plans, p)
				}
			case 1, 2:
				if len(plans) == 0 {
					continue
				}
				if sum, ok := h.Install(plans[0], fmt.Sprint("s", step)); ok {
					write(history.Record{Kind: history.KindSummary, Exchange: history.Exchange{Turn: sum.Turn, Number: sum.Number}, Text: sum.Text})
				}
				plans = plans[1:]
			case 3:
				if len(all) == 0 || r.IntN(3) > 0 {
					continue
				}
				at := r.IntN(len(all))
				x := all[at]
				if !h.Rewind(x.Turn) {
					h.Restore(history.Replay(history.Decode(file), "c1").Before(at))
				}
				all = all[:at]
				write(history.Record{Kind: history.KindRewind, Exchange: history.Exchange{Turn: x.Turn, Number: x.Number}})
			case 4:
				if r.IntN(10) == 0 {
					h.Forget()
					all = nil
					write(history.Record{Kind: history.KindClear})
				}
			default:
				x, _ := h.Add(history.Exchange{Turn: fmt.Sprint("t", step), At: noon, User: "uuuuu", Reply: "rrrrr"})
				all = append(all, x)
				write(history.Record{Kind: history.KindTurn, Exchange: x})
			}
		}
		told := history.Replay(history.Decode(file), "c1")
		var read history.History
		read.Restore(told)
		sum, list := h.Sent()
		gotSum, got := read.Sent()
		if diff := cmp.Diff(list, got); diff != "" || sum != gotSum || turns(told.Exchanges) != turns(all) {
			t.Fatalf("seed %d: in memory %+v, read %+v: %s\n%s", seed, sum, gotSum, diff, file)
		}
		next, _ := h.Add(history.Exchange{Turn: "n", User: "u", Reply: "r"})
		if x, _ := read.Add(history.Exchange{Turn: "n", User: "u", Reply: "r"}); x.Number != next.Number {
			t.Fatalf("seed %d: the next one is %d, read %d", seed, next.Number, x.Number)
		}
	}
}
