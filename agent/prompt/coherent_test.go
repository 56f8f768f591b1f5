package prompt_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"coauthor/agent/coder"
	"coauthor/agent/llm"
	"coauthor/agent/model"
	"coauthor/agent/prompt"
	"coauthor/agent/strategy"
	"coauthor/agent/tool"
	"coauthor/edits"
	"coauthor/edits/formats"
)

// whole is a prompt for a coder, a model and an edit format, put together as a turn does it.
type whole struct {
	strategy.Strategy
	form     strategy.ToolForm
	messages []llm.Message
	offered  []string
	onward   string // what follows a round that said nothing about the task; "" for a coder that does not go on by itself
}

// everyPrompt calls check with the prompts of all coders that edit or lead to an edit: in each format, with tools in each of
// their forms and without, for a model that is told all and for small ones.
func everyPrompt(t *testing.T, check func(t *testing.T, p whole)) {
	t.Helper()
	around := prompt.Surroundings{Platform: "Linux (x86-64)", Shell: "fish", Today: time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC), Git: true,
		Lint: "`lint it`", Tests: "`test it`", Languages: "Go and Rust", Commands: true}
	for _, c := range coder.All() {
		if !c.Proposes() {
			continue
		}
		list := formats.All()
		if !c.Edits {
			list = list[:1]
		}
		for _, f := range list {
			for kind, profile := range map[string]model.Profile{
				"all":         {EditFormat: "diff", Reminder: "sys"},
				"no reminder": {EditFormat: "diff", Reminder: "none", Lazy: true},
				"whole files": {EditFormat: "whole", Reminder: "user"},
				"local":       {EditFormat: "whole", Reminder: "user", Local: true},
				"small":       {EditFormat: "whole", Reminder: "user", Short: true},
			} {
				for _, tools := range []string{"never", "native", "text"} {
					profile.Tools, profile.UseSystemPrompt = tools, true
					s := strategy.Strategy{Coder: c, Model: strategy.NewModel(profile, "")}
					name := c.Name + "/" + kind + "/" + tools
					if c.Edits {
						narrowed := f.For(profile.EditFormat == "whole")
						s.Format = &narrowed
						name = c.Name + "/" + f.Name + "/" + kind + "/" + tools
					}
					t.Run(name, func(t *testing.T) { check(t, wholeOf(t, s, around)) })
				}
			}
		}
	}
}

func wholeOf(t *testing.T, s strategy.Strategy, around prompt.Surroundings) whole {
	t.Helper()
	p := whole{Strategy: s, form: s.ToolForm()}
	in := prompt.Input{Profile: s.Model.Profile, Coder: s.Coder, Format: s.Format, Around: around, Instruction: "Greet the world.", Map: "cmd/other.go:\nfunc Other()",
		Chat: []prompt.File{{Path: "hello.go", Text: "package hello\n"}}, ReadOnly: []prompt.File{{Path: "api.go", Text: "package api\n"}}}
	switch p.form {
	case strategy.NativeTools:
		in.Folders = "./ 3\n cmd/ 1\n"
		in.Tools, in.Offered, in.Finish = tool.Rules(), tool.Offer(), s.Coder.Finishes
		if in.Finish {
			in.Offered = append(in.Offered, tool.OfferFinisher())
		}
	case strategy.TextTools:
		in.Tools = tool.TextRules()
	case strategy.NoTools:
		if forced := s.Forced(); forced != nil {
			in.Offered = []llm.Tool{*forced}
		}
	}
	for _, o := range in.Offered {
		p.offered = append(p.offered, o.Name)
	}
	c, err := prompt.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	p.messages = c.Messages()
	round := coder.Round{Coder: s.Coder.Name, Edits: 1, After: "changed", Changed: []string{"hello.go"}, Says: s.Says(p.form)}
	if next, ok := s.Coder.Next(coder.Turn{Rounds: []coder.Round{round}}).(coder.HandOver); ok && s.Coder.Finishes {
		p.onward = next.Message
	}
	return p
}

// A model that is asked to go on is told to end as it was told at the beginning: by the tool that it has, by the call that its
// answer is, or by a line.
func TestWhatFollowsAsksForTheSameEnd(t *testing.T) {
	everyPrompt(t, func(t *testing.T, p whole) {
		if (p.onward == "") == p.Coder.Finishes {
			t.Fatalf("it goes on by itself %v, and what follows is %q", p.Coder.Finishes, p.onward)
		}
		if !p.Coder.Finishes {
			return
		}
		system := p.messages[0].String()
		for end, how := range map[string]*regexp.Regexp{
			"the tool": regexp.MustCompile(`\bcall (the tool )?finish\b`), "the call": regexp.MustCompile("say so in `explanation`"), "the line": regexp.MustCompile(`\bDONE\b`),
		} {
			if first, then := how.MatchString(system), how.MatchString(p.onward); first != then {
				t.Errorf("%s is asked for at the beginning %v, and behind a round %v:\n%s\n%s", end, first, then, system, p.onward)
			}
		}
	})
}

// Every coder that edits is told the same facts, a line each and once, however small its model is.
func TestEveryCoderThatEditsIsToldTheFacts(t *testing.T) {
	everyPrompt(t, func(t *testing.T, p whole) {
		text := show(p.messages)
		for _, fact := range []string{"Platform: Linux (x86-64)", "Shell: fish", "Version control: git", "Lint commands: `lint it`", "Test commands: `test it`", "Languages of the project: Go and Rust", "Date: 2026-02-03"} {
			if n := strings.Count(text, "\n"+fact+"\n"); n != 1 {
				t.Errorf("%q stands there %d times:\n%s", fact, n, text)
			}
		}
	})
}

// A prompt says nothing twice, and so no two things about one: neither the rules of the format nor the reminder, nor anything
// else that is longer than a few words.
func TestAPromptSaysNothingTwice(t *testing.T) {
	everyPrompt(t, func(t *testing.T, p whole) {
		seen := map[string]bool{}
		first := max(1, slices.IndexFunc(p.messages, func(m llm.Message) bool { return strings.HasPrefix(m.String(), "Those were examples") }))
		for _, m := range append(p.messages[:1:1], p.messages[first:]...) {
			for line := range strings.Lines(m.String()) {
				for sentence := range strings.SplitSeq(strings.TrimSpace(line), ". ") {
					if len(sentence) > 40 && seen[sentence] {
						t.Errorf("%q stands there twice:\n%s", sentence, show(p.messages))
					}
					seen[sentence] = true
				}
			}
		}
	})
}

// looking is what only a model with tools to look around is told, asking what only one without.
var (
	looking = regexp.MustCompile(`(?i)look first|look at|look around|with a tool|that a tool shows|the tools|READ path`)
	asking  = regexp.MustCompile(`(?i)ask for (it|one)\b|ask (me|the user) to add|full text the user gives|without asking for them`)
	// numbers are those of a hunk.
	numbers = regexp.MustCompile(`@@ -\S+ \+\S+ @@`)
)

// A prompt names no tool that is not offered, tells nobody to look who cannot, and nobody to ask who can look.
func TestAPromptNamesTheToolsThatAreOffered(t *testing.T) {
	everyPrompt(t, func(t *testing.T, p whole) {
		text := show(p.messages)
		if said := looking.FindString(text); (said != "") != (p.form != strategy.NoTools) {
			t.Errorf("tools are given as %q, and it says %q:\n%s", p.form, said, text)
		}
		if said := asking.FindString(text); said != "" && p.form != strategy.NoTools {
			t.Errorf("it has tools, and is told to %q:\n%s", said, text)
		}
		for name, how := range map[string]*regexp.Regexp{
			tool.Finish: regexp.MustCompile(`\bthe tool finish\b`), "write_file": regexp.MustCompile("`write_file`"), "replace_lines": regexp.MustCompile("`replace_lines`"),
		} {
			if named := how.MatchString(text); named != slices.Contains(p.offered, name) {
				t.Errorf("%s is named %v, and offered are %v:\n%s", name, named, p.offered, text)
			}
		}
		if call := p.Forced() != nil; call != strings.Contains(text, "`explanation`") || call && strings.Contains(text, "```bash") {
			t.Errorf("the answer is a call %v, and it says:\n%s", call, text)
		}
		if p.Format != nil && strings.Contains(p.Format.Name, "diff") && numbers.MatchString(text) {
			t.Errorf("it shows numbers of lines that nothing has shown:\n%s", text)
		}
	})
}

// Who writes calls as text is told of every tool, and can say with each all that a call by the interface can.
func TestCallsAsTextSayAllThatOthersCan(t *testing.T) {
	for _, one := range tool.All() {
		line := strings.ToUpper(one.Name)
		if !regexp.MustCompile(`(?m)^` + line + `\b`).MatchString(tool.TextRules()) {
			t.Errorf("%s is not told:\n%s", line, tool.TextRules())
		}
		args := map[string]any{}
		for _, p := range one.Parameters {
			switch p.Type {
			case "integer":
				args[p.Name] = 3
			default:
				args[p.Name] = "log"
			}
			if p.Name == "at" && !strings.Contains(tool.TextRules(), line+" name path:12") {
				t.Errorf("%s is told without a place:\n%s", line, tool.TextRules())
			}
		}
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{line, one.Name} {
			if calls, rest := tool.InText("I look.\n\n" + word + " " + string(raw)); len(calls) != 1 || calls[0].Name != one.Name || calls[0].Arguments != string(raw) || rest != "I look." {
				t.Errorf("%s %s is read as %+v", word, raw, calls)
			}
		}
	}
}

// file is a name with the ending of a source file.
var file = regexp.MustCompile(`[\w/.-]*\w\.(?:go|py|js|ts|md|rs|c|java|txt|json)\b`)

// A prompt names only files that it shows or that its examples have; what is no example has no such name.
func TestAPromptNamesTheFilesThatItShows(t *testing.T) {
	shown := []string{"hello.go", "api.go", "cmd/other.go"}
	everyPrompt(t, func(t *testing.T, p whole) {
		var examples []string
		if p.Format != nil {
			examples = p.Format.ExampleFiles()
		}
		for i, m := range p.messages {
			names := shown
			if example := i < len(p.messages)-1 && i > 0 && !strings.Contains(m.String(), "hello.go"); example {
				names = examples
			}
			for _, name := range file.FindAllString(m.String(), -1) {
				for _, sign := range []string{"./", "a/", "b/"} {
					name = strings.TrimPrefix(name, sign)
				}
				if !slices.Contains(names, name) && !slices.Contains(examples, name) || m.Role == llm.RoleSystem && !strings.Contains(m.String(), "from another project") {
					t.Errorf("%s is named in message %d:\n%s", name, i, show(p.messages))
				}
			}
		}
		if text := show(p.messages); strings.Contains(text, edits.ShapePath) && !slices.Contains(examples, edits.ShapePath) {
			t.Errorf("a file of the name in the shape would be taken for one of the project's:\n%s", text)
		}
	})
}

// A list with numbers teaches a small model to write numbers before the names of files, so what says how to edit has none, for
// whatever model.
func TestWhoEditsSeesNoNumbers(t *testing.T) {
	numbered := regexp.MustCompile(`(?m)^\d+\. `)
	everyPrompt(t, func(t *testing.T, p whole) {
		if text := show(p.messages); p.Coder.Edits && numbered.MatchString(text) {
			t.Errorf("a list with numbers:\n%s", text)
		}
	})
}

// A small model that writes whole files reads them in a message of their own, then the request alone, and last how files are
// written; where the last is not wanted the two stay together.
func TestASmallModelReadsTheRequestAlone(t *testing.T) {
	f, _ := formats.ByName("whole")
	for _, c := range []struct {
		profile model.Profile
		chat    bool
		want    bool
	}{
		{model.Profile{Short: true, UseSystemPrompt: true, Reminder: "user"}, true, true},
		{model.Profile{Short: true, UseSystemPrompt: true, Reminder: "sys"}, true, true},
		{model.Profile{Local: true, EditFormat: "whole", UseSystemPrompt: true, Reminder: "user"}, true, true},
		{model.Profile{Short: true, UseSystemPrompt: true, Reminder: "none"}, true, false},
		{model.Profile{Short: true, Reminder: "user"}, true, false},
		{model.Profile{Short: true, UseSystemPrompt: true, Reminder: "user"}, false, false},
		{model.Profile{EditFormat: "whole", UseSystemPrompt: true, Reminder: "user"}, true, false},
	} {
		in := prompt.Input{Coder: coder.All()[0], Format: &f, Profile: c.profile, Instruction: "THE REQUEST"}
		if c.chat {
			in.Chat = []prompt.File{{Path: "a.py", Text: "x = 1\n"}}
		}
		chunks, err := prompt.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		var roles []string
		alone := false
		for _, m := range chunks.Messages() {
			roles = append(roles, string(m.Role))
			alone = alone || m.String() == "THE REQUEST"
		}
		if got := alone && strings.Join(roles, " ") == "system user assistant user system"; got != c.want {
			t.Errorf("%+v with a file %v: the request is alone %v, roles %v", c.profile, c.chat, alone, roles)
		}
	}
}

// What changes by itself stands behind all that a provider keeps in its cache, and behind what was said before.
func TestFactsThatChangeBreakNoCache(t *testing.T) {
	build := func(around prompt.Surroundings) string {
		in := prompt.Input{Coder: coder.All()[0], Format: &words, Profile: model.Profile{UseSystemPrompt: true, CacheMarks: true}, Instruction: "x", Map: "MAP", Around: around,
			Rules: []prompt.Rule{{File: prompt.File{Path: "AGENTS.md", Text: "rule"}}}, Chat: []prompt.File{{Path: "a.py", Text: "x = 1\n"}},
			Done: []llm.Message{llm.Text(llm.RoleUser, "BEFORE"), llm.Text(llm.RoleAssistant, "THE LAST ANSWER")}}
		c, err := prompt.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		return show(c.Messages())
	}
	day := time.Date(2026, 2, 3, 0, 0, 0, 0, time.UTC)
	one, other := build(prompt.Surroundings{Today: day, Languages: "Go"}), build(prompt.Surroundings{Today: day.AddDate(0, 0, 1), Languages: "Go and Rust"})
	same := 0
	for same < min(len(one), len(other)) && one[same] == other[same] {
		same++
	}
	if !strings.Contains(one[:same], "THE LAST ANSWER") || one == other {
		t.Errorf("the next day or a new language changes the prompt from here on:\n%s", one[same:])
	}
}
