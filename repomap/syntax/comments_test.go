//go:build cgo

package syntax_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/repomap/syntax"
)

// One sample for each way to write comments, with what looks like one in a string beside it.
func TestComments(t *testing.T) {
	for _, c := range []struct {
		path, src string
		want      []string
	}{
		{"a.go", "package a // one\n/* two\n lines */\nvar s = \"// no\" + `/* no */`\n", []string{"// one", "/* two\n lines */"}},
		{"broken.go", "package a\nfunc ( { // one\n\"// no\n// two\n", []string{"// one", "// two"}},
		{"a.py", "\"\"\"Doc of\nit.\"\"\"\ns = '# no' # one\ndef f():\n    'doc'\n    return \"\"\"# no\"\"\"\n", []string{"\"\"\"Doc of\nit.\"\"\"", "# one", "'doc'"}},
		{"a.js", "'use strict'\nlet s = `// no ${1 /* one */}` // two\n", []string{"/* one */", "// two"}},
		{"a.ts", "/** one */\nconst s = '/* no */'\n", []string{"/** one */"}},
		{"a.tsx", "const a = <p>no {/* one */}</p>\n", []string{"/* one */"}},
		{"a.c", "char *s = \"/* no */\";\nint x; /* one\n * two */\n// three\n", []string{"/* one\n * two */", "// three"}},
		{"a.cpp", "// one\nauto s = R\"(// no)\";\n", []string{"// one"}},
		{"a.rs", "/// one\nfn f() { let s = \"// no\"; /* two */ }\n", []string{"/// one", "/* two */"}},
		{"a.java", "/* one */ class A { String s = \"// no\"; }\n", []string{"/* one */"}},
		{"a.rb", "s = '# no' # one\n=begin\ntwo\n=end\n", []string{"# one", "=begin\ntwo\n=end"}},
		{"a.php", "<p>// no</p>\n<?php $s = '# no'; # one\n// two\n/* three */ ?>\n", []string{"# one", "// two", "/* three */"}},
		{"a.sh", "#!/bin/sh\necho '# no' \"# no\" # one\necho a#no\n", []string{"#!/bin/sh", "# one"}},
		{"a.lua", "-- one\nlocal s = '-- no' --[[ two\nlines ]]\n", []string{"-- one", "--[[ two\nlines ]]"}},
		{"a.sql", "-- one\nSELECT '-- no' /* two */;\n", []string{"-- one", "/* two */"}},
		{"a.html", "<p>// no</p><!-- one\nlines --><script>let s = '// no' // two\n</script><style>/* three */</style>\n", []string{"<!-- one\nlines -->", "// two", "/* three */"}},
		{"a.css", "/* one */ a { content: '/* no */' }\n", []string{"/* one */"}},
		{"a.yaml", "# one\na: '# no' # two\n", []string{"# one", "# two"}},
		{"a.d", "int x; // one", []string{"// one"}}, // its lexer ends each text with a line feed
		{"a.hs", "-- one\ns = \"-- no\" {- two -}\n", []string{"-- one", "{- two -}"}},
		{"a.ml", "(* one *) let s = \"(* no *)\"\n", []string{"(* one *)"}},
		{"a.clj", ";; one\n(def s \"; no\")\n", []string{";; one"}},
		{"a.el", "; one\n(setq s \"; no\")\n", []string{"; one"}},
		{"a.erl", "% one\nf() -> \"% no\".\n", []string{"% one"}},
		{"a.vim", "\" one\nlet s = '\" no'\n", []string{"\" one"}},
		{"a.f90", "program p\n! one\nprint *, '! no'\nend\n", []string{"! one"}},
		{"Makefile", "# one\nall:\n\techo a\n", []string{"# one"}},
		{"a.md", "# No heading\n\n<!-- one -->\n`# no`\n", []string{"<!-- one -->"}},
		{"a.json", "{\"a\": \"// no\" // one\n}\n", []string{"// one"}},
		{"a.less", "// one\n@a: \"// no\"; /* two */\n", []string{"// one", "/* two */"}},
		{"a.tex", "a 50\\% no\n% one\n  % two\n", []string{"% one", "% two"}},
		{"a.vue", "<template>\n<!-- one -->\n<p>it's https://no</p>\n</template>\n<script>\nlet s = '// no' // two\n/* three */\n</script>\n<style>/* four */</style>\n", []string{"<!-- one -->", "// two", "/* three */", "/* four */"}},
		{"b.php", "<!-- one -->\n<?php\n$s = '<!-- no -->'; # two\n?>\n<!-- three -->\n", []string{"<!-- one -->", "# two", "<!-- three -->"}},
		{"a.blade.php", "{{-- one --}}\n<p/>\n", []string{"{{-- one --}}"}},
		{"a.html.erb", "<%# one %>\n<%-- two --%>\n<!-- three -->\n", []string{"<%# one %>", "<%-- two --%>", "<!-- three -->"}},
		{"a.jinja2", "{# one\nlines #}\n<!-- two -->\n", []string{"{# one\nlines #}", "<!-- two -->"}}, {"a.twig", "{# one #}\n", []string{"{# one #}"}}, {"a.j2", "{# one #}\n", []string{"{# one #}"}},
		{"a.mdx", "# No\n{/* one */}\n", []string{"{/* one */}"}},
		{"a.cshtml", "@* one *@\n<!-- two -->\n", []string{"@* one *@", "<!-- two -->"}},
		{"a.hbs", "{{! one }}{{!-- two --}}\n", []string{"{{! one }}", "{{!-- two --}}"}},
		{"a.haml", "-# one\n%p a -# no\n", []string{"-# one"}},
		{"a.bat", "REM one\necho rem no\n@rem two\n", []string{"REM one", "@rem two"}}, {"a.CMD", ":: one\n", []string{":: one"}},
		{"a.vb", "' one\nDim a = \"' no\" ' two\n", []string{"' one", "' two"}}, {"a.bas", "' one\n", []string{"' one"}},
		{"a.zig", "const s = \"// no\"; // one\n", []string{"// one"}}, {"a.adb", "-- one\n", []string{"-- one"}}, {"a.tcl", "# one\n", []string{"# one"}}, {"a.v", "a; // one\n", []string{"// one"}},
		{"a.unknown", "// one\nx // no\n; two\n", []string{"// one", "; two"}},
		{"a.txt", "", nil},
	} {
		list, err := syntax.Comments(context.Background(), c.path, []byte(c.src))
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
		}
		var got []string
		for _, one := range list {
			got = append(got, trimmed(c.src[one.Start:one.End]))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.path, diff)
		}
	}
}

// trimmed takes off the line feed that some grammars and lexers give to a line comment.
func trimmed(s string) string {
	for len(s) > 0 && (s[len(s)-1] == '\n' || s[len(s)-1] == ' ') {
		s = s[:len(s)-1]
	}
	return s
}

// Comments lie in the text, in order and apart from each other, whatever it is.
func FuzzComments(f *testing.F) {
	for _, name := range []string{"a.go", "a.py", "a.html", "a.less", "a.hs", "a.unknown", "a.md", "a.d"} {
		f.Add(name, []byte("// no line feed"))
		f.Add(name, []byte("x = \"# no\" # one\n// two /* three\n*/ <!-- four --> 'a"))
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		list, err := syntax.Comments(context.Background(), name, src)
		if err != nil {
			t.Skip(err)
		}
		end := 0
		for _, c := range list {
			if c.Start < end || c.End < c.Start || c.End > len(src) {
				t.Fatalf("Comments(%q, %q): %v of %v", name, src, c, list)
			}
			end = c.End
		}
	})
}
