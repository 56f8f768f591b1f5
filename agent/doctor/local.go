package doctor

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/model"
)

// LocalServer is a model server that may run on this machine.
type LocalServer struct {
	Name string
	Base string // URL with /v1, on a loopback address
}

// LocalServers lists the usual servers at their usual ports.
func LocalServers() []LocalServer {
	return []LocalServer{
		{"Ollama", "http://127.0.0.1:11434/v1"},
		{"LM Studio", "http://127.0.0.1:1234/v1"},
		{"llama.cpp", "http://127.0.0.1:8080/v1"},
		{"vLLM", "http://127.0.0.1:8000/v1"},
		{"Jan", "http://127.0.0.1:1337/v1"},
		{"text-generation-webui", "http://127.0.0.1:5000/v1"},
	}
}

// localTime is how long a server on this machine may take to list its models.
const localTime = time.Second

// unconfigured says that the user has chosen nothing yet: neither a model nor an endpoint, nor a key by
// which one would be chosen.
func unconfigured(in Input, keyMissing error) bool {
	s := in.Settings
	return keyMissing != nil && (s.Model == "" || s.Unchosen) && s.APIBase == "" && s.EnvBase == "" && len(s.Models) == 0
}

// firstSteps tells someone who has configured nothing what to write, and where.
func firstSteps(ctx context.Context, in Input, key string) []Check {
	file := in.UserFile
	if file == "" {
		file = "your settings"
	}
	of := "this shell"
	if in.starter() == llm.ByEditor {
		of = "your editor"
	}
	start := Check{Name: "model", Text: "no model is configured yet",
		Advice: "Set " + key + " in the environment of " + of + ", or add a model and its server to " + file + ", on separate lines: model: NAME and apiBase: URL."}
	found := running(ctx, in)
	if len(found) > 0 {
		start.Advice = "Add the two lines for one of the servers below to " + file + "."
	}
	return append([]Check{start}, found...)
}

// running asks the usual servers of this machine for their models, all at once.
func running(ctx context.Context, in Input) []Check {
	ctx, cancel := context.WithTimeout(ctx, localTime)
	defer cancel()
	checks := make([]*Check, len(in.Locals))
	var group sync.WaitGroup
	for i, s := range in.Locals {
		group.Go(func() {
			list, err := in.Models(ctx, model.Profile{Name: s.Name, ID: s.Name, APIBase: s.Base, NoKey: true})
			if err != nil || len(list) == 0 {
				return
			}
			var names []string
			for _, m := range list[:min(len(list), 5)] {
				names = append(names, m.ID)
			}
			checks[i] = &Check{Name: "local", OK: true,
				Text:   fmt.Sprintf("a server on the default port of %s offers %s: %s", s.Name, count(len(list), "model"), strings.Join(names, ", ")),
				Advice: fmt.Sprintf("To use it, set model: %s and apiBase: %s", names[0], s.Base)}
		})
	}
	group.Wait()
	var found []Check
	for _, c := range checks {
		if c != nil {
			found = append(found, *c)
		}
	}
	return found
}
