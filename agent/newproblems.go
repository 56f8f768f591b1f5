package agent

import (
	"cmp"
	"fmt"
	"slices"

	"coauthor/agent/coder"
	"coauthor/agent/problems"
	"coauthor/agent/settings"
	"coauthor/agent/verify"
)

// What the new problems of the last change have the session do.

// fixUnasked returns what says whether new problems are fixed without a word of the user: those of a turn that worked by itself
// until it was done, as often as the settings let a model correct itself.
func fixUnasked(turns *Queue, set func() settings.Settings) func(turn string, before int) bool {
	return func(turn string, before int) bool {
		t := turns.find(turn)
		if t == nil || t.resolved.Coder.Name != coder.Auto {
			return false
		}
		s := set()
		return s.Verify == string(verify.Full) && before < s.MaxReflections
	}
}

// Fix makes the request that fixes the new problems; r says how, where it says anything. It goes on with the turn that
// brought them, as long as the session knows that.
func (s *Session) Fix(found problems.Found, r Request) (Resolved, error) {
	asked := r
	if len(found.List) == 0 {
		return Resolved{}, fmt.Errorf("no new problems found in the lines of the last change")
	}
	r.Diagnostics = found.List
	for _, d := range found.List {
		if !slices.Contains(r.Files, d.Path) {
			r.Files = append(r.Files, d.Path)
		}
	}
	if r.Instruction == "" {
		r.Instruction = "Fix the problems introduced by your last change."
		if len(found.List) == 1 {
			r.Instruction = "Fix the problem introduced by your last change."
		}
	}
	r.Label = cmp.Or(r.Label, "Fix "+found.Count())
	if t := s.Turns.find(found.Turn); t != nil && t.resolved.Coder.Proposes() {
		r.FollowUp = t.id
	}
	resolved, err := s.Resolve(r)
	if err == nil && r.FollowUp == "" && !resolved.Coder.Proposes() {
		r.Coder = coder.Default
		resolved, err = s.Resolve(r)
	}
	resolved.Asked = asked
	if found.Unasked {
		resolved.fixes = found.Turn
	}
	return resolved, err
}
