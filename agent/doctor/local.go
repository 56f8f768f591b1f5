package doctor

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"coauthor/agent/llm/remote"
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
	of, guide := "this shell", "Run coauthor init, which asks and writes the settings. Or "
	if in.starter() == remote.ByEditor {
		of, guide = "your editor", ""
	}
	advice := "set " + key + " in the environment of " + of + ", or add a model and its server to " + file + ", on separate lines: model: NAME and apiBase: URL."
	found := running(ctx, in)
	if len(found) > 0 {
		advice = "add the two lines for one of the servers below to " + file + "."
	}
	if guide == "" {
		advice = strings.ToUpper(advice[:1]) + advice[1:]
	}
	start := Check{Name: "model", Text: "no model is configured yet", Advice: guide + advice}
	return append([]Check{start}, found...)
}

// running tells of the servers of this machine.
func running(ctx context.Context, in Input) (found []Check) {
	for _, s := range Running(ctx, in.Locals, in.Models) {
		names := s.Models[:min(len(s.Models), 5)]
		found = append(found, Check{Name: "local", OK: true,
			Text:   fmt.Sprintf("a server on the default port of %s offers %s: %s", s.Name, count(len(s.Models), "model"), strings.Join(names, ", ")),
			Advice: fmt.Sprintf("To use it, set model: %s and apiBase: %s", names[0], s.Base)})
	}
	return found
}

// RunningServer is a server that runs on this machine.
type RunningServer struct {
	LocalServer
	Models []string // the IDs of what it offers; at least one
}

// Running asks servers of this machine for their models, all at once, and returns those that answer, in the order of the
// list. models is what Input.Models is.
func Running(ctx context.Context, list []LocalServer, models func(context.Context, model.Profile) ([]remote.ModelInfo, error)) (found []RunningServer) {
	ctx, cancel := context.WithTimeout(ctx, localTime)
	defer cancel()
	offered := make([][]string, len(list))
	var group sync.WaitGroup
	for i, s := range list {
		group.Go(func() {
			answer, err := models(ctx, model.Profile{Name: s.Name, ID: s.Name, APIBase: s.Base, NoKey: true})
			if err != nil {
				return
			}
			for _, m := range answer {
				offered[i] = append(offered[i], m.ID)
			}
		})
	}
	group.Wait()
	for i, s := range list {
		if len(offered[i]) > 0 {
			found = append(found, RunningServer{s, offered[i]})
		}
	}
	return found
}
