package imports

import (
	"slices"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for name, c := range map[string]struct{ file, src, want string }{
		"Go":             {"a.go", "package a\n\nimport \"m/one\"\nimport (\n\tx \"m/two\" // \"no\"\n\t// \"m/not\"\n)\n\nfunc f() { _ = `import \"no\"` }\n", "m/one m/two"},
		"Python":         {"a.py", "import os, a.b as c\nfrom . import near\nfrom ..up import (x,  # why\n    y as z)\n", "..up.x ..up.y .near a.b os"},
		"TypeScript":     {"a.ts", "import { a } from './a';\nexport * from \"@x/b\";\nconst c = require('c');\nawait import('./d');\n", "./a ./d @x/b c"},
		"Rust":           {"a.rs", "mod inner;\npub use crate::{one, two::{self, Three as T}};\nuse std::io;\n", "crate::one crate::two crate::two::Three self::inner std::io"},
		"Java":           {"A.java", "package p.q;\nimport static a.B.c;\nimport d.*;\n", "=p.q a.B.c d.*"},
		"go.mod":         {"x/go.mod", "module example.com/m // here\n\ngo 1.26\n", "=example.com/m"},
		"Cargo.toml":     {"Cargo.toml", "[package]\nname = \"my-crate\"\n\n[dependencies]\nname = \"no\"\n", "=my_crate"},
		"package.json":   {"package.json", `{"name": "@x/b", "version": "1"}`, "=@x/b"},
		"tsconfig.json":  {"tsconfig.json", "{ // of all\n \"compilerOptions\": {\"paths\": {\"@/*\": [\"src/*\"],}, /* \" */ },\n}", "=@/* src/*"},
		"a last comment": {"jsconfig.json", `{"compilerOptions": {"baseUrl": "."}} // of all`, "=* ./*"},
		"cut in a text":  {"tsconfig.json", `{"compilerOptions": "cut`, ""},
		"another":        {"a.rb", "require 'b'\n", ""},
		"cut in a word":  {"a.rs", "use a::{b, c", ""},
		"nested no more": {"a.rs", "use " + strings.Repeat("a::{", mostNested+2) + "b" + strings.Repeat("}", mostNested+2) + ";\n", ""},
	} {
		if got := strings.Join(strings.Split(Of(c.file, []byte(c.src)), "\n"), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// FuzzOf: whatever a repository holds, the names are few, short, sorted and on lines of their own, and each time the same.
func FuzzOf(f *testing.F) {
	files := []string{"a.go", "a.py", "a.ts", "a.rs", "A.java", "go.mod", "Cargo.toml", "package.json", "tsconfig.json"}
	for i, src := range []string{"import (\n\"a\"\n)", "from a import (b,\n c)", "import x from 'y'", "use a::{b, c::{d}};", "package a;\nimport b.*;", "module m", "[package]\nname = \"a\"", `{"name": "a"}`, `{"compilerOptions": {"baseUrl": ".", "paths": {"a": ["b"]}}} // "`} {
		f.Add(uint8(i), []byte(src))
	}
	f.Fuzz(func(t *testing.T, n uint8, src []byte) {
		file := files[int(n)%len(files)]
		got := Of(file, src)
		if again := Of(file, src); got != again {
			t.Fatalf("%q, and then %q", got, again)
		}
		if got == "" {
			return
		}
		list := strings.Split(got, "\n")
		if len(list) > maxImports || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
			t.Fatalf("%d names: %q", len(list), list)
		}
		for _, name := range list {
			if name == "" || len(name) > maxImport {
				t.Errorf("%q", name)
			}
		}
	})
}
