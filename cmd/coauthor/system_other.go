//go:build !windows

package main

import "os"

// systemLanguage is "": the variables of the locale say it. On a Mac, a program that was not started from a terminal has none
// of them, and what the system is set to can be asked only of its own libraries.
func systemLanguage() string { return "" }

// drawsOn says whether what is written to a terminal may hold escape sequences. Who has one that cannot read them sets TERM.
func drawsOn(*os.File) bool { return true }

// typesOn says whether a terminal tells each key as escape sequences do.
func typesOn(*os.File) bool { return true }
