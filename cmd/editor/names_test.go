package editor

import "testing"

// A server that shows this machine's files as a drive may write its letter small or large.
func TestNames(t *testing.T) {
	for _, c := range []struct{ abs, drive, uri string }{
		{"/a b/c#d.txt", "", "file:///a%20b/c%23d.txt"},
		{"/a b/c.txt", "Z:", "file:///Z:/a%20b/c.txt"},
	} {
		if got := uriOf(c.abs, c.drive); got != c.uri {
			t.Errorf("%s on %q is %s", c.abs, c.drive, got)
		}
		if got, err := nameOf(c.uri, c.drive); got != c.abs || err != nil {
			t.Errorf("%s on %q is %q, %v", c.uri, c.drive, got, err)
		}
	}
	if got, err := nameOf("file:///z%3A/x", "Z:"); got != "/x" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, bad := range []string{"untitled:x", "file://host/x", "file:///x", "file:///Y:/x", "%"} {
		if got, err := nameOf(bad, "Z:"); err == nil {
			t.Errorf("%s is %q", bad, got)
		}
	}
}
