package hunks

import (
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"coauthor/agent/proposal"
	"coauthor/lsp/wire"
)

// Named is what a command says of the hunks that it means.
type Named struct {
	Files          []string // URIs or paths; none is all
	Proposal, Turn string   // "" is any
	Numbers        []int
	Place          *Place // the open document that the command is about; nil for none
}

// Place is where the user is.
type Place struct {
	Path  string
	Range *protocol.Range // nil is the document
}

// Meant are the hunks that a command names, else those at its place, else the only one of its document.
func (h *Hunks) Meant(n Named) ([]proposal.HunkRef, error) {
	if len(n.Numbers) == 0 {
		return h.at(n.Place)
	}
	all, err := h.All(n)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(ref proposal.HunkRef) bool { return !slices.Contains(n.Numbers, ref.Number) })
	if len(all) == 0 {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "this hunk is not under review; you may have already kept or undone it")
	}
	return all, nil
}

func (h *Hunks) at(place *Place) ([]proposal.HunkRef, error) {
	if place == nil {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "put the cursor in the hunk, or give proposalId, files and hunks")
	}
	list := h.o.Marks.HunksIn(place.Path)
	if place.Range != nil {
		list = h.o.Marks.HunksAt(place.Path, *place.Range)
	}
	if place.Range == nil && len(list) > 1 {
		var lines []string
		for _, one := range list {
			lines = append(lines, fmt.Sprint(one.Shown.Start.Line+1))
		}
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "%d hunks in %s are under review; go to one of these lines: %s", len(list), place.Path, strings.Join(lines, ", "))
	}
	if len(list) == 0 {
		return nil, jsonrpc2.Errorf(wire.CodeRequestFailed, "no hunk is under review here; choose \"Go to the next change\" to find one")
	}
	refs := make([]proposal.HunkRef, len(list))
	for i, one := range list {
		refs[i] = one.HunkRef
	}
	return refs, nil
}

// All are the hunks that are of the files, the request and the change that a command names.
func (h *Hunks) All(n Named) (refs []proposal.HunkRef, err error) {
	files, err := h.o.Paths(n.Files)
	if err != nil {
		return nil, err
	}
	reviewed := h.o.Proposals.Reviews.Known()
	for _, f := range reviewed.Files {
		named := len(files) == 0 || slices.Contains(files, f.Path) || f.From != "" && slices.Contains(files, f.From)
		if !named || n.Proposal != "" && f.Proposal != n.Proposal || n.Turn != "" && f.Turn != n.Turn && proposal.TurnOf(f.Turn) != n.Turn {
			continue
		}
		for _, one := range f.Hunks {
			refs = append(refs, one.HunkRef)
		}
	}
	return refs, nil
}
