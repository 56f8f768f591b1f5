package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"coauthor/agent/settings"
	"coauthor/lsp/lsptest"
)

// The doctor sends the model one small request only after the user has agreed in a dialog, and what came
// of it stands on the page and in a message.
func TestDoctorAsksBeforeItAsksTheModel(t *testing.T) {
	for _, x := range []struct {
		what    string
		options string
		answer  string // of the dialog, as JSON; "" for a client that keeps silent
		untried bool   // a request would tell more
		works   bool   // the model answers it
		asked   bool   // the user is
		sent    bool   // the request is
	}{
		{"yes", "null", `{"title":"Send it"}`, true, true, true, true},
		{"yes, and the model fails", "null", `{"title":"Send it"}`, true, false, true, true},
		{"no", "null", `{"title":"No"}`, true, true, true, false},
		{"closed", "null", `null`, true, true, true, false},
		{"something else", "null", `{"title":"Sure"}`, true, true, true, false},
		{"no title", "null", `{}`, true, true, true, false},
		{"silence", "null", ``, true, true, true, false},
		{"nothing to find out", "null", `{"title":"Send it"}`, false, true, false, false},
		{"a client that declares none", `{"client":"helix"}`, `{"title":"Send it"}`, true, true, false, false},
	} {
		t.Run(x.what, func(t *testing.T) {
			var mu sync.Mutex
			var requests []bool
			r := newModelHarness(t, nil, func(o *Options) {
				if x.answer == "" {
					o.patience = 0.0001 // of the two minutes for an answer
				}
				o.Doctor = func(_ context.Context, _ string, _ settings.Settings, _ []settings.Warning, request bool) []Check {
					mu.Lock()
					defer mu.Unlock()
					requests = append(requests, request)
					if !request {
						return []Check{{Name: "endpoint", OK: true, Message: "answers", Untried: x.untried}}
					}
					return []Check{{Name: "endpoint", OK: true, Message: "answers"}, {Name: "request", OK: x.works, Message: "the-reply", Advice: "do that"}}
				}
			})
			var dialogs []string
			shown := 0
			r.Answer = func(method string, params json.RawMessage) string {
				mu.Lock()
				defer mu.Unlock()
				switch method {
				case "window/showDocument":
					shown++
					return `{"success":true}`
				case "window/showMessageRequest":
					if shown == 0 {
						t.Error("it asks before the page is there")
					}
					dialogs = append(dialogs, string(params))
					return x.answer
				}
				return "null"
			}
			r.initialize(plainCaps, x.options)
			r.open("a.txt", "one\n")
			mustHold(t, r.command("doctor", ""), `"name":"endpoint"`)
			ctx, stop := context.WithTimeout(t.Context(), lsptest.Hung)
			defer stop()
			r.s.tasks.Wait(ctx)
			text, err := os.ReadFile(filepath.Join(r.root, ".coauthor", "doctor.md"))
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			defer mu.Unlock()
			if (len(dialogs) == 1) != x.asked || len(dialogs) > 1 {
				t.Errorf("dialogs %q", dialogs)
			}
			if x.asked {
				mustHold(t, dialogs[0], `"Send it"`, `"No"`)
			}
			want := []bool{false}
			if x.sent {
				want = append(want, true)
			}
			if !slices.Equal(requests, want) {
				t.Errorf("the checks were made with requests %v, want %v", requests, want)
			}
			if strings.Contains(string(text), "the-reply") != x.sent {
				t.Errorf("the page says\n%s", text)
			}
			if !x.sent {
				return
			}
			if shown != 2 {
				t.Errorf("the page was shown %d times", shown)
			}
			seen := r.watch(func(method string, _ map[string]any) bool { return method == "window/showMessage" })
			said := seen[len(seen)-1] // it may have come before the answer to the command
			if strings.Contains(said, "the-reply") == x.works || strings.Contains(said, "do that") == x.works || strings.Contains(said, `"type":2`) == x.works {
				t.Errorf("the message is %s", said)
			}
		})
	}
}

// A client with a place of its own for the result has no page opened, and is asked nothing.
func TestDoctorOpensNothingWhenQuiet(t *testing.T) {
	r := newModelHarness(t, nil, func(o *Options) {
		o.Doctor = func(context.Context, string, settings.Settings, []settings.Warning, bool) []Check {
			return []Check{{Name: "endpoint", Message: "nobody is there", Advice: "start it", Untried: true}}
		}
	})
	r.Answer = func(method string, _ json.RawMessage) string {
		if method == "window/showDocument" || method == "window/showMessageRequest" {
			t.Errorf("%s", method)
		}
		return "null"
	}
	r.initialize(plainCaps, "null")
	r.open("a.txt", "one\n")
	mustHold(t, r.command("doctor", `{"quiet":true}`), `"ok":false`, "nobody is there", "start it")
	ctx, stop := context.WithTimeout(t.Context(), lsptest.Hung)
	defer stop()
	r.s.tasks.Wait(ctx)
	if _, err := os.Stat(filepath.Join(r.root, ".coauthor", "doctor.md")); err == nil {
		t.Error("the page was written")
	}
}

// A page that is a virtual document is open with its old text: the client is told to fetch it again.
func TestDoctorsPageIsFetchedAgain(t *testing.T) {
	looked := 0
	r := newModelHarness(t, nil, func(o *Options) {
		o.Doctor = func(context.Context, string, settings.Settings, []settings.Warning, bool) []Check {
			looked++
			return []Check{{Name: "endpoint", OK: true, Message: fmt.Sprintf("look %d", looked)}}
		}
	})
	refreshed := make(chan string, 10)
	r.Answer = func(method string, params json.RawMessage) string {
		switch method {
		case "window/showDocument":
			return `{"success":true}`
		case "workspace/textDocumentContent/refresh":
			refreshed <- string(params)
		}
		return "null"
	}
	r.initialize(strings.Replace(plainCaps, `"applyEdit":true`, `"applyEdit":true,"textDocumentContent":{}`, 1), "null")
	r.open("a.txt", "one\n")
	for range 2 {
		r.command("doctor", "")
		ctx, stop := context.WithTimeout(t.Context(), lsptest.Hung)
		r.s.tasks.Wait(ctx)
		stop()
	}
	select {
	case params := <-refreshed:
		mustHold(t, params, `"uri":"coauthor:/doctor.md"`)
	case <-time.After(lsptest.Hung):
		t.Fatal("the client was not told")
	}
	if len(refreshed) > 0 {
		t.Error(fmt.Sprint("told more than once: ", <-refreshed))
	}
}
