package verify

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"coauthor/agent/sandbox"
)

// names is a tree of which only the names of its files are asked.
type names []string

func (n names) Root() string                { return "/home/me/app" }
func (n names) Exists(path string) bool     { return slices.Contains(n, path) }
func (n names) Read(string) (string, error) { return "", nil }

var app = names{"a.go", "pkg/b.go", "pkg/b_test.go", "a.py", "tests/test_a.py", "src/a.ts", "src/a.test.js", "src/main.rs", "A.java", "run.sh", "a.rb", "a.c"}

// TestEveryToolIsRead: of each known tool's output, in the form it is asked for, the places and words of what it
// found; what it merely warns of when it is content is nothing, and so is what lies outside of the folder.
func TestEveryToolIsRead(t *testing.T) {
	for _, c := range []struct {
		run, out, err string
		report        string
		code          int
		want          []string // "path:first-last text" without the name of the tool; text is a part
		passed        int
		broken        string
	}{
		{run: "go vet ./...", code: 1, err: "# coauthor/x\n# [coauthor/x]\n./a.go:5:2: unreachable code\n/elsewhere/x.go:1:1: not ours\n", want: []string{"a.go:5-5 unreachable code"}},
		{run: "go vet ./...", code: 1, err: "# example.com/m\nvet: pkg/b.go:3:9: undefined: x\n", want: []string{"pkg/b.go:3-3 undefined: x"}},
		{run: "go build ./...", code: 1, err: "\x1b[31ma.go:2:1: syntax error\x1b[0m\r\n\tmore of it\r\n", want: []string{"a.go:2-2 syntax error\nmore of it"}},
		{run: "go test ./...", code: 1, out: `{"Action":"start","Package":"example.com/m/pkg"}
{"Action":"run","Package":"example.com/m/pkg","Test":"TestAdd"}
{"Action":"output","Package":"example.com/m/pkg","Test":"TestAdd","Output":"=== RUN   TestAdd\n"}
{"Action":"output","Package":"example.com/m/pkg","Test":"TestAdd","Output":"    b_test.go:12: got 3,\n"}
{"Action":"output","Package":"example.com/m/pkg","Test":"TestAdd","Output":"        want 4\n"}
{"Action":"output","Package":"example.com/m/pkg","Test":"TestAdd","Output":"--- FAIL: TestAdd (0.00s)\n"}
{"Action":"fail","Package":"example.com/m/pkg","Test":"TestAdd","Elapsed":0}
{"Action":"pass","Package":"example.com/m/pkg","Test":"TestOther/sub","Elapsed":0}
{"Action":"pass","Package":"example.com/m/pkg","Test":"TestOther","Elapsed":0}
{"Action":"fail","Package":"example.com/m/pkg","Elapsed":0.1}
`, want: []string{"pkg/b_test.go:12-12 TestAdd fails: got 3,\nwant 4"}, passed: 1},
		{run: "go test ./...", code: 1, out: `{"ImportPath":"example.com/m/pkg","Action":"build-output","Output":"# example.com/m/pkg\n"}
{"ImportPath":"example.com/m/pkg","Action":"build-output","Output":"pkg/b.go:3:9: undefined: x\n"}
{"ImportPath":"example.com/m/pkg","Action":"build-fail"}
{"Action":"output","Package":"example.com/m/pkg","Output":"FAIL\texample.com/m/pkg [build failed]\n"}
{"Action":"fail","Package":"example.com/m/pkg","Elapsed":0,"FailedBuild":"example.com/m/pkg"}
`, want: []string{"pkg/b.go:3-3 undefined: x"}},
		{run: "go test ./...", code: 1, out: `{"Action":"output","Package":"example.com/m","Output":"panic: no map\n"}
{"Action":"fail","Package":"example.com/m","Elapsed":0}
`, want: []string{":0-0 the tests of example.com/m fail: panic: no map"}},
		{run: "go test ./...", code: 0, out: `{"Action":"pass","Package":"m","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"m","Test":"TestB"}` + "\n", passed: 2},
		{run: "staticcheck ./...", code: 1, out: `{"code":"S1000","severity":"error","location":{"file":"/home/me/app/a.go","line":4,"column":2},"end":{"file":"/home/me/app/a.go","line":6,"column":3},"message":"use plain channel"}` + "\n",
			want: []string{"a.go:4-6 use plain channel [S1000]"}},
		{run: "staticcheck ./...", code: 2, err: "no packages", broken: "exit status 2"},
		{run: "golangci-lint run", code: 1, out: `{"Issues":[{"FromLinter":"errcheck","Text":"not checked","Pos":{"Filename":"pkg/b.go","Line":7,"Column":1}}],"Report":{}}` + "\n1 issues:\n", want: []string{"pkg/b.go:7-7 not checked [errcheck]"}},
		{run: "golangci-lint run", code: 4, err: "timeout", broken: "exit status 4"},
		{run: "ruff check .", code: 1, out: "warning: old settings\n" + `[{"code":"F821","message":"Undefined name x","filename":"/home/me/app/a.py","location":{"row":2,"column":1},"end_location":{"row":2,"column":2}}]`, want: []string{"a.py:2-2 Undefined name x [F821]"}},
		{run: "ruff check --output-format concise .", code: 1, out: "a.py:2:1: F821 Undefined name x\n", want: []string{"a.py:2-2 F821 Undefined name x"}},
		{run: "ruff check .", code: 2, err: "unknown rule", broken: "exit status 2: unknown rule"},
		{run: "mypy .", code: 1, out: "a.py:3: error: Incompatible types  [assignment]\nFound 1 error in 1 file\n", want: []string{"a.py:3-3 error: Incompatible types  [assignment]"}},
		{run: "mypy .", code: 2, err: "usage: mypy", broken: "exit status 2"},
		{run: "pyright", code: 1, out: `{"generalDiagnostics":[{"file":"/home/me/app/a.py","severity":"error","message":"x is not defined","rule":"reportUndefinedVariable","range":{"start":{"line":1,"character":0},"end":{"line":1,"character":1}}},{"file":"/home/me/app/a.py","severity":"warning","message":"meh","range":{"start":{"line":1}}}]}`,
			want: []string{"a.py:2-2 x is not defined [reportUndefinedVariable]"}},
		{run: "pytest", code: 1, out: "F.                                                                       [100%]\n=================================== FAILURES ===================================\n___________________________________ test_add ___________________________________\n\n    def test_add():\n>       assert add(1, 2) == 3\nE       assert 4 == 3\nE        +  where 4 = add(1, 2)\n\ntests/test_a.py:5: AssertionError\n=========================== short test summary info ============================\nFAILED tests/test_a.py::test_add - assert 4 == 3\n1 failed, 41 passed in 0.02s\n",
			want: []string{"tests/test_a.py:5-5 test_add fails: assert 4 == 3\n+  where 4 = add(1, 2)"}, passed: 41},
		{run: "python3 -m pytest tests", code: 1, out: "FAILED tests/test_a.py::TestX::test_b - KeyError: 'a'\n1 failed in 0.02s\n", want: []string{"tests/test_a.py:0-0 TestX::test_b fails: KeyError: 'a'"}},
		{run: "pytest", code: 0, out: "41 passed, 1 warning in 0.02s\n", passed: 41},
		{run: "pytest", code: 2, out: "ERROR tests/test_a.py\n", broken: "exit status 2"},
		{run: "pytest", code: 1, out: "the words of a plugin\n", report: `<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="2" skipped="1" tests="5">
<testcase classname="tests.test_a" name="test_ok" time="0.001" /><testcase classname="tests.test_a.TestX" name="test_s"><skipped type="pytest.skip" message="not now">x</skipped></testcase>
<testcase classname="tests.test_a.TestX" name="test_b[x y]"><failure message="KeyError: 'k'">    def test_b(self):
&gt;       helper({})

tests/test_a.py:9: 
_ _ _ _

&gt;       return x["k"]
E       KeyError: 'k'

a.py:3: KeyError</failure></testcase>
<testcase classname="tests.test_a" name="test_far"><failure message="assert 1 == 2">/usr/lib/x.py:7: AssertionError</failure></testcase>
<testcase classname="" name="tests.test_a"><error message="collection failure">E     File "/home/me/app/tests/test_a.py", line 4
E       def f(:
E   SyntaxError: invalid syntax</error></testcase></testsuite></testsuites>`,
			want: []string{"a.py:3-3 TestX.test_b[x y] fails: KeyError: 'k'", "tests/test_a.py:0-0 test_far fails: assert 1 == 2", "tests/test_a.py:4-4 tests.test_a fails: File"}, passed: 1},
		{run: "pytest", code: 1, out: "FAILED tests/test_a.py::test_b - KeyError: 'a'\n1 failed, 2 passed in 0.02s\n", report: `<testsuites><testsuite tests="3"><testcase classname="tests.test_a" name="test_c"/>`,
			want: []string{"tests/test_a.py:0-0 test_b fails: KeyError: 'a'"}, passed: 2},
		{run: "pytest", code: 1, out: "Required coverage of 90% not reached\n", report: `<testsuite tests="1"><testcase classname="tests.test_a" name="test_c"/></testsuite>`,
			want: []string{":0-0 pytest failed with exit status 1: Required coverage"}, passed: 1},
		{run: "pytest -v --junitxml=mine.xml", code: 1, out: "___ test_add ___\nE       assert 4 == 3\n\ntests/test_a.py:5: AssertionError\n1 failed in 0.02s\n", want: []string{"tests/test_a.py:5-5 test_add fails: assert 4 == 3"}},
		{run: "gotestsum --junitfile {report}", code: 1, report: `<testsuites tests="3" failures="1"><testsuite name="example.com/m/pkg"><properties><property name="go.version" value="go1.26"></property></properties>
<testcase classname="example.com/m/pkg" name="TestAdd"><failure message="Failed" type="">=== RUN   TestAdd
    pkg/b_test.go:12: got 3
--- FAIL: TestAdd (0.00s)
</failure></testcase><testcase classname="example.com/m/pkg" name="TestOther"></testcase></testsuite></testsuites>`, want: []string{"pkg/b_test.go:12-12 example.com/m/pkg.TestAdd fails: === RUN   TestAdd"}, passed: 1},
		{run: "phpunit --log-junit={report}", code: 1, report: `<testsuites><testsuite><testcase name="adds" classname="X" file="/home/me/app/src/a.test.js"><error>Error: expected 3
    at Object.toBe (/home/me/app/node_modules/x.js:1:1)
    at Object.add (/home/me/app/src/a.ts:5:9)</error></testcase><testcase name="takes" file="src/a.test.js"><failure message="no"/></testcase></testsuite></testsuites>`,
			want: []string{"src/a.ts:5-5 X.adds fails: Error: expected 3", "src/a.test.js:0-0 takes fails: no"}},
		{run: "ctest --output-junit {report}", code: 8, out: "a.c:3: it says\n", report: "no xml", want: []string{"a.c:3-3 it says"}},
		{run: "eslint .", code: 1, out: `[{"filePath":"/home/me/app/src/a.ts","messages":[{"ruleId":"no-undef","severity":2,"message":"x is not defined","line":3,"column":1,"endLine":3},{"ruleId":"semi","severity":1,"message":"meh","line":4}]}]`, want: []string{"src/a.ts:3-3 x is not defined [no-undef]"}},
		{run: "eslint -f stylish .", code: 1, out: "\n/home/me/app/src/a.ts\n  3:1  error  'x' is not defined  no-undef\n\n✖ 1 problem\n", want: []string{"src/a.ts:3-3 'x' is not defined no-undef"}},
		{run: "eslint .", code: 2, err: "no config", broken: "exit status 2"},
		{run: "npx --no-install tsc --noEmit", code: 2, out: "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n", want: []string{"src/a.ts:3-3 error TS2322: Type 'string' is not"}},
		{run: "jest", code: 1, out: `{"numPassedTests":4,"numFailedTests":1,"testResults":[{"name":"/home/me/app/src/a.test.js","message":"","assertionResults":[{"status":"failed","fullName":"adds","failureMessages":["Error: expected 3\n    at Object.toBe (/home/me/app/node_modules/x.js:1:1)\n    at Object.<anonymous> (/home/me/app/src/a.test.js:5:9)"]},{"status":"passed","fullName":"other"}]}]}`,
			want: []string{"src/a.test.js:5-5 the test \"adds\" fails: Error: expected 3"}, passed: 4},
		{run: "node --test", code: 1, out: "TAP version 13\n# Subtest: adds\nnot ok 1 - adds\n  ---\n  duration_ms: 1\n  location: '/home/me/app/src/a.test.js:5:1'\n  failureType: 'testCodeFailure'\n  error: 'expected 3'\n  ...\n# tests 2\n# pass 1\n# fail 1\n", want: []string{"src/a.test.js:5-5 the test \"adds\" fails: expected 3"}, passed: 1},
		{run: "cargo check", code: 101, out: `{"reason":"compiler-message","message":{"level":"error","message":"mismatched types","code":{"code":"E0308"},"spans":[{"file_name":"src/main.rs","line_start":2,"line_end":3,"is_primary":true,"label":"expected i32"}]}}` + "\n" + `{"reason":"compiler-message","message":{"level":"warning","message":"unused","spans":[]}}` + "\n" + `{"reason":"build-finished","success":false}` + "\n",
			want: []string{"src/main.rs:2-3 mismatched types [E0308]: expected i32"}},
		{run: "cargo test", code: 101, out: "running 2 tests\n\nthread 'tests::adds' panicked at src/main.rs:9:5:\nassertion failed\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n", want: []string{"src/main.rs:9-9 panicked: assertion failed"}, passed: 3},
		{run: "mvn -B -q test", code: 1, out: "[ERROR] /home/me/app/A.java:[7,3] cannot find symbol\n", want: []string{"A.java:7-7 cannot find symbol"}},
		{run: "javac A.java", code: 1, err: "A.java:7: error: ';' expected\n", want: []string{"A.java:7-7 error: ';' expected"}},
		{run: "gcc -c a.c", code: 1, err: "a.c: In function 'f':\na.c:3:10: error: 'x' undeclared\n    3 |   return x;\n", want: []string{"a.c:3-3 error: 'x' undeclared\n3 |   return x;"}},
		{run: "rubocop", code: 1, out: `{"files":[{"path":"a.rb","offenses":[{"message":"Bad","cop_name":"Lint/X","location":{"start_line":2,"last_line":2}}]}]}`, want: []string{"a.rb:2-2 Bad [Lint/X]"}},
		{run: "shellcheck run.sh", code: 1, out: `{"comments":[{"file":"run.sh","line":2,"endLine":2,"level":"info","code":2086,"message":"Quote it"}]}`, want: []string{"run.sh:2-2 Quote it [SC2086]"}},
		{run: "make lint", code: 2, out: "all is lost\n", want: []string{":0-0 make lint failed with exit status 2: all is lost"}},
		{run: "make lint", code: 0, out: "a.go:1:1: only a warning\n"},
		{run: "make lint", code: 1, out: "12:30:05: hello\nhttp://x.com:80: no\n../b.go:1:1: outside\n", want: []string{":0-0 make lint failed with exit status 1"}},
		{run: "make lint", code: 137, err: "killed", broken: "exit status 137"},
	} {
		tool := Tool{Argv: strings.Fields(c.run), Tests: true}
		check := &commandCheck{tool: tool, name: tool.Name()}
		got := check.read(app, sandbox.Executed{Code: c.code, Out: c.out, Err: c.err, Report: c.report})
		if (c.broken == "") != (got.broken == "") || !strings.Contains(got.broken, c.broken) || got.passed != c.passed || len(got.findings) != len(c.want) {
			t.Errorf("%s: %d %+v", c.run, c.code, got)
			continue
		}
		for i, f := range got.findings {
			place, text, _ := strings.Cut(c.want[i], " ")
			if have := fmt.Sprintf("%s:%d-%d", f.Path, f.First, f.Last); have != place || !strings.Contains(f.Text, text) || !strings.HasSuffix(f.Text, " ("+tool.Name()+")") {
				t.Errorf("%s: %s %q, want %s", c.run, have, f.Text, c.want[i])
			}
		}
	}
}

// TestToolsAreAskedInTheirForm: what a tool is told so that it can be read stands in the text that the user is
// asked about; who chose another form keeps it.
func TestToolsAreAskedInTheirForm(t *testing.T) {
	for run, want := range map[string]string{
		"go test ./...":                "go test -json ./... = go test",
		"go vet {dirs}":                "go vet \"{dirs}\" = go vet",
		"/usr/bin/ruff check {files}":  "/usr/bin/ruff check --output-format json \"{files}\" = ruff check",
		"ruff check --output-format=x": "ruff check --output-format=x = ruff check",
		"python3 -m pytest tests":      "python3 -m pytest \"--junitxml={report}\" -q tests = pytest",
		"pytest -v":                    "pytest \"--junitxml={report}\" -v = pytest",
		"pytest --junit-xml x.xml":     "pytest -q --junit-xml x.xml = pytest",
		"npx --no-install eslint .":    "npx --no-install eslint -f json . = eslint",
		"npx tsc --noEmit":             "npx tsc --pretty false --noEmit = tsc",
		"golangci-lint run":            "golangci-lint run --output.json.path stdout = golangci-lint run",
		"npm test":                     "npm test = npm test",
		"./check.sh fast":              "./check.sh fast = check.sh fast",
		"node --test":                  "node --test --test-reporter=tap = node",
		"cargo clippy --all-targets":   "cargo clippy --message-format=json --all-targets = cargo clippy",
		"node_modules/.bin/vitest run": "node_modules/.bin/vitest run --reporter=json = vitest run",
	} {
		tool := Tool{Argv: strings.Fields(run)}
		if got := tool.Command().String() + " = " + tool.Name(); got != want {
			t.Errorf("%s is %s, want %s", run, got, want)
		}
	}
	if got := (Command{"x", "{files}", "{dirs}", "a{files}"}).filled([]string{"a/b.go", "-c.go", "a/d.go"}).String(); got != "x a/b.go ./-c.go a/d.go . ./a \"a{files}\"" {
		t.Errorf("filled: %s", got)
	}
}

// FuzzJUnit: whatever a report holds, it is read to an end, each test that counts is one of its test cases, and what comes of
// it is text about files of the folder.
func FuzzJUnit(f *testing.F) {
	f.Add(`<testsuites><testsuite tests="2"><testcase classname="tests.test_a.TestX" name="test_b"><failure message="m">E   x
tests/test_a.py:3: KeyError</failure></testcase><testcase name="ok"/></testsuite></testsuites>`, true)
	f.Add(`<testsuite><testcase classname="" name="tests.test_a"><error>E File "a.py", line 2</error><skipped/></testcase></testsuite>`, true)
	f.Add(`<!DOCTYPE x [<!ENTITY a "aaaa">]><testsuite><testcase name="&a;"/></testsuite>`, false)
	f.Add(`<testsuite><testcase file="../x" name="n"><failure>    at f (src/a.ts:1:2)</failure></testcase>`, false)
	f.Fuzz(func(t *testing.T, report string, python bool) {
		tool := Tool{Argv: Command{"runner", wordReport}}
		if python {
			tool.Argv = Command{"pytest"}
		}
		got := (&commandCheck{tool: tool, name: "x"}).read(app, sandbox.Executed{Code: 1, Report: report})
		if most := strings.Count(report, "testcase"); got.passed > most {
			t.Errorf("%d tests passed of %d", got.passed, most)
		}
		for _, x := range settle(got.findings, nil) {
			if x.Path != "" && (strings.HasPrefix(x.Path, "/") || strings.HasPrefix(x.Path, "../")) || x.First < 0 || x.Last < x.First {
				t.Errorf("%+v", x)
			}
			if utf8.ValidString(report) && !utf8.ValidString(x.Text) {
				t.Errorf("%q", x.Text)
			}
		}
	})
}

// TestVerdictInOneLine: what was checked stands there as a user counts it.
func TestVerdictInOneLine(t *testing.T) {
	f := []Finding{{}}
	for want, list := range map[string][]Result{
		"":                  nil,
		"syntax ✓":          {{Check: "syntax"}, {Check: "names"}},
		"syntax ✗, names ✗": {{Check: "syntax", Findings: f}, {Check: "names", Findings: f}},
		"syntax ✓, go vet ✓, 41 tests ✓, 12 s":                               {{Check: "syntax"}, {Check: "go vet", Command: true, Took: 2e9}, {Check: "go test", Command: true, Tests: 41, Took: 10e9}},
		"syntax ✓, ruff: 1 problem (new), 2 problems (as before the change)": {{Check: "syntax"}, {Check: "ruff", Command: true, Compared: true, Findings: f, Before: 2}},
		"pytest: 1 failed (as before the change)":                            {{Check: "pytest", Command: true, Tested: true, Compared: true, Before: 1, Tests: 3}},
		"pytest: 2 failed (new)":                                             {{Check: "pytest", Command: true, Tested: true, Compared: true, Findings: []Finding{{test: "a", First: 1}, {test: "b"}, {test: "a", First: 2}}}},
		"pytest: 1 failed":                                                   {{Check: "pytest", Command: true, Tested: true, Findings: f}},
		"mypy not run (mypy is not installed), 1 test ✓":                     {{Check: "mypy", Command: true, Skipped: "mypy is not installed"}, {Check: "jest", Command: true, Skipped: notConcerned}, {Check: "pytest", Command: true, Tests: 1}},
	} {
		if got := Verdict(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// FuzzReading: whatever a command writes, in whatever form it was to be read, is read to an end, and what comes
// of it is text about files of the folder.
func FuzzReading(f *testing.F) {
	for i := range len(forms()) + 1 {
		f.Add(i, "a.go:1:2: x\n{\"Action\":\"fail\",\"Test\":\"T\"}\n[{\"filename\":\"a.py\"}]", "vet: a.go:1: y\n")
	}
	for _, file := range runnerFiles(f) {
		f.Add(-1, file["out"], file["err"])
	}
	f.Fuzz(func(t *testing.T, form int, out, err string) {
		tool := Tool{Argv: Command{"make"}, Tests: form < 0}
		if all := forms(); form >= 0 && form < len(all) {
			tool.Argv = all[form].words
		}
		got := (&commandCheck{tool: tool, name: "x"}).read(app, sandbox.Executed{Code: 1, Out: out, Err: err})
		for _, x := range settle(got.findings, nil) {
			if x.Path != "" && (strings.HasPrefix(x.Path, "/") || strings.HasPrefix(x.Path, "../")) || x.First < 0 || x.Last < x.First {
				t.Errorf("%+v", x)
			}
			if utf8.ValidString(out) && utf8.ValidString(err) && !utf8.ValidString(x.Text) {
				t.Errorf("%q", x.Text)
			}
		}
	})
}
