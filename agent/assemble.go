package agent

import (
	"slices"

	"coauthor/agent/call"
	"coauthor/agent/event"
	"coauthor/agent/history"
	"coauthor/agent/llm"
	"coauthor/agent/prompt"
	"coauthor/edits"
	"coauthor/repomap/syntax"
)

// Prompt is what one call sends, and what it was made of.
type Prompt struct {
	call.Ask
	Context Context // that it was made of
	Parts   []prompt.Part
	Over    int      // of its tokens, that the model has no room for
	Dropped []string // what was left out to fit the model, in words for the user
}

// assemble puts the prompt together and makes it fit. before is what was said in earlier turns, news the
// replies of this talk so far and what was said to them.
func assemble(c Context, before earlier, news []llm.Message) (Prompt, error) {
	p := Prompt{Ask: call.Ask{Strategy: c.Strategy}, Context: c}
	in, err := c.input()
	if err != nil {
		return p, err
	}
	in.Earlier, in.Done, in.Rounds = before.summary.Text, history.Messages(before.said, c.formatName()), news
	p.Tools = c.tools
	if in.Finish, in.Offered = p.Finishes(), p.Offered(); p.Forced() != nil {
		in.Offered = []llm.Tool{*p.Forced()}
	}
	chunks, err := prompt.Build(in)
	if err != nil {
		return p, err
	}
	fitted := chunks.Fit(c.Model.Room, c.Model.Counter.Count)
	p.Tokens, p.Dropped, p.Over = fitted.Tokens, fitted.Dropped, fitted.Over
	p.Parts = chunks.Parts(c.Model.Counter.Count)
	p.Messages, p.Fence, p.Parse = chunks.Messages(), chunks.Fence, c.parseOptions(chunks.Fence)
	return p, nil
}

// input is what the context gives to a prompt.
func (c Context) input() (prompt.Input, error) {
	in := prompt.Input{
		Profile: c.Model.Profile, Coder: c.Coder, Format: c.Format,
		Missing: c.Missing, Unshown: c.Unshown, Map: c.Map.Text, Folders: c.Map.Folders,
		Note: c.Note, Instruction: c.Request.words(), Focus: c.Focus,
		Manual: c.Manual, Pages: c.Pages, Unfetched: c.Unfetched, Media: c.Media, Rules: c.Rules, Optional: c.Optional, Around: c.Around,
		Diff: c.Diff, Commits: c.Commits, Diagnostics: forPrompt(c.Request.Diagnostics),
		Tools: call.Ask{Strategy: c.Strategy, Tools: c.tools}.Rules(),
	}
	var err error
	if in.Chat, err = c.texts(c.Chat); err != nil {
		return in, err
	}
	if in.ReadOnly, err = c.texts(c.ReadOnly); err != nil {
		return in, err
	}
	if c.Format != nil {
		in.Seen, err = c.texts(c.seen.Files())
	}
	return in, err
}

// texts reads files as they are with the edits so far. One that a round has taken away is left out.
func (c Context) texts(paths []string) ([]prompt.File, error) {
	var list []prompt.File
	for _, path := range paths {
		if !c.Now.Exists(path) {
			continue
		}
		text, err := c.Now.Read(path)
		if err != nil {
			return nil, event.CannotRead(path, err)
		}
		list = append(list, prompt.File{Path: path, Text: text})
	}
	return list, nil
}

// parseOptions is how a reply to this context is read.
func (c Context) parseOptions(fence edits.Fence) edits.ParseOptions {
	return edits.ParseOptions{Fence: fence, Chat: slices.Concat(c.Chat, c.Missing), Files: c.Now, Place: c.place(), Language: syntax.LanguageOf}
}

// place is how absolute names in a reply are read: below the root. In a project that the model makes up, or that a job
// showed it without saying where it lies, a leading slash stands for the root.
func (c Context) place() edits.Place {
	return edits.Place{Root: c.Now.Root(), Rooted: c.Request.Job != nil}
}

// forPrompt are the diagnostics that the user wants fixed.
func forPrompt(list []Diagnostic) []prompt.Diagnostic {
	var out []prompt.Diagnostic
	for _, d := range list {
		out = append(out, prompt.Diagnostic{Path: d.Path, Line: d.Line, Message: d.Message, Source: d.Source})
	}
	return out
}
