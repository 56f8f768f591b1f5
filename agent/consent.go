package agent

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/verify"
)

// consents are what the user answered about commands that a check wants to run, and about rules. A yes is for
// one text: another argument is another question. It is for the folder that lies at the root when it is given, and not
// for another one that is put there. It lasts as long as the session, and what was allowed to run longer than that. The
// zero value is ready for use, also by several turns at a time.
type consents struct {
	root    string
	kept    allowed // what was allowed in this folder
	taken   allowed // what of that was offered, because the folder shows to use it
	refused allowed // what was offered and not wanted
	advised allowed // what was told where nobody could be asked

	mu       sync.Mutex
	answered map[string]bool // guarded by mu; by folder, and the text of the command, or "rules " and the sum of their texts
}

// here is a key for the folder that lies at the root now.
func (c *consents) here(key string) string {
	id, err := verify.Identity(c.root)
	if err != nil {
		id = "" // a session without a folder; in one that is gone, nothing runs
	}
	return id + "\x00" + key
}

// once returns the answer to the question of that key, and whether there was one. The first time, and as long
// as nobody answers, it is asked.
func (c *consents) once(key string, ask func() (yes, answered bool, err error)) (yes, answered bool, err error) {
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
func (c *consents) allow(text string) {
	key := c.here(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answered == nil {
		c.answered = map[string]bool{}
	}
	c.answered[key] = true
}

// consent asks about each command once, through ask. What the user allowed before in this folder is not asked
// about.
func (c *consents) consent(ask func(context.Context, event.Question) (event.Answer, error)) verify.Consent {
	return func(ctx context.Context, w verify.Wanted) (bool, error) {
		text := w.Text()
		yes, _, err := c.once(text, func() (bool, bool, error) {
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

// question asks for a command in its exact text: within the question where it is short, else below it, where nothing of it
// is cut.
func question(w verify.Wanted) event.Question {
	command := w.Command.String()
	q := event.Question{Choices: []string{"run", "skip"}, Titles: []string{"run " + command, "do not run it"}}
	what, in, script := command, "", ""
	if w.Dir != "" {
		in = " in " + display.Line(w.Dir)
	}
	if w.Script != "" {
		script = fmt.Sprintf(" This script in package.json runs: %s.", display.Line(w.Script))
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
	text := fmt.Sprintf("Always run %s%s to check changes in this folder?%s", what, in, script)
	text += placeholders([]string{command})
	q.Text = text + " " + kept(w.Way)
	return q
}

// inSentence says whether a sentence can have a command with all that belongs to it, and shows it whole and as it is.
func inSentence(w verify.Wanted) bool {
	return isShort(w.Command.String()) && isShort(w.Dir) && isShort(w.Script)
}

func isShort(text string) bool {
	const most = 200
	return len(text) <= most && display.Message(text) == text
}

// kept says what commands see and what they are kept from, one way or the other.
func kept(w verify.Way) string {
	if w == verify.Copied {
		return "This system has no sandbox, so commands run in a copy of the folder that includes the change. In the copy, files that may hold secrets are empty. Coauthor discards anything that commands write there. " +
			"Commands can still access your other files, your home folder and the network."
	}
	return "Commands run in a sandbox that contains this folder with the change, and only toolchains and build caches from your home folder. " +
		"Files that may hold secrets, such as .env, appear empty unless verify.visible lists them. The sandbox has no network access and discards anything that commands write."
}
