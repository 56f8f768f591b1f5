package lsptest

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// applyEdit checks an edit, makes of it what this client makes of it, and answers as this client answers.
func (e *Editor) applyEdit(m Message) {
	asked, err := applyEditOf(m.Params)
	if err != nil {
		e.violation("workspace/applyEdit: %v", err)
		e.refuse(m.ID, -32602, err.Error())
		return
	}
	edit, label := asked.Edit, asked.Label
	shown := e.profile.Quirks.Preview && needsConfirmation(edit)
	if shown { // the user sees all of it and decides then
		e.seesAll(at(m.Params, "edit"))
		e.check.review.consents++
	}
	e.check.applyEdit(asked, m.Params)
	if shown {
		e.check.review.consents--
	}
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
		e.declineEdit(m.ID)
		return
	case q.CreateHangs && hasCreate(edit):
		record(false, "create hangs")
		return
	}
	if e.between != nil {
		e.between()
		e.between = nil
	}
	touched, failed, err := e.perform(edit.steps())
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
		e.afterwards(time.Duration(*q.DidChangeAfterResponse), func() { e.tellThese(touched) })
	}
}

// declineEdit answers an edit that the user said no to, in the way of the client.
func (e *Editor) declineEdit(id json.RawMessage) {
	switch q := e.profile.Quirks; {
	case q.NoIsApplied:
		e.answer(id, map[string]any{"applied": true})
	case q.NoIsNull:
		e.answer(id, map[string]any{"applied": nil})
	default:
		e.refuseEdit(id, 0, "")
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
		e.refuse(id, cmp.Or(q.ErrorCode, -32603), "Internal error")
	case reason == "":
		e.answer(id, map[string]any{"applied": false})
	default:
		e.answer(id, map[string]any{"applied": false, "failureReason": reason, "failedChange": failed})
	}
}

func hasCreate(edit WorkspaceEdit) bool {
	return slices.ContainsFunc(edit.DocumentChanges, func(s DocumentChange) bool { return s.Kind == "create" })
}

func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
