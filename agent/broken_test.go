package agent_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/edits"
)

// oneFits has one edit that lands in a.py and one that does not.
const oneFits = xIsTwo + "\nb.py\n```\n<<<<<<< SEARCH\nno such line\n=======\ny = 2\n>>>>>>> REPLACE\n```\n"

const half = "cut: 40\n-- %d.md --\nHere is the change that you asked for, at last:\n\n" + noSuchX

// brokenReplies are what servers do instead of answering: at once, in the middle, and with an answer of no use. %d is the
// number of the reply.
var brokenReplies = map[string]struct {
	script string
	says   string
}{
	"a key that is refused":       {"status: 401\n-- %d.md --\nbad key\n", "bad key"},
	"too many requests":           {"status: 429\n-- %d.md --\nslow down\n", "slow down"},
	"no credit":                   {"status: 429\nerror-code: insufficient_quota\n-- %d.md --\ninsufficient credits\n", "credit"},
	"a server that fails":         {"status: 500\n-- %d.md --\noops\n", "oops"},
	"too long a prompt":           {"status: 400\nerror-code: context_length_exceeded\n-- %d.md --\nmaximum context length is 8192 tokens\n", "8192"},
	"a policy":                    {"status: 400\nerror-code: content_policy_violation\n-- %d.md --\nnot that\n", "not that"},
	"a page of a proxy":           {"raw: true\n-- %d.md --\n<html><title>Log in</title></html>\n", "Log in"},
	"broken JSON":                 {"raw: true\n-- %d.md --\ndata: {\"choices\":[{\"delta\":{\"cont\n\n", "Cannot read the answer"},
	"nothing at all":              {"raw: true\n-- %d.md --\n\n", "before the answer began"},
	"a line that goes dead":       {half, "ended in the middle of the answer"},
	"an error in the middle":      {"error: upstream is down\nerror-code: \"502\"\n-- %d.md --\nHere is the change.\n\n" + xIsTwo, "upstream is down"},
	"no reason for the end":       {"finish: none\ndone: false\n-- %d.md --\nHere is the change.\n\n" + xIsTwo, "ended in the middle"},
	"a refusal":                   {"finish: content_filter\n-- %d.md --\nI cannot do that.\n", "refused"},
	"an empty answer":             {"-- %d.md --\n \n", "empty answer"},
	"an end before the edit does": {"finish: length\n-- %d.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\nx =", "cut off"},
	"a stream that stalls":        {"hold: true\nchunk: 10\n-- %d.md --\nHere is the change.\n\n" + xIsTwo, "no data arrived for"},
	"circles in the thinking":     {"-- %d.think.md --\n" + strings.Repeat("But wait, let me think about this from the beginning again. ", 30) + "\n", "repeating itself"},
}

func broken(number int, script string) string {
	delivery, files, _ := strings.Cut(fmt.Sprintf(script, number), "-- ")
	return fmt.Sprintf("-- %d.yaml --\n%s-- %s", number, delivery, files)
}

// TestBrokenReplies: a call that fails at once or in the middle changes nothing, and says what happened. Where an earlier
// round of the turn has changed something, that stays as a proposal, which says that it may be incomplete.
func TestBrokenReplies(t *testing.T) {
	files := map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"}
	for what, c := range brokenReplies {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			request := agent.Request{Instruction: "Make x and y two.", Files: []string{"a.py", "b.py"}}
			b := newBench(t, broken(1, c.script), files).impatient(c.script, 1)
			r, events := b.run(request)
			b.checkEvents(events, r)
			if r.State != event.TurnFailed || r.Proposal != nil || !strings.Contains(r.Err.Error(), c.says) {
				t.Errorf("first: %s, %v", r.State, r.Err)
			}

			b = newBench(t, "-- 1.md --\n"+oneFits+broken(2, c.script), files).impatient(c.script, 2)
			r, events = b.run(request)
			b.checkEvents(events, r)
			if r.State != event.TurnProposed || len(r.Proposal.Files) != 1 || r.Proposal.Files[0].Change.After != "x = 2\n" {
				t.Fatalf("in a reflection: %+v", r)
			}
			if !slices.ContainsFunc(r.Failures, func(f edits.Failure) bool { return f.Path == "b.py" }) {
				t.Errorf("the failures are %+v", r.Failures)
			}
			if says := strings.Join(r.Proposal.Warnings, "\n"); !strings.Contains(says, c.says) || strings.Contains(says, "Nothing was changed") || !told(events, c.says) {
				t.Errorf("the proposal says %q", says)
			}
			for name, text := range files {
				if got, err := os.ReadFile(filepath.Join(b.root, name)); err != nil || string(got) != text {
					t.Errorf("%s is %q on disk, %v", name, got, err)
				}
			}
			if _, kept := b.session.Conversation.History.Find(r.Turn); !kept {
				t.Error("the talk is forgotten")
			}
		})
	}
}

// impatience does not wait for a stream that stalls, from one call on; what comes before has all the time of the
// world, however busy the machine is.
type impatience struct {
	patient, impatient llm.Client
	from               int32
	calls              atomic.Int32
}

func (c *impatience) Stream(ctx context.Context, r llm.Request, on func(llm.Delta)) (llm.Reply, error) {
	if c.calls.Add(1) >= c.from {
		return c.impatient.Stream(ctx, r, on)
	}
	return c.patient.Stream(ctx, r, on)
}

// impatient has the bench hang up on a stream that stalls, from one call on, if the script has one.
func (b *bench) impatient(script string, from int32) *bench {
	if !strings.Contains(script, "hold: true") {
		return b
	}
	b.engine.Close()
	o := b.options("")
	o.Client = &impatience{patient: o.Client, from: from,
		impatient: remote.New(remote.Options{Env: func(string) string { return "" }, Retries: -1, Idle: 20 * time.Millisecond})}
	b.engine = agent.NewEngine(o)
	b.session = b.engine.Session(b.ws)
	return b
}

// TestBrokenRepliesToTools: the same behind a call of a tool, through each interface. What was looked at is no change, so the turn fails and says
// why; the call got its result, and nobody is asked a third time.
func TestBrokenRepliesToTools(t *testing.T) {
	for what, c := range brokenReplies {
		for _, api := range model.APIs() {
			t.Run(what+" through "+api, func(t *testing.T) {
				t.Parallel()
				brokenReplyToTools(t, c.script, c.says, api)
			})
		}
	}
}

func brokenReplyToTools(t *testing.T, script, says, api string) {
	b := newLookout(t, calling("I look.\n>> read {\"path\":\"a.py\"}")+broken(2, script), map[string]string{"a.py": "x = 1\n"}).impatient(script, 2)
	b.user.API = api
	r, events := b.run(agent.Request{Instruction: "What is x?", Coder: "ask"})
	b.checkEvents(events, r)
	sent := b.server.Requests()
	if len(sent) < 2 || !strings.Contains(string(sent[1].Body), "x = 1") {
		t.Fatalf("%d requests", len(sent))
	}
	if strings.Contains(script, "finish: length") { // half an answer is one, too
		if r.State != event.TurnAnswered || !told(events, says) {
			t.Errorf("%s, %v", r.State, r.Err)
		}
		return
	}
	if why := fmt.Sprint(r.Err); r.State != event.TurnFailed || !strings.Contains(why, says) {
		t.Errorf("%s, %s; the answer is %q", r.State, why, r.Answer)
	}
}

// A round that fails before anything was changed ends the turn, whatever came before it.
func TestABrokenReplyAfterNothing(t *testing.T) {
	b := newBench(t, "-- 1.md --\n"+noSuchX+"-- 2.yaml --\nstatus: 500\n-- 2.md --\noops\n", map[string]string{"a.py": "x = 1\n"})
	r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}})
	if r.State != event.TurnFailed || r.Proposal != nil || !strings.Contains(r.Err.Error(), "oops") || len(r.Failures) != 1 {
		t.Errorf("%+v", r)
	}
}

// A model that goes round in circles is hung up on: what it changed by then stays, and it is not asked again.
func TestAModelThatGoesRoundInCircles(t *testing.T) {
	const again = "And then I will look at all of it once more to be very sure. "
	circle := strings.Repeat(again, 4000)
	for what, c := range map[string]struct {
		script  string
		coder   string
		state   event.State
		after   string
		calls   int
		refused int
	}{
		"an answer":              {"-- 1.md --\nFirst of all. " + circle, "ask", event.TurnAnswered, "", 1, 0},
		"no edit":                {"-- 1.md --\n" + circle, "", event.TurnAnswered, "", 1, 0},
		"behind an edit":         {"-- 1.md --\n" + xIsTwo + "\n" + circle, "", event.TurnProposed, "x = 2\n", 1, 0},
		"behind one that missed": {"-- 1.md --\n" + oneFits + "\n" + circle, "", event.TurnProposed, "x = 2\n", 1, 1},
		"in a reflection":        {"-- 1.md --\n" + oneFits + "-- 2.md --\n" + circle, "", event.TurnProposed, "x = 2\n", 2, 1},
		"while it thinks":        {"-- 1.think.md --\n" + circle + "-- 1.md --\n" + xIsTwo, "", event.TurnFailed, "", 1, 0},
		"only code repeats":      {"-- 1.md --\na.py\n```\n<<<<<<< SEARCH\nx = 1\n=======\n" + strings.Repeat("x = 2  # the same line in the file, over and over again\n", 100) + ">>>>>>> REPLACE\n```\n", "", event.TurnProposed, strings.Repeat("x = 2  # the same line in the file, over and over again\n", 100), 1, 0},
	} {
		b := newBench(t, c.script, map[string]string{"a.py": "x = 1\n", "b.py": "y = 1\n"})
		r, events := b.run(agent.Request{Instruction: "Make x two.", Coder: c.coder, Files: []string{"a.py", "b.py"}})
		b.checkEvents(events, r)
		after := ""
		if r.Proposal != nil {
			after = r.Proposal.Files[0].Change.After
		}
		if r.State != c.state || after != c.after || len(b.server.Requests()) != c.calls || len(r.Failures) != c.refused {
			t.Errorf("%s: %s, %q, %d calls, %+v", what, r.State, after, len(b.server.Requests()), r.Failures)
		}
		heard := 0
		for _, e := range events {
			heard += len(e.Text)
		}
		if heard > 10_000 {
			t.Errorf("%s: %d bytes were read", what, heard)
		}
		if strings.Count(r.Answer, again) > 2 {
			t.Errorf("%s: the answer has %d bytes", what, len(r.Answer))
		}
		if c.state != event.TurnFailed && c.after != strings.Repeat("x = 2  # the same line in the file, over and over again\n", 100) && !told(events, "repeating itself") {
			t.Errorf("%s: nobody is told", what)
		}
		if c.state == event.TurnFailed && !strings.Contains(r.Err.Error(), "repeating itself") {
			t.Errorf("%s: %v", what, r.Err)
		}
	}
}
