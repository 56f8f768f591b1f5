package workspace

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a listing knows of a folder changes no verdict: a path gets that which it gets by itself, in any order, and whatever
// it is made of.
func TestListingJudgesAsForOnePath(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{".coauthorignore": "hidden/\n*.log\n!keep.log\n", "a/.aiderignore": "b.go\n", "a/.git/x": "", "b/x": ""} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	parts := strings.Fields(`a b c hidden .coauthor .ssh .SSH .config gcloud .docker config.json b.go keep.log x.log id_rsa Credentials.txt
		x.PEM secret.key con aux.txt .. . ~ c: nul x. größe ẞ.pem .env .env.local vendor x.pb.go api.PB.go deep`)
	parts = append(parts, "", " ", "x ", "\u202e", "\\", "\x00")
	for name, o := range map[string]Options{
		"plain": {}, "all": {AllowIgnored: true}, "more": {IgnoreFiles: []string{".myignore"}, DenyGlobs: []string{"deep/x*", "vendor/**", "a/*.go", "*.pb.go", "b/c/**"}},
	} {
		w, err := Open(root, o)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		lists := w.Door().Lister(t.Context())
		random := rand.New(rand.NewPCG(7, 8))
		shown, kept := 0, 0
		for range 20_000 {
			some := make([]string, 1+random.IntN(4))
			for i := range some {
				some[i] = parts[random.IntN(len(parts))]
			}
			p := strings.Join(some, "/")
			policy, err := w.policy(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			alone := &listing{policy: policy, readers: newIgnoreReaders(w.Door(), policy, ignoreFiles[1:])}
			want := alone.judge(t.Context(), p)
			if got := lists(p); got != want {
				t.Fatalf("%s: %q may stand there: %v in a listing, %v by itself", name, p, got, want)
			}
			if want {
				shown++
			} else {
				kept++
			}
		}
		if shown < 1000 || kept < 1000 {
			t.Errorf("%s: %d paths are shown and %d are not", name, shown, kept)
		}
	}
}
