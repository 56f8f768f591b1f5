// Way prints how far somebody walks who follows one edit request through the code, from the code action to the edit that the
// editor applies: the files of agent and lsp themselves, and the returns to them. It plays one scenario with functions that say
// when they run first and who called them, less those that also run in one without a request.
//
//	go run ./.ci/way [-v] [FOLDER]
//
// FOLDER is the checkout, "." without it, so that an older commit is measured by the same rule; -v prints the walk.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// The walk on the last commit before the rooms were taken apart, and as it is wanted: 40 files of 75 and 8 returns of 30, as
// somebody counted them by hand, in the measure of this program.
const (
	filesBefore, filesWanted     = 94, 94 * 40 / 75
	returnsBefore, returnsWanted = 76, 76 * 8 / 30
)

func main() {
	log.SetFlags(0)
	verbose := flag.Bool("v", false, "print the walk")
	flag.Parse()
	root := "."
	if flag.NArg() > 0 {
		root = flag.Arg(0)
	}
	if err := run(context.Background(), os.Stdout, root, *verbose); err != nil {
		log.Fatalf("follow a request through %s: %v", root, err)
	}
}

func run(ctx context.Context, out io.Writer, root string, verbose bool) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "way")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	overlay, err := instrument(root, work)
	if err != nil {
		return err
	}
	program := filepath.Join(work, "lsp.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", program, "./lsp")
	build.Dir, build.Stderr = root, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the tests of lsp: %w", err)
	}
	idle, err := play(ctx, root, work, program, "comments-off", "lsp-mode-9")
	if err != nil {
		return err
	}
	request, err := play(ctx, root, work, program, "accept", "minimal")
	if err != nil {
		return err
	}
	also := map[string]bool{}
	for _, s := range idle {
		also[s.name()] = true
	}
	var walk []step
	for _, s := range request {
		if !also[s.name()] {
			walk = append(walk, s)
		}
	}
	told := io.Discard
	if verbose {
		told = out
	}
	files, returns := count(walk, told)
	fmt.Fprintf(out, "%4d  (before %d, wanted %d)  files of agent and lsp on the way of an edit request\n", files, filesBefore, filesWanted)
	fmt.Fprintf(out, "%4d  (before %d, wanted %d)  returns to a file on it\n", returns, returnsBefore, returnsWanted)
	return nil
}

// step is a function's first run.
type step struct{ file, function, caller string }

func (s step) name() string { return s.file + " " + s.function }

// play runs a scenario with a client, and returns the functions in the order in which they first ran.
func play(ctx context.Context, root, work, program, scenario, client string) ([]step, error) {
	out := filepath.Join(work, scenario)
	c := exec.CommandContext(ctx, program, "-test.run", "^TestScenarios$/^"+scenario+"$/^"+client+"$", "-test.v")
	c.Dir, c.Env = filepath.Join(root, "lsp"), append(os.Environ(), "COAUTHOR_LARGE=1", "WAY_OUT="+out)
	said, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("play %s with %s: %w\n%s", scenario, client, err, said)
	}
	if !strings.Contains(string(said), "--- PASS: TestScenarios/"+scenario+"/"+client) {
		return nil, fmt.Errorf("play %s with %s: lsp has no such scenario\n%s", scenario, client, said)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var steps []step
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 {
			steps = append(steps, step{f[0], f[1], strings.Join(f[2:], "")})
		}
	}
	return steps, nil
}

// count follows the walk through the two folders, without those below them. A return is a call that leads for the first time
// from one file into another that was read before; what is called within a file is read there.
func count(walk []step, told io.Writer) (files, returns int) {
	seen := map[string]bool{}
	entered := map[[2]string]bool{} // from one file into another
	for _, s := range walk {
		if strings.Count(s.file, "/") != 1 {
			continue
		}
		mark, call := " ", [2]string{s.caller, s.file}
		switch {
		case !seen[s.file]:
			mark = "+"
		case s.caller != s.file && !entered[call]:
			mark = "R"
			returns++
		}
		seen[s.file], entered[call] = true, true
		fmt.Fprintln(told, mark, s.file, s.function, "<-", s.caller)
	}
	return len(seen), returns
}

// instrument writes the files of agent and lsp with a call at the head of each function, and returns the overlay that the
// compiler reads them by.
func instrument(root, work string) (overlay string, err error) {
	replace := map[string]string{}
	put := func(name, text string) error {
		to := filepath.Join(work, fmt.Sprintf("%d.go", len(replace)))
		replace[name] = to
		return os.WriteFile(to, []byte(text), 0o600)
	}
	if err := put(filepath.Join(root, "agent", "seen", "seen.go"), strings.Replace(seen, "ROOT", root, 1)); err != nil {
		return "", err
	}
	for _, room := range []string{"agent", "lsp"} {
		err := filepath.WalkDir(filepath.Join(root, room), func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || strings.HasSuffix(d.Name(), "test")):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go"):
				return nil
			}
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			told, err := telling(filepath.ToSlash(rel), string(text))
			if err != nil || told == "" {
				return err
			}
			return put(p, told)
		})
		if err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(work, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o600)
}

// telling returns a file whose functions say when they run; "" for one without functions.
func telling(name, text string) (string, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.ParseComments)
	if err != nil {
		return "", err
	}
	out, end := "", len(text)
	for i := len(f.Decls) - 1; i >= 0; i-- {
		fn, is := f.Decls[i].(*ast.FuncDecl)
		if !is || fn.Body == nil {
			continue
		}
		at := set.Position(fn.Body.Lbrace).Offset + 1
		out = fmt.Sprintf("wayseen.Run(%q);", path.Clean(name)+" "+fn.Name.Name) + text[at:end] + out
		end = at
	}
	if out == "" {
		return "", nil
	}
	head := set.Position(f.Name.End()).Offset
	return text[:head] + "; import wayseen \"coauthor/agent/seen\"; " + text[head:end] + out, nil
}

// seen is the package that the functions call.
const seen = `package seen

import (
	"os"
	"runtime"
	"strings"
	"sync"
)

var (
	mu     sync.Mutex
	once   = map[string]bool{}
	out, _ = os.Create(os.Getenv("WAY_OUT"))
)

// Run notes that a function runs, the first time, and the file of ours that it was called from.
func Run(name string) {
	mu.Lock()
	defer mu.Unlock()
	if once[name] {
		return
	}
	once[name] = true
	var at [64]uintptr
	frames := runtime.CallersFrames(at[:runtime.Callers(3, at[:])])
	caller := ""
	for {
		f, more := frames.Next()
		file, ours := strings.CutPrefix(f.File, "ROOT/")
		if ours && !strings.HasSuffix(file, "_test.go") && (strings.HasPrefix(file, "agent/") || strings.HasPrefix(file, "lsp/")) {
			caller = file
			break
		}
		if !more {
			break
		}
	}
	_, _ = out.WriteString(name + " " + caller + "\n")
}
`
