package review

import (
	"cmp"
	"slices"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// View is a way in which a user can be shown a proposal.
type View string

// The ways. ViewNone and ViewInline are what the user asks for, to have changes applied unseen, and with ViewInline looked
// at afterwards.
const (
	ViewNone   View = "none"
	ViewInline View = "inline"
	ViewNative View = "native" // the client previews the edit itself
	ViewClient View = "client" // our own plug-in draws what coauthor/pending tells it
	ViewDiff   View = "diff"   // a document with the diff, and a dialog
)

// Unseen reports whether the changes are applied without being shown.
func (v View) Unseen() bool { return v == ViewNone || v == ViewInline }

// Views is what a client can show.
type Views struct {
	Native  bool // it previews annotated edits
	Pending bool // it knows coauthor/pending
	Plugin  bool // one of our own plug-ins runs in it
	// NoActions: it has no menu of code actions, by which what was applied at once is kept or undone.
	NoActions bool
}

// Choose decides by what the user asked for (a value of the setting preview; "" is auto) and by what
// the client can do. warned says that the proposal has warnings: who wants changes unseen wants to see
// what is wrong with this one.
func (c Views) Choose(asked string, warned bool) View {
	if View(asked).Unseen() && !warned && (View(asked) != ViewInline || !c.NoActions) {
		return View(asked)
	}
	switch View(asked) {
	case ViewNative:
		if c.Native {
			return ViewNative
		}
	case ViewDiff:
	default:
		if !c.Pending && c.Native && !c.Plugin {
			return ViewNative
		}
	}
	if c.Pending {
		return ViewClient
	}
	return ViewDiff
}

// InOrder returns the files of a proposal as a person looks at them: first the one at the path origin,
// from which the request came ("" for none), then what exists, then what is new.
func InOrder(p *proposal.Proposal, origin string) []proposal.File {
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
