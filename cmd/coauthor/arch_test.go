package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The walls of the house. A package may import the standard library, what its row names, and
// nothing else of ours; `...` at the end of a name means the folder and everything below it.
// A new row or a new name here is a decision: say in the commit why the wall moves.
var walls = []struct {
	pkg  string   // the importing folder, relative to the root
	ours []string // which of our own packages it may import
}{
	{"edits/formats", []string{"edits..."}},
	{"edits/match", nil}, // it knows lines and places, no edits
	{"edits...", []string{"edits..."}},
	{"repomap/syntax...", []string{"repomap/syntax..."}},
	{"repomap/store", nil},
	{"repomap/imports", nil},
	{"repomap/vocab", []string{"repomap/store"}},
	{"repomap/record", []string{"repomap/imports", "repomap/store", "repomap/syntax/tag", "repomap/vocab"}},
	{"repomap/draw", []string{"repomap/record"}},
	{"repomap...", []string{"repomap..."}},
	{"editors", nil}, // pages alone
	{"agent/display", nil},
	{"agent/display/displaytest", []string{"agent/display"}},
	{"agent/help", nil},
	{"agent/event", nil},
	{"agent/id", nil},
	{"agent/secret", nil},
	{"agent/yamltext", nil},  // so that all who read YAML of others can have it
	{"agent/plaintext", nil}, // so that all who read files that were written for us can have it
	{"agent/model", []string{"agent/event", "agent/settings"}},
	{"agent/settings", []string{"agent/coder", "agent/event", "agent/model", "agent/plaintext", "agent/yamltext", "edits..."}},
	{"agent/llm", []string{"agent/event", "agent/model", "agent/secret"}},
	{"agent/llm/llmtest", nil},
	{"agent/llm/remote", []string{"agent/event", "agent/model", "agent/secret", "agent/llm..."}},
	{"agent/llm/wire", []string{"agent/event", "agent/model", "agent/llm"}},
	{"agent/llm/openai", []string{"agent/model", "agent/llm", "agent/llm/wire"}}, // no wire knows another
	{"agent/llm/anthropic", []string{"agent/model", "agent/llm", "agent/llm/wire"}},
	{"agent/llm/ollama", []string{"agent/model", "agent/llm", "agent/llm/wire"}},
	{"agent/workspace", []string{"edits..."}},
	{"agent/vcs", nil},
	{"agent/index...", []string{"agent/vcs", "agent/workspace", "repomap..."}},
	{"agent/mention", []string{"repomap/syntax..."}}, // comments are what a grammar says that they are
	{"agent/rules", []string{"agent/event", "agent/prompt", "agent/workspace"}},
	{"agent/aicomment", []string{"agent/event", "agent/index", "agent/mention", "agent/vcs", "agent/verify", "agent/workspace", "edits", "repomap/syntax"}},
	{"agent/codereview", []string{"agent/display", "agent/workspace"}},
	{"agent/lifetime", nil},
	{"agent/chosen", []string{"agent/coder", "agent/model", "agent/settings", "agent/web"}},
	{"agent/strategy", []string{"agent/coder", "agent/event", "agent/llm", "agent/model", "agent/settings", "edits..."}},
	{"agent/prose", []string{"edits"}},
	{"agent/custom", []string{"agent/coder", "agent/mention", "agent/plaintext", "agent/settings", "agent/workspace"}},
	{"agent/web", []string{"agent/display", "agent/event", "agent/mention", "agent/prompt", "agent/settings"}},
	{"agent/consent", []string{"agent/display", "agent/event", "agent/id", "agent/index", "agent/sandbox", "agent/settings", "agent/verify", "agent/workspace"}},
	{"agent/commit", []string{"agent/codereview", "agent/display", "agent/event", "agent/id", "agent/prompt", "agent/proposal", "agent/settings", "agent/vcs", "agent/workspace", "edits"}},
	{"agent/problems", []string{"agent/display", "agent/proposal", "edits"}},
	{"agent/mapper", []string{"agent/event", "agent/settings", "agent/vcs", "agent/workspace", "repomap", "repomap/syntax"}},
	{"agent/weak", []string{"agent/coder", "agent/event", "agent/history", "agent/llm", "agent/model", "agent/prompt", "agent/settings", "agent/strategy"}},
	{"agent/memory", []string{"agent/event", "agent/history", "agent/llm", "agent/prompt", "agent/strategy", "agent/tool", "agent/weak"}},
	{"agent/call", []string{"agent/event", "agent/llm", "agent/model", "agent/prompt", "agent/prose", "agent/strategy", "agent/tool", "edits..."}},
	{"agent/process", nil},
	{"agent/shell", []string{"agent/process"}},
	{"agent/history", []string{"agent/display", "agent/event", "agent/id", "agent/llm", "agent/model", "agent/secret", "agent/settings", "agent/workspace"}},
	{"agent/proposal", []string{"agent/display", "agent/event", "agent/id", "agent/secret", "agent/workspace", "edits..."}},
	{"agent/coder", []string{"agent/event", "agent/llm"}},
	{"agent/prompt", []string{"edits...", "agent/coder", "agent/display", "agent/event", "agent/llm", "agent/model"}},
	{"agent/tool", []string{"agent/coder", "agent/display", "agent/llm", "agent/vcs", "agent/workspace", "edits", "repomap..."}},
	{"agent/verify", []string{"edits...", "repomap...", "agent/display", "agent/sandbox", "agent/workspace"}},
	{"agent/sandbox", []string{"agent/display", "agent/process", "agent/workspace"}}, // it knows no checks
	{"agent/doctor", []string{"agent/event", "agent/llm", "agent/llm/remote", "agent/model", "agent/settings", "agent/vcs", "agent/workspace"}},
	{"agent/command/arg", []string{"agent/settings"}},
	{"agent/command", []string{"agent...", "edits...", "repomap..."}},
	{"agent/pipeline...", []string{"agent...", "edits...", "repomap..."}},
	{"agent", []string{"agent...", "edits...", "repomap..."}},
	{"lsp/wire", nil},
	{"lsp/document", []string{"agent/workspace"}},
	{"lsp/client", []string{"agent/display", "lsp/wire"}},
	{"lsp/others", []string{"agent/tool", "lsp/client", "lsp/document"}},
	{"lsp/review", []string{"agent", "agent/command", "agent/display", "agent/event", "agent/proposal", "agent/workspace", "agent/yamltext", "edits", "lsp/document", "lsp/wire"}},
	{"lsp/deliver", []string{"agent/event", "agent/proposal", "agent/workspace", "edits", "lsp/client", "lsp/document", "lsp/wire"}},
	{"lsp/annotate", []string{"agent", "agent/codereview", "agent/display", "agent/event", "agent/proposal", "agent/workspace", "edits", "lsp/document", "lsp/review"}},
	{"lsp/turnview", []string{"agent", "agent/command", "agent/display", "agent/event", "agent/id", "agent/proposal", "agent/prose", "edits", "lsp/annotate", "lsp/client", "lsp/review", "lsp/wire"}},
	{"lsp/chat", []string{"agent", "agent/display", "agent/event", "agent/proposal", "agent/vcs", "agent/workspace", "edits", "lsp/annotate", "lsp/client", "lsp/deliver", "lsp/review", "lsp/turnview", "lsp/wire"}},
	{"lsp/decide", []string{"agent", "agent/command", "agent/display", "agent/event", "agent/proposal", "agent/workspace", "edits", "lsp/client", "lsp/deliver", "lsp/review", "lsp/wire"}},
	{"lsp/hunks", []string{"agent/display", "agent/proposal", "agent/workspace", "edits", "lsp/annotate", "lsp/client", "lsp/document", "lsp/review", "lsp/wire"}},
	{"lsp/pending", []string{"agent", "agent/display", "agent/event", "agent/proposal", "agent/workspace", "edits", "lsp/client", "lsp/deliver", "lsp/document", "lsp/review", "lsp/wire"}},
	{"lsp/folder", []string{"agent", "agent/aicomment", "agent/custom", "agent/mention", "agent/workspace", "lsp/annotate", "lsp/chat", "lsp/client", "lsp/decide", "lsp/deliver", "lsp/document", "lsp/hunks", "lsp/pending", "lsp/present", "lsp/review", "lsp/wire"}},
	{"lsp/present", []string{"agent", "agent/event", "agent/proposal", "agent/workspace", "edits", "lsp/annotate", "lsp/chat", "lsp/client", "lsp/deliver", "lsp/review", "lsp/turnview", "lsp/wire"}},
	{"lsp/codeaction", []string{"agent", "agent/coder", "agent/command", "agent/custom", "agent/display", "agent/event", "agent/mention", "agent/problems", "agent/proposal", "edits", "lsp/annotate", "lsp/client", "lsp/document", "lsp/hunks", "lsp/review", "lsp/turnview"}},
	{"lsp/lsptest", nil},
	{"lsp/clienttest", []string{"lsp/client", "lsp/lsptest"}},
	{"lsp...", []string{"lsp...", "agent...", "edits..."}},
	{"cmd/coauthor/chat", []string{"agent...", "edits", "repomap/syntax"}},
	{"cmd/coauthor/completion", nil},
	{"cmd/coauthor/console", []string{"agent/display", "agent/event"}},
	{"cmd/coauthor/demo", []string{"agent/display", "agent/llm/llmtest", "agent/prose", "agent/vcs", "cmd/editor"}},
	{"cmd/coauthor/setup", []string{"agent/display", "agent/doctor", "agent/event", "agent/llm", "agent/llm/remote", "agent/model", "agent/settings", "edits"}},
	{"cmd/coauthor/userfiles", []string{"agent/custom", "agent/llm", "agent/llm/remote", "agent/plaintext", "agent/process", "agent/prompt", "agent/settings", "agent/workspace"}},
	{"cmd...", []string{"cmd...", "editors", "lsp...", "agent...", "edits...", "repomap..."}},
	{"editors...", []string{"agent/llm/llmtest", "agent/event"}},
}

// Libraries that one room alone may touch, so that a change of library stays in that room.
var rooms = []struct {
	library string   // import path or its beginning
	rooms   []string // the folders that may import it
}{
	{"go.lsp.dev/", []string{"lsp..."}},
	{"github.com/sashabaranov/go-openai", []string{"agent/llm/openai"}},
	{"github.com/smacker/go-tree-sitter", []string{"repomap/syntax..."}},
	{"github.com/alecthomas/chroma", []string{"repomap/syntax..."}},
	{"github.com/sergi/go-diff", []string{"edits"}},
	{"github.com/tiktoken-go/tokenizer", []string{"agent/model"}},
	{"github.com/pelletier/go-toml/", []string{"agent/pipeline"}},
	{"github.com/alecthomas/kong", []string{"cmd..."}},
	{"golang.org/x/term", []string{"cmd..."}},
	{"golang.org/x/net/", []string{"agent/mention", "agent/llm/remote"}},
	{"github.com/JohannesKaufmann/html-to-markdown", []string{"agent/mention"}},
	{"golang.org/x/sys/", []string{"agent/sandbox", "cmd/coauthor/console"}},
	{"github.com/creack/pty", []string{"cmd..."}},
	{"github.com/joho/godotenv", []string{"cmd/coauthor/userfiles"}},
	{"github.com/yuin/goldmark", []string{"lsp/review", "cmd/coauthor/chat"}},
	{"charm.land/", []string{"cmd/coauthor/chat"}},
	{"github.com/charmbracelet/x/ansi", []string{"cmd/coauthor/chat"}},
	{"github.com/charmbracelet/x/vt", []string{"cmd/coauthor"}},
}

// Standard packages that only some rooms may use: running programs, and (for the pure rooms) the world.
var worldly = []struct {
	std   string
	rooms []string // nil: banned for none but those in `pure`
}{
	{"os/exec", []string{"agent/sandbox", "agent/vcs", "agent/shell", "agent/process", "agent/index...", "agent/pipeline...", "cmd...", "editors..."}},
	{"unsafe", []string{"repomap/store", "repomap/syntax", "agent/sandbox"}}, // the second speaks to C, the third to the kernel
}

var pure = []string{"edits...", "repomap..."}

// mapsFiles is the one place in a pure room that maps files into memory.
const mapsFiles = "repomap/store"

var impure = []string{"os", "os/exec", "os/signal", "net", "net/http", "syscall", "io/ioutil", "plugin"}

func TestImportsKeepTheWalls(t *testing.T) {
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			base := d.Name()
			if name != root && (strings.HasPrefix(base, ".") || base == "testdata" || base == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		files++
		checkFile(t, filepath.ToSlash(rel), name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Fatalf("only %d Go files seen below %s: the walk is broken", files, root)
	}
}

func checkFile(t *testing.T, rel, name string) {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), rel, src, parser.ImportsOnly)
	if err != nil {
		t.Errorf("%s: %v", rel, err)
		return
	}
	dir, test := path.Dir(rel), strings.HasSuffix(rel, "_test.go")
	if dir != mapsFiles && !test && mapping.Match(src) {
		t.Errorf("%s: maps a file, which only %s may", rel, mapsFiles)
	}
	for _, spec := range file.Imports {
		for _, complaint := range complaints(dir, test, importPath(spec)) {
			t.Errorf("%s: %s", rel, complaint)
		}
	}
}

// mapping is a call that maps a file into memory.
var mapping = regexp.MustCompile(`\b(syscall|unix|windows)\.(Mmap|Munmap|Madvise|MapViewOfFile)\b`)

func importPath(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

// complaints says which walls an import of p from the folder dir breaks. Tests may use any of
// ours that does not point upwards, because a scripted model or a temp dir is no dependency of the product.
func complaints(dir string, test bool, p string) []string {
	var out []string
	if ours, ok := strings.CutPrefix(p, "coauthor/"); ok {
		allowed := allowedFor(dir)
		switch {
		case allowed == nil && !hasWall(dir):
			out = append(out, "the folder has no row in the table of walls (cmd/coauthor/arch_test.go)")
		case inAny(ours, allowed):
		case test && !upwards(dir, ours):
		default:
			out = append(out, "imports "+p+" across a wall")
		}
	}
	if p == "coauthor/editors" && dir != "cmd/coauthor" {
		out = append(out, "imports the pages, which only cmd/coauthor hands on")
	}
	for _, r := range rooms {
		if strings.HasPrefix(p, r.library) && !inAny(dir, r.rooms) {
			out = append(out, "imports "+p+", which only "+strings.Join(r.rooms, ", ")+" may")
		}
	}
	if test {
		return out
	}
	for _, w := range worldly {
		if p == w.std && !inAny(dir, w.rooms) {
			out = append(out, "imports "+p+", which only "+strings.Join(w.rooms, ", ")+" may")
		}
	}
	if inAny(dir, pure) && slices.Contains(impure, p) && (dir != mapsFiles || p != "os" && p != "syscall") {
		out = append(out, "imports "+p+", but this room is pure: it reads through small interfaces of its own")
	}
	return out
}

// upwards reports whether an import points to a higher layer: never allowed, not even in tests.
func upwards(from, to string) bool { return layer(to) > layer(from) }

func layer(dir string) int {
	switch {
	case inAny(dir, []string{"cmd..."}):
		return 5
	case inAny(dir, []string{"lsp..."}):
		return 4
	case inAny(dir, []string{"agent/pipeline..."}):
		return 3
	case dir == "agent":
		return 2
	case inAny(dir, []string{"agent..."}):
		return 1
	case dir == "editors":
		return 0
	case inAny(dir, []string{"editors..."}):
		return 6
	default:
		return 0
	}
}

func hasWall(dir string) bool {
	return slices.ContainsFunc(walls, func(w struct {
		pkg  string
		ours []string
	}) bool {
		return in(dir, w.pkg)
	})
}

// allowedFor gives the row of the narrowest wall that holds for dir: the first that matches.
func allowedFor(dir string) []string {
	for _, w := range walls {
		if in(dir, w.pkg) {
			return w.ours
		}
	}
	return nil
}

func inAny(dir string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return in(dir, p) })
}

func in(dir, pattern string) bool {
	if tree, ok := strings.CutSuffix(pattern, "..."); ok {
		return dir == tree || strings.HasPrefix(dir, tree+"/")
	}
	return dir == pattern
}

// The checker itself must notice what it is there for.
func TestWallsAreNoticed(t *testing.T) {
	for _, c := range []struct {
		dir, imports string
		test, broken bool
	}{
		{"edits", "coauthor/agent/event", false, true},
		{"edits", "os", false, true},
		{"edits", "os", true, false},
		{"edits/patch", "coauthor/edits", false, false},
		{"repomap", "github.com/smacker/go-tree-sitter", false, true},
		{"repomap/syntax", "github.com/smacker/go-tree-sitter/golang", false, false},
		{"repomap/syntax", "unsafe", false, false},
		{"repomap/store", "unsafe", false, false},
		{"repomap/store", "syscall", false, false},
		{"repomap/store", "net", false, true},
		{"repomap", "unsafe", false, true},
		{"agent/index", "unsafe", false, true},
		{"repomap", "syscall", false, true},
		{"agent", "go.lsp.dev/protocol", false, true},
		{"agent", "coauthor/lsp", true, true},
		{"agent/event", "coauthor/agent/model", false, true},
		{"agent/prompt", "coauthor/agent/workspace", false, true},
		{"agent/history", "coauthor/agent/llm/llmtest", true, false},
		{"lsp", "go.lsp.dev/jsonrpc2", false, false},
		{"lsp", "os/exec", false, true},
		{"lsp", "coauthor/repomap", false, true},
		{"cmd/coauthor", "go.lsp.dev/protocol", false, true},
		{"lsp/wire", "coauthor/lsp/document", false, true},
		{"lsp/document", "coauthor/agent/workspace", false, false},
		{"lsp/document", "coauthor/lsp/wire", false, true},
		{"lsp/review", "coauthor/agent/proposal", false, false},
		{"lsp/review", "coauthor/lsp", false, true},
		{"lsp/review", "coauthor/lsp/deliver", false, true},
		{"lsp/review", "coauthor/agent/llm", false, true},
		{"lsp/wire", "coauthor/lsp/review", false, true},
		{"lsp/document", "coauthor/lsp/review", false, true},
		{"lsp/wire", "go.lsp.dev/jsonrpc2", false, false},
		{"lsp/client", "coauthor/lsp/wire", false, false},
		{"lsp/client", "coauthor/lsp/document", false, true},
		{"lsp/client", "coauthor/lsp/deliver", false, true},
		{"lsp/deliver", "coauthor/lsp/client", false, false},
		{"lsp/deliver", "coauthor/agent/proposal", false, false},
		{"lsp/deliver", "coauthor/lsp", false, true},
		{"lsp/deliver", "coauthor/lsp/review", false, true},
		{"lsp/deliver", "coauthor/agent", false, true},
		{"lsp/deliver", "coauthor/agent/settings", false, true},
		{"lsp/client", "coauthor/agent/proposal", false, true},
		{"cmd/coauthor", "coauthor/lsp", false, false},
		{"agent/llm/openai", "github.com/sashabaranov/go-openai", false, false},
		{"agent/llm/remote", "github.com/sashabaranov/go-openai", false, true},
		{"agent/llm/anthropic", "coauthor/agent/llm/openai", false, true},
		{"agent/llm/llmtest", "github.com/sashabaranov/go-openai", false, true},
		{"newroom", "coauthor/edits", false, true},
	} {
		if got := len(complaints(c.dir, c.test, c.imports)) > 0; got != c.broken {
			t.Errorf("%s imports %s (test %v): complained %v, want %v", c.dir, c.imports, c.test, got, c.broken)
		}
	}
}

// Only these names may stand at the top of the tree (the product's owner fixed them).
func TestTopLevelNames(t *testing.T) {
	allowed := []string{"cmd", "lsp", "agent", "repomap", "edits", "editors", "go.mod", "go.sum", "README.md", "LICENSE"}
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || slices.Contains(allowed, e.Name()) {
			continue
		}
		if e.Name() == "coauthor" || e.Name() == "bin" {
			continue // a built binary, ignored by git
		}
		t.Errorf("%s stands at the top level: put it into one of the rooms", e.Name())
	}
}
