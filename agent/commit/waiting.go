package commit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"coauthor/agent/proposal"
	"coauthor/edits"
)

// Who saves and quits is gone before the message of the commit is written, and some editors keep what is not saved for
// the next time. So the turns that wait are kept on disk too, in a file each, and whoever works in the folder next
// goes on with those that an ended process has left.

// waitingFiles are the files of a root's turns that are to become commits.
type waitingFiles struct {
	dir   string         // "" is for a root without a place on disk
	owner proposal.Owner // whose files may be written and removed

	mu    sync.Mutex
	wrote map[string]int // guarded by mu, as the files are; how many landings the file of a proposal has
}

// keepWaiting is how long a turn waits that nobody saves.
const keepWaiting = 7 * 24 * time.Hour

// waitingOf are the files of a root.
func waitingOf(stateDir, root string, owner proposal.Owner) *waitingFiles {
	w := &waitingFiles{owner: owner, wrote: map[string]int{}}
	if stateDir != "" && root != "" {
		sum := sha256.Sum256([]byte(root))
		w.dir = filepath.Join(stateDir, "commits", hex.EncodeToString(sum[:8])+".waiting")
	}
	return w
}

// waitingTurn is what such a file holds.
type waitingTurn struct {
	Turn     string          `json:"turn"`
	Proposal string          `json:"proposal"`
	Label    string          `json:"label"`
	Model    string          `json:"model,omitempty"`
	Since    time.Time       `json:"since"`
	Changes  []waitingChange `json:"changes"`
}

// waitingChange is a change with its texts as bytes, since they may be no UTF-8.
type waitingChange struct {
	Path   string   `json:"path"`
	Op     edits.Op `json:"op"`
	To     string   `json:"to,omitempty"`
	Before []byte   `json:"before,omitempty"`
	After  []byte   `json:"after,omitempty"`
}

const waitingSuffix = ".json"

// file is where a proposal of this process is kept.
func (w *waitingFiles) file(id string) string {
	return filepath.Join(w.dir, w.owner.Name()+"."+id+waitingSuffix)
}

// keep makes the files those of a list, of whom each says by model who wrote it.
func (w *waitingFiles) keep(list []unsaved, model func(turn string) string) error {
	if w.dir == "" {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var problems []error
	stay := map[string]bool{}
	for i := range list {
		u := &list[i]
		stay[u.proposal] = true
		if w.wrote[u.proposal] == u.landings {
			continue
		}
		if err := w.write(u, model(u.turn)); err != nil {
			problems = append(problems, fmt.Errorf("cannot save the list of files waiting to be committed: %w", err))
			continue
		}
		w.wrote[u.proposal] = u.landings
	}
	for id := range w.wrote {
		if !stay[id] {
			problems = append(problems, w.remove(id))
		}
	}
	return errors.Join(problems...)
}

// any says whether a file of this process is there.
func (w *waitingFiles) any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.wrote) > 0
}

func (w *waitingFiles) write(u *unsaved, model string) error {
	one := waitingTurn{Turn: u.turn, Proposal: u.proposal, Label: u.label, Model: model, Since: u.since}
	for _, c := range u.changes {
		one.Changes = append(one.Changes, waitingChange{Path: c.Path, Op: c.Op, To: c.To, Before: []byte(c.Before), After: []byte(c.After)})
	}
	text, err := json.Marshal(one)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(w.dir, "new-")
	if err != nil {
		return err
	}
	_, err = temp.Write(text)
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temp.Name(), w.file(u.proposal))
	}
	if err != nil {
		_ = os.Remove(temp.Name()) // the first problem is told
	}
	return err
}

// drop removes the file of a proposal: nothing of it waits any more.
func (w *waitingFiles) drop(id string) error {
	if w.dir == "" {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.remove(id)
}

// remove is drop with mu held.
func (w *waitingFiles) remove(id string) error {
	delete(w.wrote, id)
	if err := os.Remove(w.file(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot delete the list of files waiting to be committed: %w", err)
	}
	return nil
}

// left takes over what an earlier session of this process, or a process that has ended, left waiting; others says that
// there is more, of processes that run. What cannot be read, and what is too old, is gone.
func (w *waitingFiles) left(now time.Time) (list []waitingTurn, others bool, err error) {
	if w.dir == "" {
		return nil, false, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	entries, err := os.ReadDir(w.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("cannot find the lists of files waiting to be committed: %w", err)
	}
	var problems []error
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), waitingSuffix)
		who, id, named := strings.Cut(name, ".")
		owner, valid := proposal.ParseOwner(who)
		own := owner == w.owner
		if !ok || !named || !valid || !e.Type().IsRegular() || w.wrote[id] > 0 {
			continue
		}
		if !own && !owner.Ended() {
			others = true
			continue
		}
		if !own { // only one of those who look can rename it
			if os.Rename(filepath.Join(w.dir, e.Name()), w.file(id)) != nil {
				continue
			}
		}
		one, err := readWaiting(w.file(id))
		if err == nil && one.Proposal != id {
			err = fmt.Errorf("%s belongs to another change", e.Name())
		}
		if err != nil || now.Sub(one.Since) > keepWaiting {
			problems = append(problems, err, w.remove(id))
			continue
		}
		w.wrote[id] = 1
		list = append(list, one)
	}
	return list, others, errors.Join(problems...)
}

func readWaiting(file string) (one waitingTurn, err error) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &one)
	}
	if err != nil {
		return one, fmt.Errorf("cannot read the list of files waiting to be committed: %w", err)
	}
	return one, nil
}

// unsaved is what waits.
func (one *waitingTurn) unsaved() *unsaved {
	u := &unsaved{turn: one.Turn, proposal: one.Proposal, label: one.Label, since: one.Since, landings: 1, written: map[string]bool{}}
	for _, c := range one.Changes {
		u.changes = append(u.changes, edits.Change{Path: c.Path, Op: c.Op, To: c.To, Before: string(c.Before), After: string(c.After)})
	}
	return u
}

// againLeft is how soon it is looked again whether a process that runs has ended; each time it is twice as long, up to
// mostAgainLeft. An editor that is restarted is there before its old server has gone.
const (
	againLeft     = time.Second
	mostAgainLeft = time.Minute
)

// ResumeLater has Wait wait for what an earlier session left. The returned function goes on with that, and with what others
// leave as long as the folder is open; it returns when there are no others.
func (k *Committer) ResumeLater() (resume func()) {
	resumed := make(chan struct{})
	k.saved.resumed = resumed
	return func() { k.saved.takeOver(sync.OnceFunc(func() { close(resumed) })) }
}

// takeOver goes on with what an earlier session left waiting, and with what others leave as long as this one lasts. It
// calls once after the first look.
func (w *saved) takeOver(once func()) {
	for wait := againLeft; ; wait = min(2*wait, mostAgainLeft) {
		list, others, err := w.files.left(w.o.Clock())
		if err != nil {
			w.o.Log.Warn("could not resume changes waiting to be committed", "root", w.o.Workspace.Root(), "error", err)
		}
		if len(list) > 0 {
			w.resume(list)
			w.look()
		}
		once()
		if !others {
			return
		}
		select {
		case <-time.After(wait):
		case <-w.o.Context.Done():
			return
		}
	}
}
