package lsp

import (
	"slices"
	"testing"

	"coauthor/agent/settings"
	"coauthor/lsp/review"
)

// TestThePreviewsOfTheSettingAreThoseOfReview: what a user may set is a way of its own to a client that can show all.
func TestThePreviewsOfTheSettingAreThoseOfReview(t *testing.T) {
	rows := settings.Rows()
	i := slices.IndexFunc(rows, func(r settings.Row) bool { return r.Name == "preview.mode" })
	if i < 0 || rows[i].Enum[0] != "auto" || len(rows[i].Enum) < 5 {
		t.Fatal("the setting is another one")
	}
	can := review.Views{Native: true}
	for _, asked := range rows[i].Enum[1:] {
		if got := can.Choose(asked, false); got != review.View(asked) {
			t.Errorf("%s is shown as %s", asked, got)
		}
	}
}
