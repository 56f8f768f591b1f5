package verify_test

import (
	"slices"
	"strings"
	"testing"

	"coauthor/agent/verify"
)

// What a rename leaves behind is found, in every file that the turn shows, as definition and as use; a rename that is
// whole, and other things of the same name, are not.
func TestRenamesInPart(t *testing.T) {
	shapes := "class Square:\n    def area(self):\n        return 1\n\n\nclass Circle:\n    def area(self):\n        return 2\n"
	report := "def describe(shape):\n    # the area of it\n    return f\"area {shape.area():.2f}\"\n"
	whole := func(texts ...string) []string {
		for i, text := range texts {
			texts[i] = strings.NewReplacer("def area", "def get_area", ".area(", ".get_area(").Replace(text)
		}
		return texts
	}
	util := "function capitalize(word) {\n  return word;\n}\n\nmodule.exports = { capitalize };\n"
	shop := "package shop\n\ntype Store interface {\n\tFetch(id int) string\n}\n\ntype Memory struct{}\n\nfunc (m Memory) Fetch(id int) string { return \"\" }\n"
	stock := "class Warehouse:\n    def count(self):\n        return 1\n\n\nclass Shelf:\n    def count(self):\n        return 2\n\n\ndef all(w, s):\n    return w.count() + s.count()\n"
	for _, c := range []struct {
		name, request string
		before, after project
		want          []string
	}{
		{"definitions", "Rename the method area to get_area in both classes of shapes.py, and change report.py.",
			project{"shapes.py": shapes, "report.py": report}, project{"shapes.py": shapes, "report.py": whole(report)[0]},
			[]string{"shapes.py, lines 2 and 7 still have area, which the request asks to rename to get_area."}},
		{"one of two", "Rename area to get_area.", project{"shapes.py": shapes},
			project{"shapes.py": strings.Replace(shapes, "def area", "def get_area", 1)},
			[]string{"shapes.py, line 7 still has area, which the request asks to rename to get_area."}},
		{"uses in a file that is only shown", "Please rename `area()` into `get_area`", project{"shapes.py": shapes, "report.py": report},
			project{"shapes.py": whole(shapes)[0], "report.py": report},
			[]string{"report.py, line 3 still has area, which the request asks to rename to get_area."}},
		{"whole", "Rename area to get_area.", project{"shapes.py": shapes, "report.py": report},
			project{"shapes.py": whole(shapes)[0], "report.py": whole(report)[0]}, nil},
		{"a use that is no call", "Rename capitalize to upperFirst, in the exports too.", project{"util.js": util},
			project{"util.js": strings.Replace(util, "function capitalize", "function upperFirst", 1)},
			[]string{"util.js, line 5 still has capitalize, which the request asks to rename to upperFirst."}},
		{"a key of the same name", "Rename capitalize to upperFirst.", project{"util.js": util},
			project{"util.js": strings.ReplaceAll(util, "capitalize", "upperFirst") + "x.capitalize = 1; // capitalize\ny('capitalize');\n"}, nil},
		{"an interface", "Rename the method Fetch to Find, in the interface Store, in Memory and where it is called.", project{"shop.go": shop},
			project{"shop.go": strings.Replace(shop, "\tFetch(", "\tFind(", 1)},
			[]string{"shop.go, line 9 still has Fetch, which the request asks to rename to Find."}},
		{"that of one class", "Rename the method count of Warehouse to on_hand.", project{"stock.py": stock},
			project{"stock.py": strings.NewReplacer("Warehouse:\n    def count", "Warehouse:\n    def on_hand", "w.count", "w.on_hand").Replace(stock)}, nil},
		{"that of one class, not done", "Rename the method count of Warehouse to on_hand.", project{"stock.py": stock},
			project{"stock.py": strings.Replace(stock, "w.count", "w.on_hand", 1)},
			[]string{"stock.py, line 2 still has count, which the request asks to rename to on_hand."}},
		{"two names", "Rename Square to Box and Circle to Disc.", project{"shapes.py": shapes},
			project{"shapes.py": strings.NewReplacer("Square", "Box").Replace(shapes)},
			[]string{"shapes.py, line 6 still has Circle, which the request asks to rename to Disc."}},
		{"a method that lists have", "Rename the method count to on_hand, with all calls.",
			project{"stock.py": "class Warehouse:\n    def ship(self, n):\n        return self.count() + self.seen.count(n)\n\n    def count(self):\n        return 1\n", "b.py": "def f(x):\n    return x.count(1)\n"},
			project{"stock.py": "class Warehouse:\n    def ship(self, n):\n        return self.count() + self.seen.count(n)\n\n    def on_hand(self):\n        return 1\n", "b.py": "def f(x):\n    return x.count(1)\n"},
			[]string{"stock.py, line 3 still has count, which the request asks to rename to on_hand."}},
		{"a field of that name", "Rename Total to Sum.", project{"s.go": "package s\n\ntype A struct{}\n\nfunc (a A) Total() int { return 1 }\n\nfunc f(b struct{ Total int }) int { return b.Total }\n"},
			project{"s.go": "package s\n\ntype A struct{}\n\nfunc (a A) Sum() int { return 1 }\n\nfunc f(b struct{ Total int }) int { return b.Total }\n"}, nil},
		{"behind an escaped quotation mark", "Rename capitalize to upperFirst.", project{"util.js": util},
			project{"util.js": strings.ReplaceAll(util, "capitalize", "upperFirst") + "say(\"a \\\" capitalize\");\n"}, nil},
		{"a value", "Rename LIMIT to MOST.", project{"a.py": "LIMIT = 3\n\n\ndef f():\n    return LIMIT\n"},
			project{"a.py": "MOST = 3\n\n\ndef f():\n    return LIMIT\n"},
			[]string{"a.py, line 5 still has LIMIT, which the request asks to rename to MOST."}},
		{"a parameter of that name", "Rename LIMIT to MOST.", project{"a.py": "LIMIT = 3\n"},
			project{"a.py": "MOST = 3\n\n\ndef f():\n    for LIMIT in []:\n        pass\n"}, nil},

		{"a file", "Rename shapes.py to forms.py and area to get_area", project{"shapes.py": shapes, "b.py": "x = 1\n"},
			project{"forms.py": whole(shapes)[0], "b.py": "x = 2\n"}, nil},
		{"to a word of prose", "Rename area to match the others.", project{"shapes.py": shapes},
			project{"shapes.py": shapes + "\n"}, nil},
		{"nothing that is known", "Rename the project to Shapes2.", project{"shapes.py": shapes}, project{"shapes.py": shapes + "\n"}, nil},
		{"no rename", "Change area to get_area.", project{"shapes.py": shapes}, project{"shapes.py": shapes + "\n"}, nil},
		{"to itself", "Rename area to area", project{"shapes.py": shapes}, project{"shapes.py": shapes + "\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := lookAsked(t, verify.Renamed(), c.request, c.before, c.after)
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, want %q", got, c.want)
			}
			for _, f := range found {
				if !f.Once {
					t.Errorf("%+v is no question", f)
				}
			}
		})
	}
}

// A file that a change takes away half of its names from is told; what has moved, what a function has for itself, and
// what was unknown before are not.
func TestDefinitionsThatAreStillUsed(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after project
		want          string
	}{
		{"an export", project{"u.js": "function a1() {}\n\nmodule.exports = { a1 };\n"}, project{"u.js": "function b1() {}\n\nmodule.exports = { a1 };\n"},
			"u.js, line 3 still uses a1, whose definition is gone."},
		{"a class", project{"u.py": "class Refused(Exception):\n    pass\n\n\ndef f():\n    raise Refused\n"}, project{"u.py": "def f():\n    raise Refused\n"},
			"u.py, line 2 still uses Refused, whose definition is gone"},
		{"in another file now", project{"u.py": "LIMIT = 1\n\n\ndef f():\n    return LIMIT\n"},
			project{"u.py": "def f():\n    return LIMIT\n", "v.py": "LIMIT = 1\n"}, ""},
		{"imported now", project{"u.py": "LIMIT = 1\n\n\ndef f():\n    return LIMIT\n"}, project{"u.py": "from v import LIMIT\n\n\ndef f():\n    return LIMIT\n"}, ""},
		{"a parameter now", project{"u.py": "LIMIT = 1\n\n\ndef f():\n    return LIMIT\n"}, project{"u.py": "def f(LIMIT):\n    return LIMIT\n"}, ""},
		{"Go", project{"u.go": "package u\n\nfunc one() int { return 1 }\n\nfunc two() int { return one() + 1 }\n"},
			project{"u.go": "package u\n\nfunc two() int { return one() + 1 }\n"}, "u.go, line 3 still uses one, whose definition is gone"},
		{"a variable of a function in Go", project{"u.go": "package u\n\nfunc one() int { return 1 }\n"},
			project{"u.go": "package u\n\nfunc two() int {\n\tone := 1\n\treturn one\n}\n"}, ""},
		{"Go's own", project{"u.go": "package u\n\nfunc min(a, b int) int { return a }\n\nvar x = min(1, 2)\n"}, project{"u.go": "package u\n\nvar x = min(1, 2)\n"}, ""},
		{"Go's own that no other language has", project{"u.go": "package u\n\nfunc clear(m map[int]int) {}\n\nfunc f() { clear(nil) }\n"}, project{"u.go": "package u\n\nfunc f() { clear(nil) }\n"}, ""},
		{"all of a package in Go", project{"u.go": "package u\n\nfunc one() int { return 1 }\n\nvar x = one()\n"},
			project{"u.go": "package u\n\nimport . \"v\"\n\nvar x = one()\n"}, ""},
		{"a field in Go", project{"u.go": "package u\n\nfunc one() int { return 1 }\n"},
			project{"u.go": "package u\n\ntype t struct{ one int }\n\nfunc two(x t) int { return x.one }\n"}, ""},
		{"in another file of the package", project{"u.go": "package u\n\nfunc one() int { return 1 }\n\nvar x = one()\n"},
			project{"u.go": "package u\n\nvar x = one()\n", "v.go": "package u\n\nfunc one() int { return 1 }\n"}, ""},
		{"C", project{"u.c": "int one(void) { return 1; }\n\nint two(void) { return one() + 1; }\n"},
			project{"u.c": "int uno(void) { return 1; }\n\nint two(void) { return one() + 1; }\n"}, "u.c, line 3 still uses one, whose definition is gone."},
		{"C, declared elsewhere", project{"u.c": "int one(void) { return 1; }\n\nint two(void) { return one() + 1; }\n"},
			project{"u.c": "int one;\n\nint two(void) { return one() + 1; }\n"}, ""},
		{"Rust", project{"u.rs": "fn one() -> i32 { 1 }\n\nfn two() -> i32 { one() + 1 }\n"}, project{"u.rs": "fn uno() -> i32 { 1 }\n\nfn two() -> i32 { one() + 1 }\n"},
			"u.rs, line 3 still uses one, whose definition is gone."},
		{"Rust, from elsewhere", project{"u.rs": "fn one() -> i32 { 1 }\n\nfn two() -> i32 { one() + 1 }\n"},
			project{"u.rs": "use crate::v::one;\n\nfn two() -> i32 { one() + 1 }\n"}, ""},
		{"a comment", project{"u.py": "def one():\n    pass\n"}, project{"u.py": "# one() was here\nx = 'one()'\n"}, ""},
		{"deleted", project{"u.py": "def one():\n    pass\n\n\none()\n"}, project{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := lookAsked(t, verify.Unbound(), "", c.before, c.after)
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0] != c.want || found[0].Once != strings.HasSuffix(c.want, ".")) {
				t.Errorf("found %q (%+v), want %q", got, found, c.want)
			}
		})
	}
}

// What a change defines a second time in the same place is told; what is meant to stand there twice is not.
func TestDefinedTwice(t *testing.T) {
	account := "package bank\n\ntype Account struct{}\n\nfunc (a *Account) Deposit() {}\n\nfunc (a *Account) Withdraw() {}\n"
	for _, c := range []struct {
		name, file, before, after string
		want                      string
		sure                      bool
	}{
		{"a method of Go", "b.go", account, strings.Replace(account, "Deposit", "Withdraw", 1), "line 7 defines Account.Withdraw, which line 5 defines already", true},
		{"of two types", "b.go", account, account + "\ntype Safe struct{}\n\nfunc (s Safe) Deposit() {}\n", "", true},
		{"init", "b.go", "package bank\n\nfunc init() {}\n", "package bank\n\nfunc init() {}\n\nfunc init() {}\n", "", true},
		{"Python", "a.py", "def f():\n    return 1\n", "def f():\n    return 1\n\n\ndef f():\n    return 2\n", "line 5 defines f, which line 1 defines already.", false},
		{"a method of Python", "a.py", "class A:\n    def f(self):\n        pass\n", "class A:\n    def f(self):\n        pass\n\n    def f(self, x):\n        pass\n",
			"line 5 defines A.f, which line 2 defines already.", false},
		{"as before", "a.py", "def f():\n    return 1\n\n\ndef f():\n    return 2\n", "def f():\n    return 1\n\n\ndef f():\n    return 3\n", "", false},
		{"decorated", "a.py", "x = 1\n", "class A:\n    @property\n    def f(self):\n        return 1\n\n    @f.setter\n    def f(self, x):\n        pass\n", "", false},
		{"under a condition", "a.py", "x = 1\n", "if x:\n    def f():\n        pass\nelse:\n    def f():\n        pass\n", "", false},
		{"a class whose head has several lines", "a.py", "x = 1\n", "class A(\n    B,\n):\n    def f(self):\n        pass\n\n    def f(self, x):\n        pass\n",
			"line 7 defines A.f, which line 4 defines already.", false},
		{"under a condition of a class", "a.py", "x = 1\n", "class A:\n    if x:\n        def f(self):\n            pass\n    else:\n        def f(self):\n            pass\n", "", false},
		{"a script", "a.js", "function f() {}\n", "function f() {}\n\nfunction f(x) {}\n", "line 3 defines f, which line 1 defines already.", false},
		{"getter and setter", "a.js", "class A {\n}\n", "class A {\n  get f() { return 1; }\n  set f(x) {}\n}\n", "", false},
		{"overloads", "a.ts", "let x = 1;\n", "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: any): void {}\n", "", false},
		{"another language", "a.java", "class A {\n  void f() {}\n}\n", "class A {\n  void f() {}\n  void f(int x) {}\n}\n", "", false},
		{"a file that does not parse", "b.go", account, strings.Replace(account, "Deposit() {", "Withdraw() {", 1) + "\nfunc {\n", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, found := lookAsked(t, verify.Twice(), "", project{c.file: c.before}, project{c.file: c.after})
			if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || got[0] != c.file+", "+c.want || found[0].Once == c.sure) {
				t.Errorf("found %q (%+v), want %q", got, found, c.want)
			}
		})
	}
}
