package lsptest

import (
	"cmp"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// latest stands for the newest version in checker lookups of edits that carry none.
const latest int32 = math.MinInt32

// buffer is one open document. Guarded by the lock of its workspace.
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

func (w *workspace) buffer(abs string) *buffer { return w.buffers[filepath.Clean(abs)] }

// openBuffer makes a buffer with a text and announces it.
func (w *workspace) openBuffer(abs, uri, content string, version int32, silent bool) *buffer {
	abs = filepath.Clean(abs)
	silent = silent || w.profile.Quirks.NeedsFiletype && filepath.Ext(abs) == ""
	b := &buffer{
		uri: uri, abs: abs, language: languageOf(abs), text: content, version: version, told: content, toldVersion: version,
		silent: silent, texts: map[int32]string{version: content},
	}
	w.buffers[abs] = b
	w.order = append(w.order, abs)
	if !silent && w.profile.Quirks.OpensTwice && w.opening {
		w.tellOpen(b, "fundamental")
	}
	if !silent {
		w.tellOpen(b, b.language)
	}
	return b
}

func (w *workspace) tellOpen(b *buffer, language string) {
	w.tells(Notice{Method: "textDocument/didOpen", URI: b.uri, Language: language, Version: b.version, Text: b.text})
}

// announce tells of a buffer that an edit opened and that was not told of then.
func (w *workspace) announce(b *buffer) {
	if !b.loaded {
		return
	}
	b.loaded, b.silent = false, false
	b.told, b.toldVersion = b.text, b.version
	w.tellOpen(b, b.language)
}

// set gives a buffer a new text as one undoable step; the server hears of it with tell.
func (w *workspace) set(b *buffer, content string) {
	if b.text == content {
		return
	}
	b.undo = append(b.undo, b.text)
	b.redo = nil
	w.step(b, content)
}

// step is set without a step to undo.
func (w *workspace) step(b *buffer, content string) {
	next := b.version + 1
	if jump := w.profile.Quirks.VersionAfterFirstEdit; !b.bumped && jump > 0 {
		next = b.version + jump
	}
	b.bumped = true
	b.become(content, next)
}

// become gives a buffer a text of a version.
func (b *buffer) become(content string, version int32) {
	b.text, b.version, b.dirty = content, version, true
	b.texts[version] = content
}

// tell sends the change of a buffer that the server has not heard of, as one incremental change.
func (w *workspace) tell(b *buffer) {
	if b.silent || b.toldVersion == b.version {
		return
	}
	n := Notice{Method: "textDocument/didChange", URI: b.uri, Version: b.version, Text: b.text}
	if !w.profile.Quirks.WholeTexts {
		d := difference(b.told, b.text, w.check.counting())
		n.Change = &d
	}
	w.tells(n)
	b.told, b.toldVersion = b.text, b.version
}

// tellThese tells what changed in buffers that are still open.
func (w *workspace) tellThese(list []*buffer) {
	for _, b := range list {
		if w.buffers[b.abs] == b && !w.hides(b) {
			w.tell(b)
		}
	}
}

// tellAll brings the server up to date, as clients do before they send anything else.
func (w *workspace) tellAll() {
	for _, abs := range w.order {
		if b := w.buffers[abs]; b != nil && !w.hides(b) {
			w.tell(b)
		}
	}
}

// hides says whether what was changed in a buffer is not told now, because the user is elsewhere.
func (w *workspace) hides(b *buffer) bool { return w.profile.Quirks.HiddenUntold && w.focus != b.abs }

// read gives what a new buffer of a file holds.
func (w *workspace) read(abs string) (content string, exists bool) {
	raw, err := os.ReadFile(abs)
	q := w.profile.Quirks
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
func (w *workspace) saved(b *buffer) bool {
	raw, err := os.ReadFile(b.abs)
	return err == nil && string(raw) == b.text
}

// write saves a buffer, with the line ends that its file has.
func (w *workspace) write(b *buffer) error {
	content := b.text
	if raw, err := os.ReadFile(b.abs); err == nil && w.profile.Quirks.UnixLines {
		content = withEnding(content, lineEnding(string(raw)))
	}
	if err := os.WriteFile(b.abs, []byte(content), 0o644); err != nil {
		return err
	}
	b.dirty = false
	if !b.silent {
		w.tell(b)
		w.tells(Notice{Method: "textDocument/didSave", URI: b.uri})
	}
	return nil
}

func languageOf(abs string) string {
	ext := strings.TrimPrefix(filepath.Ext(abs), ".")
	known := map[string]string{"py": "python", "md": "markdown", "js": "javascript", "ts": "typescript", "": "plaintext"}
	return cmp.Or(known[ext], ext)
}

// opened gives the client's own spelling of the URI of a document that the server knows as open.
func (w *workspace) opened(abs string) (uri string, ok bool) {
	b := w.buffer(abs)
	if b == nil || b.silent {
		return "", false
	}
	return b.uri, true
}

// textAt gives the text that a version of an open document had.
func (w *workspace) textAt(uri string, version int32) (string, bool) {
	for _, b := range w.buffers {
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

// text gives what stands in a buffer; when none is open for the file, what stands on disk.
func (w *workspace) text(abs string) (text string, exists bool) {
	if b := w.buffer(abs); b != nil {
		return b.text, true
	}
	raw, err := os.ReadFile(abs)
	return string(raw), err == nil
}
