package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/prompt"
	"coauthor/agent/rules"
	"coauthor/agent/workspace"
)

// mostRules is how many bytes of rules go to a model, of all files together.
const mostRules = 32 << 10

// LeftOut is something that a prompt could hold and does not.
type LeftOut struct {
	What string // a path, or a part of the prompt
	Why  string // the end of a sentence
}

// rules takes in the rules files that count for the files of the chat: the user's own, and those of the
// workspace, each through the door. Those of a workspace that is not trusted are asked about, since whoever
// wrote them says by them what the model does.
func (g *gathering) rules(ctx context.Context) error {
	if !g.c.Settings.RulesFiles {
		return nil
	}
	r := ruling{g: g, chat: slices.Concat(g.c.Chat, g.c.Missing), room: mostRules, seen: map[string]bool{}}
	if g.d.own != nil {
		r.takeOwn(g.d.own())
	}
	if g.c.Base.Root() == "" {
		return nil
	}
	r.find(ctx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := r.askFor(ctx); err != nil {
		return err
	}
	for _, f := range r.found {
		r.take(f)
	}
	return nil
}

// ruling is the choice of rules in the making.
type ruling struct {
	g     *gathering
	chat  []string
	room  int // bytes that are left
	seen  map[string]bool
	found []foundRule
}

// foundRule is a rules file that counts, or may be asked for.
type foundRule struct {
	path, target string // target: where a symbolic link leads
	rules.Rule
}

func (r *ruling) takeOwn(f prompt.File, err error) {
	if err != nil {
		r.g.leave(f.Path, "cannot read the file: "+err.Error())
		return
	}
	if strings.TrimSpace(f.Text) != "" {
		r.take(foundRule{path: f.Path, Rule: rules.Rule{Text: f.Text, Applies: true}})
	}
}

// find looks for what counts.
func (r *ruling) find(ctx context.Context) {
	tree := ruleTree{ctx, r.g.d.door, r.g.c.Base}
	next := rules.Candidates(tree, r.chat)
	for depth := 0; len(next) > 0 && ctx.Err() == nil; depth++ {
		var imports []string
		for _, f := range r.read(ctx, next) {
			if strings.HasPrefix(f.path, "CLAUDE.md") || depth > 0 {
				imports = append(imports, rules.Imports(f.path, f.Text)...)
			}
		}
		next = slices.DeleteFunc(imports, func(path string) bool { return depth >= rules.MostImports || !r.g.c.Base.Exists(path) })
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
	for i, d := range r.g.d.door.CheckAll(ctx, paths, workspace.OpSend) {
		path := paths[i]
		if d.Verdict != workspace.Allow {
			r.g.leave(path, d.Reason)
			continue
		}
		text, err := r.g.c.Base.Read(path)
		if err != nil {
			r.g.leave(path, "cannot read the file: "+err.Error())
			continue
		}
		f := foundRule{path: path, target: d.Target, Rule: rules.Read(path, text, r.chat)}
		same := slices.IndexFunc(r.found, func(o foundRule) bool { return o.path == f.target || o.Text == f.Text })
		switch {
		case same >= 0 && f.Applies:
			r.g.leave(path, "it duplicates "+r.found[same].path)
		case strings.TrimSpace(f.Text) == "":
			r.g.leave(path, "it is empty")
		case f.Applies || f.OnWish:
			r.found = append(r.found, f)
		default:
			r.g.leave(path, f.Why)
		}
	}
	return r.found[first:]
}

// askFor asks, once for each text in a session, whether the rules of a workspace that is not trusted are to be
// followed. What is not to be followed is left out.
func (r *ruling) askFor(ctx context.Context) error {
	if r.g.c.Settings.Trusted || len(r.found) == 0 {
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
	yes, asked, err := r.g.d.consents.Once("rules "+hex.EncodeToString(sum.Sum(nil)), func() (bool, bool, error) {
		if r.g.d.looking {
			return false, false, nil
		}
		yes, err := r.g.d.put.first(ctx, event.Question{
			Text:    fmt.Sprintf("This workspace is not trusted. Let the model follow its rules in %s?", files),
			Choices: []string{"follow", "skip"}, Titles: []string{"send " + files + " as rules", "do not send the rules"},
		})
		return yes, true, err
	})
	if err != nil || yes {
		return err
	}
	for _, name := range names {
		if r.g.d.looking && !asked {
			r.g.leave(name, untrusted+"; sending the request asks you first")
		} else {
			r.g.leave(name, untrusted+", and you did not allow its rules")
		}
	}
	if !r.g.d.looking {
		r.g.note(event.Info(fmt.Sprintf("The rules in %s were not sent because %s. To use them, agree when Coauthor asks, or add the folder to trust.roots.", files, untrusted)))
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
		r.g.c.OnWish = append(r.g.c.OnWish, prompt.OnWish{Path: f.path, About: f.About})
		r.g.leave(f.path, f.Why+"; the model can request it")
		return
	}
	rule := prompt.Rule{File: prompt.File{Path: f.path, Text: f.Text}}
	rule.Shown = r.g.c.inChat(f.path) || slices.Contains(r.g.c.ReadOnly, f.path)
	switch {
	case rule.Shown:
		rule.Text = ""
	case len(rule.Text) > r.room:
		end := strings.LastIndexByte(rule.Text[:r.room], '\n') + 1
		if end == 0 {
			r.g.leave(f.path, fmt.Sprintf("other rules already use the limit of %d KiB", mostRules>>10))
			return
		}
		r.g.leave("the end of "+f.path, fmt.Sprintf("rules are limited to %d KiB", mostRules>>10))
		rule.Text, rule.Cut = rule.Text[:end], true
	}
	r.room -= len(rule.Text)
	r.g.c.Rules = append(r.g.c.Rules, rule)
}

// ruleTree is what the user has, for package rules.
type ruleTree struct {
	ctx  context.Context
	door *workspace.Door
	base *workspace.Snapshot
}

// Exists implements rules.Tree. What lies there and cannot be sent is named with the reason.
func (t ruleTree) Exists(path string) bool { return t.base.Exists(path) || t.door.Listed(path) }

// Below implements rules.Tree.
func (t ruleTree) Below(folder, suffix string) []string { return t.door.Below(t.ctx, folder, suffix) }
