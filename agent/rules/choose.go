package rules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// mostRules is how many bytes of rules go to a model, of all files together.
const mostRules = 32 << 10

// Options are what a choice of rules is made from.
type Options struct {
	Door *workspace.Door
	Base *workspace.Snapshot
	Chat []string // files of the request, also those that are not there yet
	// Given are the files that the model is shown anyway, whose text a rule need not repeat.
	Given   []string
	Own     func() (prompt.File, error) // the user's own rules; nil for none
	Trusted bool                        // the rules of the workspace need no consent
	// Looking: nothing is sent, so that nobody is asked.
	Looking bool
	// Once asks what was not answered in this session yet, and says whether the user agreed, and whether they ever answered.
	Once func(key string, ask func() (yes, answered bool, err error)) (yes, asked bool, err error)
	// Ask puts a question and says whether the first of its choices was taken.
	Ask func(ctx context.Context, q event.Question) (bool, error)
}

// Chosen are the rules of a request.
type Chosen struct {
	Rules    []prompt.Rule
	Optional []prompt.OptionalRule // that the model may ask for
	Left     []LeftOut
	Notes    []event.Note
}

// LeftOut is a file, or a part of it, that is not among the rules.
type LeftOut struct {
	What string
	Why  string // the end of a sentence
}

// Choose returns the rules that count for the files of the chat: the user's own, and those of the workspace, each through
// the door. Those of a workspace that is not trusted are asked about, since whoever wrote them says by them what the model
// does. What is left out counts also with an error.
func Choose(ctx context.Context, o Options) (Chosen, error) {
	r := ruling{o: o, room: mostRules, seen: map[string]bool{}}
	if o.Own != nil {
		r.takeOwn(o.Own())
	}
	if o.Base.Root() == "" {
		return r.chosen, nil
	}
	r.find(ctx)
	if ctx.Err() != nil {
		return r.chosen, ctx.Err()
	}
	if err := r.askFor(ctx); err != nil {
		return r.chosen, err
	}
	for _, f := range r.found {
		r.take(f)
	}
	return r.chosen, nil
}

// ruling is the choice of rules in the making.
type ruling struct {
	o      Options
	room   int // bytes that are left
	seen   map[string]bool
	found  []foundRule
	chosen Chosen
}

func (r *ruling) leave(what, why string) {
	r.chosen.Left = append(r.chosen.Left, LeftOut{what, why})
}

// foundRule is a rules file that counts, or may be asked for.
type foundRule struct {
	path, target string // target: where a symbolic link leads
	Rule
}

func (r *ruling) takeOwn(f prompt.File, err error) {
	if err != nil {
		r.leave(f.Path, "cannot read the file: "+err.Error())
		return
	}
	if strings.TrimSpace(f.Text) != "" {
		r.take(foundRule{path: f.Path, Rule: Rule{Text: f.Text, Applies: true}})
	}
}

// find looks for what counts.
func (r *ruling) find(ctx context.Context) {
	tree := ruleTree{ctx, r.o.Door, r.o.Base}
	next := Candidates(tree, r.o.Chat)
	for depth := 0; len(next) > 0 && ctx.Err() == nil; depth++ {
		var imports []string
		for _, f := range r.read(ctx, next) {
			if strings.HasPrefix(f.path, "CLAUDE.md") || depth > 0 {
				imports = append(imports, Imports(f.path, f.Text)...)
			}
		}
		next = slices.DeleteFunc(imports, func(path string) bool { return depth >= MostImports || !r.o.Base.Exists(path) })
	}
}

// read reads the files of a list that nobody has read yet, as far as they may be sent.
func (r *ruling) read(ctx context.Context, paths []string) []foundRule {
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool {
		known := r.seen[path]
		r.seen[path] = true
		return known
	})
	first := len(r.found)
	for i, d := range r.o.Door.CheckAll(ctx, paths, workspace.OpSend) {
		path := paths[i]
		if d.Verdict != workspace.Allow {
			r.leave(path, d.Reason)
			continue
		}
		text, err := r.o.Base.Read(path)
		if err != nil {
			r.leave(path, "cannot read the file: "+err.Error())
			continue
		}
		f := foundRule{path: path, target: d.Target, Rule: Read(path, text, r.o.Chat)}
		same := slices.IndexFunc(r.found, func(o foundRule) bool { return o.path == f.target || o.Text == f.Text })
		switch {
		case same >= 0 && f.Applies:
			r.leave(path, "it duplicates "+r.found[same].path)
		case strings.TrimSpace(f.Text) == "":
			r.leave(path, "it is empty")
		case f.Applies || f.Optional:
			r.found = append(r.found, f)
		default:
			r.leave(path, f.Why)
		}
	}
	return r.found[first:]
}

// askFor asks, once for each text in a session, whether the rules of a workspace that is not trusted are to be
// followed. What is not to be followed is left out.
func (r *ruling) askFor(ctx context.Context) error {
	if r.o.Trusted || len(r.found) == 0 {
		return nil
	}
	var names []string
	sum := sha256.New()
	for _, f := range r.found {
		names = append(names, f.path)
		fmt.Fprintf(sum, "%q %q\n", f.path, f.Text)
	}
	const untrusted = "this workspace is not trusted"
	files := several(names)
	yes, asked, err := r.o.Once("rules "+hex.EncodeToString(sum.Sum(nil)), func() (bool, bool, error) {
		if r.o.Looking {
			return false, false, nil
		}
		yes, err := r.o.Ask(ctx, event.Question{
			Text:    fmt.Sprintf("This workspace is not trusted. Let the model follow its rules in %s?", files),
			Choices: []string{"follow", "skip"}, Titles: []string{"send " + files + " as rules", "do not send the rules"},
		})
		return yes, true, err
	})
	if err != nil || yes {
		return err
	}
	for _, name := range names {
		if r.o.Looking && !asked {
			r.leave(name, untrusted+"; sending the request asks you first")
		} else {
			r.leave(name, untrusted+", and you did not allow its rules")
		}
	}
	if !r.o.Looking {
		r.chosen.Notes = append(r.chosen.Notes, event.Info(fmt.Sprintf("The rules in %s were not sent because %s. To use them, agree when Coauthor asks, or add the folder to trust.roots.", files, untrusted)))
	}
	r.found = nil
	return nil
}

// several names some files in a sentence.
func several(names []string) string {
	const most = 6
	if len(names) > most {
		return fmt.Sprintf("%s and %d more files", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// take puts a rule into the prompt, as far as there is room.
func (r *ruling) take(f foundRule) {
	if !f.Applies {
		r.chosen.Optional = append(r.chosen.Optional, prompt.OptionalRule{Path: f.path, About: f.About})
		r.leave(f.path, f.Why+"; the model can request it")
		return
	}
	rule := prompt.Rule{File: prompt.File{Path: f.path, Text: f.Text}}
	rule.Shown = slices.Contains(r.o.Given, f.path)
	switch {
	case rule.Shown:
		rule.Text = ""
	case len(rule.Text) > r.room:
		end := strings.LastIndexByte(rule.Text[:r.room], '\n') + 1
		if end == 0 {
			r.leave(f.path, fmt.Sprintf("other rules already use the limit of %d KiB", mostRules>>10))
			return
		}
		r.leave("the end of "+f.path, fmt.Sprintf("rules are limited to %d KiB", mostRules>>10))
		rule.Text, rule.Cut = rule.Text[:end], true
	}
	r.room -= len(rule.Text)
	r.chosen.Rules = append(r.chosen.Rules, rule)
}

// ruleTree is what the user has.
type ruleTree struct {
	ctx  context.Context
	door *workspace.Door
	base *workspace.Snapshot
}

// Exists implements Tree. What lies there and cannot be sent is named with the reason.
func (t ruleTree) Exists(path string) bool { return t.base.Exists(path) || t.door.Listed(path) }

// Below implements Tree.
func (t ruleTree) Below(folder, suffix string) []string { return t.door.Below(t.ctx, folder, suffix) }
