//go:build !windows

package main

// systemLanguage is "": the variables of the locale say it. On a Mac, a program that was not started from a terminal has none
// of them, and what the system is set to can be asked only of its own libraries.
func systemLanguage() string { return "" }
