//go:build !unix

package agent_test

import (
	"testing"
	"time"
)

// worked is the time since begun, where nothing tells how long processors have worked for this process.
func worked(_ testing.TB, begun time.Time) time.Duration { return time.Since(begun) }
