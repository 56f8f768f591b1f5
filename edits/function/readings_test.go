package function_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/function"
)

func TestReadings(t *testing.T) { editstest.CheckReadings(t, "testdata/readings.txtar", function.New) }
