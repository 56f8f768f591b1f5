// Package document holds what a client shows of its documents.
//
// A Table has the open documents; each Document is the one that agent/workspace holds, with what is
// needed to talk to the client about it: its URI as the client spells it, its language and its Lines,
// the one place that converts between byte offsets and the client's positions. It applies the client's
// changes, one by one or thousands at once, and puts those that came too early where they belong
// (order.go). PathOfURI, URIOfPath and KeyOfURI are the only readers of URIs.
//
// It sends nothing and knows neither turns nor proposals; what a document's root is, its user says as
// a type parameter. Package lsp calls it, on the goroutine that reads. Start at Document.
package document
