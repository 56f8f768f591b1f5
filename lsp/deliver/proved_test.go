package deliver

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"
	"time"

	"coauthor/lsp/client"
)

// What became of an edit is read in the documents, whatever the client says and when: they are watched as long as
// something is likely to come, and no longer.
func TestWhatIsProved(t *testing.T) {
	yes, no := client.Answer{Applied: true}, client.Answer{Reason: "no"}
	later := func(e *fakeEditor, after time.Duration, do func()) {
		go func() {
			time.Sleep(after)
			do()
		}()
	}
	goal := func(e *fakeEditor) func() { return func() { e.Put("a", goalOf("a"), 2) } }
	for _, test := range []struct {
		name    string
		quirks  client.Quirks
		options Options
		files   string
		answer  func(ctx context.Context, e *fakeEditor) (client.Answer, error)
		want    string
		within  time.Duration
	}{
		{"at once", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			goal(e)()
			return yes, nil
		}, "a landed", time.Millisecond},
		{"soon after the yes", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, tellTime-time.Millisecond, goal(e))
			return yes, nil
		}, "a landed", tellTime},
		{"long after the yes", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, tellTime+time.Millisecond, goal(e))
			return yes, nil
		}, "a unknown", 2 * tellTime},
		{"soon after the no", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, denyTime-time.Millisecond, goal(e))
			return no, nil
		}, "a landed", denyTime},
		{"long after the no", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, denyTime+time.Millisecond, goal(e))
			return no, nil
		}, "a absent", 2 * denyTime},
		{"a while before the answer", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			goal(e)()
			time.Sleep(tellTime / 2)
			return yes, nil
		}, "a landed", tellTime},
		{"done, and never answered", client.Quirks{}, Options{}, "a:", func(ctx context.Context, e *fakeEditor) (client.Answer, error) {
			goal(e)()
			<-ctx.Done()
			return client.Answer{}, ctx.Err()
		}, "a landed", 2 * tellTime},
		{"done late, and never answered", client.Quirks{}, Options{}, "a:", func(ctx context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, answerTime/2, goal(e))
			<-ctx.Done()
			return client.Answer{}, ctx.Err()
		}, "a landed", answerTime},
		{"neither done nor answered", client.Quirks{}, Options{}, "a:", func(ctx context.Context, _ *fakeEditor) (client.Answer, error) {
			<-ctx.Done()
			return client.Answer{}, ctx.Err()
		}, "a unknown", 2 * answerTime},
		{"answered when its user has read it", client.Quirks{}, Options{}, "a:", func(ctx context.Context, e *fakeEditor) (client.Answer, error) {
			select {
			case <-time.After(2 * answerTime):
				goal(e)()
				return yes, nil
			case <-ctx.Done():
				return client.Answer{}, ctx.Err()
			}
		}, "a unknown", 2 * answerTime},
		{"answered when its user was asked", client.Quirks{AsksItself: true}, Options{}, "a:", func(ctx context.Context, e *fakeEditor) (client.Answer, error) {
			select {
			case <-time.After(2 * answerTime):
				goal(e)()
				return yes, nil
			case <-ctx.Done():
				return client.Answer{}, ctx.Err()
			}
		}, "a landed", reviewTime},
		{"answered when its preview was read", client.Quirks{}, Options{Native: true}, "a:", func(ctx context.Context, e *fakeEditor) (client.Answer, error) {
			select {
			case <-time.After(2 * answerTime):
				goal(e)()
				return yes, nil
			case <-ctx.Done():
				return client.Answer{}, ctx.Err()
			}
		}, "a landed", reviewTime},
		{"in two halves", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.Put("a", strings.TrimSuffix(goalOf("a"), "\n"), 2)
			later(e, halfTime/2, goal(e))
			return yes, nil
		}, "a landed", halfTime},
		{"in its own way", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.Put("a", strings.TrimSuffix(goalOf("a"), "\n"), 2)
			return yes, nil
		}, "a landed~", tellTime},
		{"in its own way, late", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, time.Second, func() { e.Put("a", strings.TrimSuffix(goalOf("a"), "\n"), 2) })
			return yes, nil
		}, "a landed~", tellTime},
		{"on disk", client.Quirks{}, Options{}, "a", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, tellTime/2, func() { e.write("a", goalOf("a")) })
			return yes, nil
		}, "a landed", tellTime},
		{"something else", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.Put("a", "other\n", 2)
			return yes, nil
		}, "a differs", 2 * tellTime},
		{"lost on the way", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			goal(e)()
			doc, _ := e.open(e.uri("a"))
			doc.Document = doc.AsLost()
			e.store(doc)
			return yes, nil
		}, "a unknown", 2 * tellTime},
		{"unreadable then", client.Quirks{}, Options{}, "a", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.write("a", "\x00\xff")
			return yes, nil
		}, "a unknown", 2 * tellTime},
		{"gone then", client.Quirks{}, Options{}, "a", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.remove("a")
			return yes, nil
		}, "a differs", 2 * tellTime},

		{"told with the next key", client.Quirks{ChangesLate: true}, Options{}, "a:", func(context.Context, *fakeEditor) (client.Answer, error) {
			return yes, nil
		}, "a unknown?", 2 * tellTime},
		{"told with the next key, and failed", client.Quirks{ChangesLate: true}, Options{}, "a:", func(context.Context, *fakeEditor) (client.Answer, error) {
			return client.Answer{}, errors.New("its own words")
		}, "a unknown?", tellTime},
		{"the next key without it", client.Quirks{ChangesLate: true}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, time.Second, func() { e.Type("a", textOf("a")+"typed\n") })
			return yes, nil
		}, "a refused", 2 * tellTime},
		{"a key before the answer", client.Quirks{ChangesLate: true}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.Type("a", textOf("a")+"typed\n")
			return yes, nil
		}, "a absent!", 2 * tellTime},
		{"a key after a no", client.Quirks{ChangesLate: true}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, denyTime/2, func() { e.Type("a", textOf("a")+"typed\n") })
			return no, nil
		}, "a absent!", tellTime},
		{"a key after the answer of one that tells at once", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, time.Second, func() { e.Type("a", textOf("a")+"typed\n") })
			return yes, nil
		}, "a absent!", 2 * tellTime},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: test.quirks, options: test.options, files: test.files})
			e.answer = func(ctx context.Context, _ int, _ func() client.Answer) (client.Answer, error) {
				return test.answer(ctx, e)
			}
			from := time.Now()
			if got := e.deliver("a"); got != test.want {
				t.Errorf("%q, want %q: %q", got, test.want, e.reasons)
			}
			if took := time.Since(from); took > test.within {
				t.Errorf("it took %v", took)
			}
			if e.a.Declined() != (test.want == "a refused") {
				t.Errorf("declined: %v", e.a.Declined())
			}
			if want := map[string]string{e.uri("a"): goalOf("a")}; !maps.Equal(e.texts, want) {
				t.Errorf("expected are %q, want %q", e.texts, want)
			}
			time.Sleep(reviewTime) // until everybody is done
		})
	}
}

// What is open under one of the names counts when a file is renamed or deleted on disk.
func TestOnDiskUnderOpenDocuments(t *testing.T) {
	noFiles := func(c *client.Capabilities) { c.CreateFile, c.RenameFile, c.DeleteFile = false, false, false }
	for _, test := range []struct {
		name   string
		files  string
		before func(e *fakeEditor)
		plan   string
		asked  int
		sent   string
		want   string
	}{
		{"unsaved changes", "a:", func(e *fakeEditor) { e.write("a", "other\n") }, "-a", 0, "", "a refused"},
		{"unsaved changes of a rename", "a:", func(e *fakeEditor) { e.write("a", "other\n") }, "a>>b", 0, "", "a refused"},
		{"a rename that takes unsaved changes back", "a:", func(e *fakeEditor) { e.write("a", goalOf("a")) }, "a>>b", 1, "", "a landed*"},
		{"a delete takes none back", "a:", func(e *fakeEditor) { e.write("a", "") }, "-a", 0, "", "a refused"},
		{"left open with the text", "a", func(e *fakeEditor) { e.Put("b", textOf("a"), 1) }, "a>>b", 1, "b@1", "a landed"},
		{"left open with the new text", "a", func(e *fakeEditor) { e.Put("b", goalOf("a"), 1) }, "a>>b", 1, "", "a landed"},
		{"open with something else", "a", func(e *fakeEditor) { e.Put("b", "typed\n", 1) }, "a>>b", 0, "", "a absent!"},
		{"open with a file", "a b:", func(e *fakeEditor) { e.Put("b", textOf("a"), 1) }, "a>>b", 0, "", "a absent!"},
		{"being changed", "a", func(e *fakeEditor) {
			e.Put("b", textOf("a"), 1)
			doc, _ := e.open(e.uri("b"))
			doc.Uncertain = true
			e.store(doc)
		}, "a>>b", 0, "", "a absent!"},
		{"open under a name of what was never saved", "a!", func(e *fakeEditor) { e.Put("b", textOf("a"), 1) }, "a>>b", 0, "", "a absent!"},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{caps: noFiles, files: test.files})
			test.before(e)
			if got := e.deliver(test.plan); got != test.want || strings.Join(e.requests(), " | ") != test.sent || len(e.questions) != test.asked {
				t.Errorf("%q, want %q; sent %q, want %q; asked %q", got, test.want, e.requests(), test.sent, e.questions)
			}
		})
	}
	inTime(t, "a client that renames itself", func(t *testing.T) {
		e := newFakeEditor(t, situation{files: "a"})
		e.Put("b", textOf("a"), 1)
		if got := e.deliver("a>>b"); got != "a absent!" || len(e.requests()) > 0 {
			t.Errorf("%q, sent %q", got, e.requests())
		}
	})
}
