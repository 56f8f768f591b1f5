package main

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/doctor"
	"coauthor/agent/llm/llmtest"
)

// doctorEnv is the environment of someone who has configured nothing but a key.
func doctorEnv(t *testing.T) func(string) string {
	home := t.TempDir()
	return func(n string) string {
		return map[string]string{"HOME": home, "XDG_STATE_HOME": home, "MY_KEY": "k"}[n]
	}
}

func TestDoctor(t *testing.T) {
	server := llmtest.Start(llmtest.Say("x"))
	defer server.Close()
	for _, x := range []struct {
		args string
		code int
		says string
	}{
		{"--model scripted --api-base " + server.URL, 0, "the endpoint offers scripted"},
		{"--model other --api-base " + server.URL, 0, "the server runs scripted for every model name"},
		{"--model gpt-4o", 1, "Set OPENAI_API_KEY"},
		{"--model scripted --api-base http://127.0.0.1:1", 1, "Start the local model server"},
	} {
		var out, errs bytes.Buffer
		args := append([]string{"doctor", "--root", t.TempDir()}, strings.Fields(x.args)...)
		code := run(t.Context(), args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: doctorEnv(t)})
		if code != x.code || !strings.Contains(out.String(), x.says) {
			t.Errorf("%s: exit %d\n%s%s", x.args, code, out.String(), errs.String())
		}
	}
}

func TestDoctorJSON(t *testing.T) {
	server := llmtest.Start(llmtest.Say("x"))
	defer server.Close()
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"doctor", "--json", "--root", t.TempDir(), "--model", "scripted", "--api-base", server.URL},
		Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: doctorEnv(t)})
	var got struct {
		OK     bool
		Checks []struct {
			Name, Text string
			OK         bool
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || code != 0 || !got.OK || len(got.Checks) < 6 {
		t.Errorf("exit %d, %v\n%s%s", code, err, out.String(), errs.String())
	}
	var in doctor.Input
	in.Locals = doctor.LocalServers()
	(&DoctorCmd{Locals: []string{"http://127.0.0.1:1", "http://127.0.0.1:2"}}).more(&in, nil)
	if diff := cmp.Diff([]doctor.LocalServer{{Name: "http://127.0.0.1:1", Base: "http://127.0.0.1:1"}, {Name: "http://127.0.0.1:2", Base: "http://127.0.0.1:2"}}, in.Locals); diff != "" || in.Complete != nil {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
	if code := run(t.Context(), []string{"doctor", "--root", "/no/such/folder"}, Streams{Out: &out, Err: &errs, Env: doctorEnv(t)}); code != 2 {
		t.Errorf("a folder that is not there: exit %d", code)
	}
}

// The doctor says what of the machine a report of a problem needs.
func TestDoctorTellsTheSystem(t *testing.T) {
	h := newShell(t, "-- 1.md --\nFine.\n")
	h.generate("", "doctor")
	if told := unwrapped(h.out.String()); !strings.Contains(told, "system ok coauthor ") || !strings.Contains(told, runtime.GOOS+"/"+runtime.GOARCH+", ") || !strings.Contains(told, ", git version ") {
		t.Errorf("told:\n%s%s", h.out.String(), h.err.String())
	}
}
