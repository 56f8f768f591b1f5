package chat

import "testing"

// What was postponed for a document is written in its order with what is written there next, once, and is forgotten with the
// document.
func TestPostponed(t *testing.T) {
	var u used
	add := func(text string) func(string) string { return func(doc string) string { return doc + text } }
	is := func(path, want string, n int) {
		t.Helper()
		change, count := u.postponed(path)
		if got := change("-"); got != want || count != n {
			t.Errorf("%s: %q, %d; want %q, %d", path, got, count, want, n)
		}
	}
	u.use("a", "t-1")
	u.postpone("a", add("1"))
	u.postpone("a", add("2"))
	is("a", "-12", 2)
	is("b", "-", 0)
	u.caughtUp("b", 2)
	u.caughtUp("a", 1)
	is("a", "-2", 1)
	u.use("a", "t-2")
	is("a", "-2", 1)
	if path, turn := u.now(); path != "a" || turn != "t-2" {
		t.Errorf("now %q, %q", path, turn)
	}
	u.caughtUp("a", 3) // more than there is
	is("a", "-", 0)
	u.postpone("a", add("3"))
	u.postpone("b", add("4"))
	is("a", "-", 0)
	is("b", "-4", 1)
	u.use("a", "")
	is("b", "-", 0)
}

// Whether a document is the repository's is asked once.
func TestAliens(t *testing.T) {
	var u used
	if _, known := u.alien("a"); known {
		t.Error("known before it was asked")
	}
	u.setAlien("a", true)
	u.setAlien("b", false)
	for path, want := range map[string]bool{"a": true, "b": false} {
		if alien, known := u.alien(path); alien != want || !known {
			t.Errorf("%s: %v, %v", path, alien, known)
		}
	}
}
