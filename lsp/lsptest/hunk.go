package lsptest

// Hover asks what there is to say of the first place of a text in a buffer; "" is nothing. asked is false for a client that
// has no hovers.
func (e *Editor) Hover(name, of string) (text string, asked bool) {
	e.t.Helper()
	e.SelectText(name, of)
	e.mu.Lock()
	params := map[string]any{"textDocument": map[string]any{"uri": e.must(name).uri}, "position": e.sel.Start}
	asked = at(e.check.caps, "textDocument", "hover") != nil
	e.mu.Unlock()
	if !asked {
		return "", false
	}
	result, err := e.Request("textDocument/hover", params)
	if err != nil {
		e.t.Fatalf("[%s] hover: %v", e.profile.Name, err)
	}
	text, _ = at(result, "contents", "value").(string)
	return text, true
}

// Hints asks for the inlay hints of a buffer. asked is false for a client that has none.
func (e *Editor) Hints(name string) (list []Lens, asked bool) {
	e.t.Helper()
	e.mu.Lock()
	params := map[string]any{"textDocument": map[string]any{"uri": e.must(name).uri},
		"range": Range{End: Position{Line: 1 << 20}}}
	asked = at(e.check.caps, "textDocument", "inlayHint") != nil
	e.mu.Unlock()
	if !asked {
		return nil, false
	}
	result, err := e.Request("textDocument/inlayHint", params)
	if err != nil {
		e.t.Fatalf("[%s] inlay hints: %v", e.profile.Name, err)
	}
	raw, _ := result.([]any)
	for _, one := range raw {
		h := Lens{Line: int(positionOf(at(one, "position")).Line)}
		h.Title, _ = at(one, "label").(string)
		list = append(list, h)
	}
	return list, true
}
