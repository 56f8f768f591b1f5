package e2e

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// What a user does with what fails: a command that the model suggests is run, and a test is driven to green.

// suggests is an answer that ends with two commands.
const suggests = "Try it:\n\n```sh\necho one | tee one.txt\necho two | tee two.txt\n```\n"

// greenAtLast is a model that gets the sum wrong first, from its answer of that number on.
func greenAtLast(first int) string {
	return fmt.Sprintf("-- %d.md --\nI multiply.\n\n%s-- %d.md --\nIt has to be the sum.\n\n%s",
		first, edit("calc.py", "    return a - b\n", "    return a * b\n"), first+1, edit("calc.py", "    return a * b\n", "    return a + b\n"))
}

// failingTest adds a file with a mistake, and the test that finds it.
func (w *world) failingTest() {
	w.t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		w.t.Skip("the project's tests need python3")
	}
	w.write("calc.py", "def add(a, b):\n    return a - b\n")
	w.write("test_calc.py", "import unittest\n\nfrom calc import add\n\n\nclass Sums(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n")
}

// sentAssertion fails where the first answer did not come back with what the test says of it.
func (w *world) sentAssertion() {
	w.t.Helper()
	if said := w.lastUser(); !strings.Contains(said, "6 != 5") {
		w.t.Errorf("the model was told\n%s", said)
	}
}

// A test that fails is driven to green: the first answer comes back with its assertion, the second one is shown.
func TestModuleDrivesATestToGreen(t *testing.T) {
	eachNvim(t, func(t *testing.T, prefix string) {
		w := newWorld(t, greenAtLast(1))
		w.failingTest()
		n := w.open(prefix, "init_module.lua")
		n.input(":edit calc.py<CR>:Coauthor test python3 -m unittest test_calc<CR>")
		n.see("Always run python3 -m unittest test_calc")
		w.shot("1-consent", n.text())
		choose(n, "", "run")
		n.see("Ask the model to fix")
		w.shot("2-fails", n.text())
		choose(n, "", "fix")
		n.see("before calc.py")
		n.see("1 test ✓")
		w.shot("3-preview", n.text())
		w.sentAssertion()
		n.keys("aa")
		n.wantBuffer(w.path("calc.py"), "def add(a, b):\n    return a + b\n")
		n.see("Applied to 1 file")
		n.input(":messages clear<CR>:Coauthor test python3 -m unittest test_calc<CR>")
		n.until("the test passes", func() bool { return strings.Contains(fmt.Sprint(n.messages()), "1 test ✓") })
		w.shot("4-green", n.text())
	})
}
