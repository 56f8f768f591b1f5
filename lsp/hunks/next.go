package hunks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/edits"
)

// spot is where a hunk is shown, or where the user is: the lines of a file from first to last, -1 for those before the first.
type spot struct {
	path        string
	first, last int
	at          protocol.Range
}

// Next is the place of the first hunk behind a place, else of the first of all; nil where none has one. left is how many
// hunks are still to be looked at.
func (h *Hunks) Next(from Place) (to *Place, left int) { return h.from(from, next) }

// Previous is Next the other way round.
func (h *Hunks) Previous(from Place) (to *Place, left int) { return h.from(from, previous) }

func (h *Hunks) from(from Place, choose func(list []spot, from spot) spot) (to *Place, left int) {
	var list []spot
	reviewed := h.o.Proposals.Reviews.At(h.o.Workspace.Snapshot())
	for _, f := range reviewed.Files {
		if f.Op == edits.OpDelete {
			continue
		}
		for _, one := range h.o.Marks.Hunks(&f) {
			list = append(list, spotAt(f.Path, one.Shown))
		}
	}
	left = len(reviewed.Hunks())
	if len(list) == 0 {
		return nil, left
	}
	slices.SortStableFunc(list, spot.compare)
	here := spot{path: from.Path, first: -1, last: -1}
	if from.Path != "" && from.Range != nil {
		here = spotAt(from.Path, *from.Range)
	}
	found := choose(list, here)
	return &Place{Path: found.path, Range: &found.at}, left
}

// Show takes the user to a hunk.
func (h *Hunks) Show(ctx context.Context, hunk *Place) {
	v, uri := h.o.Views, h.o.URI(hunk.Path)
	start := protocol.Range{Start: hunk.Range.Start, End: hunk.Range.Start}
	shown, err := v.Client.ShowDocument(ctx, uri, true, &start)
	if !shown {
		v.Log.Info("hunk under review not shown by the client", "uri", uri, "err", err)
		v.Client.ShowMessage(protocol.MessageTypeInfo, fmt.Sprintf("Coauthor: The hunk is on line %d of %s.", start.Start.Line+1, display.Message(hunk.Path)))
	}
	h.o.Focus(uri, &start)
}

func spotAt(path string, at protocol.Range) spot {
	return spot{path, int(at.Start.Line), int(at.End.Line), at}
}

// compare orders spots by path and line.
func (s spot) compare(other spot) int {
	if c := strings.Compare(s.path, other.path); c != 0 {
		return c
	}
	return s.first - other.first
}

// next is the first hunk behind a place, else the first of all.
func next(list []spot, from spot) spot {
	for _, s := range list {
		if s.path > from.path || s.path == from.path && s.first > from.last {
			return s
		}
	}
	return list[0]
}

// previous is the last hunk before a place, else the last of all.
func previous(list []spot, from spot) spot {
	for _, s := range slices.Backward(list) {
		if s.path < from.path || s.path == from.path && s.first < from.first {
			return s
		}
	}
	return list[len(list)-1]
}
