package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// programs is a folder as .ci/release fills it, with a few bytes for each program.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, s := range systems {
		if err := os.WriteFile(filepath.Join(dir, s.program()), []byte("program of "+s.os+" "+s.arch), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// published runs the command and returns what it has written, by name.
func published(t *testing.T, programs, out string) map[string][]byte {
	t.Helper()
	var said, complained bytes.Buffer
	args := []string{"-root", "../..", "-programs", programs, "-out", out, "-version", "v1.2.3", "-repository", "ann/tools", "-date", "1790000000"}
	if status := run(args, &said, &complained); status != 0 {
		t.Fatalf("status %d: %s", status, &complained)
	}
	files := map[string][]byte{}
	for _, name := range strings.Fields(said.String()) {
		content, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = content
	}
	return files
}

// unpacked are the files of an archive and whether they can be run, by name.
func unpacked(t *testing.T, name string, packed []byte) (files map[string]string, runs map[string]bool) {
	t.Helper()
	files, runs = map[string]string{}, map[string]bool{}
	take := func(inside string, mode os.FileMode, from io.Reader) {
		content, err := io.ReadAll(from)
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := files[inside]; twice || path.IsAbs(inside) || path.Clean(inside) != inside || strings.HasPrefix(inside, "..") {
			t.Errorf("%s holds %q", name, inside)
		}
		files[inside], runs[inside] = string(content), mode&0o111 != 0
	}
	if strings.HasSuffix(name, ".zip") {
		in, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range in.File {
			from, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			take(f.Name, f.Mode(), from)
		}
		return files, runs
	}
	small, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(small); ; {
		head, err := in.Next()
		if err == io.EOF {
			return files, runs
		}
		if err != nil {
			t.Fatal(err)
		}
		take(head.Name, head.FileInfo().Mode(), in)
	}
}

func archiveOf(s system) string { return "coauthor-1.2.3-" + s.ending() }

// TestArchives: each system has an archive with its program, the page, the licence and the files for editors.
func TestArchives(t *testing.T) {
	files := published(t, programs(t), t.TempDir())
	module, err := os.ReadFile("../../editors/nvim/lsp/coauthor.lua")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range systems {
		packed, ok := files[archiveOf(s)]
		if !ok {
			t.Fatalf("no %s among what was written", archiveOf(s))
		}
		in, runs := unpacked(t, archiveOf(s), packed)
		if got := in[s.binary()]; got != "program of "+s.os+" "+s.arch || !runs[s.binary()] {
			t.Errorf("%s: %s is %q, and can be run: %v", archiveOf(s), s.binary(), got, runs[s.binary()])
		}
		if in["editors/nvim/lsp/coauthor.lua"] != string(module) || !strings.Contains(in["LICENSE"], "Apache License") ||
			!strings.HasPrefix(in["README.md"], "# Coauthor") || in["editors/helix/languages.toml"] == "" {
			t.Errorf("%s holds %d files and not all that go along", archiveOf(s), len(in))
		}
		for name := range in {
			if strings.HasPrefix(name, "editors/e2e") || strings.HasPrefix(name, "editors/vscode") || strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".png") {
				t.Errorf("%s holds %s", archiveOf(s), name)
			}
		}
	}
}

// TestTheSameBytes: what was published can be made once more and compared.
func TestTheSameBytes(t *testing.T) {
	from := programs(t)
	first, second := published(t, from, t.TempDir()), published(t, from, t.TempDir())
	for name, content := range first {
		if !bytes.Equal(content, second[name]) {
			t.Errorf("%s is another one the second time", name)
		}
	}
}

// sums reads SHA256SUMS and holds each line against its file.
func sums(t *testing.T, files map[string][]byte) map[string]string {
	t.Helper()
	list := map[string]string{}
	for line := range strings.Lines(string(files["SHA256SUMS"])) {
		want, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		content, there := files[name]
		if !ok || !there {
			t.Fatalf("SHA256SUMS says %q", line)
		}
		if got := sha256.Sum256(content); hex.EncodeToString(got[:]) != want {
			t.Errorf("the sum of %s is not its sum", name)
		}
		list[name] = want
	}
	return list
}

// TestSums: every archive and every extension has its line.
func TestSums(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "coauthor-linux-x64-1.2.3.vsix"), []byte("an extension"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := len(sums(t, published(t, programs(t), out))); got != len(systems)+1 {
		t.Errorf("%d sums", got)
	}
}

// wantDownload holds an address and a sum against what was published.
func wantDownload(t *testing.T, files map[string][]byte, address, hash string) {
	t.Helper()
	name, ok := strings.CutPrefix(address, "https://github.com/ann/tools/releases/download/v1.2.3/")
	if want, there := sums(t, files)[name]; !ok || !there || want != hash {
		t.Errorf("%s with the sum %s: published is %s", address, hash, want)
	}
}

// TestHomebrew: the formula names four archives with their sums; where there is Ruby, it is Ruby.
func TestHomebrew(t *testing.T) {
	out := t.TempDir()
	files := published(t, programs(t), out)
	text := string(files["homebrew/coauthor.rb"])
	found := regexp.MustCompile(`url "(.*)"\n\s*sha256 "(.*)"`).FindAllStringSubmatch(text, -1)
	if len(found) != 4 || strings.Contains(text, "<<") || !strings.HasPrefix(text, "class Coauthor < Formula\n") {
		t.Fatalf("the formula is\n%s", text)
	}
	for _, f := range found {
		wantDownload(t, files, f[1], f[2])
	}
	for _, part := range regexp.MustCompile(`(?s)on_(macos|linux) do.*?\n  end`).FindAllStringSubmatch(text, -1) {
		want := map[string]string{"macos": "darwin", "linux": "linux"}[part[1]]
		if strings.Count(part[0], "-"+want+"-") != 2 || !regexp.MustCompile(`(?s)on_arm do\n.*?arm64.*?on_intel do\n.*?amd64`).MatchString(part[0]) {
			t.Errorf("for the wrong system:\n%s", part[0])
		}
	}
	// Blocks are closed: each do, def and class has its end.
	if opened, closed := len(regexp.MustCompile(`(?m)^\s*(class|def)\b| do$`).FindAllString(text, -1)), len(regexp.MustCompile(`(?m)^\s*end$`).FindAllString(text, -1)); opened != closed {
		t.Errorf("%d blocks are opened and %d closed:\n%s", opened, closed, text)
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		if said, err := exec.CommandContext(t.Context(), ruby, "-c", filepath.Join(out, "homebrew/coauthor.rb")).CombinedOutput(); err != nil {
			t.Errorf("ruby -c: %v\n%s", err, said)
		}
	} else {
		t.Log("no ruby here, so the formula's syntax was not asked of it")
	}
}

// TestScoop: the manifest names both archives for Windows with their sums, and how to find the next ones.
func TestScoop(t *testing.T) {
	files := published(t, programs(t), t.TempDir())
	var manifest struct {
		Version, Homepage, License, Bin string
		Architecture                    map[string]struct{ URL, Hash string }
		Autoupdate                      struct {
			Architecture map[string]struct{ URL string }
		}
	}
	if err := json.Unmarshal(files["scoop/coauthor.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Version != "1.2.3" || manifest.License != "Apache-2.0" || len(manifest.Architecture) != 2 {
		t.Errorf("the manifest is %+v", manifest)
	}
	for name, arch := range map[string]string{"64bit": "amd64", "arm64": "arm64"} {
		of := manifest.Architecture[name]
		wantDownload(t, files, of.URL, of.Hash)
		if !strings.HasSuffix(of.URL, "windows-"+arch+".zip") || strings.ReplaceAll(manifest.Autoupdate.Architecture[name].URL, "$version", "1.2.3") != of.URL {
			t.Errorf("%s: %+v, next %+v", name, of, manifest.Autoupdate.Architecture[name])
		}
		in, _ := unpacked(t, path.Base(of.URL), files[path.Base(of.URL)])
		if _, ok := in[manifest.Bin]; !ok {
			t.Errorf("%s has no %s", of.URL, manifest.Bin)
		}
	}
}

// TestMason: each archive that the package names was published, and holds the program that it names.
func TestMason(t *testing.T) {
	files := published(t, programs(t), t.TempDir())
	var entry struct {
		Name   string
		Source struct {
			ID    string
			Asset []struct{ Target, File, Bin string }
		}
		Bin    map[string]string
		Neovim struct{ Lspconfig string }
	}
	if err := yaml.Unmarshal(files["mason/coauthor/package.yaml"], &entry); err != nil {
		t.Fatal(err)
	}
	if entry.Source.ID != "pkg:github/ann/tools@v1.2.3" || len(entry.Source.Asset) != len(systems) || entry.Bin["coauthor"] != "{{source.asset.bin}}" || entry.Neovim.Lspconfig != "coauthor" {
		t.Errorf("the package is %+v", entry)
	}
	targets := map[string]bool{}
	for i, asset := range entry.Source.Asset {
		targets[asset.Target] = true
		name := strings.ReplaceAll(asset.File, `{{ version | strip_prefix "v" }}`, "1.2.3")
		if name != archiveOf(systems[i]) {
			t.Errorf("%s gets %s", asset.Target, asset.File)
			continue
		}
		in, _ := unpacked(t, name, files[name])
		if _, ok := in[asset.Bin]; !ok {
			t.Errorf("%s has no %s", name, asset.Bin)
		}
	}
	for _, want := range []string{"linux_x64", "linux_arm64", "darwin_x64", "darwin_arm64", "win_x64", "win_arm64"} {
		if !targets[want] {
			t.Errorf("nothing for %s", want)
		}
	}
}

// TestLspconfig: the entry is the configuration that is handed out, below the head that nvim-lspconfig wants.
func TestLspconfig(t *testing.T) {
	files := published(t, programs(t), t.TempDir())
	config, err := os.ReadFile("../../editors/nvim/lsp/coauthor.lua")
	if err != nil {
		t.Fatal(err)
	}
	head, ok := strings.CutSuffix(string(files["nvim-lspconfig/coauthor.lua"]), string(config))
	if !ok || !strings.HasPrefix(head, "---@brief\n---\n--- https://github.com/ann/tools\n") {
		t.Errorf("the entry begins with\n%s", head)
	}
	for line := range strings.Lines(head) {
		if line != "\n" && !strings.HasPrefix(line, "---") {
			t.Errorf("no comment: %q", line)
		}
	}
}

// What cannot be published is refused with what to do.
func TestRefused(t *testing.T) {
	empty, out := t.TempDir(), t.TempDir()
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"-programs", empty, "-out", out, "-version", "1.2.3", "-repository", "ann/tools"}, 1, "run .ci/release "},
		{[]string{"-programs", empty, "-out", out, "-version", "next", "-repository", "ann/tools"}, 2, "use the form 1.2.3"},
		{[]string{"-programs", empty, "-out", out, "-version", `1.2.3"`, "-repository", "ann/tools"}, 2, "use the form 1.2.3"},
		{[]string{"-programs", empty, "-out", out, "-version", "1.2.3", "-repository", "tools"}, 2, "OWNER/NAME"},
		{[]string{"-version", "1.2.3", "-repository", "ann/tools"}, 2, "-programs and -out"},
		{[]string{"-nothing"}, 2, "not defined"},
	} {
		var complained bytes.Buffer
		if status := run(append([]string{"-root", "../.."}, c.args...), io.Discard, &complained); status != c.status || !strings.Contains(complained.String(), c.says) {
			t.Errorf("%v: status %d, %s", c.args, status, &complained)
		}
	}
	if left, err := os.ReadDir(out); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
