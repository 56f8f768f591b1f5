//go:build race

package agent_test

// raced says that the race detector is on, which allocates beside the code: what the code allocates
// cannot be told then.
const raced = true
