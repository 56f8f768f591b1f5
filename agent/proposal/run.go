package proposal

import (
	"cmp"
	"coauthor/agent/id"
	"coauthor/agent/workspace"
	"coauthor/edits"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// attempts is how often a plan is made when the user types between plan and delivery. Whoever types ten keys in a second, on
// a busy machine, is quicker than most deliveries.
const attempts = 12

// run carries out a set of jobs: all or, on a conflict, none.
type run struct {
	book           *ledger
	port           Delivery
	op             operation
	turn, proposal string
	revision       int
	label          string
	take           Take // on the first try
	jobs           []job
	review, piece  bool   // see delivery
	act            string // of its first delivery
}

// job is one change and what became of it.
type job struct {
	change   edits.Change
	sent     *string // of what is taken back: see delivered.sent
	part     *part
	back     *back
	state    LandState // "" until it was tried
	reason   string
	remark   string
	conflict bool
	locked   bool      // see Landed.Unwritable
	awaited  bool      // what is not known of it will still be told
	delivery *delivery // the last that carried it; nil when none had to
	steps    []int
}

// all plans and delivers until every job has an end. What moved on while it was sent is tried again.
func (r *run) all(ctx context.Context) error {
	for try := 1; ; try++ {
		again, err := r.once(ctx)
		r.take = TakeNeither // what has moved on is not what the user has chosen by
		if err != nil || !again || try == attempts || ctx.Err() != nil {
			return err
		}
	}
}

// once plans the jobs that are not done and delivers them. It says whether to try again.
func (r *run) once(ctx context.Context) (again bool, err error) {
	snap := r.port.Current()
	planned := newPlanner(snap, r.take)
	var todo []*job
	conflict := false
	for i := range r.jobs {
		j := &r.jobs[i]
		if j.state == "" {
			todo = append(todo, j)
			j.tryOn(planned)
			conflict = conflict || j.conflict
		}
	}
	if conflict {
		for _, j := range todo {
			if !j.conflict {
				j.state, j.reason = LandAbsent, "not changed because of a conflict in another file"
			}
		}
		return false, nil
	}
	changes := planned.changes()
	d, err := r.delivery(changes, todo)
	for _, j := range todo {
		if j.change.Op == edits.OpCreate && len(j.steps) == 0 && snap.Unsaved(j.change.Path) {
			j.remark = j.change.Path + " is open in your editor but not on disk; save it"
		}
	}
	if err != nil || d == nil {
		return false, err
	}
	plan := r.plan(snap, changes)
	for i := range plan {
		if plan[i].Change.Op == edits.OpDelete {
			d.files[i].encoding = plan[i].Encoding
		}
	}
	landed, err := r.send(ctx, d, plan)
	for _, j := range todo {
		if len(j.steps) == 0 {
			continue
		}
		t := task{steps: j.steps}
		j.delivery, j.state, j.awaited = d, d.state(t), d.awaits(t)
		stale := false
		for _, i := range j.steps {
			l := landed[changes[i].Path]
			stale = stale || l.Stale
			j.locked = j.locked || l.Unwritable
			if l.Reason != "" {
				j.reason = l.Reason
			}
			if l.Remark != "" {
				j.remark = l.Remark
			}
		}
		if stale && j.state == LandAbsent {
			j.state, again = "", true
		}
	}
	return again, err
}

func (j *job) tryOn(planned *planner) {
	reason, err := planned.apply(j.change)
	if reason != "" && j.sent != nil {
		if other, failed := planned.apply(j.asSent()); other == "" && failed == nil {
			reason = ""
		}
	}
	if err != nil {
		reason = fmt.Sprintf("cannot read %s: %v", j.change.Path, err)
	}
	j.conflict, j.reason = reason != "", reason
	if j.conflict {
		j.state = LandRefused
	}
}

// delivery makes the ledger's page of a plan; nil when there is nothing to send, because all of it
// is there already.
func (r *run) delivery(changes []edits.Change, todo []*job) (*delivery, error) {
	for _, j := range todo {
		j.steps = nil
		for i, c := range changes {
			if overlap(touched(c), touched(j.change)) {
				j.steps = append(j.steps, i)
			}
		}
		if len(j.steps) == 0 {
			j.state, j.reason, j.delivery = LandLanded, "already done", nil
		}
	}
	if len(changes) == 0 {
		return nil, nil
	}
	id, err := id.New(r.book.o.Random, "")
	if err != nil {
		return nil, err
	}
	r.act = cmp.Or(r.act, id)
	d := &delivery{id: id, turn: r.turn, proposal: r.proposal, revision: r.revision, op: r.op, label: r.label,
		review: r.review, piece: r.piece, act: r.act}
	for _, c := range changes {
		d.files = append(d.files, delivered{change: c, state: LandAbsent})
	}
	for _, j := range todo {
		if len(j.steps) > 0 {
			d.tasks = append(d.tasks, task{part: j.part, back: j.back, steps: j.steps})
		}
	}
	d.took = slices.Clone(d.tasks)
	return d, nil
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(path string) bool { return slices.Contains(b, path) })
}

func (r *run) plan(snap *workspace.Snapshot, changes []edits.Change) []Step {
	plan := make([]Step, len(changes))
	for i, c := range changes {
		step := Step{Change: c, Hunks: edits.Diff(c.Before, c.After)}
		if c.Op == edits.OpCreate {
			step.Encoding = r.book.encodingOf(c)
		} else {
			if doc, err := snap.Document(c.Path); err == nil {
				step.Open, step.Version, step.Hash, step.Encoding = doc.Open, doc.Version, doc.Hash(), doc.Encoding
			}
		}
		if protected := r.book.o.Protected; protected != nil {
			step.Consent = slices.ContainsFunc(touched(c), protected)
		}
		plan[i] = step
	}
	return plan
}

// encodingOf is how the file that a change makes was written before a delivery deleted it with that text.
func (l *ledger) encodingOf(c edits.Change) workspace.Encoding {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range slices.Backward(l.sent.list) {
		for i := range d.files {
			if f := &d.files[i]; f.change.Op == edits.OpDelete && f.change.Path == c.Path && f.change.Before == c.After {
				return f.encoding
			}
		}
	}
	return ""
}

// untouched are the changes of a delivery to files that no other delivery of its turn has touched.
func (l *ledger) untouched(d *delivery) []edits.Change {
	l.mu.Lock()
	defer l.mu.Unlock()
	touched := map[string]bool{}
	for _, other := range l.sent.list {
		for _, f := range other.files {
			if other.turn == d.turn {
				touched[f.change.Path], touched[f.change.To] = true, true
			}
		}
	}
	var list []edits.Change
	for _, f := range d.files {
		if !touched[f.change.Path] {
			list = append(list, f.change)
		}
	}
	return list
}

// send writes the journal, delivers, and enters what came of it. Whatever happens after the record
// is written, the ledger ends up knowing that something may have been sent.
func (r *run) send(ctx context.Context, d *delivery, plan []Step) (map[string]Landed, error) {
	book := r.book
	if book.o.Before != nil && r.op != opUndo {
		if untouched := book.untouched(d); len(untouched) > 0 {
			book.o.Before(ctx, d.turn, untouched)
		}
	}
	if err := book.records.intend(d); err != nil {
		return nil, fmt.Errorf("no files changed: cannot write the undo journal; check free space and permissions, then try again: %w", err)
	}
	book.mu.Lock()
	for i := range d.files {
		book.sent.count(&d.files[i], LandUnknown)
	}
	book.sent.list = append(book.sent.list, d)
	if d.review {
		book.reviewing.Store(true)
	}
	book.inFlight = d
	book.forget()
	book.mu.Unlock()

	found := map[string]Landed{}
	defer func() {
		book.mu.Lock()
		defer book.mu.Unlock()
		book.inFlight = nil
		for i := range d.files {
			f := &d.files[i]
			l, ok := found[f.change.Path]
			if !ok {
				continue
			}
			book.sent.count(f, l.State)
			f.awaited = l.Awaited
			if l.State == LandLanded {
				f.accept(l.Text)
			}
		}
		book.records.note(d)
		book.resolve(d)
	}()
	landed, err := r.port.Deliver(ctx, r.label, plan)
	for _, l := range landed {
		found[l.Path] = l
	}
	if err != nil && ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
		err = errors.Join(err, ctx.Err())
	}
	return found, err
}

// outcome sums up the jobs.
func (r *run) outcome() Outcome {
	out := Outcome{Turn: r.turn, Proposal: r.proposal}
	var reasons, remarks []string
	tally := map[LandState]int{}
	conflict := slices.ContainsFunc(r.jobs, func(j job) bool { return j.conflict })
	for i := range r.jobs {
		j := &r.jobs[i]
		if j.state == "" {
			j.state = LandAbsent
			if j.reason == "" {
				j.reason = "not attempted"
			}
		}
		tally[j.state]++
		if j.reason != "" && j.state != LandLanded && !slices.Contains(reasons, j.reason) && (j.conflict || !conflict) {
			reasons = append(reasons, j.reason)
		}
		if j.remark != "" && !slices.Contains(remarks, j.remark) {
			remarks = append(remarks, j.remark)
		}
		out.Files = append(out.Files, j.outcome())
	}
	out.Reason, out.Remark = strings.Join(reasons, "; "), strings.Join(remarks, "; ")
	switch {
	case tally[LandLanded] == len(r.jobs) && r.op == opUndo:
		out.Status = StatusUndone
	case tally[LandLanded] == len(r.jobs):
		out.Status = StatusApplied
	case tally[LandUnknown]+tally[LandDiffers] > 0:
		out.Status = StatusUnverified
		out.Awaited = !slices.ContainsFunc(r.jobs, func(j job) bool {
			return (j.state == LandUnknown || j.state == LandDiffers) && !j.awaited
		})
	case tally[LandLanded] > 0:
		out.Status = StatusPartial
	case conflict:
		out.Status = StatusConflict
	default:
		out.Status = StatusPending
	}
	return out
}

func (j *job) outcome() FileOutcome {
	c := j.change
	f := FileOutcome{Path: c.Path, Op: c.Op, To: c.To, State: j.state, Reason: j.reason, Remark: j.remark, Unwritable: j.locked}
	if c.Op != edits.OpRename {
		f.To = ""
	}
	f.Added, f.Removed = countLines(edits.Diff(c.Before, c.After))
	return f
}
