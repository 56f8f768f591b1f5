package lsp

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/agent/workspace/hangtest"
	"coauthor/lsp/document"
	"coauthor/lsp/lsptest"
)

// slowRoot is a folder whose settings are not read before they are let go.
type slowRoot struct {
	dir   string
	asked chan struct{} // has a value when somebody began to read them
	free  chan struct{} // closed to let them go
}

// newSlowRoot gives the options a root whose settings hang. The workspace asks for them as the product does.
func newSlowRoot(t *testing.T, o *Options) *slowRoot {
	slow := &slowRoot{dir: t.TempDir(), asked: make(chan struct{}, 1), free: make(chan struct{})}
	load := o.Settings
	o.Settings = func(root string, client settings.Editor) (settings.Settings, []settings.Warning) {
		if root == slow.dir {
			select {
			case slow.asked <- struct{}{}:
			default:
			}
			<-slow.free
		}
		return load(root, client)
	}
	o.Workspace = func(root string, get func() settings.Settings) (*workspace.Workspace, error) {
		return workspace.Open(root, workspace.Options{Policy: func() workspace.Policy {
			v := get()
			return workspace.Policy{Encoding: v.Encoding, DenyGlobs: v.DenyGlobs}
		}})
	}
	return slow
}

func (s *slowRoot) release() {
	select {
	case <-s.free:
	default:
		close(s.free)
	}
}

func (s *slowRoot) uri(path string) string { return document.URIOfPath(filepath.Join(s.dir, path)) }

// TestHangingSettingsDelayNoMessage opens and changes a document of a folder whose settings hang. What
// comes behind it is answered, and so is what is asked there and needs no settings.
func TestHangingSettingsDelayNoMessage(t *testing.T) {
	t.Parallel()
	var slow *slowRoot
	r := newModelHarness(t, nil, func(o *Options) { slow = newSlowRoot(t, o) })
	t.Cleanup(slow.release) // before the server ends
	for _, name := range []string{"b.txt", "closed.txt"} {
		if err := os.WriteFile(filepath.Join(slow.dir, name), []byte("b\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r.call("initialize", fmt.Sprintf(`{"processId":null,"clientInfo":{"name":"bare"},"capabilities":%s,
		"workspaceFolders":[{"uri":%q,"name":"slow"},{"uri":%q,"name":"root"}],"initializationOptions":{"coder":"ask"}}`,
		plainCaps, document.URIOfPath(slow.dir), document.URIOfPath(r.root)))
	r.note("initialized", "{}")

	r.didOpen(slow.uri("b.txt"), "b\n")
	r.note("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":[{"text":"c\n"}]}`, slow.uri("b.txt")))
	r.note("textDocument/didSave", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, slow.uri("b.txt")))
	mustHold(t, r.call("textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":%q},
		"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"context":{"diagnostics":[]}}`, slow.uri("b.txt"))), "coauthor.openPrompt")
	if text := openText(t, r.s, slow.uri("b.txt")); text != "c\n" {
		t.Errorf("the change did not arrive: %q", text)
	}
	// A command on a file there that is not open reads it, which needs the encoding.
	r.id++
	r.Send(`{"jsonrpc":"2.0","id":%d,"method":"workspace/executeCommand","params":{"command":"coauthor.showRepoMap","arguments":[{"uri":%q,"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}}}]}}`,
		r.id, slow.uri("closed.txt"))
	lsptest.Receive(t, "a question for the settings", slow.asked)

	r.open("a.txt", "a\n")
	mustHold(t, r.command("status", ""), `"busy":false`)
	r.note("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, slow.uri("b.txt")))
	mustHold(t, r.command("status", ""), `"busy":false`)
	slow.release()
}

func openText(t *testing.T, s *server, uri string) string {
	t.Helper()
	doc, open := s.docs.Get(uri)
	if !open {
		t.Fatalf("%s is not open", uri)
	}
	return doc.Text
}

// TestAHangingDiskDelaysNoMessage opens documents on a disk that does not answer, below a folder of the editor
// and below none. What comes behind them is answered, and every change of them is taken in its order.
func TestAHangingDiskDelaysNoMessage(t *testing.T) {
	for _, isFolder := range []bool{true, false} {
		dir, release := hangtest.Mount(t)
		r := newModelHarness(t, nil, func(o *Options) {
			o.Workspace = func(root string, _ func() settings.Settings) (*workspace.Workspace, error) {
				return workspace.OpenLater(root, workspace.Options{})
			}
		})
		t.Cleanup(release) // before the server ends
		folders := fmt.Sprintf(`{"uri":%q,"name":"root"}`, document.URIOfPath(r.root))
		if isFolder {
			folders = fmt.Sprintf(`{"uri":%q,"name":"dead"},`, document.URIOfPath(dir)) + folders
		}
		r.call("initialize", fmt.Sprintf(`{"processId":null,"clientInfo":{"name":"bare"},"capabilities":%s,
			"workspaceFolders":[%s],"initializationOptions":{"coder":"ask"}}`, plainCaps, folders))
		r.note("initialized", "{}")
		uri := func(name string) string { return document.URIOfPath(filepath.Join(dir, "sub", name)) }
		change := func(name string, version int, text string) {
			r.note("textDocument/didChange", fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%d},"contentChanges":[{"text":%q}]}`, uri(name), version, text))
		}
		for _, name := range []string{"b.txt", "c.txt", "d.txt"} {
			r.didOpen(uri(name), "b\n")
			change(name, 2, "c\n")
		}
		mustHold(t, r.command("status", ""), `"busy":false`)
		if doc, open := r.s.docs.Get(uri("b.txt")); !open || doc.Text != "c\n" || doc.Unplaced == isFolder {
			t.Fatalf("folder %v: %+v", isFolder, doc)
		}
		r.note("textDocument/didSave", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri("b.txt")))
		r.note("textDocument/didClose", fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri("c.txt")))
		r.open("a.txt", "a\n")
		mustHold(t, r.command("status", ""), `"busy":false`)
		change("b.txt", 3, "d\n")
		release()
		// The disk answers, with an error: the documents belong to their own folder now.
		deadline := time.After(lsptest.Hung)
		for {
			doc, open := r.s.docs.Get(uri("b.txt"))
			if open && !doc.Unplaced {
				break
			}
			select {
			case <-deadline:
				t.Fatalf("folder %v: b.txt has no place", isFolder)
			case <-time.After(time.Millisecond):
			}
		}
		change("b.txt", 4, "e\n")
		mustHold(t, r.command("status", ""), `"busy":false`)
		want := "b.txt"
		if isFolder {
			want = "sub/b.txt"
		}
		doc, _ := r.s.docs.Get(uri("b.txt"))
		if doc.Path != want || doc.Root.Dir == "" || doc.Text != "e\n" {
			t.Errorf("folder %v: %s in %s: %q", isFolder, doc.Path, doc.Root.Dir, doc.Text)
		}
		if text, err := doc.Root.Workspace.Snapshot().Read(want); err != nil || text != "e\n" {
			t.Errorf("folder %v: the workspace reads %q, %v", isFolder, text, err)
		}
		if _, open := r.s.docs.Get(uri("c.txt")); open {
			t.Error("c.txt is open again")
		}
	}
}
