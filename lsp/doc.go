// Package lsp is the language server that editors talk to. It and what lies below its folder alone
// speak the protocol.
//
// It turns what a client sends into calls of package agent, and what a turn tells into progress,
// documents, questions and edits in the form that this client understands. It knows neither models nor
// edit formats, and below it nobody knows URIs or positions. It never writes a file of the user: edits
// go through workspace/applyEdit. Package cmd calls Serve; the main type is server.
//
// The life of a message: package wire frames it, skips what is broken and runs notifications in
// wire order on the goroutine that reads, where sync.go applies them to the
// documents of package document; a request is
// decoded and what it was made against is captured there too, and then it runs on a goroutine of its
// own and is answered within a second. execute.go starts a turn, which runs behind it on its
// session's context; turns.go makes progress, notifications and documents of its events, and what the
// user sees of a proposal and decides is package review's. What is accepted, undone or redone goes
// through applying.go to package deliver, which brings it into the client's documents and proves that it
// arrived. What the client can do, and what it does other than it says, are values of package client, by
// which nothing is asked of it that it cannot do. When the client hangs up, every turn ends.
package lsp
