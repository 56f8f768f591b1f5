package imports

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// manifests are the files that say how modules are named below them.
var manifests = map[string]Language{"go.mod": Go, "Cargo.toml": Rust, "package.json": Script, "tsconfig.json": Script, "jsconfig.json": Script}

var (
	goModule  = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)
	cargoName = regexp.MustCompile(`(?m)^\[package\][^\[]*?^name[ \t]*=[ \t]*"([^"]+)"`)
	cargoLib  = regexp.MustCompile(`(?m)^\[lib\][^\[]*?^name[ \t]*=[ \t]*"([^"]+)"`)
)

// ManifestOf says for which language a file is one that tells how modules are named below it; Other for none.
func ManifestOf(file string) Language { return manifests[path.Base(file)] }

// manifest reads what such a file says.
func (c *list) manifest(base string, src []byte) {
	switch base {
	case "go.mod":
		if m := goModule.FindSubmatch(src); m != nil {
			c.add("=" + string(m[1]))
		}
	case "Cargo.toml":
		m := cargoLib.FindSubmatch(src)
		if m == nil {
			m = cargoName.FindSubmatch(src)
		}
		if m != nil {
			c.add("=" + strings.ReplaceAll(string(m[1]), "-", "_"))
		}
	case "package.json":
		var p struct{ Name string }
		if json.Unmarshal(src, &p) == nil && p.Name != "" {
			c.add("=" + p.Name)
		}
	case "tsconfig.json", "jsconfig.json":
		c.aliases(src)
	}
}

// aliases reads the paths of a tsconfig.json, which may have comments and commas too many.
func (c *list) aliases(src []byte) {
	var t struct {
		CompilerOptions struct {
			BaseURL string              `json:"baseUrl"`
			Paths   map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	if json.Unmarshal(plainJSON(src), &t) != nil {
		return
	}
	base := t.CompilerOptions.BaseURL
	if base != "" {
		c.add("=* " + base + "/*")
	}
	for _, alias := range slices.Sorted(maps.Keys(t.CompilerOptions.Paths)) {
		for _, to := range t.CompilerOptions.Paths[alias] {
			c.add("=" + alias + " " + strings.TrimPrefix(base+"/"+to, "/"))
		}
	}
}

// plainJSON takes comments out, and commas before a closing bracket.
func plainJSON(src []byte) []byte {
	out := make([]byte, 0, len(src))
	for i := 0; i < len(src); i++ {
		switch rest := src[i:]; {
		case src[i] == '"':
			end := i + 1
			for end < len(src) && src[end] != '"' {
				if src[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(src)-1)
			out = append(out, src[i:end+1]...)
			i = end
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return out
			}
			i += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest, []byte("*/"))
			if n < 0 {
				return out
			}
			i += n + 1
		case src[i] == '}' || src[i] == ']':
			out = append(bytes.TrimSuffix(bytes.TrimRight(out, " \t\r\n"), []byte(",")), src[i])
		default:
			out = append(out, src[i])
		}
	}
	return out
}
