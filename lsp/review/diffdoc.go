package review

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// showDiff opens the unified diff of what is undecided: as a virtual document where the client has
// them, else as a file below .coauthor. Opening it applies nothing.
func (r *Review) showDiff(ctx context.Context, p *proposal.Proposal) (uri string, shown bool, err error) {
	name := r.DiffName(p)
	if r.Editor.CanShowVirtual() {
		uri = VirtualURI(name)
	} else {
		abs, err := r.Root.Workspace.StateDocument(name, r.DiffDocument(p))
		if err != nil {
			return "", false, err
		}
		uri = document.URIOfPath(abs)
	}
	shown, err = r.Editor.ShowDocument(ctx, uri, true, nil)
	if errors.Is(err, wire.ErrUnsupported) {
		err = nil
	}
	if shown {
		r.markShown(p)
	}
	return uri, shown, err
}

// DiffName is the name of the document with the diff of a proposal.
func (r *Review) DiffName(p *proposal.Proposal) string {
	about := "changes"
	if files := r.InOrder(p); len(files) > 0 {
		about = path.Base(files[0].Path())
	}
	return r.Name(p, about)
}

// DiffDocument is the diff of what is undecided of a proposal, with a head that says what it is. Tools
// that read diffs skip the head.
func (r *Review) DiffDocument(p *proposal.Proposal) string {
	var b strings.Builder
	for _, w := range Warnings(p) {
		fmt.Fprintf(&b, "# warning: %s\n", w)
	}
	fmt.Fprintf(&b, "# %s\n# %s\n", display.Message(p.Label), OpenSize(p))
	if p.Verdict != "" {
		fmt.Fprintf(&b, "# Checked: %s\n", display.Message(p.Verdict))
	}
	for i, a := range Attempts(p) {
		which := ""
		if i+1 == p.Attempt {
			which = "; this one"
		}
		fmt.Fprintf(&b, "# attempt %d: %s%s\n", i+1, display.Message(a.String()), which)
	}
	if len(p.Attempts) > 1 {
		b.WriteString("# Another attempt becomes the change with the code action or the command coauthor.takeAttempt.\n")
	}
	b.WriteString("# Nothing is changed yet. Apply or discard the change with the code actions here, or with the\n" +
		"# commands coauthor.apply and coauthor.discard.\n")
	said := map[string]bool{}
	for i := range p.Files {
		f := &p.Files[i]
		if len(f.Undecided()) == 0 {
			continue
		}
		dir := path.Dir(f.Path())
		if (f.Change.Op == edits.OpCreate || f.Change.Op == edits.OpRename) && dir != "." && !said[dir] && !r.Root.Workspace.Door().OnDisk(dir) {
			said[dir] = true
			fmt.Fprintf(&b, "# new directory: %s\n", display.Message(dir))
		}
		if f.Protected {
			fmt.Fprintf(&b, "# protected, will be asked about: %s\n", display.Message(f.Path()))
		}
	}
	for _, reason := range r.Refused(p.Turn) {
		fmt.Fprintf(&b, "# not applied: %s\n", display.Message(reason))
	}
	b.WriteString("\n")
	ordered := *p
	ordered.Files = r.InOrder(p)
	b.WriteString(proposal.DiffText(ordered))
	return b.String()
}

// InOrder returns the files of a proposal as a person looks at them.
func (r *Review) InOrder(p *proposal.Proposal) []proposal.File { return InOrder(p, r.Origin(p.Turn)) }
