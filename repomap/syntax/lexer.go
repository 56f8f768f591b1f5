package syntax

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"coauthor/repomap/syntax/tag"
)

// lexical finds tags without a grammar: what the lexer calls the name of a function or class, or a
// name right after a word that declares, is a definition, but for languages that have forms; every
// other name is a reference. Where there is no lexer, or it finds no definition, the plain scanner
// adds its own. Where only definitions are wanted and forms find them, the lexer, which is slow, is not
// asked.
func lexical(ctx context.Context, l *Language, src []byte, want scope) ([]tag.Tag, error) {
	var tags []tag.Tag
	list, formed := forms[l.Name]
	if l.Lexer != "" && !l.Prose && (!formed || want != definitions) {
		var err error
		if tags, err = lex(ctx, l, src); err != nil {
			return nil, err
		}
	}
	if len(tags) == 0 && !l.Prose && want != definitions { // no lexer, or one that knows words of the language alone
		tags = wordsOf(src)
	}
	if formed {
		tags = slices.DeleteFunc(tags, func(t tag.Tag) bool { return t.Def })
		return withEnds(append(tags, byForm(list, src)...), src), ctx.Err()
	}
	if l.Name == "rst" {
		return underlined(src), ctx.Err()
	}
	for _, t := range tags {
		if t.Def {
			return withEnds(tags, src), nil
		}
	}
	return withEnds(append(tags, plain(l, src)...), src), ctx.Err()
}

func lex(ctx context.Context, l *Language, src []byte) ([]tag.Tag, error) {
	lexer := lexerOf(l.Lexer)
	if lexer == nil {
		return nil, nil
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, strings.ToValidUTF8(string(src), "?"))
	if err != nil {
		return nil, nil //nolint:nilerr // the plain scanner still reads it
	}
	var tags []tag.Tag
	line, offset, count := 0, 0, 0
	var before string // the last word that declares, while only blanks and modifiers followed it
	for token := tokens(); token != chroma.EOF; token = tokens() {
		if count++; count&4095 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		value := strings.TrimSpace(token.Value)
		if t, ok := lexTag(token.Type, value, before, l); ok {
			at := offset + strings.Index(token.Value, value)
			t.Line = line + strings.Count(token.Value[:strings.Index(token.Value, value)], "\n")
			t.First, t.Last, t.Start, t.End = t.Line, t.Line, at, at+len(value)
			if !t.Def {
				t.First, t.Last, t.Start, t.End = 0, 0, 0, 0
			}
			tags = append(tags, t)
		}
		before = declaring(token.Type, value, before)
		line += strings.Count(token.Value, "\n")
		offset += len(token.Value)
	}
	return tags, nil
}

// lexerOf finds a lexer. The library looks through all file name patterns of all lexers each time.
func lexerOf(name string) chroma.Lexer {
	once, ok := found.Load(name)
	if !ok {
		once, _ = found.LoadOrStore(name, sync.OnceValue(func() chroma.Lexer { return lexers.Get(name) }))
	}
	return once.(func() chroma.Lexer)()
}

var found sync.Map // name -> func() chroma.Lexer

func lexTag(typ chroma.TokenType, value, before string, l *Language) (tag.Tag, bool) {
	if value == "" || len(value) > maxName {
		return tag.Tag{}, false
	}
	name := strings.Trim(value, "\"'`:@#$*&()[]{}.,; ")
	t := tag.Tag{Name: name, Def: true}
	switch {
	case typ == chroma.NameFunction, typ == chroma.NameFunctionMagic:
		t.Kind = tag.Function
		if kind, ok := declares[before]; ok {
			t.Kind = kind
		} else if before == "" && !definesWithoutWord[l.Name] {
			t.Def, t.Kind = false, tag.Call // many lexers call a called function so
		}
	case typ == chroma.NameClass:
		t.Kind = tag.Class
		if kind, ok := declares[before]; ok {
			t.Kind = kind
		} else if before == "" {
			t.Def, t.Kind = false, tag.Use
		}
	case typ == chroma.KeywordType && declares[before] == "":
		return tag.Tag{}, false // int, string
	case typ.InCategory(chroma.Name), typ == chroma.KeywordType:
		if kind, ok := declares[before]; ok {
			t.Kind = kind
			break
		}
		t.Def, t.Kind = false, tag.Use
	default:
		return tag.Tag{}, false
	}
	return t, t.Name != "" && !strings.ContainsAny(t.Name, " \t\n")
}

// definesWithoutWord are languages whose functions begin with their name alone.
var definesWithoutWord = map[string]bool{
	"c": true, "cpp": true, "arduino": true, "d": true, "java": true, "csharp": true, "haskell": true,
	"erlang": true, "assembly": true, "make": true, "dart": true, "less": true,
}

// declares maps the words that stand before a name they define.
var declares = map[string]tag.Kind{
	"function": tag.Function, "func": tag.Function, "fun": tag.Function, "fn": tag.Function, "def": tag.Function,
	"defn": tag.Function, "defn-": tag.Function, "defp": tag.Function, "defun": tag.Function, "define": tag.Function,
	"sub": tag.Function, "proc": tag.Function, "procedure": tag.Function, "subroutine": tag.Function, "be": tag.Method,
	"method": tag.Method, "defmethod": tag.Method, "defgeneric": tag.Method, "constructor": tag.Method, "new": tag.Method,
	"predicate": tag.Function, "modifier": tag.Function, "event": tag.Function, "macro": tag.Macro, "defmacro": tag.Macro,
	"macro_rules": tag.Macro, "class": tag.Class, "struct": tag.Class, "record": tag.Class, "object": tag.Class,
	"actor": tag.Class, "contract": tag.Class, "library": tag.Class, "union": tag.Class, "classdef": tag.Class,
	"defclass": tag.Class, "defstruct": tag.Class, "defrecord": tag.Class, "deftype": tag.Type, "impl": tag.Class,
	"extension": tag.Class, "mixin": tag.Class, "interface": tag.Interface, "trait": tag.Interface, "protocol": tag.Interface,
	"defprotocol": tag.Interface, "type": tag.Type, "typedef": tag.Type, "newtype": tag.Type, "data": tag.Type,
	"enum": tag.Enum, "module": tag.Module, "defmodule": tag.Module, "namespace": tag.Module, "package": tag.Module,
	"ns": tag.Module, "program": tag.Module, "const": tag.Constant, "val": tag.Constant, "let": tag.Variable,
	"var": tag.Variable, "defvar": tag.Variable, "defparameter": tag.Variable, "defcustom": tag.Variable,
	"primitive": tag.Class, "service": tag.Class, "message": tag.Class, "rpc": tag.Method, "resource": tag.Key,
	"variable": tag.Key, "output": tag.Key, "table": tag.Type, "view": tag.Type, "target": tag.Key,
}

// declaring follows the tokens: blanks, modifiers and brackets do not end a declaration's head.
func declaring(typ chroma.TokenType, value, before string) string {
	lower := strings.ToLower(value)
	switch {
	case value == "":
		return before
	case declares[lower] != "" && !typ.InCategory(chroma.Comment) && !typ.InCategory(chroma.Literal):
		return lower
	case modifiers[lower], value == "(" && (before == "func" || before == "define"), value == "!":
		return before
	}
	return ""
}

var modifiers = map[string]bool{
	"public": true, "pub": true, "private": true, "static": true, "async": true, "final": true, "abstract": true,
	"mutable": true, "mut": true, "rec": true, "inline": true, "comptime": true, "export": true, "unsafe": true,
	"ref": true, "box": true, "iso": true, "tag": true, "trn": true, "opaque": true, "partial": true, "sealed": true,
}
