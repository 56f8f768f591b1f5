package editor

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

type position struct{ Line, Character int }

type textEdit struct {
	Range   struct{ Start, End position }
	NewText string
}

// apply does what workspace/applyEdit asks for: all of it or nothing, never on another version.
func (e *Editor) apply(params json.RawMessage) any {
	var p struct {
		Edit struct {
			DocumentChanges []struct {
				Kind         string
				TextDocument struct {
					URI     string
					Version *int
				}
				Edits []textEdit
			}
		}
	}
	refuse := func(format string, args ...any) any {
		return map[string]any{"applied": false, "failureReason": fmt.Sprintf(format, args...)}
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return refuse("%v", err)
	}
	texts := map[string]string{}
	for _, change := range p.Edit.DocumentChanges {
		if change.Kind != "" {
			return refuse("this editor does not support %q", change.Kind)
		}
		name, err := nameOf(change.TextDocument.URI, e.drive)
		if err != nil {
			return refuse("%v", err)
		}
		b := e.buffers[name]
		if b == nil {
			b = &buffer{uri: change.TextDocument.URI}
			e.buffers[name] = b
		}
		if v := change.TextDocument.Version; v != nil && *v != b.version {
			return refuse("%s is at version %d, not %d", name, b.version, *v)
		}
		text, err := applyTextEdits(b.text, change.Edits)
		if err != nil {
			return refuse("%s: %v", name, err)
		}
		texts[name] = text
	}
	for name, text := range texts {
		e.change(e.buffers[name], text)
	}
	e.Applied++
	e.look()
	return map[string]any{"applied": true}
}

// change takes over a new text and tells the server, as an editor does after every edit. A server
// that is gone cannot be told, which Read notices.
func (e *Editor) change(b *buffer, text string) {
	b.text = text
	if b.version == 0 { // a file that the edit created
		b.version = 1
		_ = e.conn.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
			"uri": b.uri, "languageId": "plaintext", "version": b.version, "text": text}})
		return
	}
	b.version++
	_ = e.conn.Notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": b.uri, "version": b.version},
		"contentChanges": []any{map[string]any{"text": text}}})
}

// applyTextEdits applies edits whose ranges all refer to text, in utf-8 columns.
func applyTextEdits(text string, edits []textEdit) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	offset := func(p position) (int, error) {
		if p.Line < 0 || p.Line >= len(lines) {
			return 0, fmt.Errorf("line %d is outside the document", p.Line)
		}
		at := 0
		for _, l := range lines[:p.Line] {
			at += len(l)
		}
		return at + min(p.Character, len(strings.TrimRight(lines[p.Line], "\r\n"))), nil
	}
	type span struct {
		start, end int
		text       string
	}
	var spans []span
	for _, edit := range edits {
		start, err := offset(edit.Range.Start)
		if err != nil {
			return "", err
		}
		end, err := offset(edit.Range.End)
		if err != nil {
			return "", err
		}
		spans = append(spans, span{start, end, edit.NewText})
	}
	slices.SortStableFunc(spans, func(a, b span) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, s := range spans {
		if s.start < at || s.end < s.start {
			return "", fmt.Errorf("edits overlap")
		}
		b.WriteString(text[at:s.start])
		b.WriteString(s.text)
		at = s.end
	}
	b.WriteString(text[at:])
	return b.String(), nil
}
