package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"coauthor/agent/command"
	"coauthor/agent/custom"
	"coauthor/agent/display"
	"coauthor/agent/doctor"
	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/vcs"
	"coauthor/agent/workspace"
)

// DoctorCmd checks what a turn needs. The language server's command coauthor.doctor makes the same
// checks, and those of the editor.
type DoctorCmd struct {
	Root    string   `placeholder:"DIR" help:"The project folder. Default: this repository."`
	Model   string   `placeholder:"NAME" help:"The model to check."`
	APIBase string   `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint."`
	Ask     bool     `name:"ask-model" help:"Send the model one short, cheap request."`
	Locals  []string `hidden:"" name:"local-server" help:"URLs to check for local models, instead of the usual ports."`
	JSON    bool     `name:"json" help:"Print one JSON object."`
}

// Run makes the checks and prints them. Exit status 1: at least one of them is not OK.
func (c *DoctorCmd) Run(ctx context.Context, s Streams) (int, error) {
	flags := map[string]string{}
	if c.Model != "" {
		flags["model.name"] = c.Model
	}
	if c.APIBase != "" {
		flags["apiBase"] = c.APIBase
	}
	w := newWiring(s, flags, nil)
	root, err := c.folder(ctx)
	if err != nil {
		return 2, err
	}
	v, warnings := w.settings(root, settings.Editor{})
	checks := examine(ctx, w, root, v, append([]settings.Warning{}, warnings...), c.more)
	if err := ctx.Err(); err != nil {
		return 1, err
	}
	if c.JSON {
		enc := json.NewEncoder(s.Out)
		enc.SetIndent("", "  ")
		err = enc.Encode(map[string]any{"ok": doctor.OK(checks), "checks": checks})
	} else {
		err = s.list(checksListing(checks))
	}
	if err != nil || !doctor.OK(checks) {
		return 1, err
	}
	return 0, nil
}

// folder finds the root.
func (c *DoctorCmd) folder(ctx context.Context) (string, error) {
	if c.Root != "" {
		return absolute(c.Root)
	}
	here, err := absolute(".")
	if root, ok := vcs.Root(ctx, here); err == nil && ok {
		return root, nil
	}
	return here, err
}

// more fills in what only the command line knows.
func (c *DoctorCmd) more(in *doctor.Input, client llm.Client) {
	if len(c.Locals) > 0 {
		in.Locals = nil
		for _, base := range c.Locals {
			in.Locals = append(in.Locals, doctor.LocalServer{Name: base, Base: base})
		}
	}
	if c.Ask {
		complete(in, client)
	}
}

// complete lets the doctor send the model one small request, which the user has allowed.
func complete(in *doctor.Input, client llm.Client) {
	in.Complete = func(ctx context.Context, p model.Profile) error {
		_, err := oneRequest(ctx, client, p)
		return err
	}
}

// oneRequest sends a model one small request.
func oneRequest(ctx context.Context, client llm.Client, p model.Profile) (llm.Reply, error) {
	return client.Stream(ctx, llm.Request{Model: p, Role: llm.RoleMain, MaxTokens: 16,
		Messages: []llm.Message{llm.Text(llm.RoleUser, "Answer with the one word: ready")}}, func(llm.Delta) {})
}

// examine makes the checks that need no editor. Warnings that are nil are told by the caller; more, if not
// nil, changes what is looked at.
func examine(ctx context.Context, w *wiring, root string, v settings.Settings, warnings []settings.Warning, more func(*doctor.Input, llm.Client)) []doctor.Check {
	in := doctor.Input{Root: root, Settings: v, Warnings: warnings, Catalog: w.models(v.Models), Env: w.keys(v), Timeout: min(listTime, v.RequestTimeout)}
	in.Models, in.Locals = w.offers(v), doctor.LocalServers()
	client := (&callers{wiring: w, once: true}).of(v)
	in.UserFile = w.user.SettingsPath()
	if more != nil {
		more(&in, client)
	}
	ws, err := w.workspace(root, v)
	if err != nil {
		checks := append([]doctor.Check{system(ctx, w.env("SHELL"))}, doctor.Run(ctx, in)...)
		return append(checks, doctor.Check{Name: "root", Text: err.Error(), Advice: "Check that the folder exists and is readable."})
	}
	defer func() { _ = ws.Close() }() // nothing is written through it
	in.Ignored = func(ctx context.Context, paths []string) (map[string]bool, error) {
		kept := map[string]bool{}
		for _, p := range paths {
			d := ws.Door().Check(ctx, p, workspace.OpSend)
			kept[p] = d.Verdict != workspace.Allow
		}
		return kept, nil
	}
	return append(append([]doctor.Check{system(ctx, w.env("SHELL"))}, doctor.Run(ctx, in)...), ownChecks(ctx, w, v, ws)...)
}

// ownChecks tell what keeps commands of the user's own from being called.
func ownChecks(ctx context.Context, w *wiring, v settings.Settings, ws *workspace.Workspace) []doctor.Check {
	var checks []doctor.Check
	for _, p := range (custom.Sources{Coders: w.coders, Reserved: w.reserved, Settings: v, Files: w.user.Commands, Workspace: ws}).Read(ctx).Problems {
		if p.Unused && !p.Untrusted {
			checks = append(checks, doctor.Check{Name: "commands", Text: p.String(), Advice: "Fix the file to make this custom command available."})
		}
	}
	return checks
}

// system tells what of the machine a report of a problem needs.
func system(ctx context.Context, shell string) doctor.Check {
	git, err := vcs.Version(ctx)
	if err != nil {
		git = "no git"
	}
	if shell == "" {
		shell = "unknown"
	}
	return doctor.Check{Name: "system", OK: true, Text: fmt.Sprintf("coauthor %s, %s/%s, %s, %s, shell %s",
		version(), runtime.GOOS, runtime.GOARCH, display.Count(runtime.NumCPU(), "processor"), git, shell)}
}

// lacks says what is missing before the model of these settings can be asked; "" is nothing.
func (w *wiring) lacks(v settings.Settings) string {
	if err := remote.KeyMissing(v.Profile(w.models(v.Models), v.Model), w.keys(v), w.starter); err != nil {
		return err.Error()
	}
	return ""
}

// checksListing is a row for each check, with the advice below its result.
func checksListing(checks []doctor.Check) command.Listing {
	t := command.Table{Head: []string{"check", "", "result"}}
	for _, c := range checks {
		mark := "ok"
		if !c.OK {
			mark = "problem"
		}
		t.Rows = append(t.Rows, []string{c.Name, mark, display.Message(c.Text)})
		if c.Advice != "" {
			t.Rows = append(t.Rows, []string{"", "", "-> " + display.Message(c.Advice)})
		}
	}
	return command.Listing{Sections: []command.Section{{Table: t}}}
}

func absolute(dir string) (string, error) {
	var info os.FileInfo
	abs, err := filepath.Abs(dir)
	if err == nil {
		info, err = os.Stat(abs)
	}
	if err != nil || !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder; use --root with an existing folder", dir)
	}
	return abs, nil
}
