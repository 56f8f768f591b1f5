package proposal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"coauthor/agent/event"
	"coauthor/edits"
)

// TestARecordThatCannotBeWritten is an error where somebody waits for it; nothing of it comes to the disk, and
// the next record does.
func TestARecordThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	j := openJournal(t, dir, 1)
	never := Record{Kind: RecordIntent, Delivery: "never", Time: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)} // JSON has no such year
	if err := j.append(never); err == nil {
		t.Error("it was written")
	}
	j.appendLazily(never)
	if err := j.Err(); err != nil {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := j.compact([]Record{never}); err != nil {
		t.Errorf("nothing was claimed: %v", err)
	}
	if err := j.append(Record{Kind: RecordIntent, Delivery: "next"}); err != nil {
		t.Fatal(err)
	}
	f, err := os.CreateTemp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.fill(f, []Record{{Delivery: "one"}, never, {Delivery: "two"}}); err == nil {
		t.Error("a file was written again without one of its records")
	}
	if _, err := os.Stat(f.Name()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
	if records, err := j.Records(); err != nil || len(records) != 1 || records[0].Delivery != "next" {
		t.Errorf("%+v, %v", records, err)
	}
	// A disk that takes nothing more, not even the cutting off of what it took by half.
	if err := j.file.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := j.append(Record{Kind: RecordIntent, Delivery: "lost"}); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%v", err)
		}
		if !j.dirty {
			t.Error("it is forgotten that the end is broken")
		}
	}
	if err := j.fill(j.file, nil); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v", err)
	}
	if err := syncDir(filepath.Join(dir, "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestAClaimThatFails is told, and what it is about stays for another start; where another process was quicker
// there is nothing to tell.
func TestAClaimThatFails(t *testing.T) {
	dir := t.TempDir()
	for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(ids ...string) (text string) {
		for _, id := range ids {
			text += `{"v":1,"kind":"intent","delivery":"` + id + `","root":"/root","turn":"t","op":"apply","files":[{"path":"a","op":"update","before":"a","after":"b"}]}` + "\n"
		}
		return text
	}
	file := func(pid int) string { return filepath.Join(dir, owner(pid).Name()+"-1.jsonl") }
	write := func(pid int, mode os.FileMode, ids ...string) {
		t.Helper()
		if err := errors.Join(os.WriteFile(file(pid), []byte(lines(ids...)), 0o600), os.Chmod(file(pid), mode)); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * keepJournals)
	write(7, 0o644, "one")
	write(6, 0o644, "two")
	if err := os.Chtimes(file(6), long, long); err != nil { // it would be removed
		t.Fatal(err)
	}
	j := openJournal(t, dir, 8, 6, 7)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o755) }() // so that it can be removed
	unprivileged(t, func() {
		if records, err := j.adoptDead(); !errors.Is(err, os.ErrPermission) || len(records) > 0 || len(j.taken) > 0 {
			t.Errorf("%d records, %d files, %v", len(records), len(j.taken), err)
		} else if n := strings.Count(err.Error(), os.ErrPermission.Error()); n != 2 {
			t.Errorf("told of %d files: %v", n, err)
		}
	})
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left are %v", left)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	// What is claimed and cannot be written again stays as it is.
	write(5, 0o644, "three", "three") // of which one line is not needed
	j = openJournal(t, dir, 8, 5, 7)
	records, err := j.adoptDead()
	if err != nil || len(records) != 3 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	taken := append([]taken(nil), j.taken...)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	unprivileged(t, func() {
		for _, keep := range [][]Record{records[:1], nil} {
			j.taken = append(j.taken[:0], taken...)
			if err := j.compact(keep); !errors.Is(err, os.ErrPermission) {
				t.Errorf("%d records are kept: %v", len(keep), err)
			}
		}
		if err := openJournal(t, dir, 9).append(records[0]); !errors.Is(err, os.ErrPermission) {
			t.Errorf("a record was written: %v", err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if again, err := j.Records(); err != nil || len(again) != 3 {
		t.Errorf("%d records, %v", len(again), err)
	}
	// A file of ours that cannot be read is told of, and the others are read.
	locked := filepath.Join(dir, owner(8).Name()+"-9.jsonl")
	if err := os.WriteFile(locked, []byte(lines("locked")), 0); err != nil {
		t.Fatal(err)
	}
	unprivileged(t, func() {
		if again, err := j.Records(); !errors.Is(err, os.ErrPermission) || len(again) != 3 {
			t.Errorf("%d records, %v", len(again), err)
		}
	})
}

// TestTwoClaimOneFile: one of them has it, and the other has nothing to complain of.
func TestTwoClaimOneFile(t *testing.T) {
	dir := t.TempDir()
	name := func(pid int) string { return filepath.Join(dir, owner(pid).Name()+"-1.jsonl") }
	for _, pid := range []int{5, 6, 7} {
		if err := os.WriteFile(name(pid), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-2 * keepJournals)
	if err := os.Chtimes(name(6), long, long); err != nil {
		t.Fatal(err)
	}
	j := openJournal(t, dir, 8)
	j.alive = func(o Owner) bool {
		if o.PID == 7 { // the others were looked at, and now somebody else has them
			if err := errors.Join(os.Remove(name(5)), os.Remove(name(6))); err != nil {
				t.Error(err)
			}
		}
		return false
	}
	if problems := j.claimDead(); len(problems) > 0 || len(j.taken) != 1 {
		t.Errorf("%d files, %v", len(j.taken), problems)
	}
}

// TestAPlanThatFailsWhileItIsCancelled is known as cancelled, and what the editor said of it is kept.
func TestAPlanThatFailsWhileItIsCancelled(t *testing.T) {
	failed := errors.New("the editor is gone")
	for what, stop := range map[string]bool{"cancelled": true, "not cancelled": false} {
		ed, s := newEditor(t, map[string]string{"a": "a\n"}), newStore(t)
		add(t, s, update("a", "a\n", "A\n"))
		ctx, cancel := context.WithCancel(context.Background())
		out, err := s.Apply(ctx, Selector{}, failing{ed, func() error {
			if stop {
				cancel()
			}
			return failed
		}})
		cancel()
		if !errors.Is(err, failed) || errors.Is(err, context.Canceled) != stop || out.Status != StatusUnverified {
			t.Errorf("%s: %+v, %v", what, out, err)
		}
		if p := s.book.proposals.list[0].now; p.Reason != err.Error() {
			t.Errorf("%s: the proposal says %q", what, p.Reason)
		}
	}
}

// TestNoSecondTryForWhoIsCancelled: what moved on while it was sent is planned again for those who still wait for it.
func TestNoSecondTryForWhoIsCancelled(t *testing.T) {
	for plans := 1; plans < attempts; plans++ {
		ed, s := newEditor(t, map[string]string{"a": "a\n"}), newStore(t)
		p := add(t, s, update("a", "a\n", "A\n"))
		ctx, cancel := context.WithCancel(context.Background())
		ed.answer = func(Step) (Landed, bool) {
			if len(ed.plans) == plans {
				cancel()
			}
			return Landed{State: LandAbsent, Stale: true, Reason: "it moved on"}, true
		}
		out, err := s.Apply(ctx, Selector{}, ed)
		cancel()
		now, _ := s.Get(p.ID)
		if err != nil || len(ed.plans) != plans || out.Status != StatusPending || out.Files[0].State != LandAbsent || out.Files[0].Reason != "it moved on" || now.State != event.ProposalPending {
			t.Errorf("cancelled at plan %d: %d plans, %+v, %v, %s", plans, len(ed.plans), out, err, now.State)
		}
	}
}

// TestWhatIsSaidOfSeveralFiles is each thing once, in the order of the files, and of what landed no reason.
func TestWhatIsSaidOfSeveralFiles(t *testing.T) {
	ed, s := newEditor(t, map[string]string{"a": "1\n", "b": "1\n", "c": "1\n", "d": "1\n", "e": "1\n"}), newStore(t)
	var changes []edits.Change
	for _, path := range []string{"a", "b", "c", "d", "e"} {
		changes = append(changes, update(path, "1\n", "2\n"))
	}
	add(t, s, changes...)
	answers := map[string]Landed{
		"a": {State: LandRefused, Reason: "one", Remark: "first"},
		"b": {State: LandLanded, Reason: "two", Remark: "first"},
		"c": {State: LandRefused, Reason: "three", Remark: "second"},
		"d": {State: LandRefused, Reason: "one"},
		"e": {State: LandAbsent},
	}
	ed.answer = func(step Step) (Landed, bool) { return answers[step.Change.Path], true }
	out, err := s.Apply(context.Background(), Selector{}, ed)
	if err != nil || out.Status != StatusPartial || out.Reason != "one; three" || out.Remark != "first; second" {
		t.Errorf("%+v, %v", out, err)
	}
	for i, f := range out.Files {
		want := answers[changes[i].Path]
		if f.Path != changes[i].Path || f.State != want.State || f.Reason != want.Reason || f.Remark != want.Remark || f.To != "" {
			t.Errorf("%+v, want %+v", f, want)
		}
	}
}

// failing is an editor that answers no plan.
type failing struct {
	*editor
	how func() error
}

func (f failing) Deliver(context.Context, string, []Step) ([]Landed, error) { return nil, f.how() }

// TestWhatAnEditorTellsLater: what is awaited of a file is known when the editor has told what it reads, and what is
// not awaited, or of another file, is as little known as before.
func TestWhatAnEditorTellsLater(t *testing.T) {
	for what, c := range map[string]struct {
		awaited bool
		typed   string // in a, when it is told
		told    string // which file
		want    event.ProposalState
		open    bool // to another decision
	}{
		"it came":                      {true, "A\n", "a", event.ProposalApplied, false},
		"it did not come":              {true, "a\n", "a", event.ProposalPending, true},
		"something else came":          {true, "z\n", "a", event.ProposalUnverified, false},
		"another file":                 {true, "A\n", "b", event.ProposalUnverified, true},
		"it came, not awaited":         {false, "A\n", "a", event.ProposalUnverified, false},
		"it did not come, not awaited": {false, "a\n", "a", event.ProposalUnverified, false},
		"another file, not awaited":    {false, "A\n", "b", event.ProposalUnverified, false},
	} {
		ed, s := newEditor(t, map[string]string{"a": "a\n", "b": "b\n"}), newStore(t)
		s.Sent.Told("a", ed.Current()) // nothing is open
		p := add(t, s, update("a", "a\n", "A\n"))
		ed.answer = func(Step) (Landed, bool) { return Landed{State: LandUnknown, Awaited: c.awaited}, true }
		if _, err := s.Apply(context.Background(), Selector{}, ed); err != nil {
			t.Fatal(err)
		}
		ed.typed("a", c.typed)
		s.Sent.Told(c.told, ed.Current())
		if now, _ := s.Get(p.ID); now.State != c.want || now.Pending() != c.open {
			t.Errorf("%s: %s, open %v, want %s", what, now.State, now.Pending(), c.want)
		}
	}
}

// TestALookAtFiles: what cannot be read says nothing, and a document that an editor leaves open below the old name of
// a file that it has moved is no file.
func TestALookAtFiles(t *testing.T) {
	move := edits.Change{Path: "old", Op: edits.OpRename, To: "new", Before: "1\n", After: "2\n"}
	for what, c := range map[string]struct {
		change edits.Change
		set    func(ed *editor)
		want   LandState
	}{
		"no such name":                {update("../x", "1\n", "2\n"), func(*editor) {}, LandUnknown},
		"a move from no name":         {edits.Change{Path: "../x", Op: edits.OpRename, To: "new"}, func(*editor) {}, LandUnknown},
		"a move to no name":           {edits.Change{Path: "old", Op: edits.OpRename, To: "../x"}, func(ed *editor) { ed.put("old", "1\n") }, LandUnknown},
		"not moved":                   {move, func(ed *editor) { ed.put("old", "1\n") }, LandAbsent},
		"moved":                       {move, func(ed *editor) { ed.put("new", "2\n") }, LandLanded},
		"moved, and not edited":       {move, func(ed *editor) { ed.put("new", "1\n") }, LandDiffers},
		"both are files":              {move, func(ed *editor) { ed.put("old", "1\n"); ed.put("new", "2\n") }, LandDiffers},
		"moved, the document is left": {move, func(ed *editor) { ed.put("new", "2\n"); ed.ws.DidOpen("old", "1\n", 5) }, LandLanded},
		"both are documents alone":    {move, func(ed *editor) { ed.ws.DidOpen("new", "2\n", 4); ed.ws.DidOpen("old", "1\n", 5) }, LandDiffers},
		"copied, not saved":           {move, func(ed *editor) { ed.put("old", "1\n"); ed.ws.DidOpen("new", "2\n", 4) }, LandDiffers},
		"neither is there":            {move, func(*editor) {}, LandDiffers},
	} {
		ed := newEditor(t, map[string]string{"other": "x\n"})
		c.set(ed)
		if got, _ := look(c.change, ed.Current()); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}

// TestProcesses: one that is gone does not run and has no start, and of this one both are known.
func TestProcesses(t *testing.T) {
	const nobody = 1 << 30 // beyond what any system numbers
	if Running(nobody) || startOf(nobody) != unknownStart {
		t.Errorf("%v %q", Running(nobody), startOf(nobody))
	}
	me := ThisProcess()
	if !Running(os.Getpid()) || !me.alive() || me.Start != startOf(os.Getpid()) || me.PID != os.Getpid() || me != ThisProcess() {
		t.Errorf("%+v", me)
	}
	for what, c := range map[string]struct {
		owner Owner
		want  bool
	}{
		"an unknown start":               {Owner{Host: me.Host, PID: me.PID, Start: unknownStart}, true},
		"another start":                  {Owner{Host: me.Host, PID: me.PID, Start: me.Start + "1"}, me.Start == unknownStart},
		"no process":                     {Owner{Host: me.Host, PID: nobody, Start: unknownStart}, false},
		"no process, with its own start": {Owner{Host: me.Host, PID: nobody, Start: startOf(nobody)}, false},
	} {
		if got := c.owner.alive(); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// TestWhatIsReadOfAJournal: where reading fails, all before it counts, and the file is not to be written again.
func TestWhatIsReadOfAJournal(t *testing.T) {
	dir := t.TempDir()
	if c := readContents(filepath.Join(dir, "absent")); !errors.Is(c.err, os.ErrNotExist) || c.ours || len(c.records) > 0 {
		t.Errorf("absent: %+v", c)
	}
	line := `{"v":1,"kind":"intent","delivery":"d"}` + "\n"
	for text, want := range map[string]contents{
		"":                                 {ours: true},
		line:                               {ours: true, lines: 1},
		line + line + "{":                  {ours: true, lines: 2},
		"nonsense\n" + line:                {ours: true, lines: 2, err: os.ErrInvalid},
		strings.Replace(line, "1", "0", 1): {ours: true, lines: 1, err: os.ErrInvalid},
		strings.Replace(line, "1", "2", 1) + line: {lines: 2, err: errLater},
	} {
		file := filepath.Join(dir, "file")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c := readContents(file)
		if c.ours != want.ours || c.lines != want.lines || (c.err != nil) != (want.err != nil) || errors.Is(c.err, errLater) != errors.Is(want.err, errLater) ||
			len(c.records) != strings.Count(text, `"v":1`) {
			t.Errorf("%q: %d records, %+v", text, len(c.records), c)
		}
	}
}
