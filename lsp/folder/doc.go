// Package folder keeps the workspace folders of a connection: the session, the files and the parts of each, and which folder
// a URI belongs to.
//
// A Table opens a folder with the first of its documents and closes one that is no folder of the editor with the last. For a
// file in a folder of the editor its name tells where it belongs; for another the disk is asked for the repository above it,
// beside the goroutine that reads. Comments are the marked comments of a folder.
//
// It registers no handlers and starts no turns by itself: package lsp gives it what begins one. Start at Table.
package folder
