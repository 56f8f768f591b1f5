package mapper

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listed is the listing of the folders of these files.
func listed(t *testing.T, files ...string) string {
	t.Helper()
	k, _ := mapped(t, &drawn{files: files})
	return k.Folders(t.Context(), 1)
}

// TestFoldersAreListed: each with what lies in and below it, the same whatever the order of the files; one that holds nothing
// but another one stands in a line with it.
func TestFoldersAreListed(t *testing.T) {
	files := []string{"go.mod", "cmd/a/main.go", "cmd/b/main.go", "java/src/main/org/x/A.java", "java/src/main/org/x/y/B.java", "java/src/test/T.java", "cmd-old/x.go"}
	want := `./ 7
 cmd/ 2
  a/ 1
  b/ 1
 cmd-old/ 1
 java/src/ 3
  main/org/x/ 2
   y/ 1
  test/ 1
`
	for range 20 {
		if got := listed(t, files...); got != want {
			t.Fatalf("the folders are\n%s\nwant\n%s", got, want)
		}
	}
	slices.Reverse(files)
	if got := listed(t, files...); got != want {
		t.Errorf("in another order the folders are\n%s", got)
	}
	if got := listed(t, "a.go", "b.go"); got != "" {
		t.Errorf("a project without folders has those:\n%s", got)
	}
}

// TestFoldersHaveABound: of a large project the folders with the most code are opened, and of the others it is said how many
// lie in them.
func TestFoldersHaveABound(t *testing.T) {
	var files []string
	for i := range 150 {
		files = append(files, fmt.Sprintf("testdata/case%03d/in.go", i), fmt.Sprintf("docs/page%03d/x.md", i))
	}
	for i := range 20 {
		files = append(files, fmt.Sprintf("core/part%02d/x.go", i), fmt.Sprintf("core/part%02d/inner/y.go", i))
	}
	got := listed(t, files...)
	if len(got) > mostFolders+len("./ 99999\n") {
		t.Errorf("the listing has %d bytes", len(got))
	}
	for _, line := range []string{"\n core/ 40\n", "\n  part07/ 2\n   inner/ 1\n", "\n docs/ 150 (150 folders)\n", "\n testdata/ 150 (150 folders)\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is missing in\n%s", line, got)
		}
	}
}

// TestFoldersWithCodeComeFirst: of two of which either fits alone the one with more code is opened, though the other has more
// files. Tests are no such code. A folder that stays closed counts all below it.
func TestFoldersWithCodeComeFirst(t *testing.T) {
	long := strings.Repeat("x", 200)
	files := []string{"work/part000/here.go", "work/part000/" + long + "/x.go", "docs/page000/more/y.md"}
	for i := range 115 {
		files = append(files, fmt.Sprintf("work/part%03d/x.go", i))
	}
	for i := range 100 {
		files = append(files, fmt.Sprintf("docs/page%03d/x.md", i), fmt.Sprintf("docs/page%03d/x_test.go", i))
	}
	got := listed(t, files...)
	for _, line := range []string{"\n work/ 117\n", "\n  part000/ 3 (1 folder)\n", "\n  part049/ 1\n", "\n docs/ 201 (101 folders)\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("%q is missing in\n%s", line, got)
		}
	}
}

// TestFoldersOfWhatMayNotBeSent: such a file counts in no folder, whatever the index still holds.
func TestFoldersOfWhatMayNotBeSent(t *testing.T) {
	k, _ := mapped(t, &drawn{files: []string{"src/a.go", "src/b.go", "hidden/c.go", "src/.env"}})
	if err := os.WriteFile(filepath.Join(k.ws.Root(), ".coauthorignore"), []byte("hidden/\nb.go\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := k.Folders(t.Context(), 1), "./ 1\n src/ 1\n"; got != want {
		t.Errorf("the folders are\n%s\nwant\n%s", got, want)
	}
}

// TestFoldersAreKept: the last listing holds until files come or go, or what it shows may not be sent any more.
func TestFoldersAreKept(t *testing.T) {
	files := &drawn{files: []string{"src/a.go", "hidden/b.go", "hidden/deep/c.go"}}
	k, _ := mapped(t, files)
	const before = "./ 3\n hidden/ 2\n  deep/ 1\n src/ 1\n"
	for range 2 {
		if got := k.Folders(t.Context(), 1); got != before || files.walks != 1 {
			t.Errorf("after looking at the files %d times the folders are\n%s", files.walks, got)
		}
	}
	files.files = append(files.files, "new/d.go")
	if got, want := k.Folders(t.Context(), 2), "./ 4\n hidden/ 2\n  deep/ 1\n new/ 1\n src/ 1\n"; got != want || files.walks != 2 {
		t.Errorf("with a new file the folders are\n%s", got)
	}
	if err := os.WriteFile(filepath.Join(k.ws.Root(), ".coauthorignore"), []byte("deep/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := k.Folders(t.Context(), 2), "./ 3\n hidden/ 1\n new/ 1\n src/ 1\n"; got != want {
		t.Errorf("with a new rule the folders are\n%s", got)
	}
}
