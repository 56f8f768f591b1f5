// Package lsptest is a fake editor: a language client with buffers, undo and a disk, strict about the specification.
//
// It is for tests of the server, which run it over a pipe: it opens, types, saves, undoes, asks for code actions, runs
// commands and answers what the server asks, in the way of the client whose Profile it was given (captured capabilities
// and measured quirks, as data in profiles/). Every message of the server is checked on arrival against the protocol,
// the state of the connection, the capabilities that were negotiated and the promises of this server (no edit of a
// document that the user was not shown, no edit without consent); a violation fails the test.
//
// It may not use the server's own types, codecs or position tables: a checker that shares them would share their
// mistakes. The scenario tests of package lsp call it. Start at Editor;
// a Peer is for tests of the wire alone.
package lsptest
