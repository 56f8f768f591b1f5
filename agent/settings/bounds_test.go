package settings

import (
	"strings"
	"testing"
	"time"
)

// TestHostileFilesTakeNoTime loads files that a repository may hold to stop the server.
func TestHostileFilesTakeNoTime(t *testing.T) {
	var indented, laughs strings.Builder
	for i := range 700 {
		indented.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	laughs.WriteString("a0: &a0 [x, x]\n")
	for i := range 30 {
		laughs.WriteString("a" + string(rune('A'+i)) + ": &a" + string(rune('A'+i)) + " [*a0, *a0, *a0, *a0, *a0, *a0]\n")
	}
	for what, text := range map[string]string{
		"open brackets":    strings.Repeat("[", 80_000),
		"open maps":        "a: " + strings.Repeat("{a: ", 20_000),
		"brackets a line":  strings.Repeat("[\n", 40_000),
		"documents":        strings.Repeat("---\n", 200_000),
		"ends":             strings.Repeat("...\n", 200_000),
		"50 MB":            strings.Repeat("# nothing\n", 5<<20),
		"lists in lists":   strings.Repeat("- ", 40_000),
		"keys of keys":     strings.Repeat("? ", 40_000),
		"indented":         indented.String(),
		"lines":            strings.Repeat("model: a\n", 100_000),
		"items":            "files.denyGlobs: [" + strings.Repeat("a,", 200_000) + "]",
		"a billion laughs": laughs.String(),
	} {
		start := time.Now()
		s, told := Load(LoadOptions{WorkspaceFile: []byte(text), UserFile: []byte("model: mine\n")})
		if took := time.Since(start); took > time.Minute { // only what grows with the square takes so long
			t.Errorf("%s took %v", what, took)
		}
		if s.Model != "mine" || len(told) == 0 || !strings.Contains(told[0].Text, "the file is ignored") {
			t.Errorf("%s: model %q, warnings %.300v", what, s.Model, told)
		}
	}
	if s, told := Load(LoadOptions{UserFile: []byte(strings.Repeat("# a long story\n", 60_000) + "model: mine\n")}); s.Model != "mine" || len(told) != 0 {
		t.Errorf("comments: model %q, %v", s.Model, told)
	}
}
