package lsp

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"
)

// TestExtensionsAreDescribed fails when ext.go has changed since EXTENSIONS.md was read against it.
func TestExtensionsAreDescribed(t *testing.T) {
	code, err := os.ReadFile("ext.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("EXTENSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(code)
	if want := "<!-- digest of ext.go: " + hex.EncodeToString(sum[:8]) + " -->"; !strings.HasPrefix(string(text), want) {
		t.Errorf("read EXTENSIONS.md against ext.go, then begin it with\n%s", want)
	}
	for _, method := range []string{methodInputBox, methodTurn, methodStream, methodPending, methodGetPending, methodDidFocus, methodDiagnostics, methodSetTrust} {
		if !strings.Contains(string(text), "`"+method+"`") {
			t.Errorf("%s is not described", method)
		}
	}
}
