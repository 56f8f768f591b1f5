package repomap

import (
	"slices"
	"strings"
	"testing"
)

// The test of a chat file is found by its name wherever tests lie; of several it is the one whose folders are most alike, and where
// two are, or another language's is, none is told.
func TestTestsAreFoundByTheirName(t *testing.T) {
	for name, c := range map[string]struct {
		chat, want string
		others     []string
	}{
		"python":          {"src/foo/bar.py", "tests/foo/test_bar.py", []string{"tests/foo/test_barn.py", "src/foo/rebar.py"}},
		"typescript":      {"lib/x.ts", "test/x.test.ts", []string{"test/xy.test.ts", "other/x.ts"}},
		"another ending":  {"src/view.ts", "src/__tests__/view.spec.tsx", nil},
		"go":              {"pkg/a/b.go", "pkg/a/b_test.go", []string{"pkg/c/b_test.go"}},
		"go, elsewhere":   {"common/page.go", "tests/page_test.go", nil},
		"java":            {"src/main/java/org/in/Printer.java", "src/test/java/org/in/PrinterTest.java", []string{"src/test/java/org/usage/PrinterTest.java"}},
		"rust":            {"tokio/src/net/udp.rs", "tokio/tests/udp.rs", nil},
		"most alike":      {"lib/db/sql/compiler.py", "test/sql/test_compiler.py", []string{"test/dialect/oracle/test_compiler.py"}},
		"two are alike":   {"src/b.py", "", []string{"tests/one/test_b.py", "tests/two/test_b.py"}},
		"of another kind": {"src/b.py", "", []string{"tests/b.test.ts"}},
		"a test itself":   {"tests/test_b.py", "", []string{"other/tests/test_b.py"}},
		"no test":         {"src/b.py", "", []string{"lib/b.py", "lib/b_tests.md"}},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{c.chat: "a\n"}
			if c.want != "" {
				files[c.want] = "b\n"
			}
			for _, path := range c.others {
				files[path] = "c\n"
			}
			q := newScoring(open(t, newMemory(files), len(files)).current(), Request{Chat: []string{c.chat}})
			var found []string
			for _, i := range testsOf(q) {
				found = append(found, q.files()[i].Path)
			}
			if want := []string{c.want}; c.want == "" && found != nil || c.want != "" && !slices.Equal(found, want) {
				t.Errorf("found: %v, want %v", found, want)
			}
		})
	}
}

// TestTheTestOfAFileIsNamed: it has no word in common with the file, which many others use, and the map has room for few.
func TestTheTestOfAFileIsNamed(t *testing.T) {
	files := project(80)
	files["checks/tests/deep/file1_test.go"] = "package deep\n\nfunc one() {}\n"
	m := mapOf(t, open(t, newMemory(files), 2), Request{Chat: []string{"pkg1/file1.go"}, Budget: 100})
	if !strings.Contains(m.Text, "file1_test.go") {
		t.Errorf("the map is\n%s", m.Text)
	}
}
