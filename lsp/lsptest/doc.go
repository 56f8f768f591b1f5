// Package lsptest is the fake client of all tests: documents, undo and a disk, strict about the specification.
//
// What a client makes of a workspace edit is written once, in the workspace that Editor and Workspace share: it performs
// edits in the way of a Profile (captured capabilities and measured quirks, as data in profiles/, or made of values).
//
//   - Editor is that client over a connection: it opens, types, saves, undoes, asks for code actions, runs commands and
//     answers what the server asks. The scenarios of package lsp run it.
//   - Workspace is that client without a connection: the test decides what becomes of each edit before it is performed,
//     and takes what the client tells of its documents. Package deliver tests with it in synthetic time.
//   - Peer is the bare end of a connection, for tests of the wire.
//
// Every message of the server that an Editor gets, and every edit that a Workspace gets, is checked on arrival against the
// protocol (as its own meta-model has it, see metamodel.go), the capabilities that were negotiated, and the promises of this server (an Editor also checks the state of
// the connection, that no document is edited that the user was not shown, and that no edit comes without consent). A
// violation fails the test.
//
// It may not use the server's own types, codecs or position tables: a checker that shares them would share their
// mistakes. Package clienttest translates the server's capabilities and quirks into a Profile, and holds the two
// tables of clients against each other. Start at workspace.go.
package lsptest
