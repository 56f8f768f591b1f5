package patch_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/patch"
)

func TestReadings(t *testing.T) { editstest.CheckReadings(t, "testdata/readings.txtar", patch.New) }
