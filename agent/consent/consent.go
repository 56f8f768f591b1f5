// Package consent keeps what the user allowed in one folder: the commands that checks run, rules that were shown, and the
// tools that the folder shows to use and that were offered as checks.
//
// It runs nothing but the looks that find those tools, and a question always goes through who asks. What is kept is for the
// folder that the user saw, and not for another one at the same path. Start at Store.
package consent

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
)

// Options are what a Store is made of.
type Options struct {
	Workspace *workspace.Workspace
	StateDir  string                   // where what is kept stands; "" keeps it as long as the Store lives
	Settings  func() settings.Settings // those in force at this moment
	Sandbox   *sandbox.Shadow          // nil runs nothing, so that nothing is suggested
	Random    io.Reader                // makes ids of questions
	Log       *slog.Logger
}

// Store is what the user answered about commands that a check wants to run, and about rules. A yes is for
// one text: another argument is another question. It is for the folder that lies at the root when it is given, and not
// for another one that is put there. It lasts as long as the session, and what was allowed to run longer than that.
// Several turns may use it at a time.
type Store struct {
	o       Options
	ws      *workspace.Workspace
	kept    allowed // what was allowed in this folder
	taken   allowed // what of that was offered, because the folder shows to use it
	refused allowed // what was offered and not wanted
	advised allowed // what was told where nobody could be asked

	suggested atomic.Bool // Suggest was called

	mu       sync.Mutex
	answered map[string]bool // guarded by mu; by folder, and the text of the command, or "rules " and the sum of their texts
	looked   bool            // guarded by mu; tools is what the folder shows to use
	tools    []verify.Tool   // guarded by mu
}

// New returns what was allowed in the folder of a workspace.
func New(o Options) *Store {
	root := o.Workspace.Root()
	file := func(folder string) allowed { return allowedIn(o.StateDir, folder, root) }
	return &Store{o: o, ws: o.Workspace, kept: file("allowed"), taken: file("detected"), refused: file("refused"), advised: file("advised")}
}

// here is a key for the folder that lies at the root now.
func (c *Store) here(key string) string {
	id, err := sandbox.Identity(c.ws.Root())
	if err != nil {
		id = "" // a session without a folder; in one that is gone, nothing runs
	}
	return id + "\x00" + key
}

// Once returns the answer to the question of that key, and whether there was one. The first time, and as long
// as nobody answers, it is asked.
func (c *Store) Once(key string, ask func() (yes, answered bool, err error)) (yes, answered bool, err error) {
	key = c.here(key)
	c.mu.Lock()
	yes, known := c.answered[key]
	c.mu.Unlock()
	if known {
		return yes, true, nil
	}
	yes, answered, err = ask()
	if err != nil || !answered {
		return false, false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answered == nil {
		c.answered = map[string]bool{}
	}
	c.answered[key] = yes
	return yes, true, nil
}

// allow has a command run without a question, in this session.
func (c *Store) allow(text string) {
	key := c.here(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answered == nil {
		c.answered = map[string]bool{}
	}
	c.answered[key] = true
}

// Commands asks about each command once, through ask. What the user allowed before in this folder is not asked
// about.
func (c *Store) Commands(ask func(context.Context, event.Question) (event.Answer, error)) verify.Consent {
	return func(ctx context.Context, w verify.Wanted) (bool, error) {
		text := w.Text()
		yes, _, err := c.Once(text, func() (bool, bool, error) {
			if c.kept.has(text) {
				return true, true, nil
			}
			a, err := ask(ctx, question(w))
			yes := a.Choice == "run"
			if err == nil && yes {
				err = c.kept.add(text)
			}
			return yes, true, err
		})
		if err == nil {
			err = ctx.Err()
		}
		return yes && err == nil, err
	}
}

// Given lets run what the user has allowed by now, and asks nobody.
func (c *Store) Given() verify.Consent {
	return func(ctx context.Context, w verify.Wanted) (bool, error) {
		text := w.Text()
		key := c.here(text)
		c.mu.Lock()
		yes, known := c.answered[key]
		c.mu.Unlock()
		if !known {
			yes = c.kept.has(text)
		}
		return yes && ctx.Err() == nil, ctx.Err()
	}
}

// question asks for a command in its exact text: within the question where it is short, else below it, where nothing of it
// is cut.
func question(w verify.Wanted) event.Question {
	command := w.Command.String()
	q := event.Question{Choices: []string{"run", "skip"}, Default: "skip", Titles: []string{"run " + command, "do not run it"}}
	what, in, script := command, "", ""
	if w.Dir != "" {
		in = " in " + display.Line(w.Dir)
	}
	if w.Script != "" {
		script = fmt.Sprintf(" The script in package.json runs: %s.", display.Line(w.Script))
	}
	if !inSentence(w) {
		lines := []string{command}
		if w.Dir != "" {
			lines = append(lines, "in "+verify.Command{w.Dir}.String())
		}
		if w.Script != "" {
			lines = append(lines, "The script in package.json runs: "+w.Script)
		}
		q.Body, q.Titles[0] = strings.Join(lines, "\n"), "run it"
		what, in, script = "this command", "", ""
	}
	does := "check"
	if w.Formats {
		does = "format"
	}
	text := fmt.Sprintf("Always run %s%s to %s changes in this folder?%s", what, in, does, script)
	text += placeholders([]string{command})
	q.Text = text + " " + kept(w)
	return q
}

// inSentence says whether a sentence can have a command with all that belongs to it, and shows it whole and as it is.
func inSentence(w verify.Wanted) bool {
	return display.Short(w.Command.String()) && display.Short(w.Dir) && display.Short(w.Script)
}

// kept says what commands see and what they are kept from, one way or the other, and what is taken over of what they write.
func kept(w verify.Wanted) string {
	back := ""
	if w.Formats {
		back = " Only the changed files come back from a formatter, as part of the change that you review."
	}
	if w.Way == sandbox.Copied {
		return "This system has no sandbox, so commands run in a copy of the folder that includes the change. In the copy, files that may contain secrets are empty. Coauthor discards anything that commands write there. " +
			"Commands can still access your other files, your home folder and the network." + back
	}
	return "Commands run in a sandbox that contains this folder with the change, and only toolchains and build caches from your home folder. " +
		"Files that may contain secrets, such as .env, appear empty unless verify.visible lists them. The sandbox has no network access and discards anything that commands write." + back
}
