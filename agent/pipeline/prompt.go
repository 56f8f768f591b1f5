package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// PromptFile is the file of a project, or the folder, from which its prompt is taken where the user says nothing.
const PromptFile = "prompt"

// HasPrompt says whether a folder says what to build.
func HasPrompt(ws *workspace.Workspace) bool {
	return ws.Snapshot().Exists(PromptFile) || ws.Door().Listed(PromptFile)
}

// prompt decides what is to be built: what the user said, else what the file or the folder of the project says.
func (f *flow) prompt(ctx context.Context) error {
	if f.spec = strings.TrimSpace(f.w.Request.Instruction); f.spec != "" {
		return nil
	}
	if files := f.w.Workspace.Door().Below(ctx, PromptFile, ""); len(files) > 0 {
		return f.promptFolder(ctx, files)
	}
	text, err := f.w.Read(ctx, PromptFile)
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
	if f.spec = strings.TrimSpace(text); f.spec == "" {
		return agent.Problem("Describe what to build, or write the description into that file.", "The file %s is empty.", PromptFile)
	}
	return nil
}

// promptFolder takes the prompt from the files of its folder, in the order of their names. Images among them are shown.
func (f *flow) promptFolder(ctx context.Context, files []string) error {
	var texts []string
	for _, file := range files {
		if prompt.MediaType(file) != "" {
			if err := f.w.Show(ctx, file); err != nil {
				return err
			}
			f.images = append(f.images, file)
			continue
		}
		text, err := f.w.Read(ctx, file)
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
	if f.spec = strings.Join(texts, "\n\n"); f.spec == "" {
		return agent.Problem("Describe what to build, or write the description into a file of that folder.", "The folder %s contains no text.", PromptFile)
	}
	return nil
}

// look takes in the images that the user named, and those of the folders that they named.
func (f *flow) look(ctx context.Context) error {
	for _, name := range f.o.Images {
		list := []string{name}
		if prompt.MediaType(name) == "" {
			list = slices.DeleteFunc(f.w.Workspace.Door().Below(ctx, name, ""), func(file string) bool { return prompt.MediaType(file) == "" })
		}
		if len(list) == 0 {
			return agent.Problem("Name an image or a folder with images.", "%s is neither an image nor a folder with images.", name)
		}
		for _, file := range list {
			if err := f.w.Show(ctx, file); err != nil {
				return err
			}
		}
		f.images = append(f.images, list...)
	}
	return ctx.Err()
}
