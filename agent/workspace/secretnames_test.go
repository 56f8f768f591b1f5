package workspace_test

import (
	"context"
	"testing"

	"coauthor/agent/workspace"
)

// TestNamesOfSecretsAndConfiguration: what people call their secrets, also as editors' backups, is not sent without
// consent, and what editors and tools run by itself is not changed without. What only sounds so is neither.
func TestNamesOfSecretsAndConfiguration(t *testing.T) {
	w := open(t, nil, workspace.Options{})
	for path, want := range map[string]bool{
		".env~": true, "a/prod.env~": true, "#.env#": true, "secret.yaml": true, "k8s/secret.yml": true, "db-secret.yaml": true, "secrets/db.txt": true, "a/secrets/x/y.json": true, "Secrets/a": true,
		"server.pem~": true, "server.key.bak": true, "private-key.asc": true, "my-secret.asc": true, ".env": true,
		"secret.go": false, "secretary.yaml": false, "book/chapter.asc": false, "environment.py": false, "monkey.ts": false, "keys.md": false,
	} {
		if got := w.Door().Check(context.Background(), path, workspace.OpSend).Verdict == workspace.Ask; got != want {
			t.Errorf("%s: asked before it is sent %v, want %v", path, got, want)
		}
	}
	for path, want := range map[string]bool{
		".editorconfig": true, "a/.editorconfig": true, ".run/Tests.run.xml": true, ".emacs": true, ".emacs.d/init.el": true, "editorconfig.md": false, "run/a.xml": false, "emacs.py": false,
	} {
		if got := w.Door().Check(context.Background(), path, workspace.OpEdit).Verdict == workspace.Ask; got != want {
			t.Errorf("%s: asked before it is changed %v, want %v", path, got, want)
		}
	}
}
