//go:build unix

package userfiles

import (
	"path/filepath"
	"testing"
)

// TestWhereTheStateLies: by the rules of the base directories, below the home, or nowhere.
func TestWhereTheStateLies(t *testing.T) {
	t.Setenv("HOME", "/home/process")
	for what, x := range map[string]struct {
		env  map[string]string
		want string
	}{
		"named":       {map[string]string{"XDG_STATE_HOME": "/state", "HOME": "/home/me"}, "/state/coauthor"},
		"relative":    {map[string]string{"XDG_STATE_HOME": "state", "HOME": "/home/me"}, "/home/me/.local/state/coauthor"},
		"the home":    {map[string]string{"HOME": "/home/me"}, "/home/me/.local/state/coauthor"},
		"the process": {nil, "/home/process/.local/state/coauthor"},
	} {
		if got := of(x.env).State(); filepath.ToSlash(got) != x.want {
			t.Errorf("%s: %q, want %q", what, got, x.want)
		}
	}
	t.Setenv("HOME", "")
	if got := of(nil).State(); got != "" {
		t.Errorf("without a home: %q", got)
	}
}

// TestResolve: a path of a setting is absolute or below the home folder, which there may not be.
func TestResolve(t *testing.T) {
	t.Setenv("HOME", "")
	home := of(map[string]string{"HOME": "/home/me"})
	for _, x := range []struct {
		files      *Files
		name, want string
	}{
		{home, "/etc/x", "/etc/x"}, {home, "~/a/x", "/home/me/a/x"}, {home, "~/../x", "/home/x"},
		{home, "x", ""}, {home, "./x", ""}, {home, "~x", ""}, {home, "~", ""}, {home, "", ""},
		{of(nil), "/etc/x", "/etc/x"}, {of(nil), "~/x", ""},
	} {
		got, err := x.files.resolve(x.name, "it")
		if got != x.want || (err == nil) != (x.want != "") || err != nil && err.Error() != "it must be absolute or start with ~/" {
			t.Errorf("%q: %q, %v", x.name, got, err)
		}
	}
}
