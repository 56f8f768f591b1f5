package udiff_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/udiff"
)

func TestReadings(t *testing.T) { editstest.CheckReadings(t, "testdata/readings.txtar", udiff.New) }
