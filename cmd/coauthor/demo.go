package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"coauthor/agent/llm/llmtest"
	agentsettings "coauthor/agent/settings"
	"coauthor/cmd/coauthor/demo"
)

// DemoCmd shows the whole way from a request to an undone change: the real server over pipes, a
// small project in a temporary folder, and a recorded answer or the user's own model.
type DemoCmd struct {
	Model   string        `help:"Use this model, not a recorded answer."`
	APIBase string        `name:"api-base" help:"The OpenAI-compatible endpoint."`
	Keep    bool          `help:"Keep the temporary project."`
	Timeout time.Duration `default:"5m" help:"Time limit for the demo."`
}

// Run plays the demo; exit status 0 means that the change was applied, seen, and undone to the byte.
func (c *DemoCmd) Run(ctx context.Context, s Streams) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "coauthor-demo-")
	if err == nil { // the server may name files by their real path; /tmp is a link on some systems
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return 1, fmt.Errorf("cannot create a folder for the demo: %w", err)
	}
	if !c.Keep {
		defer os.RemoveAll(dir)
	}
	self, err := os.Executable()
	if err != nil {
		return 1, fmt.Errorf("demo: cannot find this program: %w", err)
	}
	settings, stop := c.model(s)
	defer stop()
	root := filepath.Join(dir, "project")
	err = demo.Play(ctx, demo.Options{Out: s.Out, Colour: s.colour(s.Out), Root: root, Dir: dir, Server: []string{self, "serve"}, Env: settings})
	if err != nil {
		return 1, fmt.Errorf("demo: %w", err)
	}
	if c.Keep {
		fmt.Fprintf(s.Out, "\nThe project is still at %s\n", root)
	}
	return 0, nil
}

// model decides who answers: what the flags or the environment name, else the recorded answer, served on loopback. The
// settings are for the server's environment, where they are the user's word, as an editor's need not be.
func (c *DemoCmd) model(s Streams) (settings map[string]string, stop func()) {
	settings = map[string]string{"COAUTHOR_VERIFY": "syntax", "COAUTHOR_PREVIEW": "diff"}
	model, base := c.Model, c.APIBase
	if model == "" {
		model = s.Env("COAUTHOR_MODEL")
	}
	if base == "" {
		base = s.Env("COAUTHOR_API_BASE")
	}
	user := configured(s)
	usual := cmp.Or(base, user.APIBase, s.Env("OPENAI_BASE_URL"), s.Env("OPENAI_API_BASE")) // the server knows what key those go with
	if model != "" || usual != "" || user.Model != "" || s.Env("OPENAI_API_KEY") != "" {
		if model != "" {
			settings["COAUTHOR_MODEL"] = model
		}
		if base != "" {
			settings["COAUTHOR_API_BASE"] = base
		}
		fmt.Fprintf(s.Out, "Asking the configured model%s%s.\n", prefixed(" ", cmp.Or(model, user.Model)), prefixed(" at ", usual))
		return settings, func() {}
	}
	server := llmtest.Start(demo.Reply())
	settings["COAUTHOR_MODEL"], settings["COAUTHOR_API_BASE"], settings["COAUTHOR_EDIT_FORMAT"] = "demo", server.URL, "diff"
	fmt.Fprintln(s.Out, "No model is configured, so the demo replays a recorded answer.")
	fmt.Fprintln(s.Out, "To use a real model, add --model NAME --api-base URL or set OPENAI_API_KEY.")
	return settings, server.Close
}

// configured are the settings that the user has written down; the server tells what is wrong with them.
func configured(s Streams) agentsettings.Settings {
	o := agentsettings.LoadOptions{Env: s.Env}
	user := newWiring(s, nil, nil).user
	o.UserPath = user.SettingsPath()
	o.UserFile, o.UserError = user.Settings()
	v, _ := agentsettings.Load(o)
	return v
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}
