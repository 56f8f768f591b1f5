package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"coauthor/agent/doctor"
	"coauthor/agent/llm/llmtest"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// TestInterruptedBeforeTheBeginning: a command whose end is wanted before it began does nothing, and says so
// by its status.
func TestInterruptedBeforeTheBeginning(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range []string{"doctor --root ROOT --model local --api-base URL", "map --root ROOT", "ask -m x --root ROOT --model local --api-base URL",
		"edit -m x --yes --root ROOT --model local --api-base URL ROOT/a.py"} {
		h := newShell(t, "repeat: true\n-- 1.md --\n"+twoReply)
		line := strings.Fields(strings.NewReplacer("ROOT", h.root, "URL", h.server.URL).Replace(args))
		code := run(ctx, line, Streams{In: strings.NewReader(""), Out: &h.out, Err: &h.err, Env: noEnvironment(t)})
		if code != 130 || !strings.HasSuffix(h.err.String(), "coauthor: interrupted\n") || len(h.server.Requests()) > 0 || h.read("a.py") != "x = 1\r\nz = 1" {
			t.Errorf("%s: exit %d, %d requests, told %s", args, code, len(h.server.Requests()), h.err.String())
		}
	}
}

// TestReasonsOfWriting: each kind of failure has its own word in the report.
func TestReasonsOfWriting(t *testing.T) {
	for want, err := range map[string]error{
		"changed-on-disk": workspace.ErrChanged, edits.ReasonUndecodable: workspace.ErrUndecodable, edits.ReasonRefused: workspace.ErrRefused,
		edits.ReasonUnreadable: errors.New("the disk was taken out"),
	} {
		if got := reasonOfWrite(fmt.Errorf("write a.txt: %w", err)); got != want {
			t.Errorf("%v is %q, want %q", err, got, want)
		}
	}
}

// TestFakeModelLosesNoRecord without saying so.
func TestFakeModelLosesNoRecord(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no device here is always full")
	}
	dir := lay(t, map[string]string{"script": "-- 1.md --\nhello\n"})
	out := &lockedBuffer{}
	var errs bytes.Buffer
	done := make(chan int, 1)
	go func() {
		done <- run(t.Context(), []string{"fake-model", "--script", filepath.Join(dir, "script"), "--record", "/dev/full"}, Streams{In: strings.NewReader(""), Out: out, Err: &errs, Env: noEnvironment(t)})
	}()
	h := &shell{t: t, root: dir}
	waitUntil(t, "the URL of the model", func() bool { return strings.HasSuffix(out.String(), "\n") })
	r := runLine(t, nil, "", "ask", "-m", "x", "--root", h.root, "--model", "local", "--api-base", strings.TrimSpace(out.String()))
	if code := await(t, done, "the end of a model that cannot record"); code != 1 || !strings.Contains(errs.String(), "write the record") {
		t.Errorf("exit %d, told %s; the client had %+v", code, errs.String(), r)
	}
}

// TestTheDoctorTellsWhatFails, in the model and in the settings; one request is one.
func TestTheDoctorTellsWhatFails(t *testing.T) {
	server := llmtest.Start(&llmtest.Script{Models: []string{"scripted"}, Replies: []llmtest.Reply{{Number: 1, Text: "busy", Delivery: llmtest.Delivery{Status: 503, Repeat: true}}}})
	defer server.Close()
	r := runLine(t, nil, "", "doctor", "--ask-model", "--root", lay(t, nil), "--model", "scripted", "--api-base", server.URL)
	if r.code != 1 || !strings.Contains(unwrapped(r.out), "request problem ") || len(server.Requests()) != 1 {
		t.Errorf("exit %d, %d requests\n%s%s", r.code, len(server.Requests()), r.out, r.err)
	}
	home := lay(t, nil)
	r = runLine(t, map[string]string{"HOME": home, "XDG_CONFIG_HOME": ""}, "", "doctor", "--root", lay(t, nil), "--local-server", "http://127.0.0.1:1")
	if r.code != 1 || !strings.Contains(strings.Join(strings.Fields(r.out), ""), filepath.Join(home, ".config", "coauthor", "config.yaml")) {
		t.Errorf("who has configured nothing: exit %d\n%s%s", r.code, r.out, r.err)
	}
	w := newWiring(Streams{Env: noEnvironment(t)}, nil, nil)
	if checks := examine(t.Context(), w, "", w.plain(""), nil, nil); len(checks) == 0 || checks[len(checks)-1].Name != "root" || checks[len(checks)-1].OK || len(slices.DeleteFunc(checks, func(c doctor.Check) bool { return c.Name != "root" })) != 1 {
		t.Errorf("without a root: %+v", checks)
	}
	r = runLine(t, map[string]string{"COAUTHOR_FILES_ENCODING": "klingon"}, "", "doctor", "--root", lay(t, nil), "--model", "scripted", "--api-base", server.URL)
	if r.code != 1 || !strings.Contains(r.out, "klingon") || !strings.Contains(unwrapped(r.out), " root problem ") {
		t.Errorf("exit %d\n%s%s", r.code, r.out, r.err)
	}
}
