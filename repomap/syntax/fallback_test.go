package syntax

import (
	"slices"
	"testing"

	"coauthor/repomap/syntax/tag"
)

// Each language has a definition and, but for data, a use found in it, whatever reads it: a grammar,
// the lexer or the plain scanner. The build without cgo must pass this too.
func TestNoLanguageComesOutEmpty(t *testing.T) {
	for _, c := range []struct{ path, src, want string }{
		{"a.ino", "void setup() {\n  pinMode(13, OUTPUT);\n}\n", "setup"},
		{"a.sh", "greet() {\n  echo hi\n}\ngreet\n", "greet"},
		{"a.c", "int main(void) {\n  return run();\n}\n", "main"},
		{"a.chatito", "%[intent]('training': '10')\n  ~[hi] @[name]\n\n~[hi]\n  hello\n", "intent"},
		{"a.clj", "(ns shop.core)\n(defn greet [name]\n  (str \"hi\" name))\n", "greet"},
		{"a.lisp", "(defun greet (name)\n  (format t \"hi\" name))\n", "greet"},
		{"a.cpp", "int main() {\n  return run();\n}\n", "main"},
		{"a.cs", "public class Greeter {\n  public void Hi() { Run(); }\n}\n", "Greeter"},
		{"a.d", "void main() {\n  writeln(\"hi\");\n}\n", "main"},
		{"a.dart", "class Person {\n  void hi() { print(name); }\n}\n", "Person"},
		{"a.el", "(defun greeter (name)\n  (message \"hi %s\" name))\n", "greeter"},
		{"a.ex", "defmodule Greeter do\n  def hi(name), do: IO.puts(name)\nend\n", "Greeter"},
		{"a.elm", "module Main exposing (..)\n\ntype Greeter = Hi | Bye\n\ngreet name = hi name\n", "Greeter"},
		{"a.f90", "subroutine greet(name)\n  print *, name\nend subroutine\n", "greet"},
		{"a.gleam", "pub fn greet(name: String) {\n  io.println(name)\n}\n", "greet"},
		{"a.go", "package a\n\ntype Greeter struct{}\n\nfunc (g Greeter) Hi() { run() }\n", "Greeter"},
		{"a.hs", "module Main where\n\ndata Person = Person String\n\nadd :: Int -> Int\nadd x = plus x\n", "Person"},
		{"a.tf", "resource \"aws_vpc\" \"main\" {\n  cidr = var.x\n}\n", ""},
		{"a.java", "public interface Greeting {\n  String greet(Item i);\n}\n", "Greeting"},
		{"a.js", "class Person {\n  hi() { run(); }\n}\n", "Person"},
		{"a.jl", "function greet(name)\n  println(name)\nend\n", "greet"},
		{"a.kt", "interface Greeting {\n  fun greet(): String\n}\n", "Greeting"},
		{"a.lua", "function greet(name)\n  print(name)\nend\n", "greet"},
		{"a.m", "classdef Person\n  methods\n    function hi(obj)\n      disp(obj)\n    end\n  end\nend\n", "Person"},
		{"a.ml", "module Greeter = struct\n  let hi name = print name\nend\n", "Greeter"},
		{"a.mli", "module Greeter : sig\n  val hi : string -> unit\nend\n", "Greeter"},
		{"a.php", "<?php\nfunction greet($name) {\n  run($name);\n}\n", "greet"},
		{"a.pony", "class Greeter\n  fun hi() => run()\n", "Greeter"},
		{"a.properties", "# data\ndatabase.url=jdbc:x\n", "database.url"},
		{"a.py", "class Person:\n    def hi(self): run()\n", "Person"},
		{"a.ql", "predicate greet(string s) {\n  s = \"hi\"\n}\n", "greet"},
		{"a.r", "calculate <- function(x) {\n  sum(x)\n}\n", "calculate"},
		{"a.rkt", "#lang racket\n(define (greet name)\n  (printf name))\n", "greet"},
		{"a.rb", "def greet(name)\n  run(name)\nend\n", "greet"},
		{"a.rs", "pub struct Person;\nfn hi() { run(); }\n", "Person"},
		{"a.scala", "class Greeter {\n  def hi(): Unit = run()\n}\n", "Greeter"},
		{"a.sol", "contract SimpleStorage {\n  function set(uint x) public { y = x; }\n}\n", "SimpleStorage"},
		{"a.swift", "class Greeter {\n  func hi() { run() }\n}\n", "Greeter"},
		{"a.ts", "function greet(name: Name) { run(); }\n", "greet"},
		{"a.tsx", "interface UserProps { name: Name }\n", "UserProps"},
		{"a.rules", "ENV{USB_DRIVER}=\"usb\"\nLABEL=\"end\"\n", "USB_DRIVER"},
		{"a.v", "Require Import Arith.\nLemma greet : forall n, plus n 0 = n.\nProof.\n  auto.\nQed.\n", "greet"},
		{"a.v", "module main\n\npub fn greet(name string) {\n\trun(name)\n}\n", "greet"},
		{"a.zig", "pub fn add(a: i32) i32 {\n  return plus(a);\n}\n", "add"},
	} {
		for name, f := range map[string]func() ([]tag.Tag, error){
			"as built":    func() ([]tag.Tag, error) { return Tags(t.Context(), c.path, []byte(c.src)) },
			"in an index": func() ([]tag.Tag, error) { return Tagger{}.Tags(t.Context(), c.path, []byte(c.src)) },
			"by its form": func() ([]tag.Tag, error) {
				return lexical(t.Context(), Detect(c.path, []byte(c.src)), []byte(c.src), everything)
			},
		} {
			tags, err := f()
			if err != nil || !slices.ContainsFunc(tags, func(x tag.Tag) bool { return x.Def && (x.Name == c.want || c.want == "") }) {
				t.Errorf("%s %s: no %q: %v\n%s", c.path, name, c.want, err, printed(tags))
			}
		}
	}
}

// A lexer that is named wrongly would go unnoticed: the plain scanner steps in.
func TestLexersExist(t *testing.T) {
	for _, l := range languages {
		if l.Lexer != "" && lexerOf(l.Lexer) == nil {
			t.Errorf("%s: there is no lexer %q", l.Name, l.Lexer)
		}
	}
}
