// Package client holds what is known of the program at the other end of a connection, and asks it.
//
// Capabilities is what the client can do, made once of what it declared; Quirks is what it does other
// than it says, read of the file in quirks/ that Detect picks for it. Both are values that do not change
// after initialize, and decide the form of every message. A Client asks and tells through package wire,
// and asks nothing that the client cannot do; what the user reads there hides nothing (Spoken). How
// plug-ins announce our own methods, and the one of them that is a request, stand in ext.go.
//
// It knows neither documents nor turns nor what an edit is about. Package lsp makes one Client for each
// connection; whoever forms a message takes the two values. Start at Capabilities.
package client
