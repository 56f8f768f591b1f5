package lsp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/settings"
	"coauthor/lsp/pending"
	"coauthor/lsp/turnview"
)

// announced lists what messages say of proposals: the state and revision that each coauthor/pending has.
func announced(seen []string) (list []string) {
	for _, s := range seen {
		var m struct {
			Method string
			Params struct {
				State    string
				Revision int
			}
		}
		if json.Unmarshal([]byte(s), &m) == nil && m.Method == pending.MethodPending {
			list = append(list, fmt.Sprintf("%s %d", m.Params.State, m.Params.Revision))
		}
	}
	return list
}

// A proposal is announced once for each state that it comes to, in the turn and after it; one that another takes the
// place of is not announced again.
func TestAProposalIsAnnouncedOnce(t *testing.T) {
	r := newModelHarness(t, llmtest.Say(reply), nil)
	r.initialize(`{"window":{"workDoneProgress":true},"experimental":{"coauthor":{"turn":true,"pending":true}}}`, "null")
	r.open("a.txt", "one\ntwo\n")
	start := func(name, args string) []string {
		mustHold(t, r.command(name, args), `"status":"started"`)
		return r.watch(func(method string, p map[string]any) bool {
			return method == turnview.MethodTurn && p["state"] == "proposed"
		})
	}
	seen := start("edit", `{"instruction":"Change it."}`)
	if got := announced(seen); !slices.Equal(got, []string{"pending 1"}) {
		t.Errorf("proposed, and announced %v", got)
	}
	mustHold(t, r.call(methodGetPending, `{}`), `"revision":1`) // what a client fetches counts as seen
	mustHold(t, r.command("discard", `{}`), `"status":"discarded"`)
	seen = r.watch(func(method string, p map[string]any) bool {
		return method == turnview.MethodTurn && p["state"] == "discarded"
	})
	if got := announced(seen); !slices.Equal(got, []string{"discarded 1"}) {
		t.Errorf("discarded, and announced %v", got)
	}
}

// Who tells the user of failed turns is told what they came to, and whether that is for the set-up, for which it
// has buttons; others get a message that says what to do.
func TestAFailureIsToldOnce(t *testing.T) {
	for announced, alone := range map[string]bool{`"turn":true`: false, `"pending":true,"failures":true`: false, `"turn":true,"failures":true`: true} {
		r := newModelHarness(t, script(t, "-- 1.md --\nno such key\n-- 1.yaml --\nstatus: 401\n-- 2.md --\nWhat is there, twice and not fitting.\n-- 2.yaml --\nstatus: 400\n"), nil)
		r.initialize(`{"experimental":{"coauthor":{`+announced+`}}}`, "null")
		r.open("a.txt", "one\n")
		for _, unready := range []bool{true, false} {
			mustHold(t, r.command("ask", `{"instruction":"Why?"}`), `"status":"started"`)
			seen := r.watch(func(method string, p map[string]any) bool {
				if method != turnview.MethodTurn || p["state"] != "failed" {
					return false
				}
				if told, _ := p["unready"].(bool); told != unready || p["message"] == "" {
					t.Errorf("%s: the end is told as %v", announced, p)
				}
				if text, _ := p["message"].(string); unready && strings.Contains(text, "apiKeyEnv") == alone {
					t.Errorf("%s: what to do about the key is told as %q", announced, text)
				}
				return true
			})
			r.idle() // what comes at the end has come
			told := len(slices.DeleteFunc(seen, func(s string) bool { return !strings.Contains(s, `"window/showMessage"`) }))+len(r.messages()) > 0
			if told == alone {
				t.Errorf("%s: a message: %v", announced, told)
			}
		}
	}
}

// The status names what is missing of the set-up, and the files that were added to the chat.
func TestStatusTellsOfTheSetUp(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) {
		o.Lacks = func(v settings.Settings) string {
			if v.Model == "scripted" {
				return "There is no key."
			}
			return ""
		}
	})
	r.initialize("{}", "null")
	r.open("a.txt", "one\n")
	mustHold(t, r.command("status", ""), `"lacks":"There is no key."`, `"files":[]`, `"readOnly":[]`)
	mustHold(t, r.command("setModel", `"ollama/other"`), "ollama/other")
	r.command("addFile", `["a.txt"]`)
	if s := r.command("status", ""); strings.Contains(s, "lacks") || !strings.Contains(s, `"files":["`+r.uri("a.txt")+`"]`) {
		t.Error(s)
	}
}

// With the end of a turn an editor is told which commands its answer suggests, where commands can be run.
func TestSuggestedCommandsAreTold(t *testing.T) {
	for _, runs := range []bool{true, false} {
		r := newModelHarness(t, script(t, "-- 1.md --\nTry it:\n\n```sh\necho one\necho two\n```\n"), func(o *Options) {
			engine := o.Engine
			o.Engine = func(h Hooks) *agent.Engine {
				e := engine(h).Options()
				if runs {
					e.Environ = []string{"PATH=/usr/bin:/bin"}
				}
				return agent.NewEngine(e)
			}
		})
		r.initialize(`{"experimental":{"coauthor":{"turn":true}}}`, "null")
		r.open("a.txt", "one\n")
		mustHold(t, r.command("ask", `{"instruction":"How?"}`), `"status":"started"`)
		r.watch(func(method string, p map[string]any) bool {
			if method != turnview.MethodTurn {
				return false
			}
			over, want := p["state"] == "answered", "<nil>"
			if over && runs {
				want = "[echo one echo two]"
			}
			if got := fmt.Sprint(p["commands"]); got != want {
				t.Errorf("%v: %v suggests %s, want %s", runs, p["state"], got, want)
			}
			return over
		})
	}
}
