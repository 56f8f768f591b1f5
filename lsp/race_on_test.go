//go:build race

package lsp

// raceTime is how much longer everything takes under the race detector, beside other packages.
const raceTime = 3
