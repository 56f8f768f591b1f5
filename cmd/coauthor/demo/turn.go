package demo

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/cmd/editor"
)

// undoneFile is the one that is shown as it is after the undo.
const undoneFile = "wordcount/words.py"

// turn is the story that the demo tells.
func (d *demo) turn(ctx context.Context, e *editor.Editor) error {
	if err := e.Initialize(ctx, d.root, "coauthor-demo", nil); err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	paths := []string{"wordcount/cli.py", "wordcount/words.py"}
	for _, p := range paths {
		if err := e.Open(filepath.Join(d.root, filepath.FromSlash(p)), "python", d.before[p]); err != nil {
			return err
		}
	}
	d.head("Request")
	d.say("%s", request)
	d.head("Model")
	started, err := e.Command(ctx, "coauthor.edit", map[string]any{
		"uri": editor.URI(filepath.Join(d.root, "wordcount", "cli.py")), "instruction": request})
	if err != nil {
		return err
	}
	if status := started["status"]; status != "started" {
		return fmt.Errorf("the request did not start: %v", started)
	}
	applied, failed := 0, ""
	came := func() bool { applied, failed = e.Applied, d.failed; return applied > 0 || failed != "" || d.answered }
	if err := e.WaitFor(ctx, "the change to be applied", came); err != nil {
		return err
	}
	if failed != "" {
		return fmt.Errorf("the request failed: %s", failed)
	}
	if applied == 0 {
		return fmt.Errorf("the model answered without a change; ask again, or try another model")
	}
	// Until the last progress has ended, so that no line of it comes late.
	var changed []string
	ended := func() bool { changed = slices.Clone(e.Changed); return e.Progress == 0 }
	if err := e.WaitFor(ctx, "the progress to end", ended); err != nil {
		return err
	}
	d.head("Applied")
	for _, name := range changed {
		path := name
		if below, err := filepath.Rel(d.root, name); err == nil {
			path = filepath.ToSlash(below)
		}
		d.say("%s: %d lines before, %d now.", path, strings.Count(d.before[path], "\n"), strings.Count(e.Text(name), "\n"))
	}
	if len(changed) == 0 {
		return fmt.Errorf("nothing changed although the server applied an edit")
	}
	d.head("Undo")
	undone, err := e.Command(ctx, "coauthor.undoTurn", map[string]any{})
	if err != nil {
		return err
	}
	same := func() bool { return len(e.Changed) == 0 }
	if err := e.WaitFor(ctx, fmt.Sprintf("the turn to be undone (the server said %v)", undone), same); err != nil {
		return err
	}
	d.say("Undid the change. All files are identical to the originals. %s:", undoneFile)
	d.say("%s", strings.TrimRight(e.Text(filepath.Join(d.root, filepath.FromSlash(undoneFile))), "\n"))
	return nil
}

// hooks prints what the server tells, as it comes, and answers its dialog with Apply.
func (d *demo) hooks() editor.Hooks {
	return editor.Hooks{
		Dialog: func(message string, choices []string) string {
			for _, c := range choices {
				if strings.HasPrefix(c, "Apply") {
					d.endProse()
					d.head(fmt.Sprintf("The server asks: %s  ->  %s", message, c))
					return c
				}
			}
			return ""
		},
		Show: func(file string) { d.endProse(); d.showDiff(file) },
		Message: func(level int, text string) {
			d.endProse()
			d.say("%s", display.Message(text))
			if level == 1 {
				d.failed = text
			}
		},
		Progress: func(kind, title, message string) {
			if kind == "report" && d.begun {
				return // an editor has a place of its own for it; here it would cut the prose
			}
			if line := strings.TrimSpace(title + " " + message); line != "" {
				d.endProse()
				d.say("%s", d.paint("2", "[progress] "+line))
			}
		},
		Prose: func(delta string) {
			d.begun = true
			words, _ := d.words.Write(delta)
			d.prosePiece(words)
		},
		State: func(state, message string) {
			switch state {
			case "answered":
				d.answered = true
			case "failed", "cancelled":
				d.failed = cmp.Or(d.failed, message, state)
			}
		},
	}
}

// prosePiece shows words of the model; its edits are in the diff.
func (d *demo) prosePiece(words string) {
	words = d.visible.Write(words)
	if strings.Trim(words, "\n") == "" && !d.inProse {
		return // what is left where an edit was
	}
	if words != "" {
		fmt.Fprint(d.out, words)
		d.inProse = !strings.HasSuffix(words, "\n")
	}
}

func (d *demo) endProse() {
	words, _ := d.words.End()
	d.prosePiece(words)
	if d.inProse {
		d.say("")
		d.inProse = false
	}
}

// showDiff prints a diff document in colour.
func (d *demo) showDiff(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		d.say("(Cannot read the diff: %v.)", err)
		return
	}
	d.head("Pending change (no files changed yet)")
	for line := range strings.Lines(string(text)) {
		line = display.Text(strings.TrimRight(line, "\n"))
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "):
			d.say("%s", d.paint("1", line))
		case strings.HasPrefix(line, "@@"):
			d.say("%s", d.paint("36", line))
		case strings.HasPrefix(line, "+"):
			d.say("%s", d.paint("32", line))
		case strings.HasPrefix(line, "-"):
			d.say("%s", d.paint("31", line))
		default:
			d.say("%s", line)
		}
	}
}
