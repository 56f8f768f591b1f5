package workspace

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxPathBytes = 4096

// reserved are the device names that a Windows machine opens instead of a file.
var reserved = map[string]bool{
	"con": true, "prn": true, "aux": true, "nul": true,
	"com1": true, "com2": true, "com3": true, "com4": true, "com5": true, "com6": true, "com7": true, "com8": true, "com9": true,
	"lpt1": true, "lpt2": true, "lpt3": true, "lpt4": true, "lpt5": true, "lpt6": true, "lpt7": true, "lpt8": true, "lpt9": true,
}

// cleanPath brings a path to the form that all tables use, or returns a *RefusedError. It looks at
// the name alone, never at the disk.
func cleanPath(p string) (string, error) {
	refuse := func(code, reason string) (string, error) {
		return "", &RefusedError{Decision{Verdict: Refuse, Path: p, Code: code, Reason: reason}}
	}
	switch {
	case strings.TrimSpace(p) == "":
		return refuse(CodeBadName, "the path is empty")
	case len(p) > maxPathBytes:
		return refuse(CodeBadName, "the path is longer than 4096 bytes")
	case !utf8.ValidString(p):
		return refuse(CodeBadName, "the path is not valid UTF-8")
	case strings.ContainsFunc(p, invisible):
		return refuse(CodeBadName, "the path contains a control character")
	case path.IsAbs(p), strings.HasPrefix(p, `\`), len(p) > 1 && p[1] == ':' && isLetter(p[0]):
		return refuse(CodeOutside, "the path is absolute; paths are relative to the workspace folder")
	case p == "~" || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, `~\`):
		return refuse(CodeOutside, "the path refers to a home folder")
	case strings.Contains(p, `\`):
		return refuse(CodeBadName, "the path contains a backslash; use slashes")
	}
	clean := path.Clean(p)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return refuse(CodeOutside, "the path is outside the workspace folder")
	}
	if clean == "." {
		return refuse(CodeBadName, "the path is the workspace folder itself")
	}
	for part := range strings.SplitSeq(clean, "/") {
		stem, _, _ := strings.Cut(part, ".")
		switch {
		case isReserved(strings.TrimRight(stem, " ")):
			return refuse(CodeBadName, "the name "+part+" is a device on Windows")
		case strings.HasSuffix(part, ".") || strings.HasSuffix(part, " "):
			return refuse(CodeBadName, "the name "+part+" ends in a dot or a space")
		case strings.Contains(part, ":"):
			return refuse(CodeBadName, "the name "+part+" contains a colon, which is not allowed on Windows")
		}
	}
	return clean, nil
}

// isReserved is asked for every part of every path of a listing, and nearly none is as short as a device's name.
func isReserved(stem string) bool {
	return (len(stem) == 3 || len(stem) == 4) && reserved[strings.ToLower(stem)]
}

// invisible are characters that do what nobody sees.
func invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' || r == 0x7F
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
