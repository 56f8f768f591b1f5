package lsp

import (
	"context"
	"errors"
	"regexp"
	"sync"
	"time"

	"coauthor/agent/display"
	"coauthor/agent/proposal"
	"coauthor/edits"
	"coauthor/lsp/document"
	"coauthor/lsp/folder"
)

// getTexts is our own request: both sides of one file of a proposal, for an editor that shows its own diff.
func (s *server) getTexts(ctx context.Context, p *getTextsParams, _ struct{}) (any, error) {
	r, path, err := s.folders.Find(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	found, texts, err := r.Session.Proposals.Texts(proposal.Selector{Turn: p.TurnID, Proposal: p.ProposalID}, path, r.Workspace.Snapshot().Within(ctx))
	if err != nil {
		return nil, err
	}
	c := &texts.File.Change
	v := textsView{TurnID: found.Turn, ProposalID: found.ID, Revision: found.Revision, URI: s.docs.uriOf(r, c.Path), Op: string(c.Op),
		Base: texts.Old, New: texts.New, Conflict: texts.Conflict, Hunks: make([]textHunk, 0, len(texts.Hunks))}
	if c.Op == edits.OpRename {
		v.NewURI = s.docs.uriOf(r, c.To)
	}
	if doc, open := s.docs.document(r, c.Path); open && texts.Old != nil && doc.Text == *texts.Old {
		v.Version = &doc.Version
	}
	before, after := s.lines(orEmpty(texts.Old)), s.lines(orEmpty(texts.New))
	for _, h := range texts.Hunks {
		v.Hunks = append(v.Hunks, textHunk{
			Number: h.Number, Conflict: h.Conflict,
			BaseRange: document.FromProtocol(before.RangeOf(h.OldAt.Start, h.OldAt.End, s.docs.encoding)),
			NewRange:  document.FromProtocol(after.RangeOf(h.NewAt.Start, h.NewAt.End, s.docs.encoding)),
		})
	}
	s.hunks.fetched.put(fetchedTexts{root: r, path: c.Path, proposal: found.ID}, orEmpty(texts.Old))
	return v, nil
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// fetchedTexts names a file of a proposal whose texts the client has.
type fetchedTexts struct {
	root           *folder.Folder
	path, proposal string
}

// fetched are the texts that the client has, with what the file read when it got them. The zero value is ready.
type fetched struct {
	mu   sync.Mutex
	base map[fetchedTexts]string // guarded by mu
	told map[fetchedTexts]bool   // guarded by mu; the client knows that they are out of date
	soon bool                    // guarded by mu; somebody is about to tell
}

func (f *fetched) put(of fetchedTexts, base string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.base == nil || len(f.base) > mostFetched {
		f.base, f.told = map[fetchedTexts]string{}, map[fetchedTexts]bool{}
	}
	f.base[of] = base
	delete(f.told, of)
}

// mostFetched bounds of how many texts is known that the client has them.
const mostFetched = 1000

// of returns the texts of a file that the client has and does not know to be out of date.
func (f *fetched) of(r *folder.Folder, path string) (list []fetchedTexts) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for one := range f.base {
		if one.root == r && one.path == path && !f.told[one] {
			list = append(list, one)
		}
	}
	return list
}

// begin says whether the caller is to tell of what moved; else somebody is about to.
func (f *fetched) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	begins := !f.soon
	f.soon = true
	return begins
}

// take returns what has moved, by what files read now, and takes the client for told.
func (f *fetched) take(now func(fetchedTexts) (string, bool)) (list []fetchedTexts) {
	f.mu.Lock()
	f.soon = false
	have := make(map[fetchedTexts]string, len(f.base))
	for one, base := range f.base {
		if !f.told[one] {
			have[one] = base
		}
	}
	f.mu.Unlock()
	for one, base := range have {
		if text, ok := now(one); ok && text != base {
			list = append(list, one)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, one := range list {
		f.told[one] = true
	}
	return list
}

// forget drops the texts of a proposal that is decided.
func (f *fetched) forget(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for one := range f.base {
		if one.proposal == id {
			delete(f.base, one)
			delete(f.told, one)
		}
	}
}

// movedPause is how long after a change the client hears that texts have moved: once for what is typed meanwhile.
const movedPause = 150 * time.Millisecond

// textsMove is called when a document has changed, on the goroutine that reads. It waits for nothing.
func (s *server) textsMove(r *folder.Folder, path string) {
	if !s.client.Caps.Pending || len(s.hunks.fetched.of(r, path)) == 0 || !s.hunks.fetched.begin() {
		return
	}
	s.tasks.Background(func(ctx context.Context) {
		_ = s.opts.Sleep(ctx, movedPause) // with the end of the session nobody is told
		for _, one := range s.hunks.fetched.take(func(one fetchedTexts) (string, bool) {
			text, err := one.root.Workspace.Snapshot().Within(ctx).Text(one.path)
			return orEmpty(text), err == nil
		}) {
			if p, known := one.root.Session.Proposals.Get(one.proposal); known && p.Pending() && ctx.Err() == nil {
				s.client.Notify(methodMoved, &movedParams{TurnID: p.Turn, ProposalID: p.ID, Revision: p.Revision, URI: s.docs.uriOf(one.root, one.path)})
			}
		}
	})
}

// How many entries a page of a transcript has without a limit, and at most.
const usualPage, mostPage = 50, 200

// getTranscript is our own request: a page of the conversation of a folder, for an editor that shows it itself.
func (s *server) getTranscript(ctx context.Context, p *getTranscriptParams, _ struct{}) (any, error) {
	r := s.folders.Default()
	if p.URI != "" {
		var err error
		if r, _, err = s.folders.Find(ctx, p.URI); err != nil {
			return nil, err
		}
	}
	limit := p.Limit
	if limit <= 0 {
		limit = usualPage
	}
	list, more, err := r.Session.Conversation.Page(ctx, p.Before, min(limit, mostPage))
	if err != nil {
		return nil, err
	}
	page := transcriptPage{URI: r.URI(), Entries: []transcriptEntry{}, More: more}
	for _, x := range list {
		one := transcriptEntry{Number: x.Number, TurnID: x.Turn, At: x.At, Request: display.Text(x.User), Answer: display.Text(x.Prose),
			Coder: x.Coder, Model: x.Model, ProposalID: x.Proposal}
		if x.Proposal != "" {
			one.Became = string(r.Session.Proposals.Became(x.Proposal))
		}
		page.Entries = append(page.Entries, one)
	}
	return page, nil
}

// secretName is what the name of a variable for a key may look like.
var secretName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// mostSecret is how long a key may be.
const mostSecret = 16 << 10

// didSetSecret is our own notification: a key that the client keeps for the user. Its errors are logged, and say nothing of
// what came: some clients confuse name and value.
func (s *server) didSetSecret(_ context.Context, p *setSecretParams) error {
	switch {
	case s.opts.SetSecret == nil:
		return errors.New("this server does not accept keys")
	case !secretName.MatchString(p.Name):
		return errors.New("the key's name is not a valid variable name")
	case len(p.Value) > mostSecret:
		return errors.New("the key is too long")
	}
	s.opts.SetSecret(p.Name, p.Value)
	return nil
}
