package main

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/pipeline"
)

const notice = "Generated from the tables by cmd/gen; do not edit."

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
