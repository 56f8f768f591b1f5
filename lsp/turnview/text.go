package turnview

import (
	"fmt"
	"log/slog"
	"strings"

	"coauthor/agent"
	"coauthor/agent/display"
	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/annotate"
	"coauthor/lsp/review"
)

// label says in short what a turn is about.
func label(r agent.Request) string {
	if r.Label != "" {
		return r.Label
	}
	return proposal.Label(r.Instruction)
}

// lastWord is what the progress of a turn ends with; text is what the turn says itself.
func lastWord(ended *event.Ended, text string, p *proposal.Proposal, words review.Words) string {
	switch ended.State {
	case event.TurnProposed:
		return ready(p, len(ended.Failures), words)
	case event.TurnAnswered:
		return "Answered"
	case event.TurnFailed:
		return "Failed: " + text
	case event.TurnCancelled:
		return "Stopped; nothing was changed"
	case event.TurnQueued, event.TurnCollecting, event.TurnRequesting, event.TurnStreaming,
		event.TurnVerifying, event.TurnReflecting:
	}
	return "Ended"
}

// ready is the last word of a turn that made a proposal and of which so many edits were refused.
func ready(p *proposal.Proposal, refused int, words review.Words) string {
	if p == nil {
		return "Ready"
	}
	files, added, removed := p.Open()
	text := fmt.Sprintf("%s changed, +%d -%d", review.CountFiles(files), added, removed)
	switch {
	case refused == 1:
		text += ", 1 edit was refused"
	case refused > 1:
		text += fmt.Sprintf(", %d edits were refused", refused)
	}
	text += ". Review: " + words.How("showPending")
	if p.Verdict != "" {
		text += " · " + display.Message(p.Verdict)
	}
	return text
}

// refusedViews are the edits that a turn has ended without, as coauthor/turn tells them; there are no more than are marked.
func refusedViews(failures []edits.Failure) []refused {
	var list []refused
	for i, f := range failures {
		if len(list) == annotate.MostRejected {
			break
		}
		text := annotate.RejectedText(event.FailureRef{Path: f.Path, Message: f.Message})
		list = append(list, refused{Hunk: i + 1, Path: display.Message(f.Path), Message: display.Message(text), Askable: f.Path != "" && agent.CanAskAgain(f)})
	}
	return list
}

// LogNote writes a note of a turn to the log, with its weight.
func LogNote(log *slog.Logger, n *event.Note) {
	switch n.Level {
	case event.LevelError, event.LevelWarning:
		log.Warn(n.Text)
	case event.LevelInfo:
		log.Info(n.Text)
	case event.LevelDetail:
		log.Debug(n.Text)
	}
}

// UsageOf are the tokens of a turn as editor plug-ins are told them.
func UsageOf(u event.Usage) *Usage {
	return &Usage{In: u.Prompt, Out: u.Completion, CacheRead: u.CacheRead, Estimated: u.Estimated, Cost: u.Cost}
}

// WithUsage adds the tokens and, where it is known, the price.
func WithUsage(text string, u event.Usage) string {
	if u.Prompt+u.Completion == 0 {
		return text
	}
	about := ""
	if u.Estimated {
		about = "about "
	}
	text += fmt.Sprintf(" · %s%s tokens in, %s out", about, event.Thousands(u.Prompt), event.Thousands(u.Completion))
	if u.Cost > 0 {
		text += fmt.Sprintf(" · $%.2f", u.Cost)
		if u.Cost < 0.005 {
			text = strings.TrimSuffix(text, "$0.00") + "less than $0.01"
		}
	}
	return text
}
