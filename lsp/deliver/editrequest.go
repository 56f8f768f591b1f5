package deliver

import (
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/client"
	"coauthor/lsp/document"
)

// clientStep is one step of a plan with what the wire needs to know of it. The step's change is computed
// on the text that the client has at this moment.
type clientStep struct {
	step    proposal.Step
	index   int    // of the step in the plan
	uri, to string // as the client spells them
	version *int32 // of the open document; nil when it is not open, which the wire writes as null
	// buffered says that the file is an open document without a file on disk: an editor made it of a
	// text edit and it was never saved.
	buffered bool
	// aside is where a document goes that the client would leave open; see canMoveAside.
	aside string
	part  part
	// more says that another request of the same step follows, which must not be sent before this one has
	// arrived.
	more   bool
	next   bool              // an earlier request of the same step has arrived
	agreed workspace.Consent // what the user has said to it; see permit
	// moves is the file that the step takes away when it is the new file of a rename by copy.
	moves string
}

// editRequest is one workspace/applyEdit and the steps that it carries.
type editRequest struct {
	params *protocol.ApplyWorkspaceEditParams
	steps  []clientStep
	closes bool // it has arrived when the documents are closed
}

// part says how much of a step a request carries.
type part int

const (
	partWhole part = iota
	partText       // the text edits
	partFile       // the operation on the file
)

// requestBuilder builds edits in the form that one client takes: spec/lsp.md 3.9. It does no I/O.
type requestBuilder struct {
	caps     *client.Capabilities
	quirks   *client.Quirks
	encoding document.Encoding
	label    string
	// native asks the client to preview the edit. Only for clients that do.
	native bool
}

// The annotations of a native preview. A client that previews shows the changes that need no
// confirmation ticked and the others unticked, and opens the preview when there is one of either:
// so the trigger, which changes nothing, is the one to confirm.
const (
	annotationReal    = "coauthor.change"
	annotationTrigger = "coauthor.preview"
)

// canCreate says whether a new file is made by a create operation. Where a text edit of a file that
// does not exist makes a buffer for it, that is safer: create empties an existing file in some.
func (p *requestBuilder) canCreate() bool {
	return p.caps.CreateFile && !p.quirks.NewFileByEdit && !p.quirks.NoResourceOperations && !p.quirks.CreateAlone
}

func (p *requestBuilder) canRename() bool { return p.caps.RenameFile && !p.quirks.NoResourceOperations }
func (p *requestBuilder) canDelete() bool { return p.caps.DeleteFile && !p.quirks.NoResourceOperations }

// byServer says whether the client cannot carry the step out, so that the server has to, with the
// user's consent. The edit of a renamed file goes through the client all the same.
func (p *requestBuilder) byServer(c clientStep) bool {
	switch c.step.Change.Op {
	case edits.OpDelete:
		return !p.canDelete() && !c.buffered
	case edits.OpRename:
		return !p.canRename() || c.buffered // there is nothing on disk that it could rename
	case edits.OpCreate:
		return p.textless(c) && !p.makes(c)
	case edits.OpUpdate:
	}
	return false
}

// textless says whether a step makes a file of which no text edit says anything: an empty one. No client makes a file
// or a document of an edit that is not there, so it takes a create operation, which no open document is sent, or the disk.
func (p *requestBuilder) textless(c clientStep) bool {
	change := c.step.Change
	return change.Op == edits.OpCreate && workspace.Blank(change.After) && len(p.textEdits(c)) == 0
}

// build makes the edits of a plan, in the order in which they must be sent.
func (p *requestBuilder) build(list []clientStep) []editRequest {
	var out []editRequest
	for _, group := range p.stages(list) {
		s := editRequest{steps: group, params: p.request()}
		if p.caps.DocumentChanges {
			s.params.Edit.DocumentChanges = p.documentChanges(group)
			if p.native {
				s.params.Edit.ChangeAnnotations = p.annotations()
			}
		} else {
			s.params.Edit.Changes = p.changes(group)
		}
		if len(s.params.Edit.DocumentChanges)+len(s.params.Edit.Changes) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// request is a request without an edit yet, as every edit of ours is marked. One without a label is of a document of
// ours: Neovim prints each label, and a conversation is written many times while an answer comes.
func (p *requestBuilder) request() *protocol.ApplyWorkspaceEditParams {
	params := &protocol.ApplyWorkspaceEditParams{}
	if p.label != "" {
		label := "Coauthor: " + p.label
		params.Label = &label
	}
	if p.caps.EditMetadata {
		// What a model wrote stays unsaved until the user saves it.
		refactoring := false
		params.Metadata = &protocol.WorkspaceEditMetadata{IsRefactoring: &refactoring}
	}
	return params
}

// groups splits a plan into requests: one for all where the client undoes what failed or where there
// are only text edits, else one for each kind of operation, so that a failure leaves a clean state.
func (p *requestBuilder) groups(list []clientStep) [][]clientStep {
	if len(list) == 0 {
		return nil
	}
	if p.native {
		return [][]clientStep{list}
	}
	if p.quirks.SplitFiles {
		var out [][]clientStep
		for _, c := range list {
			out = append(out, []clientStep{c})
		}
		return out
	}
	plain := true
	for _, c := range list {
		plain = plain && p.textOnly(c)
	}
	switch p.caps.FailureHandling {
	case "transactional", "undo":
		return [][]clientStep{list}
	}
	if plain {
		return [][]clientStep{list}
	}
	var out [][]clientStep
	for i, c := range list {
		if i == 0 || c.step.Change.Op != list[i-1].step.Change.Op {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], c)
	}
	return out
}

// textOnly says whether a step becomes text edits and nothing else.
func (p *requestBuilder) textOnly(c clientStep) bool {
	switch c.step.Change.Op {
	case edits.OpUpdate:
		return true
	case edits.OpCreate:
		return !p.makes(c)
	case edits.OpDelete:
		return c.emptied()
	case edits.OpRename:
	}
	return false
}

// needsNone says that nothing is sent for a step: an edit that says nothing to this client, such as one of the end of a
// text that it ends itself.
func (p *requestBuilder) needsNone(c clientStep) bool {
	return c.step.Change.Op == edits.OpUpdate && len(p.textEdits(c)) == 0
}

func (p *requestBuilder) documentChanges(group []clientStep) []protocol.DocumentChange {
	// The order that all clients take within one edit.
	var creates, texts, renames, deletes []protocol.DocumentChange
	triggered := !p.native
	text := func(c clientStep) {
		list := p.textEdits(c)
		if len(list) == 0 && triggered {
			return
		}
		edit := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: uri.URI(c.uri)}, Version: c.version,
		}}
		if !triggered {
			triggered = true
			edit.Edits = append(edit.Edits, &protocol.AnnotatedTextEdit{AnnotationID: annotationTrigger})
		}
		for i := range list {
			if p.native {
				edit.Edits = append(edit.Edits, &protocol.AnnotatedTextEdit{TextEdit: list[i], AnnotationID: annotationReal})
			} else {
				edit.Edits = append(edit.Edits, &list[i])
			}
		}
		texts = append(texts, edit)
	}
	operation := func(kind string) protocol.ResourceOperation {
		op := protocol.ResourceOperation{Kind: kind}
		if p.native {
			op.AnnotationID = annotationReal
		}
		return op
	}
	no := false
	create := func(c clientStep) {
		creates = append(creates, &protocol.CreateFile{ResourceOperation: operation("create"), Kind: "create", URI: uri.URI(c.uri),
			Options: &protocol.CreateFileOptions{Overwrite: &no, IgnoreIfExists: &no}})
	}
	rename := func(c clientStep, to string) {
		renames = append(renames, &protocol.RenameFile{ResourceOperation: operation("rename"), Kind: "rename",
			OldURI: uri.URI(c.uri), NewURI: uri.URI(to),
			Options: &protocol.RenameFileOptions{Overwrite: &no, IgnoreIfExists: &no}})
	}
	for _, c := range group {
		op := c.step.Change.Op
		if op == edits.OpDelete && c.part == partText {
			text(c)
			continue
		}
		if op != edits.OpDelete && c.part != partFile {
			text(c)
		}
		if c.part == partText {
			continue
		}
		switch op {
		case edits.OpCreate:
			if p.makes(c) {
				create(c)
			}
		case edits.OpUpdate:
		case edits.OpRename:
			if p.canRename() {
				rename(c, c.to)
			}
		case edits.OpDelete:
			switch {
			case c.aside != "":
				if c.buffered {
					create(c) // a rename needs a file
				}
				rename(c, c.aside)
			case c.buffered:
				text(c)
			case p.canDelete():
				deletes = append(deletes, &protocol.DeleteFile{ResourceOperation: operation("delete"), Kind: "delete", URI: uri.URI(c.uri)})
			}
		}
	}
	return slices.Concat(creates, texts, renames, deletes)
}

// changes is the form for clients that know only text edits.
func (p *requestBuilder) changes(group []clientStep) map[uri.URI][]protocol.TextEdit {
	out := map[uri.URI][]protocol.TextEdit{}
	for _, c := range group {
		if list := p.textEdits(c); len(list) > 0 {
			out[uri.URI(c.uri)] = list
		}
	}
	return out
}

// textEdits are the hunks of a step: minimal, ascending, never touching, whole lines where they can
// be, in the positions of the text that the client has.
func (p *requestBuilder) textEdits(c clientStep) []protocol.TextEdit {
	change := c.step.Change
	if change.Op == edits.OpDelete && (!c.buffered && c.part != partText || workspace.Blank(change.Before)) {
		return nil
	}
	list := replacementsOf(c.step.Hunks)
	if p.quirks.KeepLastBreak && (c.version != nil || change.Op != edits.OpCreate && !p.quirks.EditsFilesOnDisk) {
		list = keepLastBreak(change.Before, list)
	}
	before := p.lines(change.Before)
	var out []protocol.TextEdit
	for _, s := range list {
		text := s.text
		if change.Op == edits.OpCreate && p.quirks.NewFileEndsLine && c.version == nil {
			text = strings.TrimSuffix(text, lastBreak(text))
		}
		if p.quirks.WritesLF && c.version != nil {
			text = strings.ReplaceAll(text, "\r\n", "\n")
		}
		if text == change.Before[s.start:s.end] {
			continue // such as an end without a line break, where the client has none
		}
		out = append(out, protocol.TextEdit{Range: before.RangeOf(s.start, s.end, p.encoding), NewText: text})
	}
	return out
}

// lines splits a text as the client does. A client for which only "\n" ends a line sees a lone "\r"
// as a character like others; a letter of the same width stands for it in the table.
func (p *requestBuilder) lines(text string) document.Lines {
	if p.quirks.OnlyLF && strings.Contains(text, "\r") {
		crlf := strings.ReplaceAll(text, "\r\n", "\x00\n")
		lone := strings.ReplaceAll(crlf, "\r", "r")
		return document.NewLines(strings.ReplaceAll(lone, "\x00\n", "\r\n"))
	}
	return document.NewLines(text)
}

func (p *requestBuilder) annotations() map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation {
	yes, no := true, false
	hint := "only opens this preview; makes no changes"
	return map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{
		annotationReal:    {Label: fmt.Sprintf("Coauthor: %s", p.label), NeedsConfirmation: &no},
		annotationTrigger: {Label: "Coauthor: preview", NeedsConfirmation: &yes, Description: &hint},
	}
}
