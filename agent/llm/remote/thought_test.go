package remote_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
)

// thought is a way in which servers send what a model thinks before its answer: as events, whose deltas
// these are.
type thought struct {
	name string
	tag  string // the setting reasoningTag
	// tagged says that thinking and answer come in one text, so that an answer of nothing is one that
	// nobody can tell from a tag that was never closed.
	tagged bool
	deltas func(thinking, answer string, size int) []map[string]any
}

// fields sends the thinking in fields of its own.
func fields(names ...string) func(thinking, answer string, size int) []map[string]any {
	return func(thinking, answer string, size int) (list []map[string]any) {
		for _, piece := range cutUp(thinking, size) {
			delta := map[string]any{"content": ""}
			for _, name := range names {
				delta[name] = piece
			}
			list = append(list, delta)
		}
		for _, piece := range cutUp(answer, size) {
			list = append(list, map[string]any{"content": piece, "reasoning": nil})
		}
		return list
	}
}

// tags sends all of it as content. The end is left out where there is no answer.
func tags(opening, closing string) func(thinking, answer string, size int) []map[string]any {
	return func(thinking, answer string, size int) (list []map[string]any) {
		text := opening + thinking
		if answer != "" {
			text += closing + "\n\n" + answer
		}
		for _, piece := range cutUp(text, size) {
			list = append(list, map[string]any{"content": piece})
		}
		return list
	}
}

func contentParts(thinking, answer string, size int) (list []map[string]any) {
	for _, piece := range cutUp(thinking, size) {
		list = append(list, map[string]any{"content": []any{
			map[string]any{"type": "thinking", "thinking": []any{map[string]any{"type": "text", "text": piece}}}}})
	}
	for _, piece := range cutUp(answer, size) {
		list = append(list, map[string]any{"content": []any{map[string]any{"type": "text", "text": piece}}})
	}
	return list
}

func cutUp(text string, size int) (list []string) {
	for text != "" {
		n := min(size, len(text))
		list, text = append(list, text[:n]), text[n:]
	}
	return list
}

var thoughts = []thought{
	{"reasoning_content", "", false, fields("reasoning_content")},
	{"reasoning", "", false, fields("reasoning")},
	{"both fields", "", false, fields("reasoning", "reasoning_content")},
	{"parts", "", false, contentParts},
	{"<think>", "", true, tags("<think>", "</think>")},
	{"<thinking> on a line", "", true, tags("\n<thinking>\n", "\n</thinking>")},
	{"<thought>", "", true, tags("<thought>", "</thought>")},
	{"<reasoning>", "think", true, tags("<reasoning>", "</reasoning>")},
	{"[THINK]", "", true, tags("[THINK]", "[/THINK]")},
	{"a tag of one's own", "ponder", true, tags("<ponder>", "</ponder>")},
}

// saying is a server that sends deltas and then an end: a finish reason, "cut" for a connection that
// breaks, or "none" for a stream that just ends.
func saying(t *testing.T, stream bool, deltas []map[string]any, finish string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !stream {
			whole := map[string]any{}
			for _, delta := range deltas {
				for name, value := range delta {
					switch value := value.(type) {
					case string:
						so, _ := whole[name].(string)
						whole[name] = so + value
					case []any:
						so, _ := whole[name].([]any)
						whole[name] = append(so, value...)
					}
				}
			}
			reason := any(finish)
			if finish == "none" {
				reason = nil
			}
			text, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": whole, "finish_reason": reason}}})
			if finish == "cut" {
				text = text[:len(text)/2]
			}
			_, _ = w.Write(text)
			return
		}
		for _, delta := range deltas {
			text, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": delta}}})
			fmt.Fprintf(w, "data: %s\n\n", text)
		}
		switch finish {
		case "cut":
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		case "none":
		default:
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", finish)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestThinkingIsNoAnswer has every way of thinking end in every way: what the model thought is never
// text to act upon, neither while it streams nor at the end, neither whole nor cut.
func TestThinkingIsNoAnswer(t *testing.T) {
	const thinking, answer = "a.py\n```\n<<<<<<< SEARCH\nx\n=======\nweighed\n>>>>>>> REPLACE\n```\nbut < no", "Do <b>it</b>.\n"
	finishes := map[string]llm.Finish{
		"stop": llm.FinishStop, "length": llm.FinishLength, "content_filter": llm.FinishRefused, "cut": llm.FinishCut, "none": llm.FinishCut,
	}
	for _, x := range thoughts {
		for _, stream := range []bool{true, false} {
			for _, size := range []int{1, 7, 1000} {
				for _, said := range []string{answer, ""} {
					for finish, want := range finishes {
						if !stream && (size > 1 || finish == "cut") { // it comes in one piece, or not at all
							continue
						}
						name := fmt.Sprintf("%s, streamed %v, pieces of %d, answer %q, %s", x.name, stream, size, said, finish)
						r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.Retries = -1 })
						r.profile.APIBase, r.profile.Streaming, r.profile.ReasoningTag = saying(t, stream, x.deltas(thinking, said, size), finish), stream, x.tag
						reply, err := r.stream()
						if finish == "none" && !stream { // all of it is there
							finish, want = "stop", llm.FinishStop
						}
						if want == llm.FinishCut {
							var e *llm.Error
							if !errors.As(err, &e) || e.Kind != llm.BadStream {
								t.Errorf("%s: %+v, %v", name, reply, err)
								continue
							}
							reply = e.Partial
						} else if err != nil {
							t.Errorf("%s: %v", name, err)
							continue
						}
						// Who only thought and then stopped has something to show, which is marked.
						if only := x.tagged && said == "" && finish == "stop"; only {
							if !reply.OnlyThought || strings.TrimSpace(reply.Text) != thinking || reply.Reasoning != "" {
								t.Errorf("%s: %+v", name, reply)
							}
						} else if reply.OnlyThought || reply.Text != said || strings.TrimSpace(reply.Reasoning) != thinking {
							t.Errorf("%s: %+v", name, reply)
						}
						if reply.Finish != want {
							t.Errorf("%s: it ends by %q, want %q", name, reply.Finish, want)
						}
						if got := strings.TrimLeft(r.text(event.ChannelAnswer), "\n"); got != said {
							t.Errorf("%s: streamed as the answer: %q", name, got)
						}
						if got := strings.TrimSpace(r.text(event.ChannelReasoning)); got != thinking {
							t.Errorf("%s: streamed as thinking: %q", name, got)
						}
					}
				}
			}
		}
	}
}

// Where the opening tag stands in the prompt, the end of the thinking shows only when it comes. From
// then on it is known, also when the reply breaks off behind it.
func TestThinkingWithoutItsBeginning(t *testing.T) {
	for _, x := range []struct {
		finish string
		want   llm.Finish
	}{{"stop", llm.FinishStop}, {"length", llm.FinishLength}, {"cut", llm.FinishCut}, {"none", llm.FinishCut}} {
		r := newHarness(t, "-- 1.md --\nx\n", func(o *remote.Options) { o.Retries = -1 })
		r.profile.APIBase = saying(t, true, tags("", "\n</think>")("weighed", "Done.\n", 3), x.finish)
		reply, err := r.stream()
		var e *llm.Error
		if errors.As(err, &e) {
			reply = e.Partial
		}
		if (err != nil) != (x.want == llm.FinishCut) || reply.Text != "Done.\n" || reply.Reasoning != "weighed\n" || reply.Finish != x.want {
			t.Errorf("%s: %+v, %v", x.finish, reply, err)
		}
	}
}

// A cancelled call has failed, whatever has come by then: the whole text, the finish reason, the usage,
// even the end of the stream.
func TestACancelledReplyIsNotComplete(t *testing.T) {
	const text = "all there is"
	last := `{"choices":[{"delta":{"content":"all there is"},"finish_reason":"stop"}]%s}`
	counted := fmt.Sprintf(last, `,"usage":{"prompt_tokens":3,"completion_tokens":3}`)
	for name, x := range map[string]struct {
		body   string
		stream bool
		stays  bool // the connection stays open
	}{
		"in the middle":           {"data: {\"choices\":[{\"delta\":{\"content\":\"all there is\"}}]}\n\n", true, true},
		"behind the finish":       {"data: " + fmt.Sprintf(last, "") + "\n\n", true, true},
		"behind the usage":        {"data: " + counted + "\n\n", true, true},
		"at the end":              {"data: " + counted + "\n\ndata: [DONE]\n\n", true, false},
		"at an end without marks": {"data: " + fmt.Sprintf(last, "") + "\n\n", true, false},
		"not streamed":            {strings.ReplaceAll(counted, "delta", "message"), false, false},
		"not streamed, no usage":  {strings.ReplaceAll(fmt.Sprintf(last, ""), "delta", "message"), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				fmt.Fprint(w, x.body)
				_ = http.NewResponseController(w).Flush()
				if x.stays {
					<-q.Context().Done()
				}
			}))
			defer server.Close()
			r := newHarness(t, "-- 1.md --\nx\n")
			r.profile.APIBase, r.profile.Streaming = server.URL, x.stream
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			reply, err := r.client.Stream(ctx, llm.Request{Model: r.profile, Messages: []llm.Message{llm.Text(llm.RoleUser, "x")}},
				func(d llm.Delta) { cancel() })
			var e *llm.Error
			if !errors.As(err, &e) || e.Kind != llm.Canceled || !errors.Is(err, context.Canceled) {
				t.Fatalf("%+v, %v", reply, err)
			}
			if e.Partial.Text != text || e.Partial.Finish != llm.FinishCut || reply.Finish != llm.FinishCut {
				t.Errorf("kept %+v, given %+v", e.Partial, reply)
			}
		})
	}
}
