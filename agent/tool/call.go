package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent/llm"
)

// Args are the arguments of a call, each of the type that its parameter has.
type Args map[string]any

// Call is a call that can be run.
type Call struct {
	Tool string
	Args Args
}

// Key names what a call asks for: equal calls have equal keys.
func (c Call) Key() string {
	var b strings.Builder
	b.WriteString(c.Tool)
	for _, name := range slices.Sorted(maps.Keys(c.Args)) {
		fmt.Fprintf(&b, " %s=%q", name, fmt.Sprint(c.Args[name]))
	}
	return b.String()
}

// String is the call in a few words, for the user.
func (c Call) String() string {
	words := []string{c.Tool}
	for _, name := range []string{"what", "rev", "pattern", "name", "at", "words", "path", "glob"} {
		if v := c.Args.text(name); v != "" && (name != "path" || v != ".") {
			words = append(words, v)
		}
	}
	return strings.Join(words, " ")
}

func (a Args) text(name string) string { s, _ := a[name].(string); return s }

// number returns an integer of the arguments, or other where there is none.
func (a Args) number(name string, other int) int {
	if n, ok := a[name].(int); ok {
		return n
	}
	return other
}

// errCut says that a call ended in the middle. What was to follow nobody knows, so it is not run.
var errCut = errors.New("the arguments end in the middle, so nothing was run; send the whole call again")

// Resolve reads a call as a model made it: it finds the tool that is meant and brings the arguments into the
// form that the tool takes. Its error is for the model.
func Resolve(c llm.Call) (Call, error) {
	t, ok := named(c.Name)
	if !ok {
		return Call{}, fmt.Errorf("there is no tool %q; the tools are %s", shorten(c.Name, 60), strings.Join(Names(), ", "))
	}
	raw, err := arguments(c.Arguments)
	if err != nil {
		return Call{Tool: t.Name}, err
	}
	if kind, is := raw["kind"].(string); is && t.Name == Symbol && usesMeant(kind) { // symbol had both once, and models ask it for both
		t, _ = ByName(Uses)
	}
	if t.Name == Git {
		if _, what, is := strings.Cut(strings.ToLower(c.Name), "git_"); is && raw["what"] == nil {
			raw["what"] = what
		}
	}
	args, err := t.args(raw)
	return Call{Tool: t.Name, Args: args}, err
}

// usesMeant says whether a word for what symbol is to show means the uses of a name.
func usesMeant(kind string) bool {
	switch strings.ToLower(strings.TrimSpace(kind)) {
	case "uses", "use", "references", "reference", "usage", "usages", "callers", "calls":
		return true
	}
	return false
}

// others are names by which models call the tools, from the tools they know.
func others() map[string]string {
	return map[string]string{
		"ls": List, "list_dir": List, "list_files": List, "list_directory": List, "listdir": List, "dir": List,
		"directory_tree": Tree, "list_folders": Tree, "folders": Tree,
		"read_file": Read, "readfile": Read, "view": Read, "cat": Read, "open": Read, "open_file": Read, "view_file": Read, "show": Read, "get_file": Read,
		"grep": Search, "rg": Search, "ripgrep": Search, "search_files": Search, "search_code": Search, "grep_search": Search, "find": Search, "searchtext": Search, "search_text": Search,
		"repo_map": Map, "repomap": Map, "outline": Map, "overview": Map,
		"symbols": Symbol, "find_symbol": Symbol, "definition": Symbol, "goto_definition": Symbol, "find_definition": Symbol, "hover": Symbol,
		"references": Uses, "find_references": Uses, "usages": Uses, "find_usages": Uses, "callers": Uses, "find_callers": Uses,
		"run_tests": Check, "test": Check, "run_checks": Check, "verify": Check,
		"problems": Diagnostics, "lint": Diagnostics, "get_diagnostics": Diagnostics, "get_errors": Diagnostics,
		"git_log": Git, "git_diff": Git, "git_show": Git, "git_blame": Git, "git_status": Git, "vcs": Git,
	}
}

// named finds the tool that a name means: exactly, in other letters, with what models put around it, or by
// another name.
func named(raw string) (Tool, bool) {
	return meant(raw, func(name string) (Tool, bool) {
		if t, ok := ByName(name); ok {
			return t, true
		}
		return ByName(others()[name])
	})
}

// looks says whether a name means one of the tools to look around with.
func looks(name string) bool {
	_, ok := named(name)
	return ok
}

// meant finds a tool by a name as models write it.
func meant(raw string, find func(name string) (Tool, bool)) (Tool, bool) {
	name := strings.TrimSpace(raw)
	for range 3 {
		if t, ok := find(name); ok {
			return t, true
		}
		lower := strings.ToLower(name)
		for _, front := range []string{"functions.", "function.", "tools.", "tool.", "default_api.", "default_api:"} {
			lower = strings.TrimPrefix(lower, front)
		}
		end := strings.IndexFunc(lower, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
		if end >= 0 {
			lower = lower[:end]
		}
		name = lower
	}
	return Tool{}, false
}

// arguments reads the JSON of a call. What stands behind the object is no part of it; a string that
// does not end is never closed, because the call would then do what nobody asked for.
func arguments(raw string) (map[string]any, error) {
	text := strings.TrimSpace(raw)
	for range 3 {
		if text == "" || text == "null" {
			return map[string]any{}, nil
		}
		var inner string
		if json.Unmarshal([]byte(text), &inner) != nil {
			break
		}
		text = strings.TrimSpace(inner) // JSON within JSON
	}
	text = escapeControls(text)
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var args map[string]any
	err := d.Decode(&args)
	switch {
	case err == nil && args == nil:
		return map[string]any{}, nil
	case err == nil:
		return args, nil
	}
	if _, open := valueEnd(text); open {
		return nil, errCut
	}
	return nil, fmt.Errorf("the arguments are no JSON object (%w); send the call again with an object such as {\"path\": \"src/main.go\"}", err)
}

// escapeControls escapes line ends and other control characters inside strings, where JSON has none.
func escapeControls(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		return text
	}
	var b strings.Builder
	inString, escaped := false, false
	for i := range len(text) {
		c := text[i]
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		}
		if inString && c < ' ' {
			if escaped { // a line end behind a backslash: the backslash is one
				escaped = false
				b.WriteByte('\\')
			}
			fmt.Fprintf(&b, `\u%04x`, c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// args brings arguments into the form of the parameters. Those that the tool does not know are left out.
func (t Tool) args(raw map[string]any) (Args, error) {
	args := Args{}
	for _, exact := range []bool{true, false} { // a right name before one that models give
		for _, name := range slices.Sorted(maps.Keys(raw)) {
			p, ok := t.parameter(strings.TrimSpace(name))
			if _, taken := args[p.Name]; !ok || taken || (p.Name == name) != exact || raw[name] == nil {
				continue
			}
			v, err := p.value(raw[name])
			if err != nil {
				return nil, err
			}
			args[p.Name] = v
		}
	}
	t.ranges(raw, args)
	for _, p := range t.Parameters {
		if p.Required && args.text(p.Name) == "" && p.Type == "string" {
			return nil, fmt.Errorf("%s needs the argument %q: %s", t.Name, p.Name, p.Doc)
		}
	}
	return args, nil
}

// ranges reads the end of a range of lines where the model gave one.
func (t Tool) ranges(raw map[string]any, args Args) {
	if t.Name != Read {
		return
	}
	for _, name := range []string{"end", "end_line", "endLine", "last", "to", "line_end"} {
		if last, ok := asInt(raw[name]); ok {
			if _, taken := args["lines"]; !taken {
				args["lines"] = max(last-args.number("start", 1)+1, 1)
			}
		}
	}
	for _, name := range []string{"ranges", "lines", "range", "start", "line_range", "line_ranges", "view_range"} { // "10-40", or several of them
		list := spansOf(rangeText(raw[name]))
		switch {
		case len(list) == 0 || !strings.Contains(rangeText(raw[name]), "-"):
			continue
		case len(list) == 1:
			args["start"], args["lines"] = list[0].first, list[0].last-list[0].first+1
			delete(args, "ranges")
		default:
			args["ranges"] = spoken(list)
			delete(args, "start")
			delete(args, "lines")
		}
		return
	}
	delete(args, "ranges")
}

// rangeText writes ranges as text: those of a text, pairs of numbers, and objects with a start and an end.
func rangeText(v any) string {
	list, ok := v.([]any)
	if !ok {
		s, _ := v.(string)
		return s
	}
	if len(list) == 2 {
		first, one := asInt(list[0])
		last, two := asInt(list[1])
		if one && two {
			return span{first, last}.String()
		}
	}
	var words []string
	for _, e := range list {
		if o, ok := e.(map[string]any); ok {
			e = []any{o["start"], o["end"]}
		}
		words = append(words, rangeText(e))
	}
	return strings.Join(words, ", ")
}

// lineRange reads "10-40", or "10" as that line alone.
func lineRange(s string) (first, last int, ok bool) {
	s = strings.Trim(strings.ToUpper(strings.TrimSpace(s)), "L:")
	a, b, two := strings.Cut(s, "-")
	first, err := strconv.Atoi(strings.TrimSpace(a))
	if err != nil || first < 1 {
		return 0, 0, false
	}
	if !two {
		return first, first, true
	}
	last, err = strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(b), "L")))
	return first, last, err == nil && last >= first
}

// value brings a value into the parameter's type.
func (p Parameter) value(v any) (any, error) {
	if p.Type == "boolean" {
		return asBool(p.Name, v)
	}
	if p.Type == "integer" {
		if n, ok := asInt(v); ok {
			return n, nil
		}
		if s, ok := v.(string); ok {
			if first, _, ok := lineRange(s); ok || strings.TrimSpace(s) == "" {
				return first, nil
			}
		}
		if list := spansOf(rangeText(v)); len(list) > 0 { // ranges reads all of it
			return list[0].first, nil
		}
		return nil, fmt.Errorf("%q must be a number, not %s", p.Name, shorten(fmt.Sprint(v), 40))
	}
	s := asText(v)
	if len(p.Enum) > 0 {
		lower := strings.ToLower(strings.TrimSpace(s))
		for _, e := range p.Enum { // definition, usages, git log
			if lower == "" || strings.HasPrefix(lower, e) || strings.HasSuffix(lower, " "+e) {
				return e, nil
			}
		}
		return nil, fmt.Errorf("%q must be one of %s, not %q", p.Name, strings.Join(p.Enum, ", "), shorten(s, 40))
	}
	if p.Name == "path" {
		s = strings.TrimSpace(s)
	}
	return s, nil
}

func asInt(v any) (int, bool) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	default:
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < -1e9 || f > 1e9 {
		return 0, false
	}
	return int(f), true
}

// asText writes any value as text: a list by its elements, also one that came as a string.
func asText(v any) string {
	switch v := v.(type) {
	case string:
		var list []any
		if strings.HasPrefix(strings.TrimSpace(v), "[\"") && json.Unmarshal([]byte(v), &list) == nil {
			return asText(list)
		}
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	case []any:
		var words []string
		for _, e := range v {
			words = append(words, asText(e))
		}
		return strings.Join(words, " ")
	case nil:
		return ""
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(raw)
}

// shorten cuts a text for a message.
func shorten(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
