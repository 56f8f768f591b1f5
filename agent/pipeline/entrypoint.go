package pipeline

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// ScriptFile is the script that starts a project.
const ScriptFile = "run.sh"

// entrypoint has the model write the script. It takes the place of one that the generation wrote.
func (f *flow) entrypoint(ctx context.Context) error {
	if made := f.w.Changes(); len(made) == 1 && made[0].Path == ScriptFile {
		return nil // the script is all there is
	}
	f.w.Step("Writing "+ScriptFile, 0, 0)
	files, err := codebase(ctx, f.w)
	if err != nil {
		return err
	}
	request := strings.TrimSpace(f.o.Entrypoint)
	if request == "" {
		request = strings.TrimSpace(f.pre["entrypoint_request"])
	}
	messages := []llm.Message{system(f.pre["entrypoint"]), user(request + f.project.told() + "\n\nThe files of the program:\n\n" + files)}
	called, err := f.calls.ask(ctx, StepEntrypoint, LogEntrypoint, agent.ModelRequest{Messages: messages, Quiet: true})
	if err != nil {
		return err
	}
	script, ok := scriptOf(called.Text)
	switch {
	case called.Cut:
		return agent.Problem("Ask for only the script with entrypoint, or choose a model with longer answers.", "The answer with the script was cut off.")
	case !ok:
		return agent.Problem("Try again with entrypoint.", "Cannot create %s, because the answer contains no commands. The answer: %s", ScriptFile, short(called.Text))
	}
	return lay(ctx, f.w, ScriptFile, script)
}

// short is the beginning of a text, in a line.
func short(text string) string {
	const most = 600
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// lay puts a file that a step made among the changes, if it may be written at all.
func lay(ctx context.Context, w *agent.JobContext, file, text string) error {
	change := edits.Change{Path: file, Op: edits.OpCreate, After: text}
	if w.Now().Exists(file) {
		before, err := w.Now().Read(file)
		if err != nil {
			return agent.Problem("Move or rename that file.", "Cannot replace %s: %v.", file, err)
		}
		change.Op, change.Before = edits.OpUpdate, before
	}
	d := w.Workspace.Door().Check(ctx, file, workspace.OperationOf(change.Op, w.Now().Exists(file)))
	if d.Verdict == workspace.Refuse {
		return agent.Problem("Move or rename that file, or work in another folder.", "Cannot write %s: %s.", file, strings.TrimSuffix(d.Reason, "."))
	}
	w.Lay([]edits.Change{change})
	return nil
}

// codebase is the listing of the files that the script is for: those that the turn has made, else those that the user
// named, else those of the workspace as far as there is room.
func codebase(ctx context.Context, w *agent.JobContext) (string, error) {
	var paths []string
	for _, c := range w.Changes() {
		switch {
		case c.Op == edits.OpRename:
			paths = append(paths, c.To)
		case c.Op != edits.OpDelete:
			paths = append(paths, c.Path)
		}
	}
	if len(paths) == 0 {
		paths = w.Chat()
	}
	chosen := len(paths) > 0
	if !chosen {
		list, err := w.Listing(ctx)
		if err != nil {
			return "", err
		}
		paths = slices.DeleteFunc(list, func(file string) bool {
			return strings.HasPrefix(path.Base(file), ".") || file == PromptFile || strings.HasPrefix(file, PromptFile+"/")
		})
	}
	paths = slices.DeleteFunc(paths, func(file string) bool { return file == ScriptFile })
	if len(paths) == 0 {
		return "", agent.Problem("Generate a project first, or open a folder with a project.", "No files for the script to start.")
	}
	return listing(ctx, w, paths, chosen)
}

// listing shows files as they are with the changes so far. Those that there is no room for, or that may not be sent, are
// named; where the user chose them, not to be able to read one is an error.
func listing(ctx context.Context, w *agent.JobContext, paths []string, chosen bool) (string, error) {
	var b strings.Builder
	var left []string
	m := w.Model
	room := m.Room / 2
	made := map[string]bool{}
	for _, c := range w.Changes() {
		made[c.Path], made[c.To] = true, true
	}
	for _, file := range paths {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		text, err := w.Now().Read(file)
		if err == nil && !made[file] && !chosen {
			if d := w.Workspace.Door().Check(ctx, file, workspace.OpSend); d.Verdict != workspace.Allow {
				continue
			}
		}
		switch {
		case err != nil && chosen:
			return "", agent.Problem("Remove it from the files and try again.", "Cannot read %s: %v.", file, err)
		case err != nil:
			left = append(left, file)
			continue
		}
		one := shown(file, text)
		tokens := m.Counter.Count(one)
		if tokens > room && !chosen {
			left = append(left, file)
			continue
		}
		room -= tokens
		b.WriteString(one)
	}
	if len(left) > 0 {
		fmt.Fprintf(&b, "These files are there too: %s.\n", strings.Join(left[:min(len(left), 200)], ", "))
		w.Note(event.LevelInfo, fmt.Sprintf("The context window is full, so the model got only the names of these files: %s.", named(left)))
	}
	return b.String(), nil
}

// shown is one file as models see it: its path, and its text between fences that do not stand in it.
func shown(file, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return file + "\n" + fence + "\n" + text + fence + "\n\n"
}
