package deliver

import (
	"context"
	"errors"
	"testing"
	"time"

	"coauthor/lsp/client"
)

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
		{"typed at once", nil, ignores, "a:", func(e *fakeEditor) { e.Type("a", "typed\n") }, "a absent!", 0, calmTime, 2 * calmTime},
		{"typed at once, where no versions are sent", plain, client.Quirks{}, "a:", func(e *fakeEditor) { e.Type("a", "typed\n") }, "a absent!", 0, calmTime, 2 * calmTime},
		{"typed on", nil, ignores, "a:", func(e *fakeEditor) {
			for range 4 {
				e.Type("a", "typed\n")
				time.Sleep(calmTime / 2)
			}
		}, "a absent!", 0, 2 * calmTime, 3 * calmTime},
		{"typed and taken back, for ever", nil, ignores, "a:", func(e *fakeEditor) {
			for range 100 {
				e.Type("a", textOf("a"))
				time.Sleep(calmTime / 2)
			}
		}, "a landed", 1, calmLimit, calmLimit + calmTime},
		{"typed elsewhere", nil, ignores, "a: b:", func(e *fakeEditor) {
			for range 10 {
				e.Type("b", "typed\n")
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
