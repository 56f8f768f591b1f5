package main

import (
	_ "embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/help"
	"coauthor/agent/pipeline"
	"coauthor/cmd"
	"coauthor/editors"
	"coauthor/lsp"
)

// mostUsed are the commands that the help begins with.
var mostUsed = []string{"edit", "ask", "explain", "architect", "auto", "review", "commit", "undo", "generate", "init", "doctor"}

// groupOther has the commands that are in no table of the editors.
const groupOther command.Group = "Other"

// helpFlag is what the flag for the help says of itself.
const helpFlag = "Show this help."

// helpWidth is how many columns a line of the help has at most.
const helpWidth = 80

// groupOf is the group of a command of the command line: its own, else that of its row in the table.
func groupOf(table []command.Action, n *kong.Node) command.Group {
	if n.Group != nil {
		return command.Group(n.Group.Title)
	}
	for _, a := range table {
		if a.Word == n.Name {
			return a.Group
		}
	}
	return groupOther
}

// printHelp prints the help of the program, or of one command with its examples.
func printHelp(coders coder.Table) kong.HelpPrinter {
	return func(options kong.HelpOptions, ctx *kong.Context) error {
		selected := ctx.Selected()
		if selected == nil {
			return commandList(ctx.Stdout, coders, ctx.Model.Children)
		}
		if err := kong.DefaultHelpPrinter(options, ctx); err != nil {
			return err
		}
		for i, call := range examples[selected.Name] {
			head := ""
			if i == 0 {
				head = "\nExamples:\n"
			}
			if _, err := fmt.Fprintf(ctx.Stdout, "%s  coauthor %s\n", head, call); err != nil {
				return err
			}
		}
		return nil
	}
}

// commandList prints what the program does: the most used commands with a line each, and the others by their groups.
func commandList(w io.Writer, coders coder.Table, list []*kong.Node) error {
	var b strings.Builder
	b.WriteString("Usage: coauthor COMMAND [FLAGS]\n\nAn AI coder for every LSP editor and the command line.\n\nMost used:\n")
	for _, name := range mostUsed {
		for _, n := range list {
			if n.Name == name {
				doc, _, _ := strings.Cut(n.Help, "\n")
				fmt.Fprintf(&b, "  %-11s%s\n", name, command.Action{Doc: doc}.Summary())
			}
		}
	}
	table := pipeline.ActionsOf(coders)
	names := map[command.Group][]string{}
	for _, n := range list {
		if !n.Hidden && !slices.Contains(mostUsed, n.Name) {
			g := groupOf(table, n)
			names[g] = append(names[g], n.Name)
		}
	}
	for _, g := range append(command.Groups(), groupOther) {
		if len(names[g]) > 0 {
			fmt.Fprintf(&b, "\n%s:\n%s", g, wrapped(names[g]))
		}
	}
	b.WriteString("\nRun \"coauthor COMMAND --help\" for details about a command.\n" +
		"New here? Run \"coauthor demo\", then \"coauthor init\" to set up a model.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// meantBy is the command that a line without one lacks: a sentence is what to change, and a file belongs into a session; "" for
// a line of something else.
func meantBy(args []string) string {
	var quoted []string
	for _, a := range args[1:] {
		quoted = append(quoted, " "+display.ShellWord(a))
	}
	rest := strings.Join(quoted, "")
	switch info, err := os.Stat(args[0]); {
	case strings.HasPrefix(args[0], "-"):
		return ""
	case strings.Contains(args[0], " "):
		return "coauthor edit -m " + display.ShellWord(args[0]) + rest
	case err == nil && info.Mode().IsRegular():
		return "coauthor chat " + display.ShellWord(args[0]) + rest
	}
	return ""
}

// wrapped is a list of words in lines that are not too long.
func wrapped(words []string) string {
	var b strings.Builder
	line := " "
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		if len(line)+1+len(word) > helpWidth {
			b.WriteString(line + "\n")
			line = " "
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}

// helpOf is what the help of a command says of its row.
func helpOf(a command.Action) string { return strings.TrimSpace(plain(a.Doc + "\n\n" + a.More)) }

// plain is a text of the tables without its Markdown.
func plain(text string) string { return strings.ReplaceAll(text, "`", "") }

// examples are calls of each command, as they are written behind the program's name.
var examples = map[string][]string{
	"serve":            {"serve", "serve --listen=127.0.0.1:0"},
	"chat":             {"chat", "chat --continue parser.go"},
	"apply":            {"apply answer.md", "apply --dry-run --root=src answer.md"},
	"map":              {"map --tokens=2048", "map --message=\"Fix the parser\""},
	"models":           {"models", "models gpt-5"},
	"show-context":     {"show-context -m \"Add a quiet flag\" main.go"},
	"history":          {"history"},
	"rewind":           {"rewind", "rewind 3"},
	"clear":            {"clear"},
	"reset":            {"reset"},
	"commit":           {"commit", "commit -m \"Fix the parser\" parser.go", "commit --amend"},
	"undo":             {"undo"},
	"redo":             {"redo"},
	"diff":             {"diff", "diff main"},
	"comments":         {"comments", "comments --list main.go"},
	"review":           {"review", "review main -m \"Look at error handling\""},
	"undo-commit":      {"undo-commit"},
	"demo":             {"demo"},
	"init":             {"init", "init --model ollama/qwen3:8b --yes"},
	"doctor":           {"doctor", "doctor --ask-model"},
	"completion":       {"completion bash"},
	"version":          {"version"},
	"edit":             {"edit -m \"Add a quiet flag\" main.go", "edit -m \"Rename Foo to Bar\" --preview", "edit -m \"Make the test pass\" --test=\"pytest -q\" calc.py"},
	"ask":              {"ask -m \"Where are settings read?\""},
	"architect":        {"architect -m \"Split the parser into two files\" parser.go"},
	"context":          {"context -m \"Add a quiet flag\""},
	"help":             {"help -m \"How do I undo a change?\""},
	"auto":             {"auto -m \"Make the failing tests pass\" --test=\"go test ./...\""},
	"explain":          {"explain main.go", "explain parser.go -m \"Why the loop?\""},
	"add-tests":        {"add-tests parser.go"},
	"add-docs":         {"add-docs parser.go"},
	"simplify":         {"simplify parser.go --preview"},
	"add":              {"add main.go internal/"},
	"read-only":        {"read-only docs/design.md"},
	"drop":             {"drop main.go", "drop"},
	"ls":               {"ls"},
	"save":             {"save parser-work"},
	"load":             {"load parser-work"},
	"model":            {"model sonnet", "model"},
	"weak-model":       {"weak-model gpt-5-mini"},
	"editor-model":     {"editor-model sonnet"},
	"chat-mode":        {"chat-mode ask", "chat-mode udiff"},
	"reasoning-effort": {"reasoning-effort high"},
	"think-tokens":     {"think-tokens 8k", "think-tokens 0"},
	"tokens":           {"tokens"},
	"usage":            {"usage"},
	"settings":         {"settings"},
	"commands":         {"commands"},
	"copy":             {"copy"},
	"copy-context":     {"copy-context \"Add a quiet flag\""},
	"paste":            {"paste - < answer.md"},
	"run":              {"run make"},
	"git":              {"git log -5"},
	"web":              {"web https://go.dev/ref/spec"},
	"lint":             {"lint", "lint main.go"},
	"test":             {"test", "test go test ./parser"},
	"regenerate":       {"regenerate", "regenerate sonnet"},
	"ok":               {"ok", "ok \"but keep the old name\""},
	"preprompts":       {"preprompts eject", "preprompts eject generate"},
	"generate":         {"generate my-app -m \"A web page that shows the time\"", "generate --clarify"},
	"clarify":          {"clarify -m \"A web page that shows the time\""},
	"entrypoint":       {"entrypoint"},
	"improve":          {"improve -m \"Use two spaces\" 'src/**/*.py'"},
	"self-heal":        {"self-heal", "self-heal --command=\"make test\""},
	"select":           {"select", "select 'src/**/*.py'"},
	"run-script":       {"run-script"},
}

// readme is the README of the project. A folder can embed only what lies below it, so this is a copy that
// cmd/gen keeps.
//
//go:embed README.copy.md
var readme string

// manual are the documents for users, from which the coder help answers.
func manual() []help.Text {
	list := []help.Text{{Name: "README.md", Text: readme}}
	for _, dir := range []struct {
		name  string
		pages fs.FS
	}{{"cmd", cmd.Pages}, {"lsp", lsp.Pages}, {"editors", editors.Pages}} {
		err := fs.WalkDir(dir.pages, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(dir.pages, name)
			list = append(list, help.Text{Name: path.Join(dir.name, name), Text: string(text)})
			return err
		})
		if err != nil { // the files are part of the program
			panic(err)
		}
	}
	return list
}
