package record

import (
	"bytes"
	"path"
	"strings"

	"coauthor/repomap/vocab"
)

// Class says what kind of file a path is, by its name alone.
type Class uint8

// The kinds of files.
const (
	Code Class = iota
	Test
	Prose    // documents and data
	Vendored // third-party or, by its name, generated
	Made     // generated, minified or locked by certain marks, or as the project says: nobody edits it
)

// Classify looks at a path alone.
func Classify(p string, isCode bool) Class {
	if isLock(p) {
		return Made
	}
	base := path.Base(p)
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if vendorDirs[strings.ToLower(path.Base(dir))] {
			return Vendored
		}
	}
	lower := strings.ToLower(base)
	for _, mark := range []string{".min.", ".pb.", "_pb2.", ".generated.", "_generated.", "-lock.", "zz_generated", ".bundle."} {
		if strings.Contains(lower, mark) {
			return Vendored
		}
	}
	if !isCode {
		return Prose
	}
	if isTest(p, lower) {
		return Test
	}
	return Code
}

var vendorDirs = map[string]bool{"vendor": true, "node_modules": true, "third_party": true, "third-party": true,
	"thirdparty": true, "bower_components": true, "deps": true, "dist": true, "external": true, "site-packages": true,
	".yarn": true, "_vendor": true, "vendored": true}

func isTest(p, base string) bool {
	stem := strings.TrimSuffix(base, path.Ext(base))
	if strings.HasSuffix(stem, "_test") || strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, ".test") ||
		strings.HasSuffix(stem, ".spec") || strings.HasSuffix(stem, "_spec") || stem == "conftest" {
		return true
	}
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		switch strings.ToLower(path.Base(dir)) {
		case "test", "tests", "testing", "testdata", "__tests__", "spec", "e2e":
			return true
		}
	}
	return false
}

// longestLine of program text that somebody wrote.
const longestLine = 20_000

// locks are the names of files that a package manager writes.
var locks = map[string]bool{"go.sum": true, "go.work.sum": true, "package-lock.json": true, "npm-shrinkwrap.json": true, "pnpm-lock.yaml": true, "bun.lockb": true,
	"package.resolved": true, "gradle.lockfile": true, "buildscript-gradle.lockfile": true, "packages.lock.json": true, "project.assets.json": true, ".terraform.lock.hcl": true, "conda-lock.yml": true}

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
		return end == len(line) || !vocab.InWord(line[end])
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
