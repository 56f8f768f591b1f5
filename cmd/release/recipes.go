package main

import (
	"embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// The texts of the entries; in them {{file .OS .Arch}}, {{url .OS .Arch}} and {{sum .OS .Arch}} are an archive's.
//
//go:embed templates
var templates embed.FS

// description is what the program is in a line, as the shops want it.
const description = "AI coder for every editor that supports LSP"

// recipes are the entries for those who install programs for others, by the names of their files.
func recipes(o options, sums map[string]string) (map[string]string, error) {
	base := "https://github.com/" + o.repository + "/releases/download/v" + o.version + "/"
	file := func(os, arch string) string { return "coauthor-" + o.version + "-" + system{os, arch}.ending() }
	parsed, err := template.New("").Delims("<<", ">>").Funcs(template.FuncMap{
		"url": func(os, arch string) string { return base + file(os, arch) },
		"sum": func(os, arch string) string { return sums[file(os, arch)] },
	}).ParseFS(templates, "templates/*")
	if err != nil {
		return nil, err
	}
	values := map[string]string{"Version": o.version, "Repository": o.repository, "Description": description}
	texts := map[string]string{}
	for name, from := range map[string]string{
		"homebrew/coauthor.rb":        "coauthor.rb",
		"mason/coauthor/package.yaml": "package.yaml",
		"nvim-lspconfig/coauthor.lua": "coauthor.lua",
	} {
		var b strings.Builder
		if err := parsed.ExecuteTemplate(&b, from, values); err != nil {
			return nil, err
		}
		texts[name] = b.String()
	}
	// What nvim-lspconfig wants is the configuration that we hand out, below a head of its own.
	config, err := os.ReadFile(filepath.Join(o.root, "editors/nvim/lsp/coauthor.lua"))
	if err != nil {
		return nil, err
	}
	texts["nvim-lspconfig/coauthor.lua"] += string(config)
	texts["scoop/coauthor.json"], err = scoop(o, base, sums)
	return texts, err
}

// scoop is the manifest for Scoop, by which people on Windows install programs.
func scoop(o options, base string, sums map[string]string) (string, error) {
	type download struct {
		URL  string `json:"url"`
		Hash string `json:"hash,omitempty"`
	}
	now, next := map[string]download{}, map[string]download{}
	for name, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		s := system{"windows", arch}
		file := "coauthor-" + o.version + "-" + s.ending()
		now[name] = download{base + file, sums[file]}
		next[name] = download{URL: "https://github.com/" + o.repository + "/releases/download/v$version/coauthor-$version-" + s.ending()}
	}
	manifest := struct {
		Version      string              `json:"version"`
		Description  string              `json:"description"`
		Homepage     string              `json:"homepage"`
		License      string              `json:"license"`
		Architecture map[string]download `json:"architecture"`
		Bin          string              `json:"bin"`
		Checkver     string              `json:"checkver"`
		Autoupdate   any                 `json:"autoupdate"`
	}{
		Version: o.version, Description: description, Homepage: "https://github.com/" + o.repository, License: "Apache-2.0",
		Architecture: now, Bin: "coauthor.exe", Checkver: "github",
		Autoupdate: map[string]any{"architecture": next, "hash": map[string]string{"url": "$baseurl/SHA256SUMS"}},
	}
	text, err := json.MarshalIndent(manifest, "", "    ")
	return string(text) + "\n", err
}
