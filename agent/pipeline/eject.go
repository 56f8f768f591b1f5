package pipeline

import (
	"context"
	"errors"
	"path"
	"strings"

	"coauthor/agent"
	"coauthor/agent/command"
	"coauthor/agent/event"
)

// prepromptsFolder is where the texts go while the setting names no folder.
const prepromptsFolder = "preprompts"

type prepromptsArgs struct {
	Instruction string `arg:"instruction" doc:"{eject}, then the names of the prompts to copy. Default: all prompts."`
	command.Folder
}

// runPreprompts proposes the built-in texts as files of the folder.
func runPreprompts(_ context.Context, _ *agent.Session, _ command.Call, args prepromptsArgs) (command.Answer, error) {
	words := strings.Fields(args.Instruction)
	if len(words) == 0 || words[0] != "eject" {
		return command.Answer{}, errors.New("write preprompts eject, optionally with names of prompts: " + strings.Join(BuiltIn().Names(), ", "))
	}
	names := words[1:]
	job := &agent.Job{Name: "preprompts", Edits: true, NoModel: true, Run: func(_ context.Context, w *agent.JobContext) error {
		folder := w.Settings.Pipeline.Preprompts
		if folder == "" {
			folder = prepromptsFolder
		}
		changes, skipped, err := Eject(path.Clean(folder), names, w.Now().Exists)
		if err != nil {
			return agent.Problem("Check the folder and try again.", "Cannot write the prompts: %v.", err)
		}
		if len(skipped) > 0 {
			w.Note(event.LevelInfo, "Already there, left unchanged: "+strings.Join(skipped, ", ")+".")
		}
		if len(changes) == 0 {
			w.Answer = "All prompts are already in " + folder + "."
			return nil
		}
		if w.Settings.Pipeline.Preprompts == "" {
			w.Note(event.LevelInfo, "Set pipeline.preprompts to "+folder+" to use these prompts.")
		}
		w.Lay(changes)
		return nil
	}}
	return command.Answer{Then: &agent.Request{Job: job, Label: "preprompts eject"}}, nil
}
