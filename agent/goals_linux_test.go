package agent_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
)

// goal is a command that has to pass.
func goal(argv ...string) []verify.Goal {
	return []verify.Goal{{Tool: verify.Tool{Argv: argv, Tests: true}}}
}

// failing is a small project with one failing test, and a wrong and a right answer to the request that makes it pass.
type failing struct {
	language  string
	needs     []string // programs
	argv      []string
	files     map[string]string
	path, old string // the line that is wrong
	wrong     string // what the first answer makes of it
	right     string
	says      []string // what the model has to hear of the first answer
}

// failingProjects are such projects of several languages and runners.
func failingProjects() map[string]failing {
	const pyTest = "from calc import add\n\ndef test_add():\n    assert add(2, 3) == 5\n"
	const goTest = "package calc\n\nimport \"testing\"\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(2, 3); got != 5 {\n\t\tt.Errorf(\"Add(2, 3) = %d, not 5\", got)\n\t}\n}\n"
	const jsTest = "const test = require('node:test')\nconst assert = require('node:assert')\nconst add = require('./calc')\n\ntest('adds', () => {\n  assert.strictEqual(add(2, 3), 5)\n})\n"
	py := map[string]string{"calc.py": "def add(a, b):\n    return a - b\n", "test_calc.py": pyTest}
	js := map[string]string{"calc.js": "module.exports = (a, b) => a - b\n", "calc.test.js": jsTest}
	python := failing{language: "Python", path: "calc.py", old: "    return a - b", wrong: "    return a * b", right: "    return a + b"}
	golang := failing{language: "Go", needs: []string{"go"}, path: "calc.go", old: "\treturn a - b", wrong: "\treturn a * b", right: "\treturn a + b"}
	script := failing{language: "JavaScript", path: "calc.js", old: "module.exports = (a, b) => a - b", wrong: "module.exports = (a, b) => a * b", right: "module.exports = (a, b) => a + b"}
	with := func(p failing, files map[string]string, needs, argv, says []string) failing {
		p.files, p.needs, p.argv, p.says = files, needs, argv, says
		return p
	}
	return map[string]failing{
		"pytest": with(python, py, []string{"pytest"}, []string{"pytest"}, []string{"test_calc.py", "test_add fails", "assert 6 == 5"}),
		"unittest": with(python, map[string]string{"calc.py": py["calc.py"],
			"test_calc.py": "import unittest\nfrom calc import add\n\nclass Calc(unittest.TestCase):\n    def test_add(self):\n        open('calc.py')\n        self.assertEqual(add(2, 3), 5)\n\nif __name__ == '__main__':\n    unittest.main()\n"},
			[]string{"python3"}, []string{"python3", "-m", "unittest"}, []string{"test_calc.py", "test_add fails", "6 != 5"}),
		"make test": with(python, map[string]string{"calc.py": py["calc.py"], "test_calc.py": pyTest, "Makefile": "test:\n\tpytest -q\n"},
			[]string{"make", "pytest"}, []string{"make", "test"}, []string{"test_calc.py", "assert 6 == 5"}),
		"go test": with(golang, map[string]string{"go.mod": "module calc\n\ngo 1.21\n", "calc.go": "package calc\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n", "calc_test.go": goTest},
			[]string{"go"}, []string{"go", "test", "./..."}, []string{"calc_test.go", "TestAdd fails", "Add(2, 3) = 6, not 5"}),
		"go test that panics": {language: "Go", needs: []string{"go"}, argv: []string{"go", "test", "./..."}, path: "calc.go", old: "\treturn list[1]", wrong: "\treturn list[2]", right: "\treturn list[0]",
			files: map[string]string{"go.mod": "module calc\n\ngo 1.21\n", "calc.go": "package calc\n\nfunc First(list []int) int {\n\treturn list[1]\n}\n",
				"calc_test.go": "package calc\n\nimport \"testing\"\n\nfunc TestFirst(t *testing.T) {\n\tif First([]int{1}) != 1 {\n\t\tt.Error(\"not the first\")\n\t}\n}\n"},
			says: []string{"calc.go", "TestFirst fails", "index out of range [2] with length 1"}},
		"node --test": with(script, js, []string{"node"}, []string{"node", "--test"}, []string{"calc.test.js", `"adds" fails`, "6 !== 5"}),
		"npm test": with(script, map[string]string{"calc.js": js["calc.js"], "calc.test.js": jsTest, "package.json": "{\"name\": \"calc\", \"scripts\": {\"test\": \"node --test\"}}\n"},
			[]string{"npm", "node"}, []string{"npm", "test"}, []string{"calc.test.js", "adds", "6 !== 5"}),
		"cargo test": {language: "Rust", needs: []string{"cargo"}, argv: []string{"cargo", "test", "--offline"}, path: "src/lib.rs", old: "    a - b", wrong: "    a * b", right: "    a + b",
			files: map[string]string{"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
				"src/lib.rs": "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n", "tests/calc.rs": "#[test]\nfn adds() {\n    assert_eq!(calc::add(2, 3), 5);\n}\n"},
			says: []string{"tests/calc.rs", "adds fails", "left: 6", "right: 5"}},
		"rspec": {language: "Ruby", needs: []string{"rspec"}, argv: []string{"rspec"}, path: "calc.rb", old: "  a - b", wrong: "  a * b", right: "  a + b",
			files: map[string]string{"calc.rb": "def add(a, b)\n  a - b\nend\n", "spec/calc_spec.rb": "require_relative '../calc'\n\ndescribe 'add' do\n  it 'adds' do\n    expect(add(2, 3)).to eq(5)\n  end\nend\n"},
			says:  []string{"spec/calc_spec.rb", "add adds fails", "expected: 5", "got: 6"}},
		"phpunit": {language: "PHP", needs: []string{"phpunit"}, argv: []string{"phpunit", "tests"}, path: "calc.php", old: "    return $a - $b;", wrong: "    return $a * $b;", right: "    return $a + $b;",
			files: map[string]string{"calc.php": "<?php\nfunction add($a, $b) {\n    return $a - $b;\n}\n",
				"tests/CalcTest.php": "<?php\nrequire_once __DIR__ . '/../calc.php';\nclass CalcTest extends PHPUnit\\Framework\\TestCase {\n    public function testAdd(): void {\n        $this->assertSame(5, add(2, 3));\n    }\n}\n"},
			says: []string{"tests/CalcTest.php", "testAdd", "6 is identical to 5"}},
		"make and cc": {language: "C", needs: []string{"make", "cc"}, argv: []string{"make", "-s", "test"}, path: "calc.c", old: "  return a - b;", wrong: "  return a * b;", right: "  return a + b;",
			files: map[string]string{"calc.c": "int add(int a, int b) {\n  return a - b;\n}\n", "test.c": "#include <assert.h>\nint add(int a, int b);\nint main(void) {\n  assert(add(2, 3) == 5);\n}\n",
				"Makefile": "test: calc.c test.c\n\tcc -o out calc.c test.c\n\t./out\n"},
			says: []string{"test.c", "add(2, 3) == 5"}},
		"ctest": {language: "C", needs: []string{"cmake", "ctest", "cc"}, argv: []string{"sh", "ci.sh"}, path: "calc.c", old: "  return a - b;", wrong: "  return a * b;", right: "  return a + b;",
			files: map[string]string{"calc.c": "int add(int a, int b) {\n  return a - b;\n}\n", "test.c": "#include <assert.h>\nint add(int a, int b);\nint main(void) {\n  assert(add(2, 3) == 5);\n}\n",
				"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(calc C)\nenable_testing()\nadd_executable(calc_test calc.c test.c)\nadd_test(NAME adds COMMAND calc_test)\n",
				"ci.sh":          "set -e\ncmake -S . -B build > log\ncmake --build build >> log\ncd build\nctest --output-on-failure\n"},
			says: []string{"test.c", "adds fails", "add(2, 3) == 5"}},
	}
}

// TestAFailingTestIsDrivenToGreen is the measurement: the failing test of a project is a goal; the wrong first
// answer comes back with its assertion, although that failed before, too, and the right one is what the user sees, with the
// verdict of that very command.
func TestAFailingTestIsDrivenToGreen(t *testing.T) {
	for name, p := range failingProjects() {
		t.Run(p.language+"/"+name, func(t *testing.T) {
			for _, program := range p.needs {
				if _, err := exec.LookPath(program); err != nil {
					t.Skipf("%s is not installed here", program)
				}
			}
			b := newBench(t, replies(put(p.path, p.old, p.wrong, "Fixed."), put(p.path, p.wrong, p.right, "Fixed.")), p.files)
			withCommands(t, b, t.TempDir())
			b.answers = []string{"run"}
			r, events := b.run(agent.Request{Instruction: "Make the failing test pass.", Files: []string{p.path}, Goals: goal(p.argv...)})
			b.checkEvents(events, r)
			if r.State != event.TurnProposed || len(b.server.Requests()) != 2 {
				t.Fatalf("%d calls, %+v", len(b.server.Requests()), r)
			}
			sent := shownRequest(b.server.Requests()[1])
			for _, want := range p.says {
				if !strings.Contains(sent, want) {
					t.Errorf("the model is not sent %q:\n%s", want, sent[strings.LastIndex(sent, "== user"):])
				}
			}
			if len(r.Findings) > 0 || len(r.Proposal.Warnings) > 0 || !strings.Contains(r.Proposal.Verdict, "✓") || !strings.Contains(r.Proposal.Files[0].Change.After, p.right) {
				t.Errorf("shown %q with %q:\n%s", r.Proposal.Verdict, r.Proposal.Warnings, r.Proposal.Files[0].Change.After)
			}
			if text := b.disk(p.path); !strings.Contains(text, p.old) {
				t.Errorf("on disk is\n%s", text)
			}
		})
	}
}

// TestAGoalGoesBackUntilTheLimit: it goes back as often as turn.maxReflections says, more often than one is asked about a file
// otherwise, and what is left stands with the change. A test of the settings that failed before goes back never.
func TestAGoalGoesBackUntilTheLimit(t *testing.T) {
	files := map[string]string{"a.py": "x = 1\n"}
	command := []string{"sh", "-c", "grep -q 'x = 9' a.py || { echo a.py:1: x is not nine; exit 1; }"}
	list := []string{put("a.py", "x = 1", "x = 2", ""), put("a.py", "x = 2", "x = 3", ""), put("a.py", "x = 3", "x = 4", ""), put("a.py", "x = 4", "x = 5", ""), put("a.py", "x = 5", "x = 9", "")}
	b := newBench(t, replies(list...), files)
	withCommands(t, b, t.TempDir())
	b.answers = []string{"run"}
	r, events := b.run(agent.Request{Instruction: "Make x nine.", Files: []string{"a.py"}, Goals: goal(command...)})
	if len(b.server.Requests()) != 4 || r.Proposal == nil || !told(events, "asked the model 3 times to correct its edits, but sh -c \"grep") {
		t.Fatalf("%d calls, %+v", len(b.server.Requests()), events)
	}
	if !strings.Contains(strings.Join(r.Proposal.Warnings, "\n"), "x is not nine") || untimed(r.Proposal.Verdict) != "sh: 1 failed" {
		t.Errorf("shown %q with %q", r.Proposal.Verdict, r.Proposal.Warnings)
	}
	guarded := newBench(t, replies(list...), files)
	guarded.settings.Verify, guarded.settings.Checks.Test = "full", []settings.CheckCommand{{Run: command}}
	withCommands(t, guarded, t.TempDir())
	guarded.answers = []string{"run"}
	r, _ = guarded.run(agent.Request{Instruction: "Make x nine.", Files: []string{"a.py"}})
	if len(guarded.server.Requests()) != 1 || untimed(r.Proposal.Verdict) != "syntax ✓, sh: 1 failed (as before the change)" || len(r.Proposal.Warnings) > 0 {
		t.Errorf("%d calls, shown %q with %q", len(guarded.server.Requests()), r.Proposal.Verdict, r.Proposal.Warnings)
	}
}

// TestAGoalCountsWithoutAnEdit: a reply that only says that it is done is checked too, but for one that waits for the user.
func TestAGoalCountsWithoutAnEdit(t *testing.T) {
	command := []string{"sh", "-c", "grep -q 'x = 2' a.py || { echo a.py:1: x is not two; exit 1; }"}
	b := newBench(t, replies("It is right as it is.", xIsTwo), map[string]string{"a.py": "x = 1\n"})
	withCommands(t, b, t.TempDir())
	b.answers = []string{"run"}
	if r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}, Goals: goal(command...)}); r.Proposal == nil || !strings.Contains(shownRequest(b.server.Requests()[1]), "x is not two") {
		t.Errorf("%+v", r)
	}
	b = newBench(t, replies("Which two?\n\nANSWER NEEDED", xIsTwo), map[string]string{"a.py": "x = 1\n"})
	withCommands(t, b, t.TempDir())
	if r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}, Goals: goal(command...)}); r.State != event.TurnAnswered || len(b.asked) > 0 {
		t.Errorf("%+v, asked %+v", r, b.asked)
	}
}

// TestAGoalWithoutAChange: a goal that passes already ends the turn well, and is told; what is left of one that fails is told at
// the end.
func TestAGoalWithoutAChange(t *testing.T) {
	command := []string{"sh", "-c", "grep -q 'x = 2' a.py || { echo a.py:1: x is not two; exit 1; }"}
	for what, c := range map[string]struct {
		text    string
		argv    []string
		replies []string
		calls   int
		reached bool
		says    string
	}{
		"passes":           {"x = 2\n", command, []string{"It passes already."}, 1, true, "No changes needed: sh passes."},
		"passes, edits":    {"x = 2\n", command, []string{put("a.py", "x = 2", "x = 2", ""), "It is right so."}, 2, true, "No changes needed: sh passes."},
		"fails":            {"x = 1\n", command, []string{"It passes already.", "I cannot.", "I cannot."}, 3, false, "a.py, line 1: x is not two"},
		"asks":             {"x = 2\n", command, []string{"Which two?\n\nANSWER NEEDED"}, 1, false, ""},
		"is not installed": {"x = 2\n", []string{"no-such-program"}, []string{"It passes already."}, 1, false, "no-such-program did not run"},
	} {
		b := newBench(t, replies(c.replies...), map[string]string{"a.py": c.text})
		b.settings.MaxReflections = 2
		withCommands(t, b, t.TempDir())
		b.answers = []string{"run"}
		r, events := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}, Goals: goal(c.argv...)})
		if r.State != event.TurnAnswered || r.Reached != c.reached || len(b.server.Requests()) != c.calls || c.says != "" && !told(events, c.says) {
			t.Errorf("%s: %d calls, %+v, %+v", what, len(b.server.Requests()), r, events)
		}
	}
}

// TestAGoalThatDidNotRunIsTold: what nobody allowed, or is not there, stands with the change; the model is not asked about it. A
// command that does not end has not passed.
func TestAGoalThatDidNotRunIsTold(t *testing.T) {
	for what, c := range map[string]struct {
		argv    []string
		answers []string
		calls   int
		warns   string
	}{
		"not allowed":   {[]string{"sh", "-c", "exit 1"}, []string{"skip"}, 1, "sh did not run (you did not allow it), so Coauthor cannot tell whether it passes."},
		"not installed": {[]string{"no-such-program"}, []string{"run"}, 1, "no-such-program did not run (no-such-program is not installed)"},
		"never ends":    {[]string{"sleep", "600"}, []string{"run"}, 2, "sleep did not end by itself: it took longer than"},
	} {
		b := newBench(t, replies(xIsTwo, "It is right."), map[string]string{"a.py": "x = 1\n"})
		b.settings.MaxReflections = 1
		withCommands(t, b, t.TempDir())
		b.settings.Checks.Timeout = 2_000_000_000
		b.answers = c.answers
		r, _ := b.run(agent.Request{Instruction: "Make x two.", Files: []string{"a.py"}, Goals: goal(c.argv...)})
		if r.Proposal == nil || len(b.server.Requests()) != c.calls || !slices.ContainsFunc(r.Proposal.Warnings, func(w string) bool { return strings.Contains(w, c.warns) }) {
			t.Errorf("%s: %d calls, %+v", what, len(b.server.Requests()), r.Proposal)
		}
	}
}

// TestFixAfterATestIsAGoal: what /test has found is fixed until that very command passes, with the files that its output names
// shown in full, also the one of a call that led to the place, and the map. A coder that only answers does not fix.
func TestFixAfterATestIsAGoal(t *testing.T) {
	files := map[string]string{"a.py": "import b\nx = 1\n", "b.py": "y = 1\n", "c.py": "def unnamed():\n    return 1\n"}
	files["ci.sh"] = "grep -q 'x = 2' a.py && exit\ncat said\nexit 1\n"
	files["said"] = "======================================================================\nFAIL: test_x (tests.T)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File \"b.py\", line 1, in test_x\n    y\n  File \"a.py\", line 2, in f\n    x\nAssertionError: x is not two\n\n----------------------------------------------------------------------\nRan 1 test in 0.001s\n\nFAILED (failures=1)\n"
	b := newBench(t, replies(put("a.py", "x = 1", "x = 3", "Fixed."), put("a.py", "x = 3", "x = 2", "Fixed.")), files)
	b.settings.Coder, b.settings.RepoMap = "ask", settings.RepoMap{Tokens: 1024, Refresh: "auto"}
	withCommands(t, b, t.TempDir())
	answer, _, err := checking(b, "/test sh ci.sh", "run", "fix")
	if err != nil || answer.Then == nil {
		t.Fatalf("%+v, %v", answer, err)
	}
	if !slices.Equal(answer.Then.Files, []string{"a.py", "b.py"}) {
		t.Errorf("shown %q", answer.Then.Files)
	}
	b.asked, b.answers = nil, nil
	r, _ := b.run(*answer.Then)
	if r.Proposal == nil || len(b.server.Requests()) != 2 || len(b.asked) > 0 || len(r.Proposal.Warnings) > 0 || !strings.Contains(r.Proposal.Verdict, "✓") {
		t.Fatalf("%d calls, %+v, asked %+v", len(b.server.Requests()), r, b.asked)
	}
	if sent := shownRequest(b.server.Requests()[0]); !strings.Contains(sent, "unnamed") || !strings.Contains(sent, "y = 1") || !strings.Contains(sent, "x is not two") {
		t.Errorf("the model is sent\n%s", sent)
	}
	if sent := shownRequest(b.server.Requests()[1]); !strings.Contains(sent, "Send edits that make `sh ci.sh` pass.") {
		t.Errorf("the model is sent\n%s", sent)
	}
}

// TestAutoIsToldTheWholeVerdict: also what failed before its edits, so that who is to make a test pass sees that it fails yet. Who
// was told and says that all is done was asked for something else.
func TestAutoIsToldTheWholeVerdict(t *testing.T) {
	test := settings.CheckCommand{Run: []string{"sh", "-c", "grep -q 'x = 2' a.py || { echo a.py:1: x is not two; exit 1; }"}}
	for what, c := range map[string]struct {
		replies []string
		calls   int
	}{
		"done too early":       {[]string{put("a.py", "x = 1", "x = 3", "\nDONE"), put("a.py", "x = 3", "x = 2", "\nDONE")}, 2},
		"in steps":             {[]string{put("a.py", "x = 1", "x = 3", "\nNEXT: more"), put("a.py", "x = 3", "x = 2", "\nDONE")}, 2},
		"asked something else": {[]string{put("a.py", "x = 1", "x = 3", "\nDONE"), "DONE"}, 2},
	} {
		b := newBench(t, replies(c.replies...), map[string]string{"a.py": "x = 1\n"})
		b.settings.Verify, b.settings.Checks.Test = "full", []settings.CheckCommand{test}
		withCommands(t, b, t.TempDir())
		b.answers = []string{"run"}
		r, _ := b.run(agent.Request{Instruction: "Make the test pass.", Coder: "auto", Files: []string{"a.py"}})
		if r.Proposal == nil || len(b.server.Requests()) != c.calls {
			t.Fatalf("%s: %d calls, %+v", what, len(b.server.Requests()), r)
		}
		for _, want := range []string{"The checks say: ", "sh: 1 failed (as before the change)", "This was so before your edits, too:\n\n- a.py: line 1: x is not two"} {
			if sent := shownRequest(b.server.Requests()[1]); !strings.Contains(sent, want) {
				t.Errorf("%s: the model is not sent %q:\n%s", what, want, sent)
			}
		}
	}
}
