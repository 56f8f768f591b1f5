package command

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"coauthor/agent"
	"coauthor/agent/chosen"
	"coauthor/agent/command/arg"
	"coauthor/agent/display"
	"coauthor/agent/index"
	"coauthor/agent/mention"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
)

// Which files are in the chat of a session: the commands by which the user says so.

// filesArgs name files of the chat.
type filesArgs struct {
	Files arg.Files `arg:"files" also:"file,uris,globs" bare:"yes" doc:"Paths, folders or globs."`
	Folder
}

// runAdd puts files into the chat.
func runAdd(ctx context.Context, s *agent.Session, _ Call, args filesArgs) (Answer, error) {
	if len(args.Files) == 0 {
		return Answer{}, fmt.Errorf("name the files to add: paths, folders or globs such as src/*.go")
	}
	return bringIn(ctx, s, args.Files, func(choice *chosen.Choice) (to, from *[]string) { return &choice.Files, &choice.ReadOnly })
}

// runReadOnly puts files into the chat that the model only sees; without a name it moves all that are there.
func runReadOnly(ctx context.Context, s *agent.Session, _ Call, args filesArgs) (Answer, error) {
	names := []string(args.Files)
	if len(names) == 0 {
		if names = s.Chosen.Get().Files; len(names) == 0 {
			return Answer{}, fmt.Errorf("no files in the chat to make read-only; name the files")
		}
	}
	return bringIn(ctx, s, names, func(choice *chosen.Choice) (to, from *[]string) { return &choice.ReadOnly, &choice.Files })
}

// bringIn puts files into one list of the chat, and takes them out of the other.
func bringIn(ctx context.Context, s *agent.Session, names []string, lists func(*chosen.Choice) (to, from *[]string)) (Answer, error) {
	files, err := findFiles(ctx, s, names)
	if err != nil {
		return Answer{}, err
	}
	choice := s.Chosen.Get()
	to, from := lists(&choice)
	for _, file := range files {
		if !slices.Contains(*to, file) {
			*to = append(*to, file)
		}
	}
	*from = slices.DeleteFunc(*from, func(file string) bool { return slices.Contains(files, file) })
	return changed(s, choice)
}

// runDrop takes files and pages out of the chat; without a name all of them.
func runDrop(_ context.Context, s *agent.Session, _ Call, args filesArgs) (Answer, error) {
	choice := s.Chosen.Get()
	all := slices.Concat(choice.Files, choice.ReadOnly)
	gone := slices.Concat(all, choice.Pages)
	if len(args.Files) > 0 {
		gone = nil
		for _, name := range args.Files {
			if page := slices.IndexFunc(choice.Pages, func(url string) bool { return web.Address(url) == web.Address(name) }); page >= 0 {
				gone = append(gone, choice.Pages[page])
				continue
			}
			found := matching(all, strings.TrimSuffix(path.Clean(name), "/"))
			if len(found) == 0 {
				return Answer{}, fmt.Errorf("%s is not in the chat; %s", name, cmp.Or(inChat(choice), "the chat has no files"))
			}
			gone = append(gone, found...)
		}
	}
	dropped := func(file string) bool { return slices.Contains(gone, file) }
	choice.Files, choice.ReadOnly = slices.DeleteFunc(choice.Files, dropped), slices.DeleteFunc(choice.ReadOnly, dropped)
	choice.Pages = slices.DeleteFunc(choice.Pages, dropped)
	return changed(s, choice)
}

// matching are the files that a name means: the file itself, those of a folder, those that a glob fits, or else those of
// that name in any folder.
func matching(files []string, name string) []string {
	pick := func(fits func(string) bool) []string {
		return slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !fits(f) })
	}
	if slices.Contains(files, name) {
		return []string{name}
	}
	if found := pick(func(f string) bool { return name == "." || strings.HasPrefix(f, name+"/") }); len(found) > 0 {
		return found
	}
	if mention.IsGlob(name) {
		return pick(func(f string) bool { fits, err := doublestar.Match(name, f); return fits && err == nil })
	}
	return pick(func(f string) bool { return strings.HasSuffix(f, "/"+name) })
}

// runList lists the files of the chat, and how many others there are.
func runList(ctx context.Context, s *agent.Session, _ Call, _ Folder) (Answer, error) {
	choice := s.Chosen.Get()
	text := cmp.Or(inChat(choice), "The chat has no files. Each request still adds its own.")
	data := map[string]any{"files": append([]string{}, choice.Files...), "readOnly": append([]string{}, choice.ReadOnly...), "pages": append([]string{}, choice.Pages...)}
	others, err := others(ctx, s, choice)
	if err != nil {
		return Answer{}, err
	}
	data["others"] = others
	var b strings.Builder
	fmt.Fprintf(&b, "# Coauthor: files\n\n%s\n\n## Not in the chat\n\n", text)
	for _, file := range others {
		fmt.Fprintf(&b, "- %s\n", file)
	}
	return Answer{Text: fmt.Sprintf("%s %s in the folder %s not in the chat.", text, display.Count(len(others), "file"), are(len(others))), Page: Page{"files.md", b.String()}, Data: data}, nil
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// others are the files of the folder that may be added.
func others(ctx context.Context, s *agent.Session, choice chosen.Choice) ([]string, error) {
	list, err := index.Sendable(ctx, s.Workspace)
	return slices.DeleteFunc(append([]string{}, list...), func(f string) bool {
		return slices.Contains(choice.Files, f) || slices.Contains(choice.ReadOnly, f)
	}), err
}

// inChat says what is in the chat, in whole sentences; "" for nothing.
func inChat(c chosen.Choice) string {
	var text []string
	if len(c.Files) > 0 {
		text = append(text, "In the chat: "+strings.Join(c.Files, ", ")+".")
	}
	if len(c.ReadOnly) > 0 {
		text = append(text, "Read-only: "+strings.Join(c.ReadOnly, ", ")+".")
	}
	if len(c.Pages) > 0 {
		text = append(text, "Pages: "+strings.Join(c.Pages, ", ")+".")
	}
	return strings.Join(text, " ")
}

// changed makes a choice the session's, and says what the chat is now.
func changed(s *agent.Session, choice chosen.Choice) (Answer, error) {
	now, err := s.Choose(choice)
	return Answer{Text: cmp.Or(inChat(now.Choice), "The chat now has no files."), Data: now.Report()}, err
}

// findFiles are the files that names mean. A name for which there is nothing is an error, and so is a file that may not be
// sent or that the model cannot be shown: whoever names it expects the model to see it.
func findFiles(ctx context.Context, s *agent.Session, names []string) ([]string, error) {
	var all, found []string
	snap := s.Workspace.Snapshot().Within(ctx)
	if pages, _ := web.Among(names); len(pages) > 0 {
		return nil, fmt.Errorf("%s is a URL; use /web to show it to the model", pages[0])
	}
	for _, name := range names {
		clean := strings.TrimSuffix(path.Clean(name), "/")
		if snap.Exists(clean) {
			one, why, ask := sendable(ctx, s, clean)
			switch {
			case why != "" && ask:
				return nil, fmt.Errorf("%s was not added: %s. To send it, name it in a request and agree when Coauthor asks", name, why)
			case why != "":
				return nil, fmt.Errorf("%s was not added: %s", name, why)
			}
			found = append(found, one)
			continue
		}
		if all == nil {
			var err error
			if all, err = index.Sendable(ctx, s.Workspace); err != nil {
				return nil, err
			}
		}
		more := matching(all, clean)
		switch {
		case len(more) == 0 && s.Workspace.Door().Listed(clean):
			d := s.Workspace.Door().Check(ctx, clean, workspace.OpSend)
			return nil, fmt.Errorf("%s was not added: %s", name, cmp.Or(strings.TrimSuffix(d.Reason, "."), "it contains no files that can be sent"))
		case len(more) == 0:
			return nil, fmt.Errorf("file %s not found; to create it, ask for it in a request", name)
		case len(more) > mention.MostMatches:
			return nil, fmt.Errorf("%s matches %d files; add up to %d at a time", name, len(more), mention.MostMatches)
		case !mention.IsGlob(clean) && len(more) > 1 && !strings.HasPrefix(more[0], clean+"/") && clean != ".":
			return nil, fmt.Errorf("%s could mean %s; enter one of these paths", name, strings.Join(more[:min(len(more), 5)], " or "))
		}
		list, err := sendableOf(ctx, s, name, more)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
	}
	return found, nil
}
