// Package console knows the terminal that a command runs on: whether there is one, what it can, how wide it is, and the two
// parts of it that move while a turn runs, its last line and the thinking of the model.
//
// It knows no turn but its events, and prints nothing else.
package console
