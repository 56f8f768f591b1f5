package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestFakeModel runs the sub-command as the editor suite does: it reads the URL, asks twice, hangs up
// once, and finds it all in the record.
func TestFakeModel(t *testing.T) {
	dir := t.TempDir()
	script, record := filepath.Join(dir, "script.txtar"), filepath.Join(dir, "record.jsonl")
	if err := os.WriteFile(script, []byte("-- 1.md --\nhello\n-- 2.md --\nfirst half, second half\n-- 2.yaml --\nhold: true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	outR, outW := io.Pipe()
	cutWhenHung(t, outR, "the URL of the scripted model")
	inR, inW := io.Pipe()
	var errs bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- run(t.Context(), []string{"fake-model", "--while-stdin", "--script", script, "--record", record},
			Streams{In: inR, Out: outW, Err: &errs, Env: os.Getenv})
	}()
	url, err := bufio.NewReader(outR).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context) *http.Response {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSpace(url)+"/v1/chat/completions",
			strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	limit, enough := context.WithTimeout(t.Context(), hung)
	defer enough()
	resp := ask(limit)
	if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), "hello") {
		t.Errorf("%s, %v", body, err)
	}
	_ = resp.Body.Close()
	ctx, cancel := context.WithCancel(limit)
	resp = ask(ctx)
	if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
		t.Error(err)
	}
	cancel()
	_ = resp.Body.Close()

	deadline, stop := context.WithTimeout(t.Context(), hung)
	defer stop()
	var lines []string
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for len(lines) < 3 {
		select {
		case <-look.C:
		case <-deadline.Done():
			t.Fatalf("the hang-up was never recorded: %q", lines)
		}
		data, err := os.ReadFile(record)
		if err != nil {
			t.Fatal(err)
		}
		lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	}
	if !strings.Contains(lines[0], `"content":"hi"`) || lines[2] != `{"number":2,"closed":true}` {
		t.Errorf("record %q", lines)
	}
	_ = inW.Close() // the editor's test is over
	if code := await(t, ended, "the end of the scripted model"); code != 0 {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

func TestFakeModelRefusesABadScript(t *testing.T) {
	var out, errs bytes.Buffer
	name := filepath.Join(t.TempDir(), "s")
	if err := os.WriteFile(name, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := run(t.Context(), []string{"fake-model", "--script", name}, Streams{Out: &out, Err: &errs}); code != 2 || !strings.Contains(errs.String(), "no reply") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}
