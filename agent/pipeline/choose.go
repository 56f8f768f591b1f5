package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// chooser decides on which files a step works.
type chooser struct {
	w      *agent.JobContext
	picked []string // paths and globs, as Options.Select has them
}

// choose decides on which files a change is made: those that the user names, as paths or globs; else those of the
// session's chat; else those of the selection file; else the open documents; else all of a project that is small.
func (c chooser) choose(ctx context.Context) error {
	list, err := c.w.Listing(ctx)
	if err != nil {
		return err
	}
	if len(c.picked) > 0 {
		files, lost := Selection{Entries: c.picked}.Match(list)
		if err := notHere(lost); err != nil {
			return err
		}
		return c.show(ctx, files)
	}
	if len(c.w.Chat()) > 0 {
		return nil
	}
	if added := c.w.Added(); len(added) > 0 {
		return c.show(ctx, added)
	}
	if found, err := c.selected(ctx, list); found || err != nil {
		return err
	}
	if open := c.open(ctx); len(open) > 0 {
		return c.show(ctx, open)
	}
	return c.everything(ctx, list)
}

// named refuses a request that names a file which is not there: the rest of the project is not what was meant.
func (c chooser) named() error {
	var lost []string
	for _, file := range c.w.Request.Files {
		if _, err := c.w.Now().Read(file); errors.Is(err, fs.ErrNotExist) && prompt.MediaType(file) == "" {
			lost = append(lost, file)
		}
	}
	return notHere(lost)
}

// notHere is the error that names what no file is called; nil for nothing.
func notHere(lost []string) error {
	if len(lost) == 0 {
		return nil
	}
	return agent.Problem("Name files in this folder, or globs such as src/**/*.py.", "There is no file %s.", strings.Join(lost, ", "))
}

// show takes files into the chat.
func (c chooser) show(ctx context.Context, files []string) error {
	for _, file := range files {
		if err := c.w.Show(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

// selected takes the files of the selection file; found is false where there is none.
func (c chooser) selected(ctx context.Context, list []string) (found bool, err error) {
	s, found, err := selectionIn(c.w.Now())
	if !found || err != nil {
		return found, err
	}
	files, lost := s.Match(list)
	if len(lost) > 0 {
		c.w.Note(event.LevelWarning, fmt.Sprintf("%s lists files that do not exist: %s.", SelectionFile, strings.Join(lost, ", ")))
	}
	if len(files) == 0 {
		return true, agent.Problem("Remove the # before each file to work on, or name files.", "No files are selected in %s.", SelectionFile)
	}
	c.w.Note(event.LevelInfo, fmt.Sprintf("Working on the files from %s: %s.", SelectionFile, named(files)))
	return true, c.show(ctx, files)
}

// selectionIn reads the selection file of a workspace.
func selectionIn(now *workspace.Snapshot) (s Selection, found bool, err error) {
	text, err := now.Read(SelectionFile)
	if errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	}
	if err == nil {
		s, err = ParseSelection(text)
	}
	if err != nil {
		return s, true, agent.Problem("Fix or delete that file, or name files.", "Cannot use the file selection: %v.", err)
	}
	return s, true, nil
}

// open are the documents that are open in the editor and may be sent.
func (c chooser) open(ctx context.Context) []string {
	var files []string
	for _, d := range c.w.Base.Open() {
		if c.sendable(ctx, d.Path) {
			files = append(files, d.Path)
		}
	}
	return files
}

func (c chooser) sendable(ctx context.Context, file string) bool {
	return c.w.Workspace.Door().Check(ctx, file, workspace.OpSend).Verdict == workspace.Allow
}

// everything takes all files of a project, as long as they are few and small.
func (c chooser) everything(ctx context.Context, list []string) error {
	m := c.w.Model
	room := m.Room / 2
	var files []string
	for _, file := range list {
		if !selectable(file) || !c.sendable(ctx, file) {
			continue
		}
		text, err := c.w.Now().Read(file)
		if err != nil {
			continue // it is no text
		}
		if room -= m.Counter.Count(text); room < 0 || len(files) == agent.MostFiles {
			return agent.Problem(fmt.Sprintf("Name the files to work on, or globs such as src/**/*.py, or select them in %s (coauthor select creates it).", SelectionFile),
				"This project is too large to send completely.")
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil // what is asked for may be new
	}
	c.w.Note(event.LevelInfo, fmt.Sprintf("You named no files, so Coauthor sends the entire project: %s.", named(files)))
	return c.show(ctx, files)
}

// write writes the selection file again over what is there now, with more files selected.
func (c chooser) write(ctx context.Context) error {
	list, err := c.w.Listing(ctx)
	if err != nil {
		return err
	}
	s, _, err := selectionIn(c.w.Now())
	if err != nil {
		return err
	}
	candidates := slices.DeleteFunc(list, func(file string) bool { return !selectable(file) })
	if len(candidates) == 0 {
		return agent.Problem("Open a folder with a project.", "No files to select.")
	}
	more, lost := Selection{Entries: c.picked}.Match(candidates)
	if err := notHere(lost); err != nil {
		return err
	}
	s.Entries = slices.Concat(s.Entries, more)
	return lay(ctx, c.w, SelectionFile, s.Format(candidates))
}
