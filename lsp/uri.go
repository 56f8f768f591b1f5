package lsp

import (
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"go.lsp.dev/uri"
)

// pathOfURI returns the OS path that a file URI names, whichever way its characters are escaped.
// Other schemes, other hosts and names that no file can have give false.
func pathOfURI(u string) (abs string, ok bool) {
	scheme, rest, found := strings.Cut(u, ":")
	if !found || !strings.EqualFold(scheme, "file") {
		return "", false
	}
	if after, hasHost := strings.CutPrefix(rest, "//"); hasHost {
		host, p, _ := strings.Cut(after, "/")
		if host != "" && !strings.EqualFold(host, "localhost") {
			return "", false
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
	p = path.Clean(p)
	if runtime.GOOS == "windows" && len(p) >= 3 && p[2] == ':' {
		p = strings.ToLower(p[1:2]) + p[2:]
	}
	return filepath.FromSlash(p), true
}

// uriOfPath returns the file URI of an OS path.
func uriOfPath(abs string) string {
	if runtime.GOOS != "windows" && len(abs) >= 3 && abs[2] == ':' {
		return (&url.URL{Scheme: "file", Path: abs}).String() // a folder, and no drive whose case does not matter
	}
	return string(uri.File(abs))
}

// keyOfURI is what two spellings of one document's URI have in common.
func keyOfURI(u string) string {
	if abs, ok := pathOfURI(u); ok {
		return abs
	}
	return u
}
