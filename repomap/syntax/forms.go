package syntax

import (
	"bytes"
	"regexp"
	"slices"

	"coauthor/repomap/syntax/tag"
)

// form is a line that defines what its first group names. Forms are for languages that have no
// grammar, and whose lexer does not tell a definition from a use: they alone say what is defined there.
type form struct {
	kind tag.Kind
	line *regexp.Regexp
}

func is(kind tag.Kind, line string) form { return form{kind, regexp.MustCompile(line)} }

// forms are by the name of the language. Where two match a line, the first one wins.
var forms = map[string][]form{
	"assembly": {is(tag.Macro, `^\s*\.macro\s+(\w+)`), is(tag.Constant, `^\s*\.(?:set|equ)\s+(\w+)`), is(tag.Function, `^([A-Za-z_$][\w.$]*):`)},
	"cmake": {is(tag.Function, `(?i)^\s*function\s*\(\s*(\w+)`), is(tag.Macro, `(?i)^\s*macro\s*\(\s*(\w+)`),
		is(tag.Key, `(?i)^\s*(?:project|add_executable|add_library|add_custom_target)\s*\(\s*([\w.-]+)`), is(tag.Variable, `(?i)^\s*(?:set|option)\s*\(\s*(\w+)`)},
	"coq": {is(tag.Module, `^\s*Module\s+(?:Type\s+|Import\s+|Export\s+)?([A-Za-z_][\w']*)`),
		is(tag.Type, `^\s*(?:(?:Local|Global|Polymorphic)\s+)*(?:Inductive|CoInductive|Variant|Record|Structure)\s+([A-Za-z_][\w']*)`), is(tag.Class, `^\s*Class\s+([A-Za-z_][\w']*)`),
		is(tag.Function, `^\s*(?:(?:Local|Global|Program|Polymorphic|#\[[^\]]*\])\s+)*(?:Theorem|Lemma|Corollary|Proposition|Fact|Remark|Example|Definition|Fixpoint|CoFixpoint|Function|Instance|Ltac|Let)\s+([A-Za-z_][\w']*)`),
		is(tag.Constant, `^\s*(?:Axiom|Parameter|Conjecture|Hypothesis|Variable)\s+([A-Za-z_][\w']*)`)},
	"css": {is(tag.Key, `^\s*((?:[.#][\w-]+|@keyframes\s+[\w-]+|:root))[^;{]*(?:\{|,\s*$)`), is(tag.Variable, `^\s*(--[\w-]+)\s*:`)},
	"erlang": {is(tag.Module, `^-module\(\s*(\w+)`), is(tag.Class, `^-record\(\s*(\w+)`), is(tag.Macro, `^-define\(\s*(\w+)`),
		is(tag.Type, `^-(?:type|opaque)\s+(\w+)`), is(tag.Function, `^([a-z]\w*)\s*\(.*\)\s*(?:when\b.*)?->`)},
	"fortran": {is(tag.Module, `(?i)^\s*(?:module|submodule\s*\([^)]*\)|program)\s+(?:procedure\s+)?(\w+)\s*$`),
		is(tag.Function, `(?i)^\s*(?:(?:pure|impure|elemental|recursive|module|integer|real|logical|complex|character|double\s+precision|type)(?:\s*\([^)]*\))?\s+)*(?:subroutine|function)\s+(\w+)`),
		is(tag.Class, `(?i)^\s*type\s*(?:,[^:]*)?(?:::)?\s*(\w+)\s*$`), is(tag.Interface, `(?i)^\s*(?:abstract\s+)?interface\s+(\w+)`)},
	"haskell": {is(tag.Module, `^module\s+([\w.]+)`), is(tag.Type, `^(?:data|newtype|type)(?:\s+family|\s+instance)?\s+(?:.*=>\s*)?([A-Z][\w']*)`),
		is(tag.Class, `^class\s+(?:.*=>\s*)?([A-Z][\w']*)`), is(tag.Function, `^([a-z_][\w']*)\s*::`), is(tag.Function, `^([a-z_][\w']*)\s[^=|:]*=`)},
	"json":   {is(tag.Key, `^(?: {0,4}|\t{0,1})"([^"\\]{1,80})"\s*:`)},
	"less":   {is(tag.Variable, `^\s*@([\w-]+)\s*:`), is(tag.Function, `^\s*\.([\w-]+)\s*\([^)]*\)\s*(?:when\b.*)?\{`), is(tag.Key, `^\s*([.#][\w-]+)[^;({]*(?:\{|,\s*$)`)},
	"make":   {is(tag.Variable, `^(?:export\s+|override\s+)?(\w+)\s*(?:[:?+!]|::)?=`), is(tag.Macro, `^define\s+([\w.-]+)`), is(tag.Function, `^([\w/%][\w./%-]*)(?:\s+[\w./%-]+)*\s*:(?:[^=]|$)`)},
	"matlab": {is(tag.Class, `^\s*classdef\s*(?:\([^)]*\))?\s*(\w+)`), is(tag.Function, `^\s*function\s+(?:(?:\w+|\[[^\]]*\])\s*=\s*)?([\w.]+)`)},
	"nim": {is(tag.Function, "^\\s*(?:proc|func|method|iterator|converter)\\s+`?(\\w+)"), is(tag.Macro, "^\\s*(?:template|macro)\\s+`?(\\w+)"),
		is(tag.Type, `^\s+(\w+)\*?(?:\[[^\]]*\])?\s*(?:\{\.[^}]*\})?\s*=\s*(?:ref\s+|ptr\s+)?(?:object|enum|tuple|distinct|concept)\b`), is(tag.Constant, `^const\s+(\w+)`)},
	"nix": {is(tag.Function, `^\s{0,4}([A-Za-z_][\w'-]*)\s*=\s*(?:\{[^}]*\}|\w+)\s*:`), is(tag.Variable, `^\s{0,4}([A-Za-z_][\w'.-]*)\s*=`)},
	"objective-c": {is(tag.Class, `^\s*@(?:interface|implementation)\s+(\w+)`), is(tag.Interface, `^\s*@protocol\s+(\w+)\s*(?:<[^>]*>)?\s*$`),
		is(tag.Method, `^\s*[-+]\s*\([^)]*\)\s*(\w+)`), is(tag.Field, `^\s*@property\b.*?(\w+)\s*;`), is(tag.Macro, `^\s*#\s*define\s+(\w+)`),
		is(tag.Function, `^(?:[A-Za-z_][\w<>]*[\s*]+)+(\w+)\s*\([^;]*$`)},
	"pascal": {is(tag.Module, `(?i)^\s*(?:unit|program|library)\s+(\w+)`), is(tag.Class, `(?i)^\s*(\w+)\s*=\s*(?:packed\s+)?(?:class|record|object|interface)\b`),
		is(tag.Function, `(?i)^\s*(?:class\s+)?(?:procedure|function|constructor|destructor|operator)\s+(?:\w+\.)?(\w+)`)},
	"scss": {is(tag.Function, `^\s*@(?:mixin|function)\s+([\w-]+)`), is(tag.Variable, `^\s*\$([\w-]+)\s*:`), is(tag.Key, `^\s*([.#%][\w-]+)[^;{]*(?:\{|,\s*$)`)},
	"udev": {is(tag.Key, `ENV\{([\w.-]+)\}\s*[:+]?=\s*"`), is(tag.Key, `LABEL\s*=\s*"([^"]+)"`), is(tag.Key, `(?:NAME|SYMLINK)\s*[:+]?=\s*"([^"]+)"`)},
	"v": {is(tag.Module, `^module\s+(\w+)`), is(tag.Method, `^(?:pub\s+)?fn\s+\([^)]*\)\s*(\w+)`), is(tag.Function, `^(?:pub\s+)?fn\s+(?:\w+\.)?(\w+)`),
		is(tag.Class, `^(?:pub\s+)?(?:struct|union)\s+(\w+)`), is(tag.Enum, `^(?:pub\s+)?enum\s+(\w+)`), is(tag.Interface, `^(?:pub\s+)?interface\s+(\w+)`),
		is(tag.Type, `^(?:pub\s+)?type\s+(\w+)`), is(tag.Constant, `^(?:pub\s+)?const\s+(\w+)\s*=`)},
	"verilog": {is(tag.Module, "^\\s*(?:module|macromodule|interface|package|program)\\s+(?:automatic\\s+|static\\s+)?(\\w+)"), is(tag.Class, `^\s*(?:virtual\s+)?class\s+(\w+)`),
		is(tag.Function, `^\s*(?:virtual\s+|static\s+)*(?:function|task)\b[^;(]*?(\w+)\s*[;(]`), is(tag.Macro, "^\\s*`define\\s+(\\w+)"), is(tag.Constant, `^\s*(?:localparam|parameter)\b.*?(\w+)\s*=`)},
	"vhdl": {is(tag.Module, `(?i)^\s*(?:entity|package\s+body|package|component|configuration)\s+(\w+)\s*(?:is|of)?\b`), is(tag.Module, `(?i)^\s*architecture\s+(\w+)\s+of\b`),
		is(tag.Function, `(?i)^\s*(?:pure\s+|impure\s+)?(?:function|procedure)\s+(\w+)`), is(tag.Type, `(?i)^\s*(?:sub)?type\s+(\w+)\s+is\b`)},
	"vim": {is(tag.Function, `^\s*fu(?:nc|nction)?!?\s+(?:\w+:)?(?:\w+#)*(\w+)`), is(tag.Variable, `^\s*let\s+[gswbt]:(\w+)\s*=`), is(tag.Function, `^\s*com(?:mand)?!?\s+(?:-\S+\s+)*(\w+)`)},
	"xml": {is(tag.Key, `<[\w.:-]+[^>]*\s(?:name|id|xml:id)\s*=\s*"([^"]{1,80})"`)},
}

// byForm finds what the lines of a file define by their form alone.
func byForm(list []form, src []byte) []tag.Tag {
	var tags []tag.Tag
	seen := map[string]bool{}
	offset := 0
	for number, line := range bytes.Split(src, []byte("\n")) {
		if len(line) > 0 && len(line) < 400 {
			for _, t := range formed(list, line) {
				if key := string(t.Kind) + t.Name; !seen[key] {
					seen[key] = true
					t.Def, t.Line, t.First, t.Last = true, number, number, number
					t.Start, t.End = offset, offset+len(line)
					tags = append(tags, t)
				}
			}
		}
		offset += len(line) + 1
	}
	return tags
}

// formed gives what one line defines: the first form that matches, as often as it does.
func formed(list []form, line []byte) []tag.Tag {
	line = bytes.TrimSuffix(line, []byte("\r"))
	var tags []tag.Tag
	for _, f := range list {
		for _, m := range f.line.FindAllSubmatch(line, 8) {
			if !slices.ContainsFunc(tags, func(t tag.Tag) bool { return t.Name == string(m[1]) }) && !notNames[string(m[1])] {
				tags = append(tags, tag.Tag{Name: string(m[1]), Kind: f.kind})
			}
		}
		if len(tags) > 0 && list[0].kind != tag.Key { // a line of keys may hold several kinds of them
			return tags
		}
	}
	return tags
}

// notNames are words that stand where some forms expect a name.
var notNames = map[string]bool{"if": true, "for": true, "while": true, "switch": true, "return": true, "else": true,
	"where": true, "import": true, "instance": true, "deriving": true, "body": true}

// underlined finds the titles of a document that mark them by the line below.
func underlined(src []byte) []tag.Tag {
	var tags []tag.Tag
	var before []byte
	offset, start := 0, 0
	for number, line := range bytes.Split(src, []byte("\n")) {
		text := bytes.TrimRight(line, " \t\r")
		title := bytes.TrimSpace(before)
		if len(text) >= 3 && len(text) >= len(title) && len(title) > 0 && len(title) < 200 &&
			bytes.IndexByte([]byte("=-~^\"'`#*+.:_"), text[0]) >= 0 && len(bytes.Trim(text, string(text[:1]))) == 0 &&
			len(bytes.Trim(title, string(text[:1]))) > 0 {
			tags = append(tags, tag.Tag{Name: string(title), Kind: tag.Heading, Def: true, Line: number - 1, First: number - 1, Last: number, Start: start, End: offset + len(text)})
		}
		start, before = offset, text
		offset += len(line) + 1
	}
	return tags
}

// word is what counts as a use where nothing is known of a language.
var word = regexp.MustCompile(`[A-Za-z_][\w-]*`)

// wordsOf gives every word of a text as a use.
func wordsOf(src []byte) []tag.Tag {
	var tags []tag.Tag
	for number, line := range bytes.Split(src, []byte("\n")) {
		if len(line) < 400 {
			for _, name := range word.FindAll(line, 100) {
				tags = append(tags, tag.Tag{Name: string(name), Kind: tag.Use, Line: number})
			}
		}
	}
	return tags
}
