package proposal

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"coauthor/agent/event"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// ledger is all that is known of one root: the proposals with their revisions, and what was delivered of them. Both change
// together, so that one lock guards both. It keeps their states right, writes them down, and tells who wants to know.
type ledger struct {
	root string
	o    StoreOptions

	// delivering holds one token while a delivery runs; who waits for it can be cancelled.
	delivering chan struct{}
	watch      func(event.ProposalTransition) // of tests; nil watches nothing
	reviewing  atomic.Bool                    // something may be under review

	records records

	mu        sync.Mutex
	inFlight  *delivery  // guarded by mu; sent and not answered yet
	proposals proposals  // guarded by mu
	sent      deliveries // guarded by mu, but for its counter

	adopting chan struct{} // guarded by mu; closed when what was announced is adopted, nil for nothing
	reviewed func()        // guarded by mu; is told when what is under review has changed; may be nil
}

// operation says why something was delivered.
type operation string

const (
	opApply operation = "apply"
	opUndo  operation = "undo"
	opRedo  operation = "redo"
)

// delivery is one plan that was handed to a Delivery. Its fields are guarded by the ledger's mu, but
// for the texts, which never change.
type delivery struct {
	id, turn, proposal string
	revision           int
	op                 operation
	label              string
	files              []delivered
	tasks              []task
	took               []task // what tasks was at first
	// review: what it brought is to be looked at afterwards; of an undo, what it takes back was. See Review.
	review bool
	// piece: it takes hunks back one by one, or brings them back. All deliveries of one decision have the same act.
	piece bool
	act   string

	at    time.Time // when it was written down
	seen  time.Time // of an adopted one: when something was last known of it
	taken bool      // of an adopted one: it lies in a file that was claimed; see Record
}

// delivered is one step of a delivery.
type delivered struct {
	change   edits.Change // as it was sent; After is what the editor made of it, once that is known
	state    LandState
	reversed bool    // a later undo or redo took it back
	sent     *string // where change.After is the editor's own way of writing it: what was sent; else nil
	look     glance
	encoding workspace.Encoding // of a deleted file, to write it the same way again
	awaited  bool               // the editor will still tell; see Landed
	told     bool               // Landed was called for it, or it landed before this store began

	under       *followed    // of what is under review
	kept, taken map[int]bool // the units of what is under review that the user keeps, and that were taken back
	emptied     bool         // all of them were taken back
}

// task is what the delivery was for: parts of a proposal, or delivered files to take back. It has
// landed when all its steps have; without steps it was there already.
type task struct {
	part  *part // for opApply
	back  *back // for opUndo and opRedo
	steps []int // indices in delivery.files
}

// back names a delivered file that is taken back.
type back struct {
	Delivery string `json:"delivery"`
	File     int    `json:"file"`
	Units    []int  `json:"units,omitempty"` // of what is under review, those that are taken back; none is all of the file
}

// live says whether the step is in the user's files as far as is known.
func (d *delivery) live(i int) bool {
	f := &d.files[i]
	return !f.reversed && !f.emptied && (f.state == LandLanded || f.state == LandUnknown || f.state == LandDiffers)
}

// pieceBack says whether all that a delivery did was to bring hunks back that were taken from another one, which has them
// again since.
func (d *delivery) pieceBack() bool { return d.piece && d.op == opRedo }

// state sums up the steps of a task: what is least certain rules.
func (d *delivery) state(t task) LandState {
	worst := LandLanded
	for _, i := range t.steps {
		if slices.Index(certainty, d.files[i].state) > slices.Index(certainty, worst) {
			worst = d.files[i].state
		}
	}
	return worst
}

// awaits says whether the editor will still tell of all that is not known of a task.
func (d *delivery) awaits(t task) bool {
	return !slices.ContainsFunc(t.steps, func(i int) bool {
		f := &d.files[i]
		return (f.state == LandUnknown || f.state == LandDiffers) && !f.awaited
	})
}

var certainty = []LandState{LandLanded, LandAbsent, LandRefused, LandDiffers, LandUnknown}

// deliveries are what was sent of the proposals of one root, oldest first. The ledger's mu guards the list.
type deliveries struct {
	list      []*delivery
	unsettled atomic.Int64 // files that Settle could still decide on
}

// count keeps the number of files that Settle could still decide on, when f goes over to a state.
func (ds *deliveries) count(f *delivered, to LandState) {
	open := func(l LandState) int64 {
		if l == LandUnknown || l == LandDiffers {
			return 1
		}
		return 0
	}
	ds.unsettled.Add(open(to) - open(f.state))
	if f.state = to; open(to) == 0 {
		f.look = glance{}
	}
}

// discount takes the files of a delivery that is dropped out of that number. The caller holds mu.
func (ds *deliveries) discount(d *delivery) {
	for i := range d.files {
		ds.count(&d.files[i], LandRefused)
	}
}

// resolve carries the states of a delivery's steps over to its proposal and to what it takes back.
// The caller holds mu. It returns the entry that changed, if there is one.
func (l *ledger) resolve(d *delivery) *entry {
	e := l.proposals.byID(d.proposal)
	tasks := d.tasks
	d.tasks = nil
	for _, t := range tasks {
		state := d.state(t)
		if state == LandUnknown || state == LandDiffers {
			d.tasks = append(d.tasks, t) // the others are final; a later delivery may speak for them
		}
		if t.back != nil {
			if of := l.sent.byID(t.back.Delivery); of != nil && t.back.File < len(of.files) {
				if state == LandLanded && !d.reversedAt(t.steps) {
					l.sent.tookBack(of, t.back)
				}
				l.restateOther(of.proposal, e, d.op.action())
			}
		}
		if t.part == nil || e == nil || e.now.Revision != d.revision {
			continue
		}
		decision := HunkOpen
		switch state {
		case LandLanded:
			decision = HunkLanded
		case LandUnknown, LandDiffers:
			if !d.awaits(t) {
				decision = HunkSent
			}
		case LandAbsent, LandRefused:
		}
		e.now.Files[t.part.file].set(t.part.units, decision)
	}
	if e == nil {
		return nil
	}
	before := e.now.State
	e.undone, e.uncertain = l.sent.standing(e)
	if before != event.ProposalApplying {
		l.restate(e, d.op.action())
	}
	return e
}

// restateOther derives the state of a proposal that was taken back beside the one of a delivery. The caller holds mu.
func (l *ledger) restateOther(id string, own *entry, after event.UserAction) {
	if e := l.proposals.byID(id); e != nil && e != own && e.now.State != event.ProposalApplying {
		e.undone, e.uncertain = l.sent.standing(e)
		l.restate(e, after)
	}
}

// action is what a proposal goes through when something of such a delivery is seen to arrive, then or later.
func (o operation) action() event.UserAction {
	switch o {
	case opUndo:
		return event.ActionUndo
	case opRedo:
		return event.ActionRedo
	case opApply:
	}
	return event.ActionView
}

// standing says whether all that was delivered of a revision is taken back again, and whether it is
// unknown of anything whether it arrived.
func (ds *deliveries) standing(e *entry) (undone, uncertain bool) {
	reversed, live := false, false
	for _, d := range ds.list {
		if d.proposal != e.now.ID || d.revision != e.now.Revision || d.pieceBack() {
			continue
		}
		for i := range d.files {
			f := &d.files[i]
			uncertain = uncertain || !f.reversed && (f.state == LandUnknown || f.state == LandDiffers)
			if d.op != opUndo {
				reversed = reversed || f.reversed || f.emptied
				live = live || d.live(i)
			}
		}
	}
	return reversed && !live, uncertain
}

func (ds *deliveries) byID(id string) *delivery {
	for _, d := range slices.Backward(ds.list) {
		if d.id == id {
			return d
		}
	}
	return nil
}
