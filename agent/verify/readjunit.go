package verify

import (
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strings"
)

// A report is what a test runner writes to a file that it is given the name of: JUnit's XML, as pytest and many others write
// it. It names each test, however the runner's words for people are set, and it is whole where these are too long.

const (
	// wordReport stands for the name of that file, also within a word of a command.
	wordReport = "{report}"
	reportName = "coauthor-report.xml"
)

// reported puts the name of the report in, which lies in a folder.
func (c Command) reported(dir string) Command {
	list := make(Command, len(c))
	for i, word := range c {
		list[i] = strings.ReplaceAll(word, wordReport, dir+"/"+reportName)
	}
	return list
}

// reports says whether the command is given the name of a report.
func (c Command) reports() bool {
	for _, word := range c {
		if strings.Contains(word, wordReport) {
			return true
		}
	}
	return false
}

// testCase is a test of a report. An attribute that may be anything is text.
type testCase struct {
	Class    string     `xml:"classname,attr"`
	Name     string     `xml:"name,attr"`
	File     string     `xml:"file,attr"`
	Failures []testFail `xml:"failure"`
	Errors   []testFail `xml:"error"`
	Skipped  []struct{} `xml:"skipped"`
}

// testFail is why a test failed.
type testFail struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// testCases reads a report to its end.
func testCases(report string) ([]testCase, error) {
	var list []testCase
	suites := false
	in := xml.NewDecoder(strings.NewReader(report))
	for {
		token, err := in.Token()
		switch {
		case errors.Is(err, io.EOF) && suites:
			return list, nil
		case err != nil:
			return nil, err // cut, or no XML
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "testsuites", "testsuite":
			suites = true
		case "testcase":
			var c testCase
			if err := in.DecodeElement(&c, &start); err != nil {
				return nil, err
			}
			list = append(list, c)
		default:
			if err := in.Skip(); err != nil {
				return nil, err
			}
		}
	}
}

// readReport reads the report of a test runner; false where there is none that can be read. note puts down what the text of
// a failed test says, and says whether that names a place.
func (r *reading) readReport(note func(test, text string) bool) bool {
	cases, err := testCases(r.report)
	if err != nil {
		return false
	}
	for _, c := range cases {
		fails := append(c.Failures, c.Errors...)
		if len(fails) == 0 && len(c.Skipped) == 0 {
			r.passed++
		}
		file, test := r.testFile(c)
		for _, f := range fails {
			text := stripped(f.Text)
			if note(test, text) {
				continue
			}
			r.fails(failure{test: test, said: stripped(f.Message) + "\n" + last(text, mostLines/2), file: file})
		}
	}
	return true
}

// testFile is the file of a test, "" where it cannot be told, and what the test is called in it.
func (r *reading) testFile(c testCase) (file, test string) {
	test = c.Name
	if c.Class != "" {
		test = c.Class + "." + c.Name
	}
	parts := strings.Split(c.Class, ".")
	if c.Class == "" { // a file of tests that cannot be loaded
		parts = strings.Split(c.Name, ".")
	}
	for n := min(len(parts), 64); n > 0; n-- {
		if name, ok := r.file(path.Join(parts[:n]...) + ".py"); ok {
			if rest := parts[n:]; c.Class != "" {
				test = strings.Join(append(rest[:len(rest):len(rest)], c.Name), ".")
			}
			return name, test
		}
	}
	if name, ok := r.file(c.File); ok && c.File != "" {
		return name, test
	}
	return "", test
}

// readJUnit reads the report of a test runner that is not known. A test that failed is at the first place of the folder that
// its text names in one of the forms of any tool.
func readJUnit(r *reading) {
	ok := r.readReport(func(test, text string) bool {
		said, frames := r.stacked(text)
		if len(frames) == 0 {
			at, ok := r.place(text)
			if !ok {
				return false
			}
			frames = []frame{at}
		}
		r.fails(failure{test: test, said: said, frames: frames})
		return true
	})
	if !ok || len(r.list) == 0 {
		readRunners(r)
	}
}

// place is the first place of the project that a text names in one of the forms of any tool.
func (r *reading) place(text string) (frame, bool) {
	in := &reading{dir: r.dir, roots: r.roots, exists: r.exists}
	for one := range strings.Lines(text) { // also where they are indented, as Go's tests do
		in.lines(strings.TrimSpace(one))
	}
	for _, f := range in.list {
		if f.First > 0 {
			return frame{f.Path, f.First}, true
		}
	}
	return frame{}, false
}
