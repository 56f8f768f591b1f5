package repomap

import (
	"bytes"
	"path"
	"strings"
)

// longestLine of program text that somebody wrote.
const longestLine = 20_000

// locks are the names of files that a package manager writes.
var locks = map[string]bool{"go.sum": true, "go.work.sum": true, "package-lock.json": true, "npm-shrinkwrap.json": true, "pnpm-lock.yaml": true, "bun.lockb": true,
	"package.resolved": true, "gradle.lockfile": true, "buildscript-gradle.lockfile": true, "packages.lock.json": true, "project.assets.json": true}

// isLock tells by the name of a file that a package manager writes it.
func isLock(p string) bool {
	base := strings.ToLower(path.Base(p))
	return locks[base] || strings.HasSuffix(base, ".lock")
}

// isMade tells by certain marks that a program wrote the file: by the comment at its beginning that says so, or by lines as
// nobody writes them. The comment ends where the code begins, or a generator would be taken for what it makes.
func isMade(p string, src []byte, isCode bool) bool {
	if base := strings.ToLower(path.Base(p)); strings.Contains(base, ".min.") {
		return true
	}
	const most = 60
	n := 0
	for line := range bytes.Lines(src[:min(len(src), 8000)]) {
		text := bytes.TrimLeft(line, " \t/#*;<!-\"'%({\ufeff")
		if len(bytes.TrimSpace(line)) > 0 && len(text) == len(line) || n == most { // no sign of a comment before it
			break
		}
		n++
		if saysMade(text) {
			return true
		}
	}
	return isCode && minified(src)
}

// saysMade is what a line says that warns of changes by hand.
func saysMade(line []byte) bool {
	if i := bytes.Index(line, []byte("@generated")); i >= 0 {
		end := i + len("@generated")
		return end == len(line) || !wordByte[line[end]]
	}
	lower := bytes.ToLower(line)
	return bytes.Contains(lower, []byte("generated")) && (bytes.Contains(lower, []byte("do not edit")) || bytes.Contains(lower, []byte("do not modify")))
}

// minified says that a line is too long to be written by hand.
func minified(src []byte) bool {
	for len(src) > longestLine {
		i := bytes.LastIndexByte(src[:longestLine], '\n')
		if i < 0 {
			return true
		}
		src = src[i+1:]
	}
	return false
}
