package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/pipeline"
	"coauthor/lsp/codeaction"
)

// commandsDoc writes the documentation of commands and code actions.
func commandsDoc() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Commands and code actions\n\n<!-- %s -->\n\n", notice)
	b.WriteString("For authors of editor plug-ins. A client sends these commands with `workspace/executeCommand`. Each command accepts one object. All its fields are optional, and unknown fields are ignored. " +
		"A plain string, alone or next to the object, sets the field marked `*`. Commands return within a second. A request that a command starts continues in the background and reports progress.\n\n" +
		"*Typed* shows how users type the command in the conversation or on the command line.\n\n")
	fields(&b)
	results(&b)
	for _, g := range command.Groups() {
		fmt.Fprintf(&b, "\n## %s\n", g)
		for _, a := range pipeline.Actions() {
			if a.Group == g {
				entry(&b, a)
			}
		}
		if g == command.GroupProjects {
			modes(&b)
		}
	}
	codeActions(&b)
	aider(&b)
	return b.Bytes()
}

// fields writes the table of the arguments that commands share.
func fields(b *bytes.Buffer) {
	b.WriteString("## Fields\n\nThe entries below list these fields by name and describe only differences. *Also* lists alternative field names. All commands except `answer` and `cancel` accept `uri`, so the entries omit it. The *request fields* are " + names(command.ArgsOf[command.Start]()) + ".\n\n| field | type | meaning |\n|---|---|---|\n")
	for _, arg := range sharedArgs() {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", arg.Name, arg.Type, cell(argDoc(arg)))
	}
}

// sharedArgs are those of all commands.
func sharedArgs() []command.Arg { return append(command.SharedArgs(), pipeline.SharedArgs()...) }

// names lists fields.
func names(args []command.Arg) string {
	var list []string
	for _, arg := range args {
		list = append(list, "`"+arg.Name+"`")
	}
	return strings.Join(list, ", ")
}

// results writes what the shapes of results have in common.
func results(b *bytes.Buffer) {
	b.WriteString("\n## Results\n\nFields marked `?` are optional. The entries use these names:\n\n")
	for _, s := range command.Shapes() {
		fmt.Fprintf(b, "- `%s`: `%s`. %s\n", s.Name, s.Fields, s.Doc)
	}
	b.WriteString("\nThese `status` values need an explanation:\n\n")
	for _, s := range command.Statuses() {
		fmt.Fprintf(b, "- `%s`: %s\n", s.Name, s.Doc)
	}
}

// entry writes the entry of one command.
func entry(b *bytes.Buffer, a command.Action) {
	fmt.Fprintf(b, "\n### `%s`\n\n%s\n", a.Command(), a.Doc)
	if a.More != "" {
		fmt.Fprintf(b, "\n%s\n", a.More)
	}
	b.WriteString("\n")
	if w := typed(a); w != "" {
		fmt.Fprintf(b, "- Typed: %s\n", w)
	}
	args := a.Args
	var names, own []string
	if set := command.ArgsOf[command.Start](); len(args) >= len(set) && slices.EqualFunc(args[:len(set)], set, func(x, y command.Arg) bool { return x.Name == y.Name }) {
		args, names = args[len(set):], []string{"request fields"}
	}
	for _, arg := range args {
		name, differs := field(arg)
		switch {
		case differs != "":
			own = append(own, "\n  - "+name+differs)
		case arg.Name != "uri":
			names = append(names, name)
		}
	}
	if list := strings.TrimSuffix(" "+strings.Join(names, ", "), " ") + strings.Join(own, ""); list != "" {
		fmt.Fprintf(b, "- Fields:%s\n", list)
	}
	fmt.Fprintf(b, "- Result: `%s`\n", strings.ReplaceAll(a.Result, " or ", "` or `"))
}

// typed is how users write a command; "" where they cannot.
func typed(a command.Action) string {
	row, is := a.CoderOf(coder.All())
	switch {
	case is:
		return fmt.Sprintf("`/%s`, `coauthor %s`", row.Name, row.CommandWord())
	case a.Slash != "":
		return fmt.Sprintf("`/%s`", a.Slash)
	case a.Alone != "":
		return fmt.Sprintf("`/%s`, `/%s` alone, `coauthor %s`", a.Word, a.Alone, a.Word)
	case a.Word != "":
		return fmt.Sprintf("`/%s`, `coauthor %s`", a.Word, a.Word)
	}
	return ""
}

// field returns the name of an argument for the entry of a command, and what the table of fields does not say of it.
func field(arg command.Arg) (name, differs string) {
	name = "`" + arg.Name + "`"
	if arg.Bare {
		name += "\\*"
	}
	shared := sharedArgs()
	i := slices.IndexFunc(shared, func(s command.Arg) bool { return s.Name == arg.Name && s.Type == arg.Type })
	if i < 0 {
		return name, " (" + arg.Type + "): " + argDoc(arg)
	}
	if slices.Equal(shared[i].Also, arg.Also) {
		arg.Also = nil
	}
	if shared[i].Setting == arg.Setting {
		arg.Setting = ""
	}
	if arg.Doc == shared[i].Doc {
		arg.Doc = ""
	}
	if doc := strings.TrimSpace(argDoc(arg)); doc != "" {
		differs = ": " + doc
	}
	return name, differs
}

// argDoc says what a field is, which values it may have, and under which other names it goes.
func argDoc(arg command.Arg) string {
	doc := arg.Doc
	if arg.Values != nil {
		doc += " One of `" + strings.Join(arg.Values, "`, `") + "`."
	}
	if arg.Setting != "" {
		doc += " A value of the `" + arg.Setting + "` setting."
	}
	if len(arg.Also) > 0 {
		doc += " Also `" + strings.Join(arg.Also, "`, `") + "`."
	}
	return doc
}

// codeActions writes the table of code actions.
func codeActions(b *bytes.Buffer) {
	b.WriteString("\n## Code actions\n\nThe table lists code actions in menu order. *Here* means the range for which the client requests them. Each title starts with `Coauthor: ` and links to its command.\n\n| title | kind | offered when |\n|---|---|---|\n")
	for _, c := range codeaction.NewTable(coder.All()).Rows() {
		fmt.Fprintf(b, "| [%s](#%s) | `%s` | %s |\n", cell(strings.TrimPrefix(c.Title, "Coauthor: ")), strings.ToLower(strings.ReplaceAll(c.Command, ".", "")), c.Kind, c.When)
	}
}

// modes writes the table of the pipelines.
func modes(b *bytes.Buffer) {
	b.WriteString("\n### Steps\n\nCommand-line flags match command fields: `--self-heal` corresponds to `selfHeal`. The steps are:\n\n")
	for _, s := range pipeline.StepDocs() {
		fmt.Fprintf(b, "- `%s`: %s\n", s.Name, s.Doc)
	}
	b.WriteString("\n| command | steps |\n|---|---|\n")
	for _, m := range pipeline.Modes() {
		call := "coauthor " + m.Command
		if a, ok := command.ActionOf(pipeline.Actions(), command.CommandPrefix+m.Command); ok {
			call = "coauthor " + a.Word
		}
		for _, f := range m.Flags {
			call += " --" + pipeline.Dashed(f)
		}
		steps := "refused: " + m.Refused
		if m.Refused == "" {
			steps = strings.Trim(fmt.Sprint(m.Steps), "[]")
			steps = strings.ReplaceAll(steps, " ", ", ")
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", call, cell(steps))
	}
}

// aider writes what became of the commands of aider.
func aider(b *bytes.Buffer) {
	b.WriteString("\n## Coming from aider\n\nType each command in full, alone or at the start of an instruction. `/run` has no `!` shortcut. Coauthor has no analytics and does not report your activity.\n\nThese commands work the same way: ")
	var same []string
	table := ""
	for _, c := range command.AiderCommands(coder.All()) {
		if c.Why == "" {
			same = append(same, "`/"+c.Name+"`")
			continue
		}
		table += fmt.Sprintf("| `/%s` | %s |\n", c.Name, cell(c.Why))
	}
	fmt.Fprintf(b, "%s.\n\n| command | difference |\n|---|---|\n%s", strings.Join(same, ", "), table)
}

// cell makes a text fit for a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", `\|`)
}
