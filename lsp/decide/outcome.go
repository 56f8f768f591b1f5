package decide

import (
	"cmp"

	"coauthor/agent/proposal"
)

// Outcome is the answer of apply, undoTurn and redoTurn.
type Outcome struct {
	TurnID     string        `json:"turnId,omitzero"`
	ProposalID string        `json:"proposalId,omitzero"`
	Status     string        `json:"status"`
	Reason     string        `json:"reason,omitzero"`
	NewestOf   int           `json:"newestOf,omitzero"` // how many were pending where none was named
	Files      []FileOutcome `json:"files"`
}

// FileOutcome is what became of one file.
type FileOutcome struct {
	URI    string `json:"uri"`
	Op     string `json:"op"`
	State  string `json:"state"`
	Reason string `json:"reason,omitzero"`
}

// View is an outcome as the client is told of it.
func (d *Decisions) View(o proposal.Outcome) Outcome {
	v := Outcome{TurnID: o.Turn, ProposalID: o.Proposal, Status: string(o.Status), Reason: o.Reason, NewestOf: o.Among, Files: []FileOutcome{}}
	for _, f := range o.Files {
		path := f.Path
		if f.To != "" {
			path = f.To
		}
		v.Files = append(v.Files, FileOutcome{URI: d.o.URI(path), Op: string(f.Op), State: string(f.State), Reason: cmp.Or(f.Reason, f.Remark)})
	}
	return v
}
