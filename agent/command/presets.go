package command

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"coauthor/agent"
	"coauthor/agent/coder"
	"coauthor/agent/display"
)

// Preset is what a command asks for that needs no words of the user's own.
type Preset struct {
	Coder string // of its turns; "" is the one that is in force, if it proposes changes, else the default one
	Text  string // what the model is told
}

// presetRow is one of the table of presets.
type presetRow struct {
	id, word, title, doc string
	preset               Preset
}

// presets are the requests that people make most often of code that they point at.
func presets() []presetRow {
	return []presetRow{
		{
			id: "explain", word: "explain", title: "Explain",
			doc: "Explains the selection or the given files without changing them.",
			preset: Preset{Coder: "ask", Text: "Explain this code to someone who knows the language and not this project. " +
				"Say in one or two sentences what it is for, then how it works, and last what is surprising or easy to get wrong."},
		},
		{
			id: "addTests", word: "add-tests", title: "Add tests",
			doc: "Writes tests for the selection or the given files, following the project's test layout and style.",
			preset: Preset{Text: "Write tests for this code. Put them where this project has its tests, and use its framework, its helpers and its way to name tests. " +
				"Test what the code promises its callers: the usual case, the limits, and wrong input. Change the code itself only where it cannot be tested otherwise."},
		},
		{
			id: "addDocs", word: "add-docs", title: "Add documentation",
			doc: "Documents the selection or the given files with comments, in the style of the language and the project.",
			preset: Preset{Text: "Document this code with comments, in the style of its language and this project. " +
				"Say what a caller has to know: what it does, what it takes and returns, how it fails, and what is surprising. Do not repeat what the code says by itself, and change nothing but comments."},
		},
		{
			id: "simplify", word: "simplify", title: "Simplify",
			doc: "Simplifies the selection or the given files without changing their behavior.",
			preset: Preset{Text: "Make this code simpler: shorter and easier to read. It must do the same as before, also with wrong input, and its callers must not notice. " +
				"Take out what is repeated, what is not used, and what is more general than it has to be. If it is simple enough already, say so and change nothing."},
		},
	}
}

// presetActions are the commands of the presets.
func presetActions(coders coder.Table) []Action {
	var list []Action
	for _, p := range presets() {
		group, result := GroupChange, `{turnId, status: "started"|"busy"}`
		args := startArgs[EditArgs]("Additional instructions.")
		if row, err := coders.ByName(p.preset.Coder); err == nil && !row.Proposes() {
			group, result, args = GroupAsk, `{turnId, status: "started"}`, args[:len(args)-1]
		}
		preset := p.preset
		list = append(list, Action{
			ID: p.id, Group: group, Title: p.title, Word: p.word, Doc: p.doc, Args: args, Result: result, Turns: true, Preset: &preset, Run: runPreset(p.title, preset),
		})
	}
	return list
}

// runPreset makes the request of a preset.
func runPreset(title string, p Preset) Run {
	return With(func(_ context.Context, s *agent.Session, c Call, args EditArgs) (Answer, error) {
		about := strings.Join(args.Files, ", ")
		if c.Target != nil {
			about = c.Target.Path
		}
		words := strings.TrimSpace(args.Instruction)
		if about == "" && words == "" {
			return Answer{}, fmt.Errorf("%s: no code selected; select code or name the files", display.Lower(title))
		}
		r := agent.Request{Instruction: strings.TrimSpace(p.Text + "\n\n" + words), Target: c.Target, Files: args.Files, ReadOnly: args.ReadOnly, Coder: p.Coder,
			Label: title + ": " + cmp.Or(about, words), Model: args.Model, Preview: args.Preview, Format: args.Format}
		if r.Coder == "" {
			if now, err := s.Resolve(r); err == nil && !now.Coder.Proposes() {
				r.Coder = coder.Default
			}
		}
		return Answer{Then: &r}, nil
	})
}
