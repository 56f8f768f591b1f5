package agent

import (
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/prompt"
	"coauthor/edits"
	"coauthor/edits/loss"
)

// The guard against loss: what takes most of a file away, as package loss counts it from what the user has to what is in
// memory, the model is asked about once. While it is asked, the file is as it was before that reply, so that the model
// sees what it would lose. Whatever it answers, who looks at the proposal is told first, and nothing that writes by
// itself writes that.

// lost is a file that a reply took most away from.
type lost struct {
	loss.Loss
	now           string // its path by now
	before, after string // the text at the start of the round and at its end
	listed        bool   // the reply wrote it out as a whole
}

// answers says what came of asking about a file, by the path that the user has.
type answers map[string]string

// with is a copy with one more.
func (a answers) with(path, answer string) answers {
	next := answers{path: answer}
	for p, x := range a {
		if p != path {
			next[p] = x
		}
	}
	return next
}

// confirmation is the line by which a model says that the lines are to go. It stands alone, and names the file.
func confirmation(path string) string { return "CONFIRM " + path }

// confirms says whether a reply has that line.
func confirms(reply, path string) bool {
	for line := range strings.Lines(reply) {
		if strings.Trim(line, " \t\r\n`*") == confirmation(path) {
			return true
		}
	}
	return false
}

// question asks about a file. calls says that the model answers by a call, beside which it has no words.
func (l lost) question(calls bool) prompt.Question {
	q := prompt.Refused(edits.Failure{Edit: -1, Path: l.Path, Reason: edits.ReasonLoss, Message: "it " + l.String() + ". The file is as it was before"})
	q.Send = fmt.Sprintf("Send the file again whole. If these lines are to go, do not send it again, but answer with this line alone: `%s`", confirmation(l.Path))
	if calls {
		q.Send = "Call again with all of the file. If these lines are to go, make the same call again."
	}
	return q
}

// guard finds the files that the reply took most away from and that the model was not asked about yet.
func (s *settling) guard() {
	if len(s.out.Changed) == 0 {
		return
	}
	state := s.c.edits
	earlier := map[string]bool{} // lost already when the round began
	for _, l := range loss.Guard(s.from.Now.Changes(), s.from.edits.listed) {
		earlier[l.Path] = true
	}
	for _, l := range loss.Guard(s.c.Now.Changes(), state.listed) {
		if _, asked := state.asked[l.Path]; asked || l.Deleted || earlier[l.Path] {
			continue
		}
		one := lost{Loss: l, now: s.c.nameOf(l.Path)}
		var err error
		if one.after, err = s.c.Now.Read(one.now); err != nil {
			continue
		}
		old := one.now
		if !s.from.Now.Exists(old) { // the reply moved it
			old = l.Path
		}
		if one.before, err = s.from.Now.Read(old); err != nil || one.before == one.after {
			continue // what is lost went in another round, or to another file
		}
		one.listed = slices.Contains(state.listed, one.now)
		s.out.Lost = append(s.out.Lost, one)
	}
}

// nameOf is where a file of the user's lies with the changes so far.
func (c Context) nameOf(path string) string {
	for _, x := range c.Now.Changes() {
		if x.Path == path && x.Op == edits.OpRename {
			return x.To
		}
	}
	return path
}

// asking is where the round comes to when the model is asked about the files that it took most away from: they are as
// they were before.
func (o Outcome) asking() Context {
	c := o.After
	c.edits.held = o.Lost
	for _, l := range o.Lost {
		c.Now = c.Now.With([]edits.Change{{Path: l.now, Op: edits.OpUpdate, Before: l.after, After: l.before}})
		c.edits.asked = c.edits.asked.with(l.Path, "When asked, the model did not confirm this.")
		again := func(path string) bool { return path == l.now }
		c.edits.listed = slices.DeleteFunc(slices.Clone(c.edits.listed), again)
		c.edits.landed = slices.DeleteFunc(slices.Clone(c.edits.landed), func(x edits.Landing) bool { return again(x.Path()) })
		c.edits.findings = nil // they are of the text that is not there
	}
	return c
}

// takeBack puts the texts in their place again that the model was asked about. One of which the reply says something else
// is done with: the model has sent another edit.
func (s *settling) takeBack(result edits.Result) {
	state := &s.c.edits
	held := state.held
	if state.held = nil; len(held) == 0 {
		return
	}
	for _, l := range held {
		if text, err := s.c.Now.Read(l.now); err != nil || text != l.before || speaksOf(l.now, s.out.Edits, result) {
			state.asked = state.asked.with(l.Path, "When asked, the model sent a different edit.")
			continue
		}
		if confirms(s.r.Text, l.Path) {
			state.asked = state.asked.with(l.Path, "When asked, the model confirmed this.")
		}
		s.c.Now = s.c.Now.With([]edits.Change{{Path: l.now, Op: edits.OpUpdate, Before: l.before, After: l.after}})
		if l.listed {
			state.listed = append(slices.Clone(state.listed), l.now)
		}
		s.out.Changed = append(slices.Clone(s.out.Changed), l.now)
	}
}

// speaksOf says whether a reply has an edit of a file, whatever became of it.
func speaksOf(path string, list []edits.Edit, result edits.Result) bool {
	return slices.Contains(result.Listed, path) ||
		slices.ContainsFunc(list, func(e edits.Edit) bool { return e.Path == path }) ||
		slices.ContainsFunc(result.Failures, func(f edits.Failure) bool { return f.Path == path || f.Path == "" })
}

// losses says what some of the turn's changes take away from the user's files, for whom they are shown to. Of a file that is
// deleted by name nothing is said where the user has brought the answer along.
func (c Context) losses(of []edits.Change) []string {
	var list []string
	for _, l := range loss.Guard(effective(c.Now.Changes()), c.edits.listed) {
		now := c.nameOf(l.Path)
		if l.Deleted && c.Request.Given != "" || !slices.ContainsFunc(of, func(x edits.Change) bool { return x.Path == l.Path || x.Path == now || x.To == now }) {
			continue
		}
		text := "This " + l.String() + "."
		if answer := c.edits.asked[l.Path]; answer != "" {
			text += " " + answer
		}
		list = append(list, text)
	}
	return list
}
