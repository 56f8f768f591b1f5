//go:build !race

package lsp

// raceTime is how much longer everything takes than without the race detector.
const raceTime = 1
