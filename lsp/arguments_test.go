package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"coauthor/agent/command"
	"coauthor/agent/command/arg"
	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
	"coauthor/lsp/client"
)

// argsOf returns the fields of a command.
func argsOf(t testing.TB, id string) []command.Arg {
	t.Helper()
	a, ok := command.ActionOf(pipeline.Actions(), command.CommandPrefix+id)
	if !ok {
		t.Fatalf("there is no command %s", id)
	}
	return a.Args
}

// reads says whether a command reads a field: a value of a wrong type is an error then.
func reads(c *commandCall, row []command.Arg, field command.Arg) bool {
	wrong := `{}`
	if field.Type == "range" {
		wrong = `"x"`
	}
	err := c.read([]json.RawMessage{fmt.Appendf(nil, `{%q:%s}`, field.Name, wrong)}, row)
	return err != nil && strings.HasPrefix(err.Error(), "invalid argument "+field.Name+":")
}

// TestEveryCommandHasItsFunction: the table of agent and that of the functions name the same commands,
// and every field of the one is read by the other.
func TestEveryCommandHasItsFunction(t *testing.T) {
	rows := newServer(t.Context(), bare()).table.rows
	var ids []string
	for _, action := range pipeline.Actions() {
		ids = append(ids, action.ID)
		if rows[action.ID].run == nil {
			t.Errorf("%s has no function", action.ID)
			continue
		}
		var bare []string
		names := map[string]string{}
		for _, arg := range action.Args {
			if !reads(&commandCall{row: rows[action.ID]}, action.Args, arg) {
				t.Errorf("%s: nothing reads the field %s", action.ID, arg.Name)
			}
			for _, name := range append([]string{arg.Name}, arg.Also...) {
				if other, twice := names[name]; twice {
					t.Errorf("%s: %s stands for %s and for %s", action.ID, name, other, arg.Name)
				}
				names[name] = arg.Name
			}
			if arg.Bare {
				bare = append(bare, arg.Name)
			}
			if arg.Type == "string[]" && arg.Bare {
				continue // its words are names
			}
			if arg.Type != "string" && (arg.Bare || arg.Values != nil || arg.Setting != "") {
				t.Errorf("%s: %s is no string", action.ID, arg.Name)
			}
			if arg.Setting != "" && !slices.ContainsFunc(settings.Rows(), func(r settings.Row) bool { return r.Name == arg.Setting && r.Type == settings.Enum }) {
				t.Errorf("%s: %s is no setting with names for values", action.ID, arg.Setting)
			}
		}
		if len(bare) > 1 {
			t.Errorf("%s: plain strings are %s", action.ID, strings.Join(bare, " and "))
		}
	}
	slices.Sort(ids)
	if d := cmp.Diff(ids, slices.Sorted(maps.Keys(rows))); d != "" {
		t.Errorf("commands (-table +functions):\n%s", d)
	}
}

// TestClientIsAnEditor: the setting client.name may have the name of every profile, and no other.
func TestClientIsAnEditor(t *testing.T) {
	want := append([]string{"auto"}, client.Profiles()...)
	slices.Sort(want)
	for _, r := range settings.Rows() {
		if r.Name == "client.name" {
			if d := cmp.Diff(want, slices.Sorted(slices.Values(r.Enum))); d != "" {
				t.Errorf("client (-profiles +setting):\n%s", d)
			}
			return
		}
	}
	t.Error("there is no setting client.name")
}

// TestClientByEnvironment: the environment names the profile of a client that says nothing, and stands
// above what it says; both spellings of the settings are read.
func TestClientByEnvironment(t *testing.T) {
	for _, c := range []struct{ options, env, want string }{
		{`null`, "", "generic"},
		{`null`, "helix", "helix"},
		{`{"client":"kakoune"}`, "", "kakoune"},
		{`{"client":"kakoune"}`, "helix", "helix"},
		{`{"coauthor":{"client":"kakoune"}}`, "", "kakoune"},
		{`{"coauthor.client":"kakoune"}`, "", "kakoune"},
		{`{"client.name":"kakoune"}`, "", "kakoune"},
		{`{"client":{"name":"kakoune","quirks":{"noProgress":true}}}`, "", "kakoune"},
		{`{"settings":{"coauthor":{"client":"kakoune"}}}`, "", "kakoune"},
		{`{"client":"nonsense"}`, "", "generic"},
		{`{"client":"kakoune"}`, "nonsense", "kakoune"},
	} {
		r := newModelHarness(t, nil, func(o *Options) {
			o.Env = func(name string) string { return map[string]string{"COAUTHOR_CLIENT": c.env}[name] }
		})
		r.initialize(`{}`, c.options)
		if got := r.s.client.Quirks.Client; got != c.want {
			t.Errorf("%s, %q in the environment: %s, not %s", c.options, c.env, got, c.want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ command, in, want string }{
		{"edit", ``, ``},
		{"edit", `"rename it"`, `instruction "rename it"`},
		{"edit", `"rename","it"`, `instruction "rename it"`},
		{"edit", `{"instruction":" x "}`, `instruction "x"`},
		{"edit", `{"uri":"file:///a"},"do","it"`, `uri "file:///a" instruction "do it"`},
		{"edit", `"do it",{"textDocument":{"uri":"file:///a"}}`, `uri "file:///a" instruction "do it"`},
		{"edit", `null,["nested",["words"]]`, `instruction "nested words"`},
		{"edit", `[{"uri":"file:///a"},"nested"]`, `uri "file:///a" instruction "nested"`},
		{"edit", `{"text":"t"}`, `instruction "t"`},
		{"edit", `{"text":"t","instruction":"i"},"bare"`, `instruction "i"`},
		{"edit", `{"text":"t","instruction":""}`, `instruction "t"`},
		{"edit", `42`, `instruction "42"`},
		{"edit", `{"uri":"file:///a"},{"uri":"file:///b"}`, `uri "file:///b"`},
		{"edit", `{"uri":"","textDocument":{"uri":"file:///a"}}`, `uri "file:///a"`},
		{"edit", `{"uri":"file:///a","textDocument":{"uri":"file:///b"}}`, `uri "file:///a"`},
		{"edit", `{"textDocument":7}`, ``},
		{"edit", `{"textDocument":null}`, ``},
		{"edit", `{"files":["a","b"],"file":"c"}`, `files ["a" "b" "c"]`},
		{"edit", `{"files":"a"}`, `files ["a"]`},
		{"edit", `{"readOnly":["a"]}`, `readOnly ["a"]`},
		{"edit", `{"format":"diff","preview":"none","model":" m "}`, `format "diff" model "m" preview "none"`},
		{"edit", `{"editFormat":"whole"}`, `format "whole"`},
		{"edit", `{"format":"nonsense"}`, `! format cannot be "nonsense"; choose one of: auto, diff`},
		{"edit", `{"preview":"nonsense"}`, `! preview cannot be "nonsense"; choose one of: auto`},
		{"edit", `{"files":[1]}`, `! invalid argument files`},
		{"edit", `{"instruction":1}`, `! invalid argument instruction`},
		{"edit", `["x",{"text":[]}]`, `! invalid argument text`},
		{"edit", `{"kind":1,"hunks":"x","revision":"y","turnId":"t"}`, ``}, // none of its fields
		{"ask", `{"format":"diff","instruction":"why"}`, `instruction "why"`},
		{"apply", `{"hunks":"x"}`, `! invalid argument hunks`},
		{"apply", `{"hunks":[1,2],"file":"a","revision":3,"turnId":"t","proposalId":"p"}`, `files ["a"] turnId "t" proposalId "p" revision '\x03' hunks ['\x01' '\x02']`},
		{"apply", `"words"`, ``},
		{"answer", `"yes","please"`, `text "yes please"`},
		{"answer", `{"instruction":"yes"}`, `text "yes"`},
		{"answer", `{"choice":"add","questionId":"q","text":" own "}`, `text "own" questionId "q" choice "add"`},
		{"openPrompt", `"ask"`, `kind "ask"`},
		{"openPrompt", `{"kind":"followUp"}`, `kind "followUp"`},
		{"openPrompt", `"make","tea"`, `! kind cannot be "make tea"; choose one of: edit, `},
		{"showRepoMap", `"where is it",{"tokens":5,"refresh":true}`, `instruction "where is it" tokens '\x05' refresh %!q(bool=true)`},
		{"showPending", `{"format":"files"}`, `format "files"`},
		{"showPending", `{"format":"whole"}`, `! format cannot be "whole"; choose one of: diff, files`},
		{"status", `{"uri":"file:///a","turnId":"t"}`, `uri "file:///a"`},
	} {
		var list []json.RawMessage
		if err := json.Unmarshal([]byte("["+c.in+"]"), &list); err != nil {
			t.Fatal(err)
		}
		into := map[string]any{
			"edit": &command.EditArgs{}, "ask": &command.EditArgs{}, "apply": &command.Selector{}, "answer": &command.AnswerArgs{},
			"openPrompt": &command.OpenPromptArgs{}, "showRepoMap": &command.RepoMapArgs{}, "showPending": &command.ShowPendingArgs{}, "status": &command.Folder{},
		}[c.command]
		var place placeArgs
		err := errors.Join(arg.Decode(list, argsOf(t, c.command), &place), arg.Decode(list, argsOf(t, c.command), into))
		if want, fails := strings.CutPrefix(c.want, "! "); fails {
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s %s: %v, not %s", c.command, c.in, err, want)
			}
			continue
		}
		var got []string
		values := arg.Values(into)
		maps.Copy(values, arg.Values(&place))
		for _, name := range []string{"uri", "instruction", "text", "files", "readOnly", "format", "model", "preview", "kind",
			"turnId", "proposalId", "revision", "hunks", "questionId", "choice", "tokens", "refresh"} {
			if v, is := values[name]; is {
				got = append(got, fmt.Sprintf("%s %q", name, v))
			}
		}
		if got := strings.Join(got, " "); err != nil || got != c.want {
			t.Errorf("%s %s: %s, %v, not %s", c.command, c.in, got, err, c.want)
		}
	}
}

func FuzzArguments(f *testing.F) {
	f.Add([]byte(`[{"uri":"x","range":{"start":{"line":1}},"diagnostics":true},"a",[["b"]]]`))
	f.Add([]byte(`[{"textDocument":{"uri":3},"file":[],"format":"x"}]`))
	rows := newServer(f.Context(), bare()).table.rows
	f.Fuzz(func(t *testing.T, raw []byte) {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			return
		}
		for _, action := range pipeline.Actions() {
			c := &commandCall{row: rows[action.ID]}
			if err := c.read(list, action.Args); err != nil || action.Run == nil {
				continue
			}
			args, err := action.Read(list)
			if err != nil {
				t.Errorf("%s was read and was not: %v", action.ID, err)
			}
			values := arg.Values(args)
			for _, field := range action.Args {
				if text, _ := values[field.Name].(string); field.Values != nil && text != "" && !slices.Contains(field.Values, text) {
					t.Errorf("%s: %s is %q", action.ID, field.Name, text)
				}
			}
		}
	})
}

// What was pasted comes with its bytes, and of its name no folder counts.
func TestPastedPicturesAreRead(t *testing.T) {
	read := func(given string) (args command.EditArgs, err error) {
		err = arg.Decode([]json.RawMessage{json.RawMessage(given)}, argsOf(t, "ask"), &args)
		return args, err
	}
	a, err := read(`{"instruction":"What is it?","pictures":[{"name":"/tmp/a.png","data":"AAE="}]}`)
	if got := a.Pictures.Asked(); err != nil || len(got) != 1 || got[0].Name != "a.png" || string(got[0].Data) != "\x00\x01" {
		t.Errorf("%v, %+v", err, got)
	}
	if _, err := read(`{"pictures":[{"name":"a.png","data":"no base64!"}]}`); err == nil {
		t.Error("what is no base64 was taken")
	}
}
