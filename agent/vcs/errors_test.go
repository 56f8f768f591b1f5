package vcs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// questions are all that this package asks git.
func questions(root string) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"head":    func(ctx context.Context) error { _, err := Head(ctx, root); return err },
		"shallow": func(ctx context.Context) error { _, err := Shallow(ctx, root); return err },
		"files":   func(ctx context.Context) error { _, err := Files(ctx, root); return err },
		"ignored": func(ctx context.Context) error { _, err := CheckIgnore(ctx, root, []string{"a.go"}); return err },
		"memory": func(ctx context.Context) error {
			_, err := NewIgnore(root, nil).Check(ctx, []string{"a.go"})
			return err
		},
		"history": func(ctx context.Context) error { _, err := History(ctx, root, 5); return err },
		"init":    func(ctx context.Context) error { return Init(ctx, root) },
	}
}

// TestEveryQuestionEndsWithItsContext: what is cancelled before or while git runs says so, soon.
func TestEveryQuestionEndsWithItsContext(t *testing.T) {
	root := repo(t, map[string]string{"a.go": "package a\n"})
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ask := range questions(root) {
		if err := ask(done); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled before: %v", name, err)
		}
	}
	// A git that does not end, whose child holds the pipe open.
	bin := t.TempDir()
	began := filepath.Join(bin, "began")
	script := "#!/bin/sh\necho \"$*\" >> " + began + "\nexec sleep 600\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, ask := range questions(root) {
		_ = os.Remove(began)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- ask(ctx) }()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(began); err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s runs no git", name)
			}
		}
		cancel()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cancelled while git runs: %v", name, err)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s goes on after it was cancelled", name)
		}
	}
}

// TestGitsOwnWordIsTold: what git cannot do in a repository is an error with its reason, and never the
// answer that there is no repository.
func TestGitsOwnWordIsTold(t *testing.T) {
	root := repo(t, map[string]string{"a.go": "package a\n"})
	write(t, root, ".git/config", "[core\n")
	for name, ask := range questions(root) {
		switch name {
		case "memory", "head", "history": // without a repository that git can read they have nothing to tell
			continue
		}
		err := ask(t.Context())
		if err == nil || errors.Is(err, ErrNotGit) || !strings.Contains(err.Error(), "bad config line 1") || !strings.Contains(err.Error(), "git ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, ok := Root(t.Context(), root); ok {
		t.Error("a root was found")
	}
	// Outside of every repository there is none.
	outside := t.TempDir()
	for name, ask := range questions(outside) {
		if name != "init" {
			if err := ask(t.Context()); !errors.Is(err, ErrNotGit) {
				t.Errorf("%s outside: %v", name, err)
			}
		}
	}
	// A folder that is not there is an error of the system's.
	for name, ask := range questions(filepath.Join(outside, "absent")) {
		if err := ask(t.Context()); err == nil {
			t.Errorf("%s in a folder that is not there: no error", name)
		}
	}
	if got, err := CheckIgnore(t.Context(), outside, nil); err != nil || len(got) > 0 {
		t.Errorf("no paths: %v, %v", got, err)
	}
}

// TestFieldsAreWhole: names end in a NUL byte and may hold anything else.
func TestFieldsAreWhole(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "a\x00": {"a"}, "a\x00b\x00": {"a", "b"}, "a\nb\x00 c\x00": {"a\nb", " c"}, "a": {"a"}, "\x00": {""}} {
		if got := fields([]byte(text)); strings.Join(got, "|") != strings.Join(want, "|") || len(got) != len(want) {
			t.Errorf("%q: %q", text, got)
		}
	}
}
