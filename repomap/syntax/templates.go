package syntax

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/alecthomas/chroma/v2/lexers"
)

// template is how comments are written in files that are of two languages, or of one that has no grammar and whose lexer
// finds none, by the file's extension.
type template struct {
	signs
	// code are the places of another language, in which these signs mean nothing.
	code [][2]string
	// inCode are the signs of that language.
	inCode signs
	// grammar says that the language of the extension has comments of its own, besides these.
	grammar bool
}

// marked is HTML with comments of a template language.
func marked(block ...[2]string) template {
	return template{signs: signs{block: append(block, [2]string{"<!--", "-->"})}}
}

var (
	erb   = marked([2]string{"<%#", "%>"}, [2]string{"<%--", "--%>"}, [2]string{"<%!--", "--%>"})
	jinja = marked([2]string{"{#", "#}"})
	razor = marked([2]string{"@*", "*@"})
	hbs   = marked([2]string{"{{!--", "--}}"}, [2]string{"{{!", "}}"})
	batch = template{signs: signs{line: []string{"::", "REM ", "Rem ", "rem ", "@REM ", "@Rem ", "@rem "}, leading: true}}
	basic = template{signs: signs{line: []string{"'"}, quotes: `"`}}
)

// templates are those of the extensions.
var templates = map[string]template{
	".vue": {signs: markup, code: [][2]string{{"<script", "</script>"}, {"<style", "</style>"}}, inCode: script},
	".php": {signs: signs{block: [][2]string{{"<!--", "-->"}, {"{{--", "--}}"}}}, code: [][2]string{{"<?", "?>"}}, grammar: true},
	".erb": erb, ".ejs": erb, ".eex": erb, ".heex": erb, ".leex": erb, ".jsp": erb, ".aspx": erb, ".ascx": erb,
	".jinja": jinja, ".jinja2": jinja, ".j2": jinja, ".twig": jinja, ".njk": jinja,
	".cshtml": razor, ".razor": razor, ".vbhtml": razor, ".hbs": hbs, ".handlebars": hbs, ".mustache": hbs,
	".mdx":  {signs: signs{block: [][2]string{{"{/*", "*/}"}, {"<!--", "-->"}}}},
	".haml": {signs: signs{line: []string{"-#", "/"}, leading: true}},
	".slim": {signs: signs{line: []string{"/"}, leading: true}},
	".bat":  batch, ".cmd": batch, ".vb": basic, ".bas": basic, ".vbs": basic, ".frm": basic,
}

// comments finds those of a template. The comments that the language itself has come with them.
func (f template) comments(src []byte, own []Comment) []Comment {
	rest, code := f.parts(src)
	list := append(f.signs.comments(rest), own...)
	if len(f.inCode.block) > 0 {
		list = append(list, f.inCode.comments(code)...)
	}
	slices.SortFunc(list, func(a, b Comment) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	end := 0
	return slices.DeleteFunc(list, func(c Comment) bool {
		if c.Start < end {
			return true // in another one
		}
		end = c.End
		return false
	})
}

// parts are the text outside of code and in it: each as long as the whole, with blanks for the other.
func (f template) parts(src []byte) (rest, code []byte) {
	rest, code = bytes.Clone(src), blanked(bytes.Clone(src))
	lower := bytes.ToLower(src)
	if len(lower) != len(src) { // a letter that is longer when it is small
		lower = src
	}
	for _, c := range f.code {
		for at := 0; ; {
			n := bytes.Index(lower[at:], []byte(c[0]))
			if n < 0 {
				break
			}
			from, to := at+n, len(src)
			if end := bytes.Index(lower[from:], []byte(c[1])); end >= 0 {
				to = from + end + len(c[1])
			}
			copy(code[from:to], src[from:to])
			blanked(rest[from:to])
			at = to
		}
	}
	return rest, code
}

// blanked makes blanks of all but the line feeds.
func blanked(b []byte) []byte {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
	return b
}

// lexerFor is the lexer of a file whose language is in no row of ours; "" for none.
func lexerFor(path string) string {
	if l := lexers.Match(path); l != nil {
		return l.Config().Name
	}
	return ""
}
