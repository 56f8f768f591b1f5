package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// termsFile has what not to write, by regular expressions, and what to write; Vale reads it too, for the pages.
const termsFile = "../../.vale/Coauthor/Terms.yml"

// notForUsers are what models and developers read, by the beginning of its path.
var notForUsers = []string{
	"agent/pipeline/preprompts/", "agent/prompt/", "agent/tool/native.md", "agent/tool/text.md", // prompts
	"agent/llm/llmtest/", "cmd/bench/", "cmd/editor/", "cmd/release/", "editors/e2e/", "editors/vscode/test/", "lsp/clienttest/", "lsp/lsptest/", // tests and their tools
	"editors/vscode/esbuild.mjs",
}

// mayStand are words that are meant where they stand.
var mayStand = map[string][]string{
	".github/ARCHITECTURE.md": {"interface"}, // those of Go
	".github/CONTRIBUTING.md": {"interface"},
	"agent/memory/memory.go":  {"what came of it"}, // what the model reads
	"agent/history/record.go": {"what was said"},   // a heading of the record
	"agent/pipeline/heal.go":  {"what came of it"}, // what the model reads
	"cmd/gen/vscode.go":       {"interface"},       // those of TypeScript
	"edits/defs.go":           {"interface"},       // keywords
}

// TestOneWordForOneThing: what users read says the word of the table, and none of those that it should take the place of.
func TestOneWordForOneThing(t *testing.T) {
	terms := readTerms(t)
	read := map[string]int{}
	userTexts(t, func(rel string, line int, text string) {
		read[path.Ext(rel)]++
		for _, word := range slices.Sorted(maps.Keys(terms)) {
			for _, at := range regexp.MustCompile(`(?i)\b(?:`+word+`)\b`).FindAllStringIndex(text, -1) {
				found := strings.ToLower(text[at[0]:at[1]])
				if !slices.ContainsFunc(mayStand[rel], func(may string) bool { return strings.TrimSuffix(found, "s") == may }) {
					t.Errorf("%s:%d: %q: write %s", rel, line+strings.Count(text[:at[0]], "\n"), found, terms[word])
				}
			}
		}
	})
	for ext, least := range map[string]int{".go": 3000, ".md": 10, ".json": 300, ".ts": 100, ".lua": 50, ".el": 20, ".txt": 1} {
		if read[ext] < least {
			t.Errorf("only %d texts of %s files were read", read[ext], ext)
		}
	}
}

func readTerms(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(termsFile)
	if err != nil {
		t.Fatal(err)
	}
	var rule struct {
		Swap map[string]string `yaml:"swap"`
	}
	if err := yaml.Unmarshal(text, &rule); err != nil || len(rule.Swap) == 0 {
		t.Fatalf("%s: %d terms, %v", termsFile, len(rule.Swap), err)
	}
	return rule.Swap
}

// stringsOf are the strings of languages that Go does not parse, with their comments, which are passed over: the group "text"
// is what a string holds.
var stringsOf = map[string]*regexp.Regexp{
	".ts":   regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|\"(?P<text>(?:[^\"\\\\\n]|\\\\.)*)\"|'(?P<text>(?:[^'\\\\\n]|\\\\.)*)'|`(?P<text>(?:[^`\\\\]|\\\\.)*)`"),
	".lua":  regexp.MustCompile(`(?s)--\[\[.*?\]\]|--[^\n]*|"(?P<text>(?:[^"\\\n]|\\.)*)"|'(?P<text>(?:[^'\\\n]|\\.)*)'|\[\[(?P<text>.*?)\]\]`),
	".el":   regexp.MustCompile(`(?s);[^\n]*|\?\\.|"(?P<text>(?:[^"\\]|\\.)*)"`),
	".json": regexp.MustCompile(`"(?P<text>(?:[^"\\\n]|\\.)*)"`),
}

// code is what is quoted as it is in a page: names that others have given.
var code = regexp.MustCompile("(?ms)^ *```.*?^ *```|``.+?``|`[^`\n]*`|\\]\\([^)\n]*\\)|<[^>\n]*>")

// userTexts gives every text that users may read: pages and the strings of the program and of the editors' modules. line is
// the one on which it begins.
func userTexts(t *testing.T, each func(rel string, line int, text string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		rel = filepath.ToSlash(rel)
		ext := path.Ext(rel)
		hidden := strings.HasPrefix(d.Name(), ".") && d.Name() != ".github" && name != root
		switch {
		case d.IsDir() && (hidden || slices.Contains([]string{"testdata", "node_modules", "dist", "out", "bin"}, d.Name())):
			return filepath.SkipDir
		case d.IsDir(), strings.HasSuffix(rel, "_test.go"), slices.ContainsFunc(notForUsers, func(begins string) bool { return strings.HasPrefix(rel, begins) }):
			return nil
		case ext == ".go":
			return literals(name, func(line int, text string) {
				if strings.Contains(text, " ") {
					each(rel, line, text)
				}
			})
		}
		within, page := stringsOf[ext], ext == ".md" || rel == "editors/nvim/doc/coauthor.txt"
		if within == nil && !page || d.Name() == "package-lock.json" {
			return nil
		}
		file, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if page {
			each(rel, 1, withoutCode(string(file)))
			return nil
		}
		for _, at := range within.FindAllSubmatchIndex(file, -1) {
			for g := 2; g < len(at); g += 2 {
				if at[g] >= 0 && strings.Contains(string(file[at[g]:at[g+1]]), " ") {
					each(rel, 1+strings.Count(string(file[:at[g]]), "\n"), withoutCode(string(file[at[g]:at[g+1]])))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// withoutCode is a text without what it quotes as it is: names that others have given.
func withoutCode(text string) string {
	return code.ReplaceAllStringFunc(text, func(cut string) string { return "·" + strings.Repeat("\n", strings.Count(cut, "\n")) })
}

// TestStringsAreFound: what is in a comment is no text of the program, and what is in a string is one.
func TestStringsAreFound(t *testing.T) {
	for ext, source := range map[string]string{
		".ts":  "a('1'); // 'not this'\n/* \"nor\n this\" */ b(`2\n3`, \"4\\\"5\")",
		".lua": "a('1') -- 'not this'\n--[[ \"nor\n this\" ]] b([[2\n3]], \"4\\\"5\")",
		".el":  "(a \"1\") ; \"not this\"\n(b ?\\\" \"2\n3\" \"4\\\"5\")",
	} {
		var got []string
		for _, m := range stringsOf[ext].FindAllStringSubmatch(source, -1) {
			if text := strings.Join(m[1:], ""); text != "" {
				got = append(got, text)
			}
		}
		if want := []string{"1", "2\n3", `4\"5`}; !slices.Equal(got, want) {
			t.Errorf("%s: %q", ext, got)
		}
	}
}

// literals gives the strings of a file of Go.
func literals(name string, each func(line int, text string)) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				each(set.Position(n.Pos()).Line, text)
			}
		}
		return true
	})
	return nil
}
