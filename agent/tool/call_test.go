package tool_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/llm"
	"coauthor/agent/tool"
)

// TestResolve: which tool and which arguments a call means.
func TestResolve(t *testing.T) {
	for _, x := range []struct{ name, args, want string }{
		{"read", `{"path":"a.go"}`, `read path="a.go"`},
		// names
		{"Read", `{"path":"a"}`, `read path="a"`},
		{"read </parameter", `{"path":"a"}`, `read path="a"`},
		{"functions.read:0", `{"path":"a"}`, `read path="a"`},
		{" read\n", `{"path":"a"}`, `read path="a"`},
		{"default_api.read", `{"path":"a"}`, `read path="a"`},
		{"read_file", `{"path":"a"}`, `read path="a"`},
		{"GREP", `{"pattern":"a"}`, `search pattern="a"`},
		{"list_dir", `{}`, `list`},
		{"write_file", `{"path":"a"}`, `! there is no tool "write_file"; the tools are list, read, search, map, tree, symbol, uses, diagnostics, git, check`},
		{"", `{}`, `! there is no tool ""`},
		{"reader", `{"path":"a"}`, `! there is no tool "reader"`},
		// arguments that are none
		{"list", "", "list"}, {"list", " \n", "list"}, {"list", "null", "list"}, {"list", `""`, "list"}, {"list", `"{}"`, "list"},
		{"read", `"{\"path\":\"a\"}"`, `read path="a"`},
		{"read", ``, `! read needs the argument "path"`},
		{"read", `{"path":null}`, `! read needs the argument "path"`},
		// control characters
		{"search", "{\"pattern\":\"a\nb\tc\"}", `search pattern="a\nb\tc"`},
		{"search", "{\n\t\"pattern\": \"a\"\n}", `search pattern="a"`},
		// garbage behind
		{"read", `{"path":"a"}}`, `read path="a"`},
		{"read", `{"path":"a"}</tool_call> and so on "`, `read path="a"`},
		{"read", `{"path":"a"}{"path":"b"}`, `read path="a"`},
		// cut: never closed
		{"read", `{"path":"a`, `! the arguments end in the middle`},
		{"read", `{"path":"a"`, `! the arguments end in the middle`},
		{"read", `{"path":`, `! the arguments end in the middle`},
		{"read", `{"path":"a\"}`, `! the arguments end in the middle`},
		{"search", `{"pattern":"a}`, `! the arguments end in the middle`},
		// no object
		{"read", `path: a`, `! the arguments are no JSON object`},
		{"read", `["a"]`, `! the arguments are no JSON object`},
		{"read", `{path: "a"}`, `! the arguments are no JSON object`},
		// types
		{"read", `{"path":"a","start":"12","lines":3.0}`, `read lines="3" path="a" start="12"`},
		{"read", `{"path":["a"]}`, `read path="a"`},
		{"read", `{"path":"[\"a\"]"}`, `read path="a"`},
		{"map", `{"words":["one","two"]}`, `map words="one two"`},
		{"search", `{"pattern":12}`, `search pattern="12"`},
		{"search", `{"pattern":true}`, `search pattern="true"`},
		{"read", `{"path":"a","start":"soon"}`, `! "start" must be a number`},
		{"read", `{"path":"a","start":[1]}`, `! "start" must be a number`},
		{"symbol", `{"name":"x","kind":"definition"}`, `symbol name="x"`},
		{"symbol", `{"name":"x","kind":"references"}`, `uses name="x"`},
		{"find_references", `{"symbol":"x"}`, `uses name="x"`},
		{"git", `{"what":"git log"}`, `git what="log"`},
		{"git", `{"what":"push"}`, `! "what" must be one of log, diff, show, blame, status`},
		{"git_show", `{"commit":"HEAD~1"}`, `git rev="HEAD~1" what="show"`},
		{"git_status", `{}`, `git what="status"`},
		{"git", `{}`, `! git needs the argument "what"`},
		// other names of arguments, the right one first
		{"read", `{"file_path":"a","start_line":5,"end_line":9}`, `read lines="5" path="a" start="5"`},
		{"read", `{"path":"a","lines":"5-9"}`, `read lines="5" path="a" start="5"`},
		{"read", `{"path":"a","ranges":"5-9"}`, `read lines="5" path="a" start="5"`},
		{"read", `{"path":"a","ranges":"90-95, 5-9"}`, `read path="a" ranges="5-9, 90-95"`},
		{"read", `{"path":"a","lines":["5-9","90-95"]}`, `read path="a" ranges="5-9, 90-95"`},
		{"read", `{"path":"a","view_range":[5,9]}`, `read lines="5" path="a" start="5"`},
		{"read", `{"path":"a","ranges":[[5,9],[90,95]]}`, `read path="a" ranges="5-9, 90-95"`},
		{"read", `{"path":"a","ranges":[{"start":5,"end":9},{"start":90,"end":95}]}`, `read path="a" ranges="5-9, 90-95"`},
		{"read", `{"path":"a","ranges":"the middle"}`, `read path="a"`},
		{"read", `{"file":"b","path":"a"}`, `read path="a"`},
		{"search", `{"query":"x","include":"*.go"}`, `search glob="*.go" pattern="x"`},
		{"read", `{"path":"a","explanation":"why"}`, `read path="a"`},
	} {
		c, err := tool.Resolve(llm.Call{Name: x.name, Arguments: x.args})
		got := c.Key()
		if err != nil {
			got = "! " + err.Error()
		}
		if refused := strings.HasPrefix(x.want, "! "); refused && !strings.HasPrefix(got, x.want) || !refused && got != x.want {
			t.Errorf("%s %s: got %s, want %s", x.name, x.args, got, x.want)
		}
	}
}

// TestInText: which calls a text holds, and what is left of it.
func TestInText(t *testing.T) {
	for what, x := range map[string]struct {
		text string
		want []string
		rest string
	}{
		"lines":                  {"I look.\n\nREAD a/b.go 120-180\nSEARCH two words\nLIST src\nSYMBOL Run\n", []string{`read {"lines":61,"path":"a/b.go","start":120}`, `search {"pattern":"two words"}`, `list {"path":"src"}`, `symbol {"name":"Run"}`}, "I look."},
		"the other lines":        {"CHECK\nMAP parser tree\nTREE\nTREE src\nDIAGNOSTICS\nGIT show HEAD~1 a b.go\nGIT blame a.go 3-9\nUSES T.Do\nSYMBOL Run uses", []string{`check {}`, `map {"words":"parser tree"}`, `tree {}`, `tree {"path":"src"}`, `diagnostics {}`, `git {"path":"a b.go","rev":"HEAD~1","what":"show"}`, `git {"lines":"3-9","path":"a.go","what":"blame"}`, `uses {"name":"T.Do"}`, `uses {"name":"Run"}`}, ""},
		"quotes":                 {"SEARCH \"two words\"", []string{`search {"pattern":"two words"}`}, ""},
		"a place of a name":      {"SYMBOL Run src/a b.go:12\nUSES Run at src/a.go:L7:3\nUSES ns::Run", []string{`symbol {"at":"src/a b.go:12","name":"Run"}`, `uses {"at":"src/a.go:L7:3","name":"Run"}`, `uses {"name":"ns::Run"}`}, ""},
		"the next call as told":  {"I go on.\n\nuses {\"name\": \"Run\", \"offset\": 20}.\nSEARCH {\"pattern\": \"x{2}\", \"path\": \"src\"}\nSEARCH {x}", []string{`uses {"name": "Run", "offset": 20}`, `search {"pattern": "x{2}", "path": "src"}`, `search {"pattern":"{x}"}`}, "I go on."},
		"a told call in a text":  {"Then read {\"path\": \"a\"}", nil, "Then read {\"path\": \"a\"}"},
		"ranges":                 {"READ a b.go 5-9, 90-95", []string{`read {"path":"a b.go","ranges":"5-9, 90-95"}`}, ""},
		"a path with blanks":     {"READ my file.txt 3", []string{`read {"lines":1,"path":"my file.txt","start":3}`}, ""},
		"lines in a fence":       {"I look.\n```\nREAD a.go\n```\n", []string{`read {"path":"a.go"}`}, "I look."},
		"not at the end":         {"READ a.go\nand then I will see.", nil, "READ a.go\nand then I will see."},
		"in a sentence":          {"You should READ a.go", nil, "You should READ a.go"},
		"small letters":          {"read a.go", nil, "read a.go"},
		"an example":             {"```sql\nselect 1\nREAD ONLY\n```", nil, "```sql\nselect 1\nREAD ONLY\n```"},
		"bare JSON":              {`{"name": "read", "arguments": {"path": "a.go"}}`, []string{`read {"path": "a.go"}`}, ""},
		"JSON behind words":      {"I look.\n\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.go\"}}", []string{`read {"path": "a.go"}`}, "I look."},
		"JSON in a fence":        {"I look.\n```json\n{\"name\": \"grep\", \"arguments\": {\"pattern\": \"x\"}}\n```\n", []string{`grep {"pattern": "x"}`}, "I look."},
		"in tool_call":           {"<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.go\"}}\n</tool_call>\n<tool_call>\n{\"name\": \"list\", \"arguments\": {}}\n</tool_call>", []string{`read {"path": "a.go"}`, `list {}`}, ""},
		"tool_call without end":  {"<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"a.go\"}}", []string{`read {"path": "a.go"}`}, ""},
		"a list":                 {`[{"name": "read", "arguments": {"path": "a"}}, {"name": "read", "parameters": {"path": "b"}}]`, []string{`read {"path": "a"}`, `read {"path": "b"}`}, ""},
		"a function":             {`{"type": "function", "function": {"name": "read", "arguments": {"path": "a"}}}`, []string{`read {"path": "a"}`}, ""},
		"arguments as a string":  {`{"name": "read", "arguments": "{\"path\": \"a\"}"}`, []string{`read "{\"path\": \"a\"}"`}, ""},
		"cut JSON":               {`{"name": "read", "arguments": {"path": "a`, nil, `{"name": "read", "arguments": {"path": "a`},
		"other JSON":             {"The settings are:\n{\"name\": \"demo\", \"arguments\": {}}", nil, "The settings are:\n{\"name\": \"demo\", \"arguments\": {}}"},
		"JSON without arguments": {`{"name": "read"}`, nil, `{"name": "read"}`},
		"JSON of a file":         {"```json\n{\n  \"calls\": [\n{\"name\": \"read\", \"arguments\": {}}\n]}\n```", nil, "```json\n{\n  \"calls\": [\n{\"name\": \"read\", \"arguments\": {}}\n]}\n```"},
		"XML":                    {"I look.\n<function=read>\n<parameter=path>\na.go\n</parameter>\n<parameter=start>5</parameter>\n</function>", []string{`read {"path":"a.go","start":"5"}`}, "I look."},
		"XML in tool_call":       {"<tool_call>\n<function=list>\n</function>\n</tool_call>", []string{`list {}`}, ""},
		"several of XML":         {"<function=list></function>\n<function=read><parameter=path>a</parameter></function>", []string{`list {}`, `read {"path":"a"}`}, ""},
		"XML at its stop word":   {"<function=read><parameter=path>a</parameter></function", []string{`read {"path":"a"}`}, ""},
		"XML without an end":     {"<function=read><parameter=path>a</parameter>\n", []string{`read {"path":"a"}`}, ""},
		"cut XML":                {"<function=read><parameter=path>a", nil, "<function=read><parameter=path>a"},
		"XML of no tool":         {"<function=run><parameter=x>a</parameter></function>", nil, "<function=run><parameter=x>a</parameter></function>"},
		"XML in an example":      {"```xml\n<a/>\n<function=list></function>\n```", nil, "```xml\n<a/>\n<function=list></function>\n```"},
		"nothing":                {"The answer is 42.", nil, "The answer is 42."},
		"empty":                  {"", nil, ""},
	} {
		calls, rest := tool.InText(x.text)
		var got []string
		ids := map[string]bool{}
		for _, c := range calls {
			got = append(got, c.Name+" "+c.Arguments)
			ids[c.ID] = true
		}
		if diff := cmp.Diff(x.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		if rest != x.rest || len(ids) != len(calls) {
			t.Errorf("%s: left %q, ids %v", what, rest, ids)
		}
	}
}

// TestOffer: every tool has a schema whose arguments are read, and a name of its own.
func TestOffer(t *testing.T) {
	list := tool.Offer()
	if list[0].Name != "list" || list[len(list)-1].Name != "check" {
		t.Errorf("%+v", list)
	}
	names := map[string]bool{}
	for _, o := range list {
		if names[o.Name] {
			t.Errorf("two tools are called %s", o.Name)
		}
		names[o.Name] = true
		if o.Description == "" || !strings.Contains(string(o.Schema), `"type":"object"`) {
			t.Errorf("%s: %s", o.Name, o.Schema)
		}
	}
}

// TestRepeats: what is done with a call that comes again.
func TestRepeats(t *testing.T) {
	call := func(path string) tool.Call { return tool.Call{Tool: "read", Args: tool.Args{"path": path}} }
	for what, x := range map[string]struct {
		calls string // a letter for each call; - for a change of the files
		want  []tool.Verdict
	}{
		"the same":      {"aaaa", []tool.Verdict{tool.New, tool.Same, tool.Nudge, tool.GiveUp}},
		"others":        {"abcd", []tool.Verdict{tool.New, tool.New, tool.New, tool.New}},
		"between":       {"abcada", []tool.Verdict{tool.New, tool.New, tool.New, tool.Same, tool.New, tool.Nudge}},
		"in turn":       {"ababab", []tool.Verdict{tool.New, tool.New, tool.Same, tool.Same, tool.Nudge, tool.GiveUp}},
		"files changed": {"aa-aa", []tool.Verdict{tool.New, tool.Same, tool.New, tool.Same}},
	} {
		var r tool.Repeats
		tree, i := "1", 0
		for _, letter := range x.calls {
			if letter == '-' {
				tree += "1"
				continue
			}
			if got := r.See(call(string(letter)), tree); got != x.want[i] {
				t.Errorf("%s: call %d: %s, want %s", what, i+1, got, x.want[i])
			}
			i++
		}
	}
	var r tool.Repeats
	r.See(call("a"), "")
	r.Forget(call("a"), "")
	if got := r.See(call("a"), ""); got != tool.New {
		t.Errorf("after it was forgotten: %s", got)
	}
	for i, bad := range []bool{true, true, false, true, true, true} {
		if r.Ran(bad) != (i == 5) {
			t.Errorf("call %d: three bad calls running end it, and only those", i+1)
		}
	}
}

// FuzzResolve: no call makes it fail, and what is resolved has what its tool needs.
func FuzzResolve(f *testing.F) {
	f.Add("read", `{"path":"a","start":"3-9"}`)
	f.Add("functions.search:1", "{\"pattern\":\"a\nb\"} x")
	f.Fuzz(func(t *testing.T, name, args string) {
		c, err := tool.Resolve(llm.Call{Name: name, Arguments: args})
		if _, ok := tool.ByName(c.Tool); err == nil && !ok {
			t.Errorf("%+v", c)
		}
	})
}

// FuzzInText: whatever a model writes, each call has an id of its own, and a text without calls is
// left as it is.
func FuzzInText(f *testing.F) {
	f.Add("READ a 1-2\n")
	f.Add("```json\n{\"name\": \"read\", \"arguments\": {}}\n```")
	f.Add("<tool_call><function=read><parameter=path>a</parameter></function></tool_call>")
	f.Fuzz(func(t *testing.T, text string) {
		calls, rest := tool.InText(text)
		ids := map[string]bool{}
		for _, c := range calls {
			ids[c.ID] = true
		}
		if len(ids) != len(calls) || len(calls) == 0 && rest != text || len(rest) > len(text) {
			t.Errorf("%d calls, left %q", len(calls), rest)
		}
	})
}
