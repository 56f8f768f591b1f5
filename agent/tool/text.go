package tool

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"coauthor/agent/llm"
)

// InText finds the calls in a reply of a model that was told to write them there (TextRules): a line for each at the end,
// or one of the shapes of InShapes. text must be without edits: what stands in an edit is the user's file. It returns
// the text without the calls.
func InText(text string) (calls []llm.Call, rest string) {
	if calls, rest = InShapes(text); len(calls) > 0 {
		return calls, rest
	}
	return inLines(text)
}

// InShapes is InText for a model that is offered tools by its interface. Some write their calls into the reply all the same,
// as JSON (Qwen2.5-Coder, ollama/ollama#12174) or as XML (Qwen3-Coder, anomalyco/opencode#26162), and a call in such a
// shape can be nothing else. A line such as MAP can: nobody has told them of that.
func InShapes(text string) (calls []llm.Call, rest string) { return inShapes(text, looks) }

// inShapes finds the calls of tools that a model wrote in a shape that it was taught; known says which names
// are such tools'.
func inShapes(text string, known func(name string) bool) (calls []llm.Call, rest string) {
	if calls, rest = inXML(text, known); len(calls) > 0 {
		return calls, rest
	}
	return inJSON(text, known)
}

// maxShapes bounds how many calls are looked for in a text.
const maxShapes = 64

var (
	functionTag  = regexp.MustCompile(`<function=([A-Za-z_][\w.-]*)\s*>`)
	parameterTag = regexp.MustCompile(`<parameter=([A-Za-z_][\w-]*)\s*>`)
	wrapTag      = regexp.MustCompile(`(?m)^[ \t]*</?tool_calls?>[ \t]*\n?`)
)

// inXML finds <function=x><parameter=k>v</parameter></function>. The end of the function may be missing at
// the end of the text, where servers stop; that of a parameter may not.
func inXML(text string, known func(name string) bool) (calls []llm.Call, rest string) {
	var kept strings.Builder
	at := 0
	for len(calls) < maxShapes {
		m := functionTag.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		name, body := text[at+m[2]:at+m[3]], text[at+m[1]:]
		args, used, ok := xmlParameters(body)
		if !known(name) || !ok || quoted(text[:at+m[0]]) {
			kept.WriteString(text[at : at+m[1]])
			at += m[1]
			continue
		}
		kept.WriteString(text[at : at+m[0]])
		at += m[1] + used
		raw, err := json.Marshal(args)
		if err != nil {
			continue // strings always can
		}
		calls = append(calls, llm.Call{Name: name, Arguments: string(raw)})
	}
	kept.WriteString(text[at:])
	if len(calls) == 0 {
		return nil, text
	}
	return numbered(calls), strings.TrimSpace(wrapTag.ReplaceAllString(kept.String(), ""))
}

// xmlParameters reads the parameters of a function up to its end.
func xmlParameters(body string) (args map[string]string, used int, ok bool) {
	const endFunction, endParameter = "</function>", "</parameter>"
	args = map[string]string{}
	for {
		rest := body[used:]
		trimmed := strings.TrimLeft(rest, " \t\r\n")
		used += len(rest) - len(trimmed)
		m := parameterTag.FindStringSubmatchIndex(trimmed)
		switch {
		case strings.HasPrefix(trimmed, endFunction):
			return args, used + len(endFunction), true
		case trimmed == "" || strings.HasPrefix(endFunction, trimmed):
			return args, len(body), true
		case m == nil || m[0] != 0:
			return nil, 0, false
		}
		end := strings.Index(trimmed[m[1]:], endParameter)
		if end < 0 {
			return nil, 0, false // it was cut
		}
		args[trimmed[m[2]:m[3]]] = strings.Trim(trimmed[m[1]:m[1]+end], "\r\n")
		used += m[1] + end + len(endParameter)
	}
}

// shape is a call as JSON, in the words of several families of models.
type shape struct {
	Name       string          `json:"name"`
	Tool       string          `json:"tool"`
	Function   json.RawMessage `json:"function"`
	Arguments  json.RawMessage `json:"arguments"`
	Parameters json.RawMessage `json:"parameters"`
	Input      json.RawMessage `json:"input"`
}

// inJSON finds {"name": …, "arguments": …}: in <tool_call>, in a fence, or bare where a paragraph begins
// with it. An object that names no tool is part of the answer.
func inJSON(text string, known func(name string) bool) (calls []llm.Call, rest string) {
	var kept strings.Builder
	at := 0
	for i := 0; i < len(text) && len(calls) < maxShapes; {
		if c := text[i]; c != '{' && c != '[' || !opens(text[:i]) {
			i++
			continue
		}
		d := json.NewDecoder(strings.NewReader(escapeControls(text[i:])))
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			i++
			continue
		}
		end, _ := valueEnd(text[i:])
		end += i
		found := callsOf(raw, known)
		if len(found) == 0 || quoted(text[:i]) {
			i = end
			continue
		}
		calls = append(calls, found...)
		from, to := widened(text, i, end)
		kept.WriteString(text[at:max(from, at)])
		at, i = to, to
	}
	kept.WriteString(text[at:])
	if len(calls) == 0 {
		return nil, text
	}
	return numbered(calls), strings.TrimSpace(kept.String())
}

// opens says whether a call may begin behind this text: at the beginning of a line, behind <tool_call>, or
// behind the comma of another one.
func opens(before string) bool {
	line := strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
	return line == "" || strings.HasSuffix(line, "<tool_call>") || strings.HasSuffix(line, "</tool_call>")
}

// valueEnd returns where the first list or object of a text ends; open says that the text ends before it does.
func valueEnd(text string) (end int, open bool) {
	depth, inString, escaped := 0, false, false
	for i := range len(text) {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1, false
			}
		}
	}
	return len(text), inString || depth > 0
}

// callsOf reads a value as a call, or as a list of calls.
func callsOf(raw json.RawMessage, known func(name string) bool) []llm.Call {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		var calls []llm.Call
		for _, one := range list {
			found := callsOf(one, known)
			if len(found) != 1 {
				return nil
			}
			calls = append(calls, found...)
		}
		return calls
	}
	var s shape
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	name := s.Name
	if name == "" {
		name = s.Tool
	}
	args := s.Arguments
	for _, other := range []json.RawMessage{s.Parameters, s.Input} {
		if args == nil {
			args = other
		}
	}
	if len(s.Function) > 0 && name == "" {
		if json.Unmarshal(s.Function, &name) != nil {
			return callsOf(s.Function, known)
		}
	}
	if !known(name) || args == nil {
		return nil
	}
	return []llm.Call{{Name: name, Arguments: string(args)}}
}

// widened takes in with a call the tags or the fence that hold nothing else.
func widened(text string, from, to int) (int, int) {
	before, after := strings.TrimRight(text[:from], " \t\r\n"), strings.TrimLeft(text[to:], " \t\r\n")
	lead := len(text) - len(after)
	if inner, ok := strings.CutSuffix(before, "<tool_call>"); ok {
		end := to
		if strings.HasPrefix(after, "</tool_call>") {
			end = lead + len("</tool_call>")
		}
		return len(inner), end
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	if strings.HasPrefix(strings.TrimSpace(line), "```") && strings.HasPrefix(after, "```") {
		return len(before) - len(line), lead + len("```")
	}
	return from, to
}

// fenced says whether a text ends within a fence.
func fenced(before string) bool {
	open := false
	for line := range strings.Lines(before) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			open = !open
		}
	}
	return open
}

// quoted says whether what follows a text stands in a fence beside something else: it is an example, or
// part of a file.
func quoted(before string) bool {
	trimmed := strings.TrimSpace(wrapTag.ReplaceAllString(before+"\n", ""))
	return fenced(before) && !strings.HasPrefix(strings.TrimSpace(trimmed[strings.LastIndexByte(trimmed, '\n')+1:]), "```")
}

var (
	callLine = regexp.MustCompile(`^(READ|SEARCH|LIST|SYMBOL|USES|MAP|TREE|DIAGNOSTICS|GIT|CHECK)(?:[ \t]+(.*))?$`)
	// toldLine is a call as results name the next one.
	toldLine = regexp.MustCompile(`^(read|search|list|symbol|uses|map|tree|diagnostics|git|check)[ \t]+(\{.*\})[.]?$`)
)

// lineOf reads a line that is a call: the word of its tool, and what stands behind it.
func lineOf(line string) (word, rest string, ok bool) {
	line = strings.TrimSpace(line)
	m := callLine.FindStringSubmatch(line)
	if m == nil {
		m = toldLine.FindStringSubmatch(line)
	}
	if m == nil {
		return "", "", false
	}
	return m[1], strings.TrimSpace(m[2]), true
}

// inLines finds the calls that stand alone on the last lines of the text, one a line.
func inLines(text string) (calls []llm.Call, rest string) {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	first := len(lines)
	for first > 0 {
		line := strings.TrimSpace(lines[first-1])
		if _, _, is := lineOf(line); line != "" && !is && !strings.HasPrefix(line, "```") {
			break
		}
		first--
	}
	for first < len(lines) {
		if _, _, is := lineOf(lines[first]); is {
			break
		}
		first++ // a fence alone is the end of something else
	}
	if first == len(lines) || len(lines)-first > maxShapes {
		return nil, text
	}
	before := strings.Join(lines[:first], "\n")
	if quoted(before) {
		return nil, text
	}
	for _, line := range lines[first:] {
		if word, rest, is := lineOf(line); is {
			calls = append(calls, lineCall(word, rest))
		}
	}
	before = strings.TrimRight(before, " \t\r\n")
	if fenced(before) {
		before = before[:strings.LastIndex(before, "```")]
	}
	return numbered(calls), strings.TrimSpace(before)
}

// pathWithLines is a path with ranges of lines behind it, such as a.go 10-40, 90-100.
var pathWithLines = regexp.MustCompile(`^(.*?[^ \t:])[ \t:]+(L?\d+(?:-L?\d+)?(?:[ ,;]+L?\d+-L?\d+)*)$`)

// nameAt is a name with the place behind it at which it stands, such as Run src/main.go:12.
var nameAt = regexp.MustCompile(`^(\S+)[ \t]+(?:at[ \t]+)?(\S.*:L?\d+(?::\d+)?)$`)

// lineCall is the call of a line: its words are the arguments that the tool needs most, or an object has all of them, as
// results write the next call.
func lineCall(word, rest string) llm.Call {
	name, args := strings.ToLower(word), map[string]any{}
	if strings.HasPrefix(rest, "{") && json.Valid([]byte(rest)) {
		return llm.Call{Name: name, Arguments: rest}
	}
	if m := nameAt.FindStringSubmatch(rest); m != nil && (name == Symbol || name == Uses) {
		rest, args["at"] = m[1], m[2]
	}
	switch name {
	case Read:
		args["path"] = rest
		if m := pathWithLines.FindStringSubmatch(rest); m != nil {
			args["path"] = m[1]
			if list := spansOf(m[2]); len(list) == 1 {
				args["start"], args["lines"] = list[0].first, list[0].last-list[0].first+1
			} else if len(list) > 1 {
				args["ranges"] = spoken(list)
			}
		}
	case Search:
		args["pattern"] = unquoted(rest)
	case Symbol:
		args["name"] = unquoted(rest)
		if before, ok := strings.CutSuffix(rest, " uses"); ok {
			name, args["name"] = Uses, strings.TrimSpace(before)
		}
	case Uses:
		args["name"] = unquoted(rest)
	case Map:
		args["words"] = rest
	case Git:
		what, path, _ := strings.Cut(rest, " ")
		args["what"] = what
		if what == "show" { // a commit, and perhaps a path
			rev, file, _ := strings.Cut(strings.TrimSpace(path), " ")
			args["rev"], path = rev, file
		}
		args["path"] = strings.TrimSpace(path)
		if i := strings.LastIndexByte(path, ' '); i > 0 {
			if _, _, ok := lineRange(path[i+1:]); ok {
				args["path"], args["lines"] = strings.TrimSpace(path[:i]), path[i+1:]
			}
		}
	case List, Tree, Diagnostics:
		if rest != "" {
			args["path"] = rest
		}
	}
	raw, err := json.Marshal(args)
	if err != nil {
		raw = []byte("{}") // texts and numbers always can
	}
	return llm.Call{Name: name, Arguments: string(raw)}
}

func unquoted(s string) string {
	for _, q := range []string{`"`, "`", "'"} {
		if len(s) > 2 && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[1 : len(s)-1]
		}
	}
	return s
}

// numbered gives each call an id of its own.
func numbered(calls []llm.Call) []llm.Call {
	calls = slices.Clone(calls)
	for i := range calls {
		calls[i].ID = "text" + strings.Repeat("0", 4) + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	return calls
}
