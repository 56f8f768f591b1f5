package deliver

import (
	"context"
	"testing"

	"coauthor/lsp/client"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

// A client that changes closed files on disk tells of them as opened: that is awaited once for each of them while the
// edit is under way, and of no other document.
func TestEchoesOfAnEdit(t *testing.T) {
	for _, quirk := range []bool{true, false} {
		inTime(t, "", func(t *testing.T) {
			e := newFakeEditor(t, situation{quirks: client.Quirks{EditsFilesOnDisk: quirk, OperationsApart: true}, files: "a: b c"})
			e.Play(func(p *lsptest.Profile) { p.Quirks.EditsFilesOnDisk, p.Quirks.NoDidOpenForTouched = true, true })
			take := func(name string) bool { return e.a.docs.editor.Echoes.Take(document.KeyOfURI(e.uri(name))) }
			e.answer = func(_ context.Context, n int, do func() client.Answer) (client.Answer, error) {
				for name, want := range map[string]bool{"a": false, "b": n == 0, "c": false, "other": false} {
					if got := take(name); got != (want && quirk) {
						t.Errorf("request %d: %s is awaited: %v", n, name, got)
					}
				}
				if e.a.docs.editor.Echoes.Idle() != (!quirk || n > 0) || take("b") {
					t.Errorf("request %d: idle %v", n, e.a.docs.editor.Echoes.Idle())
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
