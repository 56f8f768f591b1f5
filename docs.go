// Package coauthor holds the documents for users, so that the program can answer questions about itself: a
// folder can embed only what lies below it. Only cmd/coauthor imports it.
package coauthor

import "embed"

// Documents are the texts for users, by their path from the root of the project.
//
//go:embed README.md lsp/*.md editors/*.md
var Documents embed.FS
