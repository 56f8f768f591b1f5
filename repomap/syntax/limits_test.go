//go:build cgo

package syntax

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hostile are texts of n bytes that cost a grammar more than their size: depth, ambiguity, strings
// without an end, one error over all.
func hostile(n int) map[string]string {
	texts := map[string]string{
		"nested": strings.Repeat("[", n/2) + strings.Repeat("]", n/2),
	}
	for _, piece := range []string{"[", "(", "{", "<", "[({<", "[)", "f(", "a[", "a<", "a+(", "\"", "]", "if x {\n"} {
		texts[piece] = strings.Repeat(piece, n/len(piece))
	}
	return texts
}

// grammarFiles gives a file name for each grammar that is built in.
func grammarFiles(t *testing.T) []string {
	t.Helper()
	var names []string
	for i := range languages {
		l := &languages[i]
		g, err := grammarOf(l)
		if err != nil {
			t.Fatal(err)
		}
		if g != nil && len(l.Ext) > 0 && !l.Prose {
			names = append(names, "a"+l.Ext[0])
		}
	}
	return names
}

// promptly is ten times as long as a cancel may take.
const promptly = 2 * time.Second

func TestCancelEndsEveryParse(t *testing.T) {
	for _, name := range grammarFiles(t) {
		for what, text := range hostile(300_000) {
			if strings.HasSuffix(name, ".php") {
				text = "<?php " + text
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			_, err := Errors(ctx, name, []byte(text))
			late := time.Until(deadline(ctx))
			cancel()
			if -late > promptly {
				t.Errorf("%s of %q: ended %v after the cancel", name, what, -late)
			}
			if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrLimit) {
				t.Errorf("%s of %q: %v", name, what, err)
			}
		}
	}
}

func deadline(ctx context.Context) time.Time {
	d, _ := ctx.Deadline()
	return d
}

// Each of these took minutes, gigabytes or the process itself. Without anyone who cancels they end at the
// limit of work, in the same way every time. Where COAUTHOR_LARGE is set, those of all languages are tried.
func TestHostileTextsMeetALimit(t *testing.T) {
	const n = 300_000
	for _, c := range []struct{ name, piece string }{
		{"a.py", "("}, {"a.py", "[)"}, {"a.js", "[({<"}, {"a.rs", "[({<"}, {"a.sh", "[)"}, {"a.php", "[)"},
		{"a.cpp", "f("}, {"a.c", "f("}, {"a.java", "a<"}, {"a.go", "a["}, {"a.ts", "\""},
	} {
		if c.name != "a.py" && c.name != "a.js" && c.name != "a.cpp" && os.Getenv("COAUTHOR_LARGE") == "" {
			continue
		}
		text := strings.Repeat(c.piece, n/len(c.piece))
		if c.name == "a.php" {
			text = "<?php " + text
		}
		start := time.Now()
		_, err := Errors(context.Background(), c.name, []byte(text))
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s of %q took %v", c.name, c.piece, took)
		}
		if err != nil && !errors.Is(err, ErrLimit) {
			t.Errorf("%s of %q: %v", c.name, c.piece, err)
		}
		if c.piece == "[)" {
			if _, again := Errors(context.Background(), c.name, []byte(text)); !errors.Is(again, err) {
				t.Errorf("%s of %q: %v, then %v", c.name, c.piece, err, again)
			}
		}
		// The lines above the knot still declare what they declare, the same each time.
		if lines := strings.ReplaceAll(text, c.piece, c.piece+"\n"); c.name == "a.py" {
			tags, err := Tagger{}.Tags(context.Background(), c.name, []byte("def above(x):\n    return x\n"+lines))
			if err != nil || len(tags) == 0 || tags[0].Name != "above" {
				t.Errorf("%s of %q: tags %v, %v", c.name, c.piece, tags, err)
			}
		}
	}
	if peak := peakMemory(t); peak > 1<<30 {
		t.Errorf("%d MB were in use", peak>>20)
	}
}

// peakMemory is the most memory that this process had, 0 where the system does not say.
func peakMemory(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			kb, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	return 0
}

// Real files are far from the limit: the largest of them that every system has, over and over.
func TestRealTextsStayBelowTheLimit(t *testing.T) {
	var b strings.Builder
	for b.Len() < MaxSize-10_000 {
		b.WriteString("class Shop:\n    def price(self, items, tax=0.2):\n        return sum(i['cost'] * (1 + tax) for i in items if i and not i.get('free'))\n\n")
	}
	if tags, err := Tags(t.Context(), "a.py", []byte(b.String())); err != nil || len(tags) < 10_000 {
		t.Errorf("%d tags, %v", len(tags), err)
	}
	if found, err := Errors(t.Context(), "a.py", []byte(b.String())); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}
