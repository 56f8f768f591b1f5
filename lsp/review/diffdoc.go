package review

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/event"
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
		abs, err := r.writeDiff(p, name)
		r.Diffs.cannot(p.ID, err)
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

// writeDiff writes the file with the diff of a proposal, unless the client has it open and it reads so already: that one may
// have been brought up to date there and not be saved.
func (r *Review) writeDiff(p *proposal.Proposal, name string) (abs string, err error) {
	text := r.DiffDocument(p)
	if is, known := r.Diffs.text(name); known && is == text && r.Root.Open(path.Join(OwnFolder, name)) {
		return filepath.Join(r.Root.Dir, OwnFolder, name), nil
	}
	abs, err = r.Root.Workspace.StateDocument(name, text)
	if err == nil {
		r.Diffs.put(name, text)
	}
	return abs, err
}

// DiffDocument is the diff of what is undecided of a proposal, with a head that says what it is. Tools
// that read diffs skip the head.
func (r *Review) DiffDocument(p *proposal.Proposal) string {
	if files, _, _ := p.Open(); files == 0 {
		return decidedDocument(p)
	}
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
			which = "; shown below"
		}
		fmt.Fprintf(&b, "# attempt %d: %s%s\n", i+1, display.Message(a.String()), which)
	}
	if len(p.Attempts) > 1 {
		b.WriteString("# To switch to another attempt, use the code action \"use another attempt…\".\n")
	}
	b.WriteString(standing(p))
	b.WriteString("# To apply or discard the hunk or file at the cursor, or the entire change, use a code action.\n")
	if p.State == event.ProposalConflict && p.Reason != "" {
		fmt.Fprintf(&b, "# Could not apply the change: %s\n", display.Message(p.Reason))
	}
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
			fmt.Fprintf(&b, "# protected file, needs your permission: %s\n", display.Message(f.Path()))
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

// standing says in a line of the head what is done of a change that waits; "" for nothing. Some clients keep the document as it
// is when all is decided, so that it says nothing which would not be true then.
func standing(p *proposal.Proposal) string {
	applied, discarded := decisions(p)
	switch {
	case applied == 0 && discarded == 0:
		return ""
	case discarded == 0:
		return fmt.Sprintf("# Applied so far: %s. The rest is below.\n", countHunks(applied))
	case applied == 0:
		return fmt.Sprintf("# Discarded so far: %s. The rest is below.\n", countHunks(discarded))
	}
	return fmt.Sprintf("# Applied so far: %s, discarded: %d. The rest is below.\n", countHunks(applied), discarded)
}

// decisions counts the hunks that were applied and that were discarded; a file without hunks is one.
func decisions(p *proposal.Proposal) (applied, discarded int) {
	for i := range p.Files {
		for _, d := range p.Files[i].Done {
			switch d {
			case proposal.HunkSent, proposal.HunkLanded:
				applied++
			case proposal.HunkDiscarded:
				discarded++
			case proposal.HunkOpen:
			}
		}
	}
	return applied, discarded
}

func countHunks(n int) string {
	if n == 1 {
		return "1 hunk"
	}
	return fmt.Sprintf("%d hunks", n)
}

// decidedDocument is what stands in the place of the diff when there is nothing left to decide on.
func decidedDocument(p *proposal.Proposal) string {
	applied, discarded := decisions(p)
	what := fmt.Sprintf("applied %s, discarded %d", countHunks(applied), discarded)
	switch {
	case p.State == event.ProposalUndone:
		what = "undone"
	case applied == 0:
		what = "discarded"
	case discarded == 0:
		what = "applied"
	}
	return fmt.Sprintf("# %s\n# No hunks left to review: %s.\n", display.Message(p.Label), what)
}

// InOrder returns the files of a proposal as a person looks at them.
func (r *Review) InOrder(p *proposal.Proposal) []proposal.File { return InOrder(p, r.Origin(p.Turn)) }
