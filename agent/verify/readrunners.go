package verify

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// What test runners write for people, and the reports of those that can be asked for one. A runner that something else
// starts, as make or npm do, is known by the line with which it ends, which no other has.

// runners are the forms of those lines, and who reads what stands above them.
var runners = []struct {
	ends *regexp.Regexp
	read func(r *reading, text string)
}{
	{regexp.MustCompile(`(?m)^Ran \d+ tests? in [\d.]+s$`), readUnittest},
	{regexp.MustCompile(`(?m)^(?:=+ )?(?:\d+ \w+, )*\d+ (?:failed|errors?|passed)(?:, \d+ \w+)* in [\d.]+s.*$`), readPytestText},
	{regexp.MustCompile(`(?m)^test result: (?:ok|FAILED)\. \d+ passed; \d+ failed`), readCargoTests},
	{regexp.MustCompile(`(?m)^FAIL\t\S+`), readGoTests},
	{regexp.MustCompile(`(?m)^\d+% tests passed, \d+ tests? failed out of \d+`), readCTest},
	{regexp.MustCompile(`(?m)^\d+ examples?, \d+ failures?`), readRSpecText},
	{regexp.MustCompile(`(?m)^Tests: \d+, Assertions: \d+`), readPHPUnitText},
	{mochaBegin, readMochaText},
	{regexp.MustCompile(`(?m)^Tests: .*\d+ total$`), readJestText},
	{regexp.MustCompile(`(?m)^\[(?:ERROR|INFO|WARNING)\] Tests run: \d+, Failures: \d+`), readSurefire},
	{regexp.MustCompile(`(?m)^ *(?:Failed|Passed)! +- Failed: +\d+, Passed: +\d+`), readDotnet},
}

// readRunners reads what any of the runners wrote, else lines of any tool.
func readRunners(r *reading) {
	text := r.out + "\n" + r.err
	for _, runner := range runners {
		if runner.ends.MatchString(text) {
			runner.read(r, text)
		}
	}
	if len(r.list) == 0 {
		readLines(r)
	}
}

// sections calls f for each part of a text that begins with a line of a form, with what the form has matched there and the
// lines up to the next of them, or to a line that ends it. A text that comes before the first is left out.
func sections(text string, head, end *regexp.Regexp, f func(head []string, text string)) {
	var at []string
	var body strings.Builder
	flush := func() {
		if at != nil {
			f(at, body.String())
		}
		at = nil
		body.Reset()
	}
	for one := range strings.Lines(text) {
		line := strings.TrimRight(one, "\r\n")
		if m := head.FindStringSubmatch(line); m != nil {
			flush()
			at = m
		} else if end.MatchString(line) {
			flush()
		} else if at != nil && body.Len() < 16*mostText {
			body.WriteString(line + "\n")
		}
	}
	flush()
}

// tested notes a failed test that a runner wrote a text about.
func (r *reading) tested(test, text string) {
	said, frames := r.stacked(text)
	r.fails(failure{test: test, said: said, frames: frames})
}

// counted adds up the tests that passed, of each match of a form, whose groups count them, or all of them and those that did not.
func (r *reading) counted(form *regexp.Regexp, text string) {
	for _, m := range form.FindAllStringSubmatch(text, -1) {
		for i, name := range form.SubexpNames() {
			switch name {
			case "passed", "all":
				r.passed += number(m[i])
			case "less":
				r.passed -= number(m[i])
			}
		}
	}
	r.passed = max(0, r.passed)
}

var (
	unittestHead  = regexp.MustCompile(`^(?:ERROR|FAIL): ((\S+).*)$`)
	unittestEnd   = regexp.MustCompile(`^(?:={70}|Ran \d+ tests? in .*)$`)
	unittestRan   = regexp.MustCompile(`(?m)^Ran (?P<all>\d+) tests? in`)
	unittestCount = regexp.MustCompile(`(?m)^(?:FAILED|OK) \(.*\)$`)
	unittestParts = regexp.MustCompile(`(failures|errors|skipped|expected failures)=(?P<less>\d+)`)
	ruler         = regexp.MustCompile(`(?m)^-{70}$`)
)

// readUnittest reads Python's own runner: a section for each test that failed, with the stack in it.
func readUnittest(r *reading, text string) {
	sections(text, unittestHead, unittestEnd, func(head []string, text string) {
		_, sub, _ := strings.Cut(head[1], ") ")
		r.tested(strings.TrimSpace(head[2]+" "+sub), ruler.ReplaceAllString(text, ""))
	})
	r.counted(unittestRan, text)
	r.counted(unittestParts, strings.Join(unittestCount.FindAllString(text, -1), "\n"))
}

// readPytestText reads pytest where the command that is known does not begin it.
func readPytestText(r *reading, text string) {
	x := *r
	x.out = text
	readPytest(&x)
	r.list, r.passed = x.list, x.passed
}

var (
	cargoHead = regexp.MustCompile(`^---- (.+) stdout ----$`)
	cargoEnd  = regexp.MustCompile(`^failures:$|^test result: `)
	cargoNote = regexp.MustCompile(`(?m)^(?:thread '.*' (?:\(\d+\) )?panicked at .*|stack backtrace:|note: .*| +\d+: .*)$`)
	cargoOld  = regexp.MustCompile(`panicked at '(.*)', ([^\s:][^:\n]*):(\d+):(\d+)$`)
)

// readCargoTests reads the part of Rust's tests: the words of a panic, and where it was.
func readCargoTests(r *reading, text string) {
	r.counted(cargoResult, text)
	sections(text, cargoHead, cargoEnd, func(head []string, text string) {
		said, frames := r.stacked(cargoNote.ReplaceAllString(text, ""))
		for one := range strings.Lines(text) {
			one = strings.TrimRight(one, "\r\n")
			m := linePanic.FindStringSubmatch(one)
			if old := cargoOld.FindStringSubmatch(one); old != nil {
				m, said = old[1:], strings.TrimSpace(old[1]+"\n"+said)
			}
			if m == nil {
				continue
			}
			if path, ok := r.file(m[1]); ok && (len(frames) == 0 || frames[0] != frame{path, number(m[2])}) {
				frames = append([]frame{{path, number(m[2])}}, frames...)
			}
			break
		}
		r.fails(failure{test: head[1], said: said, frames: frames})
	})
}

var (
	goHead    = regexp.MustCompile(`^\s*--- FAIL: (\S+) \([\d.]+s\)$`)
	goPackage = regexp.MustCompile(`^(?:FAIL|ok)\s+(\S+)(?:\s.*)?$`)
)

// readGoTests reads go test as it writes for people: the name of a package stands behind its tests.
func readGoTests(r *reading, text string) {
	var names, texts []string
	for one := range strings.Lines(text) {
		line := strings.TrimRight(one, "\r\n")
		if m := goHead.FindStringSubmatch(line); m != nil {
			names, texts = append(names, m[1]), append(texts, "")
		} else if m := goPackage.FindStringSubmatch(line); m != nil {
			for i, name := range names {
				if id := [2]string{m[1], name}; !r.goTest(id, texts[i]) && strings.TrimSpace(texts[i]) != "" {
					r.goPanic(id, texts[i])
				}
			}
			names, texts = nil, nil
		} else if n := len(names); n > 0 && len(texts[n-1]) < 16*mostText {
			texts[n-1] += strings.Replace(one, strings.Repeat("    ", strings.Count(names[n-1], "/")), "", 1)
		}
	}
}

var (
	ctestHead  = regexp.MustCompile(`^ *\d+/\d+ +Test +#\d+: (.+?) \.*(.*\*\*\*.*)$`)
	ctestEnd   = regexp.MustCompile(`^ +Start +\d+: |^ *\d+/\d+ +Test +#|^\d+% tests passed`)
	ctestCount = regexp.MustCompile(`(?m)^\d+% tests passed, (?P<less>\d+) tests? failed out of (?P<all>\d+)`)
	assertion  = regexp.MustCompile(`^(?:\S+: )?((?:[A-Za-z]:)?[^\s:]+):(\d+):(?: .*)? (?:Assertion|Failure|FAILED|error|check).*$`)
)

// readCTest reads the tests of CMake, whose words are those of any program.
func readCTest(r *reading, text string) {
	sections(text, ctestHead, ctestEnd, func(head []string, text string) {
		var frames []frame
		for one := range strings.Lines(text) {
			if m := assertion.FindStringSubmatch(strings.TrimSpace(one)); m != nil {
				if path, ok := r.file(m[1]); ok {
					frames = append(frames, frame{path, number(m[2])})
				}
			}
		}
		if at, ok := r.place(text); ok && len(frames) == 0 {
			frames = []frame{at}
		}
		_, why, _ := strings.Cut(head[2], "***")
		said := strings.TrimSpace(text)
		if said == "" {
			why, _, _ = strings.Cut(why, "  ")
			said = strings.TrimSpace(why)
		}
		r.fails(failure{test: head[1], said: said, frames: frames[:min(len(frames), 1)]})
	})
	r.counted(ctestCount, text)
}

var (
	numberedHead = regexp.MustCompile(`^ {0,4}\d+\) (\S.*)$`)
	rspecBegin   = regexp.MustCompile(`(?m)^Failures:$`)
	rspecEnd     = regexp.MustCompile(`^Finished in `)
	rspecCount   = regexp.MustCompile(`(?m)^(?P<all>\d+) examples?, (?P<less>\d+) failures?`)
	phpunitBegin = regexp.MustCompile(`(?m)^There (?:was|were) \d+ (?:error|failure)s?:$`)
	phpunitEnd   = regexp.MustCompile(`^(?:ERRORS|FAILURES)!$|^--$`)
	phpunitCount = regexp.MustCompile(`(?m)^Tests: (?P<all>\d+), .*$`)
	phpunitLess  = regexp.MustCompile(`(?:Errors|Failures|Skipped|Incomplete): (?P<less>\d+)`)
	mochaBegin   = regexp.MustCompile(`(?m)^ +\d+ failing$`)
	mochaEnd     = regexp.MustCompile(`^npm (?:ERR!|error)`)
	mochaCount   = regexp.MustCompile(`(?m)^ +(?P<passed>\d+) passing`)
)

// numbered reads the tests that a runner numbers, behind the line that begins their list.
func (r *reading) numbered(text string, begin, end *regexp.Regexp) {
	if at := begin.FindStringIndex(text); at != nil {
		sections(text[at[1]:], numberedHead, end, func(head []string, text string) { r.tested(head[1], unindented(text)) })
	}
}

// unindented takes the blanks away that all lines of a text begin with, and blank lines that follow each other.
func unindented(text string) string {
	var lines []string
	for one := range strings.Lines(text) {
		if one = strings.TrimSpace(one); one != "" {
			lines = append(lines, one)
		}
	}
	return strings.Join(lines, "\n")
}

func readRSpecText(r *reading, text string) {
	r.numbered(text, rspecBegin, rspecEnd)
	r.counted(rspecCount, text)
}

func readPHPUnitText(r *reading, text string) {
	r.numbered(text, phpunitBegin, phpunitEnd)
	r.counted(phpunitCount, text)
	r.counted(phpunitLess, strings.Join(phpunitCount.FindAllString(text, -1), "\n"))
}

// readMochaText has the names of groups above that of a test, which ends in a colon.
func readMochaText(r *reading, text string) {
	sections(text[mochaBegin.FindStringIndex(text)[1]:], numberedHead, mochaEnd, func(head []string, text string) {
		text = unindented(text)
		name, said, ok := strings.Cut(text, ":\n")
		if !ok {
			name, said = "", text
		}
		r.tested(strings.TrimSpace(head[1]+" "+strings.ReplaceAll(name, "\n", " ")), said)
	})
	r.counted(mochaCount, text)
}

var (
	jestHead  = regexp.MustCompile(`^ +● (.+)$`)
	jestEnd   = regexp.MustCompile(`^Test Suites: |^Summary of all failing tests$`)
	jestCode  = regexp.MustCompile(`(?m)^ *>? *(?:\d+)? \|.*\n`)
	jestCount = regexp.MustCompile(`(?m)^Tests: .*?(?P<passed>\d+) passed`)
)

func readJestText(r *reading, text string) {
	seen := map[string]bool{} // the summary of many suites names each again
	sections(text, jestHead, jestEnd, func(head []string, text string) {
		if !seen[head[1]] {
			r.tested(head[1], unindented(jestCode.ReplaceAllString(text, "")))
		}
		seen[head[1]] = true
	})
	r.counted(jestCount, text)
}

var (
	surefireHead  = regexp.MustCompile(`^\[ERROR\] ([\w.$]+(?:\(.*\)|\[.*\])?)(?:\([\w.$]+\))? +(?:-- )?Time elapsed: .*<<< (?:FAILURE|ERROR)!$`)
	surefireEnd   = regexp.MustCompile(`^\[|^$`)
	surefireCount = regexp.MustCompile(`(?m)^\[(?:ERROR|INFO|WARNING)\] Tests run: (?P<all>\d+), Failures: (?P<less>\d+), Errors: (\d+), Skipped: (\d+)\s*$`)
)

// readSurefire reads the tests of Maven, which name a class and its file without a folder.
func readSurefire(r *reading, text string) {
	sections(text, surefireHead, surefireEnd, func(head []string, text string) { r.tested(head[1], text) })
	for _, m := range surefireCount.FindAllStringSubmatch(text, -1) {
		r.passed += max(0, number(m[1])-number(m[2])-number(m[3])-number(m[4]))
	}
	if len(r.list) == 0 { // it may not even compile
		r.lines(text)
	}
}

var (
	dotnetHead  = regexp.MustCompile(`^ *Failed (\S.*?) \[[^\]]*\]$`)
	dotnetEnd   = regexp.MustCompile(`^ *(?:Passed|Skipped) \S.* \[[^\]]*\]$|^ *(?:Failed|Passed)! |^ *Standard Output Messages:|^Test Run `)
	dotnetCount = regexp.MustCompile(`(?m)^ *(?:Failed|Passed)! +- Failed: +\d+, Passed: +(?P<passed>\d+)`)
	dotnetTitle = regexp.MustCompile(`(?m)^ *(?:Error Message|Stack Trace):\s*$\n?`)
)

func readDotnet(r *reading, text string) {
	sections(text, dotnetHead, dotnetEnd, func(head []string, text string) {
		r.tested(head[1], unindented(dotnetTitle.ReplaceAllString(text, "")))
	})
	r.counted(dotnetCount, text)
}

// readRSpec reads the report of rspec.
func readRSpec(r *reading) {
	var x struct {
		Examples []struct {
			Name      string `json:"full_description"`
			Status    string
			File      string `json:"file_path"`
			Exception *struct {
				Class, Message string
				Backtrace      []string
			}
		}
		Messages []string
	}
	if !document(r.out, &x) || x.Examples == nil {
		readRunners(r)
		return
	}
	for _, e := range x.Examples {
		if e.Status == "passed" {
			r.passed++
		}
		if e.Status != "failed" || e.Exception == nil {
			continue
		}
		_, frames := r.stacked(strings.Join(e.Exception.Backtrace, "\n"))
		said := stripped(strings.TrimSpace(e.Exception.Message))
		if !strings.HasPrefix(e.Exception.Class, "RSpec::") {
			said = e.Exception.Class + ": " + said
		}
		file, _ := r.file(e.File)
		r.fails(failure{test: e.Name, said: unindented(said), frames: frames, file: file})
	}
	for _, text := range x.Messages { // a file that cannot be loaded
		if len(r.list) == 0 {
			said, frames := r.stacked(unindented(stripped(text)))
			r.fails(failure{test: "rspec", said: said, frames: frames})
		}
	}
}

// readMocha reads the report of mocha.
func readMocha(r *reading) {
	var x struct {
		Stats    struct{ Passes int }
		Failures []struct {
			FullTitle, File string
			Err             struct{ Message, Stack string }
		}
	}
	if !document(r.out, &x) {
		readRunners(r)
		return
	}
	r.passed = x.Stats.Passes
	for _, f := range x.Failures {
		said, frames := r.stacked(stripped(f.Err.Stack))
		if said == "" {
			said = stripped(f.Err.Message)
		}
		file, _ := r.file(filepath.ToSlash(f.File))
		r.fails(failure{test: fmt.Sprintf("%q", f.FullTitle), said: unindented(said), frames: frames, file: file})
	}
}
