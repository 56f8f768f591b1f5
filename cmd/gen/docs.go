package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/pipeline"
	"coauthor/agent/settings"
)

const notice = "Generated from the tables by cmd/gen; do not edit."

// settingsDoc writes the documentation of every setting.
func settingsDoc() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Settings\n\n<!-- %s -->\n\n", notice)
	b.WriteString(`The same names are read from these places; what comes later stands above what came before:

1. the user's file, ` + "`$XDG_CONFIG_HOME/coauthor/config.yaml`" + ` (usually ` + "`~/.config/coauthor/config.yaml`" + `),
2. the workspace's file, ` + "`.coauthor/config.yaml`" + `,
3. the editor: section ` + "`coauthor`" + ` of its settings, or ` + "`initializationOptions.settings`" + `,
4. environment variables, as named below,
5. flags of the command line.

Each setting stands in a group, and its name may be written nested or dotted: ` + "`repoMap.tokens: 2048`" + `, or
` + "`tokens: 2048`" + ` below ` + "`repoMap:`" + `. The names of these groups alone stand for one of their settings: ` + shortNames() + `;
the others of such a group are written dotted beside it. Four settings have the name that they have as a field of an entry of ` + "`models`" + `
too, and no group: ` + "`apiBase`, `apiKeyEnv`, `apiKeyCommand` and `editFormat`" + `; nor have ` + "`models` and `actions`" + ` one. A name that does not exist, or a value
that does not fit, is told with its place and a hint, and everything else takes effect. A change holds from
the next turn on, unless its row says otherwise; a turn that runs keeps what it began with.

Who may set a setting:

- *workspace*: everybody, also the file of a workspace that you do not trust.
- *workspace adds*: everybody; the workspace's file only adds to the list.
- *user*: you. The workspace's file counts only once you trust that workspace (see ` + "`trust`" + `), and
  so do the settings of editors that read some out of the repository: all but Neovim and Kakoune. A key
  of yours goes to no host that such a layer names.
- *client*: the editor, a variable or a flag.

| setting | type | default | who | what |
|---|---|---|---|---|
`)
	for _, r := range settings.Rows() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, typeOf(r), defaultOf(r), r.Scope, cell(r.Doc))
	}
	b.WriteString("\n## Variables and flags\n\n| setting | variable | flag |\n|---|---|---|\n")
	for _, r := range settings.Rows() {
		if !r.Type.OneLine() {
			continue // neither fits into a line
		}
		flag := ""
		if r.Flag != "" {
			flag = "`--" + r.Flag + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", r.Name, r.Env, flag)
	}
	b.WriteString("\n## Fields of an entry of `models`\n\n| field | type | what |\n|---|---|---|\n")
	for _, f := range settings.ModelFieldDocs() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, f.Type, cell(f.Doc))
	}
	b.WriteString("\n## Fields of an entry of `actions`\n\n| field | type | what |\n|---|---|---|\n")
	for _, f := range settings.ActionFieldDocs() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.Name, f.Type, cell(f.Doc))
	}
	b.WriteString("\n## An example\n\n```yaml\n" + example + "```\n")
	return b.Bytes()
}

// shortNames lists the groups whose names alone stand for a setting, with that.
func shortNames() string {
	var list []string
	for _, r := range settings.Rows() {
		if r.Bare {
			list = append(list, "`"+r.Short()+"` for `"+r.Name+"`")
		}
	}
	return strings.Join(list, ", ")
}

// example is read by the test, so it cannot be wrong.
const example = `model: fast
model.weak: work
verify: syntax
repoMap:
  tokens: 2048
models:
  fast:
    model: qwen2.5-coder-32b
    apiBase: http://127.0.0.1:8080/v1
    contextWindow: 32768
    editFormat: diff
  work:
    model: gpt-4.1
    apiKeyEnv: WORK_OPENAI_KEY
actions:
  - name: errors
    title: say what can fail here
    prompt: List what can fail in this code, and which of it is not handled.
    coder: ask
    languages: [go, rust]
    needsSelection: true
`

func typeOf(r settings.Row) string {
	if r.Type == settings.Enum {
		return "`" + strings.Join(r.Enum, "`, `") + "`"
	}
	text := string(r.Type)
	if r.Min == 0 && r.Max == 0 {
		return text
	}
	unit := ""
	if r.Type == settings.Duration {
		unit = " s"
	}
	number := func(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
	return fmt.Sprintf("%s, %s to %s%s", text, number(r.Min), number(r.Max), unit)
}

func defaultOf(r settings.Row) string {
	switch v := r.Default.(type) {
	case string:
		if v == "" {
			return ""
		}
		return "`" + v + "`"
	case bool, int:
		return fmt.Sprintf("`%v`", v)
	case time.Duration:
		return "`" + shortDuration(v) + "`"
	}
	return ""
}

// shortDuration writes 10m instead of 10m0s.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// wordOf is how a command is called on the command line.
func wordOf(id string) string {
	for _, a := range pipeline.Actions() {
		if a.ID == id && a.Word != "" {
			return a.Word
		}
	}
	return id
}

// commandsDoc writes the documentation of commands and code actions.
func commandsDoc() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Commands and code actions\n\n<!-- %s -->\n\n", notice)
	b.WriteString("Commands are sent by `workspace/executeCommand`. Every command takes one object with the fields below, " +
		"none of which it needs; what is no field of it is passed over. It answers within a second; a turn goes on behind it and " +
		"is told by progress.\n\n")
	b.WriteString("| command | what |\n|---|---|\n")
	for _, a := range pipeline.Actions() {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", a.Command(), anchor(a.Command()), cell(a.Title))
	}
	for _, a := range pipeline.Actions() {
		fmt.Fprintf(&b, "\n## `%s`\n\n%s\n", a.Command(), a.Doc)
		switch {
		case a.Slash != "":
			fmt.Fprintf(&b, "\nIn a prompt document: `/%s`.\n", a.Slash)
		case a.Word != "":
			fmt.Fprintf(&b, "\nIn a prompt document: `/%s`. On the command line: `coauthor %s`.\n", a.Word, a.Word)
		}
		if len(a.Args) > 0 {
			b.WriteString("\n| field | type | what |\n|---|---|---|\n")
			for _, arg := range a.Args {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", arg.Name, cell(arg.Type), cell(argDoc(arg)))
			}
		}
		if a.Result != "" {
			fmt.Fprintf(&b, "\nResult: `%s`\n", a.Result)
		}
	}
	b.WriteString("\n## Code actions\n\nIn the order in which they are offered.\n\n| title | kind | when | command |\n|---|---|---|---|\n")
	for _, a := range pipeline.Actions() {
		for _, c := range a.CodeActions {
			fmt.Fprintf(&b, "| %s | `%s` | %s | `%s` |\n", cell(c.Title), c.Kind, c.When, a.Command())
		}
	}
	b.WriteString("\n## Whole projects\n\nWhich steps a command has, with which of its fields. On the command line a field is a flag. " +
		"`clarify`: the model asks what is unclear. `generate` and `lite`: it writes the files. `entrypoint`: it writes `" + pipeline.ScriptFile + "`. " +
		"`improve`: files that are there are changed. `heal`: the program is run, and repaired until it works. `select`: the files for `improve` are written down. " +
		"`run`: when the change was applied, you are shown the script and asked whether to run it, in a copy of the folder.\n\n" +
		"| command | fields | on the command line | steps |\n|---|---|---|---|\n")
	for _, m := range pipeline.Modes() {
		fields, flags, steps := "", "", m.Refused
		for _, f := range m.Flags {
			fields += fmt.Sprintf(" `%s`", f)
			flags += " --" + pipeline.Dashed(f)
		}
		for i, step := range m.Steps {
			if i > 0 {
				steps += ", "
			}
			steps += string(step)
		}
		if m.Refused != "" {
			steps = "refused: " + m.Refused
		}
		fmt.Fprintf(&b, "| `%s%s` |%s | `coauthor %s%s` | %s |\n", agent.CommandPrefix, m.Command, fields, wordOf(m.Command), flags, cell(steps))
	}
	b.WriteString("\n## Commands of aider\n\nWhat became of each of them here. Analytics are not built on purpose: nothing is told to anybody about what you do. A word is written in full, alone or at the beginning of an instruction, and `/run` has no short form `!`.\n\n" +
		"| aider | in a prompt document | on the command line | command | what is other, or why there is none |\n|---|---|---|---|---|\n")
	for _, c := range agent.AiderCommands(coder.All()) {
		switch {
		case c.Coder != "":
			row, err := coder.All().ByName(c.Coder)
			if err != nil {
				panic(err) // the list is made of this table
			}
			fmt.Fprintf(&b, "| /%s | `/%s` | `coauthor %s -m …` | `%s%s` | %s |\n", c.Name, c.Name, row.CommandWord(), agent.CommandPrefix, c.Name, cell(c.Why))
		case c.Built():
			fmt.Fprintf(&b, "| /%s | `/%s` | `coauthor %s` | `%s` | %s |\n", c.Name, cmp.Or(c.Action.Alone, c.Action.Word), c.Action.Word, c.Action.Command(), cell(c.Why))
		default:
			fmt.Fprintf(&b, "| /%s | | | not built | %s |\n", c.Name, cell(c.Why))
		}
	}
	return b.Bytes()
}

// argDoc says what a field is, which values it may have, and under which other names it goes.
func argDoc(arg agent.Arg) string {
	doc := arg.Doc
	if arg.Values != nil {
		doc += " One of `" + strings.Join(arg.Values, "`, `") + "`."
	}
	if arg.Setting != "" {
		doc += " A value of the setting `" + arg.Setting + "`."
	}
	if len(arg.Also) > 0 {
		doc += " Also `" + strings.Join(arg.Also, "`, `") + "`."
	}
	if arg.Bare {
		doc += " Plain strings are this field."
	}
	return doc
}

// anchor is the name that Markdown viewers give to a heading of a command.
func anchor(command string) string {
	return strings.ToLower(strings.ReplaceAll(command, ".", ""))
}

// cell makes a text fit for a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", `\|`)
}
