package lsptest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// applyEdit checks an edit, makes of it what this client makes of it, and answers as this client answers.
func (e *Editor) applyEdit(m Message) {
	var edit WorkspaceEdit
	raw := at(m.Params, "edit")
	body, err := json.Marshal(raw)
	if err == nil {
		err = json.Unmarshal(body, &edit)
	}
	if err != nil {
		e.violation("workspace/applyEdit: %v", err)
		e.refuse(m.ID, -32602, err.Error())
		return
	}
	shown := e.profile.Quirks.Preview && needsConfirmation(edit)
	if shown { // the user sees all of it and decides then
		for _, s := range texts(raw, nil) {
			e.check.review.show(s)
			if abs, ok := pathOf(s); ok {
				e.check.review.show(e.relative(abs))
			}
		}
		e.check.review.consents++
	}
	e.check.workspaceEdit(edit, raw)
	if shown {
		e.check.review.consents--
	}
	label, _ := at(m.Params, "label").(string)
	q := e.profile.Quirks
	record := func(applied bool, reason string) {
		e.log.Edits = append(e.log.Edits, Received{Label: label, Edit: edit, Applied: applied, Reason: reason})
	}
	switch {
	case q.NeverAnswersApply:
		record(false, "the client never answers")
		return
	case shown:
		e.takesKeyboard("a preview")
		e.openPreview(m, label, edit)
		return
	case q.DeclinesSilently, e.says:
		record(false, "the user declined")
		e.refuseEdit(m.ID, 0, "")
		return
	case q.CreateHangs && hasCreate(edit):
		record(false, "create hangs")
		return
	}
	if e.between != nil {
		e.between()
		e.between = nil
	}
	e.opening = true
	touched, failed, err := e.perform(edit.steps())
	e.opening = false
	record(err == nil, reasonOf(err))
	if errors.Is(err, errHangs) {
		return
	}
	if q.DidChangeAfterResponse == nil && !q.DidChangeNever {
		e.tellThese(touched)
	}
	if err != nil {
		e.refuseEdit(m.ID, failed, reasonOf(err))
	} else {
		e.answer(m.ID, map[string]any{"applied": true})
	}
	switch {
	case q.DidChangeNever:
	case q.DidChangeAfterResponse == nil:
	case err != nil && len(touched) == 0:
		e.tellAll() // what was typed meanwhile
	case *q.DidChangeAfterResponse == 0:
		e.tellThese(touched)
	default:
		e.later(time.Duration(*q.DidChangeAfterResponse), func() { e.tellThese(touched) })
	}
}

func (e *Editor) tellThese(list []*buffer) {
	for _, b := range list {
		if e.buffers[b.abs] == b && !e.hides(b) {
			e.tell(b)
		}
	}
}

// refuseEdit answers an edit that was not applied, in the way of the client.
func (e *Editor) refuseEdit(id json.RawMessage, failed int, reason string) {
	q := e.profile.Quirks
	switch {
	case q.LieApplied:
		e.answer(id, map[string]any{"applied": true})
	case q.NoReasons && !q.AppliedNull && !q.ErrorInsteadOfFalse:
		e.answer(id, map[string]any{"applied": false})
	case q.AppliedNull:
		e.answer(id, map[string]any{"applied": nil})
	case q.ErrorInsteadOfFalse:
		e.refuse(id, -32603, "Internal error")
	case reason == "":
		e.answer(id, map[string]any{"applied": false})
	default:
		e.answer(id, map[string]any{"applied": false, "failureReason": reason, "failedChange": failed})
	}
}

var (
	errStale = errors.New("document has changed")
	errHangs = errors.New("the client ran into an error of its own")
)

// perform runs the steps of an edit in order. A failure stops it and what ran stays, except that Neovim drops a stale
// first document without a word and goes on.
func (e *Editor) perform(steps []DocumentChange) (touched []*buffer, failed int, err error) {
	before := map[*buffer]string{}
	for _, i := range e.sequence(steps) {
		s := steps[i]
		var b *buffer
		switch s.Kind {
		case "create":
			err = e.create(s)
		case "rename":
			err = e.rename(s)
		case "delete":
			err = e.remove(s)
		default:
			if open := e.bufferOf(s); open != nil {
				before[open] = open.text
			}
			b, err = e.editText(s, i)
		}
		if b != nil {
			touched = append(touched, b)
		}
		if err != nil {
			if errors.Is(err, errStale) && e.profile.Quirks.FirstOnlyVersionCheck {
				failed = i
				defer func(stale error) { err = stale }(err)
				continue
			}
			if e.profile.Quirks.RollsBack {
				for _, b := range touched {
					e.set(b, before[b])
				}
			}
			return touched, i, err
		}
	}
	return touched, failed, nil
}

// sequence gives the steps, by index, in the order in which this client carries them out.
func (e *Editor) sequence(steps []DocumentChange) []int {
	var order, late []int
	for i, s := range steps {
		if e.profile.Quirks.OperationsFirst && s.Kind == "" && e.bufferOf(s) != nil {
			late = append(late, i)
			continue
		}
		order = append(order, i)
	}
	return append(order, late...)
}

// bufferOf gives the buffer that a text edit is for; nil where there is none.
func (e *Editor) bufferOf(s DocumentChange) *buffer {
	abs, ok := pathOf(s.TextDocument.URI)
	if !ok {
		return nil
	}
	return e.buffer(abs)
}

// savesAfter is when a client with SavesHidden saves.
const savesAfter = 40 * time.Millisecond

func (e *Editor) editText(s DocumentChange, index int) (*buffer, error) {
	q := e.profile.Quirks
	abs, ok := pathOf(s.TextDocument.URI)
	if !ok {
		return nil, errors.New("not a file")
	}
	b := e.buffer(abs)
	if b == nil && q.EditsFilesOnDisk {
		return nil, e.editOnDisk(abs, s)
	}
	if b == nil {
		content, exists := e.read(abs)
		if !exists && !q.EditOpensMissing {
			return nil, errors.New("no such file")
		}
		if !exists && q.EditMakesFile {
			if err := os.WriteFile(abs, nil, 0o644); err != nil {
				return nil, err
			}
		}
		b = e.openBuffer(abs, s.TextDocument.URI, content, q.NoDidOpenForTouched)
		b.loaded = q.NoDidOpenForTouched
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
	for i := range edits {
		switch ending := lineEnding(b.text); {
		case q.NormalizesLineEndings, q.UnixLines:
			edits[i].NewText = withEnding(edits[i].NewText, ending)
		case q.DoublesCRLF:
			edits[i].NewText = strings.ReplaceAll(strings.ReplaceAll(edits[i].NewText, "\r", "\n"), "\n", ending)
		}
	}
	apply := applyEdits
	if q.LastBreakShifts {
		apply = applyBetweenBreaks
	}
	after := apply(b.text, edits, e.check.encoding)
	if (q.EndsLines || q.EmptyIsNewline && strings.HasSuffix(b.text, "\n")) && !strings.HasSuffix(after, "\n") {
		after += "\n" // a buffer of whole lines
	}
	clean := q.SavesHidden && e.focus != b.abs && e.saved(b)
	e.set(b, after)
	if clean { // a moment after the change was told, whatever became of the file
		e.later(savesAfter, func() {
			if err := e.write(b); err != nil {
				e.violation("save %s: %v", b.abs, err)
			}
		})
	}
	return b, nil
}

// takesLastLines says whether an edit leaves nothing of the last lines, nor their line break.
func takesLastLines(text string, t TextEdit) bool {
	return t.NewText == "" && t.Range.Start.Character == 0 && t.Range.End.Character == 0 &&
		int(t.Range.End.Line) >= strings.Count(text, "\n") && text != ""
}

// editOnDisk changes a file that has no buffer, and announces it as if it had one. For a file that does not exist it does
// nothing, which is no failure.
func (e *Editor) editOnDisk(abs string, s DocumentChange) error {
	raw, err := os.ReadFile(abs)
	if err != nil {
		return nil //nolint:nilerr // that is what this client does
	}
	after := applyEdits(string(raw), s.texts(), e.check.encoding)
	if err := os.WriteFile(abs, []byte(after), 0o644); err != nil {
		return err
	}
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": s.TextDocument.URI, "languageId": languageOf(abs), "version": 1, "text": after,
	}})
	return nil
}

func withEnding(s, ending string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", ending)
}

func (e *Editor) create(s DocumentChange) error {
	q := e.profile.Quirks
	if q.NoCreate {
		return errors.New("resource operations are not supported")
	}
	abs, _ := pathOf(s.URI)
	_, err := os.Lstat(abs)
	exists := err == nil
	switch {
	case exists && s.Options.Overwrite, exists && q.TruncateOnCreate && !s.Options.IgnoreIfExists:
	case exists && s.Options.IgnoreIfExists:
		return nil
	case exists:
		return errors.New("the file exists")
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		return err
	}
	return os.WriteFile(abs, nil, 0o644)
}

func (e *Editor) rename(s DocumentChange) error {
	if e.profile.Quirks.NoCreate {
		return errors.New("resource operations are not supported")
	}
	from, _ := pathOf(s.OldURI)
	to, _ := pathOf(s.NewURI)
	if _, err := os.Lstat(to); err == nil && !s.Options.Overwrite && !e.profile.Quirks.RenameOverwrites {
		return errors.New("the target exists")
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if b := e.buffer(from); b != nil && !e.profile.Quirks.RenameKeepsBuffer {
		e.drop(b)
		fresh := e.openBuffer(to, s.NewURI, b.text, b.silent)
		fresh.dirty = b.dirty
	}
	return nil
}

func (e *Editor) remove(s DocumentChange) error {
	if e.profile.Quirks.NoCreate {
		return errors.New("resource operations are not supported")
	}
	abs, _ := pathOf(s.URI)
	q := e.profile.Quirks
	if _, err := os.Lstat(abs); err != nil && (q.DeleteKeepsBuffer || q.DeleteSkipsMissing && s.Options.IgnoreIfNotExists) {
		return nil
	}
	if err := os.Remove(abs); err != nil && !s.Options.IgnoreIfNotExists {
		return err
	}
	if q.DeleteKeepsBuffer {
		return nil
	}
	if b := e.buffer(abs); b != nil {
		e.drop(b)
	}
	return nil
}

// drop closes a buffer and tells so.
func (e *Editor) drop(b *buffer) {
	e.tell(b)
	delete(e.buffers, b.abs)
	if !b.silent {
		e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": b.uri}})
	}
}

func hasCreate(edit WorkspaceEdit) bool {
	for _, s := range edit.DocumentChanges {
		if s.Kind == "create" {
			return true
		}
	}
	return false
}

func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
