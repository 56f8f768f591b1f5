//go:build !windows

package console

import "os"

// Language is "": the variables of the locale say it. On a Mac, a program that was not started from a terminal has none
// of them, and what the system is set to can be asked only of its own libraries.
func Language() string { return "" }

// modesOf are none: a terminal says what it is in TERM.
func modesOf(*os.File) modes { return nil }
