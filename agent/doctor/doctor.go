// Package doctor looks at everything that a turn needs and says what to do about what is missing:
// settings, model, key, endpoint, git, root and ignore rules.
//
// It changes nothing, starts no turn and sends no content of files; what leaves the machine is the
// question which models the endpoint offers and, if the user allows, one short request. Package lsp and the command line call it.
// The way in is Run.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"coauthor/agent/llm"
	"coauthor/agent/llm/remote"
	"coauthor/agent/model"
	"coauthor/agent/settings"
	"coauthor/agent/vcs"
)

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Text   string `json:"text"`
	Advice string `json:"advice,omitempty"` // what to do; also given with what is OK but could be better
	// Untried: one small request to the model would tell more, and nobody has allowed it yet.
	Untried bool `json:"-"`
}

// Input is what there is to look at. Fields that are empty are not looked at.
type Input struct {
	Root     string // abs; "" when there is none
	Settings settings.Settings
	Warnings []settings.Warning // nil: somebody else tells them
	Catalog  *model.Catalog
	Env      func(name string) string
	// Models asks an endpoint what it offers, as (*remote.Client).Models does.
	Models func(ctx context.Context, p model.Profile) ([]remote.ModelInfo, error)
	// Complete sends one small request to the model and returns why that failed; nil: the user does not
	// allow it.
	Complete func(ctx context.Context, p model.Profile) error
	// Locals are asked for their models where nothing is configured; all must be on this machine.
	Locals   []LocalServer
	UserFile string // path of the user's settings, for advice
	// Ignored tells which of some paths are kept from the model; nil leaves that check out.
	Ignored func(ctx context.Context, paths []string) (map[string]bool, error)
	Client  string   // the editor, as it names itself; "" on the command line
	Profile string   // the quirk profile in force
	Quirks  []string // the switches of it that are on
	// Timeout is how long the endpoint may take; 0 is five seconds.
	Timeout time.Duration
}

// Run makes all checks, in the order in which one would fix them. It returns within Timeout and a
// moment, or a minute where the model may be asked, and at once when ctx ends.
func Run(ctx context.Context, in Input) []Check {
	var checks []Check
	if in.Client != "" {
		checks = append(checks, client(in))
	}
	checks = append(checks, configuration(in)...)
	checks = append(checks, endpoint(ctx, in)...)
	checks = append(checks, folder(ctx, in)...)
	return checks
}

// OK reports whether all checks are.
func OK(checks []Check) bool {
	for _, c := range checks {
		if !c.OK {
			return false
		}
	}
	return true
}

func client(in Input) Check {
	text := in.Client
	if in.Profile != "" {
		text += ", treated as " + in.Profile
	}
	if len(in.Quirks) > 0 {
		text += " (" + strings.Join(in.Quirks, ", ") + ")"
	}
	return Check{Name: "client", OK: true, Text: text}
}

func configuration(in Input) []Check {
	if in.Warnings == nil {
		return nil
	}
	if len(in.Warnings) == 0 {
		return []Check{{Name: "settings", OK: true, Text: "no mistakes found"}}
	}
	var checks []Check
	for _, w := range in.Warnings {
		checks = append(checks, Check{
			Name: "settings", Text: w.String(),
			Advice: "Fix the setting. lsp/SETTINGS.md lists all settings.",
		})
	}
	return checks
}

// endpoint checks model, key and server.
func endpoint(ctx context.Context, in Input) []Check {
	name := in.Settings.DefaultModel(in.Catalog, in.Env)
	p := in.Settings.Profile(in.Catalog, name)
	url, err := remote.Endpoint(p)
	if err != nil {
		return []Check{failed("model", err)}
	}
	if missing := remote.KeyMissing(p, in.Env, in.starter()); unconfigured(in, missing) {
		return firstSteps(ctx, in, p.APIKeyEnv)
	}
	format := in.Settings.EditFormat
	if format == "" || format == "auto" {
		format = p.EditFormat
	}
	about := []string{p.ID + " at " + url, "edits as " + format}
	if p.ContextWindow > 0 {
		about = append(about, fmt.Sprintf("context window of %d tokens", p.ContextWindow))
	}
	checks := []Check{{Name: "model", OK: true, Text: strings.Join(about, ", ")}}
	if p.ContextWindow == 0 {
		checks[0].Advice = fmt.Sprintf("The model's context window is unknown. Coauthor assumes %d tokens. Set models.%s.contextWindow to the actual size.", model.AssumedWindow, p.Name)
	}
	checks = append(checks, key(p, in))

	timeout := in.Timeout
	if timeout <= 0 {
		timeout = 5 * time.Second
	}
	quick, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	list, err := in.Models(quick, p)
	var e *llm.Error
	switch {
	case errors.As(err, &e) && e.Kind == llm.NoKey:
		return checks // said already
	case errors.As(err, &e) && e.Kind == llm.Auth:
		checks[len(checks)-1] = failed("key", err)
		return append(checks, Check{Name: "endpoint", OK: true, Text: "answers"})
	case errors.As(err, &e) && e.Kind == llm.NotFound && in.Complete == nil:
		return append(checks, Check{
			Name: "endpoint", Text: "responds, but does not list its models; requests will probably fail too", Untried: true,
			Advice: "Check the apiBase setting; it usually ends in /v1. To test the server with one short request, run coauthor doctor --ask-model. Some editors also offer this test.",
		})
	case errors.As(err, &e) && e.Kind == llm.NotFound:
		answers := Check{Name: "endpoint", OK: true, Text: "answers requests, but does not list its models"}
		if failure := request(ctx, in, p); !failure.OK {
			answers = Check{Name: "endpoint", Text: "neither lists its models nor answers requests: " + failure.Text, Advice: failure.Advice}
		}
		return append(checks, answers)
	case errors.As(err, &e) && e.Kind == llm.Timeout:
		return append(checks, Check{
			Name: "endpoint", Text: "no answer within " + timeout.String(),
			Advice: "Check the apiBase setting, the network connection and the proxy.",
		})
	case err != nil:
		return append(checks, failed("endpoint", err))
	}
	checks = append(checks, Check{Name: "endpoint", OK: true, Text: fmt.Sprintf("answers and offers %s", count(len(list), "model")), Untried: in.Complete == nil})
	checks = append(checks, offered(p, list))
	if in.Complete != nil {
		checks = append(checks, request(ctx, in, p))
	}
	return checks
}

// requestTime is how long the one small request may take: a model on this machine may have to be loaded.
const requestTime = time.Minute

// request makes the one small request that the user allowed.
func request(ctx context.Context, in Input, p model.Profile) Check {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	if err := in.Complete(ctx, p); err != nil {
		c := failed("request", err)
		if c.Advice == "" {
			c.Advice = "Check the model and apiBase settings; apiBase usually ends in /v1."
		}
		return c
	}
	return Check{Name: "request", OK: true, Text: p.ID + " answered one short request"}
}

func key(p model.Profile, in Input) Check {
	c := Check{Name: "key", OK: true}
	err := remote.KeyMissing(p, in.Env, in.starter())
	switch {
	case p.APIKeyEnv == "" && err != nil:
		return failed("key", err)
	case p.APIKeyCommand != "":
		c.Text = "read from the command in apiKeyCommand"
	case p.APIKeyEnv == "":
		c.Text = "not needed"
	case in.Env(p.APIKeyEnv) != "":
		c.Text = p.APIKeyEnv + " is set"
	case remote.Local(p):
		c.Text = p.APIKeyEnv + " is not set; a local server needs no key"
	default:
		c.OK, c.Text = false, p.APIKeyEnv+" is not set"
		c.Advice = "Set " + p.APIKeyEnv + " in the environment of this shell, or set apiKeyEnv to another variable."
		if in.starter() == remote.ByEditor {
			c.Advice = "Set " + p.APIKeyEnv + " in the environment that starts your editor, or set apiKeyEnv to another variable, and restart the editor."
		}
	}
	return c
}

// starter is who started the program that looks.
func (in Input) starter() remote.Starter {
	if in.Client == "" {
		return remote.ByShell
	}
	return remote.ByEditor
}

// offered says whether the endpoint knows the model.
func offered(p model.Profile, list []remote.ModelInfo) Check {
	var names []string
	for _, m := range list {
		// Some list "models/gemini-2.5-pro" for what they call "gemini-2.5-pro".
		if m.ID == p.ID || m.ID == "models/"+p.ID || m.ID == p.ID+":latest" {
			c := Check{Name: "offered", OK: true, Text: "the endpoint offers " + p.ID}
			if m.ContextWindow > 0 && m.ContextWindow < p.ContextWindow {
				c.OK = false
				c.Text += fmt.Sprintf(", but only with a context window of %d tokens", m.ContextWindow)
				c.Advice = "Raise the limit on the server, or set this model's contextWindow to that number."
			}
			return c
		}
		names = append(names, m.ID)
	}
	if len(list) == 1 && remote.Local(p) {
		return Check{Name: "offered", OK: true, Text: "the server runs " + list[0].ID + " for every model name"}
	}
	more := ""
	if len(names) > 8 {
		names, more = names[:8], fmt.Sprintf(" and %d more", len(list)-8)
	}
	return Check{
		Name: "offered", Text: fmt.Sprintf("the endpoint does not list %q", p.ID),
		Advice: "Set model to one of these: " + strings.Join(names, ", ") + more + ".",
	}
}

// folder checks root, git and what is kept from the model.
func folder(ctx context.Context, in Input) []Check {
	if in.Root == "" {
		return []Check{{
			Name: "root", Text: "no folder is open",
			Advice: "Open a file or folder. Coauthor needs one to make changes.",
		}}
	}
	checks := []Check{{Name: "root", OK: true, Text: in.Root}}
	git, inside := vcs.Root(ctx, in.Root)
	c := Check{Name: "git", OK: true, Text: "the folder is a git repository"}
	switch {
	case !inside:
		c.Text = "the folder is not in a git repository"
		c.Advice = "Run git init. Coauthor works without a repository, but ignore rules and the repository map work better with one."
	case !same(git, in.Root):
		c.Text = "the folder is in the git repository " + git
	}
	checks = append(checks, c)
	if in.Ignored == nil {
		return checks
	}
	// A file that everybody keeps to themselves shows whether the rules are in force at all.
	ignored, err := in.Ignored(ctx, []string{".env"})
	switch {
	case err != nil:
		checks = append(checks, Check{
			Name: "ignore", Text: "cannot read the ignore rules: " + err.Error(),
			Advice: "Fix .gitignore, .aiderignore or .coauthorignore. Until then, Coauthor sends no files.",
		})
	case !ignored[".env"]:
		checks = append(checks, Check{
			Name: "ignore", Text: "Coauthor would send a .env file to the model",
			Advice: "Set files.allowIgnored to false, or add .env to .coauthorignore.",
		})
	default:
		checks = append(checks, Check{Name: "ignore", OK: true, Text: "Coauthor does not send ignored or secret files"})
	}
	if in.Settings.AllowIgnored {
		checks = append(checks, Check{
			Name: "ignore", OK: true, Text: "files.allowIgnored is on, so Coauthor can send ignored files",
			Advice: "Turn it off when you no longer need it.",
		})
	}
	return checks
}

func same(a, b string) bool {
	if x, err := filepath.EvalSymlinks(a); err == nil {
		a = x
	}
	if x, err := filepath.EvalSymlinks(b); err == nil {
		b = x
	}
	return filepath.Clean(a) == filepath.Clean(b)
}

func failed(name string, err error) Check {
	var e *llm.Error
	if errors.As(err, &e) {
		return Check{Name: name, Text: e.Message, Advice: e.Advice}
	}
	return Check{Name: name, Text: err.Error()}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
