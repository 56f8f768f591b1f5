package remote_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/llm"
)

// keysOf are keys in the forms of their makers, put together here so that no scanner takes them for real ones.
func keysOf() []string {
	body := "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
	return []string{"sk-proj-" + body, "AKIA" + "IOSFODNN7EXAMPLE", "ghp_" + body, "glpat-" + body[:20], "xoxb-" + "123456789012-" + body[:20], "AIza" + body[:35], "hf_" + body[:34], "sk_live_" + body[:24]}
}

// TestKeysAreHidden: no key goes out, in whatever part of a message; the same one has the same name each time; and the
// answer has it again wherever the model wrote the name, in whatever pieces it came.
func TestKeysAreHidden(t *testing.T) {
	name := regexp.MustCompile(`REDACTED_\d+_[a-z0-9]{6}`)
	for _, key := range keysOf() {
		for _, size := range []int{1, 2, 7, 1000} {
			hidden := llm.NewHidden()
			first, fresh := hidden.Hide([]llm.Message{llm.Text(llm.RoleUser, "key: "+key)})
			found := name.FindString(first[0].String())
			if found == "" || fresh != 1 || strings.Contains(first[0].String(), key) {
				t.Fatalf("%s: %q", key, first[0].String())
			}
			script := fmt.Sprintf("chunk: %d\n-- 1.think.md --\nIs %s one?\n-- 1.md --\nR RE REDACTED_ REDACTED_9 %s%s REDACTED_1_zz REDACTED\n-- 1.yaml --\ncalls: [{name: read, arguments: '{\"path\":\"%[2]s\"}'}]\n", size, found, found, found)
			r := newHarness(t, script)
			var told, thought strings.Builder
			reply, err := hidden.Client(r.client).Stream(t.Context(), llm.Request{Model: r.profile, Tools: offered(), Messages: []llm.Message{
				llm.Text(llm.RoleSystem, "Keys are "+key+"."), llm.Text(llm.RoleUser, key),
				llm.Reply{Calls: []llm.Call{{ID: "1", Name: "read", Arguments: `{"path":"` + key + `"}`}}}.Message(),
				llm.Results([]llm.Call{{ID: "1", Name: "read", Arguments: "{}"}}, []string{"7|" + key + "\n"}),
			}}, func(d llm.Delta) {
				if d.Channel == event.ChannelReasoning {
					thought.WriteString(d.Text)
				} else {
					told.WriteString(d.Text)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if body := string(r.server.Requests()[0].Body); strings.Contains(body, key) || strings.Count(body, found) != 4 {
				t.Errorf("%s is sent: %s", key, body)
			}
			want := "R RE REDACTED_ REDACTED_9 " + key + key + " REDACTED_1_zz REDACTED\n"
			if reply.Text != want || told.String() != want || thought.String() != "Is "+key+" one?\n" || len(reply.Calls) != 1 || reply.Calls[0].Arguments != `{"path":"`+key+`"}` || len(reply.Notes) > 0 {
				t.Errorf("pieces of %d: told %q, thought %q, %+v", size, told.String(), thought.String(), reply)
			}
		}
	}
}

// TestWhatLooksLikeAKey: lines of private keys do, also behind numbers; names of things do not. What is new is told once.
func TestWhatLooksLikeAKey(t *testing.T) {
	for _, kind := range []string{"RSA PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"} {
		t.Run(kind, func(t *testing.T) { looksLikeAKey(t, kind) })
	}
}

func looksLikeAKey(t *testing.T, kind string) {
	pem := "1|-----BEGIN " + kind + "-----\n2|MIIEowIBAAKCAQEAt5rSDCYTCG\n3|c1gTAFnlVA75bJTtpXcc2w==\n4|-----END " + kind + "-----\n"
	r := newHarness(t, "repeat: true\n-- 1.md --\nok\n")
	client := llm.NewHidden().Client(r.client)
	for i, want := range []int{2, 0} {
		reply, err := client.Stream(t.Context(), llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, pem)}}, nil)
		told := ""
		for _, note := range reply.Notes {
			told += note
		}
		if err != nil || strings.Contains(told, fmt.Sprintf("%d possible API keys", want)) != (want > 0) {
			t.Errorf("%q, %v", told, err)
		}
		if body := string(r.server.Requests()[i].Body); strings.Contains(body, "MIIE") || strings.Contains(body, "c1gTA") || !strings.Contains(body, "2|REDACTED_1_") || !strings.Contains(body, "3|REDACTED_2_") || !strings.Contains(body, "END "+kind) {
			t.Errorf("sent %s", body)
		}
	}
	for _, text := range []string{"sk-learn-pipeline-and-some-more-words", "ghp_is_what_tokens_of_github_begin_with_and_nothing", "AKIA", "-----BEGIN PRIVATE KEY-----", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b", "npm_config_registry"} {
		if m, fresh := llm.NewHidden().Hide([]llm.Message{llm.Text(llm.RoleUser, text)}); fresh > 0 || m[0].String() != text {
			t.Errorf("%q is hidden as %q", text, m[0].String())
		}
	}
}

// TestAFailureHasTheKeysAgain: what had arrived of an answer that broke off is as it would have been.
func TestAFailureHasTheKeysAgain(t *testing.T) {
	key := keysOf()[0]
	hidden := llm.NewHidden()
	first, _ := hidden.Hide([]llm.Message{llm.Text(llm.RoleUser, key)})
	r := newHarness(t, "-- 1.md --\nIt is "+first[0].String()+", and there is more to say.\n-- 1.yaml --\ncut: 40\n")
	_, err := hidden.Client(r.client).Stream(t.Context(), llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, key)}}, nil)
	var failed *llm.Error
	if !errors.As(err, &failed) || !strings.HasPrefix(failed.Partial.Text, "It is "+key+",") {
		t.Errorf("%v: %+v", err, failed)
	}
}
