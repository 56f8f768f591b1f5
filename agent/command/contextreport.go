package command

import (
	"coauthor/agent/prompt"

	"coauthor/agent"
)

// ContextReport is a prompt to look at as data: the answer of the command showContext, and what the command
// line prints with --json. Costs are in US dollars, 0 where no price is known.
type ContextReport struct {
	Text    string           `json:"text"` // the document
	Model   string           `json:"model"`
	Tokens  int              `json:"tokens"`
	Room    int              `json:"room"` // tokens that the model takes
	Over    int              `json:"over"` // tokens that are too many
	Cost    float64          `json:"cost"`
	Parts   []ReportedPart   `json:"parts"`
	LeftOut []ReportedAbsent `json:"leftOut"`
}

// ReportedPart is one part of the prompt.
type ReportedPart struct {
	Name   string         `json:"name"`
	Tokens int            `json:"tokens"`
	Cost   float64        `json:"cost"`
	Files  []ReportedFile `json:"files,omitempty"`
}

// ReportedFile is a file in a part.
type ReportedFile struct {
	Path   string  `json:"path"`
	Tokens int     `json:"tokens"`
	Cost   float64 `json:"cost"`
}

// ReportedAbsent is what the model could be shown and is not.
type ReportedAbsent struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Report returns the prompt as data.
func Report(p agent.Prompt) ContextReport {
	r := ContextReport{Text: Document(p), Model: p.Model.Profile.Name, Tokens: p.Tokens, Room: p.Model.Room, Over: p.Over,
		Cost: Cost(p, p.Tokens), Parts: []ReportedPart{}, LeftOut: []ReportedAbsent{}}
	for _, part := range p.Parts {
		r.Parts = append(r.Parts, reported(p, part))
	}
	for _, l := range LeftOut(p) {
		r.LeftOut = append(r.LeftOut, ReportedAbsent(l))
	}
	return r
}

func reported(p agent.Prompt, part prompt.Part) ReportedPart {
	out := ReportedPart{Name: part.Name, Tokens: part.Tokens, Cost: Cost(p, part.Tokens)}
	for _, f := range part.Files {
		out.Files = append(out.Files, ReportedFile{Path: f.Path, Tokens: f.Tokens, Cost: Cost(p, f.Tokens)})
	}
	return out
}
