package lsp

import "embed"

// Pages are the texts about settings, commands, models and extensions, by their names in this folder.
//
//go:embed *.md
var Pages embed.FS
