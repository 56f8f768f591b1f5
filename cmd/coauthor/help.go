package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/agent/display"
	"coauthor/agent/pipeline"
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
