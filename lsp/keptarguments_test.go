package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/command"
	"coauthor/agent/command/arg"
	"coauthor/agent/pipeline"
	"coauthor/lsp/review"
)

// Where a command asks for its instruction in a prompt document, each argument that it was given is in the head of that, and
// in the call that follows from it.
func TestPromptDocumentsKeepTheArguments(t *testing.T) {
	seen := 0
	for _, action := range pipeline.Actions() {
		_, ok := pipeline.Named(pipeline.Actions(), action.ID)
		if !ok || !slices.Contains([]string{"generate", "clarify", "improve"}, action.ID) { // the others need no words
			continue
		}
		for _, arg := range action.Args {
			if arg.Bare || arg.Name == "uri" {
				continue
			}
			if action.ID == "improve" && (arg.Name == string(pipeline.FlagClarify) || arg.Name == string(pipeline.FlagLite)) {
				continue // the command refuses it
			}
			var value any
			switch arg.Type {
			case "boolean":
				value = true
			case "string[]":
				value = []string{"b.txt", "c*.txt"}
			default:
				value = "m"
				if values := arg.Allowed(); values != nil {
					value = values[len(values)-1]
				}
			}
			t.Run(action.ID+" "+arg.Name, func(t *testing.T) {
				seen++
				testKept(t, action, arg, value)
			})
		}
	}
	if seen < 12 {
		t.Errorf("%d arguments", seen)
	}
}

func testKept(t *testing.T, action command.Action, field command.Arg, value any) {
	t.Helper()
	d := newBufferHarness(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"}, nil)
	d.open("a.txt")
	given, err := json.Marshal(map[string]any{field.Name: value})
	if err != nil {
		t.Fatal(err)
	}
	result, err := d.run(action.ID, string(given))
	if err != nil {
		t.Fatal(err)
	}
	if result["status"] != statusNeedsInput {
		t.Fatalf("%+v", result)
	}
	path := ".coauthor/prompt-1.md"
	w, err := d.root.Chat.Prompts.Request(t.Context(), path)
	if err != nil || w.Coder != action.ID {
		t.Fatalf("%+v %v", w, err)
	}
	all, err := json.Marshal(argumentsOf(w))
	if err != nil {
		t.Fatal(err)
	}
	want, err := action.Read([]json.RawMessage{given})
	if err != nil {
		t.Fatal(err)
	}
	got, err := action.Read([]json.RawMessage{all})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(arg.Values(got)[field.Name])
	b, _ := json.Marshal(arg.Values(want)[field.Name])
	if string(a) != string(b) || len(argumentsOf(w)) != 1 {
		t.Errorf("%s became %s in\n%s", b, all, d.text(path))
	}
}

// What a head says that its command does not take is an error that names it; a coder takes none.
func TestArgumentsOfAHeadThatNobodyTakes(t *testing.T) {
	for coder, want := range map[string]string{"improve": `does not accept the argument "selfheal"`, "code": "coders do not accept arguments"} {
		d := newBufferHarness(t, map[string]string{"a.txt": "a\n"}, nil)
		d.open("a.txt")
		doc, err := d.root.Chat.Prompts.Make(review.Origin{Head: review.PromptHead{Coder: coder, Arguments: map[string]any{"selfheal": true}}}, "", "Change it.")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.run("runPrompt", `{"uri":"`+doc.URI+`"}`); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", coder, got, err)
		}
	}
}
