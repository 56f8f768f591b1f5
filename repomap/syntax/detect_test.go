package syntax

import (
	"slices"
	"strings"
	"testing"
)

// Whatever the table says of names holds: each extension and file name finds its row, or one before it
// that claims it too, and each interpreter is found however it is called.
func TestTheTableIsReachable(t *testing.T) {
	seen := map[string]string{}
	for _, l := range languages {
		for _, ext := range l.Ext {
			if ext != strings.ToLower(ext) || ext[0] != '.' {
				t.Errorf("%s: the extension %q is never found", l.Name, ext)
			}
			if other := seen[ext]; other != "" {
				t.Errorf("%s and %s both claim %s", other, l.Name, ext)
			}
			seen[ext] = l.Name
			for _, name := range []string{"dir.x/a" + ext, "A" + strings.ToUpper(ext)} {
				if got := Detect(name, []byte("LABEL=\"a\"\n")); got == nil || got.Name != l.Name {
					t.Errorf("%s: %v, want %s", name, got, l.Name)
				}
			}
		}
		for _, file := range l.Files {
			if got := Detect("some/dir/"+file, nil); got == nil || got.Name != l.Name {
				t.Errorf("%s: %v, want %s", file, got, l.Name)
			}
		}
		for _, program := range l.Shebang {
			for _, line := range []string{"#!/usr/bin/" + program, "#! /usr/bin/env " + program, "#!/usr/bin/env -S " + program + " -x --y", "#!/opt/" + program + "3.11 -u\r"} {
				if got := Detect("bin/run", []byte(line+"\nrest\n")); got == nil || got.Name != l.Name {
					t.Errorf("%q: %v, want %s", line, got, l.Name)
				}
			}
		}
	}
	for _, line := range []string{"#!", "#!/", "#! ", "#!/usr/bin/env", "#!/usr/bin/env -S", "#!/bin/unknown", "#" + strings.Repeat("!", 500), "", "#!\xff\xfe"} {
		if got := Detect("run", []byte(line)); got != nil {
			t.Errorf("%q: %v", line, got)
		}
	}
	if got := Detect("a.py", []byte("#!/bin/sh\n")); got == nil || got.Name != "python" {
		t.Errorf("a name says more than a first line, but: %v", got)
	}
}

// Whoever asks only whether there may be tags gets no false no.
func TestKnows(t *testing.T) {
	for _, name := range []string{"a.go", "A.PY", "Makefile", "x/Makefile", "a.rules", "a.h", "run", "run.txt", "board.dts", "Kconfig", "a.", ".go", ""} {
		for _, src := range []string{"", "#!/bin/sh\n", "#!/bin/unknown\n", "LABEL=\"a\"\n", "\nclass A {\n"} {
			known := Detect(name, []byte(src)) != nil
			if got := Knows(name, []byte(src)); got != known && name != "a.rules" || known && !got {
				t.Errorf("%q with %q: %v, but a language is found: %v", name, src, got, known)
			}
		}
	}
}

// The text decides where one extension serves two languages.
func TestSharedExtensions(t *testing.T) {
	for _, c := range []struct{ path, src, want string }{
		{"a.h", "#define A 1\nint f(void);\n", "c"}, {"a.h", "#pragma once\nclass A {\n public:\n};\n", "cpp"}, {"a.h", "\ntemplate<class T> T f(T);\n", "cpp"},
		{"a.m", "x = 1;\n", "matlab"}, {"a.m", "@implementation A\n@end\n", "objective-c"},
		{"a.v", "module a;\nendmodule\n", "verilog"}, {"a.v", "`timescale 1ns/1ps\n", "verilog"}, {"a.v", "// later\n", "verilog"}, {"a.v", "module fifo #(\n  parameter W = 8\n) (\n", "verilog"},
		{"a.v", "(* Module types *)\nmodule adder (a, b);\n", "verilog"}, {"a.v", "package p;\n  import q::*;\nendpackage\n", "verilog"},
		{"a.v", "Require Import Arith.\n\nLemma a : 1 = 1.\nProof.\n  reflexivity.\nQed.\n", "coq"}, {"a.v", "From Coq Require Import List.\n", "coq"},
		{"a.v", "(* endmodules *)\nInductive nat := O | S (n : nat).\n", "coq"}, {"a.v", "  Qed.\n", "coq"},
		{"a.v", "module main\n\nimport os\n\nfn main() {\n\tprintln('hi')\n}\n", "v"}, {"a.v", "pub struct Greeter {\n\tname string\n}\n", "v"}, {"a.v", "pub fn (g Greeter) hi() {}\n", "v"}, {"a.vv", "", "v"},

		{"a.rules", "KERNEL==\"sda\"\n", "udev"}, {"a.rules", "a firewall's\n", ""},
	} {
		got := Detect(c.path, []byte(c.src))
		if name := ""; got != nil && got.Name != c.want || got == nil && c.want != name {
			t.Errorf("%s %q: %v, want %q", c.path, c.src, got, c.want)
		}
	}
}

// The languages that aider's own tests name, and more, are there.
func TestNoLanguageIsForgotten(t *testing.T) {
	for _, name := range strings.Fields("arduino bash c chatito clojure commonlisp cpp csharp d dart elisp elixir elm gleam go haskell hcl java " +
		"javascript kotlin lua matlab ocaml ocaml_interface php pony properties python ql r racket ruby rust scala solidity swift tsx typescript udev zig") {
		if !slices.ContainsFunc(languages, func(l Language) bool { return l.Name == name }) {
			t.Errorf("%s is not in the table", name)
		}
	}
}
