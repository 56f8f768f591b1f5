package lsp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/wire"
)

// dialogTime is how long the question whether to apply waits; afterwards the proposal is still there.
const dialogTime = 10 * time.Minute

// The choices of the dialog. Closing it, or not answering, keeps the proposal pending.
const (
	choiceApply   = "Apply"
	choiceDiscard = "Discard"
	choiceShow    = "Show diff"
	choiceKeep    = "Keep pending"
)

// preview shows a finished proposal in the way that suits the client, and lets the user decide where
// the client has a dialog. It waits for the user, so it runs in the background.
func (s *server) preview(ctx context.Context, r *rootState, p proposal.Proposal, mode string) {
	store := r.session.Proposals()
	if len(p.Warnings) > 0 && (mode == "none" || mode == "inline") {
		mode = "auto" // who wants changes unseen wants to see what is wrong with this one
	}
	mode = s.previewMode(mode)
	if mode == "native" || mode == "diff" || mode != "client" && s.quirks.AsksItself {
		if s.quiet(ctx) != nil {
			return
		}
	}
	if !waits(store, &p) {
		return // decided meanwhile; or a follow-up that waited was quicker: what it made is shown instead
	}
	switch mode {
	case "none", "inline":
		// The user has asked for changes to be applied unseen; that is the consent, too.
		s.decide(ctx, r, &p, &carrier{s: s, root: r, seen: true})
	case "native":
		if len(p.Warnings) > 0 { // the client's own view has no place for them
			s.client.showMessage(protocol.MessageTypeWarning, fmt.Sprintf("Coauthor: %s%s", warned(&p), p.Label))
		}
		store.MarkShown(p.ID, p.Revision)
		s.decide(ctx, r, &p, &carrier{s: s, root: r, seen: true, native: true})
	case "client":
		store.MarkShown(p.ID, p.Revision) // it draws what coauthor/pending told it
	case "diff":
		uri, shown, err := s.showDiff(ctx, r, &p)
		if err != nil {
			s.log.Warn("diff not shown", "turn", p.Turn, "err", err)
		}
		s.dialog(ctx, r, &p, uri, shown)
	}
}

// waits says whether a revision still waits for the user's decision.
func waits(store *proposal.Store, p *proposal.Proposal) bool {
	now, ok := store.Get(p.ID)
	return ok && now.Pending() && now.Revision == p.Revision
}

// previewMode decides by what was asked for and what the client can do.
func (s *server) previewMode(mode string) string {
	native := s.quirks.NativePreview && s.caps.Annotations && s.caps.DocumentChanges
	switch mode {
	case "none", "inline":
		return mode
	case "native":
		if native {
			return "native"
		}
	case "diff":
	default:
		if !s.caps.Pending && native && s.plugin == "" {
			return "native"
		}
	}
	if s.caps.Pending {
		return "client"
	}
	return "diff"
}

// decide applies exactly the revision that was shown and tells what came of it.
func (s *server) decide(ctx context.Context, r *rootState, p *proposal.Proposal, c *carrier) {
	out, err := r.session.Proposals().Apply(ctx, proposal.Selector{Proposal: p.ID, Revision: p.Revision}, c)
	if errors.Is(err, proposal.ErrDecided) || errors.Is(err, proposal.ErrApplying) || ctx.Err() != nil {
		return // it was decided in another way meanwhile
	}
	if err != nil {
		s.client.showMessage(protocol.MessageTypeError, "Coauthor: "+err.Error())
		return
	}
	if !c.native || c.discardLeftOut(p, &out) {
		c.report(out, proposal.StatusApplied)
	}
}

// report tells the user what became of applying or taking back. Where the editor shows it in the
// documents, they may be other ones than the user looks at.
func (s *server) report(r *rootState, out proposal.Outcome) {
	left := 0
	if p, ok := r.session.Proposals().Get(out.Proposal); ok && p.Pending() {
		left, _, _ = p.Open()
	}
	kind := protocol.MessageTypeWarning
	if out.Status == proposal.StatusApplied || out.Status == proposal.StatusUndone {
		kind = protocol.MessageTypeInfo
	}
	s.client.showMessage(kind, "Coauthor: "+s.outcomeText(out, left)+".")
	s.client.logMessage(kind, fmt.Sprintf("Coauthor: %s, %s", out.Status, countFiles(len(out.Files))))
}

// discard drops what sel means of a proposal, and tells it.
func (s *server) discard(r *rootState, sel proposal.Selector) (proposal.Proposal, error) {
	before, _ := r.session.Proposals().Find(sel)
	p, err := r.session.Proposals().Discard(sel)
	if err == nil {
		s.client.showMessage(protocol.MessageTypeInfo, "Coauthor: "+discardedText(&before, &p)+".")
	}
	return p, err
}

// dialog asks what to do with a proposal. Whatever is no clear answer leaves it pending, and then
// one message tells how to go on.
func (s *server) dialog(ctx context.Context, r *rootState, p *proposal.Proposal, uri string, shown bool) {
	store := r.session.Proposals()
	for {
		choices := []string{choiceApply, choiceDiscard, choiceKeep}
		if !shown {
			// An accidental Enter takes the first one.
			choices = []string{choiceShow, choiceApply, choiceDiscard, choiceKeep}
		}
		if s.quiet(ctx) != nil || !waits(store, p) {
			return // decided, or amended, while the user typed
		}
		limit, cancel := context.WithTimeout(ctx, s.landings.scaled(dialogTime))
		choice, err := s.client.showMessageRequest(limit, severity(p),
			fmt.Sprintf("Coauthor: %s%s (%s)%s", warned(p), p.Label, size(p), s.beside(p)), choices)
		cancel()
		if ctx.Err() != nil {
			return
		}
		ctx = s.wishedNow(ctx)
		switch choice {
		case choiceApply:
			store.MarkShown(p.ID, p.Revision)
			s.decide(ctx, r, p, &carrier{s: s, root: r, seen: true})
			return
		case choiceDiscard:
			_, err := s.discard(r, proposal.Selector{Proposal: p.ID, Revision: p.Revision})
			if err != nil && !errors.Is(err, proposal.ErrDecided) {
				s.client.showMessage(protocol.MessageTypeWarning, "Coauthor: "+err.Error())
			}
			return
		case choiceShow:
			if u, ok, err := s.showDiff(ctx, r, p); err != nil || !ok {
				s.pendingMessage(r, p, u)
				return
			}
			shown = true
			continue
		}
		if !waits(store, p) {
			return // decided, or amended, in another way
		}
		if err != nil {
			s.log.Debug("no dialog", "err", err)
		}
		if err != nil || choice == "" || !shown {
			s.pendingMessage(r, p, uri)
		}
		return
	}
}

// pendingMessage tells that a proposal waits, where it can be looked at and how to decide. With that
// the user has what there is to see, so it counts as shown.
func (s *server) pendingMessage(r *rootState, p *proposal.Proposal, uri string) {
	r.session.Proposals().MarkShown(p.ID, p.Revision)
	text := fmt.Sprintf("Coauthor: %sA change is pending (%s): %s%s.", warned(p), size(p),
		strings.TrimRight(p.Label, "."), s.beside(p))
	if abs, ok := document.PathOfURI(uri); ok {
		text += " The diff is in " + s.displayed(r, abs) + "."
	}
	how := "with the code actions, or with the commands coauthor.apply and coauthor.discard"
	if s.quirks.Menu != "" {
		how = "with " + s.quirks.Menu
	}
	s.client.showMessage(severity(p), text+" Apply or discard it "+how+".")
}

// displayed is how a path of a root is written in a message.
func (s *server) displayed(r *rootState, abs string) string {
	if rel, err := filepath.Rel(r.dir, abs); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return abs
}

// warned is what the checks say against a proposal, to stand before all else about it; "" for
// nothing. A message is short: the diff has all of them.
func warned(p *proposal.Proposal) string {
	list := warnings(p)
	switch n := len(list); n {
	case 0:
		return ""
	case 1:
		return "warning: " + strings.TrimSuffix(list[0], ".") + ". "
	default:
		return fmt.Sprintf("%d warnings, the first: %s. ", n, strings.TrimSuffix(list[0], "."))
	}
}

func severity(p *proposal.Proposal) protocol.MessageType {
	if len(p.Warnings) > 0 {
		return protocol.MessageTypeWarning
	}
	return protocol.MessageTypeInfo
}

// beside says what the model wanted and is no part of the proposal: the reason where there is one,
// else how many there are, which the diff names.
func (s *server) beside(p *proposal.Proposal) string {
	switch refused := s.turns.refused(p.Turn); len(refused) {
	case 0:
		return ""
	case 1:
		return "; not applied: " + strings.TrimSuffix(refused[0], ".")
	default:
		return fmt.Sprintf("; %d edits were refused, see the diff", len(refused))
	}
}

// showPending opens the diff of a proposal again.
func (s *server) showPending(ctx context.Context, r *rootState, sel proposal.Selector) (pendingView, error) {
	p, err := r.session.Proposals().Find(sel)
	if err != nil {
		return pendingView{}, err
	}
	v := s.viewPending(r, &p)
	if s.caps.Pending {
		r.session.Proposals().MarkShown(p.ID, p.Revision)
		return v, nil
	}
	uri, shown, err := s.showDiff(ctx, r, &p)
	if err != nil {
		return v, err
	}
	v.URI = uri
	if !shown {
		s.pendingMessage(r, &p, uri)
	}
	return v, nil
}

// showDiff opens the unified diff of what is undecided: as a virtual document where the client has
// them, else as a file below .coauthor. Opening it applies nothing.
func (s *server) showDiff(ctx context.Context, r *rootState, p *proposal.Proposal) (uri string, shown bool, err error) {
	name := s.diffName(r, p)
	if s.client.canShowVirtual() {
		uri = virtualURI(name)
	} else {
		abs, err := r.ws.StateDocument(name, s.diffDocument(r, p))
		if err != nil {
			return "", false, err
		}
		uri = document.URIOfPath(abs)
	}
	shown, err = s.client.showDocument(ctx, uri, true, nil)
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
	fmt.Fprintf(&b, "# %s\n# %s\n", display.Message(p.Label), size(p))
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
