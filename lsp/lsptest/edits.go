package lsptest

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
)

// DocumentChange is one element of documentChanges: an edit of a text or an operation on a file.
type DocumentChange struct {
	Kind         string `json:"kind"` // "" for a text edit
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int32 `json:"version"`
	} `json:"textDocument"`
	Edits        []AnnotatedEdit `json:"edits"`
	URI          string          `json:"uri"`
	OldURI       string          `json:"oldUri"`
	NewURI       string          `json:"newUri"`
	AnnotationID string          `json:"annotationId"`
	Options      struct {        // nil where nothing is said
		Overwrite         *bool `json:"overwrite"`
		IgnoreIfExists    *bool `json:"ignoreIfExists"`
		Recursive         *bool `json:"recursive"`
		IgnoreIfNotExists *bool `json:"ignoreIfNotExists"`
	} `json:"options"`
}

// said reports whether an option was set to true.
func said(option *bool) bool { return option != nil && *option }

// Target is the URI of the document or file that the change is about: before it, for a rename.
func (d DocumentChange) Target() string { return d.URI + d.OldURI + d.TextDocument.URI }

// AnnotatedEdit is an edit of a text with what is said about it, "" for nothing.
type AnnotatedEdit struct {
	TextEdit
	AnnotationID string `json:"annotationId"`
}

// texts gives the plain edits.
func (d DocumentChange) texts() []TextEdit {
	out := make([]TextEdit, 0, len(d.Edits))
	for _, e := range d.Edits {
		out = append(out, e.TextEdit)
	}
	return out
}

// WorkspaceEdit is the edit of workspace/applyEdit after its form was checked.
type WorkspaceEdit struct {
	Changes           map[string][]TextEdit `json:"changes"`
	DocumentChanges   []DocumentChange      `json:"documentChanges"`
	ChangeAnnotations map[string]struct {
		NeedsConfirmation *bool `json:"needsConfirmation"`
	} `json:"changeAnnotations"`
}

// ApplyEdit are the parameters of workspace/applyEdit, after their form was checked.
type ApplyEdit struct {
	Label string        `json:"label"`
	Edit  WorkspaceEdit `json:"edit"`
}

// applyEditOf reads decoded parameters.
func applyEditOf(params any) (ApplyEdit, error) {
	var a ApplyEdit
	raw, err := json.Marshal(params)
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	return a, err
}

// steps gives both forms as one list; the map form has no versions and, here, the order of its keys.
func (w WorkspaceEdit) steps() []DocumentChange {
	if w.DocumentChanges != nil {
		return w.DocumentChanges
	}
	keys := make([]string, 0, len(w.Changes))
	for u := range w.Changes {
		keys = append(keys, u)
	}
	slices.Sort(keys)
	var list []DocumentChange
	for _, u := range keys {
		var d DocumentChange
		d.TextDocument.URI = u
		for _, e := range w.Changes[u] {
			d.Edits = append(d.Edits, AnnotatedEdit{TextEdit: e})
		}
		list = append(list, d)
	}
	return list
}

// applyEdit judges a request that passed its schema.
func (c *checker) applyEdit(a ApplyEdit, params any) {
	edit := a.Edit
	ours := func(s DocumentChange) bool { return strings.Contains(s.TextDocument.URI, "/.coauthor/") }
	if !strings.HasPrefix(a.Label, "Coauthor: ") && !(a.Label == "" && !slices.ContainsFunc(edit.steps(), func(s DocumentChange) bool { return !ours(s) })) {
		c.say("an edit with the label %q, which does not say whose it is", a.Label)
	}
	takes, marked := truth(c.caps, "workspace", "workspaceEdit", "metadataSupport"), at(params, "metadata") != nil
	if takes != marked || marked && at(params, "metadata", "isRefactoring") != false {
		c.say("an edit with the metadata %v: one that takes it, and no other, is told that it is no refactoring", at(params, "metadata"))
	}
	_, hasMap := at(params, "edit", "changes").(map[string]any)
	_, hasList := at(params, "edit", "documentChanges").([]any)
	operations := stringsOf(at(c.caps, "workspace", "workspaceEdit", "resourceOperations"))
	listed := truth(c.caps, "workspace", "workspaceEdit", "documentChanges") || len(operations) > 0
	switch {
	case hasMap == hasList:
		c.say("an edit must have either changes or documentChanges")
	case hasList && !listed:
		c.say("an edit with documentChanges, which the client did not declare")
	case hasMap && listed:
		c.say("an edit with changes, without versions, although the client takes documentChanges")
	}
	c.annotations(edit)
	steps := edit.steps()
	if len(steps) == 0 {
		c.say("an edit that changes nothing")
	}
	c.steps(edit, operations, hasMap)
}

// steps judges the parts of an edit and their order.
func (c *checker) steps(edit WorkspaceEdit, operations []string, hasMap bool) {
	steps := edit.steps()
	order := map[string]int{"create": 0, "": 1, "rename": 2, "delete": 3}
	last := 0
	seen, renamed, made := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range steps {
		if order[s.Kind] < last {
			c.say("an edit whose steps do not come as creates, texts, renames, deletes")
		}
		last = order[s.Kind]
		if s.Kind != "" && !slices.Contains(operations, s.Kind) {
			c.say("the operation %s, which the client did not declare", s.Kind)
		}
		if o := s.Options; (s.Kind == "create" || s.Kind == "rename") &&
			(o.Overwrite == nil || *o.Overwrite || o.IgnoreIfExists == nil || *o.IgnoreIfExists) {
			c.say("%s of %s, which does not say that no file is overwritten and none ignored: clients differ", s.Kind, s.Target())
		}
		switch s.Kind {
		case "create":
			made[s.URI] = true
			c.creates(s, leaves(steps, s.URI))
		case "rename":
			renamed[s.NewURI] = true
			c.contained(s.OldURI)
			c.contained(s.NewURI)
		case "delete":
			c.contained(s.URI)
		default:
			u := s.TextDocument.URI
			if seen[u] {
				c.say("one edit holds %s twice", u)
			}
			if renamed[u] {
				c.say("one edit renames to %s and edits it", u)
			}
			seen[u] = true
			if n := len(s.Edits); edit.untriggered(&s) || n == 0 {
				c.document(s, made[u], hasMap)
			}
		}
	}
}

// annotations go to the family that asks about them; others ignore them or ask a question without a diff.
func (c *checker) annotations(edit WorkspaceEdit) {
	used := map[string]bool{}
	for _, s := range edit.steps() {
		if s.Kind != "" {
			used[s.AnnotationID] = true
		}
		for i, e := range s.Edits {
			used[e.AnnotationID] = true
			if edit.asksAbout(e.AnnotationID) && (i > 0 || e.TextEdit != TextEdit{}) {
				c.say("%s: what needs confirmation changes something", s.TextDocument.URI)
			}
		}
	}
	if used[""] && len(used) > 1 {
		c.say("an edit of which a part is annotated")
	}
	delete(used, "")
	for id := range used {
		if a, ok := edit.ChangeAnnotations[id]; !ok || a.NeedsConfirmation == nil {
			c.say("the annotation %q is used and not described", id)
		}
	}
	if len(used) == 0 && len(edit.ChangeAnnotations) == 0 {
		return
	}
	if at(c.caps, "workspace", "workspaceEdit", "changeAnnotationSupport") == nil {
		c.say("an annotated edit, which the client did not declare")
	}
	if at(c.caps, "workspace", "workspaceEdit", "failureHandling") != "textOnlyTransactional" {
		c.say("an annotated edit for a client that has no preview for it")
	}
}

// leaves says whether an edit takes a file away again that it creates: that is how a document without a file is closed.
func leaves(steps []DocumentChange, uri string) bool {
	return slices.ContainsFunc(steps, func(s DocumentChange) bool {
		return s.Kind == "delete" && s.URI == uri || s.Kind == "rename" && s.OldURI == uri
	})
}

func (c *checker) creates(s DocumentChange, leaves bool) {
	abs, ok := c.contained(s.URI)
	if !ok {
		return
	}
	if _, err := os.Lstat(abs); err == nil {
		c.say("create %s, which exists: two clients would empty it", s.URI)
	}
	if _, open := c.docs.opened(abs); open && !leaves {
		c.say("create %s, which is open", s.URI)
	}
}

// contained judges whether an edit may touch the place at all.
func (c *checker) contained(u string) (abs string, ok bool) {
	abs, ok = pathOf(u)
	if !ok {
		c.say("an edit of %s, which is no file", u)
		return "", false
	}
	if rootOf(abs, c.docs.roots) == "" {
		c.say("an edit of %s, which lies outside every workspace folder", u)
		return "", false
	}
	if info, err := os.Stat(abs); err == nil && info.Mode().Perm()&0o222 == 0 {
		c.say("an edit of %s, which is read-only", u)
	}
	return abs, true
}

// document judges the text edits of one document.
func (c *checker) document(s DocumentChange, made, unversioned bool) {
	u := s.TextDocument.URI
	abs, ok := c.contained(u)
	if !ok {
		return
	}
	spelled, open := c.docs.opened(abs)
	var before string
	switch v := s.TextDocument.Version; {
	case open && spelled != u:
		c.say("an edit of %s, which the client has open as %s", u, spelled)
		return
	case open && v == nil && !unversioned:
		c.say("an edit of the open document %s without a version", u)
		return
	case open && v != nil:
		if before, ok = c.docs.textAt(u, *v); !ok {
			c.say("an edit of version %d of %s, which the client never told", *v, u)
			return
		}
	case !open && v != nil:
		c.say("an edit of version %d of %s, which is not open", *v, u)
		return
	case open:
		before, _ = c.docs.textAt(u, latest)
	default:
		before, ok = c.docs.text(abs) // a buffer that the server was never told of, too
		if !ok && !made && truth(c.caps, "workspace", "workspaceEdit", "normalizesLineEndings") &&
			at(c.caps, "workspace", "workspaceEdit", "failureHandling") == "textOnlyTransactional" {
			c.say("an edit of the missing file %s, which this client drops", u)
		}
	}
	edits := s.texts()
	c.ranges(u, before, edits)
	if c.anyText {
		return
	}
	c.endings(u, before, edits)
	if root := rootOf(abs, c.docs.roots); root != "" && !strings.Contains(abs, "/.coauthor/") {
		c.reviewed(root, abs, before, edits)
	} else if root != "" {
		c.own(abs, before, edits)
	}
}

// ranges holds edits to what all clients understand: ascending, apart, inside the text, and each a change.
func (c *checker) ranges(u, before string, edits []TextEdit) {
	if len(edits) == 0 {
		c.say("%s gets an empty list of edits", u)
	}
	last := -1
	for _, e := range edits {
		start, wrong := offsetAt(before, e.Range.Start, c.counting())
		if wrong != exact {
			c.say("%s: the start %v of an edit %s", u, e.Range.Start, wrong)
		}
		end, wrong := offsetAt(before, e.Range.End, c.counting())
		if wrong != exact {
			c.say("%s: the end %v of an edit %s", u, e.Range.End, wrong)
		}
		switch {
		case end < start:
			c.say("%s: an edit ends at %v before it starts at %v", u, e.Range.End, e.Range.Start)
			continue
		case start <= last:
			c.say("%s: the edit at %v touches the one before it, or they are not sorted", u, e.Range.Start)
		case before[start:end] == e.NewText:
			c.say("%s: the edit at %v changes nothing", u, e.Range.Start)
		case start == 0 && end == len(before) && sharesEnds(before, e.NewText):
			c.say("%s: the whole text is replaced, although its ends stay", u)
		}
		last = end
	}
}

// sharesEnds reports whether a line at either end of both texts is the same, so that a smaller edit would do.
func sharesEnds(a, b string) bool {
	x, y := slices.Collect(strings.Lines(a)), slices.Collect(strings.Lines(b))
	if len(x) < 2 || len(y) < 2 {
		return false
	}
	return x[0] == y[0] || x[len(x)-1] == y[len(y)-1]
}

func (c *checker) endings(u, before string, edits []TextEdit) {
	if c.docs.profile.Quirks.DoublesCRLF {
		if abs, _ := pathOf(u); slices.ContainsFunc(edits, func(e TextEdit) bool { return strings.Contains(e.NewText, "\r") }) {
			if _, open := c.docs.opened(abs); open {
				c.say("%s: an edit brings a carriage return to a client that would double it", u)
			}
		}
		return
	}
	if !strings.Contains(before, "\n") {
		return
	}
	want := lineEnding(before)
	mixed := want == "\r\n" && strings.Count(before, "\n") != strings.Count(before, "\r\n")
	for _, e := range edits {
		bare := strings.Count(e.NewText, "\n") - strings.Count(e.NewText, "\r\n")
		switch {
		case want == "\r\n" && bare > 0 && !mixed:
			c.say("%s: an edit brings \\n into a document with \\r\\n", u)
		case want == "\n" && strings.Contains(e.NewText, "\r\n") && !strings.Contains(before, "\r\n"):
			c.say("%s: an edit brings \\r\\n into a document with \\n", u)
		}
	}
}
