package agent

import (
	"context"

	"coauthor/agent/consent"
	"coauthor/agent/event"
	"coauthor/agent/help"
	"coauthor/agent/id"
	"coauthor/agent/mapper"
	"coauthor/agent/prompt"
	"coauthor/agent/sandbox"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
	"coauthor/agent/web"
	"coauthor/agent/workspace"
)

// What each stage of a turn reaches beside its arguments. Assemble reaches nothing.

// gatherDeps is what gather reaches.
type gatherDeps struct {
	door   *workspace.Door
	maps   *mapper.Mapper
	around prompt.Surroundings
	manual func() *help.Index          // of our own documentation
	own    func() (prompt.File, error) // the user's own rules; nil for none
	// looking: nothing is sent, so that nobody is asked what the user would be asked before that.
	looking  bool
	put      putQuestion
	pages    *web.Pages // of this session
	taken    takenTools
	sandbox  *sandbox.Shadow
	consents *consent.Store // of this session
}

// settleDeps is what settle reaches.
type settleDeps struct {
	door      *workspace.Door
	put       putQuestion
	tell      func(e event.Event)
	checks    []verify.Check
	taken     takenTools
	goals     []verify.Goal
	sandbox   *sandbox.Shadow
	consent   verify.Consent
	baselines *verify.Baselines // of this turn; nil when no turn runs
	mapper    *mapper.Mapper
}

// putQuestion puts a question to the user.
type putQuestion func(ctx context.Context, q event.Question) (event.Answer, error)

// first says whether the first of two choices was taken. The other one is the default, which never sends and never writes.
func (put putQuestion) first(ctx context.Context, q event.Question) (bool, error) {
	q.Default = q.Choices[1]
	a, err := put(ctx, q)
	return a.Choice == q.Choices[0], err
}

// takenTools finds the tools in the folder that the user has agreed to, for checks with these settings; nil is not looked at.
type takenTools func(ctx context.Context, set verify.Settings) []verify.Tool

func (find takenTools) of(ctx context.Context, set verify.Settings) []verify.Tool {
	if find == nil {
		return nil
	}
	return find(ctx, set)
}

// CheckSettings are the settings of the checks.
func CheckSettings(s settings.Settings) verify.Settings {
	v := verify.Settings{Level: verify.Level(s.Verify), LintTime: s.Checks.Timeout / 5, TestTime: s.Checks.Timeout, Visible: s.Checks.Visible}
	for _, c := range s.Checks.Lint {
		v.Tools = append(v.Tools, verify.Tool{Argv: c.Run, Files: c.Files})
	}
	for _, c := range s.Checks.Format {
		v.Tools = append(v.Tools, verify.Tool{Argv: c.Run, Files: c.Files, Formats: true})
	}
	for _, c := range s.Checks.Test {
		v.Tools = append(v.Tools, verify.Tool{Argv: c.Run, Files: c.Files, Tests: true})
	}
	return v
}

// puts returns how the questions of a turn are put. turn is its id; "" when no turn runs.
func (e *Engine) puts(turn string, asker event.Asker) putQuestion {
	return func(ctx context.Context, q event.Question) (event.Answer, error) {
		id, err := id.New(e.o.Random, "q")
		if err != nil {
			return event.Answer{}, err
		}
		q.ID, q.Turn = id, turn
		return asker.Ask(ctx, q)
	}
}

// gatherDeps is what gather reaches; without put nothing is sent, and nobody asked.
func (s *Session) gatherDeps(put putQuestion) gatherDeps {
	around := s.Engine.around()
	around.Today = s.Engine.o.Clock()
	looking := put == nil
	if looking {
		put = s.Engine.puts("", event.Default())
	}
	return gatherDeps{
		looking: looking,
		door:    s.Workspace.Door(), maps: s.Mapper, around: around, manual: s.Engine.manual, own: s.Engine.o.OwnRules, put: put,
		pages: s.Chosen.Pages, taken: s.Consent.Accepted, sandbox: s.Engine.o.Shadow, consents: s.Consent,
	}
}

func (t *turn) puts() putQuestion { return t.session.Engine.puts(t.id, t.ports.Ask) }

func (t *turn) settleDeps() settleDeps {
	d := t.session.settleDeps(t.puts(), t.tell)
	d.baselines, d.goals = &t.proposals.baselines, t.resolved.Request.Goals
	return d
}

func (s *Session) settleDeps(put putQuestion, tell func(event.Event)) settleDeps {
	return settleDeps{door: s.Workspace.Door(), put: put, tell: tell, checks: s.Engine.o.Checks, taken: s.Consent.Accepted, sandbox: s.Engine.o.Shadow, consent: s.Consent.Commands(put), mapper: s.Mapper}
}

// around is what prompts may say of the user's machine and editor.
func (e *Engine) around() prompt.Surroundings {
	locale, _ := e.locale.Load().(string)
	return e.o.Around.ShownIn(locale)
}
