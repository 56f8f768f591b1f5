// Package editors holds the pages on how to set Coauthor up in an editor, so that the program can answer
// questions about itself. It imports nothing of the project.
package editors

import "embed"

// Pages are the texts, by their names in this folder.
//
//go:embed *.md */README.md
var Pages embed.FS
