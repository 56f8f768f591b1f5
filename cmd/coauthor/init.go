package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/doctor"
	"coauthor/agent/event"
	"coauthor/agent/settings"
	"coauthor/cmd/coauthor/console"
	"coauthor/cmd/coauthor/setup"
)

// InitCmd sets up a model.
type InitCmd struct {
	Root    string   `placeholder:"DIR" help:"The project folder. Default: this repository."`
	Model   string   `placeholder:"NAME" help:"The model to write, without asking which."`
	APIBase string   `name:"api-base" placeholder:"URL" help:"The OpenAI-compatible endpoint of --model."`
	Yes     bool     `short:"y" help:"With --model: write and test without asking."`
	Locals  []string `hidden:"" name:"local-server" help:"URLs to check for local models, instead of the usual ports."`
}

// Run finds models, asks which one it is to be, writes it into the user's settings, and sends it one request. Exit status 1:
// nothing was written, or the model did not answer.
func (c *InitCmd) Run(ctx context.Context, s Streams) (int, error) {
	root, err := (&DoctorCmd{Root: c.Root}).folder(ctx)
	if err != nil {
		return 2, err
	}
	in := &initial{c: c, s: s, w: newWiring(s, nil, nil), root: root}
	in.path = in.w.user.SettingsPath()
	if in.path == "" {
		return 1, errors.New("cannot find your settings folder; set HOME or XDG_CONFIG_HOME")
	}
	if in.file, err = in.w.user.Settings(); err != nil {
		return 1, fmt.Errorf("cannot read %s: %w", in.path, err)
	}
	if _, err := settings.Rewrite(in.file); err != nil {
		return 1, fmt.Errorf("fix %s first: %w", in.path, err)
	}
	if err := in.write(ctx); err != nil {
		return 1, err
	}
	return 0, in.test(ctx)
}

// initial is one run of it.
type initial struct {
	c    *InitCmd
	s    Streams
	w    *wiring
	root string
	path string // of the user's settings
	file []byte // as they are
	in   *bufio.Reader
}

func (in *initial) tell(format string, args ...any) {
	in.s.tell(display.Messages(fmt.Sprintf(format, args...)))
}

// put puts a question on the terminal.
func (in *initial) put(ctx context.Context, q event.Question) (event.Answer, error) {
	if in.in == nil {
		in.in = bufio.NewReader(in.s.In)
	}
	return (&terminal{in: in.in, out: in.s.Err}).put(ctx, q)
}

// write writes what the user has chosen.
func (in *initial) write(ctx context.Context) error {
	given, err := in.chosen(ctx)
	if err != nil {
		return err
	}
	now, err := settings.Rewrite(in.file, given...)
	if err != nil {
		return fmt.Errorf("cannot change %s: %w; add these lines yourself:\n%s", in.path, err, setup.Lines(given))
	}
	question := "Send the model one short request?"
	if string(now) != string(in.file) {
		in.tell("Changes in %s:\n%s", in.path, strings.TrimSuffix(setup.Difference(in.file, now), "\n"))
		question = "Write this and send the model one short request?"
	}
	switch {
	case in.c.Yes && in.c.Model != "":
	case !console.Is(in.s.In):
		return errors.New("nothing was written, because coauthor cannot ask without a terminal; add --yes to write without asking")
	default:
		a, err := in.put(ctx, event.Question{Text: question, Choices: []string{"yes", "no"}, Default: "no"})
		if err != nil {
			return err
		}
		if a.Choice != "yes" {
			return errors.New("nothing was written or sent")
		}
	}
	if string(now) == string(in.file) {
		return nil
	}
	if err := setup.Write(in.path, in.file, now); err != nil {
		return err
	}
	in.tell("Wrote %s.", in.path)
	in.file = now
	return nil
}

// chosen is what the user chooses, on the command line or of what there is. Nobody is guessed for: without a terminal it is
// listed.
func (in *initial) chosen(ctx context.Context) ([]settings.Given, error) {
	if in.c.Model != "" || in.c.APIBase != "" {
		if in.c.Model == "" {
			return nil, errors.New("add --model to --api-base")
		}
		return setup.Endpoint(in.c.Model, in.c.APIBase), nil
	}
	v, _ := in.w.settings(in.root, settings.Editor{})
	o := setup.Options{Catalog: in.w.models(v.Models), Env: in.w.keys(v), Have: v.EnvFiles, Files: in.files(), Locals: doctor.LocalServers(), Offers: in.w.offers, Ask: in.put}
	if len(in.c.Locals) > 0 {
		o.Locals = nil
		for _, base := range in.c.Locals {
			o.Locals = append(o.Locals, doctor.LocalServer{Name: "Local server", Base: base})
		}
	}
	in.tell("Looking for API keys and for model servers on this machine …")
	ways := setup.Find(ctx, o)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if console.Is(in.s.In) {
		if len(ways) == 0 {
			in.tell("Found none. To use a provider, set its key, such as OPENAI_API_KEY or ANTHROPIC_API_KEY. To use your own machine, start a server such as Ollama. Then run coauthor init again.")
		}
		own, _ := settings.Load(settings.LoadOptions{UserFile: in.file})
		return o.Choose(ctx, ways, own.Model)
	}
	if len(ways) == 0 {
		return nil, errors.New("found no API key and no model server; set a key, such as OPENAI_API_KEY, or start a server such as Ollama")
	}
	fmt.Fprint(in.s.Out, display.Text(setup.Report(ways)))
	return nil, fmt.Errorf("nothing was written, because coauthor cannot ask without a terminal; add the lines for one of these to %s, or run coauthor init --model NAME --yes", in.path)
}

// files are the files with keys that are looked for: of the user, and of the project, which no request reads unless the user
// chooses one here.
func (in *initial) files() (list []setup.File) {
	names := []string{filepath.Join(in.root, ".env")}
	if home := in.w.user.Home(); home != "" && home != in.root {
		names = append(names, "~/.env")
	}
	for _, name := range names {
		all, err := in.w.user.Variables(name)
		if err != nil { // there is none, as a rule
			continue
		}
		maps.DeleteFunc(all, func(_, value string) bool { return value == "" })
		list = append(list, setup.File{Path: name, Names: slices.Sorted(maps.Keys(all))})
	}
	return list
}

// testTime is how long the model may take for one short request: one on this machine may have to be loaded.
const testTime = time.Minute

// test sends the model that is in force now one request, and says what comes next.
func (in *initial) test(ctx context.Context) error {
	v, _ := in.w.settings(in.root, settings.Editor{})
	own, _ := settings.Load(settings.LoadOptions{UserFile: in.file})
	if own.Model != v.Model {
		in.tell("The settings of this folder or the environment name another model, which takes precedence here: %s.", v.Model)
	}
	p := v.Profile(in.w.models(v.Models), v.Model)
	in.tell("Sending %s one short request. A model on this machine may have to be loaded first …", p.Name)
	short, cancel := context.WithTimeout(ctx, testTime)
	defer cancel()
	reply, err := oneRequest(short, (&callers{wiring: in.w, once: true}).of(v), p)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("the settings are in %s, but %s did not answer. %w", in.path, p.Name, err)
	}
	in.tell("%s answered: %s", p.Name, strings.TrimSpace(reply.Text))
	in.tell("Next, run coauthor to start a session in a project, and coauthor doctor to check the rest of your setup. editors/README.md says how to set up an editor.")
	return nil
}
