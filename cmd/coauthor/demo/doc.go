// Package demo shows a turn from the request to the undone change: it lays out a small project, starts the server as an editor
// does, asks it for a change, and prints what an editor would show.
//
// It neither chooses the model nor knows the command line: its caller says how the server is started and with which variables.
package demo
