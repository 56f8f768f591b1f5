package deliver

import (
	"context"
	"fmt"
	"path"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"coauthor/agent/proposal"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"coauthor/lsp/document"
)

// A file that is taken away may be open, and it may never have been saved. What is left open then is
// written again by the next "save all" of the editor, as an empty file. No request of the protocol
// closes a document; what a delete operation does to it differs from client to client:
//
//   - it closes it, as it should (where a document without a file is concerned: some only if there is
//     a file, see client.Quirks.DeleteNeedsFile);
//   - it leaves it open: then it is renamed to a file of our own folder (client.Quirks.DeleteKeepsDocument);
//   - it leaves it open and nothing closes it: then it is emptied before (client.Quirks.EmptyBeforeDelete), and the
//     user is told;
//   - there are none: then the document is emptied, and the user is told.

// emptied says whether a step takes the text out of a document that was never saved, which is to be
// closed after that. The text goes first because that edit names the version of the document: what
// was typed meanwhile stops it.
func (c clientStep) emptied() bool {
	return c.step.Change.Op == edits.OpDelete && c.buffered && c.aside == ""
}

// canMoveAside says whether an open document that is deleted has to be renamed instead, and can.
func (p *requestBuilder) canMoveAside(c clientStep) bool {
	return c.step.Change.Op == edits.OpDelete && c.version != nil && p.quirks.DeleteKeepsDocument && p.canRename() &&
		(!c.buffered || p.canMake())
}

// canMake says whether the client has a create operation, be it wise or not to use it for new files.
func (p *requestBuilder) canMake() bool {
	return p.caps.CreateFile && !p.quirks.NoResourceOperations && !p.quirks.CreateAlone
}

// moveAside finds the places for the documents that have to be renamed. One for which there is none
// stays as it is.
func (c *Applier) moveAside(p *requestBuilder, list []clientStep) {
	taken := map[string]bool{}
	for i := range list {
		if !p.canMoveAside(list[i]) {
			continue
		}
		dir, err := c.docs.root.Workspace.StateFolder()
		if err != nil {
			c.docs.editor.Log.Info("no folder for a document to be closed", "err", err)
			return
		}
		base := path.Base(list[i].step.Change.Path)
		for n := 1; list[i].aside == ""; n++ {
			name := fmt.Sprintf("undone-%d-%s", n, base)
			to := document.URIOfPath(filepath.Join(dir, name))
			_, open := c.docs.editor.Open(to)
			if open || taken[name] || c.docs.root.Workspace.Door().OnDisk(path.Join(filepath.Base(dir), name)) {
				continue
			}
			taken[name] = true
			list[i].aside = to
		}
	}
}

// closeEmptied closes the documents that were emptied, as far as the client can, and adds to the
// answers what the user has to know of the others.
func (c *Applier) closeEmptied(ctx context.Context, p *requestBuilder, list []clientStep, answers []proposal.Landed) {
	for _, one := range list {
		for i := range answers {
			if answers[i].Path != one.step.Change.Path || answers[i].State != proposal.LandLanded {
				continue
			}
			switch {
			case one.aside != "":
				answers[i].Remark = fmt.Sprintf("%s was deleted; its text is in %s, which you can close",
					one.step.Change.Path, c.docs.relative(one.aside))
			case one.emptied(), p.quirks.EmptyBeforeDelete && one.step.Change.Op == edits.OpDelete && one.version != nil:
				answers[i].Remark = c.closeOne(ctx, p, one)
			}
		}
	}
}

func (c *Applier) closeOne(ctx context.Context, p *requestBuilder, one clientStep) (remark string) {
	file := one.step.Change.Path
	doc, open := c.docs.document(file)
	if open && workspace.Blank(c.docs.has(doc)) && !doc.Uncertain && !c.docs.root.Workspace.Door().OnDisk(file) {
		if params := p.closing(one); params != nil {
			c.send(ctx, editRequest{params: params, steps: []clientStep{one}, closes: true})
			doc, open = c.docs.document(file)
		}
	}
	switch {
	case !open:
		return ""
	case workspace.Blank(c.docs.has(doc)):
		return fmt.Sprintf("close %s without saving: it is still open and empty, "+
			"and saving it would create an empty file", file)
	}
	return fmt.Sprintf("%s stays open because you typed in it", file)
}

// closing is the edit with which the client closes a document that has no file; nil where it has none.
func (p *requestBuilder) closing(one clientStep) *protocol.ApplyWorkspaceEditParams {
	if !p.canDelete() || !p.caps.DocumentChanges || p.quirks.DeleteKeepsDocument || p.quirks.EmptyBeforeDelete ||
		p.quirks.DeleteNeedsFile && !p.canMake() {
		return nil
	}
	no, yes := false, true
	var list []protocol.DocumentChange
	if p.quirks.DeleteNeedsFile {
		list = append(list, &protocol.CreateFile{ResourceOperation: protocol.ResourceOperation{Kind: "create"}, Kind: "create",
			URI: uri.URI(one.uri), Options: &protocol.CreateFileOptions{Overwrite: &no, IgnoreIfExists: &no}})
	}
	list = append(list, &protocol.DeleteFile{ResourceOperation: protocol.ResourceOperation{Kind: "delete"}, Kind: "delete",
		URI: uri.URI(one.uri), Options: &protocol.DeleteFileOptions{IgnoreIfNotExists: &yes}})
	params := p.request()
	params.Edit.DocumentChanges = list
	return params
}

// relative is a document's path below the root, for people.
func (d *documents) relative(to string) string {
	abs, _ := document.PathOfURI(to)
	if rel, err := filepath.Rel(d.root.Dir, abs); err == nil {
		return filepath.ToSlash(rel)
	}
	return abs
}
