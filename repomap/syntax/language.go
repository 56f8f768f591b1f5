package syntax

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/alecthomas/chroma/v2/lexers"
)

// Language is one row of the table below: how files of it are known, and what reads them.
type Language struct {
	Name    string   // as in queries/<name>.scm and in the notes for people
	Grammar string   // key of a grammar; "" or a grammar that is not built in leaves it to the lexer
	Lexer   string   // chroma's name; "" leaves it to the plain scanner
	Ext     []string // with the dot, lower case
	Files   []string // whole base names
	Shebang []string // names of interpreters
	Prose   bool     // documents and data: they define headings and keys, not code
	Opaque  []string // kinds of nodes that are not searched for definitions, such as a function's body; none: all are searched
}

// Detect finds the language of a file by its name, then by its first line; nil when neither tells.
func Detect(name string, src []byte) *Language {
	l, ext := byName(name)
	switch {
	case l == nil:
		return byShebang(src)
	case ext == "":
		return l
	}
	return disambiguate(l, ext, src)
}

// LanguageOf is the name of the language of a file, by its name alone, or of the word that stands behind a fence
// in Markdown ("py", "c++"); "" for none that is known.
func LanguageOf(word string) string {
	if word == "" {
		return ""
	}
	l, _ := byName(word)
	if l == nil {
		l, _ = byName("." + strings.ToLower(word)) // an extension
	}
	if l == nil {
		l = named(strings.ToLower(word))
	}
	if l == nil {
		l = byLexer(word)
	}
	if l == nil {
		return ""
	}
	return l.Name
}

// Spoken is the language of a file as people write its name, where it is program text and the name of the file alone tells;
// else "".
func Spoken(name string) string {
	l, ext := byName(name)
	if l == nil || l.Prose || ext == ".h" || ext == ".m" || ext == ".v" { // which disambiguate reads
		return ""
	}
	return cmp.Or(l.Lexer, l.Name)
}

// byLexer finds the language by what its lexer is called too.
func byLexer(alias string) *Language {
	lexer := lexers.Get(alias)
	if lexer == nil {
		return nil
	}
	for i := range languages {
		if languages[i].Lexer == lexer.Config().Name {
			return &languages[i]
		}
	}
	return nil
}

// Knows is quicker than Detect, and says no only of files of which Detect finds no language.
func Knows(name string, src []byte) bool {
	l, _ := byName(name)
	return l != nil || byShebang(src) != nil
}

// byName finds a language by a file's whole base name, or else by its extension, which it then gives too.
func byName(name string) (l *Language, ext string) {
	base := path.Base(name)
	var byExt *Language
	ext = strings.ToLower(path.Ext(base))
	for i := range languages {
		l := &languages[i]
		for _, f := range l.Files {
			if f == base {
				return l, ""
			}
		}
		if byExt != nil || ext == "" {
			continue
		}
		for _, e := range l.Ext {
			if e == ext {
				byExt = l
			}
		}
	}
	return byExt, ext
}

// What only one of the three languages has whose files end in .v: Verilog's words with their signs, Coq's sentences,
// which end with a full stop, and lines of V, which has no semicolons.
var (
	verilogMark = regexp.MustCompile("\\bend(?:module|primitive|package|interface)\\b|(?m)^\\s*(?:`(?:timescale|include|define|ifn?def|default_nettype)\\b|(?:macro)?module\\s+\\w+\\s*[#(;])")
	coqMark     = regexp.MustCompile(`(?m)^\s*(?:(?:From\s+[\w.]+\s+)?Require\s+(?:Import|Export)?|(?:Local\s+|Global\s+|Program\s+)*(?:Theorem|Lemma|Corollary|Proposition|Definition|Fixpoint|Inductive|CoInductive|Record|Section|Ltac|Notation|Axiom|Module)\s+[\w"']|(?:Proof|Qed|Defined|Admitted)\.\s*$)`)
	vMark       = regexp.MustCompile(`(?m)^(?:module\s+[a-z]\w*\s*$|import\s+[a-z][\w.]*(?:\s+as\s+\w+|\s*\{[^}]*\})?\s*$|(?:pub\s+)?(?:fn\s+[\w(]|(?:struct|enum|interface|union)\s+[A-Z]\w*\s*(?:\[[^\]]*\]\s*)?\{|type\s+[A-Z]\w*\s*=))`)
)

// disambiguate reads the text where one extension serves several languages.
func disambiguate(l *Language, ext string, src []byte) *Language {
	head := src[:min(len(src), 64<<10)]
	switch ext {
	case ".h":
		for _, mark := range []string{"\nclass ", "\nnamespace ", "\ntemplate <", "\ntemplate<", "public:", "private:", "std::"} {
			if bytes.Contains(head, []byte(mark)) {
				return named("cpp")
			}
		}
	case ".m":
		if bytes.Contains(head, []byte("@interface")) || bytes.Contains(head, []byte("@implementation")) || bytes.Contains(head, []byte("#import")) {
			return named("objective-c")
		}
	case ".v":
		switch {
		case verilogMark.Match(head):
		case coqMark.Match(head):
			return named("coq")
		case vMark.Match(head):
			return named("v")
		}
	case ".rules":
		if !bytes.Contains(head, []byte("==\"")) && !bytes.Contains(head, []byte("LABEL=")) {
			return nil
		}
	}
	return l
}

func byShebang(src []byte) *Language {
	if !bytes.HasPrefix(src, []byte("#!")) {
		return nil
	}
	line, _, _ := bytes.Cut(src[2:min(len(src), 200)], []byte("\n"))
	words := strings.Fields(string(line))
	for i, word := range words {
		program := strings.TrimRight(path.Base(word), "0123456789.")
		if program == "env" || strings.HasPrefix(word, "-") && i > 0 {
			continue
		}
		for j := range languages {
			for _, s := range languages[j].Shebang {
				if s == program {
					return &languages[j]
				}
			}
		}
		return nil
	}
	return nil
}

func named(name string) *Language {
	for i := range languages {
		if languages[i].Name == name {
			return &languages[i]
		}
	}
	return nil
}
