package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// shortened has the request for a summary answered beside a script.
func shortened(script, yaml string) string {
	return script + "-- 90.md --\nSHORT NOTES\n-- 90.yaml --\nmatch: Write the notes now.\nrepeat: true\n" + yaml
}

// chatty are rounds of the coder auto with so many words each, and the last one is done.
func chatty(rounds, words int) (list []string) {
	for i, r := range grow(rounds) {
		list = append(list, fmt.Sprintf("Step %d begins. ", i+1)+varied(words)+"\n\n"+r)
	}
	list[rounds-1] = strings.Replace(list[rounds-1], "NEXT: more", "DONE", 1)
	return list
}

// varied is so many words, which do not go round in circles.
func varied(words int) string {
	var b strings.Builder
	for i := range words {
		fmt.Fprintf(&b, "w%d ", i*i)
	}
	return b.String()
}

func sentTokens(texts string) int { return len(texts) / 4 }

// A turn of many rounds stays within the window: near its end the first replies are summed up, again and again, and
// the last ones stay as they were. The request and what the turn has changed are there in every round.
func TestALongTurnIsSummedUp(t *testing.T) {
	for name, yaml := range map[string]string{"summed up": "", "no model does": "status: 400\n"} {
		b := newBench(t, shortened(replies(chatty(8, 900)...), yaml), map[string]string{"a.py": "x = 1\n"})
		b.threeModels()
		for n, m := range b.settings.Models {
			m.ContextWindow, m.MaxOutput = 8000, 1000
			b.settings.Models[n] = m
		}
		b.settings.Auto.Rounds = 8
		r, events := b.run(agent.Request{Instruction: "Count up to nine.", Coder: "auto", Files: []string{"a.py"}})
		b.checkEvents(events, r)
		if r.State != event.TurnProposed || r.Proposal.Files[0].Change.After != "x = 9\n" {
			t.Fatalf("%s: %s, %v", name, r.State, r.Err)
		}
		var rounds []string
		models, texts := b.summaries()
		for _, sent := range b.server.Requests() {
			if shown := shownRequest(sent); !strings.Contains(shown, "Write the notes now.") {
				rounds = append(rounds, shown)
			}
		}
		if len(rounds) != 8 || len(models) == 0 || models[0] != "thrifty" {
			t.Fatalf("%s: %d rounds, summed up by %v: %s", name, len(rounds), models, notes(events))
		}
		last := rounds[7]
		for want, there := range map[string]bool{"Count up to nine.": true, "Step 7 begins.": true, "Step 1 begins.": false, "SHORT NOTES": yaml == "", "x = 8": true} {
			if strings.Contains(last, want) != there {
				t.Errorf("%s: %q is in the last request: %v\n%s", name, want, !there, last)
			}
		}
		if told(events, "were summarized.") != (yaml == "") || told(events, "were left out.") == (yaml == "") {
			t.Errorf("%s: told %s", name, notes(events))
		}
		if yaml != "" {
			if len(models) > 2 {
				t.Errorf("%s: tried by %v", name, models)
			}
			continue
		}
		for i, text := range append(rounds, texts...) {
			if n := sentTokens(text); n > 7000 {
				t.Errorf("request %d has %d tokens", i, n)
			}
		}
		if len(texts) < 2 || !strings.Contains(texts[0], "Step 1 begins.") || !strings.Contains(texts[0], "Count up to nine.") || !strings.Contains(texts[1], "SHORT NOTES") || strings.Contains(texts[1], "Step 1 begins.") {
			t.Errorf("summed up %d times:\n%s", len(texts), strings.Join(texts, "\n\n"))
		}
		x, ok := b.session.Conversation.History.Find(r.Turn)
		if !ok || !strings.Contains(x.Reply, "Step 1 begins.") || !strings.Contains(x.Reply, "Step 8 begins.") || strings.Contains(x.Reply, "SHORT NOTES") {
			t.Errorf("the history has %q", x.Reply)
		}
		if r.Usage.Prompt < sentTokens(texts[0]) || b.session.Turns.Usage().Prompt != r.Usage.Prompt {
			t.Errorf("used %+v, the session %+v", r.Usage, b.session.Turns.Usage())
		}
	}
}

// What the model looked at first is summed up where taking it out is not enough; no call loses its result, and the
// call may be made again.
func TestLooksAreSummedUp(t *testing.T) {
	for name, yaml := range map[string]string{"summed up": "", "no model does": "status: 400\n"} {
		var list []string
		disk := map[string]string{}
		for i := range 14 {
			name := fmt.Sprintf("f%02d.txt", i)
			disk[name] = fmt.Sprintf("%02d words\n", i)
			list = append(list, fmt.Sprintf("Thought %d: %s\n>> read {\"path\":%q}", i, varied(250), name))
		}
		list = append(list, "\n>> read {\"path\":\"f00.txt\"}", "Done.")
		b := newLookout(t, shortened(calling(list...), yaml), disk)
		b.user.ContextWindow, b.user.MaxOutput = 8000, 1000
		r, events := b.run(agent.Request{Instruction: "What is it?", Coder: "ask"})
		if r.State != event.TurnAnswered {
			t.Fatalf("%s: %+v", name, r)
		}
		_, texts := b.summaries()
		again := 0
		for i, sent := range b.server.Requests() {
			if strings.Contains(string(sent.Body), "Write the notes now.") {
				continue
			}
			tokens := 0
			for _, m := range sent.Messages {
				tokens += sentTokens(m.Content)
			}
			if tokens > 7000 {
				t.Errorf("%s: request %d has %d tokens", name, i+1, tokens)
			}
			if list := results(t, sent); len(list) > 0 && strings.Contains(list[len(list)-1], "|00 words") {
				again++
			}
		}
		last := b.server.Requests()[len(b.server.Requests())-1]
		if told(events, "summarized its first tool results") != (yaml == "") || strings.Contains(string(last.Body), "SHORT NOTES") != (yaml == "") || len(texts) == 0 {
			t.Errorf("%s: %d times, told %s", name, len(texts), notes(events))
		}
		if yaml == "" && (!strings.Contains(texts[0], "Thought 0:") || !strings.Contains(texts[0], `read {"path":"f00.txt"}`) || !strings.Contains(texts[0], "What is it?") || again < 2) {
			t.Errorf("%s: f00.txt was shown %d times; summed up:\n%s", name, again, texts[0])
		}
	}
}
