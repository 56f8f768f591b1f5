package agent

import (
	"context"
	"fmt"
	"slices"

	"coauthor/agent/call"
	"coauthor/agent/display"
	"coauthor/agent/verify"
	"coauthor/edits"
)

// checkNow runs the checks of the settings on the changes so far, with the edits of a reply that is not whole yet, for the model. It
// runs only what consent lets run, which asks nobody: a model's wish is no reason to put a question to the user.
func checkNow(ctx context.Context, d settleDeps, c Context, list []edits.Edit, consent verify.Consent) (string, error) {
	c.Base, c.Now = c.Base.Within(ctx), c.Now.Within(ctx)
	set := CheckSettings(c.Settings)
	if set.Level == verify.Off {
		return "The user has switched checks off.", nil
	}
	s := &settling{d: settleDeps{door: d.door}, r: call.Reply{Edits: list}, c: c, from: c}
	result := s.applyEdits(ctx, list, nil)
	now := c.Now.With(result.Changes)
	if len(now.Changes()) == 0 {
		return "Nothing was changed yet, so there is nothing to check.", nil
	}
	set.Tools = verify.Beside(d.goals, slices.Concat(set.Tools, d.taken.of(ctx, set)))
	var refused []string
	in := verify.Input{Tree: now, Changes: now.Changes(), Shown: slices.Concat(c.Chat, c.ReadOnly), Settings: set, Base: c.Base, Baselines: d.baselines,
		Consent: func(ctx context.Context, w verify.Wanted) (bool, error) {
			yes, err := consent(ctx, w)
			if err == nil && !yes {
				refused = append(refused, w.Command.String())
			}
			return yes, err
		}}
	results, err := verify.Run(ctx, slices.Concat(d.checks, verify.Commands(d.sandbox, set), verify.Goals(d.sandbox, d.goals)), in)
	if err != nil {
		return "", err
	}
	told := verify.Told(results, refused)
	if len(result.Failures) > 0 {
		told += fmt.Sprintf("\n%s could not be carried out, and are not in what was checked.", display.Count(len(result.Failures), "edit"))
	}
	return told, nil
}
