package present

import (
	"slices"
	"testing"
)

// One at a time sees to what is pending, and whoever comes meanwhile leaves theirs to them.
func TestPending(t *testing.T) {
	var p pending
	if !p.put("b") || p.put("a") || p.put("b") {
		t.Error("the first one is to begin, and no other")
	}
	if got := p.take(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("took %q", got)
	}
	if p.put("c") {
		t.Error("somebody sees to them still")
	}
	if got := p.take(); !slices.Equal(got, []string{"c"}) {
		t.Errorf("took %q", got)
	}
	if got := p.take(); len(got) > 0 {
		t.Errorf("took %q", got)
	}
	if !p.put("d") {
		t.Error("nobody sees to it")
	}
}
