package workspace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/workspace"
	"coauthor/edits"
)

func TestDoor(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "secret", "s")
	w := open(t, map[string]string{
		"a.txt": "a", "sub/b.txt": "b", "bin": "a\x00b", "latin": "caf\xe9", "big": strings.Repeat("x", 2000),
		"ro": "r", ".git/config": "c", ".env": "K=1", "ignored.log": "l", ".gitignore": "*.log\nbuild/\n!build/keep\n",
		"build/keep": "k", "sub/.aiderignore": "*.gen\n", "sub/x.gen": "g", "x.gen": "g", ".coauthorignore": "/private/\n", "private/p": "p",
	}, workspace.Options{MaxFileBytes: 1000, DenyGlobs: []string{"*.sql"}, ProtectedGlobs: []string{"legal/**"}})
	if err := os.Chmod(filepath.Join(w.Root(), "ro"), 0o444); err != nil {
		t.Fatal(err)
	}
	links := map[string]string{"out": filepath.Join(outside, "secret"), "up": "../../etc", "in": "sub/b.txt", "dir": "sub", "hook": ".git", "loop": "loop"}
	for name, target := range links {
		if err := os.Symlink(target, filepath.Join(w.Root(), name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	for _, c := range []struct {
		path    string
		op      workspace.Operation
		verdict workspace.Verdict
		code    string
	}{
		{"a.txt", workspace.OpEdit, workspace.Allow, ""},
		{"./sub//b.txt", workspace.OpEdit, workspace.Allow, ""},
		{"new/dir/file", workspace.OpCreate, workspace.Allow, ""},
		{"", workspace.OpRead, workspace.Refuse, workspace.CodeBadName},
		{"/etc/passwd", workspace.OpRead, workspace.Refuse, workspace.CodeOutside},
		{"../x", workspace.OpCreate, workspace.Refuse, workspace.CodeOutside},
		{"sub/../../x", workspace.OpCreate, workspace.Refuse, workspace.CodeOutside},
		{"~/x", workspace.OpCreate, workspace.Refuse, workspace.CodeOutside},
		{`C:\x`, workspace.OpCreate, workspace.Refuse, workspace.CodeOutside},
		{`\\host\share`, workspace.OpCreate, workspace.Refuse, workspace.CodeOutside},
		{`a\b`, workspace.OpCreate, workspace.Refuse, workspace.CodeBadName},
		{"a\x00b", workspace.OpCreate, workspace.Refuse, workspace.CodeBadName},
		{"a\nb", workspace.OpCreate, workspace.Refuse, workspace.CodeBadName},
		{"x/NUL.txt", workspace.OpCreate, workspace.Refuse, workspace.CodeBadName},
		{"a.txt:stream", workspace.OpCreate, workspace.Refuse, workspace.CodeBadName},
		{"name.", workspace.OpCreate, workspace.Refuse, workspace.CodeBadName},
		{strings.Repeat("x", 5000), workspace.OpCreate, workspace.Refuse, workspace.CodeBadName},
		{"sub", workspace.OpEdit, workspace.Refuse, workspace.CodeBadName},
		{"out", workspace.OpRead, workspace.Refuse, workspace.CodeSymlink},
		{"out", workspace.OpEdit, workspace.Refuse, workspace.CodeSymlink},
		{"up/passwd", workspace.OpRead, workspace.Refuse, workspace.CodeSymlink},
		{"loop", workspace.OpRead, workspace.Refuse, workspace.CodeSymlink},
		{"in", workspace.OpEdit, workspace.Allow, ""},
		{"dir/b.txt", workspace.OpEdit, workspace.Allow, ""},
		{"hook/config", workspace.OpEdit, workspace.Ask, workspace.CodeProtected},
		{".GIT/config", workspace.OpCreate, workspace.Ask, workspace.CodeProtected},
		{"sub/.git/hooks/pre-commit", workspace.OpCreate, workspace.Ask, workspace.CodeProtected},
		{".git/config", workspace.OpSend, workspace.Ask, workspace.CodeDenied},
		{".github/workflows/ci.yml", workspace.OpCreate, workspace.Ask, workspace.CodeProtected},
		{"legal/terms", workspace.OpCreate, workspace.Ask, workspace.CodeProtected},
		{".env", workspace.OpSend, workspace.Ask, workspace.CodeDenied},
		{".env", workspace.OpRead, workspace.Allow, ""},
		{"db/dump.sql", workspace.OpSend, workspace.Ask, workspace.CodeDenied},
		{"bin", workspace.OpEdit, workspace.Refuse, workspace.CodeBinary},
		{"latin", workspace.OpEdit, workspace.Refuse, workspace.CodeUndecodable},
		{"big", workspace.OpEdit, workspace.Refuse, workspace.CodeTooLarge},
		{"ro", workspace.OpEdit, workspace.Refuse, workspace.CodeReadOnly},
		{"ro", workspace.OpRead, workspace.Allow, ""},
		{"ignored.log", workspace.OpSend, workspace.Ask, workspace.CodeIgnored},
		{"ignored.log", workspace.OpRead, workspace.Allow, ""},
		{"sub/deep/other.log", workspace.OpCreate, workspace.Ask, workspace.CodeIgnored},
		{"build/keep", workspace.OpSend, workspace.Ask, workspace.CodeIgnored}, // as in git: nothing comes back below build/
		{"sub/x.gen", workspace.OpSend, workspace.Ask, workspace.CodeIgnored},
		{"x.gen", workspace.OpSend, workspace.Allow, ""},
		{"private/p", workspace.OpSend, workspace.Ask, workspace.CodeIgnored},
		{"sub/private/p", workspace.OpCreate, workspace.Allow, ""},
	} {
		d := w.Door().Check(context.Background(), c.path, c.op)
		if d.Verdict != c.verdict || d.Code != c.code {
			t.Errorf("%s %q: got %s %s (%s), want %s %s", c.op, c.path, d.Verdict, d.Code, d.Reason, c.verdict, c.code)
		}
		if d.Verdict != workspace.Allow && d.Reason == "" {
			t.Errorf("%s %q: no reason", c.op, c.path)
		}
	}
}

func TestOpenIgnoreFilesCountAtOnce(t *testing.T) {
	asked := 0
	w := open(t, map[string]string{".gitignore": "a\n", "a": "", "b": ""}, workspace.Options{
		Ignore: func(_ context.Context, paths []string) (map[string]bool, error) {
			asked++
			return map[string]bool{"a": true}, nil
		},
	})
	check := func(path string, want workspace.Verdict) {
		t.Helper()
		if d := w.Door().Check(context.Background(), path, workspace.OpSend); d.Verdict != want {
			t.Errorf("%s: got %+v, want %s", path, d, want)
		}
	}
	check("a", workspace.Ask)
	check("b", workspace.Allow)
	if asked != 2 {
		t.Errorf("git was asked %d times, want 2", asked)
	}
	w.DidOpen(".gitignore", "b\n", 1)
	check("a", workspace.Allow)
	check("b", workspace.Ask)
	w.DidOpen(".coauthorignore", "a\n", 1)
	check("a", workspace.Ask)
}

func TestGitThatFailsFallsBackToTheFiles(t *testing.T) {
	w := open(t, map[string]string{".gitignore": "a\n"}, workspace.Options{
		Ignore: func(context.Context, []string) (map[string]bool, error) { return nil, errors.New("no git") },
	})
	if d := w.Door().Check(context.Background(), "a", workspace.OpSend); d.Code != workspace.CodeIgnored {
		t.Errorf("got %+v", d)
	}
}

func TestUnreadableIgnoreFileIgnoresAll(t *testing.T) {
	w := open(t, map[string]string{".aiderignore": "a\x00b"}, workspace.Options{})
	if d := w.Door().Check(context.Background(), "x", workspace.OpSend); d.Code != workspace.CodeIgnored {
		t.Errorf("got %+v", d)
	}
}

func TestWrite(t *testing.T) {
	ctx := context.Background()
	w := open(t, map[string]string{"run.sh": "old", "sub/t": "x"}, workspace.Options{})
	if err := os.Chmod(filepath.Join(w.Root(), "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := w.Door().With(workspace.Agreed()).Write(ctx, "run.sh", "new", workspace.UTF8); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(w.Root(), "run.sh"))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode: %v, %v", info.Mode(), err)
	}
	if err := w.Door().With(workspace.Agreed()).Write(ctx, "a/b/c", "deep", workspace.UTF8); err != nil {
		t.Error(err)
	}
	if err := w.Door().With(workspace.Agreed()).Rename(ctx, "a/b/c", "d/e"); err != nil {
		t.Error(err)
	}
	if err := w.Door().With(workspace.Agreed()).Rename(ctx, "d/e", "run.sh"); err == nil {
		t.Error("a rename overwrote a file")
	}
	if err := w.Door().With(workspace.Agreed()).Remove(ctx, "sub/t"); err != nil {
		t.Error(err)
	}
	s := w.Snapshot()
	mustRead(t, s, "run.sh", "new")
	mustRead(t, s, "d/e", "deep")
	if s.Exists("sub/t") || s.Exists("a/b/c") {
		t.Error("files are left")
	}
	if err := w.Door().With(workspace.Agreed()).Write(ctx, "../x", "no", workspace.UTF8); !errors.Is(err, workspace.ErrRefused) {
		t.Errorf("outside: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(w.Root(), ".*tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

func TestWriteThroughALinkInside(t *testing.T) {
	w := open(t, map[string]string{"real": "old"}, workspace.Options{})
	if err := os.Symlink("real", filepath.Join(w.Root(), "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := w.Door().With(workspace.Agreed()).Write(context.Background(), "link", "new", workspace.UTF8); err != nil {
		t.Fatal(err)
	}
	mustRead(t, w.Snapshot(), "real", "new")
	if info, err := os.Lstat(filepath.Join(w.Root(), "link")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

func TestGuard(t *testing.T) {
	w := open(t, map[string]string{".env": "A=1", "a": "x"}, workspace.Options{})
	guard := w.Door().Guard(context.Background())
	if err := guard("a", edits.OpUpdate); err != nil {
		t.Error(err)
	}
	if err := guard(".env", edits.OpUpdate); !errors.Is(err, edits.ErrRefused) {
		t.Errorf("got %v", err)
	}
	if err := w.Door().Guard(context.Background(), ".env")(".env", edits.OpUpdate); err != nil {
		t.Errorf("with consent: %v", err)
	}
	if err := w.Door().Guard(context.Background(), "../x")("../x", edits.OpUpdate); err == nil {
		t.Error("consent opened a path outside the root")
	}
}

func TestEncodings(t *testing.T) {
	for _, c := range []struct {
		name, setting, raw, text, edited, want string
	}{
		{"utf-8", "", "é\n", "é\n", "éé\n", "éé\n"},
		{"utf-8 with mark", "", "\ufeffa\r\n", "\ufeffa\r\n", "\ufeffb\r\n", "\ufeffb\r\n"},
		{"utf-16le", "", "\xff\xfea\x00\n\x00", "\ufeffa\n", "\ufeffaé\n", "\xff\xfea\x00\xe9\x00\n\x00"},
		{"utf-16be", "", "\xfe\xff\x00a", "\ufeffa", "\ufeffab", "\xfe\xff\x00a\x00b"},
		{"latin-1 by setting", "windows-1252", "caf\xe9", "café", "cafés", "caf\xe9s"},
		{"ascii takes the setting", "windows-1252", "cafe", "cafe", "café", "caf\xe9"},
		{"utf-8 beats the setting", "windows-1252", "café", "café", "cafés", "cafés"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := open(t, map[string]string{"f": c.raw}, workspace.Options{Encoding: c.setting})
			doc, err := w.Snapshot().Document("f")
			if err != nil || doc.Text != c.text {
				t.Fatalf("got %+v, %v, want %q", doc, err, c.text)
			}
			if err := w.Door().With(workspace.Agreed()).Write(context.Background(), "f", c.edited, doc.Encoding); err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(filepath.Join(w.Root(), "f"))
			if err != nil || string(raw) != c.want {
				t.Errorf("got %q, %v, want %q", raw, err, c.want)
			}
		})
	}
}

func TestForeignCharacterLeavesTheFileAlone(t *testing.T) {
	w := open(t, map[string]string{"f": "caf\xe9"}, workspace.Options{Encoding: "windows-1252"})
	err := w.Door().With(workspace.Agreed()).Write(context.Background(), "f", "日", "windows-1252")
	if !errors.Is(err, workspace.ErrUndecodable) || !strings.Contains(err.Error(), "日") {
		t.Errorf("got %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(w.Root(), "f"))
	if err != nil || string(raw) != "caf\xe9" {
		t.Errorf("got %q, %v", raw, err)
	}
}

func TestUnknownEncodingIsSaid(t *testing.T) {
	if _, err := workspace.Open(t.TempDir(), workspace.Options{Encoding: "klingon"}); err == nil {
		t.Error("no error")
	}
}

func FuzzDoorNeverLeavesTheRoot(f *testing.F) {
	for _, seed := range []string{"a", "../a", "/a", "a/../../b", "link/x", ".git/x", "a\\..\\b", "~"} {
		f.Add(seed)
	}
	top := f.TempDir()
	root := filepath.Join(top, "root")
	if err := os.MkdirAll(filepath.Join(root, "sub"), 0o755); err != nil {
		f.Fatal(err)
	}
	if err := os.Symlink("..", filepath.Join(root, "link")); err != nil {
		f.Skip("no symbolic links here:", err)
	}
	w, err := workspace.Open(root, workspace.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, path string) {
		d := w.Door().Check(context.Background(), path, workspace.OpCreate)
		if d.Verdict != workspace.Refuse && !filepath.IsLocal(filepath.FromSlash(d.Path)) {
			t.Fatalf("%q became %q", path, d.Path)
		}
		_ = w.Door().With(workspace.Agreed()).Write(context.Background(), path, "x", workspace.UTF8) // what counts is where it went
		entries, err := os.ReadDir(top)
		if err != nil || len(entries) != 1 {
			t.Fatalf("%q wrote beside the root: %v, %v", path, entries, err)
		}
	})
}

// What is open in the editor is judged by the text that the editor made of it, not by the bytes on disk.
func TestOpenDocumentIsText(t *testing.T) {
	w := open(t, map[string]string{"latin1": "caf\xe9\n", "picture": "a\x00b", "both": "x\n"}, workspace.Options{})
	check := func(path string, want workspace.Verdict, code string) {
		t.Helper()
		for _, op := range []workspace.Operation{workspace.OpSend, workspace.OpEdit} {
			if d := w.Door().Check(t.Context(), path, op); d.Verdict != want || d.Code != code {
				t.Errorf("%s %s: %+v, want %s %s", op, path, d, want, code)
			}
		}
	}
	check("latin1", workspace.Refuse, workspace.CodeUndecodable)
	check("picture", workspace.Refuse, workspace.CodeBinary)
	w.DidOpen("latin1", "café\n", 1)
	w.DidOpen("picture", "a b", 1)
	w.DidOpen("both", "x\x00y", 1) // a picture, opened by accident
	check("latin1", workspace.Allow, "")
	check("picture", workspace.Allow, "")
	check("both", workspace.Refuse, workspace.CodeBinary)
	mustRead(t, w.Snapshot(), "latin1", "café\n")
	w.DidClose("latin1")
	check("latin1", workspace.Refuse, workspace.CodeUndecodable)
}

// TestListsOfWhatIsKept goes through names that must not leave the machine, or be changed, without a
// consent, as some disk may spell them.
func TestListsOfWhatIsKept(t *testing.T) {
	w := open(t, map[string]string{"a": ""}, workspace.Options{})
	ctx := context.Background()
	for _, name := range []string{
		".env", ".env.local", ".env-prod", ".env_prod", "prod.env", ".envrc", "server.pem", "server.key", "id_rsa", "id_ed25519.pub", "id_ecdsa_sk", "id_work",
		"a.p12", "a.pfx", "a.jks", "a.keystore", "a.kdbx", "a.ppk", "a.p8", ".netrc", "_netrc", ".pgpass", "credentials", "credentials.json", "credentials-prod.yaml",
		"secrets.yaml", "x.tfstate", "x.tfstate.backup", "prod.tfvars", "prod.tfvars.json", ".npmrc", ".yarnrc.yml", ".pypirc", ".git-credentials", ".htpasswd", ".git/config",
		".ssh/config", ".gnupg/x", ".aws/config", ".azure/x", ".kube/config", "kubeconfig", ".docker/config.json", ".dockercfg", ".config/gcloud/x", ".vault-token",
		"service-account-prod.json", ".my.cnf", "a.ovpn", ".bash_history", "local.settings.json",
	} {
		for _, spelled := range []string{name, "deep/er/" + name, strings.ToUpper(name), "\u200B" + name, strings.ReplaceAll(name, "s", "\u017F"), strings.ReplaceAll(name, "k", "\u212A")} {
			if d := w.Door().Check(ctx, spelled, workspace.OpSend); d.Verdict != workspace.Ask || d.Code != workspace.CodeDenied {
				t.Errorf("send %q: %s %s", spelled, d.Verdict, d.Code)
			}
		}
		for _, odd := range []string{name + ".", name + " ", name + "::$DATA"} {
			if d := w.Door().Check(ctx, odd, workspace.OpSend); d.Verdict != workspace.Refuse {
				t.Errorf("send %q: %s", odd, d.Verdict)
			}
		}
	}
	for _, name := range []string{
		".git/hooks/pre-commit", "GIT~1/config", ".hg/hgrc", ".gitmodules", ".gitattributes", ".gitignore", ".vscode/tasks.json", "x.code-workspace", ".idea/workspace.xml",
		".zed/settings.json", ".helix/languages.toml", ".nvim.lua", ".nvim/init.lua", ".exrc", ".lazy.lua", ".vim/coc-settings.json", ".dir-locals.el", "x.sublime-project",
		".devcontainer/devcontainer.json", ".devcontainer.json", ".envrc", ".env", ".husky/pre-commit", "lefthook.yml", ".pre-commit-config.yaml",
		".github/workflows/ci.yml", ".github/actions/x/action.yml", ".gitlab-ci.yml", ".circleci/config.yml", "Jenkinsfile", ".travis.yml", "appveyor.yml", "azure-pipelines.yml",
		"bitbucket-pipelines.yml", ".drone.yml", ".woodpecker/build.yml", ".buildkite/pipeline.yml", "cloudbuild.yaml", ".cirrus.yml", ".semaphore/s.yml", ".teamcity/s.kts",
		".gitea/workflows/x.yml", ".forgejo/workflows/x.yml", ".builds/a.yml", ".tekton/p.yaml", "buildspec.yml",
		".claude/settings.json", ".mcp.json", ".cursor/mcp.json", ".cursorrules", ".windsurfrules", ".aider.conf.yml", ".coauthor/config.yaml", ".coauthorignore", ".aiderignore",
		".ssh/config", "x.pem", "id_rsa", ".npmrc", ".kube/config", ".cargo/config.toml", ".bashrc",
	} {
		for _, spelled := range []string{name, "deep/" + name, strings.ToUpper(name)} {
			if d := w.Door().Check(ctx, spelled, workspace.OpCreate); d.Verdict != workspace.Ask || d.Code != workspace.CodeProtected {
				t.Errorf("create %q: %s %s", spelled, d.Verdict, d.Code)
			}
		}
	}
	for _, name := range []string{"environment.py", "envrc.md", "keys.go", "valid_id.go", "src/git/config.go", "docs/secret-santa.md", "monkey.py", "ids.py", "my_credentials.go", "claude/a.md"} {
		for _, op := range []workspace.Operation{workspace.OpSend, workspace.OpCreate} {
			if d := w.Door().Check(ctx, name, op); d.Verdict != workspace.Allow {
				t.Errorf("%s %q: %s %s", op, name, d.Verdict, d.Reason)
			}
		}
	}
}

// TestConsentNamesWhereALinkLeads: who agrees to a link must know what they agree to.
func TestConsentNamesWhereALinkLeads(t *testing.T) {
	w := open(t, map[string]string{".git/config": "c", ".env": "K=1", "hidden.txt": "h", ".gitignore": "hidden.txt\n"}, workspace.Options{})
	for name, target := range map[string]string{"notes.txt": ".git/config", "sample": ".env", "plain": "hidden.txt"} {
		if err := os.Symlink(target, filepath.Join(w.Root(), name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		op := workspace.OpSend
		if name == "notes.txt" {
			op = workspace.OpEdit
		}
		d := w.Door().Check(context.Background(), name, op)
		if d.Verdict != workspace.Ask || !strings.Contains(d.Reason, name+" is a symbolic link to "+target) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

// TestIgnoreFilesOfAllKinds: whatever form an ignore file has, what it might hide is hidden.
func TestIgnoreFilesOfAllKinds(t *testing.T) {
	utf16 := func(order ...byte) string { // of "x\ny\n"
		out := []byte{}
		for _, c := range []byte{0xFE, 'x', '\n', 'y', '\n'} {
			high := byte(0)
			if c == 0xFE {
				high, c = 0xFE, 0xFF
			}
			if order[0] == 0 {
				out = append(out, high, c)
			} else {
				out = append(out, c, high)
			}
		}
		return string(out)
	}
	for what, text := range map[string]string{
		"byte order mark": "\uFEFFx\ny\n", "UTF-16, big end first": utf16(0), "UTF-16, little end first": utf16(1), "line ends of Windows": "x\r\ny\r\n",
		"blanks at the end": "x   \ny\n", "a NUL": "x\x00", "9 MB": strings.Repeat("z\n", 9<<19), "too many rules": strings.Repeat("z\n", 20_000), "Latin-1": "# caf\xe9\nx\ny\n",
	} {
		for _, file := range []string{".gitignore", ".aiderignore", ".coauthorignore", "sub/.gitignore", "sub/.coauthorignore"} {
			w := open(t, map[string]string{file: text, "sub/x": "", "sub/clean": "", "x": ""}, workspace.Options{
				Ignore: func(context.Context, []string) (map[string]bool, error) { return map[string]bool{}, nil },
			})
			plain := map[string]bool{"byte order mark": true, "line ends of Windows": true, "blanks at the end": true, "Latin-1": true, "too many rules": true}[what]
			if strings.HasSuffix(file, ".gitignore") && plain {
				continue // git reads those, and here it says that nothing is ignored
			}
			start := time.Now()
			if d := w.Door().Check(context.Background(), "sub/x", workspace.OpSend); d.Code != workspace.CodeIgnored {
				t.Errorf("%s as %s: %+v", file, what, d)
			}
			if left := w.Door().Withheld(context.Background(), []string{"sub/x", "sub/clean"}); len(left) == 0 {
				t.Errorf("%s as %s: nothing is withheld", file, what)
			}
			if took := time.Since(start); took > 2*time.Second {
				t.Errorf("%s as %s took %v", file, what, took)
			}
		}
	}
}
