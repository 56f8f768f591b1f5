package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"coauthor/agent"
	"coauthor/agent/event"
)

// mostMemory is how many bytes of notes every step is told at most.
const mostMemory = 32 << 10

// memory reads the notes that every step is told: the Markdown files of the folder of the setting pipeline.memory, in
// the order of their names, behind what introduces them. It is "" where there are none.
func (f *flow) memory(ctx context.Context) (string, error) {
	folder := f.w.Settings.Pipeline.Memory
	if folder == "" {
		return "", nil
	}
	var b strings.Builder
	var left []string
	for _, file := range f.w.Workspace.Door().Below(ctx, folder, ".md") {
		text, err := f.w.Read(ctx, file)
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
			continue // it has gone since
		case err != nil:
			return "", agent.Problem("Move it out of that folder.", "Cannot read the note %s: %v.", file, err)
		}
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if b.Len()+len(text) > mostMemory {
			left = append(left, file)
			continue
		}
		fmt.Fprintf(&b, "\n%s", shown(file, text+"\n"))
	}
	if len(left) > 0 {
		f.w.Note(event.LevelWarning, fmt.Sprintf("Notes are limited to %d KB in total. Coauthor did not send these notes: %s.", mostMemory>>10, strings.Join(left, ", ")))
	}
	if b.Len() == 0 {
		f.w.Note(event.LevelWarning, fmt.Sprintf("Found no notes in %s (pipeline.memory). It must be a folder with Markdown files, relative to the open folder.", folder))
		return "", nil
	}
	return "\nThese notes hold for all work on this project:\n" + b.String(), nil
}
