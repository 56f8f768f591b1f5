// Package agent runs turns: it takes what a user asked, asks a model, and ends in an answer or in a
// proposal.
//
// It knows neither editors nor the wire formats of models: package lsp and the command line start
// turns and are told of them by events, package llm talks to the model, and package proposal keeps
// what a turn proposes. Nothing here writes a file of the user.
//
// Start at Engine, which holds one Session for each workspace root; Session.Start begins a turn,
// which is the list of stages in turn.go.
package agent
