// Package cmd holds the page on the command line, so that the program can answer questions about itself. It imports nothing of
// the project.
package cmd

import "embed"

// Pages are the texts, by their names in this folder.
//
//go:embed *.md
var Pages embed.FS
