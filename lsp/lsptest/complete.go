package lsptest

import (
	"encoding/json"
	"math"
	"strings"
)

// Completion is one item of a list of what may follow.
type Completion struct {
	Label, Detail, Filter string
	// After is the text of the buffer with it.
	After string
}

// Complete asks what may follow the first place of a text in a buffer, behind it. asked is false for a client that does
// not complete.
func (e *Editor) Complete(name, behind string) (list []Completion, asked bool) {
	e.t.Helper()
	e.SelectText(name, behind)
	e.mu.Lock()
	b, position := e.must(name), e.sel.End
	if e.profile.Quirks.TellsWithActions {
		e.tell(b)
	}
	params := map[string]any{"textDocument": map[string]any{"uri": b.uri}, "position": position}
	text, asked := b.text, at(e.check.caps, "textDocument", "completion") != nil
	e.mu.Unlock()
	if !asked {
		return nil, false
	}
	result, err := e.Request("textDocument/completion", params)
	if err != nil {
		e.t.Fatalf("[%s] completion: %v", e.profile.Name, err)
	}
	items, _ := at(result, "items").([]any)
	cursor := strings.Index(text, behind) + len(behind)
	for _, item := range items {
		c := Completion{}
		c.Label, _ = at(item, "label").(string)
		c.Detail, _ = at(item, "detail").(string)
		c.Filter, _ = at(item, "filterText").(string)
		put, _ := at(item, "textEdit", "newText").(string)
		// The edit is within the line, and ends at the cursor; what it takes away begins with its sign.
		from := strings.LastIndexAny(text[:cursor], "@/")
		if put[:1] == "@" {
			from = strings.LastIndexByte(text[:cursor], '@')
		}
		want := Range{Start: positionAt(text, from, e.check.counting()), End: position}
		got := Range{Start: positionOf(at(item, "textEdit", "range", "start")), End: positionOf(at(item, "textEdit", "range", "end"))}
		if got != want {
			e.t.Errorf("[%s] completion of %q: the edit is at %v, not at %v", e.profile.Name, behind, got, want)
		}
		if from < 0 || !strings.HasPrefix(strings.ToLower(c.Filter), strings.ToLower(text[from:cursor])) && !strings.Contains(strings.ToLower(c.Filter), strings.ToLower(text[from+1:cursor])) {
			e.t.Errorf("[%s] completion of %q: %q would be filtered out", e.profile.Name, behind, c.Filter)
			continue
		}
		c.After = text[:from] + put + text[cursor:]
		list = append(list, c)
	}
	return list, true
}

func positionOf(v any) Position {
	number := func(key string) uint32 {
		n, _ := at(v, key).(json.Number)
		i, err := n.Int64()
		if err != nil {
			return math.MaxUint32
		}
		return uint32(i)
	}
	return Position{Line: number("line"), Character: number("character")}
}
