package lsp

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"coauthor/lsp/client"
	"coauthor/lsp/hunks"
	"coauthor/lsp/pending"
	"coauthor/lsp/turnview"
)

// TestExtensionsAreDescribed fails when one of the ext.go has changed since EXTENSIONS.md was read against it.
func TestExtensionsAreDescribed(t *testing.T) {
	var code []byte
	for _, file := range []string{"ext.go", "client/ext.go", "pending/ext.go", "turnview/ext.go", "hunks/ext.go"} {
		part, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		code = append(code, part...)
	}
	text, err := os.ReadFile("EXTENSIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(code)
	if want := "<!-- digest of ext.go: " + hex.EncodeToString(sum[:8]) + " -->"; !strings.HasPrefix(string(text), want) {
		t.Errorf("read EXTENSIONS.md against ext.go, client/ext.go, pending/ext.go, turnview/ext.go and hunks/ext.go, then begin it with\n%s", want)
	}
	for _, method := range []string{client.MethodInputBox, turnview.MethodTurn, turnview.MethodStream, pending.MethodPending, methodGetPending, hunks.MethodReview, turnview.MethodQuestion, methodGetReview, methodDidFocus, methodDiagnostics, methodSetTrust, methodSetSecret, pending.MethodDraft, pending.MethodMoved, methodGetTexts, methodGetTranscript} {
		if !strings.Contains(string(text), "`"+method+"`") {
			t.Errorf("%s is not described", method)
		}
	}
}
