package agent_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
)

// TestForcedCall: in the edit format func the model is sent a tool and made to call it: the one that writes
// as the model edits best. Its arguments are the edits, which are refused and asked for again as others.
func TestForcedCall(t *testing.T) {
	const replace = `{"explanation":"Import it.","edits":[{"path":"a.py","original_lines":["import os"],"updated_lines":["import os","import sys"]}]}`
	const whole = `{"explanation":"Import it.","files":[{"path":"a.py","content":"import os\nimport sys\n"}]}`
	const absent = `{"edits":[{"path":"a.py","original_lines":["nothing like it"],"updated_lines":["x"]}]}`
	for _, x := range []struct {
		best, tool string
		replies    []string
		streamed   bool
	}{
		{"diff", "replace_lines", []string{replace}, true},
		{"diff", "replace_lines", []string{replace}, false},
		{"whole", "write_file", []string{whole}, true},
		{"diff", "replace_lines", []string{absent, replace}, true},
	} {
		var script strings.Builder
		for i, reply := range x.replies {
			script.WriteString("-- " + string(rune('1'+i)) + ".md --\n" + reply + "\n")
		}
		b := newBench(t, script.String(), map[string]string{"a.py": "import os\n"})
		b.user.EditFormat = x.best
		b.user.Streaming = &x.streamed
		r, events := b.run(agent.Request{Instruction: "Import sys.", Files: []string{"a.py"}, Format: "func"})
		b.checkEvents(events, r)
		if r.Proposal == nil || r.Proposal.Files[0].Change.After != "import os\nimport sys\n" {
			t.Errorf("%+v: %+v", x, r)
		}
		requests := b.server.Requests()
		if len(requests) != len(x.replies) {
			t.Errorf("%+v: %d requests", x, len(requests))
		}
		for _, sent := range requests {
			var body struct {
				Tools []struct {
					Function struct {
						Name       string
						Parameters struct{ Type string }
					}
				}
				Choice struct{ Function struct{ Name string } } `json:"tool_choice"`
			}
			if err := json.Unmarshal(sent.Body, &body); err != nil {
				t.Fatal(err)
			}
			if len(body.Tools) != 1 || body.Tools[0].Function.Name != x.tool || body.Choice.Function.Name != x.tool || body.Tools[0].Function.Parameters.Type != "object" {
				t.Errorf("%+v: sent %s", x, sent.Body)
			}
		}
		if !slices.ContainsFunc(events, func(e event.Event) bool { return e.Kind == event.KindEdit && e.Path == "a.py" }) && x.streamed {
			t.Errorf("%+v: no edit was seen while it came", x)
		}
	}
}

// TestForcedCallWithoutTools: a server that has no tools is told of in words that help, and other formats
// send no tool.
func TestForcedCallWithoutTools(t *testing.T) {
	b := newBench(t, "-- 1.md --\nthis model does not support tools\n-- 1.yaml --\nstatus: 400\n-- 2.md --\nNothing to do.\n", map[string]string{"a.py": "import os\n"})
	r, _ := b.run(agent.Request{Instruction: "Import sys.", Files: []string{"a.py"}, Format: "func"})
	if r.Err == nil || !strings.Contains(r.Err.Error(), "func") || !strings.Contains(r.Err.Error(), "diff or whole") {
		t.Errorf("%+v", r)
	}
	if r, _ = b.run(agent.Request{Instruction: "Import sys.", Files: []string{"a.py"}}); r.Err != nil {
		t.Errorf("%+v", r)
	}
	if last := b.server.Requests()[1]; strings.Contains(string(last.Body), `"tools"`) {
		t.Errorf("sent %s", last.Body)
	}
}
