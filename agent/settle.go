package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"coauthor/agent/aicomment"
	"coauthor/agent/call"
	"coauthor/agent/coder"
	"coauthor/agent/event"
	"coauthor/agent/mention"
	"coauthor/agent/prompt"
	"coauthor/agent/prose"
	"coauthor/agent/tool"
	"coauthor/agent/verify"
	"coauthor/agent/workspace"
	"coauthor/edits"
)

// Outcome is what became of a reply.
type Outcome struct {
	Prose     string            // the reply without its edits
	Edits     []edits.Edit      // as they were carried out: with their names
	Changed   []string          // files that they changed, in memory
	Joined    []string          // files that the user let into the chat
	Mentioned []string          // files that the reply names and the model was not shown; for a coder that leads
	Named     []string          // all existing files that the reply names; for a coder that finds files
	Findings  []verify.Finding  // what the checks say about all changes so far
	Feedback  prompt.Reflection // what the model has to hear about it
	Told      string            // the same as a message; "" for nothing
	Landed    string            // where edits landed that were not as the file is, where there is no such message
	Why       string            // the same for the user, in a few words
	Said      coder.Verdict     // what the reply says about the task
	Unread    string            // why what it says cannot be read; "" when it can
	Notes     []event.Note
	After     Context // what the next round starts from
	Lost      []lost  // files that the reply took most away from, about which the model is asked
}

// settle carries the reply's edits out in memory, offers the user the files that the model names,
// checks the result, and says what the model must hear. What does not fit, or may not be, becomes
// failures beside the good ones. With an error the Notes of the outcome still count.
func settle(ctx context.Context, d settleDeps, c Context, r call.Reply) (Outcome, error) {
	s := &settling{d: d, r: r, c: c, from: c}
	s.out.Prose = r.Text
	s.out.Feedback = prompt.Reflection{Fence: r.Fence, Format: c.Format}
	err := s.run(ctx)
	s.c.Notes = nil
	s.out.After = s.c
	return s.out, err
}

// settling is an Outcome in the making. c becomes its After; what it shares with the Context of the
// round is never changed in place.
type settling struct {
	d    settleDeps
	r    call.Reply
	c    Context
	from Context // of the round
	out  Outcome
}

func (s *settling) run(ctx context.Context) error {
	if s.c.Format == nil {
		return s.answered(ctx)
	}
	s.out.Prose = prose.Of(s.r.Text, s.r.Edits, s.r.Problems)
	s.verdict()
	if err := s.apply(ctx); err != nil {
		return err
	}
	if err := s.bind(ctx); err != nil {
		return err
	}
	if err := s.check(ctx); err != nil {
		return err
	}
	s.guard()
	return s.feedback()
}

// answered settles a reply without edits.
func (s *settling) answered(ctx context.Context) error {
	if s.c.Coder.Finds {
		s.out.Named = mention.Files(s.r.Text, slices.Concat(s.unshown(), s.c.Chat))
	}
	if !s.c.Coder.Leads {
		return nil
	}
	s.out.Mentioned = s.mentioned()
	err := s.offerMentioned(ctx, s.out.Mentioned)
	if err != nil || len(s.out.Feedback.Added) == 0 {
		return err
	}
	s.out.Why = s.out.Feedback.Reasons()
	s.out.Told, err = s.out.Feedback.Text()
	return err
}

func (s *settling) note(n event.Note) { s.out.Notes = append(s.out.Notes, n) }

// apply carries the edits out.
func (s *settling) apply(ctx context.Context) error {
	state := &s.c.edits
	before := state.open
	state.open, state.findings, state.verdict, state.old, state.unmet, state.met, state.leftOut = nil, nil, "", nil, nil, nil, false
	if len(s.r.Edits) == 0 && len(s.r.Problems) == 0 {
		state.given = slices.Concat(state.given, before) // the model does not try again
		if state.leftOut = len(before) > 0 && !s.r.Cut() && s.r.Stopped == ""; state.leftOut {
			s.note(event.Info(prompt.Withdrawn(before)))
		}
		s.takeBack(edits.Result{})
		return s.offerMentioned(ctx, s.mentioned())
	}
	state.format = s.c.Format.Name
	s.out.Edits = s.r.Edits
	result := s.applyEdits(ctx, s.out.Edits, s.r.Problems)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	held, rest := split(result.Failures)
	s.sort(rest)
	again := map[string]bool{}
	for _, e := range s.out.Edits {
		again[e.Path] = true
	}
	for _, p := range s.r.Problems {
		again[p.Path] = true
	}
	state.given = slices.DeleteFunc(slices.Clone(state.given), func(f edits.Failure) bool { return again[f.Path] })
	for _, f := range before {
		if !again[f.Path] && !f.Renamed(s.out.Edits) {
			state.open = append(state.open, f) // the model passed over it
		}
	}
	s.take(result)
	s.takeBack(result)
	if len(held) > 0 {
		return s.offerHeld(ctx, held)
	}
	return nil
}

// applyEdits applies the edits of a reply.
func (s *settling) applyEdits(ctx context.Context, list []edits.Edit, problems []edits.Problem) edits.Result {
	return edits.Apply(shown{s}, list, problems, edits.Options{
		Chat:    slices.Concat(s.c.Chat, s.c.Missing),
		Earlier: s.c.edits.landed, Remember: true,
		Place:    s.c.place(),
		Check:    (&permits{s: s, ctx: ctx, list: list}).may,
		Stop:     func() bool { return ctx.Err() != nil },
		Selected: s.c.selected(),
		Asked:    s.c.edits.doubted,
		Examples: s.c.examples(),
	})
}

// take puts the changes of a result on top of what the turn has so far.
func (s *settling) take(result edits.Result) {
	for _, text := range result.Reading {
		s.note(event.Detail(text))
	}
	for _, text := range result.Notes {
		s.note(event.Info(text))
	}
	if len(result.Changes) == 0 {
		return
	}
	s.c.Now = s.c.Now.With(result.Changes)
	s.out.Feedback.Similar = append(s.out.Feedback.Similar, result.Similar...)
	s.c.edits.landed = slices.Concat(s.c.edits.landed, result.Landings)
	s.c.edits.listed = slices.Concat(s.c.edits.listed, result.Listed)
	chat, applied, made := setOf(s.c.Chat), setOf(s.out.Feedback.Applied), map[string]bool{}
	var more []string
	for _, c := range result.Changes {
		path := c.Path
		if c.Op == edits.OpRename {
			path = c.To
		}
		if !chat[path] && c.Op != edits.OpDelete {
			chat[path] = true
			more = append(more, path)
		}
		made[path] = true
		if !applied[path] {
			applied[path] = true
			s.out.Feedback.Applied = append(s.out.Feedback.Applied, path)
		}
	}
	s.out.Changed = s.out.Feedback.Applied
	s.c.Chat = slices.Concat(s.c.Chat, more)
	s.c.Missing = slices.DeleteFunc(slices.Clone(s.c.Missing), func(m string) bool { return made[m] })
}

// refusal is why an edit may not be carried out, with the stable code of its failure.
type refusal struct{ reason, message string }

func (r refusal) Error() string  { return r.message }
func (r refusal) Reason() string { return r.reason }

// outOfReach says why an existing file is out of the model's reach, nil when it is not.
func (c Context) outOfReach(path string) error {
	switch {
	case !c.Base.Exists(path) || c.inChat(path):
		return nil
	case slices.Contains(c.ReadOnly, path):
		return refusal{edits.ReasonRefused, path + " was given for reference only"}
	}
	return refusal{edits.ReasonNotInChat, path + " was not shown to the model"}
}

// outOfReach also takes in what a tool showed the model, as far as the edits of this reply need it.
func (s *settling) outOfReach(path string) error {
	if s.c.seen.Enough(path, s.r.Edits) && !slices.Contains(s.c.ReadOnly, path) {
		return nil
	}
	return s.c.outOfReach(path)
}

func reasonOf(code string) string {
	switch code {
	case edits.ReasonReadOnly, edits.ReasonBinary, edits.ReasonUndecodable:
		return code
	}
	return edits.ReasonRefused
}

// shown is what Apply may read: the files of the chat and what the turn made itself. Texts of other
// files must not come back to the model in the words of a failure.
type shown struct{ s *settling }

func (s shown) Exists(path string) bool { return s.s.c.Now.Exists(path) }

func (s shown) Read(path string) (string, error) {
	if err := s.s.outOfReach(path); err != nil {
		return "", err
	}
	return s.s.c.Now.Read(path)
}

// split takes the held-back edits out of the failures: their files can be offered.
func split(failures []edits.Failure) (held, rest []edits.Failure) {
	for _, f := range failures {
		if f.Reason == edits.ReasonNotInChat {
			held = append(held, f)
		} else {
			rest = append(rest, f)
		}
	}
	return held, rest
}

// sort puts failures where they belong: those that another round may correct, and those that nothing can.
func (s *settling) sort(failures []edits.Failure) {
	state := &s.c.edits
	state.open, state.refused = slices.Clone(state.open), slices.Clone(state.refused) // shared with the round's Context
	for _, f := range failures {
		if f.Reason == edits.ReasonWrongName && !slices.Contains(state.doubted, f.Path) {
			state.doubted = append(slices.Clone(state.doubted), f.Path)
		}
		if prompt.Askable(f) {
			state.open = append(state.open, f)
		} else {
			state.refused = append(state.refused, f)
		}
	}
}

// bind writes the imports that follow from the changes alone. Where edits are missing, theirs may be among them.
func (s *settling) bind(ctx context.Context) error {
	changes := s.c.Now.Changes()
	if len(changes) == 0 || len(s.c.edits.open) > 0 || s.r.Cut() || verify.Level(s.c.Settings.Verify) == verify.Off {
		return nil
	}
	bound, err := verify.Bind(ctx, verify.Input{Tree: s.c.Now.Within(ctx), Changes: changes, Shown: slices.Concat(s.c.Chat, s.c.ReadOnly)})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		bound = nil // what is missing is not written
	}
	for _, b := range bound {
		now, err := s.c.Now.Read(b.Path)
		if err != nil {
			continue
		}
		s.c.Now = s.c.Now.With([]edits.Change{{Path: b.Path, Op: edits.OpUpdate, Before: now, After: b.Text}})
		s.note(event.Info(fmt.Sprintf("In %s.", b)))
	}
	return nil
}

// check looks at what the edits made of the files. A check that cannot look is no reason to stop.
func (s *settling) check(ctx context.Context) error {
	changes := s.c.Now.Changes()
	goals := s.d.goals
	if len(s.out.Edits) == 0 && (len(s.out.Feedback.Added) > 0 || coder.Asks(s.r.Text)) {
		goals = nil // it waits for files, or for an answer
	}
	if len(changes) == 0 && len(goals) == 0 {
		return nil
	}
	set := CheckSettings(s.c.Settings)
	set.Tools = verify.Beside(goals, slices.Concat(set.Tools, s.d.taken.of(ctx, set)))
	in := verify.Input{
		Tree: s.c.Now.Within(ctx), Changes: changes, Shown: slices.Concat(s.c.Chat, s.c.ReadOnly),
		Settings: set, Consent: s.d.consent, Base: s.c.Base.Within(ctx), Baselines: s.d.baselines,
		Partly: len(s.c.edits.open) > 0 || s.r.Cut(),
		Using:  func(ctx context.Context, name string) ([]string, bool) { return s.d.mapper.Using(ctx, s.c.Now, name) },
		Running: func(name string) func(string) {
			s.d.tell(event.Event{Kind: event.KindState, State: event.TurnVerifying, Text: name})
			return func(line string) { s.d.tell(event.Event{Kind: event.KindOutput, Text: line}) }
		},
	}
	formatted, unformatted, err := verify.Format(ctx, s.d.sandbox, in)
	if err != nil {
		return err
	}
	for _, f := range formatted {
		s.c.Now = s.c.Now.With(f.Changes)
		s.note(event.Info(f.String() + "."))
	}
	in.Tree, in.Changes = s.c.Now.Within(ctx), s.c.Now.Changes()
	results, err := verify.Run(ctx, slices.Concat(s.d.checks, verify.Commands(s.d.sandbox, set), verify.Goals(s.d.sandbox, goals)), in)
	if err != nil {
		return err
	}
	results = append(results, unformatted...)
	var findings []verify.Finding
	for _, r := range results {
		if r.Err != nil {
			for what := range strings.Lines(r.Err.Error()) {
				s.note(event.Warning(fmt.Sprintf("Could not run a check (%s): %s. Check the change yourself before you apply it.", r.Check, strings.TrimSuffix(what, "\n"))))
			}
		}
		findings = append(findings, r.Findings...)
		s.c.edits.old = append(s.c.edits.old, r.Old...)
		if why := r.Unmet(); why != "" {
			s.c.edits.unmet = append(s.c.edits.unmet, why)
		}
	}
	s.c.edits.met = verify.Met(results)
	findings = append(findings, aicomment.Left(ctx, s.c.Now, s.c.Request.comments)...)
	s.c.edits.findings, s.out.Findings, s.c.edits.verdict = findings, findings, verify.Verdict(results)
	return nil
}

// drafted is all that a turn has changed with these edits of a reply that still comes. Nobody is asked anything: what
// needs the user's word is left out.
func drafted(ctx context.Context, door *workspace.Door, c Context, list []edits.Edit) (changes []edits.Change) {
	defer func() {
		if recover() != nil { // the same edits are carried out again when the reply is whole, and then it is told
			changes = nil
		}
	}()
	c.Base, c.Now = c.Base.Within(ctx), c.Now.Within(ctx)
	s := &settling{d: settleDeps{door: door}, r: call.Reply{Edits: list}, c: c, from: c}
	result := s.applyEdits(ctx, list, nil)
	return effective(c.Now.With(result.Changes).Recent())
}

// selected says where the lines that the user selected stand by now, after the rounds so far.
func (c Context) selected() map[string]edits.Lines {
	if c.Focus == nil || c.Focus.First == 0 {
		return nil
	}
	text, err := c.Now.Read(c.Focus.Path)
	if err != nil {
		return nil
	}
	lines := edits.Lines{First: c.Focus.First, Last: c.Focus.Last}
	if text != c.focused {
		lines = edits.Follow(c.focused, text, lines)
	}
	return map[string]edits.Lines{c.Focus.Path: lines}
}

// verdict reads what the reply says about the task, and takes calls that were written as text out of what the
// user reads.
func (s *settling) verdict() {
	if !s.c.Coder.Finishes {
		return
	}
	v, err := tool.ReadVerdict(s.out.Prose, s.r.Finishing)
	s.out.Said = v
	if err != nil {
		s.out.Unread = err.Error()
	}
	if calls, rest := tool.Finishing(s.out.Prose); len(calls) > 0 {
		s.out.Prose = tool.Written(rest, v)
	}
}

// examples are the names that the examples of the prompt give to files. They are such as hardly any project has, so
// whether one is meant need not be read out of the request: a file that is there, or is given as one of its files, is
// the user's.
func (c Context) examples() []string {
	switch {
	case c.Format == nil:
		return nil
	case c.Request.Job != nil:
		return c.named // its prompts are its own
	}
	return c.Format.ExampleFiles()
}

func setOf(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[s] = true
	}
	return set
}

// permits asks the door about the edits of one reply: about all of its paths at once, when it is asked
// about the first of them, because the door may have to start git to answer.
type permits struct {
	s     *settling
	ctx   context.Context
	list  []edits.Edit
	known map[permit]workspace.Decision // nil until the first question
}

type permit struct {
	path string
	op   workspace.Operation
}

// may says why a path may not be changed in this way, nil when it may.
func (p *permits) may(path string, op edits.Op) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	if p.known == nil {
		p.askAll()
	}
	ask := permit{path, p.operation(path, op)}
	d, known := p.known[ask]
	if !known {
		d = p.s.d.door.Check(p.ctx, path, ask.op)
		p.known[ask] = d
	}
	if d.Verdict == workspace.Refuse {
		return refusal{reasonOf(d.Code), fmt.Sprintf("%s may not be changed: %s", path, strings.TrimSuffix(d.Reason, "."))}
	}
	return p.s.outOfReach(path)
}

func (p *permits) operation(path string, op edits.Op) workspace.Operation {
	return workspace.OperationOf(op, p.s.c.Now.Exists(path))
}

// askAll asks about what the edits name. A name that stands for another file is asked about by itself.
func (p *permits) askAll() {
	p.known = map[permit]workspace.Decision{}
	paths := map[workspace.Operation][]string{}
	seen := map[permit]bool{}
	for _, e := range p.list {
		if e.Path == "" || p.ctx.Err() != nil {
			continue
		}
		op := edits.OpUpdate
		switch e.Kind {
		case edits.KindDelete:
			op = edits.OpDelete
		case edits.KindRename:
			op = edits.OpRename
		case edits.KindReplace, edits.KindWhole, edits.KindHunk:
		}
		ask := permit{e.Path, p.operation(e.Path, op)}
		if !seen[ask] {
			seen[ask] = true
			paths[ask.op] = append(paths[ask.op], e.Path)
		}
	}
	for op, list := range paths {
		for i, d := range p.s.d.door.CheckAll(p.ctx, list, op) {
			p.known[permit{list[i], op}] = d
		}
	}
}
