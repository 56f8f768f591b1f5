// Package deliver brings a plan into the documents of a client, and finds out whether it arrived.
//
// An Applier is a proposal.Delivery to one root. It looks whether everything is as the plan has it
// (inspect), asks the door and the user (permit), does on disk what the client cannot and the user allows
// (ondisk.go), forms requests as this client takes them (editrequest.go, stages.go, lastbreak.go,
// moveaside.go), sends one after the other, and compares the documents with what was meant until they say
// so or the client has had its time (landed.go): the client's own answer is a hint. Undo and redo are
// plans, too.
//
// What it needs comes as values: an Editor, which is the client with its capabilities, quirks and open
// documents, and a Root. Landings and Echoes are kept by the server and told by it what the client says.
// It knows neither the server nor sessions nor what the user is told of an outcome. Package lsp makes an
// Applier for each delivery. Start at Applier.Deliver.
package deliver
