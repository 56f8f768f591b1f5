//go:build !race

package lsp_test

const raced = false
