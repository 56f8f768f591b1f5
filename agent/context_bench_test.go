package agent_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/index"
	"coauthor/agent/llm/remote"
	"coauthor/agent/mapper"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
)

// BenchmarkContext is what happens between a request and its prompt: snapshot, files, mentions, map, prompt and
// tokens, in a git repository of 5,000 files whose index is warm. The requests differ, or the document that they
// are about was edited since the last one.
func BenchmarkContext(b *testing.B) {
	s, ws, names := warmSession(b, func(*settings.Settings) {})
	for _, path := range []string{names[7], names[1200], names[4500]} {
		text, err := os.ReadFile(filepath.Join(ws.Root(), path))
		if err != nil {
			b.Fatal(err)
		}
		ws.DidOpen(path, string(text), 1)
	}
	prompt := func(b *testing.B, i int) {
		b.Helper()
		p, err := s.Prompt(context.WithoutCancel(b.Context()), agent.Request{
			Target:      &agent.Target{Path: names[7]},
			Instruction: fmt.Sprintf("Have %s call Node%d.Visit%d, as %s does, and say so in its comment.", names[7], i*37%5000, i%5, names[i*101%5000]),
		}, agent.Ports{Ask: event.Default()})
		if err != nil {
			b.Fatal(err)
		}
		if p.Tokens < 3000 {
			b.Fatalf("a prompt of %d tokens, without a map", p.Tokens)
		}
	}
	prompt(b, 0)
	measure := func(name string, each func(b *testing.B, i int)) {
		b.Run(name, func(b *testing.B) {
			start := time.Now()
			processor := worked(b, start)
			for i := 1; b.Loop(); i++ {
				each(b, i)
			}
			b.ReportMetric(float64((worked(b, start)-processor).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
	measure("another request", prompt)
	measure("after an edit", func(b *testing.B, i int) {
		ws.DidChange(names[7], fmt.Sprintf("package p7\n\nfunc edited%d() { run%d(nil, 1) }\n", i, i%5000), int32(i+1))
		prompt(b, i)
	})
}

// BenchmarkMentions is what finding the files that a long text names costs in a git repository of 5,000 files whose index
// is warm, in processor time: the same kind of prompt is made with and without it, in turns.
func BenchmarkMentions(b *testing.B) {
	how := ""
	s, _, names := warmSession(b, func(s *settings.Settings) { s.AddMentioned = how })
	text := func(i int) string {
		return fmt.Sprintf("%s Have the function in %s say what it does. ", strings.Repeat("The nodes are visited one after the other, see https://example.org/nodes, and node.next leads on. ", 20), filepath.Base(names[i*101%5000]))
	}
	now := time.Now()
	prompt := func(i int, setting string, files []string) (time.Duration, int) {
		how = setting
		before := worked(b, now)
		p, err := s.Prompt(context.WithoutCancel(b.Context()), agent.Request{Target: &agent.Target{Path: names[7]}, Instruction: text(i), Files: files}, agent.Ports{Ask: event.Default()})
		took := worked(b, now) - before
		if err != nil {
			b.Fatal(err)
		}
		return took, len(p.Context.Chat)
	}
	prompt(0, "ask", nil)
	var with, without time.Duration
	for i := 1; b.Loop(); i++ {
		on, shown := prompt(2*i, "ask", nil) // another text each time: a map for the same one is ready
		off, listed := prompt(2*i+1, "never", []string{names[(2*i+1)*101%5000]})
		if shown != 2 || listed != 2 {
			b.Fatalf("%d files are shown with mentions, %d without", shown, listed)
		}
		with, without = with+on, without+off
	}
	b.ReportMetric(float64((with-without).Microseconds())/1000/float64(b.N), "more-cpu-ms/op")
	b.ReportMetric(float64(without.Microseconds())/1000/float64(b.N), "without-cpu-ms/op")
}

// warmSession is a session in a repository of 5,000 files whose index is ready, and the names of the files. change is
// asked at each request what its settings are.
func warmSession(b *testing.B, change func(*settings.Settings)) (*agent.Session, *workspace.Workspace, []string) {
	b.Helper()
	root := b.TempDir()
	names := bigRepository(b, root, 5000)
	ws, err := workspace.Open(root, workspace.Options{Ignore: vcs.NewIgnore(root, nil).Check})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = ws.Close() }) // nothing is open for writing
	now := time.Now()                    // stands still: the look at the disk that goes on behind old maps is not what a request waits for
	x, err := index.Open(b.Context(), root, index.Options{StateDir: b.TempDir(), Clock: func() time.Time { return now }})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(x.Close)
	if err := x.Wait(b.Context()); err != nil {
		b.Fatal(err)
	}
	catalog, err := model.Load(nil)
	if err != nil {
		b.Fatal(err)
	}
	e := agent.NewEngine(agent.Options{
		Client: remote.New(remote.Options{}),
		Settings: func(string) settings.Settings {
			s := settings.Defaults()
			s.Model = "gpt-4o"
			change(&s)
			return s
		},
		Catalog: func() *model.Catalog { return catalog },
		Map:     func(*workspace.Workspace) mapper.Drawer { return x },
	})
	b.Cleanup(e.Close)
	return e.Session(ws), ws, names
}

// bigRepository makes a git repository of n Go files in folders, which use each other and many words, and gives their
// names.
func bigRepository(b *testing.B, root string, n int) (names []string) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 6000)
	for i := range words {
		syllables := []string{"ka", "lo", "mir", "ten", "sa", "vu", "re", "dol", "pi", "gan", "ost", "el"}
		for range 2 + random.IntN(2) {
			words[i] += syllables[random.IntN(len(syllables))]
		}
	}
	word := func() string { return words[min(random.IntN(len(words)), random.IntN(len(words)))] }
	for i := range n {
		var t strings.Builder
		fmt.Fprintf(&t, "package p%d\n\n// Node%d is a %s of the %s.\ntype Node%d struct { next *Node%d; %s int }\n", i%150, i, word(), word(), i, (i+1)%n, word())
		for k := range 5 {
			fmt.Fprintf(&t, "\n// Visit%d has a %s %s the %s.\nfunc (n *Node%d) Visit%d(%s int) error {\n", k, word(), word(), word(), i, k, word())
			for range 4 + random.IntN(12) {
				fmt.Fprintf(&t, "\t%s := run%d(n, %s+%d) // %s\n", word(), random.IntN(n), word(), random.IntN(100), word())
			}
			t.WriteString("\treturn nil\n}\n")
		}
		fmt.Fprintf(&t, "\nfunc run%d(n any, %s int) error { return nil }\n", i, word())
		name := fmt.Sprintf("area%d/p%d/file%d.go", i%12, i%150, i)
		names = append(names, name)
		full := filepath.Join(root, filepath.FromSlash(name))
		if i < 1800 { // every folder has been seen by then
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(full, []byte(t.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "first"}} {
		if out, err := exec.CommandContext(b.Context(), "git", append([]string{"-C", root}, args...)...).CombinedOutput(); err != nil {
			b.Skipf("no git: %v: %s", err, out)
		}
	}
	return names
}
