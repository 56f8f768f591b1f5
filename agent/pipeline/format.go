package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"coauthor/agent/event"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// format runs the formatters of the setting pipeline.format over the files of the chat, before the model sees them. What
// they change is part of the change that is proposed. It is not done where the selection file says so.
func (f *flow) format(ctx context.Context) error {
	commands := f.w.Settings.Pipeline.Format
	if len(commands) == 0 {
		return nil
	}
	if s, found, err := selectionIn(f.w.Now()); err == nil && found && s.LintOff {
		return nil
	}
	run, err := f.newRunning(ctx)
	if err != nil {
		return err
	}
	defer run.close()
	for _, c := range commands {
		files := formatted(c, f.w.Chat())
		if len(files) == 0 {
			continue
		}
		f.w.Step("Formatting with "+c.Run[0], 0, 0)
		ran, yes, err := run.run(ctx, shellLine(c.Run, files))
		switch {
		case err != nil:
			return err
		case !yes:
			f.w.Note(event.LevelInfo, fmt.Sprintf("Sending unformatted files, because you did not allow %s.", c.Run[0]))
			continue
		case !f.works(ran):
			f.w.Note(event.LevelWarning, fmt.Sprintf("Sending unformatted files, because %s failed (%s).", c.Run[0], outcome(ran)))
			continue
		}
		f.w.Lay(rewritten(f.w.Now(), run.dir.dir, files))
	}
	return nil
}

// formatted are the files that a command is about.
func formatted(c settings.CheckCommand, files []string) []string {
	if len(c.Files) == 0 {
		return files
	}
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		return !slices.ContainsFunc(c.Files, func(glob string) bool { return fits(glob, file) })
	})
}

// shellLine writes a command for a shell, so that it reads every word as it is. {files} stands for the files.
func shellLine(words, files []string) string {
	var line []string
	for _, w := range words {
		if w != "{files}" {
			line = append(line, quoted(w))
			continue
		}
		for _, file := range files {
			if strings.HasPrefix(file, "-") || strings.HasPrefix(file, "+") {
				file = "./" + file
			}
			line = append(line, quoted(file))
		}
	}
	return strings.Join(line, " ")
}

// quoted is a word for a shell.
func quoted(word string) string {
	if word != "" && strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./=:@,") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// rewritten are the changes that a program made to files of a folder that holds a copy of them.
func rewritten(now *workspace.Snapshot, dir string, files []string) []edits.Change {
	var list []edits.Change
	for _, file := range files {
		before, err := now.Read(file)
		if err != nil {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(file))
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue // it went, or leads elsewhere
		}
		data, err := os.ReadFile(name)
		after := string(data)
		if err != nil || after == before || !utf8.ValidString(after) || strings.ContainsRune(after, 0) || strings.TrimPrefix(after, "\ufeff") == before {
			continue
		}
		list = append(list, edits.Change{Path: file, Op: edits.OpUpdate, Before: before, After: strings.TrimPrefix(after, "\ufeff")})
	}
	return list
}
