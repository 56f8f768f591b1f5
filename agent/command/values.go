package command

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"coauthor/agent"
	"coauthor/agent/model"
	"coauthor/agent/proposal"
	"coauthor/agent/vcs"
	"coauthor/edits/formats"
)

// Value is what may stand behind a command's word, and what it is.
type Value struct{ Text, Doc string }

// mostRefs is how many branches and tags are offered.
const mostRefs = 200

// Values lists what may stand behind a command's word. files says that names of files may stand there: Named lists those. Both
// are nothing for a command that takes a text; text says that it does. No model is asked.
func Values(ctx context.Context, s *agent.Session, a Action) (list []Value, files, text bool) {
	i := slices.IndexFunc(a.Args, func(arg Arg) bool { return arg.Bare })
	if i < 0 {
		return nil, false, false
	}
	bare := a.Args[i]
	switch {
	case a.ID == "dropFile":
		now := s.Chosen.Get()
		return values(slices.Concat(now.Files, now.ReadOnly, now.Pages)), false, false
	case a.ID == "listModels", bare.Name == "model":
		return Models(s, a), false, false
	case a.ID == "setCoder":
		return values(slices.Concat(s.Engine.Options().Coders.Names(), formats.Choices())), false, false
	case a.ID == "saveChat":
		return values(savedChats(s)), false, false
	case a.ID == "loadChat":
		return values(savedChats(s)), true, false
	case bare.Name == "request":
		return requests(ctx, s), false, false
	case bare.Name == "base":
		refs, err := vcs.Refs(ctx, s.Workspace.Root(), mostRefs)
		if err != nil {
			return nil, false, false // without a repository there are none
		}
		return values(refs), false, false
	case bare.Type == "string[]":
		return nil, true, false
	case len(bare.Allowed()) > 0:
		return values(bare.Allowed()), false, false
	case slices.Contains([]string{"amount", "attempt", "url"}, bare.Name): // nobody can know it
		return nil, false, false
	}
	return nil, false, true
}

func values(names []string) (list []Value) {
	for _, name := range names {
		list = append(list, Value{Text: name})
	}
	return list
}

// ChoosesModel says whether a command sets a model.
func (a Action) ChoosesModel() bool {
	return a.Chooses && slices.ContainsFunc(a.Args, func(arg Arg) bool { return arg.Bare && arg.Name == "model" })
}

// ModelOf is the model that a command sets, as it is now; for other commands that of requests.
func ModelOf(s *agent.Session, a Action) string {
	now := s.InForce()
	switch a.ID {
	case "setWeakModel":
		return now.WeakModel
	case "setEditorModel":
		return now.EditorModel
	}
	return now.Model
}

// Models lists the models that can be asked for by name, each with its window and its price. Those that mean the one that a
// command sets are marked.
func Models(s *agent.Session, a Action) (list []Value) {
	catalog := s.Engine.Options().Catalog()
	now := catalog.Resolve(ModelOf(s, a))
	for _, name := range catalog.Names() {
		p := catalog.Resolve(name)
		var facts []string
		if p.ID == now.ID && p.Provider == now.Provider {
			facts = append(facts, "in use")
		}
		if p.ContextWindow > 0 {
			facts = append(facts, model.Short(p.ContextWindow)+" window")
		}
		if price := p.Price.Text(); price != "" {
			facts = append(facts, price)
		}
		list = append(list, Value{name, strings.Join(facts, " · ")})
	}
	return list
}

// savedChats are the names under which chats of the root are saved.
func savedChats(s *agent.Session) (names []string) {
	dir := chats(s)
	if dir == "" {
		return nil
	}
	entries, _ := os.ReadDir(dir) // what cannot be read has none
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), ".txt"); ok && isChatName(name) {
			names = append(names, name)
		}
	}
	return names
}

// requests are the numbers of the conversation's requests, the last one first.
func requests(ctx context.Context, s *agent.Session) (list []Value) {
	said, err := s.Conversation.Exchanges(ctx)
	if err != nil {
		return nil
	}
	for _, x := range slices.Backward(said) {
		list = append(list, Value{strconv.Itoa(x.Number), proposal.Label(x.User)})
	}
	return list
}
