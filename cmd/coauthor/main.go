// Command coauthor is the one binary: the language server, and the same engine without an editor.
//
// One file per sub-command; this one only parses the command line, cancels on a signal, and ends
// the process. It is the only place in the project that calls os.Exit. Start at commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"coauthor/agent/display"
	"coauthor/cmd/coauthor/console"
)

// commands is the table of sub-commands; each field's type says its flags and its Run does the work. Each
// coder's command stands beside it, and each of those that work on the session: see coderCommands and sessionCommands.
type commands struct {
	Serve       ServeCmd       `cmd:"" help:"Runs the language server; editors start this."`
	Chat        ChatCmd        `cmd:"" help:"Starts a session in the terminal; the same as coauthor alone."`
	Apply       ApplyCmd       `cmd:"" group:"Review and apply" help:"Applies a model's answer to the files in a folder."`
	Map         MapCmd         `cmd:"" aliases:"map-refresh" help:"Prints the repository map that a request would get."`
	Models      ModelsCmd      `cmd:"" help:"Lists the built-in models and the endpoint's models."`
	ShowContext ShowContextCmd `cmd:"" help:"Prints a request's prompt with its tokens and price, without sending it."`
	History     HistoryCmd     `cmd:"" help:"Lists the requests of the folder's last conversation, with their numbers."`
	Rewind      RewindCmd      `cmd:"" help:"Restores the files and the conversation to their state before a request."`
	Clear       ClearCmd       `cmd:"" help:"Ends the last conversation; --continue then starts a new one."`
	Reset       ResetCmd       `cmd:"" help:"Like clear, but also forgets the files and models you chose."`
	Commit      CommitCmd      `cmd:"" help:"Commits your changes with a generated message."`
	Undo        UndoCmd        `cmd:"" help:"Undoes the last applied change in all its files."`
	Redo        RedoCmd        `cmd:"" help:"Applies the last undone change again."`
	Diff        DiffCmd        `cmd:"" help:"Prints all changes since the last request began, or since a branch or commit."`
	Comments    CommentsCmd    `cmd:"" help:"Carries out the comments marked AI!, or answers those marked AI?."`
	Review      ReviewCmd      `cmd:"" help:"Reviews uncommitted changes or a branch and reports problems."`
	UndoCommit  UndoCommitCmd  `cmd:"" help:"Undoes the last commit that Coauthor made, with the changes of its request."`
	Demo        DemoCmd        `cmd:"" help:"Shows Coauthor at work on a small project in a temporary folder."`
	Init        InitCmd        `cmd:"" help:"Finds models, asks for one, writes your settings and tests them."`
	Doctor      DoctorCmd      `cmd:"" help:"Checks your key, endpoint, model and settings."`
	Completion  CompletionCmd  `cmd:"" help:"Prints a script that completes commands and flags in your shell."`
	Version     VersionCmd     `cmd:"" help:"Prints the version."`
	Complete    CompleteCmd    `cmd:"" hidden:"" help:"Answers the scripts of completion."`
	IndexWorker IndexWorkerCmd `cmd:"" hidden:"" help:"Parses files for the server, which starts this."`
	CheckWorker CheckWorkerCmd `cmd:"" hidden:"" help:"Runs a linter or a test for the server, which starts this."`
	FakeModel   FakeModelCmd   `cmd:"" hidden:"" help:"Serves a scripted model on this machine, for tests of editors."`
}

// runner is what every sub-command offers: it returns the exit status and, if it is not 0, perhaps a reason.
type runner interface {
	Run(ctx context.Context, s Streams) (exit int, err error)
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, Terminal: console.Open})
	stop()
	os.Exit(code)
}

// run is main without the process: tests call it with arguments and streams of their own. Exit
// status: 0 done, 1 not (or not wholly) done, 2 the arguments cannot be used, 130 interrupted.
func run(ctx context.Context, args []string, s Streams) (code int) {
	defer func() {
		if x := recover(); x != nil {
			fmt.Fprintf(s.Err, "coauthor: internal error: %s\n%s\nPlease report this error and the command you ran.\n", display.Text(fmt.Sprint(x)), debug.Stack())
			code = 1
		}
	}()
	cmd, code, done := parse(args, s)
	if done {
		return code
	}
	code, err := cmd.Run(ctx, s)
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(s.Err, "coauthor: interrupted")
		return 130
	case err != nil:
		s.tell("coauthor: " + display.Messages(err.Error()))
		switch {
		case errors.Is(err, errNoRequest):
			code = 2
		case code == 0:
			code = 1
		}
	}
	return code
}

// parse reads the command line. done means that there is nothing to run: help was asked for, or
// the arguments cannot be used and the user has been told why.
func parse(args []string, s Streams) (cmd runner, code int, done bool) {
	exited := -1
	if len(args) == 0 {
		args = []string{"--help"}
		if s.interactive() {
			args = []string{"chat"}
		}
	}
	if args[0] == "--version" {
		args = []string{"version"}
	}
	parser := grammar(s.coders(), args[0],
		kong.Name("coauthor"),
		kong.Writers(s.Out, display.NewWriter(s.Err)),
		kong.Exit(func(code int) { exited = code }),
		kong.Help(printHelp(s.coders())),
	)
	parser.Model.HelpFlag.Help = helpFlag
	kctx, err := parser.Parse(args)
	if exited >= 0 { // --help printed
		return nil, exited, true
	}
	if err != nil {
		if meant := meantBy(args); meant != "" && len(parser.Model.Children) > 1 { // not a command with wrong arguments
			fmt.Fprintf(s.Err, "coauthor: %q is not a command. Did you mean this?\n  %s\n", display.Line(args[0]), display.Line(meant))
			return nil, 2, true
		}
		s.tell("coauthor: " + display.Messages(err.Error()) + "\nRun \"coauthor --help\" for all commands or \"coauthor COMMAND --help\" for one command.")
		return nil, 2, true
	}
	return kctx.Selected().Target.Addr().Interface().(runner), 0, false
}
