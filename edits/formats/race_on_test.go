//go:build race

package formats_test

// raced says that the race detector is on, which allocates beside the code.
const raced = true
