package edits

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"coauthor/edits/match"
)

// Apply finds the place of each edit and returns the changes, one for each file, and the edits that
// were refused. Edits are applied in the order of the reply, each on the result of the ones before;
// one that fails does not disturb the others. The same input gives the same result.
func Apply(files Files, list []Edit, problems []Problem, o Options) Result {
	r := applyAll(files, list, problems, o, nil)
	if r.stopped {
		return r.report.res
	}
	skip := orphaning(r.report.res.Changes, r.dropped)
	if len(skip) == 0 {
		return r.report.res
	}
	return applyAll(files, list, problems, o, skip).report.res
}

// applyAll applies all edits but those to skip, which are refused for what they would drop.
func applyAll(files Files, list []Edit, problems []Problem, o Options, skip map[int]string) *run {
	if byIndex := func(x, y Edit) int { return cmp.Compare(x.Index, y.Index) }; !slices.IsSortedFunc(list, byIndex) {
		list = slices.Clone(list)
		slices.SortStableFunc(list, byIndex)
	}
	r := &run{o: o, spare: maxDiffs * maxDiffProduct, list: list, skip: skip, dropped: map[string]dropper{}}
	r.tree = &tree{o: &r.o, in: &r.in, files: files, set: newChangeSet(), texts: map[string]*file{}}
	r.names = &names{o: &r.o, list: list, tree: r.tree}
	r.memory = memory{remember: o.Remember, landed: map[string]bool{}, earlier: slices.Clone(o.Earlier), steps: windowSteps}
	r.queue = hunkQueue{in: &r.in, list: list}
	r.report.res.Rungs = map[match.Rung]int{}
	r.report.res.Failures = make([]Failure, 0, len(problems))
	for _, p := range problems {
		r.report.res.Failures = append(r.report.res.Failures, Failure{Edit: p.Edit, Path: p.Path, Reason: p.Reason, Message: p.Message, Listing: p.Listing})
	}
	for i := range r.list {
		if o.Stop != nil && o.Stop() {
			r.stopped = true
			return r
		}
		r.apply(i)
	}
	r.look()
	r.report.res.Changes, r.report.res.Landings = r.tree.changes(), r.memory.list
	slices.SortStableFunc(r.report.res.Failures, func(x, y Failure) int { return cmp.Compare(x.Edit, y.Edit) })
	return r
}

// run is the state of one Apply.
type run struct {
	o       Options
	in      match.Table
	spare   int    // the work that is left for telling old and new lines apart: see maxDiffs
	list    []Edit // the caller's own
	tree    *tree
	names   *names
	memory  memory
	report  report
	queue   hunkQueue
	now     Edit // the edit that is being applied, as far as it was read in another way
	at      int  // the index of that edit
	shown   []shown
	dropped map[string]dropper // the edits that took a definition away, by path and name
	skip    map[int]string     // edits to leave out, with what they would drop
	stopped bool               // the caller has no use for the result any more
}

// tree are the files as the edits so far have left them, and what has changed of them.
type tree struct {
	o      *Options
	in     *match.Table
	files  Files
	set    *changeSet
	texts  map[string]*file // by the path of the moment
	order  []string
	checks map[checked]error // what the caller's check said
}

// file is a file as the edits so far have left it. Invariant: body is nil when there is no file.
type file struct {
	body   *match.Text
	edited bool   // some edit has changed it
	first  string // the text when it was read
	before string // the text when it was read or last noted
	// What the text was when it was read: as a body, and as a set of lines. Nil until asked for.
	original *match.Text
	had      map[string]bool
	// The line after the last hunk that was placed: the next one is looked for there first. And by how many lines the
	// hunks so far have moved what follows them.
	cursor, shift int
	forms         formBit         // of the edits that landed in it
	markup        map[Markup]bool // which kinds it holds, as far as that was asked
	err           error           // why it could not be read
}

func (t *tree) get(path string) *file {
	f := t.texts[path]
	if f == nil {
		f = &file{}
		text, err := t.files.Read(path)
		switch {
		case err == nil:
			f.load(text, t.in)
			f.first, f.before = text, text
			f.body.Select(t.o.Selected[path].within(len(f.body.Lines())))
		case !errors.Is(err, fs.ErrNotExist):
			f.err = err
		}
		t.texts[path] = f
		t.order = append(t.order, path)
	}
	return f
}

// load gives the file another text.
func (f *file) load(text string, in *match.Table) {
	f.body, f.edited, f.cursor, f.shift = match.NewText(text, in), false, 0, 0
}

// splice puts lines in the place of from..to.
func (f *file) splice(from, to int, lines []string) {
	f.edited = true
	f.body.Splice(from, to, lines)
}

// expects is what a format says about a place, for the file as it is now.
func (f *file) expects(w match.Where) match.Where {
	w.After, w.Shift = f.cursor, f.shift
	return w
}

// was is the file as it was before the reply.
func (f *file) was(in *match.Table) *match.Text {
	if !f.edited {
		return f.body
	}
	if f.original == nil {
		f.original = match.NewText(f.first, in)
	}
	return f.original
}

// lines are those of the file before the reply, as a set.
func (f *file) lines() map[string]bool {
	if f.had == nil {
		f.had = match.Set(match.Lines(f.first))
	}
	return f.had
}

func (t *tree) exists(path string) bool {
	if path == "" {
		return false
	}
	if f := t.texts[path]; f != nil {
		return f.body != nil || f.err != nil
	}
	return t.files.Exists(path)
}

// note puts what a file has become into the set of changes.
func (t *tree) note(path string) {
	f := t.texts[path]
	if f == nil || f.body == nil {
		return
	}
	if after := f.body.String(); after != f.before {
		t.set.add(Change{Path: path, Op: OpUpdate, Before: f.before, After: after})
		f.before = after
	}
}

func (t *tree) changes() []Change {
	for _, path := range t.order {
		t.note(path)
	}
	return t.set.list()
}

// report is what the caller is told.
type report struct {
	res  Result
	text []byte // scratch for notes
}

// refuse records a failure.
func (o *report) refuse(e *Edit, path, reason, message string) *Failure {
	f := Failure{Edit: e.Index, Path: path, Reason: reason, Message: message, Block: e.Block()}
	if len(e.Chunks) > 0 {
		f.Line = e.Chunks[0].Line
	}
	if e.Kind == KindWhole {
		f.Listing = e.Replace
	}
	o.res.Failures = append(o.res.Failures, f)
	return &o.res.Failures[len(o.res.Failures)-1]
}

func (o *report) say(e *Edit, format string, args ...any) {
	o.text = fmt.Appendf(o.text[:0], "edit %d: ", e.Index+1)
	o.text = fmt.Appendf(o.text, format, args...)
	o.res.Notes = append(o.res.Notes, string(o.text))
}

// read says how an edit was read that was not written as asked.
func (o *report) read(e *Edit, format string, args ...any) {
	o.res.Reading = append(o.res.Reading, fmt.Sprintf("edit %d: ", e.Index+1)+fmt.Sprintf(format, args...))
}

// Block is the instruction, to be shown again; "" for one that is the text of a whole file.
func (e *Edit) Block() string {
	var out strings.Builder
	switch e.Kind {
	case KindReplace:
		fmt.Fprintf(&out, "%s%s%s%s%s", "<<<<<<< SEARCH\n", e.Search, "=======\n", e.Replace, ">>>>>>> REPLACE\n")
	case KindHunk, KindRename:
		for _, c := range e.Chunks {
			fmt.Fprintf(&out, "@@ %s\n", strings.Join(c.Scopes, "\n@@ "))
			for _, l := range c.Lines {
				fmt.Fprintf(&out, "%c%s\n", l.Sign, l.Text)
			}
		}
	case KindWhole, KindDelete:
	}
	return out.String()
}

// check asks the caller's check, once for what is asked: it looks at the disk, and a reply may have thousands of edits
// of one file.
func (t *tree) check(path string, op Op) error {
	if t.o.Check == nil {
		return nil
	}
	what := checked{path, op}
	err, known := t.checks[what]
	if !known {
		err = t.o.Check(path, op)
		if t.checks == nil {
			t.checks = map[checked]error{}
		}
		t.checks[what] = err
	}
	return err
}

// checked is what a caller's check was asked of.
type checked struct {
	path string
	op   Op
}

// allowed asks the caller's check, and refuses the edit that it refuses.
func (r *run) allowed(e *Edit, path string, op Op) bool {
	if err := r.tree.check(path, op); err != nil {
		r.report.refuse(e, path, reasonOf(err), err.Error())
		return false
	}
	return true
}

func reasonOf(err error) string {
	var own interface{ Reason() string }
	switch {
	case errors.As(err, &own):
		return own.Reason()
	case errors.Is(err, ErrBinary):
		return ReasonBinary
	case errors.Is(err, ErrUndecodable):
		return ReasonUndecodable
	case errors.Is(err, ErrReadOnly):
		return ReasonReadOnly
	case errors.Is(err, ErrRefused):
		return ReasonRefused
	}
	return ReasonUnreadable
}

func (r *run) apply(i int) {
	r.at, r.now = i, r.list[i]
	e := &r.now
	if e.Note != "" {
		r.report.read(e, "%s", e.Note)
	}
	if name := r.skip[e.Index]; name != "" {
		r.report.refuse(e, e.Path, ReasonDropped, name+" would go, but the file still calls it; change the calls as well, or keep it")
		return
	}
	if r.repeatsExample(e) {
		return
	}
	if r.o.Remember || len(r.memory.earlier) > 0 {
		r.memory.key = e.key()
	}
	switch e.Kind {
	case KindReplace:
		r.replace(e)
	case KindWhole:
		r.whole(e)
	case KindHunk:
		r.hunks(e, i)
	case KindDelete:
		r.remove(e)
	case KindRename:
		r.rename(e, i)
	}
}

// open resolves the name of an edit of an existing file and returns the file, or records why not.
func (r *run) open(e *Edit, p *match.Pattern, op Op) (string, *file) {
	t, note := r.names.resolve(e.Path), ""
	if !t.exists {
		if t.below && !r.allowed(e, t.path, op) {
			return "", nil // the caller's check says it better when the path may not be used at all
		}
		found, ok := r.names.standsFor(e, t.path, p)
		if !ok {
			r.noFile(e, t)
			return "", nil
		}
		t.path, note = found, orNone(e.Path)+" is no file; the text stands in "+found
	}
	f := r.tree.get(t.path)
	if f.err != nil {
		r.report.refuse(e, t.path, reasonOf(f.err), f.err.Error())
		return "", nil
	}
	if !r.allowed(e, t.path, op) {
		return "", nil
	}
	if note != "" {
		r.report.say(e, "%s", note)
	}
	return t.path, f
}

func orNone(path string) string {
	if path == "" {
		return "no name was given, which"
	}
	return path
}

func (t *tree) holds(path string, p *match.Pattern) bool {
	f := t.get(path)
	if f.body == nil || p.Blank() {
		return false
	}
	return f.body.Stands(p)
}
