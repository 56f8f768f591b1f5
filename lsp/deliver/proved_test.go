package deliver

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/lsp/client"
	"coauthor/lsp/document"
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
	goal := func(e *fakeEditor) func() { return func() { e.put("a", goalOf("a"), 2) } }
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
			e.put("a", strings.TrimSuffix(goalOf("a"), "\n"), 2)
			later(e, halfTime/2, goal(e))
			return yes, nil
		}, "a landed", halfTime},
		{"in its own way", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.put("a", strings.TrimSuffix(goalOf("a"), "\n"), 2)
			return yes, nil
		}, "a landed~", tellTime},
		{"in its own way, late", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, time.Second, func() { e.put("a", strings.TrimSuffix(goalOf("a"), "\n"), 2) })
			return yes, nil
		}, "a landed~", tellTime},
		{"on disk", client.Quirks{}, Options{}, "a", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, tellTime/2, func() { e.write("a", goalOf("a")) })
			return yes, nil
		}, "a landed", tellTime},
		{"something else", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.put("a", "other\n", 2)
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
			later(e, time.Second, func() { e.typed("a", textOf("a")+"typed\n") })
			return yes, nil
		}, "a refused", 2 * tellTime},
		{"a key before the answer", client.Quirks{ChangesLate: true}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			e.typed("a", textOf("a")+"typed\n")
			return yes, nil
		}, "a absent!", 2 * tellTime},
		{"a key after a no", client.Quirks{ChangesLate: true}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, denyTime/2, func() { e.typed("a", textOf("a")+"typed\n") })
			return no, nil
		}, "a absent!", tellTime},
		{"a key after the answer of one that tells at once", client.Quirks{}, Options{}, "a:", func(_ context.Context, e *fakeEditor) (client.Answer, error) {
			later(e, time.Second, func() { e.typed("a", textOf("a")+"typed\n") })
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

// An editor that does not look at versions is sent nothing while its user types.
func TestLeftAloneFirst(t *testing.T) {
	plain := func(c *client.Capabilities) { c.DocumentChanges = false }
	ignores := client.Quirks{IgnoresVersions: true}
	for _, test := range []struct {
		name   string
		caps   func(c *client.Capabilities)
		quirks client.Quirks
		files  string
		user   func(e *fakeEditor)
		want   string
		sent   int
		from   time.Duration // that it takes at least
		within time.Duration
	}{
		{"nobody types", nil, ignores, "a:", func(*fakeEditor) {}, "a landed", 1, calmTime, calmTime + time.Millisecond},
		{"typed at once", nil, ignores, "a:", func(e *fakeEditor) { e.typed("a", "typed\n") }, "a absent!", 0, calmTime, 2 * calmTime},
		{"typed at once, where no versions are sent", plain, client.Quirks{}, "a:", func(e *fakeEditor) { e.typed("a", "typed\n") }, "a absent!", 0, calmTime, 2 * calmTime},
		{"typed on", nil, ignores, "a:", func(e *fakeEditor) {
			for range 4 {
				e.typed("a", "typed\n")
				time.Sleep(calmTime / 2)
			}
		}, "a absent!", 0, 2 * calmTime, 3 * calmTime},
		{"typed and taken back, for ever", nil, ignores, "a:", func(e *fakeEditor) {
			for range 100 {
				e.typed("a", textOf("a"))
				time.Sleep(calmTime / 2)
			}
		}, "a landed", 1, calmLimit, calmLimit + calmTime},
		{"typed elsewhere", nil, ignores, "a: b:", func(e *fakeEditor) {
			for range 10 {
				e.typed("b", "typed\n")
				time.Sleep(calmTime / 2)
			}
		}, "a landed", 1, calmTime, calmTime + time.Millisecond},
		{"nothing is open", nil, ignores, "a", func(*fakeEditor) {}, "a landed", 1, 0, time.Millisecond},
		{"it looks at versions", nil, client.Quirks{}, "a:", func(*fakeEditor) {}, "a landed", 1, 0, time.Millisecond},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{caps: test.caps, quirks: test.quirks, files: test.files})
			from := time.Now()
			go func() {
				time.Sleep(calmTime / 4)
				test.user(e)
			}()
			got := e.deliver("a")
			took := time.Since(from)
			if got != test.want || len(e.requests()) != test.sent || took < test.from || took > test.within {
				t.Errorf("%q, want %q; sent %q after %v", got, test.want, e.requests(), took)
			}
			time.Sleep(time.Minute)
		})
	}
	inTime(t, "given up", func(t *testing.T) {
		e := newFakeEditor(t, situation{quirks: ignores, files: "a:"})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		from := time.Now()
		if _, err := e.a.Deliver(ctx, "the label", plan("a")); !errors.Is(err, context.Canceled) || time.Since(from) > 0 || len(e.requests()) > 0 {
			t.Errorf("%v after %v, sent %q", err, time.Since(from), e.requests())
		}
	})
}

// The file of an emptied document is deleted when its editor has saved it, where it does that by itself: later it
// would be there again. What is not saved in time is deleted all the same.
func TestSavedBeforeItIsDeleted(t *testing.T) {
	for _, test := range []struct {
		name  string
		saves bool
		after time.Duration // of the emptying it is saved
		text  string
		from  time.Duration
		until time.Duration
	}{
		{"saved soon", true, saveTime / 5, "", saveTime / 5, saveTime / 4},
		{"saved with a line break", true, saveTime / 5, "\n", saveTime / 5, saveTime / 4},
		{"saved as something else", true, saveTime / 5, "other\n", saveTime / 5, saveTime / 4},
		{"not saved", true, time.Hour, "", saveTime, saveTime + time.Millisecond},
		{"one that saves nothing by itself", false, time.Hour, "", 0, time.Millisecond},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: client.Quirks{EmptyBeforeDelete: true, SavesHidden: test.saves}, files: "a:"})
			e.keepsOpen = true
			from := time.Now()
			e.answer = func(_ context.Context, n int, do func() client.Answer) (client.Answer, error) {
				if took := time.Since(from); n == 1 && (took < test.from || took > test.until) {
					t.Errorf("deleted after %v", took)
				}
				if n == 0 {
					go func() {
						if time.Sleep(test.after); e.disk("a") != "-" {
							e.write("a", test.text)
						}
					}()
				}
				return do(), nil
			}
			if got := e.deliver("-a"); got != "a landed*" || e.disk("a") != "-" || len(e.requests()) != 2 {
				t.Errorf("%q, a reads %q, sent %q", got, e.disk("a"), e.requests())
			}
			time.Sleep(2 * time.Hour)
		})
	}
	inTime(t, "an edit is not waited for", func(t *testing.T) {
		e := newFakeEditor(t, situation{quirks: client.Quirks{OperationsApart: true, SavesHidden: true}, files: "a:"})
		from := time.Now()
		if got := e.deliver("a>>b"); got != "a landed" || time.Since(from) > 0 {
			t.Errorf("%q after %v", got, time.Since(from))
		}
	})
}

// A client that changes closed files on disk tells of them as opened: that is awaited once for each of them while the
// edit is under way, and of no other document.
func TestEchoesOfAnEdit(t *testing.T) {
	for _, quirk := range []bool{true, false} {
		inTime(t, "", func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: client.Quirks{EditsFilesOnDisk: quirk, OperationsApart: true}, files: "a: b c"})
			e.untold = true
			take := func(name string) bool { return e.a.editor.Echoes.Take(document.KeyOfURI(e.uri(name))) }
			e.answer = func(_ context.Context, n int, do func() client.Answer) (client.Answer, error) {
				for name, want := range map[string]bool{"a": false, "b": n == 0, "c": false, "other": false} {
					if got := take(name); got != (want && quirk) {
						t.Errorf("request %d: %s is awaited: %v", n, name, got)
					}
				}
				if e.a.editor.Echoes.Idle() != (!quirk || n > 0) || take("b") {
					t.Errorf("request %d: idle %v", n, e.a.editor.Echoes.Idle())
				}
				return do(), nil
			}
			if got := e.deliver("a b -c"); got != "a landed, b landed, c landed" || take("b") {
				t.Errorf("%q", got)
			}
		})
	}
	two := &Echoes{}
	key := document.KeyOfURI("file:///a")
	step := []clientStep{{uri: "file:///a"}}
	first, second := two.expect(step), two.expect(step)
	for n := range 3 {
		if got := two.Take(key); got != (n < 2) || two.Idle() {
			t.Errorf("echo %d of two edits: %v", n, got)
		}
	}
	first()
	second()
	if !two.Idle() || two.Take(key) {
		t.Error("something is awaited")
	}
}

// Where only the client can say whether a change is there, its word counts: what it was sent is then what the user
// has, and the user is told of which documents that holds.
func TestTheWordOfTheClient(t *testing.T) {
	hidden, unopened := client.Quirks{HiddenUntold: true}, client.Quirks{NoDidOpen: true}
	for _, test := range []struct {
		name   string
		quirks client.Quirks
		files  string
		plan   string
		play   string
		want   string
		reads  map[string]string
	}{
		{"hidden ones", hidden, "a: b: c", "a b c", "lie", "a landed*(word), b landed*(word), c landed*(word)", map[string]string{"a": goalOf("a"), "b": goalOf("b"), "c": goalOf("c")}},
		{"hidden ones, of which it says no", hidden, "a: b:", "a b", "no", "a absent, b absent", map[string]string{"a": textOf("a")}},
		{"a hidden one that is emptied", client.Quirks{HiddenUntold: true, OperationsApart: true}, "a!", "-a", "lie", "a landed*(word)", map[string]string{"a": ""}},
		{"a hidden one before its rename", client.Quirks{HiddenUntold: true, OperationsApart: true}, "a:", "a>>b", "lie", "a unknown", map[string]string{"a": textOf("a")}},
		{"a hidden rename", hidden, "a:", "a>b", "lie", "a unknown", map[string]string{"a": textOf("a")}},
		{"one that is not told", unopened, "a: b", "a b", "lie", "a unknown, b landed(word)", map[string]string{"a": textOf("a"), "b": goalOf("b")}},
		{"a new one that is not told", client.Quirks{NoDidOpen: true, NewFileByEdit: true}, "a:", "+n", "lie", "n landed(word)", map[string]string{"n": "-"}},
		{"one that is not told, of which it says no", unopened, "b", "b", "why", "b absent", map[string]string{"b": textOf("b")}},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: test.quirks, files: test.files})
			e.play(test.play)
			if got := e.deliver(test.plan); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			for name, want := range test.reads {
				got := "-"
				if text, err := e.a.Current().Text(name); err != nil {
					t.Error(err)
				} else if text != nil {
					got = *text
				}
				if got != want {
					t.Errorf("%s reads %q, want %q", name, got, want)
				}
			}
		})
	}
	inTime(t, "lines that end themselves", func(t *testing.T) {
		e := newFakeEditor(t, situation{quirks: client.Quirks{HiddenUntold: true, NewFileEndsLine: true}, files: "a:"})
		e.play("lie")
		steps := plan("a")
		steps[0].Change.After = "no end"
		if _, err := e.a.Deliver(context.Background(), "the label", steps); err != nil {
			t.Error(err)
		}
		if text, err := e.a.Current().Read("a"); err != nil || text != "no end\n" {
			t.Errorf("%q, %v", text, err)
		}
	})
	for want, names := range map[string][]string{"a": {"a", "a"}, "a and b": {"b", "a"}, "a, b and c": {"c", "a", "b", "a"}} {
		if got := listed(names); got != want {
			t.Errorf("%q is listed as %q", names, got)
		}
	}
}

// A document that a delete leaves open goes to a name of our own folder that nobody has; where there is no such folder
// it stays.
func TestNamesAside(t *testing.T) {
	for _, test := range []struct {
		name   string
		before func(e *fakeEditor)
		sent   string
		want   string
	}{
		{"none is taken", func(*fakeEditor) {}, "a>.coauthor/undone-1-a", "a landed*"},
		{"some are files", func(e *fakeEditor) { e.write(".coauthor/undone-1-a", ""); e.write(".coauthor/undone-2-a", "") }, "a>.coauthor/undone-3-a", "a landed*"},
		{"one is open", func(e *fakeEditor) { e.put(".coauthor/undone-1-a", "", 1) }, "a>.coauthor/undone-2-a", "a landed*"},
		{"the folder is a file", func(e *fakeEditor) { e.write(".coauthor", "") }, "-a", "a landed"},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: client.Quirks{DeleteKeepsDocument: true}, files: "a:"})
			test.before(e)
			if got := e.deliver("-a"); got != test.want || !slices.Equal(e.requests(), []string{test.sent}) || e.disk("a") != "-" {
				t.Errorf("%q, sent %q", got, e.requests())
			}
		})
	}
}

// An emptied document is closed only where nothing is lost with it.
func TestClosingWhatIsEmptied(t *testing.T) {
	for _, test := range []struct {
		name  string
		first func(e *fakeEditor) // behind the emptying
		last  func(e *fakeEditor) // before the closing
		sent  int
		want  string
		reads string
	}{
		{"empty", nil, nil, 2, "a landed", "-"},
		{"a line break", func(e *fakeEditor) { e.typed("a", "\r\n") }, nil, 2, "a landed", "-"},
		{"being changed", func(e *fakeEditor) {
			doc, _ := e.open(e.uri("a"))
			doc.Uncertain = true
			e.store(doc)
		}, nil, 1, "a landed*", ""},
		{"saved", func(e *fakeEditor) { e.write("a", "saved\n") }, nil, 1, "a landed*", ""},
		{"closed by the user", func(e *fakeEditor) { e.close("a") }, nil, 1, "a landed", "-"},
		{"typed then", nil, func(e *fakeEditor) { e.typed("a", "typed\n") }, 2, "a landed*", "typed\n"},
		{"not closed", nil, func(*fakeEditor) {}, 2, "a landed*", ""},
	} {
		inTime(t, test.name, func(t *testing.T) {
			e := newFakeEditor(t, situation{files: "a!"})
			e.answer = func(_ context.Context, n int, do func() client.Answer) (client.Answer, error) {
				if n == 1 && test.last != nil {
					test.last(e)
					return client.Answer{}, nil
				}
				answer := do()
				if n == 0 && test.first != nil {
					test.first(e)
				}
				return answer, nil
			}
			if got := e.deliver("-a"); got != test.want || len(e.requests()) != test.sent || e.reads("a") != test.reads {
				t.Errorf("%q, want %q; sent %q; a reads %q", got, test.want, e.requests(), e.reads("a"))
			}
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
		{"left open with the text", "a", func(e *fakeEditor) { e.put("b", textOf("a"), 1) }, "a>>b", 1, "b@1", "a landed"},
		{"left open with the new text", "a", func(e *fakeEditor) { e.put("b", goalOf("a"), 1) }, "a>>b", 1, "", "a landed"},
		{"open with something else", "a", func(e *fakeEditor) { e.put("b", "typed\n", 1) }, "a>>b", 0, "", "a absent!"},
		{"open with a file", "a b:", func(e *fakeEditor) { e.put("b", textOf("a"), 1) }, "a>>b", 0, "", "a absent!"},
		{"being changed", "a", func(e *fakeEditor) {
			e.put("b", textOf("a"), 1)
			doc, _ := e.open(e.uri("b"))
			doc.Uncertain = true
			e.store(doc)
		}, "a>>b", 0, "", "a absent!"},
		{"open under a name of what was never saved", "a!", func(e *fakeEditor) { e.put("b", textOf("a"), 1) }, "a>>b", 0, "", "a absent!"},
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
		e.put("b", textOf("a"), 1)
		if got := e.deliver("a>>b"); got != "a absent!" || len(e.requests()) > 0 {
			t.Errorf("%q, sent %q", got, e.requests())
		}
	})
}
