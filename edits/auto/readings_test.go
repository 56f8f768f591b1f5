package auto_test

import (
	"testing"

	"coauthor/edits/editstest"
	"coauthor/edits/formats"
)

// The same replies are read alike whatever was asked for, but for listings, which count more freely where
// whole files were asked for.
func TestReadings(t *testing.T) {
	for archive, format := range map[string]string{"any": formats.Auto, "diff": "diff", "whole": "whole", "func": "func"} {
		t.Run(archive, func(t *testing.T) {
			f, ok := formats.ByName(format)
			if !ok {
				t.Fatalf("there is no format %q", format)
			}
			editstest.CheckReadings(t, "testdata/"+archive+".txtar", f.New)
		})
	}
}
