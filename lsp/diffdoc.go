package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// showDiff opens the unified diff of what is undecided: as a virtual document where the client has
// them, else as a file below .coauthor. Opening it applies nothing.
func (s *server) showDiff(ctx context.Context, r *rootState, p *proposal.Proposal) (uri string, shown bool, err error) {
	name := s.diffName(r, p)
	if s.client.CanShowVirtual() {
		uri = virtualURI(name)
	} else {
		abs, err := r.ws.StateDocument(name, s.diffDocument(r, p))
		if err != nil {
			return "", false, err
		}
		uri = document.URIOfPath(abs)
	}
	shown, err = s.client.ShowDocument(ctx, uri, true, nil)
	if errors.Is(err, wire.ErrUnsupported) {
		err = nil
	}
	if shown {
		r.session.Proposals().MarkShown(p.ID, p.Revision)
	}
	return uri, shown, err
}

// diffDocument is the diff with a head that says what it is. Tools that read diffs skip the head.
func (s *server) diffDocument(r *rootState, p *proposal.Proposal) string {
	var b strings.Builder
	for _, w := range warnings(p) {
		fmt.Fprintf(&b, "# warning: %s\n", w)
	}
	fmt.Fprintf(&b, "# %s\n# %s\n", display.Message(p.Label), openSize(p))
	b.WriteString("# Nothing is changed yet. Apply or discard the change with the code actions here, or with the\n" +
		"# commands coauthor.apply and coauthor.discard.\n")
	said := map[string]bool{}
	for i := range p.Files {
		f := &p.Files[i]
		if len(f.Undecided()) == 0 {
			continue
		}
		dir := path.Dir(f.Path())
		if (f.Change.Op == edits.OpCreate || f.Change.Op == edits.OpRename) && dir != "." && !said[dir] && !r.ws.Door().OnDisk(dir) {
			said[dir] = true
			fmt.Fprintf(&b, "# new directory: %s\n", display.Message(dir))
		}
		if f.Protected {
			fmt.Fprintf(&b, "# protected, will be asked about: %s\n", display.Message(f.Path()))
		}
	}
	for _, reason := range s.turns.refused(p.Turn) {
		fmt.Fprintf(&b, "# not applied: %s\n", display.Message(reason))
	}
	b.WriteString("\n")
	ordered := *p
	ordered.Files = s.inOrder(r, p)
	b.WriteString(proposal.DiffText(ordered))
	return b.String()
}

// inOrder returns the files of a proposal as a person looks at them: first the one they came from,
// then what exists, then what is new.
func (s *server) inOrder(r *rootState, p *proposal.Proposal) []proposal.File {
	origin := ""
	if v := s.turns.view(p.Turn); v != nil && v.request.Target != nil {
		origin = v.request.Target.Path
	} else if doc, _ := s.docs.LastFocused(); doc != nil && doc.Root == r {
		origin = doc.Path
	}
	rank := func(f *proposal.File) int {
		switch {
		case origin != "" && (f.Change.Path == origin || f.Path() == origin):
			return 0
		case f.Change.Op != edits.OpCreate:
			return 1
		}
		return 2
	}
	files := slices.Clone(p.Files)
	slices.SortStableFunc(files, func(a, b proposal.File) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(a.Path(), b.Path()))
	})
	return files
}

// content returns the text of a virtual document: the diff of a proposal as it stands now.
func (s *server) content(_ context.Context, uri string) (string, bool) {
	key, known := s.names.owner(virtualName(uri))
	if !known {
		return "", false
	}
	p, known := key.root.session.Proposals().Get(key.proposal)
	if !known {
		return "", false
	}
	return s.diffDocument(key.root, &p), true
}
