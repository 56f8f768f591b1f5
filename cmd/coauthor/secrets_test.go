package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/llm/llmtest"
)

// A key that the editor hands over is used from the next request to the model on, and forgotten when it says so; it stands
// in no log, nor do the words of who hands it over wrongly.
func TestSecretsOfTheEditor(t *testing.T) {
	script, err := llmtest.Parse([]byte("key: sk-of-the-editor\nrepeat: true\n-- 1.md --\nBecause.\n"))
	if err != nil {
		t.Fatal(err)
	}
	model := llmtest.Start(script)
	t.Cleanup(model.Close)
	env := noEnvironment(t)
	config := filepath.Join(env("HOME"), ".config", "coauthor", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(config), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, []byte("model: scripted\napiBase: "+model.URL+"\napiKeyEnv: OWN_KEY\nretries: 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	cutWhenHung(t, fromServer, "the server's next answer")
	var log strings.Builder
	done := make(chan int, 1)
	go func() {
		code, err := (&ServeCmd{Poll: time.Minute, Verbose: true}).Run(context.Background(), Streams{In: in, Out: out, Err: &log, Env: env})
		if err != nil {
			t.Error(err)
		}
		done <- code
	}()
	r := bufio.NewReader(fromServer)
	var seen strings.Builder
	until := func(want string) string {
		t.Helper()
		for {
			s, err := readFrame(r)
			if err != nil {
				t.Fatalf("%v\n%s", err, seen.String())
			}
			seen.WriteString(s + "\n")
			if strings.Contains(s, want) {
				return s
			}
		}
	}
	frame(toServer, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"experimental":{"coauthor":{"turn":true,"stream":true}}}}}`)
	until(`"id":1,`)
	frame(toServer, `{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	id := 1
	ask := func(want string) {
		t.Helper()
		id++
		frame(toServer, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"workspace/executeCommand","params":{"command":"coauthor.ask","arguments":["Why?"]}}`, id))
		for {
			s := until(`"method":"coauthor/turn"`)
			if strings.Contains(s, `"state":"answered"`) || strings.Contains(s, `"state":"failed"`) {
				if !strings.Contains(s, want) {
					t.Errorf("it ended with %s, want %s", s, want)
				}
				return
			}
		}
	}
	secret := func(params string) {
		frame(toServer, `{"jsonrpc":"2.0","method":"coauthor/setSecret","params":`+params+`}`)
	}
	ask(`"state":"failed"`)
	secret(`{"name":"OWN_KEY","value":"sk-of-the-editor"}`)
	ask(`"state":"answered"`)
	secret(`{"name":"sk-mixed-up","value":"OWN_KEY"}`)
	secret(`{"name":"OTHER_KEY","value":"` + strings.Repeat("sk-long", 4000) + `"}`)
	secret(`"sk-alone"`)
	ask(`"state":"answered"`)
	secret(`{"name":"OWN_KEY","value":""}`)
	ask(`"state":"failed"`)
	id++
	frame(toServer, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"shutdown"}`, id))
	until(fmt.Sprintf(`"id":%d,`, id))
	frame(toServer, `{"jsonrpc":"2.0","method":"exit"}`)
	await(t, done, "the end of the server")
	if text := log.String() + seen.String(); strings.Contains(text, "sk-") {
		i := strings.Index(text, "sk-")
		t.Errorf("a key is told: %s", text[max(0, i-200):min(len(text), i+100)])
	}
	if !strings.Contains(log.String(), "coauthor/setSecret") {
		t.Errorf("nothing is said of a key that is not taken:\n%s", log.String())
	}
}
