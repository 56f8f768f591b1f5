package searchreplace_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/searchreplace"
)

func TestReadings(t *testing.T) {
	editstest.CheckReadings(t, "testdata/readings.txtar", searchreplace.New)
}
