package proposal

import "testing"

// TestAJournalThatBreaksOff, as on a damaged disk, is told of and not written again.
func TestAJournalThatBreaksOff(t *testing.T) {
	if c := readContents("/proc/self/mem"); c.err == nil || c.ours || len(c.records) > 0 { // which has nothing at its beginning
		t.Errorf("%+v", c)
	}
}
