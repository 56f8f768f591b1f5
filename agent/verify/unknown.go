package verify

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"coauthor/edits"
	"coauthor/repomap/syntax"
	"coauthor/repomap/syntax/tag"
)

// bindsNames says whether a file sees only the names that it writes out.
func bindsNames(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts":
		return true
	}
	return false
}

// newUnknownCalls lists the names that the new file of a change calls and does not know, without those of the old one.
func newUnknownCalls(ctx context.Context, c edits.Change) ([]string, error) {
	after, err := unknownCalls(ctx, pathOf(c), c.After)
	if err != nil || len(after) == 0 {
		return nil, err
	}
	before, err := unknownCalls(ctx, c.Path, c.Before)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(after, func(name string) bool { return slices.Contains(before, name) }), nil
}

// brings names into a file without writing them out.
var brings = regexp.MustCompile(`\bimport\s*\*|\b(?:__getattr__|globals|locals|exec|eval|builtins)\b\s*\(`)

// unknownCalls lists the names of which each occurrence in the text is a call, or the object of one.
func unknownCalls(ctx context.Context, file, text string) ([]string, error) {
	if text == "" || brings.MatchString(text) {
		return nil, nil
	}
	tags, err := syntax.Tags(ctx, file, []byte(text))
	if err != nil {
		return nil, fmt.Errorf("find the calls in %s: %w", file, err)
	}
	lines := strings.Split(text, "\n")
	known := map[string]bool{}
	for _, t := range tags {
		if t.Def {
			known[t.Name] = true
		}
	}
	var list []string
	seen := map[string]bool{}
	for _, t := range tags {
		if t.Kind != tag.Call || t.Def || t.Line >= len(lines) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, name := range calledBy(lines[t.Line], t.Name) {
			if seen[name] {
				continue
			}
			seen[name] = true
			if !known[name] && !everywhere[name] && len(name) > 1 && onlyCalled(text, name) {
				list = append(list, name)
			}
		}
	}
	return list, nil
}

// calledBy returns what a line must know for its calls of a name: the name itself, or the object whose
// member it is.
func calledBy(line, name string) []string {
	var list []string
	for _, at := range placesOf(line, name) {
		if !strings.HasPrefix(strings.TrimLeft(line[at+len(name):], " "), "(") {
			continue
		}
		if at == 0 || line[at-1] != '.' {
			list = append(list, name)
			continue
		}
		from := at - 1
		for from > 0 && (isWord(line[from-1]) || line[from-1] == '$') {
			from--
		}
		if from < at-1 && (from == 0 || line[from-1] != '.' && line[from-1] != ')' && line[from-1] != ']') && !digit(line[from]) {
			list = append(list, line[from:at-1])
		}
	}
	return list
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// onlyCalled says whether a name occurs, and each occurrence that is no member of something else is a call
// of it or of its members.
func onlyCalled(text, name string) bool {
	some := false
	for _, at := range placesOf(text, name) {
		before, after := text[:at], text[at+len(name):]
		if object := continued.ReplaceAllString(before[max(0, len(before)-200):], ""); strings.HasSuffix(object, ".") && !strings.HasSuffix(object, "...") {
			continue // a member of something else
		}
		some = true
		if strings.HasSuffix(before, "$") || strings.HasPrefix(after, "$") {
			return false
		}
		words := strings.Fields(before[max(0, len(before)-20):])
		if len(words) > 0 && slices.Contains([]string{"def", "class", "function", "function*", "import", "as", "get", "set", "new"}, words[len(words)-1]) {
			return false
		}
		member := strings.HasPrefix(after, ".") && len(after) > 1 && isWord(after[1])
		if !member && !strings.HasPrefix(after, "(") {
			return false
		}
	}
	return some
}

// continued is the end of a line that the next one continues.
var continued = regexp.MustCompile(`[ \t]*\\\r?\n[ \t]*$`)

// placesOf lists where a name stands as a word of its own, in bytes.
func placesOf(text, name string) []int {
	var list []int
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return list
		}
		i += from
		from = i + len(name)
		if (i == 0 || !isWord(text[i-1])) && (from == len(text) || !isWord(text[from])) {
			list = append(list, i)
		}
	}
}

// everywhere are the names that each Python file may call without an import.
var everywhere = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`
		self cls super abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright
		credits delattr dict dir display divmod enumerate exit filter float format frozenset get_ipython getattr hasattr hash help
		hex id input int isinstance issubclass iter len license list map max memoryview min next object oct open ord pow print property
		quit range repr reversed round set setattr slice sorted staticmethod str sum tuple type vars zip __import__ unicode xrange
		raw_input reload basestring long reduce unichr file cmp execfile intern apply buffer coerce reveal_type
		ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError
		BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError
		DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError
		FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError
		IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError
		NotImplemented NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
		PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration
		StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError
		UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning
		WindowsError ZeroDivisionError Ellipsis None True False
		if elif while for and or not in is return yield await async lambda assert del raise except with match case else from import`) {
		out[name] = true
	}
	return out
}()
