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
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// PromptFile is the file of a project, or the folder, from which its prompt is taken where the user says nothing.
const PromptFile = "prompt"

// HasPrompt says whether a folder says what to build.
func HasPrompt(ws *workspace.Workspace) bool {
	return ws.Snapshot().Exists(PromptFile) || ws.Door().Listed(PromptFile)
}

// brief is what the user wants, in their words and images.
type brief struct {
	w      *agent.JobContext
	spec   string   // what to build; "" before it is read
	images []string // that the model is shown, and other documents that it sees
}

// read decides what is to be built: what the user said, else what the file or the folder of the project says.
func (b *brief) read(ctx context.Context) error {
	if b.spec = strings.TrimSpace(b.w.Request.Instruction); b.spec != "" {
		return nil
	}
	if files := b.w.Workspace.Door().Below(ctx, PromptFile, ""); len(files) > 0 {
		return b.readFolder(ctx, files)
	}
	text, err := b.w.Read(ctx, PromptFile)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		return agent.Problem("Describe what to build, or write the description into a file named "+PromptFile+".", "The prompt is missing.")
	case agent.IsProblem(err):
		return err
	case err != nil:
		return agent.Problem("Save the prompt as plain text.", "Cannot read the file %s: %v.", PromptFile, err)
	}
	if b.spec = strings.TrimSpace(text); b.spec == "" {
		return agent.Problem("Describe what to build, or write the description into that file.", "The file %s is empty.", PromptFile)
	}
	return nil
}

// readFolder takes the prompt from the files of its folder, in the order of their names. Images among them are shown.
func (b *brief) readFolder(ctx context.Context, files []string) error {
	var texts []string
	for _, file := range files {
		if prompt.MediaType(file) != "" {
			if err := b.w.Show(ctx, file); err != nil {
				return err
			}
			b.images = append(b.images, file)
			continue
		}
		text, err := b.w.Read(ctx, file)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case agent.IsProblem(err):
			return err
		case err != nil:
			return agent.Problem("Save it as plain text, or move it out of the folder "+PromptFile+".", "Cannot read the file %s: %v.", file, err)
		}
		if text = strings.TrimSpace(text); text != "" {
			texts = append(texts, text)
		}
	}
	if b.spec = strings.Join(texts, "\n\n"); b.spec == "" {
		return agent.Problem("Describe what to build, or write the description into a file of that folder.", "The folder %s contains no text.", PromptFile)
	}
	return nil
}

// look takes in the images that the user named, and those of the folders that they named.
func (b *brief) look(ctx context.Context, names []string) error {
	for _, name := range names {
		list := []string{name}
		if prompt.MediaType(name) == "" {
			list = slices.DeleteFunc(b.w.Workspace.Door().Below(ctx, name, ""), func(file string) bool { return prompt.MediaType(file) == "" })
		}
		if len(list) == 0 {
			return agent.Problem("Name an image or a folder with images.", "%s is neither an image nor a folder with images.", name)
		}
		for _, file := range list {
			if err := b.w.Show(ctx, file); err != nil {
				return err
			}
		}
		b.images = append(b.images, list...)
	}
	return ctx.Err()
}

// message is the message with the user's prompt and images.
func (b *brief) message() llm.Message {
	m := user("Request: " + b.spec)
	m.Parts = append(m.Parts, b.w.Media()...)
	return m
}

// meant is what the program is for: what the user says, else the prompt of the project.
func (b *brief) meant() string {
	if b.spec != "" {
		return b.spec
	}
	if text := strings.TrimSpace(b.w.Request.Instruction); text != "" {
		return text
	}
	if text, err := b.w.Now().Read(PromptFile); err == nil {
		return strings.TrimSpace(text)
	}
	return ""
}

// inTheWay tells that a project is there already. Nothing of it is lost: what the answer names becomes a change that the
// user sees.
func (b *brief) inTheWay(ctx context.Context) {
	list, err := b.w.Listing(ctx)
	if err != nil {
		return // a project of one's own is no reason to stop, nor is one that cannot be listed
	}
	folder := strings.TrimSuffix(b.w.Settings.Pipeline.Preprompts, "/")
	list = slices.DeleteFunc(list, func(file string) bool {
		return file == PromptFile || strings.HasPrefix(file, PromptFile+"/") || file == ConfigFile || strings.HasPrefix(file, ".") || folder != "" && strings.HasPrefix(file, folder+"/") || slices.Contains(b.w.Request.Files, file) || slices.Contains(b.images, file)
	})
	if len(list) == 0 {
		return
	}
	b.w.Note(event.LevelWarning, fmt.Sprintf("This folder already contains a project (%s). The model does not see it, and new files can replace existing ones. You review every file before it is written. To change the existing project, use edit.", named(list)))
}
