package wholefile_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/wholefile"
)

func TestReadings(t *testing.T) { editstest.CheckReadings(t, "testdata/readings.txtar", wholefile.New) }
