package document

import (
	"testing"
)

func TestURIs(t *testing.T) {
	for _, c := range []struct {
		uri, path string
		ok        bool
	}{
		{"file:///a/b.txt", "/a/b.txt", true},
		{"file:///a/%C3%BC%20%23.txt", "/a/ü #.txt", true},
		{"file:///a/b%2fc", "/a/b/c", true},
		{"file://localhost/a", "/a", true},
		{"FILE:///a", "/a", true},
		{"file:/a", "/a", true},
		{"file:///a/../b", "/b", true},
		{"file:///a/100%", "/a/100%", true},
		{"file:///a?x#y", "/a", true},
		{"file://host/share/x", "", false},
		{"untitled:Untitled-1", "", false},
		{"vscode-notebook-cell:/a#x", "", false},
		{"file:///a%00b", "", false},
		{"/a/b", "", false},
		{"", "", false},
	} {
		got, ok := PathOfURI(c.uri)
		if got != c.path || ok != c.ok {
			t.Errorf("%s is %q, %v; want %q, %v", c.uri, got, ok, c.path, c.ok)
		}
	}
	for _, p := range []string{"/", "/a b", "/ü/[x]{y}", "/100%/a#b?c", "/a:b@c", "/%41"} {
		if got, ok := PathOfURI(URIOfPath(p)); !ok || got != p {
			t.Errorf("%s came back as %q through %s", p, got, URIOfPath(p))
		}
	}
	if KeyOfURI("file:///a%20b") != KeyOfURI("file:///a b") || KeyOfURI("untitled:x") == KeyOfURI("untitled:y") {
		t.Error("keys")
	}
}

// On Windows files are named by drives and shares, in any case, and editors write their URIs in several ways.
func TestURIsOfWindows(t *testing.T) {
	windows := naming{drives: true}
	for _, c := range []struct {
		uri, path string
		ok        bool
	}{
		{"file:///C:/Users/a%20b.txt", `c:\Users\a b.txt`, true},
		{"file:///c%3A/Users/x.txt", `c:\Users\x.txt`, true},
		{"file:///c%3a/Users/../x", `c:\x`, true},
		{"file:///C:/a\\b.txt", `c:\a\b.txt`, true},
		{"file:///C:/a%5Cb.txt", `c:\a\b.txt`, true},
		{"file://localhost/D:/x", `d:\x`, true},
		{"file:///C:", `c:\`, true},
		{"file:///C:/", `c:\`, true},
		{"file://server/share/dir/x.txt", `\\server\share\dir\x.txt`, true},
		{"file://SERVER/Share/x", `\\server\Share\x`, true},
		{"file://wsl%24/Ubuntu/x", `\\wsl$\Ubuntu\x`, true},
		{"file://wsl$/Ubuntu/x", `\\wsl$\Ubuntu\x`, true},
		{"file://ser!ver/share/x", "", false},
		{"file://ser%20ver/share/x", "", false},
		{"file://server/c:/x", "", false},
		{"file:///C:/a:b", "", false},
		{"file:///home/x", "", false},
		{"file:///C:x", "", false},
		{"file:///CC:/x", "", false},
		{"file:///1:/x", "", false},
		{"file:///%7B:/x", "", false},
		{"file:///@:/x", "", false},
		{"file://server/", "", false},
		{"file://", "", false},
		{"file:///C:/a%00b", "", false},
		{"untitled:c", "", false},
	} {
		got, ok := windows.path(c.uri)
		if got != c.path || ok != c.ok {
			t.Errorf("%s is %q, %v; want %q, %v", c.uri, got, ok, c.path, c.ok)
		}
		if !c.ok {
			continue
		}
		if again, ok := windows.path(windows.uri(got)); again != got || !ok {
			t.Errorf("%s came back as %q through %s", got, again, windows.uri(got))
		}
	}
	for _, spelled := range []string{"file:///C:/P/A.go", "file:///c%3A/P/A.go", "file:///c:/p/a.GO", "FILE:///C:/P/./A.go"} {
		if windows.key(spelled) != windows.key("file:///c:/p/a.go") {
			t.Errorf("%s is another document", spelled)
		}
	}
	posix := naming{}
	if posix.key("file:///P") == posix.key("file:///p") || windows.key("untitled:X") == windows.key("untitled:x") {
		t.Error("two documents are taken for one")
	}
}

func FuzzURI(f *testing.F) {
	f.Add("file:///a%20b")
	f.Add("file:/A:")
	f.Add("file:///A:/b%20c%23d")
	f.Add("file://0A/00")
	f.Add("file://0/A:")
	f.Add("file:///A:/b:c")
	f.Add("file://wsl$/00000")
	f.Add("file://wsl%24/00000")
	f.Fuzz(func(t *testing.T, u string) {
		for _, n := range []naming{{}, {drives: true}} {
			abs, ok := n.path(u)
			if !ok {
				continue
			}
			if again, ok := n.path(n.uri(abs)); !ok || again != abs {
				t.Errorf("%+v: %q is %q, which comes back as %q", n, u, abs, again)
			}
		}
	})
}
