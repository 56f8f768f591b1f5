package document

import (
	"net/url"
	"path"
	"runtime"
	"strings"

	"go.lsp.dev/uri"
)

// naming is how a system names files: with drives, shares and backslashes, or from one slash on. It is
// a value so that each is tested on every system.
type naming struct{ drives bool }

// here is the naming of this machine.
var here = naming{drives: runtime.GOOS == "windows"}

// PathOfURI returns the OS path that a file URI names, whichever way its characters are escaped.
// Other schemes, other hosts and names that no file can have give false.
func PathOfURI(u string) (abs string, ok bool) { return here.path(u) }

// URIOfPath returns the file URI of an OS path.
func URIOfPath(abs string) string { return here.uri(abs) }

// KeyOfURI is what two spellings of one document's URI have in common.
func KeyOfURI(u string) string { return here.key(u) }

func (n naming) path(u string) (abs string, ok bool) {
	scheme, rest, found := strings.Cut(u, ":")
	if !found || !strings.EqualFold(scheme, "file") {
		return "", false
	}
	share := ""
	if after, hasHost := strings.CutPrefix(rest, "//"); hasHost {
		host, p, _ := strings.Cut(after, "/")
		if host != "" && !strings.EqualFold(host, "localhost") {
			share = host
		}
		rest = "/" + p
	}
	rest, _, _ = strings.Cut(rest, "#") // both are escaped where they are part of a name
	rest, _, _ = strings.Cut(rest, "?")
	p, err := url.PathUnescape(rest)
	if err != nil {
		p = rest // a stray percent sign stands for itself
	}
	if !strings.HasPrefix(p, "/") || strings.ContainsRune(p, 0) {
		return "", false
	}
	switch {
	case n.drives:
	case share != "":
		return "", false
	default:
		return path.Clean(p), true
	}
	return windowsPath(share, strings.ReplaceAll(p, `\`, "/"))
}

// windowsPath makes the path of a share, or of a drive, whose letter is small as in the URIs of most
// editors. What begins with neither depends on the current drive and is no path.
func windowsPath(share, p string) (abs string, ok bool) {
	p = path.Clean(p)
	if name, err := url.PathUnescape(share); err == nil {
		share = name // wsl$ is written as wsl%24
	}
	switch {
	case strings.ContainsFunc(share, noHost):
		return "", false
	case share != "" && strings.Contains(p, ":"), len(p) > 3 && strings.Contains(p[3:], ":"): // no name has a colon
		return "", false
	case share != "" && p != "/":
		p = "//" + strings.ToLower(share) + p // as editors write the names of machines
	case share == "" && len(p) == 3 && isDrive(p[1:]):
		p = strings.ToLower(p[1:]) + "/"
	case share == "" && len(p) > 3 && isDrive(p[1:3]) && p[3] == '/':
		p = strings.ToLower(p[1:2]) + p[2:]
	default:
		return "", false
	}
	return strings.ReplaceAll(p, "/", `\`), true
}

// noHost says that the name of a machine cannot have a character.
func noHost(r rune) bool {
	letter := 'a' <= r|0x20 && r|0x20 <= 'z'
	digit := '0' <= r && r <= '9'
	return !letter && !digit && !strings.ContainsRune("-._$", r)
}

func isDrive(s string) bool {
	return len(s) == 2 && s[1] == ':' && ('a' <= s[0]|0x20 && s[0]|0x20 <= 'z')
}

func (n naming) uri(abs string) string {
	switch {
	case n.drives:
		return string(uri.FileFor(uri.PlatformWindows, abs))
	case len(abs) >= 3 && abs[2] == ':':
		return (&url.URL{Scheme: "file", Path: abs}).String() // a folder, and no drive whose case does not matter
	}
	return string(uri.FileFor(uri.PlatformPOSIX, abs))
}

func (n naming) key(u string) string {
	abs, ok := n.path(u)
	switch {
	case !ok:
		return u
	case n.drives: // the disk does not tell capitals from small letters
		return strings.ToLower(abs)
	}
	return abs
}
