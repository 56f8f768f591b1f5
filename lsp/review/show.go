package review

import (
	"context"
	"strings"

	"coauthor/lsp/document"
)

// ShowMarkdown opens a document that the user only reads: a virtual one, kept in answers, where the
// client has them, else a file below .coauthor. It takes no focus, since the user may be typing. Where
// nothing could be opened it returns where the text is, or the text itself.
func (r *Review) ShowMarkdown(ctx context.Context, answers *Answers, name, text string) string {
	var uri, place string
	if r.Editor.CanShowVirtual() {
		uri = VirtualURI(name)
		place = uri
		if answers.Put(uri, text) {
			r.Editor.RefreshContent(ctx, uri)
		}
	} else {
		abs, err := r.Root.Workspace.StateDocument(name, text)
		if err != nil { // there is no folder to write to
			r.Log.Info("document not written", "err", err)
			return strings.TrimSpace(text)
		}
		uri, place = document.URIOfPath(abs), abs
		if strings.HasPrefix(name, AnswerPrefix) {
			r.pruneAnswers()
		}
	}
	shown, err := r.Editor.ShowDocument(ctx, uri, false, nil)
	if shown {
		return ""
	}
	r.Log.Info("document not opened by the client", "uri", uri, "err", err)
	return "open " + place
}

// pruneAnswers removes the oldest answers from the folder .coauthor, but for those that are open.
func (r *Review) pruneAnswers() {
	if err := r.Root.Workspace.PruneDocuments(AnswerPrefix, KeptAnswerFiles, r.Root.Open); err != nil {
		r.Log.Info("old answers not removed", "err", err)
	}
}
