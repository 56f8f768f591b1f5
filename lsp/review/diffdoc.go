package review

import (
	"fmt"
	"path"
	"strings"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
)

// DiffDocument is the diff of what is undecided, with a head that says what it is. Tools that read diffs
// skip the head. origin is the file from which the request came; refused says why edits of the turn are
// no part of the proposal; there reports whether a directory is on disk.
func DiffDocument(p *proposal.Proposal, origin string, refused []string, there func(dir string) bool) string {
	var b strings.Builder
	for _, w := range Warnings(p) {
		fmt.Fprintf(&b, "# warning: %s\n", w)
	}
	fmt.Fprintf(&b, "# %s\n# %s\n", display.Message(p.Label), OpenSize(p))
	b.WriteString("# Nothing is changed yet. Apply or discard the change with the code actions here, or with the\n" +
		"# commands coauthor.apply and coauthor.discard.\n")
	said := map[string]bool{}
	for i := range p.Files {
		f := &p.Files[i]
		if len(f.Undecided()) == 0 {
			continue
		}
		dir := path.Dir(f.Path())
		if (f.Change.Op == edits.OpCreate || f.Change.Op == edits.OpRename) && dir != "." && !said[dir] && !there(dir) {
			said[dir] = true
			fmt.Fprintf(&b, "# new directory: %s\n", display.Message(dir))
		}
		if f.Protected {
			fmt.Fprintf(&b, "# protected, will be asked about: %s\n", display.Message(f.Path()))
		}
	}
	for _, reason := range refused {
		fmt.Fprintf(&b, "# not applied: %s\n", display.Message(reason))
	}
	b.WriteString("\n")
	ordered := *p
	ordered.Files = InOrder(p, origin)
	b.WriteString(proposal.DiffText(ordered))
	return b.String()
}
