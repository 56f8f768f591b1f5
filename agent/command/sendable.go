package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/workspace"
)

// sendable returns a file as the workspace spells it, or why the model cannot be shown it; ask is true where the user's
// consent would change that.
func sendable(ctx context.Context, s *agent.Session, file string) (spelled, why string, ask bool) {
	if why := unseen(s, file); why != "" {
		return file, why, false
	}
	d := s.Workspace.Door().Check(ctx, file, sending(file))
	if d.Verdict != workspace.Allow {
		return file, strings.TrimSuffix(d.Reason, "."), d.Verdict == workspace.Ask
	}
	return cmp.Or(d.Path, file), "", false
}

// sendableOf are those files of a folder or a glob that can be sent. The images and documents of a folder are not meant,
// unless it holds nothing else. Where nothing is left, the error says why.
func sendableOf(ctx context.Context, s *agent.Session, name string, files []string) ([]string, error) {
	isMedia := func(file string) bool { return prompt.MediaType(file) != "" }
	if texts := slices.DeleteFunc(slices.Clone(files), isMedia); len(texts) > 0 && !mention.IsGlob(name) {
		files = texts
	}
	var list []string
	var reason string
	for _, op := range []workspace.Operation{workspace.OpSend, workspace.OpSendBytes} {
		some := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return sending(file) != op })
		for i, d := range s.Workspace.Door().CheckAll(ctx, some, op) {
			switch why := cmp.Or(unseen(s, some[i]), d.Reason); {
			case d.Verdict == workspace.Allow && unseen(s, some[i]) == "":
				list = append(list, some[i])
			default:
				reason = cmp.Or(reason, strings.TrimSuffix(why, "."))
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s was not added: %s", name, reason)
	}
	slices.Sort(list)
	return list, nil
}

// sending is how a file leaves the machine: an image or a document as it is.
func sending(file string) workspace.Operation {
	if prompt.MediaType(file) != "" {
		return workspace.OpSendBytes
	}
	return workspace.OpSend
}

// unseen says why the session's model is not shown an image or a document, with what to do; "" where it is.
func unseen(s *agent.Session, file string) string {
	v := s.Settings()
	p := v.Profile(s.Engine.Options().Catalog(), v.Model)
	why := agent.Unseen(p, file)
	if why == "" {
		return ""
	}
	return fmt.Sprintf("%s; choose a model that does, or set models.%s.%s to true", why, p.Name, prompt.Capability(prompt.MediaType(file)))
}
