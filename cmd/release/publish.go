package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options say what is published, and of which version.
type options struct {
	root, programs, out string
	version             string // without a v
	repository          string // OWNER/NAME
	date                time.Time
}

// system is one that programs are published for.
type system struct{ os, arch string }

var systems = []system{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

// binary is the program's name in its archive.
func (s system) binary() string {
	if s.os == "windows" {
		return "coauthor.exe"
	}
	return "coauthor"
}

// program is the file that .ci/release makes for the system.
func (s system) program() string {
	return "coauthor-" + s.os + "-" + s.arch + strings.TrimPrefix(s.binary(), "coauthor")
}

// ending is what an archive's name ends with.
func (s system) ending() string {
	if s.os == "windows" {
		return s.os + "-" + s.arch + ".zip"
	}
	return s.os + "-" + s.arch + ".tar.gz"
}

// publish writes everything and returns the names of the files, below o.out.
func publish(o options) ([]string, error) {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return nil, err
	}
	along, err := companions(o.root)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{} // by file
	for _, s := range systems {
		program, err := os.ReadFile(filepath.Join(o.programs, s.program()))
		if os.IsNotExist(err) {
			return nil, fmt.Errorf("no %s in %s: run .ci/release %s first", s.program(), o.programs, o.programs)
		}
		if err != nil {
			return nil, err
		}
		name := "coauthor-" + o.version + "-" + s.ending()
		entries := append([]entry{{s.binary(), program, 0o755}}, along...)
		packed, err := pack(name, entries, o.date)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(o.out, name), packed, 0o644); err != nil {
			return nil, err
		}
		sums[name] = sum(packed)
	}
	extensions, err := filepath.Glob(filepath.Join(o.out, "*.vsix")) // editors/vscode/package.sh has put them there
	if err != nil {
		return nil, err
	}
	for _, file := range extensions {
		content, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		sums[filepath.Base(file)] = sum(content)
	}
	texts, err := recipes(o, sums)
	if err != nil {
		return nil, err
	}
	var list strings.Builder
	var names []string
	for name := range sums {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&list, "%s  %s\n", sums[name], name)
	}
	texts["SHA256SUMS"] = list.String()
	for name, text := range texts {
		file := filepath.Join(o.out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

func sum(content []byte) string {
	s := sha256.Sum256(content)
	return hex.EncodeToString(s[:])
}
