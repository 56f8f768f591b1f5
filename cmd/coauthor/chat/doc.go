// Package chat is the session on a terminal: coauthor chat.
//
// It holds the conversation of a folder's agent.Session: what the user writes becomes a command of the shared table or a
// request, a turn is shown while it runs, its questions are put, and its change is decided on. It has no engine and no
// commands of its own, and it never writes a file of the user: what is accepted goes to the Delivery it is given. All text
// of models, files and programs is made fit to be shown (package display) before it is printed.
//
// A console is where it is held: screen draws with bubbletea, lineConsole writes lines for terminals that cannot move their
// cursor. Start at Run and session.
package chat
