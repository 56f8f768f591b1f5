package lsptest

import (
	"math"
	"os"
	"path/filepath"
	"strings"
)

// latest stands for the newest version in checker lookups of edits that carry none.
const latest int32 = math.MinInt32

// buffer is one open document. Guarded by the editor's lock.
type buffer struct {
	uri      string
	abs      string
	language string
	text     string
	version  int32

	told        string // the text the server knows
	toldVersion int32
	texts       map[int32]string // every version the buffer ever had
	silent      bool             // not announced to the server
	loaded      bool             // for an edit; it is announced when the user comes to it
	dirty       bool
	undo, redo  []string
	bumped      bool // the first change was made
}

func (e *Editor) buffer(abs string) *buffer { return e.buffers[filepath.Clean(abs)] }

// open makes a buffer with a text and announces it.
func (e *Editor) openBuffer(abs, uri, content string, silent bool) *buffer {
	abs = filepath.Clean(abs)
	silent = silent || e.profile.Quirks.NeedsFiletype && filepath.Ext(abs) == ""
	b := &buffer{
		uri: uri, abs: abs, language: languageOf(abs), text: content, told: content, silent: silent,
		texts: map[int32]string{0: content},
	}
	e.buffers[abs] = b
	e.order = append(e.order, abs)
	if !silent && e.profile.Quirks.OpensTwice && e.opening {
		e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": b.uri, "languageId": "fundamental", "version": b.version, "text": b.text,
		}})
	}
	if !silent {
		e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": b.uri, "languageId": b.language, "version": b.version, "text": b.text,
		}})
	}
	return b
}

// announce tells of a buffer that an edit opened and that was not told of then.
func (e *Editor) announce(b *buffer) {
	if !b.loaded {
		return
	}
	b.loaded, b.silent = false, false
	b.told, b.toldVersion = b.text, b.version
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": b.uri, "languageId": b.language, "version": b.version, "text": b.text,
	}})
}

// set gives a buffer a new text as one undoable step; the server hears of it with tell.
func (e *Editor) set(b *buffer, content string) {
	if b.text == content {
		return
	}
	b.undo = append(b.undo, b.text)
	b.redo = nil
	e.put(b, content)
}

// put is set without a step to undo.
func (e *Editor) put(b *buffer, content string) {
	b.text = content
	b.dirty = true
	switch {
	case !b.bumped && e.profile.Quirks.VersionAfterFirstEdit > 0:
		b.version += e.profile.Quirks.VersionAfterFirstEdit
	default:
		b.version++
	}
	b.bumped = true
	b.texts[b.version] = content
}

// tell sends the change of a buffer that the server has not heard of, as one incremental change.
func (e *Editor) tell(b *buffer) {
	if b.silent || b.toldVersion == b.version {
		return
	}
	change := map[string]any{"text": b.text}
	if !e.profile.Quirks.WholeTexts {
		d := difference(b.told, b.text, e.check.encoding)
		change = map[string]any{"range": d.Range, "text": d.NewText}
	}
	e.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": b.uri, "version": b.version},
		"contentChanges": []any{change},
	})
	b.told, b.toldVersion = b.text, b.version
}

// tellAll brings the server up to date, as clients do before they send anything else.
func (e *Editor) tellAll() {
	for _, abs := range e.order {
		if b := e.buffers[abs]; b != nil && !e.hides(b) {
			e.tell(b)
		}
	}
}

// hides says whether what was changed in a buffer is not told now, because the user is elsewhere.
func (e *Editor) hides(b *buffer) bool { return e.profile.Quirks.HiddenUntold && e.focus != b.abs }

// read gives what a new buffer of a file holds.
func (e *Editor) read(abs string) (content string, exists bool) {
	raw, err := os.ReadFile(abs)
	q := e.profile.Quirks
	if err == nil && len(raw) > 0 {
		content = string(raw)
		if q.UnixLines {
			content = withEnding(content, "\n")
		}
		if q.EndsLines && !strings.HasSuffix(content, "\n") {
			content += lineEnding(content)
		}
		return content, true
	}
	if q.EndsLines || q.EmptyIsNewline || q.MissingIsNewline && err != nil {
		return "\n", err == nil
	}
	return "", err == nil
}

// saved says whether a buffer reads as its file does.
func (e *Editor) saved(b *buffer) bool {
	raw, err := os.ReadFile(b.abs)
	return err == nil && string(raw) == b.text
}

// write saves a buffer, with the line ends that its file has.
func (e *Editor) write(b *buffer) error {
	content := b.text
	if raw, err := os.ReadFile(b.abs); err == nil && e.profile.Quirks.UnixLines {
		content = withEnding(content, lineEnding(string(raw)))
	}
	if err := os.WriteFile(b.abs, []byte(content), 0o644); err != nil {
		return err
	}
	b.dirty = false
	if !b.silent {
		e.tell(b)
		e.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": b.uri}})
	}
	return nil
}

func languageOf(abs string) string {
	switch ext := strings.TrimPrefix(filepath.Ext(abs), "."); ext {
	case "py":
		return "python"
	case "md":
		return "markdown"
	case "js":
		return "javascript"
	case "ts":
		return "typescript"
	case "":
		return "plaintext"
	default:
		return ext
	}
}

// The checker's view of the documents.

type view struct{ e *Editor }

func (v view) opened(abs string) (string, bool) {
	b := v.e.buffer(abs)
	if b == nil || b.silent {
		return "", false
	}
	return b.uri, true
}

func (v view) textAt(uri string, version int32) (string, bool) {
	for _, b := range v.e.buffers {
		if b.uri == uri {
			if version == latest {
				return b.text, true
			}
			text, ok := b.texts[version]
			return text, ok
		}
	}
	return "", false
}

func (v view) onDisk(abs string) (string, bool) {
	if b := v.e.buffer(abs); b != nil { // a buffer the server was never told about
		return b.text, true
	}
	raw, err := os.ReadFile(abs)
	return string(raw), err == nil
}

func (v view) roots() []string { return v.e.roots }
