package pipeline_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/pipeline"
)

const noQuestion = "Nothing to clarify"

// said are the answers of a user, as texts of their own.
func said(texts ...string) (list []event.Answer) {
	for _, text := range texts {
		list = append(list, event.Answer{Text: text})
	}
	return list
}

// The whole dialogue goes into the generation, with the system text of generating before it and our text behind it.
func TestClarify(t *testing.T) {
	b := newBench(t, nil, "Which language?", "For whom?", "All is said.\n\n**nothing to Clarify.**", twoFiles, aScript)
	b.answers = said("Python", "Node users")
	r := b.run("clarify", pipeline.Args{Instruction: "Say hi."})
	if r.State != event.TurnProposed || len(files(r)) != 3 {
		t.Fatalf("%s %v\n%s", r.State, r.Err, b.notes())
	}
	texts := pipeline.BuiltIn()
	roles, messages := b.request(1)
	if !slices.Equal(roles, []string{"system", "user"}) || messages[0] != strings.TrimSpace(texts["clarify"]) || messages[1] != "Request: Say hi." {
		t.Errorf("%q %q", roles, messages)
	}
	roles, messages = b.request(4)
	want := []string{"system", "user", "assistant", "user", "assistant", "user", "assistant", "user"}
	if !slices.Equal(roles, want) || !strings.HasPrefix(messages[0], texts["roadmap"]) {
		t.Fatalf("%q %q", roles, messages[0])
	}
	next := "\n\n" + strings.TrimSpace(texts["clarify_next"])
	for i, want := range map[int]string{1: "Request: Say hi.", 2: "Which language?", 3: "Python" + next, 4: "For whom?", 5: "Node users" + next} {
		if messages[i] != want {
			t.Errorf("message %d is %q, want %q", i, messages[i], want)
		}
	}
	if strings.Contains(messages[7], "FILE_FORMAT") || !strings.Contains(messages[7], "FILENAME") {
		t.Errorf("the last message is\n%s", messages[7])
	}
	if len(b.asked) != 2 || !strings.HasPrefix(b.asked[0].Text, "Which language?") || !b.asked[0].FreeText {
		t.Errorf("asked %+v", b.asked)
	}
}

// The dialogue ends where the model says so and asks nothing: with a question beside it, that is put.
func TestWhatEndsTheDialogue(t *testing.T) {
	for question, ends := range map[string]bool{
		"Node.js or Deno?":                              false,
		"No idea is too small. Which one?":              false,
		"Note: which port?":                             false,
		"None given. Which port?":                       false,
		"Is there nothing to clarify about the colour?": false,
		"nothing to clarify":                            true,
		"Fine.\nNothing to clarify.\n":                  true,
		"There is nothing to clarify; I shall begin.":   true,
		"Nothing to clarify, but which port?":           false,
		"Nothing to clarify.\n\nDeno では？":               false,
		"Nothing to clarify but:\na) Deno\nb) Node":     false,
		"\"Nothing to clarify\"":                        true,
	} {
		b := newBench(t, nil, question, noQuestion, twoFiles, aScript)
		b.answers = said("Deno")
		if ends {
			b = newBench(t, nil, question, twoFiles, aScript)
		}
		r := b.run("clarify", pipeline.Args{Instruction: "Say hi."})
		if r.State != event.TurnProposed || (len(b.asked) == 0) != ends {
			t.Errorf("%q: %s, asked %d", question, r.State, len(b.asked))
		}
	}
}

// A skip of everything costs one call: the model says what it assumes, that is shown, and the files follow.
func TestAssumeAll(t *testing.T) {
	for _, answer := range []event.Answer{{Text: ""}, {Text: "c"}, {Text: "C"}, {Text: "assume all"}, {Defaulted: true}} {
		b := newBench(t, nil, "Which language?", "It is Python.", twoFiles, aScript)
		b.answers = []event.Answer{answer}
		r := b.run("clarify", pipeline.Args{Instruction: "Say hi."})
		if r.State != event.TurnProposed || len(b.server.Requests()) != 4 {
			t.Fatalf("%+v: %s, %d requests", answer, r.State, len(b.server.Requests()))
		}
		if n := b.notes(); !strings.Contains(n, "The model assumes:\nIt is Python.") {
			t.Errorf("%+v: the assumptions are not shown: %s", answer, n)
		}
		roles, messages := b.request(3)
		if len(roles) != 6 || messages[4] != "It is Python." || messages[3] != strings.TrimSpace(pipeline.BuiltIn()["clarify_assume"]) {
			t.Errorf("%+v: %q %q", answer, roles, messages)
		}
	}
}

// A skip of one question goes on with the next.
func TestAssumeOne(t *testing.T) {
	b := newBench(t, nil, "Which language?", "Python it is.\nFor whom?", "Nothing to clarify", twoFiles, aScript)
	b.answers = said("assume", "Me")
	r := b.run("clarify", pipeline.Args{Instruction: "Say hi."})
	if r.State != event.TurnProposed || len(b.asked) != 2 || len(b.server.Requests()) != 5 {
		t.Fatalf("%s, asked %d", r.State, len(b.asked))
	}
	if _, messages := b.request(2); messages[3] != strings.TrimSpace(pipeline.BuiltIn()["clarify_assume_one"]) {
		t.Errorf("%q", messages[3])
	}
}

// Answers that the model offers are choices; one is also taken by its letter.
func TestOfferedAnswers(t *testing.T) {
	const question = "Which one?\n\n- a) **Python**\n- b) Go, with modules\n"
	for _, answer := range []event.Answer{{Choice: "Go, with modules"}, {Text: "b"}, {Text: "B"}} {
		b := newBench(t, nil, question, noQuestion, twoFiles, aScript)
		b.answers = []event.Answer{answer}
		if r := b.run("clarify", pipeline.Args{Instruction: "Say hi."}); r.State != event.TurnProposed {
			t.Fatalf("%s %v", r.State, r.Err)
		}
		q := b.asked[0]
		if !slices.Equal(q.Choices, []string{"Python", "Go, with modules", "assume", "assume all"}) || q.Default != "assume all" || !q.FreeText {
			t.Errorf("asked %+v", q)
		}
		if _, messages := b.request(2); !strings.HasPrefix(messages[3], "Go, with modules\n\n") {
			t.Errorf("%+v: %q", answer, messages[3])
		}
	}
	// A letter of the model's is that answer, also c, which means everything where it offers none.
	for typed, want := range map[string]string{"c": "Crystal", "C": "Crystal", "cr": "Crystal", "b": "Clojure", "Clojure": "Clojure", "Cobol": "Cobol"} {
		b := newBench(t, nil, "Which?\na) Python\nb) Clojure\nc) Crystal\n", noQuestion, twoFiles, aScript)
		b.typed = []string{typed}
		if r := b.run("clarify", pipeline.Args{Instruction: "Say hi."}); r.State != event.TurnProposed {
			t.Fatalf("%s: %s %v", typed, r.State, r.Err)
		}
		if _, messages := b.request(2); !strings.HasPrefix(messages[3], want+"\n\n") {
			t.Errorf("%s: %q", typed, messages[3])
		}
	}
	for _, question := range []string{"Which?\na) only one\n", "See 1. this and 2. that", "a) x\nc) y\n", "It is 1: one\nand x: two"} {
		b := newBench(t, nil, question, noQuestion, twoFiles, aScript)
		b.answers = said("yes")
		b.run("clarify", pipeline.Args{Instruction: "Say hi."})
		if n := len(b.asked[0].Choices); n != 0 {
			t.Errorf("%q offers %v", question, b.asked[0].Choices)
		}
	}
}

// A failure in the dialogue ends the turn: nothing is generated from half of it. So does one of whoever is asked.
func TestClarifyFails(t *testing.T) {
	for n := 1; n <= 2; n++ {
		b := newBench(t, nil, "Which language?", "Never said.", twoFiles, aScript)
		b.answers = said("Python")
		b.deliver(n, "status: 400\n")
		if r := b.run("clarify", pipeline.Args{Instruction: "Say hi."}); r.State != event.TurnFailed || r.Err == nil || len(b.server.Requests()) != n {
			t.Errorf("%d: %s %v, %d requests", n, r.State, r.Err, len(b.server.Requests()))
		}
	}
	b := newBench(t, nil, "Which language?", twoFiles, aScript)
	b.failing = errors.New("nobody is there")
	if r := b.run("clarify", pipeline.Args{Instruction: "Say hi."}); r.State != event.TurnFailed || !errors.Is(r.Err, b.failing) || len(b.server.Requests()) != 1 {
		t.Errorf("%s %v, %d requests", r.State, r.Err, len(b.server.Requests()))
	}
}

// The number of questions has an end.
func TestMostQuestions(t *testing.T) {
	b := newBench(t, nil, append(slices.Repeat([]string{"What?"}, 11), "I assume three.", twoFiles, aScript)...)
	b.answers = said(slices.Repeat([]string{"that"}, 11)...)
	r := b.run("clarify", pipeline.Args{Instruction: "Say hi."})
	if r.State != event.TurnProposed || len(b.asked) != 10 || !strings.Contains(b.notes(), "I assume three.") {
		t.Errorf("%s, asked %d\n%s", r.State, len(b.asked), b.notes())
	}
}

// The recorded dialogues, replayed: what was asked is asked, and the files are those that came of it.
func TestRecordedDialogues(t *testing.T) {
	list := recorded(t)
	played := 0
	for i, c := range list {
		if c.Kind != "clarify" || i > 0 && list[i-1].Kind == "clarify" {
			continue
		}
		var replies []string
		questions := 0
		var generated conversation
		for _, next := range list[i:] {
			replies = append(replies, next.Answer)
			if next.Kind == "clarify" && !strings.EqualFold(next.Answer, noQuestion) {
				questions++
			}
			if next.Kind == "generate" {
				generated = next
				break
			}
		}
		b := newBench(t, nil, append(replies, aScript)...)
		b.answers = said("As you like.", "Yes.")
		r := b.run("clarify", pipeline.Args{Instruction: "Make it."})
		got := bare(files(r))
		delete(got, "run.sh")
		same(t, got, bare(generated.Files))
		if len(b.asked) != questions {
			t.Errorf("%d: asked %d times, want %d", c.I, len(b.asked), questions)
		}
		played++
	}
	if played < 2 {
		t.Errorf("played %d", played)
	}
}
