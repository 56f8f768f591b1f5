package verify

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
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
	readCargoTests(r, rest)
	if len(r.list) == 0 {
		r.lines(rest + "\n" + r.err)
	}
}

var cargoResult = regexp.MustCompile(`(?m)^test result: \w+\. (?P<passed>\d+) passed; \d+ failed`)

// readJest reads the report of jest, which vitest writes too.
func readJest(r *reading) {
	var x struct {
		NumPassedTests int
		TestResults    []struct {
			Name, Message    string
			AssertionResults []struct {
				Status, FullName string
				FailureMessages  []string
			}
		}
	}
	if !document(r.out, &x) {
		readRunners(r)
		return
	}
	r.passed = x.NumPassedTests
	for _, file := range x.TestResults {
		failed := false
		name, _ := r.file(file.Name)
		for _, a := range file.AssertionResults {
			if a.Status != "failed" {
				continue
			}
			failed = true
			said, frames := r.stacked(stripped(strings.Join(a.FailureMessages, "\n")))
			r.fails(failure{test: fmt.Sprintf("the test %q", a.FullName), said: said, frames: frames, file: name})
		}
		if !failed && file.Message != "" { // it could not be loaded
			said, frames := r.stacked(stripped(file.Message))
			if len(frames) == 0 {
				frames = []frame{{path: name}}
			}
			r.add(r.roots[0]+"/"+frames[0].path, frames[0].line, 0, said)
		}
	}
}

var (
	tapNot      = regexp.MustCompile(`^( *)not ok \d+ - (.*)$`)
	tapField    = regexp.MustCompile(`^ *(\w+): (.*)$`)
	tapLocation = regexp.MustCompile(`^'(.*):(\d+):\d+'$`)
	tapPassed   = regexp.MustCompile(`(?m)^# pass (?P<passed>\d+)`)
	tapEnd      = regexp.MustCompile(`^ *\.\.\.$`)
)

// readTAP reads node's own test reports.
func readTAP(r *reading) {
	sections(r.out, tapNot, tapEnd, func(head []string, text string) {
		fields := tapFields(text, len(head[1])+2)
		if fields["failureType"] == "subtestsFailed" {
			return
		}
		f := failure{test: fmt.Sprintf("the test %q", head[2]), said: fields["error"]}
		_, f.frames = r.stacked(strings.ReplaceAll("\n"+fields["stack"], "\n", "\nat "))
		if m := tapLocation.FindStringSubmatch(fields["location"]); m != nil && len(f.frames) == 0 {
			if path, ok := r.file(m[1]); ok {
				f.frames = []frame{{path, number(m[2])}}
			}
		}
		r.fails(f)
	})
	r.counted(tapPassed, r.out)
	if len(r.list) == 0 {
		readLines(r)
	}
}

// tapFields are the fields of a failed test, which stand so far in; a text of several lines stands below its name.
func tapFields(text string, in int) map[string]string {
	fields := map[string]string{}
	name := ""
	for one := range strings.Lines(text) {
		one = strings.TrimRight(one, "\r\n")
		switch m := tapField.FindStringSubmatch(one); {
		case m != nil && len(one)-len(strings.TrimLeft(one, " ")) == in:
			name = m[1]
			fields[name] = ""
			if value := m[2]; !strings.HasPrefix(value, "|") {
				if said, err := strconv.Unquote(value); err == nil && strings.HasPrefix(value, `"`) {
					value = said
				} else if name != "location" {
					value = strings.Trim(value, "'")
				}
				fields[name] = value
			}
		case name != "" && len(one) > in+2:
			fields[name] += one[in+2:] + "\n"
		}
	}
	return fields
}
