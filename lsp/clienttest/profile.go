// Package clienttest makes a fake client of what the server knows of one, for tests that state what a client can do
// (client.Capabilities) and what it does other than it says (client.Quirks) as values.
//
// The profiles in lsp/lsptest say how real clients behave, in words of their own, so that a wrong idea of one shows. What
// is made here is the client that the server has in mind: a test of what the server makes of its idea needs no more.
package clienttest

import (
	"coauthor/lsp/client"
	"coauthor/lsp/lsptest"
)

// Profile is a client with capabilities that carries out edits as the quirks have it. What it tells of its changes, and
// when, the quirks do not decide: the test does.
func Profile(c client.Capabilities, q client.Quirks) lsptest.Profile {
	operations := []string{}
	for _, one := range []struct {
		name string
		can  bool
	}{{"create", c.CreateFile}, {"rename", c.RenameFile}, {"delete", c.DeleteFile}} {
		if one.can && c.DocumentChanges {
			operations = append(operations, one.name)
		}
	}
	edit := map[string]any{
		"documentChanges": c.DocumentChanges, "resourceOperations": operations, "failureHandling": c.FailureHandling,
		"normalizesLineEndings": c.NormalizesLineEndings, "metadataSupport": c.EditMetadata,
	}
	if c.Annotations {
		edit["changeAnnotationSupport"] = map[string]any{}
	}
	if q.NativePreview { // as all clients do that have one
		edit["failureHandling"] = "textOnlyTransactional"
	}
	return lsptest.Profile{
		Name:         q.Client,
		Capabilities: map[string]any{"workspace": map[string]any{"applyEdit": c.ApplyEdit, "workspaceEdit": edit}},
		Quirks: lsptest.Quirks{
			NoVersionCheck:        q.IgnoresVersions,
			FirstOnlyVersionCheck: q.SplitFiles,
			Rebases:               q.RebasesEdits,
			EditOpensMissing:      true,
			EmptyIsNewline:        q.NewFileEndsLine,
			OnlyLF:                q.OnlyLF,
			DoublesCRLF:           q.WritesLF,
			OperationsFirst:       q.OperationsApart,
			EditsFilesOnDisk:      q.EditsFilesOnDisk,
			DeleteSkipsMissing:    q.DeleteNeedsFile,
			DeleteKeepsBuffer:     q.DeleteKeepsDocument || q.EmptyBeforeDelete,
			RenameKeepsBuffer:     q.RenameKeepsDocument,
			RenameNeedsFolder:     true,
			WholeTexts:            true,
		},
	}
}
