package lsp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"coauthor/agent/llm/llmtest"
	"coauthor/agent/settings"
	"coauthor/lsp/lsptest"
)

// A command that arrives before the client has told its settings waits for them.
func TestCommandBeforeTheSettings(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) {
		o.Settings = func(_ string, client settings.Editor) (settings.Settings, []settings.Warning) {
			o := settings.LoadOptions{}
			if o.ClientOwn = true; len(client.Settings) > 0 {
				o.Client = client.Settings
			}
			return settings.Load(o)
		}
	})
	r.Answer = func(method string, _ json.RawMessage) string {
		if method != "workspace/configuration" {
			return "null"
		}
		r.Send(`{"jsonrpc":"2.0","id":77,"method":"workspace/executeCommand","params":{"command":"coauthor.status"}}`)
		return `[{"model":"told-late"}]`
	}
	r.initialize(plainCaps, "null")
	for {
		if said := r.Next(); strings.Contains(said, `"id":77`) {
			mustHold(t, said, `"model":"told-late"`)
			return
		}
	}
}

// The doctor tells what is wrong in the settings, and what is special about the client.
func TestDoctorNamesSettingsAndSwitches(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) {
		o.Doctor = func(_ context.Context, _ string, _ settings.Settings, warnings []settings.Warning, _ bool) []Check {
			var list []Check
			for _, w := range warnings {
				list = append(list, Check{Name: "settings", Message: w.String()})
			}
			return list
		}
	})
	r.initialize(plainCaps, `{"client":"helix","unknownThing":1}`)
	r.open("a.txt", "one\n")
	mustHold(t, r.command("doctor", ""), `"ok":false`, "unknownThing", "profile helix", "blockCursor")
}

// A refused edit stands beside the good ones: in the last word of the progress, and in the diff.
func TestRefusedEditIsTold(t *testing.T) {
	const outside = "../b.txt\n```\n<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE\n```\n"
	r := newModelHarness(t, llmtest.Say("a.txt\n```\n<<<<<<< SEARCH\none\n=======\nuno\n>>>>>>> REPLACE\n```\n\n"+outside, outside, outside), nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	r.start(`"say it in Spanish"`)
	mustHold(t, strings.Join(r.untilEnd(), "\n"), "1 file changed, +1 -1, 1 edit was refused. Review: ")
	r.command("showPending", "")
	diffs, err := filepath.Glob(filepath.Join(r.root, ".coauthor", "*.diff"))
	if err != nil || len(diffs) != 1 {
		t.Fatalf("%v, %v", diffs, err)
	}
	text, err := os.ReadFile(diffs[0])
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, string(text), "# not applied: ../b.txt is no file below the root of the project")
}

// A doctor whose endpoint does not answer keeps nobody waiting: the client has its answer within a
// second, and the document comes later.
func TestSlowDoctor(t *testing.T) {
	release := make(chan struct{})
	r := newModelHarness(t, nil, func(o *Options) {
		o.slack = 1
		o.Doctor = func(ctx context.Context, _ string, _ settings.Settings, _ []settings.Warning, _ bool) []Check {
			select {
			case <-release:
			case <-ctx.Done():
			}
			return []Check{{Name: "endpoint", Message: "no answer", Advice: "look there"}}
		}
	})
	shown := make(chan string, 1)
	r.Answer = func(method string, params json.RawMessage) string {
		if method == "window/showDocument" {
			shown <- string(params)
			return `{"success":true}`
		}
		return "null"
	}
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	mustHold(t, r.command("doctor", ""), `{"status":"started"}`)
	close(release)
	mustHold(t, lsptest.Receive(t, "the document", shown), "doctor.md")
	text, err := os.ReadFile(filepath.Join(r.root, ".coauthor", "doctor.md"))
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, string(text), "**problem**: no answer", "look there")
}

// What cannot be meant is refused before a model is asked.
func TestEditThatCannotBeMeant(t *testing.T) {
	r := newModelHarness(t, nil, nil)
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	mustHold(t, r.command("edit", `{"instruction":"x","preview":"sideways"}`), "error -32602", "auto, native, diff")
	mustHold(t, r.command("edit", `{"instruction":"x","uri":"untitled:Untitled-1"}`), "error -32602", "untitled:Untitled-1", "save it")
	if n := len(r.model.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}
