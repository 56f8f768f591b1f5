package agent

import (
	"slices"
	"strings"

	"coauthor/agent/event"
	"coauthor/agent/llm"
	"coauthor/agent/tool"
)

// A coder that goes on by itself has its model say after each reply how far the task is: by a call of finish
// where tools go by the interface, else in the text. Such a call ends the round and looks at nothing, so it is
// not sent back: the later rounds see it as text.

// finishes says whether the call offers finish.
func (p Prompt) finishes() bool {
	return p.Coder.Finishes && p.tools == nativeTools && p.forced() == nil
}

// finishing are the calls of finish in a reply.
func (l *toolLoop) finishing(r Reply) []llm.Call {
	if !l.p.finishes() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Calls), func(c llm.Call) bool { return !tool.Finishes(c) })
}

// finished says whether the calls of a reply end the round. Beside a look they do not, nor when they cannot
// be read and there is nothing else in the reply.
func (l *toolLoop) finished(r Reply) bool {
	calls := l.finishing(r)
	if len(calls) == 0 || len(calls) < len(r.Calls) {
		return false
	}
	v, err := tool.ReadVerdict("", calls)
	if err != nil {
		return r.held()
	}
	if !v.Done || l.p.later || v.Summary != "" || r.held() || strings.TrimSpace(r.Text) != "" || len(l.said) > 0 {
		return true
	}
	if l.asked {
		l.t.note(event.Warning(l.p.Model.Profile.Name + " reported the task as done without changing anything."))
		return true
	}
	return false
}

// held says whether the reply holds edits, whatever becomes of them.
func (r Reply) held() bool { return len(r.Edits)+len(r.Problems) > 0 }

// withoutFinish is what a reply with looks says beside them. What it says about the task there is not taken.
func (l *toolLoop) withoutFinish(r Reply) string {
	if !l.p.Coder.Finishes || r.held() {
		return r.rest
	}
	_, rest := tool.Finishing(r.rest)
	return rest
}

// withVerdict puts what a reply said about the task by calls into its text.
func (l *toolLoop) withVerdict(r Reply) Reply {
	if len(r.finish) == 0 {
		return r
	}
	if v, err := tool.ReadVerdict("", r.finish); err == nil {
		r.Text = tool.Written(r.Text, v)
	}
	if strings.TrimSpace(r.Text) == "" {
		r.Text = noAnswer
	}
	return r
}

// verdict reads what the reply says about the task, and takes calls that were written as text out of what the
// user reads.
func (s *settling) verdict() {
	if !s.c.Coder.Finishes {
		return
	}
	v, err := tool.ReadVerdict(s.out.Prose, s.r.finish)
	s.out.Said = v
	if err != nil {
		s.out.Unread = err.Error()
	}
	if calls, rest := tool.Finishing(s.out.Prose); len(calls) > 0 {
		s.out.Prose = tool.Written(rest, v)
	}
}
