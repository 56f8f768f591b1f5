package lsptest

import (
	"net/url"
	"path/filepath"
	"strings"
)

// pathOf gives the path of a file URI; false for another scheme.
func pathOf(s string) (string, bool) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	return filepath.FromSlash(u.Path), true
}

// uriOf spells a path as most clients do: everything outside the unreserved characters is escaped.
func uriOf(abs string) string {
	var b strings.Builder
	b.WriteString("file://")
	for _, c := range []byte(filepath.ToSlash(abs)) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("/-._~", c) >= 0:
			b.WriteByte(c)
		default:
			const hex = "0123456789ABCDEF"
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// rootOf gives the workspace folder a path lies in, "" when none. It follows symbolic links of what exists, so that a
// path that leaves its folder through one lies in none.
func rootOf(abs string, roots []string) string {
	real := resolved(abs)
	for _, r := range roots {
		if inside(filepath.Clean(abs), r) && inside(real, resolved(r)) {
			return r
		}
	}
	return ""
}

func inside(abs, root string) bool {
	rel, err := filepath.Rel(root, abs)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolved follows the links of the longest part of a path that exists.
func resolved(abs string) string {
	rest := ""
	for p := filepath.Clean(abs); ; p = filepath.Dir(p) {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(real, rest)
		}
		if p == filepath.Dir(p) {
			return filepath.Clean(abs)
		}
		rest = filepath.Join(filepath.Base(p), rest)
	}
}
