package commit

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"coauthor/agent/event"
	"coauthor/agent/proposal"
	"coauthor/agent/settings"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// With git.mode the files of a turn are staged, or become a commit, when its changes are accepted and saved. Here it waits for that:
// what landed is told by the store of proposals, that a file was written by whoever hears of it (Wrote), and the rest
// is what stands on disk.

// saved are the turns of a session whose changes have landed and are not known to be on disk.
type saved struct {
	o *Options
	// onDisk is given a turn, once it is, with the settings in force.
	onDisk func(ctx context.Context, u *unsaved, set settings.Settings)

	mu      sync.Mutex
	waiting []*unsaved        // guarded by mu; oldest first
	again   bool              // guarded by mu; something happened since the last look
	looking chan struct{}     // guarded by mu; closed when nobody looks any more, nil then
	models  map[string]string // guarded by mu; who wrote the changes, by turn
	own     map[string]bool   // guarded by mu; proposals that are no turn's, such as the undoing of a commit

	files   *waitingFiles   // what waits, for the time after this session
	resumed <-chan struct{} // closed when those that an earlier session left wait too; nil where there can be none
}

// unsaved is a proposal of which something has landed.
type unsaved struct {
	turn, proposal, label string
	since                 time.Time       // when the first of it landed
	landings              int             // how often something of it landed
	changes               []edits.Change  // as they landed, in order
	written               map[string]bool // files that were written to since they landed
}

// mostWaiting is how many turns wait: what is older than that was never saved.
const mostWaiting = 50

// landed notes what has landed of a turn, or was taken back.
func (w *saved) landed(l proposal.Landing, now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.own[l.Proposal] {
		return
	}
	if l.Op == "undo" {
		w.waiting = slices.DeleteFunc(w.waiting, func(u *unsaved) bool { return u.turn == l.Turn })
		return
	}
	i := slices.IndexFunc(w.waiting, func(u *unsaved) bool { return u.proposal == l.Proposal })
	if i < 0 {
		w.waiting = append(w.waiting, &unsaved{turn: l.Turn, proposal: l.Proposal, label: l.Label, since: now, written: map[string]bool{}})
		w.waiting = w.waiting[max(0, len(w.waiting)-mostWaiting):]
		i = len(w.waiting) - 1
	}
	u := w.waiting[i]
	u.landings++
	for _, c := range l.Files {
		u.changes = joined(u.changes, c)
	}
}

// resume has turns wait that an earlier session left.
func (w *saved) resume(list []waitingTurn) {
	for i := range list {
		w.wroteBy(list[i].Turn, list[i].Model)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var before []*unsaved
	for i := range list {
		if !slices.ContainsFunc(w.waiting, func(u *unsaved) bool { return u.proposal == list[i].Proposal }) {
			before = append(before, list[i].unsaved())
		}
	}
	slices.SortFunc(before, func(a, b *unsaved) int { return a.since.Compare(b.since) })
	w.waiting = append(before, w.waiting...)
	w.waiting = w.waiting[max(0, len(w.waiting)-mostWaiting):]
}

// joined adds a change to those that landed before it: a later one of the same file goes on from it.
func joined(list []edits.Change, c edits.Change) []edits.Change {
	for i, before := range list {
		if before.Path == c.Path && before.Op != edits.OpDelete && before.Op != edits.OpRename && c.Op == edits.OpUpdate {
			list[i].After = c.After
			return list
		}
	}
	return append(list, c)
}

// wrote notes that a file may have been written; "" is any of them. It says whether anybody waits for that.
func (w *saved) wrote(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, u := range w.waiting {
		for _, c := range u.changes {
			for _, name := range touchedBy(c) {
				if path == "" || path == name {
					u.written[name] = true
				}
			}
		}
	}
	return len(w.waiting) > 0
}

func touchedBy(c edits.Change) []string {
	if c.Op == edits.OpRename {
		return []string{c.Path, c.To}
	}
	return []string{c.Path}
}

// wroteBy notes which model wrote the changes of a turn.
func (w *saved) wroteBy(turn, model string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.models == nil || len(w.models) > 4*mostWaiting {
		w.models = map[string]string{}
	}
	w.models[turn] = model
}

func (w *saved) model(turn string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.models[turn]
}

// exempt says that what lands of a proposal is no turn's.
func (w *saved) exempt(proposal string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.own == nil {
		w.own = map[string]bool{}
	}
	w.own[proposal] = true
}

// take has a turn wait no longer. It says no where it was undone since it was looked at, or more of it has landed: that is
// told, and looked at again.
func (w *saved) take(u *unsaved) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.waiting, func(x *unsaved) bool { return x.proposal == u.proposal && x.landings == u.landings })
	if i < 0 {
		return false
	}
	w.waiting = slices.Delete(w.waiting, i, i+1)
	return true
}

// look looks, in the background, which of the turns that wait are on disk. It returns at once.
func (w *saved) look() {
	w.mu.Lock()
	w.again = true
	idle := w.looking == nil && (len(w.waiting) > 0 || w.files.any())
	w.mu.Unlock()
	if !idle {
		return
	}
	release, err := w.o.Hold()
	if err != nil {
		return
	}
	w.mu.Lock()
	if w.looking != nil {
		w.mu.Unlock()
		release()
		return
	}
	done := make(chan struct{})
	w.looking = done
	w.mu.Unlock()
	go func() {
		defer release()
		defer close(done)
		for w.lookOnce(w.o.Context) {
		}
	}()
}

// lookOnce looks at all that wait, and says whether to look again.
func (w *saved) lookOnce(ctx context.Context) bool {
	w.mu.Lock()
	if !w.again {
		w.looking = nil
		w.mu.Unlock()
		return false
	}
	w.again = false
	var list []unsaved
	for _, u := range w.waiting {
		copied := *u
		copied.changes = slices.Clone(u.changes)
		copied.written = map[string]bool{}
		for name := range u.written {
			copied.written[name] = true
		}
		list = append(list, copied)
	}
	w.mu.Unlock()
	set := w.o.Settings()
	on, stages := set.Git.Commits(), set.Git.Mode == settings.GitStage
	if on { // also when the session ends: then somebody else goes on with it
		w.warn(w.files.keep(list, w.model))
	}
	if ctx.Err() != nil {
		w.mu.Lock()
		w.looking = nil
		w.mu.Unlock()
		return false
	}
	for i := range list {
		u := &list[i]
		if (on || stages) && (!w.decidedOn(u.proposal) || !u.onDisk(ctx, w.o.Workspace.Door())) {
			continue
		}
		if !w.take(u) {
			continue
		}
		if on || stages {
			w.onDisk(ctx, u, set)
		}
		if ctx.Err() != nil { // it was not committed, and must not look as if nothing of it waited
			w.mu.Lock()
			w.waiting = append(w.waiting, u)
			w.mu.Unlock()
			continue
		}
		w.warn(w.files.drop(u.proposal))
	}
	return true
}

// warn notes a problem with the files of what waits: the commits of this session are made all the same.
func (w *saved) warn(err error) {
	if err != nil {
		w.o.Log.Warn("changes waiting to be committed may be lost when the server exits", "root", w.o.Workspace.Root(), "error", err)
	}
}

// decidedOn says whether nothing of a proposal waits for the user or the editor.
func (w *saved) decidedOn(id string) bool {
	p, known := w.o.Proposals.Get(id)
	if !known {
		return true
	}
	switch p.State {
	case event.ProposalApplied, event.ProposalDiscarded, event.ProposalSuperseded, event.ProposalUndone:
		return true
	case event.ProposalPending, event.ProposalApplying, event.ProposalUnverified, event.ProposalPartial, event.ProposalConflict:
	}
	return false
}

// wait returns when every turn whose changes are on disk is committed, or with ctx.
func (w *saved) wait(ctx context.Context) {
	if w.resumed != nil {
		select {
		case <-w.resumed:
		case <-ctx.Done():
			return
		}
	}
	w.look()
	for {
		w.mu.Lock()
		looking := w.looking
		w.mu.Unlock()
		if looking == nil {
			return
		}
		select {
		case <-looking:
		case <-ctx.Done():
			return
		}
	}
}

// Look looks, in the background, which of the turns that wait are on disk. It returns at once.
func (k *Committer) Look() { k.saved.look() }

// Wrote says that files may have been written; "" is any of them. It looks, in the background, where somebody waits for that.
func (k *Committer) Wrote(paths ...string) {
	waited := false
	for _, p := range paths {
		waited = k.saved.wrote(p) || waited
	}
	if waited {
		k.saved.look()
	}
}

// WroteBy notes which model wrote the changes of a turn.
func (k *Committer) WroteBy(turn, model string) { k.saved.wroteBy(turn, model) }

// Landed notes what has landed of a turn, or was taken back. Look sees what follows of it.
func (k *Committer) Landed(l proposal.Landing) { k.saved.landed(l, k.o.Clock()) }

// Wait returns when every turn whose changes are on disk is committed, or with ctx.
func (k *Committer) Wait(ctx context.Context) { k.saved.wait(ctx) }

// onDisk says whether all changes are on disk: the text as it landed, or one that was written later and holds
// something of them.
func (u *unsaved) onDisk(ctx context.Context, door *workspace.Door) bool {
	for i := range u.changes {
		c := u.changes[i]
		if c.Op == edits.OpDelete || c.Op == edits.OpRename {
			if door.OnDisk(c.Path) {
				return false
			}
		}
		if c.Op == edits.OpDelete {
			continue
		}
		name := c.Path
		if c.Op == edits.OpRename {
			name = c.To
		}
		now, err := door.DiskText(ctx, name)
		switch {
		case err != nil:
			return false
		case now == c.After:
		case !u.written[name], len(ofChange(c.Before, c.After, now)) == 0:
			return false
		}
	}
	return true
}

// ofChange are the hunks between before and now that belong to a change, from before to after, that was made meanwhile:
// those that touch a place which it changed. What else was typed is left out; what was done to the change itself, by
// hand or by a formatter, is in.
func ofChange(before, after, now string) []edits.Hunk {
	hunks := edits.Diff(before, now)
	if after == now {
		return hunks
	}
	made := edits.Diff(before, after)
	return slices.DeleteFunc(hunks, func(h edits.Hunk) bool {
		return !slices.ContainsFunc(made, func(m edits.Hunk) bool {
			return h.OldLine <= m.OldLine+m.OldCount && m.OldLine <= h.OldLine+h.OldCount
		})
	})
}

// savedText is what a change has become on disk, without what else was changed in the file. ok is false where the file
// is no text that can be taken apart: git has it in another encoding.
func savedText(c edits.Change, raw []byte) (text string, ok bool, err error) {
	now := string(raw)
	if !utf8.ValidString(now) || strings.ContainsRune(now, 0) {
		return "", false, nil
	}
	text, err = edits.ApplyHunks(c.Before, ofChange(c.Before, c.After, now))
	return text, err == nil, err
}
