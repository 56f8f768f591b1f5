// Package workspace is the one door to the files of a workspace folder.
//
// A Workspace holds the documents that are open in the editor over the files on disk. Snapshot
// freezes what is there, Door says which path may be read, sent, edited or made and is the only code
// that opens or writes files below the root. The package knows neither editors' protocols nor
// models; agent, lsp and cmd call it. Start at Workspace and Snapshot.
//
// Paths are relative to the root and use slashes. A path that a model, a user or a setting wrote is
// only data until Door.Check has cleaned and judged it.
package workspace
