// Package wire carries JSON-RPC between the server and one client.
//
// A Stream frames messages and skips what is broken; a Router keeps notifications in the order of the
// wire, runs calls beside each other and cancels them; a Caller sends what the server asks; a Group
// counts what still runs; Tasks are what runs for a connection beside its reading. ListenTCP, DialPipe and Streams make the connection.
//
// It knows the methods that begin, cancel and end a conversation, and nothing of documents, edits or
// turns: package lsp registers its handlers here, and cmd/coauthor makes the connection. It imports
// none of our packages. Start at Router.
package wire
