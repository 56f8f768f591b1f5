package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
)

// event is one line of `go test -json`.
type event struct {
	Action, Package, Test, Output string
	ImportPath, FailedBuild       string // what a build says belongs to no package, but a package says which build failed it
	Elapsed                       float64
}

// try is one run of a test.
type try struct {
	outcome string // pass, fail or skip; "" until it ends
	said    []string
}

// test is a test, a part of one, or a package (without a name).
type test struct {
	dir, name string
	tries     []*try
}

func (t *test) String() string { return strings.TrimSpace(t.dir + " " + t.name) }

func (t *test) last() string { return t.tries[len(t.tries)-1].outcome }

// command runs the test alone.
func (t *test) command(again string) string {
	if t.name == "" {
		return again + " -count=1 " + t.dir
	}
	parts := strings.Split(t.name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return again + " -count=1 -run '" + strings.ReplaceAll(strings.Join(parts, "/"), "'", `'\''`) + "' " + t.dir
}

var (
	frame   = regexp.MustCompile(`^\s*(=== |--- |PASS|FAIL|ok\s|exit status)`)
	located = regexp.MustCompile(`^\s*(\S+\.go:\d+:|panic:|fatal error:|WARNING: DATA RACE)`)
	heading = regexp.MustCompile(`^# \S+( \[.*\])?$`) // of what a compiler says
)

// why is what a test said that failed, in that many lines: the first, and the last ones.
func (t *test) why(most int) []string {
	var told, rest []string
	for _, l := range t.tries[len(t.tries)-1].said {
		l = strings.TrimSpace(l)
		switch {
		case l == "" || frame.MatchString(l) || heading.MatchString(l):
		case located.MatchString(l):
			told = append(told, l)
		default:
			rest = append(rest, l)
		}
	}
	if len(told) == 0 {
		told = rest
	}
	if len(told) == 0 {
		return []string{"it said nothing"}
	}
	if n := len(told); n > most {
		told = append(told[:1:1], told[n-most+1:]...)
	}
	for i, l := range told {
		if runes := []rune(l); len(runes) > 200 {
			told[i] = string(runes[:200]) + "..."
		}
	}
	return told
}

// ends are the first and the last lines.
func ends(lines []string, most int) []string {
	if len(lines) <= 2*most {
		return lines
	}
	return slices.Concat(lines[:most], []string{"[...]\n"}, lines[len(lines)-most:])
}

// run is all that the events say.
type run struct {
	all    []*test
	by     map[string]*test
	builds map[string][]string // what compilers said
	passed int
}

// read follows the events and shows how far they are.
func read(in io.Reader, out io.Writer) (*run, error) {
	r := &run{by: map[string]*test{}, builds: map[string][]string{}}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSpace(line) != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
				fmt.Fprint(out, line) // what go says itself
			} else {
				r.take(e, out)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return r, nil
		case err != nil:
			return nil, err
		}
	}
}

func (r *run) take(e event, out io.Writer) {
	switch {
	case e.Action == "build-output":
		r.builds[e.ImportPath] = append(r.builds[e.ImportPath], e.Output)
		return
	case e.Package == "" || e.Action == "start":
		return
	}
	dir := "."
	if _, below, ok := strings.Cut(e.Package, "/"); ok { // the module has a name of one word
		dir = "./" + below
	}
	t := r.by[dir+" "+e.Test]
	if t == nil {
		t = &test{dir: dir, name: e.Test}
		r.by[dir+" "+e.Test] = t
		r.all = append(r.all, t)
	}
	if n := len(t.tries); n == 0 || t.tries[n-1].outcome != "" {
		if e.Action == "output" && n > 0 { // said behind its end
			t.tries[n-1].said = append(t.tries[n-1].said, e.Output)
			return
		}
		t.tries = append(t.tries, &try{})
	}
	now := t.tries[len(t.tries)-1]
	now.said = append(now.said, r.builds[e.FailedBuild]...)
	switch e.Action {
	case "output":
		now.said = append(now.said, e.Output)
	case "pass", "fail", "skip":
		now.outcome = e.Action
		switch {
		case e.Test == "":
			fmt.Fprintf(out, "%-4s %s %.1fs\n", strings.Replace(e.Action, "pass", "ok", 1), dir, e.Elapsed)
		case e.Action == "pass":
			r.passed++
		default:
			fmt.Fprintf(out, "--- %s: %s\n", strings.ToUpper(e.Action), t)
		}
	}
}

// failed are the tests whose last try failed, and behind them those whose did not end, without those that only have a part
// which did; and packages that failed though no test of theirs did.
func (r *run) failed() []*test {
	list := r.leaves(func(t *test) bool { return t.last() == "fail" || t.last() == "" && t.name != "" })
	slices.SortStableFunc(list, func(a, b *test) int { return strings.Compare(b.last(), a.last()) })
	return list
}

// later are the tests that failed and then passed.
func (r *run) later() []*test {
	return r.leaves(func(t *test) bool {
		return t.name != "" && t.last() == "pass" && slices.ContainsFunc(t.tries, func(o *try) bool { return o.outcome == "fail" })
	})
}

// leaves are the tests of a kind that have no part of that kind.
func (r *run) leaves(is func(*test) bool) (list []*test) {
	above := map[string]bool{}
	for _, t := range r.all {
		if len(t.tries) == 0 || !is(t) || t.name == "" {
			continue
		}
		above[t.dir+" "] = true
		for name := path.Dir(t.name); name != "."; name = path.Dir(name) {
			above[t.dir+" "+name] = true
		}
	}
	for _, t := range r.all {
		if len(t.tries) > 0 && is(t) && !above[t.dir+" "+t.name] {
			list = append(list, t)
		}
	}
	return list
}
