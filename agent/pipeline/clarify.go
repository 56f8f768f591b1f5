package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
)

// Sentinel is how the model says that it has no question left.
const Sentinel = "Nothing to clarify"

// What a user can answer besides a text: that the model decides, this time or from now on.
const (
	AssumeOne = "assume"
	AssumeAll = "assume all"
)

// mostQuestions is how many questions the model asks at most.
const mostQuestions = 10

// clarify lets the model ask until nothing is unclear, or the user has had enough.
func (f *flow) clarify(ctx context.Context) error {
	d := &dialogue{w: f.w, calls: &f.calls, pre: f.pre, said: []llm.Message{f.brief.message()}}
	err := d.lead(ctx)
	f.dialogue = d.said
	return err
}

// dialogue is what the user and the model say before anything is made.
type dialogue struct {
	w     *agent.JobContext
	calls *calls
	pre   Preprompts
	said  []llm.Message // what the user said first and all that followed
}

// lead lets the model ask until nothing is unclear, or the user has had enough.
func (d *dialogue) lead(ctx context.Context) error {
	const most = mostQuestions
	for n := 1; ; n++ {
		d.w.Step(fmt.Sprintf("Clarifying, question %d of up to %d", min(n, most), most), 0, 0)
		said, err := d.says(ctx)
		if err != nil {
			return err
		}
		if over(said) {
			return nil
		}
		if n > most {
			d.w.Note(event.LevelInfo, fmt.Sprintf("The model reached the limit of %d questions and continues with its own assumptions.", most))
			return d.assume(ctx)
		}
		answer, err := d.put(said)
		switch {
		case err != nil:
			return err
		case answer == AssumeAll:
			return d.assume(ctx)
		case answer == AssumeOne:
			d.say(d.pre["clarify_assume_one"])
		default:
			d.say(answer + "\n\n" + d.pre["clarify_next"])
		}
	}
}

// says has the model go on with the dialogue.
func (d *dialogue) says(ctx context.Context) (string, error) {
	messages := slices.Concat([]llm.Message{system(d.pre["clarify"])}, d.said)
	called, err := d.calls.ask(ctx, StepClarify, LogGeneration, agent.ModelRequest{Messages: messages, Quiet: true})
	if err != nil {
		return "", err
	}
	d.said = append(d.said, assistant(strings.TrimSpace(called.Text)))
	return strings.TrimSpace(called.Text), nil
}

// say adds what the user says to the dialogue.
func (d *dialogue) say(text string) { d.said = append(d.said, user(strings.TrimSpace(text))) }

// assume has the model say what it assumes, and shows that. The files follow.
func (d *dialogue) assume(ctx context.Context) error {
	d.say(d.pre["clarify_assume"])
	said, err := d.says(ctx)
	if err == nil {
		d.w.Inform("The model assumes:\n" + said)
	}
	return err
}

// marks end a question, in any language.
const marks = "?？؟⸮"

// over says whether an answer ends the dialogue: it says so, and asks nothing beside that.
func over(said string) bool {
	return strings.Contains(strings.ToLower(said), strings.ToLower(Sentinel)) && !strings.ContainsAny(said, marks) && len(offers(said)) == 0
}

// put asks the user what the model wants to know: with the answers that it offers, where it offers some.
func (d *dialogue) put(question string) (string, error) {
	q := event.Question{Text: question, FreeText: true, Explicit: true}
	if offered := offers(question); len(offered) > 0 {
		for _, o := range offered {
			q.Choices, q.Titles, q.Keys = append(q.Choices, o.text), append(q.Titles, o.text), append(q.Keys, o.key)
		}
		q.Choices = append(q.Choices, AssumeOne, AssumeAll)
		q.Titles = append(q.Titles, "let the model choose this", "let the model choose everything, and start")
		q.Default = AssumeAll
	} else {
		q.Text += fmt.Sprintf("\n(Type an answer. To let the model decide, type %q for this question, or %q for all questions.)", AssumeOne, AssumeAll)
	}
	a, err := d.w.Ask(q)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(a.Text)
	text = cmp.Or(a.Choice, q.Keyed(text), text) // a key may come as the text that it was typed as
	switch word := strings.ToLower(text); {
	case a.Defaulted, word == "", word == "c", word == AssumeAll:
		return AssumeAll, nil
	case word == AssumeOne:
		return AssumeOne, nil
	}
	return text, nil
}

// offer is an answer that the model offers, with the letter or number before it.
type offer struct{ key, text string }

// offers are the answers that a question lists, a line each, as in a) or 1. or "- b)". There are at least two, at most
// eight, and their letters or numbers follow each other; anything else is no list of answers.
func offers(question string) []offer {
	var list []offer
	for line := range strings.Lines(question) {
		text := strings.TrimLeft(strings.TrimSpace(line), "-*( ")
		if len(text) < 3 {
			continue
		}
		key := strings.ToLower(text[:1])
		if !strings.ContainsAny(text[1:2], ").:") || text[2] != ' ' && text[2] != '*' {
			continue
		}
		letter, number := string(rune('a'+len(list))), string(rune('1'+len(list)))
		if key != letter && key != number || len(list) > 0 && (list[0].key == "a") != (key == letter) {
			continue
		}
		if answer := strings.Trim(strings.TrimSpace(text[2:]), "* "); answer != "" {
			list = append(list, offer{key, answer})
		}
	}
	if len(list) < 2 || len(list) > 8 {
		return nil
	}
	return list
}
