package verify

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

func readStaticcheck(r *reading) {
	rest := eachJSON(r.out, func(line []byte) bool {
		var x struct {
			Code, Message string
			Location, End struct {
				File string
				Line int
			}
		}
		if json.Unmarshal(line, &x) != nil || x.Location.File == "" {
			return false
		}
		r.add(x.Location.File, x.Location.Line, x.End.Line, withRule(x.Message, x.Code))
		return true
	})
	r.lines(rest + "\n" + r.err)
}

func withRule(text, rule string) string {
	if rule == "" {
		return text
	}
	return text + " [" + rule + "]"
}

func readGolangciLint(r *reading) {
	var x struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct {
				Filename string
				Line     int
			}
		}
	}
	if !document(r.out, &x) {
		readLines(r)
		return
	}
	for _, i := range x.Issues {
		r.add(i.Pos.Filename, i.Pos.Line, 0, withRule(i.Text, i.FromLinter))
	}
}

func readRuff(r *reading) {
	var list []struct {
		Code, Message, Filename string
		Location, EndLocation   struct{ Row int }
	}
	if !document(r.out, &list) {
		readLines(r)
		return
	}
	for _, x := range list {
		r.add(x.Filename, x.Location.Row, 0, withRule(x.Message, x.Code))
	}
}

func readPyright(r *reading) {
	var x struct {
		GeneralDiagnostics []struct {
			File, Severity, Message, Rule string
			Range                         struct{ Start, End struct{ Line int } }
		}
	}
	if !document(r.out, &x) {
		readLines(r)
		return
	}
	for _, d := range x.GeneralDiagnostics {
		if d.Severity == "error" {
			r.add(d.File, d.Range.Start.Line+1, d.Range.End.Line+1, withRule(d.Message, d.Rule))
		}
	}
}

func readESLint(r *reading) {
	var list []struct {
		FilePath string
		Messages []struct {
			RuleID        string
			Severity      int
			Message       string
			Line, EndLine int
		}
	}
	if !document(r.out, &list) {
		readLines(r)
		return
	}
	for _, f := range list {
		for _, m := range f.Messages {
			if m.Severity == 2 {
				r.add(f.FilePath, m.Line, m.EndLine, withRule(m.Message, m.RuleID))
			}
		}
	}
}

func readRubocop(r *reading) {
	var x struct {
		Files []struct {
			Path     string
			Offenses []struct {
				Message  string
				CopID    string `json:"cop_name"`
				Location struct {
					StartLine int `json:"start_line"`
					LastLine  int `json:"last_line"`
				}
			}
		}
	}
	if !document(r.out, &x) {
		readLines(r)
		return
	}
	for _, f := range x.Files {
		for _, o := range f.Offenses {
			r.add(f.Path, o.Location.StartLine, o.Location.LastLine, withRule(o.Message, o.CopID))
		}
	}
}

func readShellcheck(r *reading) {
	var x struct {
		Comments []struct {
			File, Level, Message string
			Line, EndLine, Code  int
		}
	}
	if !document(r.out, &x) {
		readLines(r)
		return
	}
	for _, c := range x.Comments {
		r.add(c.File, c.Line, c.EndLine, withRule(c.Message, fmt.Sprintf("SC%d", c.Code)))
	}
}

// readCargo reads what rustc says, a line each, and the lines of tests between them.
func readCargo(r *reading) {
	rest := eachJSON(r.out, func(line []byte) bool {
		var x struct {
			Reason  string
			Message struct {
				Level, Message string
				Code           *struct{ Code string }
				Spans          []struct {
					File    string `json:"file_name"`
					First   int    `json:"line_start"`
					Last    int    `json:"line_end"`
					Primary bool   `json:"is_primary"`
					Label   string
				}
			}
		}
		if json.Unmarshal(line, &x) != nil || x.Reason == "" {
			return false
		}
		if x.Reason != "compiler-message" || x.Message.Level != "error" {
			return true
		}
		text := x.Message.Message
		if x.Message.Code != nil {
			text = withRule(text, x.Message.Code.Code)
		}
		for _, s := range x.Message.Spans {
			if s.Primary {
				if s.Label != "" {
					text += ": " + s.Label
				}
				r.add(s.File, s.First, s.Last, text)
				break
			}
		}
		return true
	})
	for _, m := range cargoResult.FindAllStringSubmatch(rest, -1) {
		r.passed += number(m[1])
		r.failed += number(m[2])
	}
	r.lines(rest + "\n" + r.err)
}

var cargoResult = regexp.MustCompile(`(?m)^test result: \w+\. (\d+) passed; (\d+) failed`)

// readJest reads the report of jest, which vitest writes too.
func readJest(r *reading) {
	var x struct {
		NumPassedTests, NumFailedTests int
		TestResults                    []struct {
			Name, Message    string
			AssertionResults []struct {
				Status, FullName string
				FailureMessages  []string
			}
		}
	}
	if !document(r.out, &x) {
		readLines(r)
		return
	}
	r.passed, r.failed = x.NumPassedTests, x.NumFailedTests
	for _, file := range x.TestResults {
		failed := false
		for _, a := range file.AssertionResults {
			if a.Status != "failed" {
				continue
			}
			failed = true
			why := stripped(strings.Join(a.FailureMessages, "\n"))
			path, line := r.stack(why, file.Name)
			r.add(path, line, 0, fmt.Sprintf("the test %q fails: %s", a.FullName, head(why)))
		}
		if !failed && file.Message != "" { // it could not be loaded
			path, line := r.stack(file.Message, file.Name)
			r.add(path, line, 0, stripped(file.Message))
		}
	}
}

// stack finds the first place in a stack of calls that lies in the folder.
func (r *reading) stack(text, otherwise string) (path string, line int) {
	for one := range strings.Lines(text) {
		if m := lineStack.FindStringSubmatch(strings.TrimRight(one, "\r\n")); m != nil && !strings.Contains(m[1], "node_modules") {
			if path, ok := r.file(strings.TrimPrefix(m[1], "file://")); ok {
				return path, number(m[2])
			}
		}
	}
	return otherwise, 0
}

// head is a message without the stack of calls behind it.
func head(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); !lineStack.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

var (
	tapNot      = regexp.MustCompile(`^\s*not ok \d+ - (.*)$`)
	tapLocation = regexp.MustCompile(`^\s*location: '(.*):(\d+):\d+'`)
	tapError    = regexp.MustCompile(`^\s*error: (.*)$`)
	tapCount    = regexp.MustCompile(`^# (pass|fail) (\d+)`)
)

// readTAP reads node's own test reports.
func readTAP(r *reading) {
	var test, path string
	var line int
	found := false
	for one := range strings.Lines(r.out) {
		one = strings.TrimRight(one, "\r\n")
		if m := tapNot.FindStringSubmatch(one); m != nil {
			test, path, line = m[1], "", 0
		} else if m := tapLocation.FindStringSubmatch(one); m != nil && test != "" {
			path, line = m[1], number(m[2])
		} else if m := tapError.FindStringSubmatch(one); m != nil && test != "" {
			if !strings.Contains(one, "subtest failed") && !strings.Contains(one, "subtests failed") {
				r.add(path, line, 0, fmt.Sprintf("the test %q fails: %s", test, strings.Trim(m[1], `'|-`)))
				found = true
			}
			test = ""
		} else if m := tapCount.FindStringSubmatch(one); m != nil {
			if m[1] == "pass" {
				r.passed = number(m[2])
			} else {
				r.failed = number(m[2])
			}
		}
	}
	if !found {
		readLines(r)
	}
}
