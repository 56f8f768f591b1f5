package lsptest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

var (
	errStale = errors.New("document has changed")
	errHangs = errors.New("the client ran into an error of its own")
)

// perform runs the steps of an edit in order. A failure stops it and what ran stays, except that Neovim drops a stale
// first document without a word and goes on.
func (w *workspace) perform(steps []DocumentChange) (touched []*buffer, failed int, err error) {
	w.opening = true
	defer func() { w.opening = false }()
	before := map[*buffer]string{}
	for _, i := range w.sequence(steps) {
		s := steps[i]
		var b *buffer
		switch s.Kind {
		case "create":
			err = w.create(s)
		case "rename":
			err = w.rename(s)
		case "delete":
			err = w.remove(s)
		default:
			if open := w.bufferOf(s); open != nil {
				before[open] = open.text
			}
			b, err = w.editText(s, i)
		}
		if b != nil {
			touched = append(touched, b)
		}
		if err != nil {
			if errors.Is(err, errStale) && w.profile.Quirks.FirstOnlyVersionCheck {
				failed = i
				defer func(stale error) { err = stale }(err)
				continue
			}
			if w.profile.Quirks.RollsBack {
				for _, b := range touched {
					w.set(b, before[b])
				}
			}
			return touched, i, err
		}
	}
	return touched, failed, nil
}

// sequence gives the steps, by index, in the order in which this client carries them out.
func (w *workspace) sequence(steps []DocumentChange) []int {
	var order, late []int
	for i, s := range steps {
		if w.profile.Quirks.OperationsFirst && s.Kind == "" && w.bufferOf(s) != nil {
			late = append(late, i)
			continue
		}
		order = append(order, i)
	}
	return append(order, late...)
}

// bufferOf gives the buffer that a text edit is for; nil where there is none.
func (w *workspace) bufferOf(s DocumentChange) *buffer {
	abs, ok := pathOf(s.TextDocument.URI)
	if !ok {
		return nil
	}
	return w.buffer(abs)
}

// savesAfter is when a client with SavesHidden saves.
const savesAfter = 40 * time.Millisecond

func (w *workspace) editText(s DocumentChange, index int) (*buffer, error) {
	q := w.profile.Quirks
	abs, ok := pathOf(s.TextDocument.URI)
	if !ok {
		return nil, errors.New("not a file")
	}
	b := w.buffer(abs)
	if b == nil && q.EditsFilesOnDisk {
		return nil, w.editOnDisk(abs, s)
	}
	if b == nil {
		content, exists := w.read(abs)
		if !exists && !q.EditOpensMissing {
			return nil, errors.New("no such file")
		}
		if !exists && q.EditMakesFile {
			if err := os.WriteFile(abs, nil, 0o644); err != nil {
				return nil, err
			}
		}
		b = w.openBuffer(abs, s.TextDocument.URI, content, 0, q.NoDidOpenForTouched)
		b.loaded = q.NoDidOpenForTouched
	}
	if v := s.TextDocument.Version; v != nil && q.Rebases {
		return b, w.rebase(b, *v, s.texts())
	}
	if v := s.TextDocument.Version; v != nil && !q.NoVersionCheck && (index == 0 || !q.FirstOnlyVersionCheck) {
		future := *v > b.version
		if *v != b.version && (!future || !q.FutureVersionOk) {
			return nil, errStale
		}
	}
	edits := s.texts()
	if q.LastLinesHang && slices.ContainsFunc(edits, func(t TextEdit) bool { return takesLastLines(b.text, t) }) {
		return nil, errHangs
	}
	w.converted(edits, lineEnding(b.text))
	apply := applyEdits
	if q.LastBreakShifts {
		apply = applyBetweenBreaks
	}
	after := apply(b.text, edits, w.check.counting())
	if (q.EndsLines || q.EmptyIsNewline && strings.HasSuffix(b.text, "\n")) && !strings.HasSuffix(after, "\n") {
		after += "\n" // a buffer of whole lines
	}
	clean := q.SavesHidden && w.focus != b.abs && w.saved(b)
	w.set(b, after)
	if clean { // a moment after the change was told, whatever became of the file
		w.later(savesAfter, func() {
			if err := w.write(b); err != nil {
				w.say("save %s: %v", b.abs, err)
			}
		})
	}
	return b, nil
}

// converted gives new text the line endings that this client makes of it in a file with the given one.
func (w *workspace) converted(edits []TextEdit, ending string) {
	for i := range edits {
		switch q := w.profile.Quirks; {
		case q.NormalizesLineEndings, q.UnixLines:
			edits[i].NewText = withEnding(edits[i].NewText, ending)
		case q.DoublesCRLF:
			edits[i].NewText = strings.ReplaceAll(strings.ReplaceAll(edits[i].NewText, "\r", "\n"), "\n", ending)
		}
	}
}

// takesLastLines says whether an edit leaves nothing of the last lines, nor their line break.
func takesLastLines(text string, t TextEdit) bool {
	return t.NewText == "" && t.Range.Start.Character == 0 && t.Range.End.Character == 0 &&
		int(t.Range.End.Line) >= strings.Count(text, "\n") && text != ""
}

// editOnDisk changes a file that has no buffer, and announces it as if it had one. For a file that does not exist it does
// nothing, which is no failure.
func (w *workspace) editOnDisk(abs string, s DocumentChange) error {
	raw, err := os.ReadFile(abs)
	if err != nil {
		return nil //nolint:nilerr // that is what this client does
	}
	after := applyEdits(string(raw), s.texts(), w.check.counting())
	if err := os.WriteFile(abs, []byte(after), 0o644); err != nil {
		return err
	}
	if !w.profile.Quirks.NoDidOpenForTouched {
		w.tellOpen(&buffer{uri: s.TextDocument.URI, version: 1, text: after}, languageOf(abs))
	}
	return nil
}

// rebase makes edits in the version of a buffer that they name and moves them to where their text stands now.
func (w *workspace) rebase(b *buffer, version int32, edits []TextEdit) error {
	then, known := b.texts[version]
	if !known {
		return errStale
	}
	count := w.check.counting()
	change := difference(then, b.text, count)
	from, _ := offsetAt(then, change.Range.Start, count)
	to, _ := offsetAt(then, change.Range.End, count)
	moved := func(at int) int {
		switch {
		case at <= from:
			return at
		case at >= to:
			return at - to + from + len(change.NewText)
		}
		return from // what stood there is gone
	}
	for i, e := range edits {
		start, _ := offsetAt(then, e.Range.Start, count)
		end, _ := offsetAt(then, e.Range.End, count)
		edits[i].Range = Range{Start: positionAt(b.text, moved(start), count), End: positionAt(b.text, moved(end), count)}
	}
	w.set(b, applyEdits(b.text, edits, count))
	return nil
}

func withEnding(s, ending string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", ending)
}

func (w *workspace) create(s DocumentChange) error {
	q := w.profile.Quirks
	if q.NoCreate {
		return errors.New("resource operations are not supported")
	}
	abs, _ := pathOf(s.URI)
	_, err := os.Lstat(abs)
	exists := err == nil
	switch {
	case exists && said(s.Options.Overwrite), exists && q.TruncateOnCreate && !said(s.Options.IgnoreIfExists):
	case exists && said(s.Options.IgnoreIfExists):
		return nil
	case exists:
		return errors.New("the file exists")
	}
	if err := writable(filepath.Dir(abs)); err != nil {
		return err
	}
	if !q.CreateNeedsFolder {
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			return err
		}
	}
	return os.WriteFile(abs, nil, 0o644)
}

// writable says no of a folder whose mode lets nobody write, as the system does to all but an administrator, who may well be
// the one that runs the tests. Of one that is not there it asks the folder in which that would be made.
func writable(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case os.IsNotExist(err):
		return writable(filepath.Dir(dir))
	case err != nil:
		return err
	case info.Mode().Perm()&0o222 == 0:
		return &os.PathError{Op: "write", Path: dir, Err: os.ErrPermission}
	}
	return nil
}

func (w *workspace) rename(s DocumentChange) error {
	if w.profile.Quirks.NoCreate {
		return errors.New("resource operations are not supported")
	}
	from, _ := pathOf(s.OldURI)
	to, _ := pathOf(s.NewURI)
	if _, err := os.Lstat(to); err == nil && !said(s.Options.Overwrite) && !w.profile.Quirks.RenameOverwrites {
		return errors.New("the target exists")
	}
	if err := errors.Join(writable(filepath.Dir(from)), writable(filepath.Dir(to))); err != nil {
		return err
	}
	if !w.profile.Quirks.RenameNeedsFolder {
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if b := w.buffer(from); b != nil && !w.profile.Quirks.RenameKeepsBuffer {
		w.drop(b)
		fresh := w.openBuffer(to, s.NewURI, b.text, 0, b.silent)
		fresh.dirty = b.dirty
	}
	return nil
}

func (w *workspace) remove(s DocumentChange) error {
	if w.profile.Quirks.NoCreate {
		return errors.New("resource operations are not supported")
	}
	abs, _ := pathOf(s.URI)
	q := w.profile.Quirks
	if _, err := os.Lstat(abs); err != nil && (q.DeleteKeepsBuffer || q.DeleteSkipsMissing && said(s.Options.IgnoreIfNotExists)) {
		return nil
	}
	if err := writable(filepath.Dir(abs)); err != nil {
		return err
	}
	if err := os.Remove(abs); err != nil && !said(s.Options.IgnoreIfNotExists) {
		return err
	}
	if q.DeleteKeepsBuffer {
		return nil
	}
	if b := w.buffer(abs); b != nil {
		w.drop(b)
	}
	return nil
}

// drop closes a buffer and tells so.
func (w *workspace) drop(b *buffer) {
	w.tell(b)
	delete(w.buffers, b.abs)
	if !b.silent {
		w.tells(Notice{Method: "textDocument/didClose", URI: b.uri})
	}
}
