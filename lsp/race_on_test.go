//go:build race

package lsp_test

// raced says that the race detector is on.
const raced = true
