package index

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"coauthor/repomap"
)

// TestAttributesMeanWhatGitSays: of each file as `git check-attr` says it.
func TestAttributesMeanWhatGitSays(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{
		".gitattributes": `# *.go linguist-generated
*.pb.go linguist-generated
/gen/** linguist-generated=true
docs/*.md   linguist-generated
folder/ linguist-generated
flat linguist-generated
lib/** linguist-vendored
lib/own.go -linguist-vendored
"with space.go" linguist-generated text
*.snap linguist-generated -diff
keep.snap linguist-generated=false
x[0-9].go linguist-generated
{a,b}.go linguist-generated
!bad.go linguist-generated
*.txt text eol=lf
other/**/deep.go linguist-generated
`,
		"sub/.gitattributes": "*.pb.go -linguist-generated\nhere.go linguist-generated\n/top.go linguist-generated\nmixed.pb.go !linguist-generated\n",
	}
	for _, p := range []string{"a.go", "b.go", "bad.go", "a.pb.go", "in/a.pb.go", "gen/a.go", "gen/in/b.go", "x/gen/c.go", "docs/a.md", "docs/in/b.md", "folder/a.go", "flat/a.go",
		"lib/a.go", "lib/in/b.go", "lib/own.go", "with space.go", "in/with space.go", "a.snap", "keep.snap", "x1.go", "xy.go", "{a,b}.go", "a.txt",
		"other/deep.go", "other/a/b/deep.go", "sub/a.pb.go", "sub/in/b.pb.go", "sub/here.go", "sub/in/here.go", "here.go", "sub/top.go", "sub/in/top.go", "sub/mixed.pb.go"} {
		files[p] = "x\n"
	}
	write(t, root, files)
	git(t, root, "init", "-q")
	got := map[string]repomap.File{}
	for _, f := range list(t, sourceOf(t, root, nil)) {
		got[f.Path] = f
	}
	marked := 0
	for _, p := range slices.Sorted(maps.Keys(files)) {
		out, err := exec.Command("git", "-C", root, "check-attr", attributeMade, attributeVendored, "--", p).Output()
		if err != nil {
			t.Fatal(err)
		}
		says := func(name string) bool {
			return strings.Contains(string(out), name+": set\n") || strings.Contains(string(out), name+": true\n")
		}
		made, vendored := says(attributeMade), says(attributeVendored)
		if f, ok := got[p]; !ok || f.Made != made || f.Vendored != vendored {
			t.Errorf("%s: made %v, vendored %v, want %v, %v as git says:\n%s", p, f.Made, f.Vendored, made, vendored, out)
		}
		if made || vendored {
			marked++
		}
	}
	if marked < 15 {
		t.Errorf("only %d files are marked", marked)
	}
}

// TestWhatAProgramWroteIsOnNoMap: as the project says, from the moment on at which it says so, and until it takes it back.
func TestWhatAProgramWroteIsOnNoMap(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "package a\n\nfunc Written() {}\n", "api/b.go": "package api\n\nfunc Wrought() {}\n"})
	x := open(t, root, Options{StateDir: t.TempDir()})
	wait(t, x)
	there(t, x, "Wrought", true)
	for _, says := range []string{"", "-", ""} {
		text, want := "api/* "+says+"linguist-generated\n", says == "-"
		write(t, root, map[string]string{".gitattributes": text})
		x.Changed("")
		wait(t, x)
		there(t, x, "Wrought", want)
		there(t, x, "Written", true)
		if list, ok := x.Outline("api/b.go"); !ok || len(list) != 1 {
			t.Errorf("the outline of a file that says %q: %v, %v", text, list, ok)
		}
	}
}
