// Command results reads what `go test -json` or gotestsum say, and decides what became of a step of .ci/run. It shows each
// package, each test that failed or was skipped, and at its end, in fewer than fifty lines, which tests failed, why, and how
// to run each of them alone.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// options say what a step may do, and how its tests are run again.
type options struct {
	again   string         // the command that runs a test again, without the test and its package
	maySkip *regexp.Regexp // which tests may be skipped: "folder Test/part"; nil: all
	tries   string         // a file with a line for each test of this run that passed on a later try
	most    int            // how many of them there may be
}

func main() {
	o := options{}
	var skip string
	flag.StringVar(&o.again, "again", "go test", "how to run a test again")
	flag.StringVar(&skip, "may-skip", "", "a pattern of the tests that may be skipped, as names or as `FOLDER NAME`; default all")
	flag.StringVar(&o.tries, "tries", "", "count in this `FILE` the tests that passed on a later try")
	flag.IntVar(&o.most, "most", 3, "how many tests may pass on a later try")
	flag.Parse()
	if skip != "" {
		o.maySkip = regexp.MustCompile(`(?:^| )(?:` + skip + `)\b`)
	}
	ok, err := judge(os.Stdin, os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "results:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// judge reads all events, shows what is to be seen of them, and says whether the step is as it must be.
func judge(in io.Reader, out io.Writer, o options) (bool, error) {
	r, err := read(in, out)
	if err != nil {
		return false, err
	}
	later := r.later()
	for _, t := range later {
		fmt.Fprintf(out, "\npassed on a later try: %s\n", t)
		for n, try := range t.tries {
			fmt.Fprintf(out, "--- try %d: %s\n%s", n+1, try.outcome, strings.Join(ends(try.said, 40), ""))
		}
	}
	count, err := counted(o.tries, later)
	if err != nil {
		return false, err
	}
	var wrong []string
	if count > o.most {
		wrong = append(wrong, fmt.Sprintf("%d tests passed only on a later try, and %d may:", count, o.most))
		for _, t := range later {
			wrong = append(wrong, indented(t.String()))
		}
	}
	if r.passed == 0 {
		wrong = append(wrong, "no test ran")
	}
	for _, t := range r.all { // a package without a test file is no test that was skipped
		if o.maySkip != nil && t.name != "" && t.last() == "skip" && !o.maySkip.MatchString(t.dir+" "+t.name) {
			wrong = append(wrong, "skipped, but it should have run here: "+t.String(), indented(t.command(o.again)))
		}
	}
	failed := r.failed()
	for i, t := range failed {
		if i < 12 {
			fmt.Fprintf(out, "\n--- FAIL: %s\n%s", t, strings.Join(ends(t.tries[len(t.tries)-1].said, 60), ""))
		}
	}
	wrong = append(wrong, summary(failed, o.again)...)
	if len(wrong) == 0 {
		return true, nil
	}
	if len(wrong) > longest {
		wrong = append(wrong[:longest-1], "[...]")
	}
	fmt.Fprintf(out, "\n%s\n", strings.Join(wrong, "\n"))
	return false, nil
}

// longest is how many lines the last words have.
const longest = 45

// summary is for each test that failed its name, why, and how to run it alone; of very many the first ones.
func summary(failed []*test, again string) (lines []string) {
	if len(failed) == 0 {
		return nil
	}
	lines = append(lines, fmt.Sprintf("%d failed:", len(failed)))
	each := max(1, min(4, (longest-2)/len(failed)-2)) // lines of why
	for i, t := range failed {
		if len(lines)+2+each >= longest && i < len(failed)-1 {
			return append(lines, fmt.Sprintf("and %d more, of which the output above tells", len(failed)-i))
		}
		lines = append(lines, t.String())
		for _, l := range t.why(each) {
			lines = append(lines, indented(l))
		}
		lines = append(lines, indented(t.command(again)))
	}
	return lines
}

func indented(s string) string { return "    " + s }

// counted adds the tests to the file, and gives how many it then has.
func counted(name string, later []*test) (int, error) {
	if name == "" {
		return len(later), nil
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for _, t := range later {
		if _, err := fmt.Fprintln(f, t); err != nil {
			return 0, err
		}
	}
	raw, err := os.ReadFile(name)
	return strings.Count(string(raw), "\n"), err
}
