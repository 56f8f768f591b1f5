package editor

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// URI is the file URI of an absolute name on this machine.
func URI(abs string) string { return uriOf(abs, "") }

// Elsewhere tells a new Editor that its server runs as on another machine, which shows the files of this
// one below a drive ("Z:"), and knows nothing of its processes. Wine is one.
func (e *Editor) Elsewhere(drive string) { e.drive, e.process = drive, nil }

// URI is the file URI of an absolute name on this machine, for the server.
func (e *Editor) URI(abs string) string { return uriOf(abs, e.drive) }

func uriOf(abs, drive string) string {
	p := drive + filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a drive
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// nameOf is the absolute name on this machine of a file that the server names.
func nameOf(uri, drive string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", err
	}
	p := u.Path
	switch {
	case u.Scheme != "file" || u.Host != "":
		return "", fmt.Errorf("not a file on this machine: %s", uri)
	case drive != "":
		if len(p) <= len(drive) || !strings.EqualFold(p[1:1+len(drive)], drive) {
			return "", fmt.Errorf("%s is not on the drive %s", uri, drive)
		}
		p = p[1+len(drive):]
	case os.PathSeparator == '\\':
		p = strings.TrimPrefix(p, "/")
	}
	return filepath.FromSlash(p), nil
}
