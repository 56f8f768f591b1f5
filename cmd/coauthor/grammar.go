package main

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"coauthor/agent/coder"
	"coauthor/agent/command"
	"coauthor/cmd/coauthor/completion"
)

// madeCommand is a command that is made from a row of another table.
type madeCommand struct {
	word, doc string
	group     command.Group
	cmd       runner
}

// grammar is what the command line may say: the table of commands, and one command for each coder, each pipeline and each
// action of the session. Where the first argument is a command's word it is that command alone: kong takes longer to make
// all of them than most commands take to run, and tells nothing of the others then.
func grammar(coders coder.Table, first string, options ...kong.Option) *kong.Kong {
	var fields, chosen []reflect.StructField
	var taken []string
	for f := range reflect.TypeFor[commands]().Fields() {
		words := wordsOf(f)
		fields, taken = append(fields, f), append(taken, words...)
		if slices.Contains(words, first) {
			chosen = append(chosen, f)
		}
	}
	var made []madeCommand
	if len(chosen) > 0 {
		fields = chosen
	} else {
		made = slices.Concat(coderCommands(coders), sessionCommands(coders, taken), pipelineCommands(coders))
		if i := slices.IndexFunc(made, func(c madeCommand) bool { return c.word == first }); i >= 0 {
			fields, made = nil, made[i:i+1]
		}
	}
	list := slices.Clone(options)
	for _, c := range made {
		list = append(list, kong.DynamicCommand(c.word, c.doc, string(c.group), c.cmd))
	}
	return kong.Must(reflect.New(reflect.StructOf(fields)).Interface(), list...)
}

var capital = regexp.MustCompile(`[A-Z]`)

// wordsOf are the words of a command of the table: the name that kong makes of its field, and the others.
func wordsOf(f reflect.StructField) []string {
	name := strings.TrimPrefix(strings.ToLower(capital.ReplaceAllString(f.Name, "-$0")), "-")
	if others := f.Tag.Get("aliases"); others != "" {
		return append([]string{name}, strings.Split(others, ",")...)
	}
	return []string{name}
}

// CompletionCmd prints what a shell needs to complete the command line.
type CompletionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"The shell: bash, zsh, fish or powershell."`
}

// Run prints the script.
func (c *CompletionCmd) Run(_ context.Context, s Streams) (int, error) {
	text, err := completion.Script(c.Shell)
	if err == nil {
		_, err = io.WriteString(s.Out, text)
	}
	return 0, err
}

// CompleteCmd answers the scripts that CompletionCmd prints.
type CompleteCmd struct {
	Word   string   `help:"The word to complete, as far as it is written."`
	Before []string `arg:"" optional:"" help:"The words before it."`
}

// Run prints the words that may stand there, one a line, with a tab and what each means.
func (c *CompleteCmd) Run(_ context.Context, s Streams) (int, error) {
	first := ""
	if len(c.Before) > 0 {
		first = c.Before[0]
	}
	app := grammar(s.coders(), first, kong.Name("coauthor")).Model
	app.HelpFlag.Help = helpFlag
	for _, found := range completion.Candidates(app, c.Before, c.Word) {
		if _, err := fmt.Fprintln(s.Out, strings.TrimSuffix(found.Word+"\t"+found.Doc, "\t")); err != nil {
			return 1, err
		}
	}
	return 0, nil
}
